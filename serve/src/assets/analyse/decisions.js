// @ts-check
// The decisions of an analysed match: which are shown, in which order, and what they say together.
// Nothing here draws.

/**
 * @typedef {{
 *   play: string;
 *   after: string;
 *   equity: number;
 *   plies: number;
 *   outcomes: Record<string, number>;
 *   steps?: [number, number][];
 *   match_winning_chance?: number | null;
 * }} Play
 *
 * @typedef {{
 *   dice?: string;
 *   played?: string;
 *   legal?: number;
 *   luck?: number;
 *   plays?: Play[];
 *   call?: string;
 *   right?: string;
 *   no_double?: number;
 *   double_take?: number;
 *   double_pass?: number;
 *   outcomes?: Record<string, number>;
 * }} What
 *
 * @typedef {{
 *   player: number;
 *   roll: number;
 *   id: string;
 *   xgid: string;
 *   class: string;
 *   kind: string;
 *   loss: number;
 *   cost: number;
 *   mark: string;
 *   counts: boolean;
 *   mwc_after: number | null;
 *   decision: What;
 *   unit?: number;
 *   even?: number;
 * }} Decision
 *
 * @typedef {{ game: number; index: number; at: number; decision: Decision; undecided?: number }} Entry
 *
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

/** What people do with the cube wrongly, by what they did. @type {Record<string, string>} */
const CUBE_MISTAKES = {
  "no double": "missedDouble",
  double: "wrongDouble",
  take: "wrongTake",
  beaver: "wrongTake",
  drop: "wrongPass",
};

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
 * A decision with the mark of its loss as it is shown.
 *
 * @template {Decision} D
 * @param {D} decision
 * @returns {D}
 */
export const asShown = (decision) =>
  decision.counts === false ? decision : { ...decision, mark: markOf(decision.loss) };

/**
 * The letters of the plays of a decision, the same wherever they are named: A is the first play of
 * its table, and what the table lacks takes the next letter.
 *
 * @param {string[]} plays Of the table
 */
export function lettersOf(plays = []) {
  const named = [...plays];
  return (/** @type {string} */ play) => {
    if (!named.includes(play)) named.push(play);
    const at = named.indexOf(play);
    return { at, letter: String.fromCharCode(65 + at) };
  };
}

/** @typedef {ReturnType<typeof lettersOf>} Letters */

/** From which loss a decision is doubtful, bad, very bad. */
export const MARKS = /** @type {[number, string][]} */ ([
  [0.16, "??"],
  [0.08, "?"],
  [0.04, "?!"],
]);

/**
 * The mark of a loss as it is shown, with three digits.
 *
 * @param {number} loss
 */
export const markOf = (loss) =>
  MARKS.find(([least]) => Math.round(1000 * loss) >= Math.round(1000 * least))?.[1] ?? "";

/**
 * Whether the match has one point: a share of the match says it all there.
 *
 * @param {{ xgid?: string }} decision
 */
export const isToOne = ({ xgid }) => xgid?.split(":")[8] === "1";

/**
 * The share of the match that a decision costs; null where none is played.
 *
 * @param {Pick<Decision, "mwc_after" | "cost">} decision
 */
export const shareOf = ({ mwc_after: after, cost }) => (after === null ? null : cost);

/**
 * How heavy a loss weighs where the worst stands first: by the share of the match that it costs,
 * and in money games by its points.
 *
 * @param {{ loss: number; match_loss?: number | null }} judged
 */
export const weightOf = ({ loss, match_loss: share }) => share ?? loss;

/**
 * The same of a decision.
 *
 * @param {Decision} decision
 */
export const weightIn = (decision) =>
  weightOf({ loss: decision.loss, match_loss: shareOf(decision) });

/** From which loss a decision is worth a look, in points on a cube at 1. */
export const WORTH = 0.02;

/**
 * How bad a decision is: 0 fine, 1 doubtful, 2 bad, 3 very bad.
 *
 * @param {Decision} decision
 */
export const severity = (decision) => ["", "?!", "?", "??"].indexOf(decision.mark);

/**
 * The kind of a mistake: of the cube by its name, of a play by the phase of the game; null without
 * one.
 *
 * @param {Decision} decision
 */
