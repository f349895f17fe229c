// @ts-check
// What an answer was worth, and the deck in numbers.
import { isYou } from "../analyse/board-view.js";
import { sentences } from "../analyse/why-view.js";
import { stepsOf } from "../board/notation.js";
import { cubeWords } from "../common/cube-words.js";
import { el } from "../common/dom.js";
import { decimal, percent, signed, wholePercents } from "../common/format.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";

/** @typedef {{ name: string, mistakes: number, loss: number, share: number, interval: [number, number] }} Share */

/** Mistakes from which on shares have an interval; fewer are counted instead. */
const ENOUGH = 20;

/** Rows of a table of shares. */
const ROWS = 6;

/** The words of the server for a kind, in the person's language. @param {string} name */
export const kindName = (name) => name.split(", ").map((part) => t(`practise.kind.${part.replaceAll(/[^a-z]/g, "")}`)).join(", ");

/**
 * Score and cube of a card, seen by the person: its XGID tells what is X's, and X is the person.
 * @param {any} card @param {string} player
 */
export function scoreWords({ xgid, cube, owner }, player) {
  const [own, other, rule, length] = xgid.split(":").slice(5).map(Number);
  const name = isYou(player) ? t("play.you") : player;
  const parts = length ? [t("practise.score.match", { n: length, name, own, other }), rule ? t("analyse.crawford") : ""]
    : [t("practise.score.money"), rule & 1 ? t("practise.score.jacoby") : "", rule & 2 ? t("practise.score.beavers") : ""];
  // A match to one point and the Crawford game are played without the cube.
  const place = length === 1 || (length && rule) ? "" : t(owner === "you" ? "practise.cube.own" : owner ? "practise.cube.other" : "practise.cube.middle", { value: cube });
  return [...parts, place].filter(Boolean).join("; ");
}

/**
 * The arrows of a verdict about a play: a right answer alone, as a good play; a wrong one beside the
 * best play.
 * @param {{ right: boolean, answer: string, best: string }} verdict
 */
export const arrowsOf = ({ right, answer, best }) => (right ? [{ steps: stepsOf(answer), kind: "both" }] : [{ steps: stepsOf(answer), kind: "played" }, { steps: stepsOf(best), kind: "best" }]);

/**
 * The verdict.
 * @param {any} verdict
 * @param {any} next the button that goes on
 * @param {boolean} isPlay whether a play was asked, not the cube
 */
export function verdictPart(verdict, next, isPlay) {
  const { right, loss, equities, why, said, kind, made_loss: cost, opponent, game, roll, days } = verdict;
  const isOwn = game !== null; // Not a new position.
  const inWords = (/** @type {string} */ decision) => (isPlay ? decision : cubeWords(decision));
  const [answer, best, made] = [verdict.answer, verdict.best, verdict.made].map(inWords);
  const head = right ? t(loss > 0 ? "practise.rightLost" : "practise.right", { answer, loss: decimal(loss, 3) }) : t("practise.wrong", { answer, loss: decimal(loss, 3) });
  // The answer is marked, and what the match had.
  const tags = (/** @type {string} */ decision) => [decision === verdict.answer ? "practise.isAnswer" : "", isOwn && decision === verdict.made ? "practise.isMade" : ""].filter(Boolean).map((key) => [" ", el("span", { class: "tag" }, t(key))]).flat();
  const rows = equities.map((/** @type {any} */ one) => [el("span", {}, inWords(one.decision), tags(one.decision)), signed(one.equity), t("common.ply", { n: one.plies })]);
  const from = isOwn ? t("practise.from", { opponent, game, roll, made, loss: decimal(cost, 3) }) : `${t("practise.fresh")}.`;
  const later = days === null ? t("practise.noCard") : t("practise.again", { n: days });
  return [
    el("h2", { class: right ? "right" : "wrong" }, head), el("p", {}, t("practise.best", { best })), el("p", {}, next),
    table(t("practise.equitiesOnly"), [t("practise.decision"), term(t("table.equity"), "equity"), term(t("practise.depth"), "ply")], rows),
    why.length ? sentences({ sentences: why, said }) : null,
    el("p", { class: "small" }, kindName(kind), `. ${from}`),
    el("p", { class: "small" }, right ? later : t("practise.againNow")),
  ].filter(Boolean);
}

/** @param {string} caption @param {Share[]} shares @param {string | null} meaning the word of the field that the heading is */
function sharesTable(caption, shares, meaning = null) {
  // The rest of the plays have a name that wants its meaning.
  const name = (/** @type {string} */ key) => (key === "other play" ? term(kindName(key), "positional") : kindName(key));
  const [first, rest] = [shares.slice(0, ROWS), shares.slice(ROWS)];
  const left = rest.reduce((sum, { share }) => sum + share, 0);
  const whole = wholePercents([...first.map(({ share }) => share), ...(rest.length ? [left] : [])]);
  const cell = (/** @type {number} */ i) => percent(whole[i] / 100, 0);
  const isEnough = shares.reduce((sum, { mistakes }) => sum + mistakes, 0) >= ENOUGH;
  const range = (/** @type {Share} */ { mistakes, interval: [low, high] }) => (isEnough ? `${decimal(100 * low, 0)}–${percent(high, 0)}` : `${mistakes}`);
  const rows = first.map((one, i) => [name(one.name), cell(i), range(one)]);
  if (rest.length) rows.push([t("practise.kind.rest", { n: rest.length }), cell(ROWS), isEnough ? "" : `${rest.reduce((sum, { mistakes }) => sum + mistakes, 0)}`]);
  return table(t("practise.shares", { what: caption }), [meaning ? term(caption, meaning) : caption, t("practise.share"), isEnough ? term("95 %", "interval") : t("practise.mistakes")], rows);
}

/** The deck in numbers, with what else belongs there. @param {any} overview @param {(HTMLElement | null)[]} more */
export function deckPart(overview, more = []) {
  const { player, matches, decisions, pr, cards, due, answers, shares } = overview;
  const rating = pr ? [", ", term(`PR ${decimal(pr[0], 1)}`, "pr"), ` (${t("analyse.interval", { low: decimal(Math.max(0, pr[0] - pr[1]), 1), high: decimal(pr[0] + pr[1], 1) })})`] : [];
  return [
    el("h2", {}, isYou(player) ? t("practise.deckOf.you") : t("practise.deckOf", { player })),
    el("p", {}, t("practise.what")),
    el("p", { class: "small" }, t("practise.deck", { matches, decisions }), rating),
    el("p", { class: "small" }, t("practise.cards", { n: cards, due, answers })),
    ...more,
    shares.plans.length ? sharesTable(t("practise.byGame"), shares.plans, "plan") : null,
    shares.mistakes.length ? sharesTable(t("practise.byMistake"), shares.mistakes) : null,
  ].filter(Boolean);
}
