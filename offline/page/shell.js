// @ts-check
// The document around the pages. It unpacks the pages and the module, and shows one page after the
// other in a frame. Workers answer the pages. The address of a page stands behind the # of this
// document.
import { Files } from "./files.js";
import { unpacked } from "./unpack.js";
import { Crew } from "./workers.js";

/**
 * The pages by their addresses, the modules, styles and pictures by their names, and the script of
 * the workers.
 *
 * @type {{
 *   pages: Record<string, string>;
 *   parts: Record<string, string>;
 *   pictures: Record<string, string>;
 *   worker: string;
 * }}
 */
const packed = JSON.parse(new TextDecoder().decode(await unpacked("pages")));

/** @param {string} text */
const scriptOf = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
const imports = Object.fromEntries(
  Object.entries(packed.parts)
    .filter(([name]) => name.endsWith(".js"))
    .map(([name, text]) => [`nonet/${name}`, scriptOf(text)]),
);

/** The address of the page: its path and what it asks for. */
const asked = () =>
  new URL(location.hash.startsWith("#/") ? location.hash.slice(1) : "/", "https://nonet.invalid");
let shown = asked();
/** @type {HTMLIFrameElement | null} */
let frame = null;
/** Is aborted when the page in the frame is left. */
let leaving = new AbortController();

/**
 * Shows the page of the address. A new frame each time: a frame that goes on would write the
 * history.
 */
function open() {
  shown = asked();
  const page = packed.pages[shown.pathname] ?? packed.pages["/"];
  const html = page
    .replace(
      /<link rel="stylesheet" href="\/assets\/([^"]+)">/g,
      (_, name) => `<style>${packed.parts[name] ?? ""}</style>`,
    )
    .replace(/<link rel="(?:icon|apple-touch-icon|manifest)"[^>]*>/g, "")
    .replace(
      /<script type="module" src="\/assets\/([^"]+)"><\/script>/,
      (_, name) => `<script type="module">import "nonet/${name}";<\/script>`,
    )
    .replace(
      "<head>",
      () =>
        `<head><script>globalThis.nonetHost = parent.nonetHost; addEventListener("click", nonetHost.clicked);<\/script><script type="importmap">${JSON.stringify({ imports })}<\/script>`,
    );
  const next = document.createElement("iframe");
  next.title = "nonet";
  next.allow = "clipboard-write";
  next.srcdoc = html;
  next.addEventListener("load", () => {
    const inner = /** @type {Document} */ (next.contentDocument);
    const say = () => {
      document.title = inner.title;
    };
    say();
    new MutationObserver(say).observe(inner.head, {
      childList: true,
      subtree: true,
      characterData: true,
    });
    next.focus();
  });
  frame?.remove();
  // A server sees that its connection is closed; the workers are told.
  leaving.abort();
  leaving = new AbortController();
  frame = next;
  document.body.append(next);
}

/**
 * @param {string} address
 * @param {boolean} [replaces]
 */
function write(address, replaces = false) {
  history[replaces ? "replaceState" : "pushState"](null, "", `#${address}`);
  shown = asked();
}

/** @param {string} address */
function go(address) {
  write(address);
  open();
}

/**
 * A link to another page.
 *
 * @param {MouseEvent} event
 */
function clicked(event) {
  const link = /** @type {Element} */ (event.target).closest?.("a[href^='/']");
  if (!link || event.defaultPrevented || event.button !== 0) return;
  event.preventDefault();
  go(link.getAttribute("href") ?? "/");
}

/** @type {Promise<Crew>} */
const crew = (async () => {
  const files = new Files();
  const [bytes] = await Promise.all([unpacked("module"), files.load()]);
  return new Crew(await WebAssembly.compile(bytes), scriptOf(packed.worker), files);
})();

/**
 * Answers a request of a page.
 *
 * @param {string} address
 * @param {RequestInit} [options]
 */
async function ask(address, options = {}) {
  const left = leaving.signal;
  const body = options.body ? new Uint8Array(await new Response(options.body).arrayBuffer()) : null;
  const kind = new Headers(options.headers).get("content-type") ?? "";
  const question = { method: options.method ?? "GET", address, kind, body };
  const answer = await (await crew).ask(question, options.signal, left);
  const { status, kind: answerKind, stream } = answer;
  return new Response(status === 204 ? null : stream, {
    status,
    headers: { "content-type": answerKind },
  });
}

Object.assign(globalThis, {
  nonetHost: {
    ask,
    write,
    go,
    clicked,
    search: () => shown.search,
    address: () => location.href,
    reload: open,
    asset: (/** @type {string} */ name) => packed.pictures[name] ?? "",
    has: (/** @type {string} */ address) => address in packed.pages,
    silence: "common.noWorker",
  },
});

addEventListener("popstate", () => {
  const isSame = asked().pathname === shown.pathname;
  shown = asked();
  if (isSame) frame?.contentWindow?.dispatchEvent(new PopStateEvent("popstate"));
  else open();
});
open();
