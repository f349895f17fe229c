// @ts-check
// What the deepest answer about a decision says: a rollout, else a deeper look, else the analysis.
// Nothing here draws.
import { isNothing } from "../common/format.js";
import { KEPT } from "../common/own.js";
import { WORTH, chanceOf, markOf, taken } from "./decision.js";

/** @typedef {import("./decision.js").Decision} Decision */
/**
 * @typedef {{
 *   answer: any;
 *   state: "running" | "done" | "stopped";
 *   games: number;
 *   plies: number;
 *   kept?: boolean;
 *   question?: any;
 * }} Rolled
 */

/** The games of a line from which a rollout that was stopped says more than a search. */
export const ENOUGH_GAMES = 144;

/**
 * The games of each line of a rollout.
 *
 * @param {any} answer
 */
export const gamesOf = (answer) =>
  answer.cube
    ? (answer.games ?? 0)
    : Math.min(...answer.rollouts.map((/** @type {any} */ row) => row.games));

/** The games that one more click adds. */
const MORE = 144;

/**
 * How many games one more click plays: those that are left of a rollout that was stopped, else some
 * more.
 *
 * @param {Rolled} rolled
 */
export function gamesLeft({ answer, state, games }) {
  const left = games - gamesOf(answer);
  return state === "stopped" && left > 0 ? { isRest: true, n: left } : { isRest: false, n: MORE };
}

/** Half the width of a 95 % interval, in standard errors. */
export const WIDE = 1.96;

/**
 * The match winning chances of the first player if the player on roll has an equity; null for
 * money.
 *
 * @param {Decision} decision
 * @param {number} equity
 */
function firstChance(decision, equity) {
  const chance = chanceOf(decision, equity);
  if (chance === null) return null;
  const isFirst = ["take", "drop", "beaver"].includes(decision.decision.call ?? "")
    ? decision.player === 1
    : decision.player === 0;
  return isFirst ? chance : 1 - chance;
}

/**
 * A decision as its rollout judges it; null if the rollout lacks the play that was made.
 *
 * @param {Decision} decision
 * @param {any} answer
 * @returns {(Decision & { half?: number }) | null} `half` is half the 95 % interval of the loss
 */
export function rolledOut(decision, answer) {
  const what = decision.decision;
  const judged = (
    /** @type {number} */ loss,
    /** @type {number} */ equity,
    /** @type {import("./decision.js").What} */ more,
  ) => ({
    ...decision,
    loss: Math.max(0, loss),
    cost: Math.max(0, loss) * (decision.unit ?? 1),
    mark: markOf(loss),
    mwc_after: firstChance(decision, equity),
    decision: { ...what, ...more },
  });
  if (what.plays) {
    const { rollouts } = answer;
    const made = rollouts?.find((/** @type {any} */ row) => row.play === what.played);
    if (!made) return null;
    const error = made.loss_stderr;
    return {
      ...judged(rollouts[0].equity - made.equity, made.equity, {
        plays: rollouts.map((/** @type {any} */ row) => ({
          ...what.plays?.find((play) => play.play === row.play),
          ...row,
        })),
      }),
      ...(error ? { half: WIDE * error } : {}),
    };
  }
  if (!answer.cube) return null;
  const [no, take, pass] = [answer.cube.no_double.equity, answer.cube.double_take.equity, 1];
  const doubled = Math.min(take, pass);
  const answered = taken(decision, take);
  const loss = {
    "no double": Math.max(no, doubled) - no,
    double: Math.max(no, doubled) - doubled,
    take: answered.take - doubled,
    beaver: answered.beaver - doubled,
    drop: pass - doubled,
  }[what.call ?? ""];
  const equity = { "no double": no, double: doubled, ...answered, drop: pass }[what.call ?? ""];
  const error = gainOf(what, answer.cube)?.stderr;
  return loss === undefined || equity === undefined
    ? null
    : {
        ...judged(loss, equity, {
          right: answer.cube.words,
          no_double: no,
          double_take: take,
          double_pass: pass,
        }),
        ...(loss > 0 && error ? { half: WIDE * error } : {}),
      };
}

/**
 * What a double gains, or what a take does, by the question of a decision.
 *
 * @param {import("./decision.js").What} what
 * @param {{
 *   double_gains?: { equity: number; stderr?: number };
 *   take_gains?: { equity: number; stderr?: number };
 * }} cube
 *   Of a rollout
 */
export const gainOf = ({ call }, { double_gains: double, take_gains: take }) =>
  ["take", "drop", "beaver"].includes(call ?? "") ? take : double;

/**
 * What a rollout leaves open, because the 95 % interval of a difference holds 0. It is the verdict,
 * where the difference is that of the decision that was made. It is the best play alone, where that
 * decision is surely behind, but the best play of the search perhaps not. Else it is nothing.
 *
 * @param {Decision} decision As the search judges it
 * @param {any} answer
 * @returns {"verdict" | "best" | null}
 */
