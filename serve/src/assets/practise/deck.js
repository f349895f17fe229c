// @ts-check
// The deck of a player in numbers: matches, cards, and the shares of kinds of mistakes.
import { isYou } from "../common/players.js";
import { el } from "../common/dom.js";
import { decimal, percent, wholePercents } from "../common/format.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { WRONG } from "./judgement.js";
import { MEANINGS, kindName } from "./kinds.js";
import { otherName } from "./players.js";

/**
 * @typedef {{
 *   name: string;
 *   mistakes: number;
 *   loss: number;
 *   share: number;
 *   interval: [number, number];
 * }} Share
 */

/** Mistakes from which on shares have an interval; fewer are counted instead. */
const ENOUGH = 20;

/** Rows of a table of shares. */
const ROWS = 6;

/**
 * @param {string} caption
 * @param {Share[]} shares
 * @param {string | null} meaning The word of the field that the heading is
 */
function sharesTable(caption, shares, meaning = null) {
  const name = (/** @type {string} */ key) =>
    MEANINGS[key] ? term(kindName(key), MEANINGS[key]) : kindName(key);
  // A single one more has its own row.
  const most = shares.length === ROWS + 1 ? ROWS + 1 : ROWS;
  const [first, rest] = [shares.slice(0, most), shares.slice(most)];
  const left = rest.reduce((sum, { share }) => sum + share, 0);
  const whole = wholePercents([...first.map(({ share }) => share), ...(rest.length ? [left] : [])]);
  const cell = (/** @type {number} */ i) => percent(whole[i] / 100, 0);
  const isEnough = shares.reduce((sum, { mistakes }) => sum + mistakes, 0) >= ENOUGH;
  const range = (/** @type {Share} */ { mistakes, interval: [low, high] }) =>
    isEnough ? `${decimal(100 * low, 0)}–${percent(high, 0)}` : `${mistakes}`;
  const rows = first.map((one, i) => [name(one.name), cell(i), range(one)]);
  if (rest.length)
    rows.push([
      t("practise.kind.rest", { n: rest.length }),
      cell(ROWS),
      isEnough ? "" : `${rest.reduce((sum, { mistakes }) => sum + mistakes, 0)}`,
    ]);
  return table(
    t("practise.shares", { what: caption }),
    [
      meaning ? term(caption, meaning) : caption,
      t("practise.share"),
      isEnough ? term("95 %", "interval") : t("practise.mistakes"),
    ],
    rows,
  );
}

/**
 * The deck in numbers, with what else belongs there.
 *
 * @param {any} overview
 * @param {string} what Is asked now, in words; empty to a guest
 * @param {(HTMLElement | null)[]} more
 * @param {boolean} isOther Whether it is the deck of another person
 */
export function deckPart(overview, what, more = [], isOther = false) {
  const { player, matches, decisions, pr, cards, answers, shares } = overview;
  const rating = pr
    ? [
        ", ",
        term(`PR ${decimal(pr[0], 1)}`, "pr"),
        ` (${t("analyse.interval", { low: decimal(Math.max(0, pr[0] - pr[1]), 1), high: decimal(pr[0] + pr[1], 1) })})`,
      ]
    : [];
  return [
    what ? el("p", {}, what) : null,
    matches
      ? el(
          "h2",
          {},
          isYou(player) && !isOther
            ? t("practise.deckOf.you")
            : t("practise.deckOf", { player: otherName(player) }),
        )
      : null,
    el(
      "p",
      { class: "small" },
      matches ? [t("practise.deck", { matches, decisions }), ...rating, ". "] : [],
      t("practise.cards", { n: cards, answers }),
    ),
    shares.plans.length ? sharesTable(t("practise.byGame"), shares.plans, "plan") : null,
    // While a question is open, the kinds of mistakes would tell its answer.
    shares.mistakes.length
      ? el("div", { class: "answered" }, sharesTable(t("practise.byMistake"), shares.mistakes))
      : null,
    [...shares.plans, ...shares.mistakes].some(({ mistakes, share }) => !mistakes && share > 0)
      ? el("p", { class: "small" }, t("practise.shares.how", { least: decimal(WRONG, 2) }))
      : null,
    ...more,
  ].filter(Boolean);
}
