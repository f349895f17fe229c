// @ts-check
// A run: its state, how far it is, its name, and its result. Nothing here draws.

/**
 * @typedef {{
 *   name: string;
 *   title: string | null;
 *   state: string;
 *   command: string;
 *   games: number;
 *   total: number;
 *   ppg: number | null;
 *   stderr: number | null;
 *   last_match: {
 *     ppg: number;
 *     interval: [number, number];
 *     games: number;
 *     net: { games: number; weights: string };
 *   } | null;
 *   rate: number | null;
 *   phase: string | null;
 *   progress: { done: number; total: number } | null;
 *   architecture: string;
 *   messages: string[];
 * }} Run
 */

/**
 * A run as it ended. A server that was started again takes a run that has failed for one that was
 * stopped; the last message of the run tells.
 *
 * @param {Run} run
 * @returns {Run}
 */
export const asItEnded = (run) =>
  run.state === "stopped" && /^error: /.test(run.messages.at(-1) ?? "")
    ? { ...run, state: "failed" }
    : run;

/**
 * What people call a run: its title, else its name.
 *
 * @param {Pick<Run, "name" | "title">} run
 */
export const calledOf = ({ name, title }) => title ?? name;

/**
 * The key of the words for what a run does.
 *
 * @param {Run} run
 */
export function stateKey(run) {
  if (run.state === "stopped" && run.total > 0 && run.games >= run.total)
    return "train.state.learned";
  if (run.state !== "running") return `train.state.${run.state}`;
  return `train.phase.${{ learning: "learning", "play-off": "playOff", "last-match": "lastMatch", stopping: "stopping" }[run.phase ?? "learning"]}`;
}

/**
 * How much of its games a run has learned from, 0 to 1; in the phases after that, how far the phase
 * is.
 *
 * @param {Run} run
 */
export function share(run) {
  const part = (/** @type {number} */ done, /** @type {number} */ total) =>
    total > 0 ? Math.max(0, Math.min(1, done / total)) : 0;
  if (run.state === "finished") return 1;
  if (run.progress && run.phase !== "learning") return part(run.progress.done, run.progress.total);
  return part(learned(run), run.total);
}

/**
 * The games of the checkpoint of a run that was stopped, as its last message says them.
 *
 * @param {Run} run
 */
const savedAt = ({ state, messages }) =>
  state === "stopped"
    ? Number(/^stopped after (\d+) games/.exec(messages.at(-1) ?? "")?.[1] ?? 0)
    : 0;

/**
 * The games that a run has learned from so far; its last test may be some games back.
 *
 * @param {Run} run
 */
export const learned = (run) =>
  Math.max(
    run.games,
    savedAt(run),
    run.phase === "learning" && run.progress ? run.progress.done : 0,
  );

/**
 * A name that no run has.
 *
 * @param {string[]} names
 * @param {string} first
 */
export function freeName(names, first = "first") {
  if (!names.includes(first)) return first;
  for (let n = 2; ; n += 1) if (!names.includes(`run-${n}`)) return `run-${n}`;
}

/**
 * `net` is the choice of the play-off.
 *
 * @typedef {{
 *   ppg: number;
 *   half: number;
 *   games: number;
 *   net: { isAverage: boolean; games: number };
 * }} Result
 */

/**
 * The result of a run: its best net in the last match; null before there is one.
 *
 * @param {Pick<Run, "last_match">} run
 * @returns {Result | null}
 */
export function resultOf({ last_match: played }) {
  if (!played) return null;
  const {
    ppg,
    interval: [low, high],
    games,
    net,
  } = played;
  return {
    ppg,
    half: (high - low) / 2,
    games,
    net: { isAverage: net.weights === "average", games: net.games },
  };
}

/**
 * Runs in the order of the list: those that this browser has seen last come first.
 *
 * @template {Pick<Run, "name">} R
 * @param {R[]} runs
 * @param {string[]} seen Their names, the oldest first
 */
export const newestFirst = (runs, seen) =>
  [...runs].sort((one, other) => seen.indexOf(other.name) - seen.indexOf(one.name));
