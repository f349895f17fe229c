// The words of the page position in English.
export default {
};
