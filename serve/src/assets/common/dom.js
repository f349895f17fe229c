// @ts-check
// Elements, and messages to the person.
import { t } from "./words.js";

/** A word of this length, such as a long name, would take the room of other columns. */
const LONG = /\S{25}/;

/**
 * Whether a cell has such a word. What is written as code stays whole.
 *
 * @param {Node} node
 * @returns {boolean}
 */
const isLong = (node) =>
  node.nodeName !== "CODE" &&
  (node.childNodes?.length ? [...node.childNodes].some(isLong) : LONG.test(node.textContent ?? ""));

/**
 * An element with attributes and children; `on...` are listeners, and nothing is read as HTML. A
 * cell of a table that has a long word breaks it.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, any>} attributes
 * @param {any[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined)
      made.setAttribute(key, value);
  }
  made.append(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== undefined && child !== false),
  );
  if ((name === "td" || name === "th") && isLong(made)) made.classList.add("long");
  return made;
}

/**
 * Names what a page shows in the title of its window.
 *
 * @param {string} name
 */
export function entitle(name) {
  document.title = `nonet: ${name}`;
}

/**
 * An element that the page has.
 *
 * @param {string} id
 * @returns {any}
 */
export const byId = (id) => document.getElementById(id);

/**
 * The first letter in capitals, unless a name such as eXtreme begins.
 *
 * @param {string} text
 */
export const sentence = (text) =>
  /^\p{Ll}\p{Lu}/u.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/**
 * A sentence with its full stop: messages of the server have none.
 *
 * @param {string} text
 */
export const ended = (text) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/**
 * Says something in the live region, which screen readers read out. An error stays until the next
 * click.
 *
 * @param {string} text
 */
export function say(text, kind = "") {
  // A page with several views has a place in each.
  const places = /** @type {HTMLElement[]} */ ([
    ...document.querySelectorAll("#says, [data-says]"),
  ]);
  const place = places.find((one) => !one.closest("[hidden]")) ?? places[0];
  if (
    !place ||
    (kind === "error" && place.textContent === text && place.className === "says error")
  )
    return;
  place.textContent = text;
  place.className = `says ${kind}`;
  if (kind !== "error") return;
  const heard = () => {
    if (place.textContent === text) [place.textContent, place.className] = ["", "says"];
  };
  document.addEventListener("click", heard, { capture: true, once: true });
}

/**
 * Puts a new block where it belongs, and brings it into sight.
 *
 * @param {HTMLElement} place
 * @param {HTMLElement} block
 */
export function show(place, block) {
  place.replaceChildren(block);
  place.scrollIntoView({ block: "nearest" });
}

/**
 * What runs out on an element that tells something.
 *
 * @type {WeakMap<Element, () => void>}
 */
const telling = new WeakMap();

/**
 * Tells for two seconds in place of an element's text what its click has done; screen readers read
 * out the sentence. Nothing moves.
 *
 * @param {HTMLElement} one
 * @param {string} text
 * @param {string} sentence
 */
export function tell(one, text, sentence) {
  telling.get(one)?.();
  const before = one.textContent;
  one.style.minWidth = `${one.offsetWidth}px`;
  one.textContent = text;
  say(sentence, "unseen");
  const back = () => {
    clearTimeout(timer);
    telling.delete(one);
    one.textContent = before;
    one.style.minWidth = "";
  };
  const timer = setTimeout(back, 2000);
  telling.set(one, back);
}

/** The pause in typing, in milliseconds, after which a text is kept. */
const PAUSE = 700;

/**
 * Keeps what is typed into a field: after a pause, and when the person leaves the field or the
 * page.
 *
 * @param {HTMLElement} field
 * @param {() => void} keep
 */
export function keepTyped(field, keep) {
  let timer = 0;
  const now = () => {
    clearTimeout(timer);
    timer = 0;
    keep();
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(now, PAUSE);
  });
  field.addEventListener("change", now);
  addEventListener("pagehide", () => {
    if (timer) now();
  });
}

/**
 * Runs `work`, and says what goes wrong.
 *
 * @template T
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T | undefined>}
 */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    if (name === "AbortError") return undefined;
    if (/** @type {any} */ (error).status === 401) (await import("./token.js")).askForToken();
    say(sentence(message), "error");
    return undefined;
  }
}

/**
 * What is shown where nothing is yet: a sentence, and perhaps what to do.
 *
 * @param {string} text
 * @param {any[]} more
 */
export const empty = (text, ...more) => el("div", { class: "empty" }, el("p", {}, text), ...more);

/** What is shown while something is on its way. */
export const loading = (text = t("common.loading")) =>
  el(
    "p",
    { class: "loading", role: "status" },
    el("span", { class: "spinner", "aria-hidden": "true" }),
    text,
  );

/**
 * The words of a command, in which a line never ends within an option.
 *
 * @param {string} command
 * @returns {(string | HTMLElement)[]}
 */
export const wholeOptions = (command) =>
  command
    .split(/(?<=^|\s)(--?[a-z][a-z-]*)/)
    .map((part, i) => (i % 2 ? el("span", { class: "whole" }, part) : part));

/**
 * Whether a pointer has moved itself: what slides below one that rests is not pointed at.
 *
 * @param {Pick<PointerEvent, "movementX" | "movementY">} event
 */
export const hasMoved = ({ movementX, movementY }) => movementX !== 0 || movementY !== 0;
