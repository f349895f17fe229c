// @ts-check
// Tables.
import { el } from "./dom.js";

/**
 * Whether a cell is a number, perhaps with its unit or interval.
 *
 * @param {unknown} cell
 */
const isNumber = (cell) =>
  typeof cell === "string" &&
  (cell === "" ||
    /^[±+−-]?\d[\d.,: ]*([ \u00a0]?[%kM]| ±.*| of \d+)?( \/ .*)?$|^(–|none|\?)/.test(cell));

/**
 * A table: a row of headings and rows of cells (texts or elements). Columns of numbers stand right,
 * the first one and those of words left.
 *
 * @param {string} caption
 * @param {any[]} headings
 * @param {any[][]} rows
 */
export function table(caption, headings, rows) {
  const words = headings.map((_, i) => i > 0 && rows.some((cells) => !isNumber(cells[i] ?? "")));
  const kind = (/** @type {number} */ i) => (words[i] ? "words" : null);
  const head = el(
    "tr",
    {},
    headings.map((text, i) => el("th", { scope: "col", class: kind(i) }, text)),
  );
  const body = rows.map((cells) => {
    const row = el(
      "tr",
      {},
      cells.map((cell, i) =>
        el(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : { class: kind(i) }, cell ?? ""),
      ),
    );
    return row;
  });
  const made = el(
    "table",
    {},
    el("caption", { class: "unseen" }, caption),
    el("thead", {}, head),
    el("tbody", {}, body),
  );
  // The caption that is seen stands above the table. The one of the table would be as wide as the
  // table, which a phone scrolls.
  return el(
    "div",
    {},
    el("p", { class: "caption", "aria-hidden": "true" }, caption),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, made),
  );
}
