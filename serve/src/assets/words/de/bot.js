// The words of the page bot in German.
export default {
};
