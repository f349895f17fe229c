// @ts-check
// The decisions of an analysed match: which are shown, in which order, and what they say together.
// Nothing here draws.
import { JOKER, WORTH, luckOf, mistakeOf, severity, weightIn } from "../decision/decision.js";

/** @typedef {import("../decision/decision.js").Decision} Decision */
/** @typedef {import("../decision/decision.js").Entry} Entry */

/**
 * @typedef {{
 *   show: string;
 *   player: string;
 *   kind: string;
 *   class: string;
 *   game: string;
 *   order: string;
 * }} Filter
 */

/** @type {Readonly<Filter>} */
export const NO_FILTER = Object.freeze({
  show: "all",
  player: "all",
  kind: "all",
  class: "all",
  game: "all",
  order: "match",
});

/** The kinds of decisions, in the order of a game. */
export const KINDS = ["opening", "other plays", "bearoff", "cube"];

/**
 * All decisions that are shown: every roll, and the cube actions that count.
 *
 * @param {{ games: { decisions: Decision[] }[] }} match
 * @returns {Entry[]}
 */
export function entriesOf(match) {
  /** @type {Entry[]} */
  const all = [];
  match.games.forEach((one, game) =>
    one.decisions.forEach((decision, index) => {
      if (decision.decision.plays || decision.counts)
        all.push({ game, index, at: all.length, decision });
    }),
  );
  return all;
}

/**
 * The decisions that a filter leaves, in its order.
 *
 * @param {Entry[]} all
 * @param {Filter} filter
 */
export function filtered(all, filter) {
  const least =
    /** @type {Record<string, number>} */ ({ mistakes: 1, blunders: 3 })[filter.show] ?? 0;
  const isSeen = (/** @type {Decision} */ decision) =>
    severity(decision) >= least && (filter.show !== "worth" || decision.loss >= WORTH);
  const is = (/** @type {string} */ wanted, /** @type {string} */ found) =>
    wanted === "all" || wanted === found;
  const kept = all.filter(
    ({ game, decision }) =>
      isSeen(decision) &&
      is(filter.player, `${decision.player}`) &&
      (is(filter.kind, decision.kind) ||
        (filter.kind === "plays" && decision.kind !== "cube") ||
        filter.kind === mistakeOf(decision) ||
        filter.kind === luckOf(decision)) &&
      is(filter.class, decision.class) &&
      is(filter.game, `${game}`),
  );
  return inOrder(kept, filter);
}

/**
 * Decisions in the order of a filter.
 *
 * @param {Entry[]} kept
 * @param {Filter} filter
 */
export function inOrder(kept, filter) {
  // Of rolls that are shown for their luck, the greatest luck stands first.
  const size = (/** @type {Entry} */ { decision }) =>
    isOfLuck(filter) ? Math.abs(decision.decision.luck ?? 0) : weightIn(decision);
  return filter.order === "worst" ? kept.sort((a, b) => size(b) - size(a) || a.at - b.at) : kept;
}

/**
 * Whether a list begins anew at its first decision: where it gets the order of the worst ones.
 *
 * @param {Filter} before
 * @param {Filter} now
 */
export const beginsAnew = (before, now) => now.order === "worst" && before.order !== "worst";

/**
 * Whether a filter shows rolls by their luck.
 *
 * @param {Filter} filter
 */
export const isOfLuck = ({ kind }) => kind === "lucky" || kind === "unlucky";

/**
 * Whether a filter leaves something out; an order does not.
 *
 * @param {Filter} filter
 */
const isNarrow = (filter) =>
  Object.entries(filter).some(
    ([key, value]) => key !== "order" && value !== NO_FILTER[/** @type {keyof Filter} */ (key)],
  );

/**
 * The classes that occur, in the order of the first occurrence.
 *
 * @param {Entry[]} all
 */
export const classesIn = (all) => [...new Set(all.map(({ decision }) => decision.class))];

/**
 * Mistakes of each player by kind: how many of each severity, and what they lost.
 *
 * @param {Entry[]} all
 */
