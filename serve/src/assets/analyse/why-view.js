// @ts-check
// Why one play is better than another: the engine's sentences, and the rolls that make the
// difference.
import { el } from "../common/dom.js";
import { signed } from "../common/format.js";
import { table } from "../common/tables.js";
import { t } from "../common/words.js";

/** Rolls in the table, besides those that the sentences name. */
const ROLLS = 5;

/** The rolls of the table. @param {any[]} rolls */
export const told = (rolls) => rolls.filter((roll, place) => roll.named || place < ROLLS);

/** The explanation. The sentences are the engine's, which speaks English. @param {any} why */
export function whyPart(why) {
  const rows = told(why.rolls).map((roll) => [roll.dice, signed(roll.share), roll.reply_to_better ?? t("why.won"), roll.reply_to_worse ?? t("why.won")]);
  return el("section", { class: "why" }, el("h3", {}, t("why.title", { better: why.better.play, worse: why.worse.play })),
    t("why.language") ? el("p", { class: "small" }, t("why.language")) : null,
    el("ul", { lang: "en" }, why.sentences.map((/** @type {string} */ sentence) => el("li", {}, sentence))),
    el("details", {}, el("summary", {}, t("why.rolls")),
      table(t("why.rolls.caption"), [t("why.roll"), t("why.share"), t("why.afterBetter", { play: why.better.play }), t("why.afterWorse", { play: why.worse.play })], rows)));
}
