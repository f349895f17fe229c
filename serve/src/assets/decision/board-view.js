// @ts-check
// A decision on the board: seen by the player who decides, each player with their own colour, with
// the arrows of plays.
import { stepsOf } from "../board/notation.js";
import { flipped, fromPositionId, offOf, pipsOf } from "../board/position.js";
import { hasCube } from "../common/cube-words.js";
import { byId, el } from "../common/dom.js";
import { chipOf, isYou } from "../common/players.js";
import { t } from "../common/words.js";

/** @typedef {import("./decision.js").Decision} Decision */

/**
 * The fields of an XGID that the board shows, seen by the player on roll.
 *
 * @param {string} xgid
 */
export function fieldsOf(xgid) {
  const parts = (xgid.split("=").at(-1) ?? "").split(":");
  const number = (/** @type {number} */ i) => Number(parts[i]) || 0;
  // Scores and the owner of the cube are those of X; the turn -1 says that O is on roll.
  const isO = number(3) === -1;
  const points = isO ? [number(6), number(5)] : [number(5), number(6)];
  return {
    value: 2 ** number(1),
    owner: (isO ? -number(2) : number(2)) || 0,
    points,
    crawford: parts[7] === "1" && number(8) > 0,
    length: number(8),
  };
}

/**
 * Whether a decision answers a double; its position is then that of the other player.
 *
 * @param {Pick<Decision, "decision">} decision
 */
export const isAnswer = (decision) =>
  ["take", "drop", "beaver"].includes(decision.decision.call ?? "");

/**
 * What is on the table: the board of the player who decides, both pip counts and scores.
 *
 * @param {Decision} decision
 */
export function situation(decision) {
  const { value, owner, points, crawford, length } = fieldsOf(decision.xgid);
  const answers = isAnswer(decision);
  const seen = fromPositionId(decision.id);
  const board = answers ? flipped(seen) : seen;
  const [own, other] = answers ? [...points].reverse() : points;
  return {
    board,
    pips: pipsOf(board),
    value,
    owner: answers ? -owner : owner,
    points: [own, other],
    crawford,
    length,
  };
}

/**
 * Whether a player has turned the cube before, so that a double is a redouble.
 *
 * @param {Pick<Decision, "xgid">} decision
 */
export const isRedouble = ({ xgid }) => fieldsOf(xgid).owner !== 0;

/**
 * The points of both players before a game; null where none tells them.
 *
 * @param {any} game Of a match
 */
export function pointsBefore({ decisions: [first] }) {
  if (!first) return null;
  const { points } = fieldsOf(first.xgid);
  return first.player === 0 ? points : [...points].reverse();
}

/**
 * What is asked of a player.
 *
 * @param {Decision} decision
 * @param {string} name
 */
export function titleOf(decision, name) {
  const asked = decision.decision.plays
    ? "play"
    : isAnswer(decision)
      ? "answer"
      : isRedouble(decision)
        ? "redouble"
        : "double";
  return t(`analyse.title.${asked}${isYou(name) ? ".you" : ""}`, {
    name,
    dice: decision.decision.dice ?? "",
  });
}

/**
 * Who sits below: the player who decides, or one side for all decisions.
 *
 * @param {Decision} decision
 * @param {string} below `decider`, `first` or `second`
 */
export const seatBelow = (decision, below) => ({ first: 0, second: 1 })[below] ?? decision.player;

/**
 * The same board with the other player below.
 *
 * @param {any} state
 */
