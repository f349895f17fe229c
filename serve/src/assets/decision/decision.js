// @ts-check
// One decision of an analysed match: what the server tells of it, the letters of its plays, its
// mark, its cost and its luck. Nothing here draws.
import { hasBeavers } from "../position/xgid.js";

/**
 * @typedef {{
 *   play: string;
 *   after: string;
 *   equity: number;
 *   plies: number;
 *   outcomes: Record<string, number>;
 *   steps?: [number, number][];
 *   match_winning_chance?: number | null;
 * }} Play
 *
 * @typedef {{
 *   dice?: string;
 *   played?: string;
 *   legal?: number;
 *   luck?: number;
 *   plays?: Play[];
 *   call?: string;
 *   right?: string;
 *   no_double?: number;
 *   double_take?: number;
 *   double_pass?: number;
 *   outcomes?: Record<string, number>;
 * }} What
 *
 * @typedef {{
 *   player: number;
 *   roll: number;
 *   id: string;
 *   xgid: string;
 *   class: string;
 *   kind: string;
 *   loss: number;
 *   cost: number;
 *   mark: string;
 *   counts: boolean;
 *   mwc_after: number | null;
 *   decision: What;
 *   unit?: number;
 *   even?: number;
 * }} Decision
 *
 * @typedef {{
 *   game: number;
 *   index: number;
 *   at: number;
 *   decision: Decision;
 *   undecided?: number;
 * }} Entry
 */

/**
 * What people do with the cube wrongly, by what they did.
 *
 * @type {Record<string, string>}
 */
const CUBE_MISTAKES = {
  "no double": "missedDouble",
  double: "wrongDouble",
  take: "wrongTake",
  beaver: "wrongTake",
  drop: "wrongPass",
};

/**
 * A decision with the mark of its loss as it is shown.
 *
 * @template {Decision} D
 * @param {D} decision
 * @returns {D}
 */
export const asShown = (decision) =>
  decision.counts === false ? decision : { ...decision, mark: markOf(decision.loss) };

/**
 * The letters of the plays of a decision, the same wherever they are named: A is the first play of
 * its table, and what the table lacks takes the next letter.
 *
 * @param {string[]} plays Of the table
 */
export function lettersOf(plays = []) {
  const named = [...plays];
  return (/** @type {string} */ play) => {
    if (!named.includes(play)) named.push(play);
    const at = named.indexOf(play);
    return { at, letter: String.fromCharCode(65 + at) };
  };
}

/** @typedef {ReturnType<typeof lettersOf>} Letters */

/** From which loss a decision is doubtful, bad, very bad. */
export const MARKS = /** @type {[number, string][]} */ ([
  [0.16, "??"],
  [0.08, "?"],
  [0.04, "?!"],
]);

/**
 * The mark of a loss as it is shown, with three digits.
 *
 * @param {number} loss
 */
export const markOf = (loss) =>
  MARKS.find(([least]) => Math.round(1000 * loss) >= Math.round(1000 * least))?.[1] ?? "";

/**
 * Whether the match has one point: a share of the match says it all there.
 *
 * @param {{ xgid?: string }} decision
 */
export const isToOne = ({ xgid }) => xgid?.split(":")[8] === "1";

/**
 * The share of the match that a decision costs; null where none is played.
 *
 * @param {Pick<Decision, "mwc_after" | "cost">} decision
 */
export const shareOf = ({ mwc_after: after, cost }) => (after === null ? null : cost);

/**
 * How heavy a loss weighs where the worst stands first. In a match, its share of the match counts;
 * in money games, its points.
 *
 * @param {{ loss: number; match_loss?: number | null }} judged
 */
export const weightOf = ({ loss, match_loss: share }) => share ?? loss;

/**
 * The same of a decision.
 *
 * @param {Decision} decision
 */
export const weightIn = (decision) =>
  weightOf({ loss: decision.loss, match_loss: shareOf(decision) });

/** From which loss a decision is worth a look, in points on a cube at 1. */
export const WORTH = 0.02;

/**
 * How bad a decision is: 0 fine, 1 doubtful, 2 bad, 3 very bad.
 *
 * @param {Decision} decision
 */
export const severity = (decision) => ["", "?!", "?", "??"].indexOf(decision.mark);

/**
 * The kind of a mistake: of the cube by its name, of a play by the phase of the game; null without
 * one.
 *
 * @param {Decision} decision
 */
export function mistakeOf(decision) {
  if (!decision.mark) return null;
  if (decision.decision.call) return CUBE_MISTAKES[decision.decision.call] ?? "cube";
  return decision.kind === "opening" ? "opening" : decision.kind === "bearoff" ? "bearoff" : "play";
}

/**
 * The least luck of a joker, in points on a cube at 1. The line of eXtreme Gammon is the same.
 */
export const JOKER = 0.3;

/**
 * Whether a roll is a joker, by its name in the filters.
 *
 * @param {Decision} decision
 */
export function luckOf(decision) {
  const luck = decision.decision.luck ?? 0;
  return Math.abs(luck) < JOKER ? null : luck > 0 ? "lucky" : "unlucky";
}

/**
 * Whether the double of a decision would be beavered: for money with beavers, where it has a
 * negative equity.
 *
 * @param {Decision} decision
 * @param {number} doubleTake The equity of the doubler after the better of take and beaver
 */
export const isBeavered = ({ xgid }, doubleTake) => hasBeavers(xgid) && doubleTake < 0;

/**
 * The equities of the doubler after a take and after a beaver, which is twice that.
 *
 * @param {Decision} decision
 * @param {number} doubleTake The equity of the doubler after the better of both
 */
export function taken(decision, doubleTake) {
  const take = isBeavered(decision, doubleTake) ? doubleTake / 2 : doubleTake;
  return { take, beaver: 2 * take };
}

/**
 * The value of the position for the first player after a decision: match winning chances, or an
 * equity.
 *
 * @param {Decision} decision
 */
export function valueAfter(decision) {
  if (decision.mwc_after !== null) return decision.mwc_after;
  const what = decision.decision;
  const own = what.plays
    ? what.plays.find((play) => play.play === what.played)?.equity
    : ({
        double: Math.min(what.double_take ?? 0, what.double_pass ?? 0),
        ...taken(decision, what.double_take ?? 0),
        drop: what.double_pass,
      }[what.call ?? ""] ?? what.no_double);
  // Answers to a double are seen by the doubler.
  const answers = ["take", "drop", "beaver"].includes(what.call ?? "");
  const first = answers ? decision.player === 1 : decision.player === 0;
  return first ? (own ?? 0) : -(own ?? 0);
}

/**
 * What an equity is worth at the score: match winning chances of the player on roll; null for
 * money.
 *
 * @param {Decision} decision
 * @param {number} equity
 */
export function chanceOf(decision, equity) {
  if (decision.mwc_after === null || decision.unit === undefined || decision.even === undefined)
    return null;
  return Math.max(0, Math.min(1, decision.even + decision.unit * equity));
}
