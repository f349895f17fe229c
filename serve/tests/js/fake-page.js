// A page and a server for tests of modules that need both. Import it before them.

/** Stands for all that a page has: each member is one more of it, and a call gives one. */
export const thing = (own = {}) =>
  new Proxy(() => {}, {
    get(_, key) {
      if (key === Symbol.iterator) return [][Symbol.iterator].bind([]);
      if (key === Symbol.toPrimitive) return () => "";
      // It is no promise.
      if (key === "then" || typeof key === "symbol") return undefined;
      return key in own ? own[key] : (own[key] = thing());
    },
    set(_, key, value) {
      own[key] = value;
      return true;
    },
    apply: () => thing(),
  });

export const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

const parts = {};
/** A part of the page. */
export const byId = (id) => (parts[id] ??= thing({ children: [] }));
/** Where messages stand. */
export const says = { textContent: "", closest: () => null };
/** The elements that modules have made, with their attributes and listeners. */
export const made = [];

/** @param {string} name */
function createElement(name) {
  const [given, listeners] = [{}, {}];
  const one = thing({
    nodeName: name.toUpperCase(),
    childNodes: [],
    given,
    listeners,
    setAttribute: (key, value) => (given[key] = value),
    addEventListener: (key, listener) => (listeners[key] = listener),
  });
  made.push(one);
  return one;
}

globalThis.document = thing({
  getElementById: byId,
  querySelectorAll: (selector) => (selector.includes("#says") ? [says] : []),
  createElement,
  addEventListener: () => {},
  hidden: false,
});
globalThis.addEventListener = globalThis.scrollTo = () => {};
globalThis.location = new URL("http://127.0.0.1/");

const store = {};
globalThis.sessionStorage = globalThis.localStorage = {
  getItem: (key) => store[key] ?? null,
  setItem: (key, value) => {
    store[key] = value;
  },
  removeItem: (key) => delete store[key],
};

let serve = async (path) => (path === "/nets" ? { nets: [], levels: [] } : []);

/**
 * How the server answers from now on.
 *
 * @param {(path: string, body: string | undefined) => Promise<any>} how One with a status from 400
 *   on refuses
 */
export function serveBy(how) {
  serve = how;
}

/** What an answer is that refuses. */
export const refused = (status, code) => ({ status, error: "no", code });

/** The page's way to the server. `address` is what the address asks for. */
export const host = {
  address: "",
  async ask(address, options) {
    const said = await serve(address.slice("/api/v1".length), options?.body);
    const status = said.status >= 400 ? said.status : 200;
    return { ok: status < 400, status, json: async () => said };
  },
  search: () => host.address,
  write: () => {},
  has: () => false,
  asset: () => "",
  silence: "common.noServer",
};
globalThis.nonetHost = host;
