// @ts-check
// What an answer was worth, what its analysis says of it, and the deck in numbers.
import { get } from "../common/api.js";
import { setting } from "../common/settings.js";
import { pipsOf } from "../board/position.js";
import { answersOf, placeOfCard, prepared } from "../analyse/answers.js";
import { isYou } from "../analyse/board-view.js";
import { verdict as verdictLine } from "../analyse/decision-view.js";
import { keptIn } from "../analyse/verdicts.js";
import { saidOfPlays, sentences, withoutLoss } from "../analyse/why-view.js";
import { stepsOf } from "../board/notation.js";
import { cubeWords } from "../common/cube-words.js";
import { el, sentence } from "../common/dom.js";
import { decimal, percent, signed, wholePercents } from "../common/format.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";

/** @typedef {{ name: string, mistakes: number, loss: number, share: number, interval: [number, number] }} Share */

/** Mistakes from which on shares have an interval; fewer are counted instead. */
const ENOUGH = 20;

/** Rows of a table of shares. */
const ROWS = 6;

/** What the server calls all scores that are no special ones: as a part of a kind it says nothing. */
const USUAL = "other scores";

/** The words of the server for a kind, in the person's language. @param {string} name */
export const kindName = (name) => name.split(", ").filter((part) => part !== USUAL).map((part) => t(`practise.kind.${part.replaceAll(/[^a-z]/g, "")}`)).join(", ");

/** The score of a card, seen by X, who is the person. @param {string} xgid */
function scoreOf(xgid) {
  const [own, other, rule, length] = xgid.split(":").slice(5).map(Number);
  return { points: [own, other], rule, length };
}

/** Match and cube of a card, seen by the person. @param {any} card */
export function scoreWords({ xgid, cube, owner }) {
  const { rule, length } = scoreOf(xgid);
  const parts = length ? [t("practise.score.match", { n: length }), rule ? t("analyse.crawford") : ""]
    : [t("practise.score.money"), rule & 1 ? t("practise.score.jacoby") : "", rule & 2 ? t("practise.score.beavers") : ""];
  // A match to one point and the Crawford game are played without the cube.
  const place = length === 1 || (length && rule) ? "" : t(owner === "you" ? "practise.cube.own" : owner ? "practise.cube.other" : "practise.cube.middle", { value: cube });
  return [...parts, place].filter(Boolean).join(" · ");
}

/**
 * What stands above and below the board: who, pips, points.
 * @param {any} card @param {readonly number[]} board as it is shown @param {string} player
 */
export function sidesOfCard({ xgid }, board, player) {
  const { points, length } = scoreOf(xgid);
  const pips = pipsOf(board);
  const light = setting("checkers") === "light";
  const line = (/** @type {number} */ i, /** @type {string} */ name) => [el("span", { class: "who" }, el("span", { class: `chip side${Number((i === 0) !== light)}` }), name),
    el("span", { class: "soft" }, [setting("pips") === "yes" ? t("analyse.pips", { n: pips[i] }) : "", length ? t("analyse.away", { points: points[i], away: length - points[i] }) : ""].filter(Boolean).join(" · "))];
  return [line(1, t("practise.opponent")), line(0, isYou(player) ? t("play.you") : player)];
}

/**
 * The arrows of a verdict about a play: a right answer alone, as a good play; a wrong one beside the
 * best play.
 * @param {{ right: boolean, answer: string, best: string }} verdict
 */
export const arrowsOf = ({ right, answer, best }) => (right ? [{ steps: stepsOf(answer), kind: "both" }] : [{ steps: stepsOf(answer), kind: "played" }, { steps: stepsOf(best), kind: "best" }]);

/** The analyses that cards come from, each asked for once. @type {Map<string, Promise<any>>} */
const analyses = new Map();

/** @param {string} id */
function analysisOf(id) {
  const known = analyses.get(id) ?? get(`/analyses/${encodeURIComponent(id)}`).then(prepared);
  analyses.set(id, known);
  return known;
}

/** The most analyses that a card is looked for in. */
const LOOKED = 4;

