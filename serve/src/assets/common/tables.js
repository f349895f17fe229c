// @ts-check
// Tables, and cube decisions as one.
import { cubeWords } from "./cube-words.js";
import { el } from "./dom.js";
import { difference, percent, signed } from "./format.js";
import { term } from "./terms.js";
import { t } from "./words.js";

/** Whether a cell is a number, perhaps with its unit or interval. @param {unknown} cell */
const isNumber = (cell) => typeof cell === "string" && (cell === "" || /^[±+−-]?\d[\d.,: ]*([ \u00a0]?[%kM]| ±.*| of \d+)?( \/ .*)?$|^(–|none|\?)/.test(cell));

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
  const made = el("table", {}, el("caption", { class: "unseen" }, caption), el("thead", {}, head), el("tbody", {}, body));
  // What is seen stands above the table: a caption would be as wide as the table, which a phone scrolls.
  return el("div", {}, el("p", { class: "caption", "aria-hidden": "true" }, caption), el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, made));
}

/**
 * A cube decision as a table: of the player on roll, or of the person who answers a double.
 * @param {any} cube @param {boolean} answers
 */
export function cubeTable(cube, answers = false) {
  const kind = cube.redouble ? "redouble" : "double";
  const mwc = cube.match_winning_chances;
  const all = [[`cube.${kind}.no`, cube.no_double, mwc?.[0]], [`cube.${kind}.take`, cube.double_take, mwc?.[1]], [`cube.${kind}.pass`, cube.double_pass, mwc?.[2]]];
  // Values are those of the doubler.
  const own = answers ? [["cube.says.take", -cube.double_take, mwc && 1 - mwc[1]], ["cube.says.pass", -cube.double_pass, mwc && 1 - mwc[2]]] : all;
  const best = answers ? Math.max(-cube.double_take, -cube.double_pass) : cube.equity;
  // The best action has no difference to itself.
  const rows = own.map(([name, equity, match]) => {
    const behind = difference(equity, best);
    return [t(name), signed(equity), Math.abs(behind) < 5e-4 ? "" : signed(behind), ...(mwc ? [percent(match)] : [])];
  });
  const heads = [t("table.action"), term(t("table.equity"), "equity"), t("table.difference"), ...(mwc ? [term(t("table.matchWon"), "mwc")] : [])];
  const words = cubeWords(answers ? cube.words.split(", ").at(-1) : cube.words);
  const made = table(t("cube.caption", { words, plies: cube.plies }), heads, rows);
  const { win, win_gammon: won, lose_gammon: lost } = cube.outcomes;
  const chances = answers ? { equity: -cube.cubeless, win: 1 - win, won: lost, lost: won } : { equity: cube.cubeless, win, won, lost };
  const without = t("cube.without", { equity: signed(chances.equity), win: percent(chances.win), gammons: percent(chances.won), lost: percent(chances.lost) });
  return el("div", {}, made, el("p", { class: "small" }, without));
}
