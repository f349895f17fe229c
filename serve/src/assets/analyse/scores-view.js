// @ts-check
// The score matrix: one decision at many scores as a coloured grid. Pointing at a cell, touching it
// or moving there with the arrow keys says what it holds.
import { cubeWords } from "../common/cube-words.js";
import { el } from "../common/dom.js";
import { decimal, isNothing, signed } from "../common/format.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { lettersOf } from "./decisions.js";
import { kindOfWords } from "./strengths.js";

/**
 * @typedef {{
 *   letter: string;
 *   equity: number;
 *   ahead: number | null;
 *   loss: number;
 *   lossOfBest?: number;
 * }} PlayInCell
 */
/**
 * @typedef {{
 *   action: string;
 *   answer: string;
 *   words: string;
 *   no_double: number;
 *   double_take: number;
 *   ahead: number | null;
 *   answer_ahead: number | null;
 * }} CubeInCell
 */
/** @typedef {{ play: PlayInCell | null; cube: CubeInCell | null; given: boolean }} Said */
/**
 * @typedef {Said & {
 *   score: string;
 *   own_away: number | null;
 *   opponent_away: number | null;
 *   name: string | null;
 * }} ScoreCell
 */
/** @typedef {Said & { owner: string; value: number }} CubeCell */
/**
 * @typedef {{
 *   plays: { letter: string; play: string; id: string; cells: number }[];
 *   asked: string | null;
 *   above?: string;
 *   away: number;
 *   plies: number;
 *   complete: boolean;
 *   cells: ScoreCell[];
 *   cubes: CubeCell[];
 *   late?: boolean;
 * }} Matrix
 */
/** @typedef {{ away: number; crawford: boolean }} Line */

/** A decision that is ahead by so much, in points on a cube at 1, has its full colour. */
const CLEAR = 0.08;

/**
 * The cells in rows by the points that the player needs, in columns by those of the opponent; the
 * Crawford game comes first. `null` is a score that cannot be, or is missing. Scores outside of the
 * grid are `apart`.
 *
 * @param {Matrix} matrix
 */
export function gridOf({ cells, away }) {
  const hasCrawford = cells.some(({ score }) => score === "crawford");
  /** @type {Line[]} */
  const lines = [
    ...(hasCrawford ? [{ away: 1, crawford: true }] : []),
    ...Array.from({ length: away }, (_, i) => ({ away: i + 1, crawford: false })),
  ];
  const at = (/** @type {Line} */ row, /** @type {Line} */ column) => {
    // The Crawford game has one side that needs a point, and it is one game for both.
    const crawford = row.crawford || column.crawford;
    if (crawford && (row.away === 1) === (column.away === 1)) return null;
    return (
      cells.find(
        (cell) =>
          cell.own_away === row.away &&
          cell.opponent_away === column.away &&
          (cell.score === "crawford") === crawford,
      ) ?? null
    );
  };
  const apart = cells.filter(
    ({ own_away: own, opponent_away: other }) =>
      own === null || other === null || Math.max(own, other) > away,
  );
  return {
    lines,
    rows: lines.map((line) => ({ line, cells: lines.map((column) => at(line, column)) })),
    apart,
  };
}

/**
 * What kind of cube decision it is; its colour and its short name follow.
 *
 * @param {CubeInCell} cube
 */
export function kindOf({ action, answer }) {
  if (action === "double") return answer === "pass" ? "double-pass" : "double-take";
  return { "no-double": "no-double", "too-good": "too-good" }[action] ?? "none";
}

/** The kinds in the order of the legend. */
const KINDS = ["no-double", "double-take", "double-pass", "too-good", "none"];

/**
 * A score in words.
 *
 * @param {ScoreCell} cell
 */
export function scoreName({ score, own_away: own, opponent_away: other, name }) {
  if (score === "money") return t("scores.money");
  const away = t("position.away", { own: own ?? 0, other: other ?? 0 });
  const kind = score === "match" ? "" : `, ${t(`scores.${score}`)}`;
  return `${away}${kind}${name ? ` (${t(`scores.${name}`)})` : ""}`;
}

