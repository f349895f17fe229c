// @ts-check
// This browser keeps two things of a match:
//
// - a play that is half made, while the page is loaded again.
// - the help that the person had (answers of hints, decisions that the tutor stopped), for the end
//   of the match.
import { weightOf } from "../decision/decision.js";

const HALF = "nonet-half-made";

/**
 * Keeps the moves that are made and not confirmed.
 *
 * @param {{ id: string; revision: number } | null} view
 * @param {import("../board/roll.js").Roll | null} roll
 */
export function keepHalf(view, roll) {
  const moves = roll?.made.map(({ from, to }, i) => ({
    from,
    to,
    left: (roll.made[i + 1]?.dice ?? roll.dice).join(),
  }));
  try {
    sessionStorage.setItem(
      HALF,
      JSON.stringify({ id: view?.id, revision: view?.revision, moves: moves ?? [] }),
    );
  } catch {
    /* A browser that keeps nothing: the play is made anew. */
  }
}

/**
 * Makes the moves again that were kept, if they belong to this decision.
 *
 * @param {{ id: string; revision: number }} view
 * @param {import("../board/roll.js").Roll} roll
 */
export function takeHalf(view, roll) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(HALF) ?? "{}");
    sessionStorage.removeItem(HALF);
    if (kept.id !== view.id || kept.revision !== view.revision) return;
    for (const { from, to, left } of kept.moves) {
      const move = roll
        .moves()
        .find((one) => one.from === from && one.to === to && one.left.join() === left);
      if (!move) return;
      roll.make([move]);
    }
  } catch {
    /* Not ours, or cut short. */
  }
}

/**
 * A decision that the tutor stopped, with the game:
 *
 * - `decision` is what the person wanted first, and `best` the better decision.
 * - `times` says how often the tutor has stopped there.
 * - `stood` is what the person let stand.
 *
 * @typedef {{
 *   game?: number;
 *   xgid: string;
 *   decision: string;
 *   best: string;
 *   isPlay: boolean;
 *   mark: string;
 *   loss: number;
 *   match_loss: number | null;
 *   times?: number;
 *   stood?: string | null;
 * }} Stop
 */

/**
 * The decisions that a hint has answered, and those that were stopped.
 *
 * @typedef {{ hints: string[]; stops: Stop[] }} Help
 */

const HELP = "nonet-help";

/** The most matches that are remembered: the help of a match counts at its end. */
const MOST = 20;

/**
 * @typedef {{
 *   getItem: (key: string) => string | null;
 *   setItem: (key: string, value: string) => void;
 * }} Store
 */

/**
 * @param {Store | undefined} store
 * @returns {Record<string, Help>}
 */
function read(store) {
  try {
    return JSON.parse((store ?? localStorage).getItem(HELP) ?? "{}") ?? {};
  } catch {
    return {}; // Not ours, or cut short.
  }
}

/**
 * What has helped in a match.
 *
 * @param {string} id
 * @param {Store} [store]
 * @returns {Help}
 */
export function helpIn(id, store) {
  const { hints = [], stops = [] } = read(store)[id] ?? {};
  return { hints, stops };
}

/**
 * @param {string} id
 * @param {Help} help
 * @param {Store} store
 */
function keep(id, help, store) {
  const { [id]: _, ...others } = read(store);
  try {
    store.setItem(
      HELP,
      JSON.stringify(Object.fromEntries([...Object.entries(others), [id, help]].slice(-MOST))),
    );
  } catch {
    /* A browser that keeps nothing tells no help. */
  }
}

/**
 * Keeps that a hint has told the answer; of a decision it counts once.
 *
 * @param {string} id
 * @param {string} xgid
 */
export function keepHint(id, xgid, store = /** @type {Store} */ (localStorage)) {
  const help = helpIn(id, store);
  if (!help.hints.includes(xgid)) keep(id, { ...help, hints: [...help.hints, xgid] }, store);
}

/**
 * Keeps the first try that the tutor has stopped; others at the same decision are counted.
 *
 * @param {string} id
 * @param {Stop} stop
 */
export function keepStop(id, stop, store = /** @type {Store} */ (localStorage)) {
  const help = helpIn(id, store);
  const { times = 1, ...first } = help.stops.find(({ xgid }) => xgid === stop.xgid) ?? {
    ...stop,
    times: 0,
  };
  const others = help.stops.filter(({ xgid }) => xgid !== stop.xgid);
  keep(id, { ...help, stops: [...others, { ...first, times: times + 1, stood: null }] }, store);
}

/**
 * Keeps that a stopped try was made nevertheless.
 *
 * @param {string} id
 * @param {Pick<Stop, "xgid" | "decision">} tried
 */
export function keepStood(id, tried, store = /** @type {Store} */ (localStorage)) {
  const help = helpIn(id, store);
  keep(
    id,
    {
      ...help,
      stops: help.stops.map((stop) =>
        stop.xgid === tried.xgid ? { ...stop, stood: tried.decision } : stop,
      ),
    },
    store,
  );
}

/**
 * The stops that have changed a decision: a first try that stands was no help.
 *
 * @param {Help} help
 */
export const changedIn = ({ stops }) => stops.filter(({ decision, stood }) => stood !== decision);

/**
 * Whether a hint or the tutor helped.
 *
 * @param {Help} help
 */
export const isHelp = (help) => help.hints.length + changedIn(help).length > 0;

/** The end of the name of a match's record, which has the match's name before it. */
const RECORD = ".mat";

/**
 * Whether this browser helped in the match of a record.
 *
 * @param {string} name Of the record
 * @param {Store} [store]
 */
export const isHelpIn = (name, store) =>
  name.endsWith(RECORD) && isHelp(helpIn(name.slice(0, -RECORD.length), store));

/**
 * Tells an analysis that its first player had help: such a PR has no title on any page.
 *
 * @template {{ row: { name: string }; matches: any[] }} T
 * @param {T} answer As the server gave it; it is changed
 */
export function tellHelp(answer) {
  const [match] = answer.matches;
  if (match && isHelpIn(answer.row.name)) match.summary[0].helped = true;
  return answer;
}

/**
 * The costliest first tries.
 *
 * @param {Stop[]} stops
 * @param {number} most
 */
export const costliest = (stops, most) =>
  [...stops].sort((a, b) => weightOf(b) - weightOf(a)).slice(0, most);
