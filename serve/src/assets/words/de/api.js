// The words of the page api in German.
export default {
};
