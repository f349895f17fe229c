// @ts-check
// What the decisions of a watched match lose, and why.
import { post } from "../common/api.js";
import { hasCube } from "../common/cube-words.js";
import { decimal, percent } from "../common/format.js";
import { t } from "../common/words.js";
import { flipped } from "../board/position.js";
import { askWhy } from "../decision/questions.js";
import { markOf } from "../decision/decision.js";
import { writeXgid } from "../position/xgid.js";
import { PLY, boardBefore } from "./match.js";

/** @typedef {import("./match.js").Watched} Watched */
/**
 * What a decision loses, and the best decision. `cube` judges the double before the roll.
 *
 * @typedef {{ loss: number; match_loss: number | null; best: string; cube?: Judged | null }} Judged
 */

/** Plays that are asked for: more than a roll has. */
const MOST = 1000;

/**
 * A play, a double or its answer against the best one, at the depth of the players; null if there
 * is nothing to say. The champion does what it takes for best.
 *
 * @param {Watched} match
 * @param {number} at The place of the event
 * @returns {Promise<Judged | null>}
 */
export async function judge(match, at) {
  const made = match.events[at];
  const { what, play } = made;
  if (
    !["plays", "doubles", "takes", "passes"].includes(what) ||
    match.levels[made.player === "light" ? 0 : 1] === "champion"
  )
    return null;
  // An answer is judged with its double, by the side that has doubled.
  const id = idBefore(match, what === "takes" || what === "passes" ? at - 1 : at, what === "plays");
  if (what !== "plays") return ofCube(await post("/cube", { id, ply: PLY }), what);
  const missed = mayDouble(match, at)
    ? ofCube(await post("/cube", { id: idBefore(match, at, false), ply: PLY }), "plays")
    : null;
  const cube = missed && markOf(missed.loss) ? missed : null;
  if (!play) return cube && { loss: 0, match_loss: 0, best: "", cube };
  const { plays } = await post("/hint", { id, ply: PLY, plays: MOST });
  const [best] = plays;
  const own = plays.find((/** @type {any} */ one) => one.play === play);
  return own
    ? {
        loss: Math.max(0, best.equity - own.equity),
        match_loss: Math.max(0, best.match_winning_chance - own.match_winning_chance),
        best: best.play,
        cube,
      }
    : null;
}

/**
 * Whether who plays could have doubled before: not in the first turn, nor after their own double.
 *
 * @param {Watched} match
 * @param {number} at
 */
const mayDouble = ({ events, length }, at) =>
  hasCube({ length, crawford: events[at].crawford }) &&
  [null, events[at].player].includes(events[at].owner) &&
  !["opens", "takes"].includes(events[at - 1]?.what ?? "opens");

/**
 * The position before an event as XGID.
 *
 * @param {Watched} match
 * @param {number} asked The place of the event
 * @param {boolean} isRolled
 */
function idBefore(match, asked, isRolled) {
  const { player, dice, cube, owner, crawford } = match.events[asked];
  // The last play of a game has the score after it.
  const score = match.events[asked - 1]?.score ?? [0, 0];
  const side = player === "light" ? 0 : 1;
  const before = boardBefore(match, asked);
  return writeXgid({
    board: [...(side ? flipped(before) : before)],
    cube: Math.log2(cube),
    owner: owner === null ? 0 : owner === player ? 1 : -1,
    dice: isRolled ? (dice?.join("") ?? "") : "",
    points: side ? [score[1], score[0]] : score,
    rules: Number(crawford),
    length: match.length,
    most: 10,
  });
}

/**
 * What a double, its answer, or a play without a double loses. The numbers are those of the side
 * that doubles.
 *
 * @param {{
 *   no_double: number;
 *   double_take: number;
 *   double_pass: number;
 *   match_winning_chances?: number[] | null;
 * }} cube
 * @param {string} what
 * @returns {Judged}
 */
export function ofCube(
  { no_double: no, double_take: take, double_pass: pass, match_winning_chances: chances },
  what,
) {
  const loss = (
    /** @type {number} */ wait,
    /** @type {number} */ taken,
    /** @type {number} */ passed,
  ) => {
    const doubled = Math.min(taken, passed);
    if (what === "plays") return Math.max(0, doubled - wait);
    return what === "doubles"
      ? Math.max(0, wait - doubled)
      : (what === "takes" ? taken : passed) - doubled;
  };
  return {
    loss: loss(no, take, pass),
    match_loss: chances ? loss(chances[0], chances[1], chances[2]) : null,
    best: t(
      what === "plays"
        ? "play.tutor.better.double"
        : what === "doubles"
          ? "play.tutor.better.roll"
          : what === "takes"
            ? "watch.pass"
            : "watch.take",
    ),
  };
}

/**
 * The marks of a decision and of the double before it, with the losses.
 *
 * @param {Judged | null | undefined} found
 */
export function markWords(found) {
  const marked = (/** @type {Judged | null | undefined} */ one) =>
    one && markOf(one.loss)
      ? `${markOf(one.loss)} ${one.match_loss === null ? decimal(one.loss, 3) : percent(one.match_loss)}`
      : "";
  return [found?.cube ? `${t("play.review.cube")} ${marked(found.cube)}` : "", marked(found)]
    .filter(Boolean)
    .join(", ");
}

/**
 * Why a mistake was one, at the depth of its mark.
 *
 * @param {Watched} match
 * @param {number} at The place of the event
 */
export function whyOf(match, at) {
  const { what, play, dice } = match.events[at];
  const isPlay = what === "plays" && play !== null;
  const xgid = idBefore(match, what === "takes" || what === "passes" ? at - 1 : at, isPlay);
  return askWhy(
    /** @type {any} */ ({
      xgid,
      decision: isPlay ? { dice: dice?.join(""), played: play, plays: [] } : {},
    }),
    PLY,
    new AbortController().signal,
  );
}
