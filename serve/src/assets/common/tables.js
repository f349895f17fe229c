// @ts-check
// Tables, and cube decisions as one.
import { cubeWords } from "./cube-words.js";
import { el } from "./dom.js";
import { percent, signed } from "./format.js";
import { t } from "./words.js";

/** Whether a cell is a number, perhaps with its unit or interval. @param {unknown} cell */
const isNumber = (cell) => typeof cell === "string" && (cell === "" || /^[±+−-]?\d[\d.,: ]*( ?[%kM]| ±.*| of \d+)?( \/ .*)?$|^(–|none|\?)/.test(cell));

/**
 * A table: a row of headings and rows of cells (texts or elements). Columns of numbers stand right,
 * the first one and those of words left.
 * @param {string} caption
 * @param {any[]} headings
 * @param {any[][]} rows
 */
export function table(caption, headings, rows) {
  const words = headings.map((_, i) => i > 0 && rows.some((cells) => !isNumber(cells[i] ?? "")));
  const kind = (/** @type {number} */ i) => (words[i] ? "words" : null);
  const head = el("tr", {}, headings.map((text, i) => el("th", { scope: "col", class: kind(i) }, text)));
  const body = rows.map((cells) => {
    const row = el("tr", {}, cells.map((cell, i) => el(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : { class: kind(i) }, cell ?? "")));
    return row;
  });
  const made = el("table", {}, el("caption", {}, caption), el("thead", {}, head), el("tbody", {}, body));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, made);
}

/** A cube decision as a table. @param {any} cube */
export function cubeTable(cube) {
  const kind = cube.redouble ? "redouble" : "double";
  const mwc = cube.match_winning_chances;
  const rows = [[t(`cube.${kind}.no`), cube.no_double], [t(`cube.${kind}.take`), cube.double_take], [t(`cube.${kind}.pass`), cube.double_pass]]
    .map(([name, equity], i) => [name, signed(equity), signed(equity - cube.equity), ...(mwc ? [percent(mwc[i], 2)] : [])]);
  const heads = [t("table.action"), t("table.equity"), t("table.difference"), ...(mwc ? [t("table.matchWon")] : [])];
  const made = table(t("cube.caption", { words: cubeWords(cube.words), plies: cube.plies }), heads, rows);
  const words = el("p", { class: "small" }, t("cube.without", {
    equity: signed(cube.cubeless), win: percent(cube.outcomes.win), gammons: percent(cube.outcomes.win_gammon), lost: percent(cube.outcomes.lose_gammon),
  }));
  return el("div", {}, made, words);
}
