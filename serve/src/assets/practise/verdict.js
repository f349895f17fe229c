// @ts-check
// What an answer was worth, what its analysis says of it, and the deck in numbers.
import { get, postWhenFree } from "../common/api.js";
import { setting } from "../common/settings.js";
import { offOf, pipsOf } from "../board/position.js";
import { answersOf, placeOfCard, prepared } from "../analyse/answers.js";
import { isYou, personNames } from "../analyse/board-view.js";
import { practiseOffers } from "../analyse/practise-buttons.js";
import { byDepth, verdict as verdictLine } from "../analyse/decision-view.js";
import { keptIn } from "../analyse/verdicts.js";
import { saidOfCube, saidOfPlays, sentences, withoutLoss } from "../analyse/why-view.js";
import { stepsOf } from "../board/notation.js";
import { cubeWords } from "../common/cube-words.js";
import { byId, el, empty, loading, say, sentence } from "../common/dom.js";
import { decimal, percent, signed, wholePercents, written } from "../common/format.js";
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

/** The cube of a card as the board draws it: none in a match to one point. @param {any} card */
const cubeOf = (card) => (card.xgid.split(":")[8] === "1" ? null : { value: card.cube, owner: card.owner === "you" ? "you" : card.owner ? "nonet" : null, offered: card.asks === "take" ? 2 * card.cube : null, to: "you" });

/** The person among the players with cards. @param {string[]} players */
export const personIn = (players) => personNames().map((name) => players.find((one) => one.toLowerCase() === name.toLowerCase())).find(Boolean);

/**
 * Draws a question with what stands around the board.
 * @param {import("../board/board.js").Board} board @param {string} player
 * @param {any} card @param {readonly number[]} now @param {any} more of the board
 */
export function drawQuestion(board, player, card, now, more) {
  board.draw(/** @type {any} */ ({ board: now, off: offOf(now), cube: cubeOf(card), ...more }));
  const [other, own] = sidesOfCard(card, now, player);
  byId("side-other").replaceChildren(...other);
  byId("side-own").replaceChildren(...own);
  byId("score").textContent = [card.fresh ? t("practise.fresh") : "", scoreWords(card)].filter(Boolean).join(" · ");
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
 * The arrows of a verdict about a play: the best play alone, or another answer beside it.
 * @param {{ answer: string, best: string }} verdict
 */
export const arrowsOf = ({ answer, best }) => (answer === best ? [{ steps: stepsOf(answer), kind: "both" }] : [{ steps: stepsOf(answer), kind: "played" }, { steps: stepsOf(best), kind: "best" }]);

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
 * @param {any} card @param {{ player: string, opponent: string, game: number, roll: number, made: string }} origin
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
      const more = [...(judged.analysed !== entry.decision || judged.undecided ? [el("p", { class: "small" }, t("practise.later", { made: /\d/.test(origin.made) ? origin.made : cubeWords(origin.made) })), verdictLine(judged, answer.matches[which].length !== null)] : []),
        ...(note ? [el("p", { class: "note" }, el("b", {}, t("analyse.note")), ": ", note)] : [])];
      if (more.length) return [...more, link];
      if (!first.length) first = [link];
    }
  } catch { /* The verdict stands without what is missing. */ }
  return first;
}

/** Whether a question is of a match to one point, where a share of the match says it all. @param {string} xgid */
const isToOne = (xgid) => scoreOf(xgid).length === 1;

/** A loss in the unit of its question: per cent of a match to one point, else points. @param {number} loss @param {boolean} toOne */
export const lossIn = (loss, toOne) => (toOne ? t("practise.loss.match", { share: percent(loss / 2) }) : t("practise.loss.points", { loss: decimal(loss, 3) }));

/** What a verdict says of the answer. @param {any} verdict @param {string} xgid */
export function headOf({ right, loss, answer }, xgid) {
  const words = { answer: /\d/.test(answer) ? answer : cubeWords(answer), loss: lossIn(loss, isToOne(xgid)) };
  return t(!right ? "practise.wrong" : loss > 0 ? "practise.rightLost" : "practise.right", words);
}

/** What was done in a round, and what is due. @param {{ answers: number, right: number, skipped: number }} told @param {any} overview @param {boolean} isLeft whether a round has something to ask */
export function endPart(told, { due, next_due: next }, isLeft) {
  const words = [told.answers ? t("practise.end", { answers: told.answers, right: told.right }) : "", told.skipped ? t("practise.skipped", { n: told.skipped }) : "",
    due ? t("practise.due", { n: due }) : next ? t("practise.nextDue", { day: written(new Date(1000 * next).toISOString().slice(0, 10)) }) : ""];
  return [el("h2", {}, t(told.answers || told.skipped ? "practise.doneForNow" : isLeft ? "practise.begin" : "practise.nothingDue")), el("p", {}, words.filter(Boolean).join(" "))];
}

/** The way back to where one came from. @param {string | null} from an analysis */
export const backLink = (from) => el("a", { class: "button", href: from ? `/analyse?id=${encodeURIComponent(from)}` : "/analyse" }, t(from ? "practise.toMatch" : "practise.toMatches"));

/**
 * Without cards: new positions, and the own analyses with mistakes that cards can be made of.
 * @param {any[]} analyses @param {HTMLElement} begin the button for new positions
 */
