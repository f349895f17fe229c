// @ts-check
// Words of the field with their meaning. The meaning is shown while a person points at the word,
// touches it or has the focus on it.
import { el } from "./dom.js";
import { t } from "./words.js";

/** The distance of the meaning from its word and from the window's edges, in pixels. */
const GAP = 8;

/**
 * A word with the meaning `term.KEY`.
 *
 * @param {string} text
 * @param {string} key
 * @param {Record<string, string | number> | null} values Of the meaning
 */
export const term = (text, key, values = null) =>
  el(
    "span",
    {
      class: "term",
      tabindex: "0",
      "data-term": key,
      "data-values": values && JSON.stringify(values),
    },
    text,
  );

/** @type {HTMLElement | null} */
let shown = null;

function hide() {
  if (!shown) return;
  shown.removeAttribute("aria-describedby");
  shown = null;
  document.getElementById("meaning")?.remove();
}

/** @typedef {{ left: number; right: number; top: number; bottom: number }} Box */

/**
 * Where a meaning begins. It begins above its word in two cases, else below the word:
 *
 * - Below the word it would go beyond the window.
 * - Below the word it would cover a control, and above the word it has room and covers none.
 *
 * @param {Pick<Box, "top" | "bottom">} word
 * @param {{ left: number; right: number; height: number }} meaning
 * @param {Box[]} controls
 * @param {number} most The height of the window
 */
export function topOf(word, { left, right, height }, controls, most) {
  const [below, above] = [word.bottom + GAP, word.top - GAP - height];
  const covers = (/** @type {number} */ top) =>
    controls.some(
      (one) => one.left < right && one.right > left && one.top < top + height && one.bottom > top,
    );
  const isBelow = below + height < most && (!covers(below) || above < GAP || covers(above));
  return isBelow ? below : Math.max(GAP, above);
}

/** @param {HTMLElement} word */
function show(word) {
  if (word === shown) return;
  hide();
  shown = word;
  const meaning = el(
    "div",
    { id: "meaning", role: "tooltip" },
    t(`term.${word.dataset.term}`, JSON.parse(word.dataset.values ?? "{}")),
  );
  // An open dialog covers everything that is not within it.
  const within = word.closest("dialog, main") ?? document.body;
  within.append(meaning);
  word.setAttribute("aria-describedby", "meaning");
  const [at, box] = [word.getBoundingClientRect(), meaning.getBoundingClientRect()];
  const left = Math.max(
    GAP,
    Math.min(at.left, document.documentElement.clientWidth - GAP - box.width),
  );
  const controls = [...within.querySelectorAll("a, button, input, select, summary")].map((one) =>
    one.getBoundingClientRect(),
  );
  meaning.style.top = `${topOf(at, { left, right: left + box.width, height: box.height }, controls, innerHeight)}px`;
  meaning.style.left = `${left}px`;
}

if (typeof document !== "undefined") {
  const wordOf = (/** @type {Event} */ event) =>
    /** @type {HTMLElement | null} */ (
      /** @type {Element} */ (event.target).closest?.("[data-term]")
    );
  for (const name of ["pointerover", "focusin", "click"]) {
    document.addEventListener(name, (event) => {
      const word = wordOf(event);
      if (word) show(word);
      else if (name !== "focusin") hide();
    });
  }
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  addEventListener("scroll", hide, { capture: true, passive: true });
}