export function turnedAround({ board, off, cube, dice, left, arrows, ...more }) {
  const swap = (/** @type {any} */ side) =>
    ({ you: "nonet", nonet: "you" })[/** @type {string} */ (side)] ?? side;
  const round = (/** @type {[number, number][]} */ steps) =>
    steps.map(([from, to]) => /** @type {[number, number]} */ ([25 - from, 25 - to]));
  return {
    ...more,
    board: flipped(board),
    off: [off[1], off[0]],
    cube: cube && { ...cube, owner: swap(cube.owner), ...(cube.to ? { to: swap(cube.to) } : {}) },
    ...(dice ? { theirDice: dice } : {}),
    ...(arrows
      ? {
          arrows: arrows.map((/** @type {any} */ one) => ({
            ...one,
            steps: round(one.steps),
            own: false,
          })),
        }
      : {}),
  };
}

/**
 * The choices of who sits below.
 *
 * @param {string[]} names
 * @param {string} below The present one
 */
export const seatOptions = (names, below) =>
  ["decider", "first", "second"].map((key, i) =>
    el(
      "option",
      { value: key, selected: key === below },
      i ? t("analyse.below.name", { name: names[i - 1] }) : t("analyse.below.decider"),
    ),
  );

/**
 * Lines about both players, the one above first: who, pips, score.
 *
 * @param {Decision} decision
 * @param {string[]} names
 * @param {string} below
 * @param {number[]} [shown] The board that is drawn, if a play has been made on it
 */
export function sidesOf(decision, names, below, shown) {
  const { board, points, length, crawford } = situation(decision);
  const pips = pipsOf(shown ?? board);
  const line = (/** @type {number} */ seat) => {
    const i = seat === decision.player ? 0 : 1;
    return [
      el("span", { class: "who" }, chipOf(names, seat), names[seat]),
      el(
        "span",
        { class: "soft" },
        [
          t("analyse.pips", { n: pips[i] }),
          length ? t("analyse.away", { points: points[i], away: length - points[i] }) : null,
          length && crawford ? t("analyse.crawford") : null,
        ]
          .filter(Boolean)
          .join(" · "),
      ),
    ];
  };
  const seat = seatBelow(decision, below);
  return [line(1 - seat), line(seat)];
}

/**
 * What the board shows. `chosen` is the play of a row that is looked at; without it the best play
 * and the one that was made.
 *
 * @param {Decision} decision
 * @param {{
 *   chosen?: import("./decision.js").Play | null;
 *   after?: boolean;
 *   undecided?: number;
 *   leads?: string;
 * }} look
 *   `leads` is the play that surely leads in an undecided rollout, if any
 * @returns {any}
 */
export function boardState(
  decision,
  { chosen = null, after = false, undecided = 0, leads = undefined } = {},
) {
  const what = decision.decision;
  const { board, value, owner, length, crawford } = situation(decision);
  const cube = !hasCube({ length, crawford })
    ? null
    : isAnswer(decision)
      ? { value, owner: null, offered: 2 * value, to: "you" }
      : { value, owner: owner > 0 ? "you" : owner < 0 ? "nonet" : null, offered: null };
  if (!what.plays) return { board, off: offOf(board), cube };
  const dice = [Number(what.dice?.[0]), Number(what.dice?.[1])];
  const [best] = what.plays;
  const made = what.plays.find((play) => play.play === what.played) ?? best;
  const shown = chosen ?? (after ? made : null);
  if (after && shown) {
    const result = flipped(fromPositionId(shown.after));
    return { board: result, off: offOf(result), cube, dice, left: [] };
  }
  const arrows = chosen
    ? [
        {
          steps: stepsOf(chosen.play),
          kind: chosen.play === made.play && chosen.play !== best.play ? "played" : "best",
        },
      ]
    : made === best
      ? [{ steps: stepsOf(best.play), kind: "both" }]
      : [
          { steps: stepsOf(made.play), kind: "played" },
          ...(leads || !undecided ? [{ steps: stepsOf(leads ?? best.play), kind: "best" }] : []),
        ];
  return { board, off: offOf(board), cube, dice, arrows };
}

/** Brings the board into view, with the answer below it. */
export function showBoard() {
  const { top, bottom } = byId("board").getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) byId("table").scrollIntoView({ block: "start" });
}
