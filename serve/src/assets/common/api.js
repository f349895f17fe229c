// @ts-check
// Calls of the HTTP API. The token, if there is one, comes with the address (#token=...) and stays
// in this browser.
import "./storage.js";
import { host } from "./host.js";
import { keepText } from "./own.js";
import { known, t } from "./words.js";

const TOKEN = "nonet-token";
/** The token that this page was given: the browser may not keep it. */
let given = /** @type {string | null} */ (null);
const fragment = new URLSearchParams(location.hash.slice(1));
if (fragment.has("token")) {
  keepToken(fragment.get("token") ?? "");
  history.replaceState(null, "", location.pathname + location.search);
}

/**
 * Keeps the token for the next calls.
 *
 * @param {string} token
 */
export function keepToken(token) {
  given = token;
  keepText(TOKEN, token);
}

const tokenHere = () => given ?? localStorage.getItem(TOKEN);

/** Whether this page has a token. */
export const hasToken = () => tokenHere() !== null;

/** An answer that refuses a request, in words for people. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {string} [position]
   */
  constructor(status, message, position) {
    super(message);
    /** 0: no answer at all. */
    this.status = status;
    /** The XGID of the position in a file that holds no match. */
    this.position = position;
  }
}

/**
 * An error in the person's language: what kind it is, with the server's sentence as the detail.
 *
 * @param {{ error?: string; code?: string }} answer
 */
export function inWords({ error, code }) {
  return error && code && known(`error.${code}`) ? t(`error.${code}`, { detail: error }) : error;
}

/**
 * @param {Record<string, string>} more
 * @returns {Record<string, string>}
 */
function headers(more = {}) {
  const token = tokenHere();
  return token ? { ...more, authorization: `Bearer ${token}` } : more;
}

/**
 * @param {string} path
 * @param {RequestInit & { headers?: Record<string, string> }} options
 */
async function send(path, options = {}) {
  let answer;
  try {
    answer = await host.ask(`/api/v1${path}`, { ...options, headers: headers(options.headers) });
  } catch (error) {
    if (/** @type {Error} */ (error).name === "AbortError") throw error;
    throw new Refused(0, t(host.silence));
  }
  if (!answer.ok) {
    /** @type {{ error?: string; code?: string; position?: string }} */
    let said = {};
    try {
      said = await answer.json();
    } catch {
      /* No JSON: the status says it. */
    }
    throw new Refused(
      answer.status,
      inWords(said) ?? t("common.refused", { status: answer.status }),
      said.position,
    );
  }
  return answer;
}

/**
 * Any request as it is, with the token: the page of the API sends examples.
 *
 * @param {string} address
 * @param {RequestInit & { headers?: Record<string, string> }} options
 */
export const ask = (address, options = {}) =>
  host.ask(address, { ...options, headers: headers(options.headers) });

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function get(path) {
  return (await send(path)).json();
}

/**
 * @param {string} path
 * @returns {Promise<string>}
 */
export async function getText(path) {
  return (await send(path)).text();
}

/**
 * A body to send.
 *
 * @param {unknown} body
 */
const asJson = (body) => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" },
});

/**
 * @param {string} path
 * @param {unknown} [body]
 * @param {{ signal?: AbortSignal; keepalive?: boolean }} [given] `signal` ends the question,
 *   `keepalive` lets it outlive the page
 * @returns {Promise<any>}
 */
export async function post(path, body, given) {
  return (
    await send(path, { ...given, ...(body === undefined ? { method: "POST" } : asJson(body)) })
  ).json();
}

/** The status of a server with other work, and after how many milliseconds it is asked again. */
const [BUSY, LATER] = [503, 2000];

/**
 * The same, of a server with other work a few times more.
 *
 * @param {string} path
 * @param {unknown} body
 * @param {{ signal?: AbortSignal; isWanted?: () => boolean; tries?: number }} given Whether the
 *   answer is still wanted, and how often it is asked for again
 * @returns {Promise<any>}
 */
export async function postWhenFree(path, body, { signal, isWanted = () => true, tries = 15 } = {}) {
  for (let left = tries; ; left -= 1) {
    try {
      return await post(path, body, { signal });
    } catch (error) {
      if (
        !(error instanceof Refused) ||
        error.status !== BUSY ||
        left === 0 ||
        signal?.aborted ||
        !isWanted()
      )
        throw error;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, LATER);
    });
  }
}

/**
 * An answer that is no JSON.
 *
 * @param {string} path
 */
export async function text(path) {
  return (await send(path)).text();
}

/** @param {string} path */
export async function remove(path) {
  await send(path, { method: "DELETE" });
}

/**
 * @param {string} path
 * @param {Blob} file
 * @returns {Promise<any>}
 */
export async function upload(path, file) {
  const options = {
    method: "POST",
    body: file,
    headers: { "content-type": "application/octet-stream" },
  };
  return (await send(path, options)).json();
}

/**
 * Saves a file.
 *
 * @param {Blob} file
 * @param {string} name
 */
export function save(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/**
 * Saves an answer as a file.
 *
 * @param {string} path
 * @param {string} name
 */
export async function download(path, name) {
  save(await (await send(path)).blob(), name);
}

/**
 * Long work that tells how it stands: calls `tell(data, name)` for each server-sent event. `signal`
 * cancels it.
 *
 * @param {string} path
 * @param {unknown} question
 * @param {(data: any, name: string) => void} tell
 * @param {AbortSignal} [signal]
 */
export async function events(path, question, tell, signal) {
  const answer = await send(path, { signal, ...asJson(question) });
  const reader = /** @type {ReadableStream<any>} */ (answer.body)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let [text, isWhole] = ["", false];
  for (;;) {
    const { value, done } = await reader.read().catch((error) => {
      throw error.name === "AbortError" ? error : new Refused(0, t(host.silence));
    });
    if (done && !isWhole) throw new Refused(0, t(host.silence));
    if (done) return;
    text += value;
    const told = text.split("\n\n");
    text = told.pop() ?? "";
    for (const event of told) {
      const lines = event.split("\n");
      const field = (/** @type {string} */ name) =>
        lines
          .find((line) => line.startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim();
      const [data, name] = [field("data"), field("event") ?? ""];
      if (!data) continue;
      if (name === "failed") throw new Refused(0, inWords(JSON.parse(data)) ?? data);
      isWhole ||= name === "done";
      tell(JSON.parse(data), name);
    }
  }
}
