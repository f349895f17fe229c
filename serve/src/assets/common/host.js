// @ts-check
// Where the pages live: on a server, or in one file that answers by itself. That file puts its own
// side into `nonetHost` before the modules of a page run. Requests and addresses go this way alone.

/**
 * @typedef {object} Host
 * @property {(address: string, options?: RequestInit) => Promise<Response>} ask answers a request
 * @property {() => string} search what the address asks for, with its question mark
 * @property {() => string} address the whole address, for other people
 * @property {(address: string, replaces?: boolean) => void} write changes the address, and nothing else
 * @property {(address: string) => void} go opens an address
 * @property {() => void} reload opens the page once more
 * @property {(name: string) => string} asset the address of a picture
 * @property {(address: string) => boolean} has whether there is a page
 * @property {string} silence what is said when no answer comes: a key of the words
 */

/** @type {Host} */
const server = {
  ask: (address, options) => fetch(address, options),
  search: () => location.search,
  address: () => location.href,
  write: (address, replaces = false) => history[replaces ? "replaceState" : "pushState"](null, "", address),
  go: (address) => location.assign(address),
  reload: () => location.reload(),
  asset: (name) => `/assets/${name}`,
  has: () => true,
  silence: "common.noServer",
};

/** @type {Host} */
export const host = /** @type {any} */ (globalThis).nonetHost ?? server;

/** What the address asks for, by name. */
export const query = () => new URLSearchParams(host.search());
