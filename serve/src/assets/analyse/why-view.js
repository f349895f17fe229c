// @ts-check
// Why one play is better than another, and why to double or not: the engine's sentences in the
// person's language, the rolls that make the difference, and what differs on the boards.
import { el } from "../common/dom.js";
import { decimal, percent, signed, typeset } from "../common/format.js";
import { table } from "../common/tables.js";
import { known, t } from "../common/words.js";

/** Rolls in the table, besides those that the sentences name. */
const ROLLS = 5;

/** The rolls of the table. @param {any[]} rolls */
export const told = (rolls) => rolls.filter((roll, place) => roll.named || roll.against || place < ROLLS);

/** A value of a sentence in words. @param {any} value @returns {string | number} */
function word(value) {
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const words = value.map(word);
    return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${t("why.and")} ${words.at(-1)}`;
  }
  return "kind" in value ? inWords(value) : decimal(value.number, value.digits);
}

/**
 * A sentence in the person's language.
 * @param {{kind: string, values: Record<string, any>}} said
 * @returns {string}
 */
export function inWords(said) {
  const values = Object.fromEntries(Object.entries(said.values).map(([name, value]) => [name, word(value)]));
  return t(`why.say.${said.kind}`, values);
}

/** Sentences that are told at once; more of them stand behind a click. */
const FIRST = 3;

/**
 * The sentences as a list, the first ones open. A kind without words, which a newer server may send, is told in English.
 * @param {{said?: any[], sentences: string[]}} why
 */
export function sentences(why) {
  const all = why.sentences.map((english, i) => {
    const said = why.said?.[i];
    const isKnown = said && known(`why.say.${said.kind}`) !== null;
    return el("li", isKnown ? {} : { lang: "en" }, typeset(isKnown ? inWords(said) : english));
  });
  // One sentence more is no reason to hide it.
  if (all.length <= FIRST + 1) return el("ul", {}, all);
  return el("div", { class: "sentences" }, el("ul", {}, all.slice(0, FIRST)), el("details", {}, el("summary", {}, t("why.more", { n: all.length - FIRST })), el("ul", {}, all.slice(FIRST))));
}

/** What differs on the two boards, as rows. @param {any[]} rows */
export function boardRows(rows) {
  const cell = (/** @type {string} */ text) => (/^\d+\.\d$/.test(text) ? decimal(Number(text), 1) : text);
  const name = (/** @type {any} */ row) => (known(`why.say.${row.said.kind}`) === null ? row.what : inWords(row.said));
  return rows.map((row) => [name(row), cell(row.better), cell(row.worse)]);
}

/** What differs on the two boards. @param {any} why */
function boards(why) {
  if (!why.rows?.length) return null;
  return el("details", {}, el("summary", {}, t("why.boards")),
    table(t("why.boards.caption"), [t("why.boards.what"), why.better.play, why.worse.play], boardRows(why.rows)));
}

/** The explanation of a play. @param {any} why */
export function whyPart(why) {
  const rows = told(why.rolls).map((roll) => [roll.dice, signed(roll.share), roll.reply_to_better ?? t("why.won"), roll.reply_to_worse ?? t("why.won")]);
  return el("section", { class: "why" }, el("h3", {}, t("why.title", { better: why.better.play, worse: why.worse.play })), sentences(why),
    el("details", {}, el("summary", {}, t("why.rolls")),
      table(t("why.rolls.caption"), [t("why.roll"), t("why.share"), t("why.afterBetter", { play: why.better.play }), t("why.afterWorse", { play: why.worse.play })], rows)), boards(why));
}

/** The explanation of a cube decision. @param {any} why */
export function whyCubePart(why) {
  const losing = why.rolls.filter((/** @type {any} */ roll) => roll.lost > 0);
  const rows = losing.map((/** @type {any} */ roll) => [roll.dice, percent(roll.lost, 0), signed(roll.gain)]);
  return el("section", { class: "why" }, el("h3", {}, t("why.cube")), sentences(why),
    rows.length ? el("details", {}, el("summary", {}, t("why.cube.rolls")), table(t("why.cube.caption"), [t("why.roll"), t("why.cube.lost"), t("why.cube.gain")], rows)) : null);
}
