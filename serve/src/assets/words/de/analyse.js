// The words of the page analyse in German.
export default {
};
