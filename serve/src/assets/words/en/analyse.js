// The words of the page analyse in English.
export default {
};
