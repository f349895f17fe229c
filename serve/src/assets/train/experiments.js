// @ts-check
// The experiments of the course: runs that differ in one thing. Nothing here draws.
import { DEFAULTS, isCommandOf, seedOf } from "./commands.js";

/** @typedef {import("./state.js").Run} Run */

/** @typedef {{ name: string; [option: string]: any }} Options */

/** What the runs of an experiment share: some three seconds of processor time each. */
const SHORT = { games: 4000, eval_every: 500, eval_games: 200, final_games: 1000 };

/**
 * Experiments of the course: runs that differ in one thing. Without a learning rate they have the
 * usual one. `course` is the heading in the course that says more. `seconds` are those of a
 * processor for all runs with seed 1, measured on two of them.
 *
 * @type {{ key: string; seconds: number; course: string; runs: Options[] }[]}
 */
export const EXPERIMENTS = [
  // Both learn at this rate; a linear net jumps at 0.01 and diverges at 0.1.
  {
    key: "hidden",
    seconds: 11,
    course: "Experiments of the page Training",
    runs: [
      { name: "hidden-layer", preset: "single", alpha: "0.003" },
      { name: "no-hidden-layer", preset: "single-linear", alpha: "0.003" },
    ].map((run) => ({ ...run, games: 12000, eval_every: 1500 })),
  },
  {
    key: "nets",
    seconds: 7,
    course: "Experiments of the page Training",
    runs: [
      { name: "three-nets", preset: "small" },
      { name: "nine-nets", preset: "large" },
    ],
  },
  {
    key: "rate",
    seconds: 10,
    course: "A falling and a constant rate",
    runs: [
      { name: "falling-rate", preset: "small", alpha: "0.1..0.001" },
      { name: "high-rate", preset: "small", alpha: "0.1" },
      { name: "low-rate", preset: "small", alpha: "0.003" },
    ],
  },
  {
    key: "lambda",
    seconds: 10,
    course: "One game in numbers",
    runs: [
      { name: "lambda-usual", preset: "small" },
      { name: "lambda-zero", preset: "small", lambda: "0" },
      { name: "lambda-one", preset: "small", lambda: "1" },
    ],
  },
  // At the usual rate the steps are too large for lambda 1.
  {
    key: "steps",
    seconds: 6,
    course: "One game in numbers",
    runs: [
      { name: "lambda-slow", preset: "small", alpha: "0.01..0.001" },
      { name: "lambda-one-slow", preset: "small", alpha: "0.01..0.001", lambda: "1" },
    ],
  },
  {
    key: "inputs",
    seconds: 6,
    course: "Experiments of the page Training",
    runs: [
      { name: "made-inputs", preset: "single" },
      { name: "raw-inputs", preset: "single-raw" },
    ],
  },
  {
    key: "tesauro",
    seconds: 16,
    course: "Experiments of the page Training",
    runs: [
      { name: "tesauro-raw", preset: "single-raw" },
      { name: "tesauro-made", preset: "single" },
    ].map((run) => ({ ...run, lambda: "0.7", alpha: "0.1", games: 20000, eval_every: 2500 })),
  },
].map(({ runs, ...one }) => ({ ...one, runs: runs.map((run) => ({ ...SHORT, ...run })) }));

/**
 * The name of a run of an experiment: that with seed 1 has no seed in its name.
 *
 * @param {string} name
 * @param {number} seed
 */
export const seeded = (name, seed) => (seed === 1 ? name : `${name}-seed-${seed}`);

/**
 * Of each run of an experiment the one that is there, by its name or with its settings.
 *
 * @template {Pick<Run, "name" | "command">} R
 * @param {Options[]} wanted
 * @param {number} seed
 * @param {R[]} runs
 * @returns {(R | null)[]}
 */
export const runsOf = (wanted, seed, runs) =>
  wanted.map((one) => {
    const same = runs.filter(({ command }) => isCommandOf({ ...one, seed }, command));
    return same.find(({ name }) => name === seeded(one.name, seed)) ?? same[0] ?? null;
  });

/**
 * The experiment with all its runs, of one seed, among these; null where there is none.
 *
 * @template {Pick<Run, "name" | "command">} R
 * @param {R[]} runs
 */
export function experimentOf(runs) {
  for (const seed of new Set(runs.map(seedOf))) {
    for (const experiment of EXPERIMENTS) {
      const found = runsOf(experiment.runs, seed, runs);
      if (found.every((one) => one !== null))
        return { ...experiment, seed, found: /** @type {R[]} */ (found) };
    }
  }
  return null;
}

/**
 * The experiment with all its runs among these for more than one seed, a row of runs for each seed.
 * Null where there is none.
 *
 * @template {Pick<Run, "name" | "command">} R
 * @param {R[]} runs
 */
export function seedsOf(runs) {
  const seeds = [...new Set(runs.map(seedOf))].sort((one, other) => one - other);
  for (const experiment of EXPERIMENTS) {
    const rows = seeds
      .map((seed) => ({ seed, found: runsOf(experiment.runs, seed, runs) }))
      .filter(({ found }) => found.every((one) => one !== null));
    if (rows.length > 1)
      return rows.map(({ seed, found }) => ({ seed, found: /** @type {R[]} */ (found) }));
  }
  return null;
}

/**
 * The experiments that have a run and another one that there is, by their keys.
 *
 * @template {Pick<Run, "name" | "command">} R
 * @param {R} run
 * @param {R[]} runs
 */
export function experimentsWith(run, runs) {
  const seed = seedOf(run);
  return EXPERIMENTS.filter((experiment) => {
    const found = runsOf(experiment.runs, seed, runs).filter((one) => one !== null);
    return found.length > 1 && found.some((one) => one.name === run.name);
  }).map(({ key }) => key);
}

/**
 * In what the runs of an experiment differ: the option, and its value for each run.
 *
 * @param {Options[]} wanted
 * @returns {{ option: string; values: string[] }}
 */
export function differenceOf(wanted) {
  const all = wanted.map((one) => /** @type {Record<string, string>} */ ({ ...DEFAULTS, ...one }));
  const option =
    ["preset", "alpha", "lambda"].find((key) => all.some((one) => one[key] !== all[0][key])) ??
    "name";
  return { option, values: all.map((one) => one[option]) };
}

/**
 * The address of a heading of the course.
 *
 * @param {string} heading
 */
export const inCourse = (heading) =>
  `/book/how-it-learns#${heading.toLowerCase().replaceAll(" ", "-")}`;
