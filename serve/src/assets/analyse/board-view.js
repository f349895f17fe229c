// @ts-check
// A decision on the board: seen by the player who decides, each player with their own colour, with
// the arrows of plays.
import { stepsOf } from "../board/notation.js";
import { flipped, fromPositionId, offOf, pipsOf } from "../board/position.js";

/** @typedef {import("./decisions.js").Decision} Decision */

/** The fields of an XGID that the board shows, seen by the player on roll. @param {string} xgid */
export function fieldsOf(xgid) {
  const parts = (xgid.split("=").at(-1) ?? "").split(":");
  const number = (/** @type {number} */ i) => Number(parts[i]) || 0;
  // Scores and the owner of the cube are those of X; the turn -1 says that O is on roll.
  const isO = number(3) === -1;
  const points = isO ? [number(6), number(5)] : [number(5), number(6)];
  return { value: 2 ** number(1), owner: (isO ? -number(2) : number(2)) || 0, points, crawford: parts[7] === "1" && number(8) > 0, length: number(8) };
}

/**
 * Whether a decision answers a double; its position is then that of the other player.
 * @param {Decision} decision
 */
export const isAnswer = (decision) => ["take", "drop", "beaver"].includes(decision.decision.call ?? "");

/**
 * What is on the table: the board of the player who decides, both pip counts and scores.
 * @param {Decision} decision
 */
export function situation(decision) {
  const { value, owner, points, crawford, length } = fieldsOf(decision.xgid);
  const answers = isAnswer(decision);
  const seen = fromPositionId(decision.id);
  const board = answers ? flipped(seen) : seen;
  const [own, other] = answers ? [...points].reverse() : points;
  return { board, pips: pipsOf(board), value, owner: answers ? -owner : owner, points: [own, other], crawford, length };
}

/**
 * What the board shows. `chosen` is the play of a row that is looked at; without it the best play
 * and the one that was made.
 * @param {Decision} decision
 * @param {{ chosen?: import("./decisions.js").Play | null, after?: boolean }} look
 * @returns {any}
 */
export function boardState(decision, { chosen = null, after = false } = {}) {
  const what = decision.decision;
  const { board, value, owner } = situation(decision);
  const cube = isAnswer(decision) ? { value, owner: null, offered: 2 * value, to: "you" }
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
  const arrows = chosen ? [{ steps: stepsOf(chosen.play), kind: chosen.play === made.play && chosen.play !== best.play ? "played" : "best" }]
    : made === best ? [{ steps: stepsOf(best.play), kind: "both" }]
      : [{ steps: stepsOf(made.play), kind: "played" }, { steps: stepsOf(best.play), kind: "best" }];
  return { board, off: offOf(board), cube, dice, arrows };
}
