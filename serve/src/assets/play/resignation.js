// @ts-check
// What a resignation can give up, and what it has given up.

/** @typedef {"single" | "gammon" | "backgammon"} Stake */

/**
 * The kinds of resignation that differ. A kind is left out if the opponent cannot win it any more,
 * or if it wins no more than a smaller kind.
 *
 * @param {Pick<import("./views.js").MatchView, "board" | "off" | "rules" | "cube" | "score">} view
 * @returns {Stake[]}
 */
export function stakesOf({ board, off, rules, cube, score }) {
  /** @type {Stake[]} */
  const stakes = ["single"];
  // A player who has borne a checker off loses no gammon. With Jacoby no player loses a gammon
  // before a double.
  if (off[0] > 0 || (rules.jacoby && cube.owner === null && cube.value === 1)) return stakes;
  const needed = rules.length === null ? Infinity : rules.length - score[1];
  if (needed > cube.value) stakes.push("gammon");
  if (needed > 2 * cube.value && canLoseBackgammon(board)) stakes.push("backgammon");
  return stakes;
}

/**
 * Whether a single game, given up, loses the match.
 *
 * @param {Pick<import("./views.js").MatchView, "rules" | "cube" | "score">} view
 */
export const endsMatch = ({ rules, cube, score }) =>
  rules.length !== null && rules.length - score[1] <= cube.value;

/**
 * Whether a checker is in the opponent's home board or on the bar, or can still be hit.
 *
 * @param {readonly number[]} board
 */
function canLoseBackgammon(board) {
  const last = board.findLastIndex((n) => n > 0);
  const theirs = board.findIndex((n) => n < 0);
  return last >= 19 || theirs < last;
}

/** The winning chances from which a resignation is a mistake worth a line. */
export const WORTH = 0.02;

/**
 * The games that the person gave up with chances to win them.
 *
 * @param {{
 *   rows: Pick<import("./views.js").CourseRow, "game" | "win">[];
 *   calls: Pick<import("./views.js").CourseCall, "game" | "player" | "what" | "plays">[];
 * }} course
 * @returns {{ game: number; win: number }[]}
 */
export function givenUp({ rows, calls }) {
  const own = calls.filter(({ player, what }) => player === "you" && what === "resigns");
  return own.flatMap(({ game, plays }) => {
    const last = rows[plays - 1];
    return last?.game === game && last.win >= WORTH ? [{ game, win: last.win }] : [];
  });
}
