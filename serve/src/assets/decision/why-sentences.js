// @ts-check
// The engine's sentences about plays and cube decisions, in the person's language.
import { el } from "../common/dom.js";
import { decimal, typeset } from "../common/format.js";
import { known, t } from "../common/words.js";

/**
 * A value of a sentence in words.
 *
 * @param {any} value
 * @returns {string | number}
 */
function word(value) {
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const words = value.map(word);
    return words.length < 2
      ? words.join("")
      : `${words.slice(0, -1).join(", ")} ${t("why.and")} ${words.at(-1)}`;
  }
  return "kind" in value ? inWords(value) : decimal(value.number, value.digits);
}

/**
 * A sentence in the person's language.
 *
 * @param {{ kind: string; values: Record<string, any> }} said
 * @returns {string}
 */
export function inWords(said) {
  const values = Object.fromEntries(
    Object.entries(said.values).map(([name, value]) => [name, word(value)]),
  );
  return t(`why.say.${said.kind}`, values);
}

/** @typedef {{ kind: string; values: Record<string, any> }} Said */

/**
 * The sentences about two plays. In a match, the verdict above them is a share of the match: what
 * the net sees is told without its points.
 *
 * @param {{ said?: Said[]; better: any }} why
 */
export function saidOfPlays({ said = [], better }) {
  if (typeof better.match_winning_chance !== "number") return said;
  return said.map((one) => {
    if (!one.kind.startsWith("themes")) return one;
    const lists = Object.entries(one.values).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((/** @type {Said} */ part) => part.values.name ?? part)
        : value,
    ]);
    return { ...one, values: Object.fromEntries(lists) };
  });
}

/**
 * The sentences about a cube decision; what the market makes in all is the sum of unrounded values.
 *
 * @param {{ said?: Said[]; gain: number; cost: number }} why
 */
export const saidOfCube = ({ said = [], gain, cost }) =>
  said.map((one) =>
    "sum" in one.values && one.kind.startsWith("market")
      ? { ...one, values: { ...one.values, sum: { ...one.values.sum, number: gain - cost } } }
      : one,
  );

/** Sentences that only say how far a play, a double or its answer is ahead. */
const OF_LOSS = [
  "better",
  "close",
  "double-now",
  "redouble-now",
  "wait",
  "wait-redouble",
  "too-good",
  "take",
  "pass",
  "beaver",
  "take-now",
  "pass-now",
  "beaver-now",
];

/**
 * An explanation without the sentences that repeat the loss.
 *
 * @template {{ said?: Said[] | null; sentences: string[] }} W
 * @param {W} why
 * @returns {W}
 */
export const withoutLoss = (why) =>
  without(
    why,
    (kind) => OF_LOSS.includes(kind),
    () => true,
  );

/**
 * An explanation without the sentences that name what the net sees, such as the back checkers.
 * They say neither what is good there nor how much. Where nothing else explains the play, they
 * stay.
 *
 * @template {{ said?: Said[] | null; sentences: string[] }} W
 * @param {W} why
 * @returns {W}
 */
export const withoutThemes = (why) =>
  without(
    why,
    (kind) => kind.startsWith("themes"),
    (kind) => !OF_LOSS.includes(kind),
  );

/**
 * An explanation without some sentences, where what is left explains something.
 *
 * @template {{ said?: Said[] | null; sentences: string[] }} W
 * @param {W} why
 * @param {(kind: string) => boolean} leaves
 * @param {(kind: string) => boolean} explains
 * @returns {W}
 */
function without(why, leaves, explains) {
  const kindOf = (/** @type {number} */ i) => why.said?.[i]?.kind ?? "";
  const keeps = (/** @type {unknown} */ _, /** @type {number} */ i) => !leaves(kindOf(i));
  const isLeft = why.sentences.some((_, i) => keeps(_, i) && explains(kindOf(i)));
  return isLeft
    ? { ...why, sentences: why.sentences.filter(keeps), said: why.said?.filter(keeps) }
    : why;
}

/** Sentences that are told at once; more of them stand behind a click. */
const FIRST = 3;

/**
 * The sentences as a list, the first ones open. A verdict above them tells the loss, so they begin
 * with the reasons. A kind without words, which a newer server may send, is told in English.
 *
 * @param {{ said?: any[]; sentences: string[] }} told
 * @param {number} first How many are open
 * @param {number} most If no more, none is hidden
 */
export function sentences(told, first = FIRST, most = first + 1) {
  const why = withoutThemes(withoutLoss(told));
  /** @type {HTMLElement[]} */
  const all = [];
  why.sentences.forEach((english, i) => {
    const said = why.said?.[i];
    const isKnown = said && known(`why.say.${said.kind}`) !== null;
    const words = typeset(isKnown ? inWords(said) : english);
    // What the other throws make belongs to those that are named.
    if (said?.kind.startsWith("rest-") && all.length) all[all.length - 1].append(" ", words);
    else all.push(el("li", isKnown ? {} : { lang: "en" }, words));
  });
  // One sentence more is no reason to hide it.
  if (all.length <= most) return el("ul", {}, all);
  return el(
    "div",
    { class: "sentences" },
    el("ul", {}, all.slice(0, first)),
    el(
      "details",
      {},
      el("summary", {}, t("why.more", { n: all.length - first })),
      el("ul", {}, all.slice(first)),
    ),
  );
}
