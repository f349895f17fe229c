// The words of the page api in English.
export default {
};