export function mistakeKinds(all) {
  const order = [
    "opening",
    "play",
    "bearoff",
    "missedDouble",
    "wrongDouble",
    "wrongTake",
    "wrongPass",
  ];
  return order.map((kind) => ({
    kind,
    sides: [0, 1].map((player) => {
      const own = all.filter(
        ({ decision }) => decision.player === player && mistakeOf(decision) === kind,
      );
      const marks = [1, 2, 3].map(
        (level) => own.filter(({ decision }) => severity(decision) === level).length,
      );
      return {
        count: own.length,
        marks,
        loss: own.reduce((sum, { decision }) => sum + decision.loss, 0),
      };
    }),
  }));
}

/**
 * The luckiest and the unluckiest rolls of both players, the greatest first. In a match what they
 * are worth decides, else their points.
 *
 * @param {Entry[]} all
 * @param {number} most
 */
export function jokers(all, most) {
  const rolls = all
    .filter(({ decision }) => typeof decision.decision.luck === "number")
    .map((entry) => ({
      entry,
      luck: entry.decision.decision.luck ?? 0,
      worth: (entry.decision.decision.luck ?? 0) * (entry.decision.unit ?? 1),
    }));
  const big = rolls
    .filter(({ luck }) => Math.abs(luck) >= JOKER)
    .sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth) || a.entry.at - b.entry.at);
  const count = (/** @type {number} */ player, /** @type {number} */ sign) =>
    big.filter(({ entry, luck }) => entry.decision.player === player && luck * sign > 0).length;
  return {
    rolls: big.slice(0, most),
    lucky: [count(0, 1), count(1, 1)],
    unlucky: [count(0, -1), count(1, -1)],
  };
}

/**
 * The place of the first decision of each game, and its name on the chart.
 *
 * @param {Entry[]} all
 */
export function gameStarts(all) {
  /** @type {{ game: number; at: number }[]} */
  const starts = [];
  for (const { game, at } of all) if (starts.at(-1)?.game !== game) starts.push({ game, at });
  return starts;
}

/**
 * The place of the next (1) or last (-1) decision that the filter wants, seen from a place; null if
 * there is none. The list of all decisions wants its mistakes.
 *
 * @param {Entry[]} list What the filter leaves, in its order
 * @param {Filter} filter
 * @param {number} at
 * @param {number} step
 */
export function nextWanted(list, filter, at, step) {
  const narrow = isNarrow(filter);
  const wanted = list.filter((entry) => entry.at === at || narrow || entry.decision.mark);
  const from = wanted.findIndex((entry) => entry.at === at);
  if (from >= 0) return wanted[from + step]?.at ?? null;
  // From outside the list: the nearest of the match, or the worst.
  if (filter.order === "worst") return (step > 0 ? wanted[0]?.at : null) ?? null;
  return (
    (step > 0 ? wanted.find((entry) => entry.at > at) : wanted.findLast((entry) => entry.at < at))
      ?.at ?? null
  );
}

/**
 * Two analyses of one record side by side: the decisions that count in either of them, the
 * greatest difference of losses first. A depth may count a double that the other finds far off.
 *
 * @param {{ games: { decisions: Decision[] }[] }} one
 * @param {{ games: { decisions: Decision[] }[] }} other
 */
export function differences(one, other) {
  const every = (/** @type {typeof one} */ match) =>
    match.games.flatMap(({ decisions }, game) =>
      decisions.map((decision, index) => ({ game, index, decision })),
    );
  const key = (/** @type {{ game: number; decision: Decision }} */ { game, decision }) =>
    `${game} ${decision.roll} ${decision.player} ${decision.decision.call ?? decision.decision.dice} ${decision.id}`;
  const [left, right] = [every(one), every(other)];
  const known = new Map(right.map((entry) => [key(entry), entry]));
  const lossOf = (/** @type {Decision} */ { counts, loss }) => (counts ? loss : 0);
  const twins = left.flatMap((entry) => {
    const twin = known.get(key(entry));
    return twin
      ? [
          {
            entry,
            twin,
            change: lossOf(twin.decision) - lossOf(entry.decision),
            once: entry.decision.counts !== twin.decision.counts,
          },
        ]
      : [];
  });
  const pairs = twins.filter(({ entry, twin }) => entry.decision.counts || twin.decision.counts);
  pairs.sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  return { pairs, same: twins.length >= 0.8 * Math.max(left.length, right.length) };
}
