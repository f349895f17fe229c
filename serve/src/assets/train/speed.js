// @ts-check
// How long a run takes: its games a second, and those between its tests.
import { ruleOf } from "./rule.js";

/**
 * Games between the tests of a run: the usual number, and eight tests in a short run.
 *
 * @param {number} games
 */
export const testsEvery = (games) => Math.max(1, Math.min(25000, Math.ceil(games / 8)));

/**
 * Games a second with tests, of small nets on two processors: for a run that is like no earlier
 * one.
 *
 * @type {Record<string, number>}
 */
const USUAL_SPEED = { td: 1000, tdleaf: 30, rootstrap: 40 };

/**
 * About how many hours a run takes.
 *
 * @param {any} options
 * @param {number} [speed] Of such a run in games a second
 */
export const hoursOf = ({ games, method }, speed = USUAL_SPEED[method]) => games / speed / 3600;

/**
 * The games a second of the newest run that is like one that is asked for.
 *
 * @param {any} asked
 * @param {import("./state.js").Run[]} runs The newest one first
 */
export function speedOf({ preset, method }, runs) {
  const alike = runs.filter(
    (run) => run.architecture === preset && ruleOf(run.command)?.method === method,
  );
  return (
    alike.map((run) => (run.state === "finished" ? run.rate : null)).find((rate) => rate) ??
    undefined
  );
}
