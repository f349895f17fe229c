// @ts-check
// Where the pages live: on a server, or in one file that answers by itself. That file puts its own
// side into `nonetHost` before the modules of a page run. Requests and addresses go this way alone.

/**
 * @typedef {object} Host
 * @property {(address: string, options?: RequestInit) => Promise<Response>} ask Answers a request
 * @property {() => string} search What the address asks for, with its question mark
 * @property {() => string} address The whole address, for other people
 * @property {(address: string, replaces?: boolean) => void} write Changes the address, and nothing
 *   else
 * @property {(address: string) => void} go Opens an address
 * @property {() => void} reload Opens the page once more
 * @property {(name: string) => string} asset The address of a picture
 * @property {(address: string) => boolean} has Whether there is a page
 * @property {string} silence What is said when no answer comes: a key of the words
 */

/** @type {Host} */
const server = {
  ask: (address, options) => fetch(address, options),
  search: () => location.search,
  address: () => location.href,
  write: (address, replaces = false) =>
    history[replaces ? "replaceState" : "pushState"](null, "", address),
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
