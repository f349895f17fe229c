// @ts-check
// A decision in words: its name, what it lost, the better one, and the value after it.
import { answerWords, cubeWords, withoutAnswer } from "../common/cube-words.js";
import { decimal, isNothing, percent, signed } from "../common/format.js";
import { t } from "../common/words.js";
import { isAnswer, isRedouble } from "./board-view.js";
import { WORTH, isToOne, severity, valueAfter } from "./decision.js";

/** @typedef {import("./decision.js").Decision} Decision */

/**
 * The name of a cube action.
 *
 * @param {Pick<Decision, "xgid" | "decision">} decision
 */
export const callName = ({ xgid, decision: { call } }) =>
  t(
    `analyse.call.${(call ?? "").replace(" ", "").replace("double", isRedouble({ xgid }) ? "redouble" : "double")}`,
  );

/** What the server says in place of a play, where there is none. */
const NO_PLAY = "cannot move";

/**
 * A play as people write it.
 *
 * @param {string} play
 */
export const playName = (play) => (play === NO_PLAY ? t("analyse.cannotMove") : play);

/**
 * A decision in a few words.
 *
 * @param {Decision} decision
 */
export const decisionName = (decision) =>
  decision.decision.plays
    ? `${decision.decision.dice}: ${playName(decision.decision.played ?? "")}`
    : callName(decision);

/**
 * How far the best decision is ahead of the other one; of plays, of the second one at the same
 * depth.
 *
 * @param {import("./decision.js").What} what
 * @param {boolean} answers Whether a double is answered
 */
function aheadOf(
  { plays, no_double: no = 0, double_take: take = 0, double_pass: pass = 1 },
  answers,
) {
  if (plays)
    return plays.length > 1 && plays[0].plies === plays[1].plies
      ? plays[0].equity - plays[1].equity
      : Infinity;
  return Math.abs(answers ? take - pass : no - Math.min(take, pass));
}

/**
 * A loss with its sign, and with the interval of a rollout.
 *
 * @param {Decision & { half?: number }} decision
 * @param {boolean} [isShare]
 */
export const lossWithHalf = (decision, isShare = isToOne(decision)) =>
  `−${lossShown(decision, isShare)}${decision.half && !isShare ? ` ± ${decimal(decision.half, 3)}` : ""}`;

/**
 * A loss in the unit of its match: per cent in a match to one point, else points. What is in the
 * order of the shares shows the share.
 *
 * @param {Decision} decision
 */
export const lossShown = (decision, isShare = isToOne(decision)) =>
  isShare ? percent(decision.cost) : decimal(decision.loss, 3);

/**
 * What a decision lost, in words; a rollout says how sure that is.
 *
 * @param {Decision & { half?: number }} decision
 * @param {boolean} inMatch
 */
export function lossInWords(decision, inMatch) {
  const ahead = aheadOf(decision.decision, isAnswer(decision));
  const isClose = !isNothing(ahead) && ahead < WORTH;
  if (isNothing(decision.loss))
    return t(
      severity(decision)
        ? "analyse.loses"
        : decision.decision.plays && (decision.decision.legal ?? 2) < 2
          ? decision.decision.plays[0]?.play === NO_PLAY
            ? "analyse.noPlay"
            : "analyse.forced"
          : isClose
            ? "analyse.best.close"
            : "analyse.best",
      { loss: "0", ahead: decimal(ahead, 3) },
    );
  if (isToOne(decision)) return t("analyse.loses.share", { share: lossShown(decision) });
  const cost = inMatch
    ? t("analyse.ofMatch", { cost: percent(decision.cost, decision.cost < 0.0005 ? 2 : 1) })
    : "";
  const half = decision.half ? ` ± ${decimal(decision.half, 3)}` : "";
  return `${t("analyse.loses", { loss: `${decimal(decision.loss, 3)}${half}` })}${cost}`;
}

/**
 * What would have been right; null where it was done.
 *
 * @param {Decision} decision
 */
export function betterOf(decision) {
  const what = decision.decision;
  if (what.plays) return what.plays[0].play === what.played ? null : what.plays[0].play;
  // Whoever is doubled cannot double.
  if (isAnswer(decision))
    return answerWords(what.right ?? "", what.double_take ?? 0, what.double_pass ?? 1);
  return what.right ? cubeWords(withoutAnswer(what.right)) : null;
}

/**
 * What the value after a decision is, in words.
 *
 * @param {import("./decision.js").Decision} decision
 * @param {string[]} names
 */
export function valueInWords(decision, names) {
  const value = valueAfter(decision);
  return decision.mwc_after === null
    ? t("analyse.value.equity", { name: names[0], value: signed(value) })
    : t("analyse.value.chances", { name: names[0], value: percent(value) });
}