/**
 * What the analysis of a card says of its decision: a link to it, what a deeper look or a rollout
 * has found, and the person's note. Of several analyses of the match, the first one that has more
 * than the card tells. Nothing where none is here any more.
 * @param {any} card @param {{ player: string, opponent: string, game: number, roll: number }} origin
 * @param {string | null} from the analysis that the person comes from
 * @returns {Promise<HTMLElement[]>}
 */
export async function ofAnalysis(card, origin, from) {
  /** @type {HTMLElement[]} */
  let first = [];
  try {
    const has = (/** @type {any} */ { names }) => [origin.player, origin.opponent].every((name) => names.some((/** @type {string} */ one) => one.toLowerCase() === name.toLowerCase()));
    const rows = /** @type {any[]} */ (await get("/analyses")).filter((row) => row.state === "done" && row.matches.some(has));
    rows.sort((a, b) => Number(b.id === from) - Number(a.id === from));
    for (const { id } of rows.slice(0, LOOKED)) {
      const answer = await analysisOf(id);
      const place = placeOfCard(answer, card, origin);
      if (!place) continue;
      const { which, entry } = place;
      const answers = answersOf(answer, which, keptIn(localStorage));
      const [judged, note] = [answers.judgedOf(entry), answers.noteOf(entry)];
      const link = el("p", { class: "small" }, el("a", { href: `/analyse?id=${encodeURIComponent(id)}${which ? `&match=${which}` : ""}&at=${entry.game}.${entry.index}` }, t("practise.toDecision")));
      const more = [...(judged.analysed !== entry.decision || judged.undecided ? [el("p", { class: "small" }, t("practise.later")), verdictLine(judged, answer.matches[which].length !== null)] : []),
        ...(note ? [el("p", { class: "note" }, el("b", {}, t("analyse.note")), ": ", note)] : [])];
      if (more.length) return [...more, link];
      if (!first.length) first = [link];
    }
  } catch { /* The verdict stands without what is missing. */ }
  return first;
}

/**
 * The verdict.
 * @param {any} verdict
 * @param {any} next the button that goes on
 * @param {boolean} isPlay whether a play was asked, not the cube
 * @param {HTMLElement} more a place for what comes later
 */
export function verdictPart(verdict, next, isPlay, more) {
  const { right, loss, equities, why, kind, made_loss: cost, opponent, game, roll, days } = verdict;
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
    el("h2", { class: right ? "right" : "wrong" }, head), verdict.answer === verdict.best ? null : el("p", {}, t("practise.best", { best })), el("p", {}, next),
    table(t("practise.equitiesOnly"), [t("practise.decision"), term(t("table.equity"), "equity"), term(t("practise.depth"), "ply")], rows),
    why ? sentences(withoutLoss({ ...why, said: saidOfPlays(why) })) : null,
    el("p", { class: "small" }, `${sentence(kindName(kind))}. ${from}`),
    more,
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

/** The deck in numbers, with what else belongs there. @param {any} overview @param {string} what is asked now, in words @param {(HTMLElement | null)[]} more */
export function deckPart(overview, what, more = []) {
  const { player, matches, decisions, pr, cards, answers, shares } = overview;
  const rating = pr ? [", ", term(`PR ${decimal(pr[0], 1)}`, "pr"), ` (${t("analyse.interval", { low: decimal(Math.max(0, pr[0] - pr[1]), 1), high: decimal(pr[0] + pr[1], 1) })})`] : [];
  return [
    el("p", {}, what),
    el("h2", {}, isYou(player) ? t("practise.deckOf.you") : t("practise.deckOf", { player })),
    el("p", { class: "small" }, t("practise.deck", { matches, decisions }), rating, ". ", t("practise.cards", { n: cards, answers })),
    shares.plans.length ? sharesTable(t("practise.byGame"), shares.plans, "plan") : null,
    shares.mistakes.length ? sharesTable(t("practise.byMistake"), shares.mistakes) : null,
    ...more,
  ].filter(Boolean);
}
