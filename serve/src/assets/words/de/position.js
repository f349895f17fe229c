// The words of the page position in German.
export default {
};
