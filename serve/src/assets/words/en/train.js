// The words of the page train in English.
export default {
};
