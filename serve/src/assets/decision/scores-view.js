// @ts-check
// The score matrix as a coloured grid. Pointing at a cell, touching it or moving there with the
// arrow keys says what it holds.
import { cubeWords } from "../common/cube-words.js";
import { el } from "../common/dom.js";
import { decimal, isNothing, signed } from "../common/format.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { lettersOf } from "./decision.js";
import { gridOf, kindOf, lossesIn, relettered } from "./score-matrix.js";
import { said, scoreName } from "./score-words.js";

/** @typedef {import("./score-matrix.js").Matrix} Matrix */
/** @typedef {import("./score-matrix.js").ScoreCell} ScoreCell */
/** @typedef {import("./score-matrix.js").Line} Line */
/** @typedef {import("./score-matrix.js").Said} Said */

/** A decision that is ahead by so much, in points on a cube at 1, has its full colour. */
const CLEAR = 0.08;

/** The kinds in the order of the legend. */
const KINDS = ["no-double", "double-take", "double-pass", "too-good", "none"];

/**
 * How strong the colour of a decision is that is so far ahead, in per cent.
 *
 * @param {number} ahead
 */
const strengthOf = (ahead) => Math.round(62 * (0.3 + 0.7 * Math.min(1, ahead / CLEAR)));

/**
 * The colour of a letter.
 *
 * @param {string} letter
 */
const colourOf = (letter) => `s${Math.min(letter.charCodeAt(0) - 65, 8)}`;

/**
 * The colour of a cell, and how strong it is.
 *
 * @param {Said} cell
 */
function colour({ play, cube }) {
  const name = play ? colourOf(play.letter) : cube ? `cube-${kindOf(cube)}` : "";
  const ahead = play ? play.ahead : cube ? cube.ahead : null;
  return { name, sure: strengthOf(ahead ?? CLEAR) };
}

/**
 * The plays with their letters, or the actions with their short names.
 *
 * @param {Matrix} matrix
 * @param {(play: any) => void} look
 * @param {boolean} isOfMatch Whether the play that is asked about was made
 */
function legend(matrix, look, isOfMatch) {
  const line = (
    /** @type {string} */ name,
    /** @type {string} */ short,
    /** @type {any[]} */ ...words
  ) => el("li", {}, el("span", { class: `score-key ${name}` }, short), " ", words);
  if (matrix.asked === null) {
    const there = new Set(matrix.cells.map(({ cube }) => (cube ? kindOf(cube) : "")));
    return el(
      "ul",
      { class: "score-legend short" },
      KINDS.filter((kind) => there.has(kind)).map((kind) =>
        line(`cube-${kind}`, t(`scores.short.${kind}`), t(`scores.kind.${kind}`)),
      ),
    );
  }
  const plays = matrix.plays.map(({ letter, play, id, cells }) => {
    const name = el(
      "b",
      { onmouseenter: () => look({ play, after: id }), onmouseleave: () => look(null) },
      play,
    );
    const isAsked =
      letter === matrix.asked && letter !== matrix.cells.find(({ given }) => given)?.play?.letter;
    const tags = [
      isAsked ? (isOfMatch ? "analyse.played" : "scores.asked") : "",
      letter === matrix.above ? "scores.above" : "",
    ].filter(Boolean);
    return line(
      colourOf(letter),
      letter,
      name,
      " ",
      ...tags.flatMap((tag) => [el("span", { class: "tag" }, t(tag)), " "]),
      el("span", { class: "soft" }, t("scores.times", { n: cells, all: matrix.cells.length })),
    );
  });
  const letters = plays.length > 1 ? el("li", { class: "soft" }, t("scores.letters")) : null;
  return el("ul", { class: "score-legend" }, plays, letters);
}

/** What the strength of a colour says: from a decision that is close to one that is clear. */
function strength() {
  const steps = [0, 0.5, 1].map((share) => {
    const step = el("span", { class: "score-key" });
    step.style.setProperty("--sure", `${strengthOf(share * CLEAR)}%`);
    return step;
  });
  return el(
    "p",
    { class: "small score-strength" },
    t("scores.close"),
    el("span", { "aria-hidden": "true" }, steps),
    t("scores.clear", { ahead: decimal(CLEAR, 2) }),
  );
}

/**
 * The cube in other places.
 *
 * @param {Matrix} matrix
 */
function places(matrix) {
  if (matrix.cubes.length < 2) return null;
  const nameOf = (/** @type {string} */ letter) =>
    matrix.plays.find((one) => one.letter === letter)?.play ?? "";
  // The plays that are compared and lose somewhere have columns of their own.
  const losers = [0, 1].filter((i) =>
    matrix.cubes.some(({ play }) => play && !isNothing(lossesIn(matrix, play)[i]?.loss ?? 0)),
  );
  const rows = matrix.cubes.map(({ owner, value, given, play, cube }) => {
    const where = `${t(`scores.cube.${owner}`, { value })}${given ? ` ${t("scores.here")}` : ""}`;
    if (play)
      return [
        where,
        nameOf(play.letter),
        signed(play.equity),
        ...losers.map((i) => signed(play.equity - lossesIn(matrix, play)[i].loss)),
      ];
    return [
      where,
      cube ? cubeWords(cube.words) : "",
      signed(cube?.no_double ?? 0),
      signed(Math.min(cube?.double_take ?? 0, 1)),
    ];
  });
  const heads =
    matrix.asked === null
      ? [t("scores.cubeAt"), t("table.action"), t("cube.double.no"), t("scores.doubled")]
      : [
          t("scores.cubeAt"),
          t("scores.bestPlay"),
          t("table.equity"),
          ...losers.map((i) => nameOf([matrix.asked, matrix.above ?? ""][i] ?? "")),
        ];
  return table(t("scores.cubes"), heads, rows);
}