export function firstPart(analyses, begin) {
  const offers = practiseOffers(analyses);
  begin.classList.toggle("main", !offers.length);
  const analyse = el("p", {}, el("a", { class: "button", href: "/analyse" }, t("practise.analyse")));
  const own = empty(t(offers.length ? "practise.offer" : "practise.none"), ...offers, analyse);
  const fresh = [el("p", {}, t("practise.first")), el("p", { class: "tools" }, begin)];
  return offers.length ? [own, ...fresh] : [...fresh, own];
}

/** What stands in place of a question. @param {any[]} parts */
export function showEnd(...parts) {
  byId("standing").before(byId("end"));
  byId("end").replaceChildren(...parts);
  byId("end").hidden = false;
}

/** No board and no buttons of a question. */
export function hideQuestion() {
  for (const id of ["actions", "side-other", "side-own"]) byId(id).replaceChildren();
  for (const id of ["board", "typed", "progress"]) byId(id).hidden = true;
  byId("count").textContent = byId("score").textContent = byId("question").textContent = "";
  say("");
}

/**
 * The line of a table of cube actions that a decision leads to; a double to the better answer.
 * @param {string} call @param {{ decision: string, equity: number }[]} actions no double, take, pass
 */
export function lineOfCall(call, [no, take, pass]) {
  if (/^(no |roll|too good)/i.test(call)) return no.decision;
  if (/^(take|beaver)/.test(call)) return take.decision;
  return /^(pass|drop)/.test(call) || pass.equity < take.equity ? pass.decision : take.decision;
}

/** The deepest reasons of a cube decision that the server has. */
const DEEPEST_WHY = 3;

/** Why a cube decision is right, once the server has told it. @param {string} xgid @param {number} plies the depth of the verdict */
function whyOfCube(xgid, plies) {
  const place = el("div", {}, loading(t("why.cube.working")));
  postWhenFree("/why/cube", { id: xgid, ply: Math.min(plies, DEEPEST_WHY) }).then((why) => place.replaceChildren(sentences({ ...why, said: saidOfCube(why) }))).catch(() => place.replaceChildren());
  return place;
}

/**
 * The verdict.
 * @param {any} verdict
 * @param {any} next the button that goes on
 * @param {{ asks: string, xgid: string }} card what was asked
 * @param {HTMLElement} more a place for what comes later
 */
export function verdictPart(verdict, next, { asks, xgid }, more) {
  const [isPlay, toOne] = [asks === "play", isToOne(xgid)];
  const { right, equities, why, kind, made_loss: cost, opponent, game, roll, days } = verdict;
  const isOwn = game !== null; // Not a new position.
  const inWords = (/** @type {string} */ decision) => (isPlay ? decision : cubeWords(decision));
  const [best, made] = [verdict.best, verdict.made].map(inWords);
  // The answer is marked, and what the match had.
  const tags = (/** @type {string} */ decision) => [decision === line(verdict.answer) ? "practise.isAnswer" : "", isOwn && decision === line(verdict.made) ? "practise.isMade" : ""].filter(Boolean).map((key) => [" ", el("span", { class: "tag" }, t(key))]).flat();
  const line = (/** @type {string} */ decision) => (isPlay ? decision : lineOfCall(decision, equities));
  const sorted = byDepth(equities);
  const rows = sorted.map((/** @type {any} */ one) => [el("span", {}, inWords(one.decision), tags(one.decision)), toOne ? percent((1 + one.equity) / 2) : signed(one.equity), t("common.ply", { n: one.plies })]);
  const figures = table(t(toOne ? "table.matchWon" : "practise.equitiesOnly"), [t("practise.decision"), toOne ? term(t("table.matchWon"), "mwc") : term(t("table.equity"), "equity"), term(t("practise.depth"), "ply")], rows);
  figures.querySelectorAll("tbody tr").forEach((row, i) => {
    if (i && sorted[i].plies < sorted[i - 1].plies) row.before(el("tr", { class: "rule" }, el("td", { colspan: 3 }, t("analyse.shallow.rule", { n: sorted[i].plies }))));
  });
  const from = isOwn ? t("practise.from", { opponent, game, roll, made, loss: lossIn(cost, toOne) }) : `${t("practise.fresh")}.`;
  const later = days === null ? t("practise.noCard") : t("practise.again", { n: days });
  return [
    el("h2", { class: right ? "right" : "wrong" }, headOf(verdict, xgid)), verdict.answer === verdict.best ? null : el("p", {}, t("practise.best", { best })), el("p", {}, next), more,
    figures,
    why ? sentences(withoutLoss({ ...why, said: saidOfPlays(why) })) : isPlay ? null : whyOfCube(xgid, equities[0].plies),
    el("p", { class: "small" }, `${sentence(kindName(kind))}. ${from}`),
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
    matches ? el("h2", {}, isYou(player) ? t("practise.deckOf.you") : t("practise.deckOf", { player })) : null,
    el("p", { class: "small" }, matches ? [t("practise.deck", { matches, decisions }), ...rating, ". "] : [], t("practise.cards", { n: cards, answers })),
    shares.plans.length ? sharesTable(t("practise.byGame"), shares.plans, "plan") : null,
    shares.mistakes.length ? sharesTable(t("practise.byMistake"), shares.mistakes) : null,
    ...more,
  ].filter(Boolean);
}
