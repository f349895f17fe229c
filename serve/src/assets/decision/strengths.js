// @ts-check
// One decision by how well both sides play afterwards, as a table.
import { cubeWords } from "../common/cube-words.js";
import { el } from "../common/dom.js";
import { decimal, signed } from "../common/format.js";
import { t } from "../common/words.js";
import { lettersOf } from "./decision.js";
import { WIDE } from "./verdicts.js";

/** @typedef {{ equity: number; stderr: number | null }} Rolled */
/** @typedef {{ best: string; equities: Rolled[]; lead: Rolled | null }} Cell */
/**
 * @typedef {{
 *   levels: { name: string; pr: number | null }[];
 *   decisions: string[];
 *   rows: Cell[][];
 *   games: number;
 *   plies: number;
 *   seconds: number;
 *   dice: string | null;
 * }} Table
 */

/** Games of each pair, the default of the API. */
export const GAMES = 144;

/**
 * The name of a level in a head.
 *
 * @param {{ name: string; pr: number | null }} level
 */
export const levelHead = ({ name, pr }) =>
  pr === null || pr === undefined ? t(`level.${name}`) : t("strengths.pr", { pr: decimal(pr, 0) });

/** Games of each decision below which an interval says little. */
const FEW = 36;

/**
 * Whether the best decision of a cell is ahead of each other one by more than the interval. The
 * lead is that over the second best; a worse one with a wide interval may still be better.
 *
 * @param {Table} table
 * @param {Cell} cell
 */
export function isClear({ decisions, dice, games }, { best, equities, lead }) {
  if (lead === null) return true;
  if (games < FEW || Math.abs(lead.equity) <= WIDE * (lead.stderr ?? Infinity)) return false;
  if (dice === null) return true;
  const at = decisions.indexOf(best);
  const second = Math.max(...equities.filter((_, i) => i !== at).map(({ equity }) => equity));
  return equities.every(
    (one, i) =>
      i === at ||
      one.equity === second ||
      equities[at].equity - one.equity >
        WIDE * Math.hypot(one.stderr ?? Infinity, equities[at].stderr ?? Infinity),
  );
}

/**
 * The equity of the best decision: a double is worth at most what a pass gives.
 *
 * @param {Table} table
 * @param {Cell} cell
 */
export function bestOf({ decisions, dice }, { best, equities }) {
  const at = decisions.indexOf(best);
  if (at >= 0) return equities[at];
  if (dice !== null || equities.length < 2) return equities[0];
  const [no, taken] = equities;
  const doubled = taken.equity > 1 ? { equity: 1, stderr: 0 } : taken;
  return doubled.equity > no.equity ? doubled : no;
}

/**
 * The decisions that are best somewhere.
 *
 * @param {Table} table
 */
export const bestOnes = ({ rows }) => [...new Set(rows.flat().map(({ best }) => best))];

/**
 * What kind of cube decision the words of the server are, as score matrices have them.
 *
 * @param {string} words
 */
export const kindOfWords = (words) =>
  /^no /i.test(words)
    ? "no-double"
    : /^too good/i.test(words)
      ? "too-good"
      : /pass$/i.test(words)
        ? "double-pass"
        : "double-take";

/**
 * A number with its interval.
 *
 * @param {Rolled} rolled
 */
const within = ({ equity, stderr }) =>
  `${signed(equity)}\u00a0±\u00a0${stderr === null ? "?" : decimal(WIDE * stderr, 3)}`;

/**
 * What a cell says: both sides, each decision with its equity, and the lead of the best one. For
 * the cube the server sends what a double gains, below 0 where not doubling leads.
 *
 * @param {Table} table
 * @param {number} row
 * @param {number} column
 */
export function saidOf({ levels, decisions, rows }, row, column) {
  const { equities, lead } = rows[row][column];
  const each = decisions.map((name, i) => `${name} ${within(equities[i])}`).join(", ");
  return `${t("strengths.pair", { own: levelHead(levels[row]), other: levelHead(levels[column]) })}: ${each}${lead ? `; ${t("strengths.lead", { lead: within({ ...lead, equity: Math.abs(lead.equity) }) })}` : ""}`;
}