/**
 * Moves the focus to the next cell of an arrow key.
 *
 * @param {HTMLElement} grid
 * @param {KeyboardEvent} event
 */
function move(grid, event) {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[
    event.key
  ];
  const from = /** @type {HTMLElement} */ (event.target).closest("button");
  if (!step || !from) return;
  event.preventDefault();
  event.stopPropagation();
  let [row, column] = [Number(from.dataset.row), Number(from.dataset.column)];
  for (let i = 0; i < 20; i += 1) {
    [row, column] = [row + step[0], column + step[1]];
    const next = /** @type {HTMLElement | null} */ (
      grid.querySelector(`[data-row="${row}"][data-column="${column}"]`)
    );
    if (next) return void next.focus();
  }
}

/**
 * The title of a matrix with its depth.
 *
 * @param {number} plies
 */
export const scoresTitle = (plies) => [
  t("scores.title"),
  " ",
  el("span", { class: "tag" }, term(t("common.ply", { n: plies }), "ply")),
];

/**
 * The matrix as a grid with its legend, and a line that says the cell that is looked at.
 *
 * @param {Matrix} answer
 * @param {(play: { play: string; after: string } | null) => void} look Shows the best play of a
 *   cell
 * @param {import("./decision.js").Letters} letters Of the decision
 * @param {boolean} isOfMatch Whether the play that is asked about was made
 */
export function scoresPart(answer, look = () => {}, letters = lettersOf(), isOfMatch = false) {
  const matrix = relettered(answer, letters);
  const { lines, rows, apart } = gridOf(matrix);
  const given = matrix.cells.find((cell) => cell.given);
  const line = el("p", { class: "score-said", "aria-live": "polite" });
  /** @type {ScoreCell | undefined} */
  let shown;
  const tell = (/** @type {ScoreCell | undefined} */ cell) => {
    shown = cell;
    line.textContent = cell ? said(matrix, cell, scoreName(cell)) : "";
    const play = matrix.plays.find(({ letter }) => letter === cell?.play?.letter);
    look(play && cell !== given ? { play: play.play, after: play.id } : null);
  };
  // Only a mouse that moves points at a cell: the matrix may open below one that rests.
  const point = (/** @type {ScoreCell | undefined} */ cell) => {
    if (cell !== shown) tell(cell);
  };
  const button = (
    /** @type {ScoreCell} */ cell,
    /** @type {number} */ row,
    /** @type {number} */ column,
  ) => {
    const { name, sure } = colour(cell);
    const short = cell.play
      ? cell.play.letter
      : cell.cube
        ? t(`scores.short.${kindOf(cell.cube)}`)
        : "";
    const made = el(
      "button",
      {
        type: "button",
        class: `score ${name}${cell.given ? " given" : ""}`,
        "data-row": row,
        "data-column": column,
        tabindex: cell.given ? "0" : "-1",
        "aria-label": said(matrix, cell, scoreName(cell)),
        onmousemove: () => point(cell),
        onfocus: () => tell(cell),
        onclick: () => tell(cell),
      },
      short,
    );
    made.style.setProperty("--sure", `${sure}%`);
    return made;
  };
  const lineName = (/** @type {Line} */ { away, crawford }) => `${away}${crawford ? "C" : ""}`;
  const head = el(
    "tr",
    {},
    el("td", {}),
    lines.map((column) => el("th", { scope: "col" }, lineName(column))),
  );
  const body = rows.map(({ line: row, cells }, i) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, lineName(row)),
      cells.map((cell, j) => el("td", {}, cell ? button(cell, i, j) : null)),
    ),
  );
  const grid = el(
    "table",
    {
      class: "scores",
      onmouseleave: () => point(given),
      onkeydown: (/** @type {KeyboardEvent} */ event) => move(grid, event),
    },
    el("caption", { class: "unseen" }, t("scores.title")),
    el("thead", {}, head),
    el("tbody", {}, body),
  );
  // Without a score of the question in the grid the first cell has the focus.
  if (!grid.querySelector("[tabindex='0']"))
    grid.querySelector("button")?.setAttribute("tabindex", "0");
  // What the line above says at first is not said twice.
  const outside = apart.map((cell) =>
    el(
      "li",
      {},
      el(
        "span",
        { class: `score-key ${colour(cell).name}${cell.given ? " given" : ""}` },
        cell.play ? cell.play.letter : cell.cube ? t(`scores.short.${kindOf(cell.cube)}`) : "",
      ),
      " ",
      cell.given ? scoreName(cell) : said(matrix, cell, scoreName(cell)),
    ),
  );
  tell(given);
  return el(
    "section",
    { class: "score-part" },
    el(
      "div",
      { class: "score-grid" },
      el(
        "p",
        { class: "small" },
        t("scores.how"),
        lines.some(({ crawford }) => crawford)
          ? [" ", term(t("scores.crawfordKey"), "crawford")]
          : null,
      ),
      el("div", { class: "score-scroll" }, grid),
    ),
    legend(matrix, look, isOfMatch),
    strength(),
    line,
    outside.length ? el("ul", { class: "score-legend" }, outside) : null,
    places(matrix),
    matrix.late ? el("p", { class: "small" }, t("scores.late")) : null,
  );
}