/**
 * A matrix that tells the loss of a second play, too: the best one of the answer above, which may
 * be best in no cell. Each cell keeps the best of both searches.
 *
 * @param {Matrix} matrix
 * @param {Matrix} other The same question about that play
 * @param {string} best That play
 * @returns {Matrix}
 */
export function withBest(matrix, other, best) {
  const nameOf = (/** @type {Matrix} */ { plays }, /** @type {string} */ letter) =>
    plays.find((one) => one.letter === letter)?.play;
  const added = other.plays.filter(({ play }) => !matrix.plays.some((one) => one.play === play));
  const plays = [...matrix.plays, ...added].map((one, at) => ({
    ...one,
    letter: String.fromCharCode(65 + at),
  }));
  const letterOf = (/** @type {string | undefined} */ play) =>
    plays.find((one) => one.play === play)?.letter ?? "";
  /**
   * @template {Said} S
   * @param {S} cell
   * @param {Said | undefined} twin
   * @returns {S}
   */
  const joined = (cell, twin) => {
    const [own, theirs] = [cell.play, twin?.play];
    if (!own || !theirs) return cell;
    const [first, second] = own.equity >= theirs.equity ? [own, theirs] : [theirs, own];
    const { equity } = first;
    const [ownName, theirName] = [nameOf(matrix, own.letter), nameOf(other, theirs.letter)];
    // Each of the two searches knows a second best one.
    const behind = ownName === theirName ? second.ahead : equity - second.equity;
    const ahead =
      first.ahead === null || behind === null
        ? (first.ahead ?? behind)
        : Math.min(first.ahead, behind);
    const letter = letterOf(first === own ? ownName : theirName);
    return {
      ...cell,
      play: {
        letter,
        equity,
        ahead,
        loss: equity - own.equity + own.loss,
        lossOfBest: equity - theirs.equity + theirs.loss,
      },
    };
  };
  const isSame = (/** @type {ScoreCell} */ one) => (/** @type {ScoreCell} */ two) =>
    one.score === two.score &&
    one.own_away === two.own_away &&
    one.opponent_away === two.opponent_away;
  const cells = matrix.cells.map((cell) => joined(cell, other.cells.find(isSame(cell))));
  const cubes = matrix.cubes.map((cell) =>
    joined(
      cell,
      other.cubes.find(({ owner, value }) => owner === cell.owner && value === cell.value),
    ),
  );
  const counted = plays.map((one) => ({
    ...one,
    cells: cells.filter(({ play }) => play?.letter === one.letter).length,
  }));
  return {
    ...matrix,
    plays: counted,
    cells,
    cubes,
    asked: letterOf(nameOf(matrix, matrix.asked ?? "")),
    above: letterOf(best),
  };
}

/**
 * The plays that a matrix compares, with their losses in a cell.
 *
 * @param {Matrix} matrix
 * @param {PlayInCell} play
 * @returns {{ letter: string | null; loss: number }[]}
 */
const lossesIn = ({ asked, above }, { loss, lossOfBest = 0 }) => [
  { letter: asked, loss },
  ...(above ? [{ letter: above, loss: lossOfBest }] : []),
];

/**
 * What a cell says.
 *
 * @param {Matrix} matrix
 * @param {Said} cell
 * @param {string} where
 */
export function said(matrix, { play, cube }, where) {
  const nameOf = (/** @type {string | null} */ letter) =>
    matrix.plays.find((one) => one.letter === letter)?.play ?? "";
  if (play) {
    const ahead =
      play.ahead === null
        ? ""
        : ` ${isNothing(play.ahead) ? t("scores.equal") : t("scores.ahead", { ahead: decimal(play.ahead, 3) })}`;
    const loss = lossesIn(matrix, play)
      .map((one) =>
        isNothing(one.loss)
          ? ""
          : ` ${t("scores.loss", { play: nameOf(one.letter), loss: decimal(one.loss, 3) })}`,
      )
      .join("");
    return `${where}: ${t("scores.best", { play: nameOf(play.letter), equity: signed(play.equity) })}${ahead}${loss}`;
  }
  if (!cube) return where;
  if (cube.ahead === null) return `${where}: ${cubeWords(cube.words)}.`;
  const doubled = Math.min(cube.double_take, 1);
  const [loss, answer] = [cube.no_double - doubled, cube.double_take - 1].map(Math.abs);
  return `${where}: ${cubeWords(cube.words)}. ${t("scores.equities", { no: signed(cube.no_double), double: signed(doubled) })} ${t("scores.wrong", { loss: decimal(loss, 3), answer: decimal(answer, 3) })}`;
}

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
 * The matrix with the letters that the plays of its decision have elsewhere, in their order.
 *
 * @param {Matrix} matrix
 * @param {import("./decisions.js").Letters} letters
 * @returns {Matrix}
 */
