// @ts-check
// How a run learns: its rule, learning rate and lambda, and the fine-tuning at its end.
import { DEFAULTS, METHODS, lengthsOf, optionsOf } from "./commands.js";

/** @typedef {import("./state.js").Run} Run */

/**
 * How a run learns, as its command says it: the rule, its learning rate, and its lambda where it
 * has one. `tuned` is the number of games at the end that RootStrap learns. Null for another
 * command than `nonet train`.
 *
 * @param {string} command
 */
export function ruleOf(command) {
  if (!command.startsWith("nonet train")) return null;
  const {
    method = METHODS[0],
    alpha,
    lambda,
    fine_tune: tuned = "0",
  } = { ...DEFAULTS, ...optionsOf(command) };
  return { method, alpha, lambda: hasLambda(method) ? lambda : null, tuned: Number(tuned) };
}

/**
 * Whether a rule has a lambda.
 *
 * @param {string} method
 */
export const hasLambda = (method) => method !== "rootstrap";

/**
 * Whether a learning rate falls (−1), rises (1) or does neither.
 *
 * @param {string} alpha
 */
export const trendOf = (alpha) =>
  /^[^@]+\.\.[^@]+$/.test(alpha)
    ? Math.sign(Number(alpha.split("..")[1]) - Number(alpha.split("..")[0]))
    : 0;

/**
 * The parts of a run that RootStrap has learned, by their games. An extended run has one at each
 * former end that it has reached: there is a test where the part begins.
 *
 * @param {Pick<Run, "command" | "games" | "total">} run
 * @param {{ games: number }[]} tests
 */
export function tunedParts({ command, games, total }, tests) {
  const tuned = ruleOf(command)?.tuned ?? 0;
  const ends = tuned ? [...lengthsOf(command).slice(0, -1), total] : [];
  const hasBegun = (/** @type {number} */ end) =>
    games > end - tuned && (end === total || tests.some((test) => test.games === end - tuned));
  return ends.filter(hasBegun).map((end, i, begun) => ({
    from: Math.max(end - tuned, begun[i - 1] ?? 0) + 1,
    to: Math.min(end, games),
  }));
}

/**
 * The games of parts, up to `most` games of their run.
 *
 * @param {ReturnType<typeof tunedParts>} parts
 */
export const gamesIn = (parts, most = Infinity) =>
  parts.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, most) - from + 1), 0);
