// @ts-check
// All later work on each decision of an analysed match: notes, deeper answers, rollouts, and what
// the deepest of them says. Nothing here draws.
import { isChampion } from "../common/net-name.js";
import { deepest } from "./verdicts.js";

/** @typedef {import("./decision.js").Entry} Entry */

/**
 * @param {any} answer The analysis as the server gave it
 * @param {number} which Its match
 * @param {Map<string, import("./verdicts.js").Rolled>} rolled The rollouts that the browser has
 */
export function answersOf(answer, which, rolled) {
  const match = answer.matches[which];
  const keyOf = (/** @type {Entry} */ entry) =>
    `${answer.row.id}.${which}.${entry.game}.${entry.index}`;
  const placeOf = (/** @type {Entry} */ entry) => ({
    match: which,
    game: entry.game,
    decision: entry.index,
  });
  const findFor = (/** @type {any[]} */ all, /** @type {Entry} */ entry) =>
    all.find(
      (one) => one.match === which && one.game === entry.game && one.decision === entry.index,
    );
  /**
   * @param {Entry} entry
   * @returns {string}
   */
  const noteOf = (entry) => findFor(answer.notes ?? [], entry)?.text ?? "";
  /** @param {Entry} entry */
  const deeperOf = (entry) => findFor(answer.deeper ?? [], entry) ?? null;
  /**
   * The search depth of the analysis.
   *
   * @param {Entry} entry
   * @returns {number}
   */
  const ownDepth = (entry) => (entry.decision.decision.plays ? match.plies : match.cube_plies);
  /**
   * The greatest search depth that has judged a decision.
   *
   * @param {Entry} entry
   */
  const depthOf = (entry) => Math.max(ownDepth(entry), deeperOf(entry)?.plies ?? 0);
  /**
   * The rollout of a decision that has ended.
   *
   * @param {Entry} entry
   */
  const rolledOf = (entry) => {
    const found = rolled.get(keyOf(entry));
    return found && found.state !== "running" ? found : null;
  };
  /**
   * What the deepest answer says about a decision.
   *
   * @param {Entry} entry
   */
  const judgedOf = (entry) =>
    deepest(entry.decision, {
      plies: ownDepth(entry),
      deeper: deeperOf(entry),
      rollout: rolledOf(entry)?.answer ?? null,
    });
  /**
   * The net that is asked about decisions, that of the analysis; none for the champion.
   *
   * @type {string | undefined}
   */
  const net = isChampion(answer.row.net) ? undefined : answer.row.net;
  return { net, keyOf, placeOf, noteOf, deeperOf, depthOf, rolledOf, judgedOf };
}

/**
 * A decision as its deepest answer judges it.
 *
 * @param {Entry} entry
 * @param {import("./verdicts.js").Judged} judged
 * @returns {Entry}
 */
export const withVerdict = (entry, { analysed, undecided }) => ({
  ...entry,
  decision: analysed,
  undecided,
});
