// The words of the page bot in English.
export default {
};