export function relettered(matrix, letters) {
  const to = new Map(matrix.plays.map(({ letter, play }) => [letter, letters(play).letter]));
  const named = (/** @type {string} */ letter) => to.get(letter) ?? letter;
  /**
   * @template {Said} S
   * @param {S} cell
   * @returns {S}
   */
  const ofCell = (cell) =>
    cell.play ? { ...cell, play: { ...cell.play, letter: named(cell.play.letter) } } : cell;
  const plays = matrix.plays
    .map((one) => ({ ...one, letter: named(one.letter) }))
    .sort((a, b) => (a.letter < b.letter ? -1 : 1));
  return {
    ...matrix,
    plays,
    asked: matrix.asked === null ? null : named(matrix.asked),
    above: matrix.above && named(matrix.above),
    cells: matrix.cells.map(ofCell),
    cubes: matrix.cubes.map(ofCell),
  };
}

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
 * The verdict above a matrix: its best play or its words about the cube, and their equity. @typedef
 * {{ plies: number | null, equity: number | null, play?: string, cube?: string }} Above `plies` is
 * null of a rollout
 */

/**
 * What a matrix and the verdict above it say of the same score where they name different decisions;
 * null where they agree.
 *
 * @param {Matrix} matrix
 * @param {Above} above
 * @returns {[string, Record<string, string | number>] | null} A key of words, and what is filled in
 */
export function contradiction({ cells, plays, plies: n, asked, above }, { plies, play, cube }) {
  const cell = cells.find(({ given }) => given);
  const depth = plies === null ? t("scores.rollout") : t("common.ply", { n: plies });
  if (cell?.play && play) {
    const nameOf = (/** @type {string | null | undefined} */ letter) =>
      plays.find((one) => one.letter === letter)?.play;
    const other = nameOf(cell.play.letter) ?? "";
    if (other === play) return null;
    const loss =
      play === nameOf(above)
        ? cell.play.lossOfBest
        : play === nameOf(asked)
          ? cell.play.loss
          : null;
    return [
      "scores.other.play",
      { n, other, loss: decimal(loss ?? cell.play.ahead ?? 0, 3), best: play, depth },
    ];
  }
  if (!cell?.cube || !cube || cell.cube.ahead === null || kindOf(cell.cube) === kindOfWords(cube))
    return null;
  return [
    "scores.other.cube",
    { n, other: cubeWords(cell.cube.words), best: cubeWords(cube), depth },
  ];
}

/**
 * What says that the verdict above a matrix counts: where it is another one at its score, or where
 * it is deeper and its figures differ.
 *
 * @param {Matrix} matrix
 * @param {Above} above
 */
export function deeperNote(matrix, above) {
  const other = contradiction(matrix, above);
  if (other) return el("p", { class: "differs warns" }, t(...other));
  const { plies, equity } = above;
  const { cells, plies: own } = matrix;
  const cell = cells.find(({ given }) => given);
  const shown = cell?.play?.equity ?? cell?.cube?.no_double ?? null;
  const isDeeper = plies === null || plies > own;
  return isDeeper && shown !== null && equity !== null && signed(shown) !== signed(equity)
    ? el("p", { class: "differs" }, t("scores.differs"))
    : null;
}

/**
 * The matrix as a grid with its legend, and a line that says the cell that is looked at.
 *
 * @param {Matrix} answer
 * @param {(play: { play: string; after: string } | null) => void} look Shows the best play of a
 *   cell
 * @param {import("./decisions.js").Letters} letters Of the decision
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
