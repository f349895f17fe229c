// @ts-check
// One decision by how well both sides play afterwards, as a table.
import { cubeWords } from "../common/cube-words.js";
import { el } from "../common/dom.js";
import { decimal, signed } from "../common/format.js";
import { t } from "../common/words.js";
import { WIDE } from "./verdicts.js";

/** @typedef {{ equity: number, stderr: number | null }} Rolled */
/** @typedef {{ best: string, equities: Rolled[], lead: Rolled | null }} Cell */
/** @typedef {{ levels: { name: string, pr: number | null }[], decisions: string[], rows: Cell[][], games: number, plies: number, seconds: number, dice: string | null }} Table */

/** Games of each pair, the default of the API. */
export const GAMES = 144;

/** The name of a level in a head. @param {{ name: string, pr: number | null }} level */
export const levelHead = ({ name, pr }) => (pr === null || pr === undefined ? t(`level.${name}`) : t("strengths.pr", { pr: decimal(pr, 0) }));

/** Whether the best decision of a cell is ahead by more than its interval. @param {Cell} cell */
export const isClear = ({ lead }) => lead === null || Math.abs(lead.equity) > WIDE * (lead.stderr ?? Infinity);

/** The equity of the best decision: a double is worth at most what a pass gives. @param {Table} table @param {Cell} cell */
export function bestOf({ decisions, dice }, { best, equities }) {
  const at = decisions.indexOf(best);
  if (at >= 0) return equities[at];
  if (dice !== null || equities.length < 2) return equities[0];
  const [no, taken] = equities;
  const doubled = taken.equity > 1 ? { equity: 1, stderr: 0 } : taken;
  return doubled.equity > no.equity ? doubled : no;
}

/** The decisions that are best somewhere, the most frequent first. @param {Table} table */
export function bestOnes({ rows }) {
  const counts = new Map();
  for (const { best } of rows.flat()) counts.set(best, (counts.get(best) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([best]) => best);
}

/** A number with its interval. @param {Rolled} rolled */
const within = ({ equity, stderr }) => `${signed(equity)} ± ${stderr === null ? "?" : decimal(WIDE * stderr, 3)}`;

/** The table as it stands. @param {Table} table @param {number} games those that are asked */
export function strengthsPart(table, games) {
  const best = bestOnes(table);
  const word = (/** @type {string} */ name) => (table.decisions.includes(name) ? name : cubeWords(name));
  const letter = (/** @type {string} */ name) => String.fromCharCode(65 + best.indexOf(name));
  const cell = (/** @type {Cell} */ one) => {
    const title = [...table.decisions.map((name, i) => `${name}: ${within(one.equities[i])}`), ...(one.lead ? [t("strengths.lead", { lead: within(one.lead) })] : [])].join("\n");
    const part = el("td", { class: table.decisions.length > 1 ? `strength s${Math.min(best.indexOf(one.best), 8)}` : "strength", title }, table.decisions.length > 1 ? el("b", {}, letter(one.best), isClear(one) ? null : el("span", { class: "soft" }, "?")) : null, " ", signed(bestOf(table, one).equity, 2), el("small", {}, `± ${decimal(WIDE * (bestOf(table, one).stderr ?? 0), 2)}`));
    part.style.setProperty("--sure", isClear(one) ? "1" : "0.35");
    return part;
  };
  const heads = el("tr", {}, el("th", { scope: "col" }, t("strengths.sides")), table.levels.map((level) => el("th", { scope: "col" }, levelHead(level))));
  const rows = table.rows.map((row, i) => el("tr", {}, el("th", { scope: "row" }, levelHead(table.levels[i])), row.map(cell)));
  const legend = table.decisions.length > 1 ? el("ul", { class: "score-legend" }, best.map((name, i) => el("li", {}, el("span", { class: `score-key s${Math.min(i, 8)}` }, letter(name)), " ", word(name)))) : null;
  const isDone = table.games >= games;
  return el("div", {}, el("p", { class: "small" }, t("strengths.how")), el("div", { class: "wide" }, el("table", { class: "strengths" }, el("thead", {}, heads), el("tbody", {}, rows))), legend,
    isDone ? null : el("progress", { max: games, value: table.games, "aria-label": t("strengths.title") }),
    el("p", { class: "small" }, t("strengths.said", { games: table.games, plies: table.plies, seconds: decimal(table.seconds, 0) })));
}