export function openIn(decision, answer) {
  const what = decision.decision;
  if (what.plays) {
    const [, ...behind] = answer.rollouts;
    const isBehind = (/** @type {string | undefined} */ name) =>
      behind.find((/** @type {any} */ row) => row.play === name);
    const isOpen = (/** @type {any} */ row) =>
      Boolean(row) && Math.abs(row.loss ?? 0) < WIDE * (row.loss_stderr ?? 0);
    const made = isBehind(what.played);
    if (isOpen(made)) return "verdict";
    if (!isOpen(isBehind(what.plays[0].play))) return null;
    return made ? "best" : "verdict";
  }
  const gain = gainOf(what, answer.cube);
  return gain && Math.abs(gain.equity) < WIDE * (gain.stderr ?? 0) ? "verdict" : null;
}

/**
 * @typedef {{
 *   analysed: Decision & { half?: number };
 *   plies: number | null;
 *   games: number | null;
 *   undecided?: number;
 *   early?: number;
 *   leads?: string;
 *   isBestOpen?: boolean;
 *   against?: Against | null;
 * }} Judged
 */

/**
 * Whether the loss of a rollout is known well enough to replace that of a search. Its interval is
 * narrow, or lies within one class of mistakes.
 *
 * @param {{ loss: number; half?: number }} judged
 */
const isSettled = ({ loss, half = 0 }) =>
  half <= WORTH || markOf(loss - half) === markOf(loss + half);

/**
 * A search that contradicts the rollout about the best decision: which play it prefers, and by how
 * much.
 *
 * @typedef {{ plies: number; best?: string; by: number }} Against
 */

/**
 * What a search says against a rollout; null where both name the same decision.
 *
 * @param {Decision} decision As the search judges it
 * @param {number} plies Of the search
 * @param {Decision} rolled As the rollout judges it
 * @returns {Against | null}
 */
export function againstOf({ decision: what }, plies, { decision: { plays: rolled, ...other } }) {
  if (what.plays) {
    const [best] = what.plays;
    const first = what.plays.find(({ play }) => play === rolled?.[0].play);
    const by = first ? best.equity - first.equity : 0;
    return by > 0 && !isNothing(by) ? { plies: best.plies, best: best.play, by } : null;
  }
  const answers = ["take", "drop", "beaver"].includes(what.call ?? "");
  const gain = ({ no_double: no = 0, double_take: take = 0, double_pass: pass = 1 }) =>
    answers ? take - pass : Math.min(take, pass) - no;
  const [own, theirs] = [gain(what), gain(other)];
  return own * theirs < 0 && !isNothing(own) && !isNothing(theirs)
    ? { plies, by: Math.abs(own) }
    : null;
}

/**
 * The deepest answer: the decision as it is judged, and by what. A rollout that does not know the
 * loss well enough leaves the verdict to the search; `early` then has its games. So does one that
 * leaves the verdict open; `undecided` then has its games, and `leads` its first play where that of
 * the search is surely behind it. One that leaves the best play open says what the decision loses
 * against its own first play.
 *
 * @param {Decision} decision
 * @param {{
 *   plies: number;
 *   deeper: { plies: number; analysed: Decision } | null;
 *   rollout: any;
 * }} known
 * @returns {Judged}
 */
export function deepest(decision, { plies, deeper, rollout }) {
  /** @type {Judged} */
  const search =
    deeper && deeper.plies > plies
      ? { analysed: deeper.analysed, plies: deeper.plies, games: null }
      : { analysed: decision, plies, games: null };
  const judged =
    rollout && gamesOf(rollout) >= ENOUGH_GAMES ? rolledOut(search.analysed, rollout) : null;
  if (!judged) return search;
  const open = openIn(search.analysed, rollout);
  if (open === "verdict") {
    const [first, ...behind] = rollout.rollouts ?? [];
    const own = behind.find(
      (/** @type {any} */ row) => row.play === search.analysed.decision.plays?.[0].play,
    );
    return {
      ...search,
      undecided: gamesOf(rollout),
      ...(own && Math.abs(own.loss ?? 0) >= WIDE * (own.loss_stderr ?? 0)
        ? { leads: first.play }
        : {}),
    };
  }
  if (!isSettled(judged)) return { ...search, early: gamesOf(rollout) };
  const rolled = { analysed: judged, plies: null, games: gamesOf(rollout) };
  return open
    ? { ...rolled, isBestOpen: true }
    : { ...rolled, against: againstOf(search.analysed, search.plies ?? plies, judged) };
}

// ---- Rollouts that the browser keeps.

/** The most rollouts that the browser keeps. */
export const MOST_KEPT = 50;

/**
 * The rollouts that the browser keeps, the last one at the end.
 *
 * @param {Pick<Storage, "getItem">} store
 * @returns {Map<string, Rolled>}
 */
export function keptIn(store) {
  try {
    const found = new Map(JSON.parse(store.getItem(KEPT.rollouts) ?? "[]"));
    for (const { answer, games, plies } of found.values())
      if (![gamesOf(answer), games, plies, answer.seconds].every(Number.isFinite)) return new Map();
    return found;
  } catch {
    return new Map(); // Not ours, or cut short: as if nothing were kept.
  }
}

/**
 * Keeps a rollout; the oldest ones leave.
 *
 * @param {Storage} store
 * @param {string} key
 * @param {Rolled} rolled
 */
export function keepIn(store, key, rolled) {
  const all = keptIn(store);
  all.delete(key);
  all.set(key, { ...rolled, kept: true });
  try {
    store.setItem(KEPT.rollouts, JSON.stringify([...all].slice(-MOST_KEPT)));
  } catch {
    /* A browser that keeps nothing: the rollout stays for this page. */
  }
}