/**
 * The table as it stands. A cell that is looked at says all that it holds.
 *
 * @param {Table} table
 * @param {number} games Those that are asked
 * @param {import("./decision.js").Letters} letters Of the decision
 */
export function strengthsPart(table, games, letters = lettersOf()) {
  const isChoice = table.decisions.length > 1;
  const isPlay = (/** @type {string} */ name) => table.decisions.includes(name);
  // A cube decision has the short names of a score matrix.
  const letter = (/** @type {string} */ name) =>
    isPlay(name) ? letters(name).letter : t(`scores.short.${kindOfWords(name)}`);
  const colour = (/** @type {string} */ name) =>
    isPlay(name) ? `s${Math.min(letters(name).at, 8)}` : `cube-${kindOfWords(name)}`;
  const word = (/** @type {string} */ name) => (isPlay(name) ? name : cubeWords(name));
  const best = bestOnes(table).sort((a, b) => (letter(a) < letter(b) ? -1 : 1));
  const line = el("p", { class: "score-said", "aria-live": "polite" }, saidOf(table, 0, 0));
  const cell = (
    /** @type {Cell} */ one,
    /** @type {number} */ row,
    /** @type {number} */ column,
  ) => {
    const { equity, stderr } = bestOf(table, one);
    const tell = () => {
      line.textContent = saidOf(table, row, column);
    };
    const part = el(
      "td",
      {
        class: isChoice ? `strength ${colour(one.best)}` : "strength",
        tabindex: "0",
        title: saidOf(table, row, column),
        onmouseenter: tell,
        onfocus: tell,
        onclick: tell,
      },
      isChoice && table.games >= FEW
        ? el(
            "b",
            {},
            letter(one.best),
            isClear(table, one) ? null : el("span", { class: "soft" }, "?"),
          )
        : null,
      " ",
      signed(equity, 2),
      el("small", {}, `± ${decimal(WIDE * (stderr ?? 0), 2)}`),
    );
    part.style.setProperty("--sure", isClear(table, one) ? "1" : "0.35");
    return part;
  };
  const heads = el(
    "tr",
    {},
    el("th", { scope: "col" }, t("strengths.sides")),
    table.levels.map((level) => el("th", { scope: "col" }, levelHead(level))),
  );
  const rows = table.rows.map((row, i) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, levelHead(table.levels[i])),
      row.map((one, j) => cell(one, i, j)),
    ),
  );
  const legend = isChoice
    ? el(
        "ul",
        { class: "score-legend" },
        best.map((name) =>
          el(
            "li",
            {},
            el("span", { class: `score-key ${colour(name)}` }, letter(name)),
            " ",
            word(name),
          ),
        ),
      )
    : null;
  const isDone = table.games >= games;
  const isOpen = isDone && isChoice && !table.rows.flat().some((one) => isClear(table, one));
  const said = isDone
    ? t("strengths.said", {
        games: table.games,
        plies: table.plies,
        seconds: decimal(table.seconds, 0),
      })
    : t("strengths.running", {
        games: table.games,
        all: games,
        plies: table.plies,
        seconds: decimal(table.seconds, 0),
      });
  return el(
    "div",
    {},
    el(
      "p",
      { class: "small" },
      isChoice ? t("strengths.how", { few: FEW }) : t("strengths.how.one"),
    ),
    el(
      "div",
      { class: "strengths-place" },
      el("table", { class: "strengths" }, el("thead", {}, heads), el("tbody", {}, rows)),
    ),
    legend,
    line,
    isOpen ? el("p", {}, t("strengths.open")) : null,
    isDone
      ? null
      : el("progress", { max: games, value: table.games, "aria-label": t("strengths.title") }),
    el("p", { class: "small" }, said),
  );
}
