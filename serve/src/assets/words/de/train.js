// The words of the page train in German.
export default {
};