export function mistakeOf(decision) {
  if (!decision.mark) return null;
  if (decision.decision.call) return CUBE_MISTAKES[decision.decision.call] ?? "cube";
  return decision.kind === "opening" ? "opening" : decision.kind === "bearoff" ? "bearoff" : "play";
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

/** What the server says in place of a title, where there are too few decisions for one. */
export const UNTITLED = "few decisions";

/**
 * Luck of a roll from which it is a joker, in points on a cube at 1; eXtreme Gammon draws the line
 * there, too.
 */
export const JOKER = 0.3;

/**
 * Whether a roll is a joker, by its name in the filters.
 *
 * @param {Decision} decision
 */
export function luckOf(decision) {
  const luck = decision.decision.luck ?? 0;
  return Math.abs(luck) < JOKER ? null : luck > 0 ? "lucky" : "unlucky";
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
 * The value of the position for the first player after a decision: match winning chances, or an
 * equity.
 *
 * @param {Decision} decision
 */
export function valueAfter(decision) {
  if (decision.mwc_after !== null) return decision.mwc_after;
  const what = decision.decision;
  const own = what.plays
    ? what.plays.find((play) => play.play === what.played)?.equity
    : ({
        double: Math.min(what.double_take ?? 0, what.double_pass ?? 0),
        take: what.double_take,
        beaver: what.double_take,
        drop: what.double_pass,
      }[what.call ?? ""] ?? what.no_double);
  // Answers to a double are seen by the doubler.
  const answers = ["take", "drop", "beaver"].includes(what.call ?? "");
  const first = answers ? decision.player === 1 : decision.player === 0;
  return first ? (own ?? 0) : -(own ?? 0);
}

/**
 * What an equity is worth at the score: match winning chances of the player on roll; null for
 * money.
 *
 * @param {Decision} decision
 * @param {number} equity
 */
export function chanceOf(decision, equity) {
  if (decision.mwc_after === null || decision.unit === undefined || decision.even === undefined)
    return null;
  return Math.max(0, Math.min(1, decision.even + decision.unit * equity));
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
 * Two analyses of one record beside each other: the decisions that count in either of them, the
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

/**
 * The name of a file of an analysis: the match, its length, and the ending of what is inside.
 *
 * @param {{ names: string[]; length: number | null }} match
 * @param {string} record The name of the record
 * @param {string} file
 */
export function fileName({ names, length }, record, file) {
  const safe = [...names, length ? `${length}` : "money"].map((part) =>
    part.replaceAll(/[^\p{L}\p{N}]+/gu, "_").slice(0, 40),
  );
  return `${safe.join("-")}.${/\.([a-z0-9]{1,8})$/i.exec(file === "record" ? record : file)?.[1] ?? "txt"}`;
}

// ---- The address of a page holds what it shows.

/**
 * @typedef {{
 *   id: string | null;
 *   match: number;
 *   game: number | null;
 *   index: number | null;
 *   beside: string | null;
 *   besideMatch?: number;
 *   filter: Filter;
 * }} Place
 *   `besideMatch` is the match of the analysis beside the first
 */

/**
 * @param {string} search
 * @returns {Place}
 */
export function placeOf(search) {
  const params = new URLSearchParams(search);
  /** @type {Filter} */
  const filter = { ...NO_FILTER };
  for (const key of /** @type {(keyof Filter)[]} */ (Object.keys(filter)))
    filter[key] = params.get(key) ?? filter[key];
  const at = /^(\d+)\.(\d+)$/.exec(params.get("at") ?? "");
  return {
    id: params.get("id"),
    beside: params.get("beside"),
    match: Number(params.get("match")) || 0,
    besideMatch: Number(params.get("besideMatch")) || 0,
    filter,
    game: at ? Number(at[1]) : null,
    index: at ? Number(at[2]) : null,
  };
}

/** @param {Place} place */
export function searchOf(place) {
  const params = new URLSearchParams();
  if (place.id) params.set("id", place.id);
  if (place.beside) params.set("beside", place.beside);
  for (const key of /** @type {const} */ (["match", "besideMatch"]))
    if (place[key]) params.set(key, `${place[key]}`);
  for (const [key, value] of Object.entries(place.filter))
    if (value !== NO_FILTER[/** @type {keyof Filter} */ (key)]) params.set(key, value);
  if (place.game !== null && place.index !== null) params.set("at", `${place.game}.${place.index}`);
  const text = params.toString();
  return text ? `?${text}` : "";
}
