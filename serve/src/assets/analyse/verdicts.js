// @ts-check
// What the deepest answer about a decision says: a rollout, else a deeper look, else the analysis.
// Nothing here draws.
import { KEPT } from "../common/own.js";

/** @typedef {import("./decisions.js").Decision} Decision */
/** @typedef {{ answer: any, state: "running" | "done" | "stopped", games: number, plies: number, kept?: boolean }} Rolled */

/** From which loss a decision is doubtful, bad, very bad; as the analysis marks it. */
export const MARKS = /** @type {[number, string][]} */ ([[0.16, "??"], [0.08, "?"], [0.04, "?!"]]);

/** The games of a line from which a rollout that was stopped says more than a search. */
export const ENOUGH_GAMES = 144;

/** @param {number} loss */
export const markOf = (loss) => MARKS.find(([least]) => loss >= least)?.[1] ?? "";

/** The games of each line of a rollout. @param {any} answer */
export const gamesOf = (answer) => (answer.cube ? answer.games ?? 0 : Math.min(...answer.rollouts.map((/** @type {any} */ row) => row.games)));

/**
 * A decision as its rollout judges it; null if the rollout lacks the play that was made.
 * @param {Decision} decision
 * @param {any} answer
 * @returns {Decision & { half?: number } | null} `half` is half the 95 % interval of the loss
 */
export function rolledOut(decision, answer) {
  const what = decision.decision;
  const judged = (/** @type {number} */ loss, /** @type {import("./decisions.js").What} */ more) => ({
    ...decision, loss: Math.max(0, loss), cost: Math.max(0, loss) * (decision.unit ?? 1), mark: markOf(loss), decision: { ...what, ...more },
  });
  if (what.plays) {
    const { rollouts } = answer;
    const made = rollouts?.find((/** @type {any} */ row) => row.play === what.played);
    if (!made) return null;
    return { ...judged(rollouts[0].equity - made.equity, { plays: rollouts.map((/** @type {any} */ row) => ({ ...what.plays?.find((play) => play.play === row.play), ...row })) }), ...(made.loss_stderr ? { half: 1.96 * made.loss_stderr } : {}) };
  }
  if (!answer.cube) return null;
  const [no, take, pass] = [answer.cube.no_double.equity, answer.cube.double_take.equity, 1];
  const doubled = Math.min(take, pass);
  const loss = { "no double": Math.max(no, doubled) - no, double: Math.max(no, doubled) - doubled, take: take - doubled, beaver: take - doubled, drop: pass - doubled }[what.call ?? ""];
  return loss === undefined ? null : judged(loss, { right: answer.cube.words });
}

/**
 * The deepest answer: the decision as it is judged, and by what.
 * @param {Decision} decision
 * @param {{ plies: number, deeper: { plies: number, analysed: Decision } | null, rollout: any }} known
 * @returns {{ analysed: Decision & { half?: number }, plies: number | null, games: number | null }}
 */
export function deepest(decision, { plies, deeper, rollout }) {
  const judged = rollout && gamesOf(rollout) >= ENOUGH_GAMES ? rolledOut(decision, rollout) : null;
  if (judged) return { analysed: judged, plies: null, games: gamesOf(rollout) };
  if (deeper && deeper.plies > plies) return { analysed: deeper.analysed, plies: deeper.plies, games: null };
  return { analysed: decision, plies, games: null };
}

// ---- Rollouts that the browser keeps.

/** The most rollouts that the browser keeps. */
export const MOST_KEPT = 50;

/**
 * The rollouts that the browser keeps, the last one at the end.
 * @param {Pick<Storage, "getItem">} store
 * @returns {Map<string, Rolled>}
 */
export function keptIn(store) {
  try {
    const found = new Map(JSON.parse(store.getItem(KEPT.rollouts) ?? "[]"));
    for (const { answer, games, plies } of found.values()) if (![gamesOf(answer), games, plies, answer.seconds].every(Number.isFinite)) return new Map();
    return found;
  } catch {
    return new Map(); // Not ours, or cut short: as if nothing were kept.
  }
}

/**
 * Keeps a rollout; the oldest ones leave.
 * @param {Storage} store @param {string} key @param {Rolled} rolled
 */
export function keepIn(store, key, rolled) {
  const all = keptIn(store);
  all.delete(key);
  all.set(key, { ...rolled, kept: true });
  try {
    store.setItem(KEPT.rollouts, JSON.stringify([...all].slice(-MOST_KEPT)));
  } catch { /* A browser that keeps nothing: the rollout stays for this page. */ }
}
