// @ts-check
// Practice in three ways: the cards that are due, new positions, and a test. A wrong answer to the
// first two comes again at the end of the round.
import { Refused, get, postWhenFree } from "../common/api.js";
import { attempt, byId, el, empty, loading, say } from "../common/dom.js";
import { written } from "../common/format.js";
import { pageHead } from "../common/header.js";
import { host, query } from "../common/host.js";
import { t } from "../common/words.js";
import { Board } from "../board/board.js";
import { offOf } from "../board/position.js";
import { Roll } from "../board/roll.js";
import { Picking } from "../play/picking.js";
import { personNames, shownName } from "../analyse/board-view.js";
import { practiseOffers } from "../analyse/practise-buttons.js";
import { Drawing, Round } from "./drawing.js";
import { Review, testIntro, testPart, testsPart } from "./test.js";
import { arrowsOf, deckPart, ofAnalysis, scoreWords, sidesOfCard, verdictPart } from "./verdict.js";

pageHead("/practise");

/** What is asked. @type {"cards" | "new" | "test"} */
let way = "cards";
/** The questions of this round that are left, the one on the board first. @type {any[]} */
let ahead = [];
/** All questions of this round. */
let total = 0;
const round = new Round();
let player = query().get("player") ?? "";
/** The analysis that one comes from. */
const from = query().get("from");
/** The open test, as the server tells it. @type {any} */
let open = null;
/** The deck in numbers, as the server tells it. @type {any} */
let overview = null;
/** Questions of a test; new positions of a round, and those that are found before they are asked for. */
const [QUESTIONS, NEW, AHEAD] = [20, 5, 2];
const drawing = new Drawing(byId("drawing"));
/** Whether more new positions of this round are being drawn. */
let isDrawing = false;
/** @type {any} */
let verdict = null;
/** @type {Roll | null} */
let roll = null;
let busy = false;

const picking = new Picking({ move, render });
const board = new Board(byId("board"), {
  point: (point, how) => picking.point(point, how), drag: (point) => picking.drag(point), drop: (from, to) => picking.drop(from, to),
  cancel: () => picking.letGo(), dice: () => picking.swap(),
});

/** The cube of a card as the board draws it: none in a match to one point. @param {any} card */
const cubeOf = (card) => (card.xgid.split(":")[8] === "1" ? null : { value: card.cube, owner: card.owner === "you" ? "you" : card.owner ? "nonet" : null, offered: card.asks === "take" ? 2 * card.cube : null, to: "you" });

/** @param {import("../board/roll.js").Single[]} path */
function move(path) {
  roll?.make(path);
  picking.selected = null;
  render();
}

/** Draws a question with what stands around the board. @param {any} card @param {readonly number[]} now @param {any} more of the board */
function drawQuestion(card, now, more) {
  board.draw(/** @type {any} */ ({ board: now, off: offOf(now), cube: cubeOf(card), ...more }));
  const [other, own] = sidesOfCard(card, now, player);
  byId("side-other").replaceChildren(...other);
  byId("side-own").replaceChildren(...own);
  byId("score").textContent = [card.fresh ? t("practise.fresh") : "", scoreWords(card)].filter(Boolean).join(" · ");
}

function render() {
  const card = ahead[0];
  if (!card) return;
  const asks = roll && !verdict;
  const dice = card.dice && picking.swapped ? [...card.dice].reverse() : card.dice;
  const arrows = verdict && card.asks === "play" ? arrowsOf(verdict) : [];
  drawQuestion(card, verdict ? card.board : roll?.board ?? card.board, {
    dice, left: asks ? roll?.dice : undefined, arrows, sources: asks ? roll?.sources() : [], selected: picking.selected, targets: asks ? picking.targets() : [],
  });
  byId("typed").hidden = card.asks !== "play" || Boolean(verdict);
  showStanding(card);
  showActions(card);
}

/** Which question of how many this is. @param {any} card */
function showStanding(card) {
  const [n, of] = way === "test" ? [open.answered + 1, open.questions] : [total - ahead.length + 1, total];
  byId("count").textContent = t(way === "test" ? "practise.test.at" : round.wrong.has(card.xgid) && !verdict ? "practise.at.again" : `practise.at.${way}`, { n, of });
  const bar = byId("progress");
  [bar.max, bar.value, bar.hidden] = [of, n - (verdict ? 0 : 1), false];
}

/** The buttons of a question. @param {any} card */
function showActions(card) {
  /** @type {(key: string, action: () => void, shortcut: string, kind?: string, disabled?: boolean) => HTMLElement} */
  const button = (key, action, shortcut, kind = "", disabled = false) => el("button", { type: "button", class: kind, disabled: disabled || busy, onclick: action, "aria-keyshortcuts": shortcut }, t(key));
  const give = (/** @type {string} */ answer) => () => reply(answer);
  /** @type {HTMLElement[]} */
  let buttons = [];
  if (verdict) buttons = [];
  else if (card.asks === "play") {
    buttons = [button("practise.give", () => reply(roll?.play()?.play ?? ""), "c", "main", !roll?.play())];
    if (roll?.made.length) buttons.push(button("practise.back", back, "u"));
  } else if (card.asks === "double") buttons = [button("practise.double", give("double"), "d", "main"), button("practise.noDouble", give("roll"), "r", "main")];
  else buttons = [button("practise.take", give("take"), "t", "main"), button("practise.pass", give("pass"), "p", "main")];
  if (way === "test") buttons.push(button("practise.test.pause", () => attempt(load), "s", "quiet"));
  else if (!verdict) {
    const later = button("practise.skip", skip, "s", "quiet");
    later.title = t("practise.skip.how");
    buttons.push(later);
  }
  if (!verdict && roll && !roll.made.length) buttons.push(el("span", { class: "soft small" }, t("practise.how")));
  byId("actions").replaceChildren(...buttons);
}

function back() {
  roll?.takeBack();
  picking.selected = null;
  render();
}

function skip() {
  if (!ahead.shift()) return;
  round.skip(player);
  ask();
}

/** Begins a round with these questions. @param {any[]} cards */
function begin(cards) {
  [ahead, total] = [cards, cards.length];
  byId("end").hidden = true;
  ask();
  // On a phone the buttons that lead here are below the board.
  if (byId("asked").getBoundingClientRect().top < 0) byId("asked").scrollIntoView();
}

/** Asks the next question. */
function ask() {
  verdict = null;
  byId("verdict").replaceChildren();
  const card = ahead[0];
  if (!card && isDrawing && way === "new") return void waitForNew();
  if (!card) return void end();
  byId("board").hidden = false;
  roll = card.dice ? new Roll(card.board, card.dice, card.plays) : null;
  picking.begin(roll);
  byId("typed-play").value = "";
  render();
  say("");
  // In a place of its own: a message, such as that a play is not legal, leaves the question.
  byId("question").textContent = t(`practise.ask.${card.asks}`, { dice: card.dice?.join("") ?? "" });
}

/** Gives an answer. @param {string} answer */
async function reply(answer) {
  const card = ahead[0];
  if (!card || busy || verdict || !answer) return;
  busy = true;
  showActions(card);
  byId("verdict").replaceChildren(loading());
  const told = await attempt(() => postWhenFree(way === "test" ? "/practice/tests/answers" : "/practice/answers", { player, xgid: card.xgid, answer }));
  busy = false;
  if (!told) {
    byId("verdict").replaceChildren();
    render();
    return;
  }
  if (way === "test") return void goOnTesting(told);
  verdict = told;
  const next = el("button", { type: "button", class: "main", id: "next", onclick: goOn, "aria-keyshortcuts": "n" }, t("practise.next"));
  const more = el("div", {});
  byId("verdict").replaceChildren(...verdictPart(verdict, next, card.asks === "play", more));
  if (told.game !== null) ofAnalysis(card, { player, ...told }, from).then((parts) => more.replaceChildren(...parts));
  say("");
  byId("question").textContent = t(told.right ? "practise.wasRight" : "practise.wasWrong");
  render();
  next.focus();
  round.answer(player, card, told.right);
  attempt(() => fetchCards(0)); // The deck counts the answer.
}

function goOn() {
  const card = ahead.shift();
  if (card && verdict && !verdict.right) {
    ahead.push(round.wrong.get(card.xgid));
    total += 1;
  }
  ask();
}

/** The next question of the test, or its end. @param {any} state */
async function goOnTesting(state) {
  open = state.card ? state : null;
  if (open) {
    ahead = [state.card];
    return void ask();
  }
  ahead = [];
  hideQuestion();
  await attempt(() => fetchCards(0));
  const back = el("button", { type: "button", class: "main", onclick: () => attempt(load) }, t("practise.test.toCards"));
  const review = new Review(state.answers, (card, one) => {
    byId("board").hidden = false;
    drawQuestion(card, card.board, { dice: card.dice, arrows: card.asks === "play" ? arrowsOf({ ...one, right: one.answer === one.best }) : [] });
    byId("question").textContent = t(`practise.ask.${card.asks}`, { dice: card.dice?.join("") ?? "" });
  });
  showEnd(...testPart(state, overview?.tests ?? { results: [state.result] }, (at) => review.show(at)), el("p", { class: "tools" }, back));
  // The answers stand beside the board that shows them.
  byId("told").prepend(byId("verdict"), byId("end"));
  review.begin();
}

/** Says what a test is, or goes on with the open one. */
async function test() {
  if (way === "test" && ahead.length) return;
  if (open) return void askTest();
  way = "test";
  ahead = [];
  hideQuestion();
  byId("verdict").replaceChildren();
  showEnd(...testIntro(QUESTIONS, () => attempt(beginTest), () => attempt(load)));
  showDeck();
}

async function beginTest() {
  byId("end").hidden = true;
  let isDrawn = false;
  try {
    isDrawn = await drawing.begin("/practice/tests", { player, count: QUESTIONS });
  } finally {
    if (!isDrawn) byId("end").hidden = false;
  }
  if (!isDrawn) return;
  await fetchCards(0);
  if (open) askTest();
}

function askTest() {
  way = "test";
  showDeck();
  begin([open.card]);
}

/** Asks the new positions that wait, and draws those that are missing. */
async function askNew() {
  if (way === "new" && ahead.length) return;
  let waiting = (await fetchCards(0, NEW)).new;
  [way, ahead] = ["new", []];
  round.begin(player);
  showDeck();
  if (!waiting.length) {
    hideQuestion();
    byId("verdict").replaceChildren();
    byId("end").hidden = true;
    // The first one is asked as soon as it is there.
    const isOver = await drawing.begin("/practice/positions", { player, count: 1 }).catch((error) => { end(); throw error; });
    if (way !== "new") return;
    waiting = (await fetchCards(0, NEW)).new;
    if (!waiting.length) return void (isOver ? end() : load());
  }
  begin(fresh(waiting));
  const missing = NEW - waiting.length;
  if (missing <= 0) return;
  total = NEW;
  render();
  isDrawing = true;
  await draw(missing);
  isDrawing = false;
  if (way !== "new") return;
  const known = new Set(ahead.map(({ xgid }) => xgid));
  const more = (await fetchCards(0, NEW)).new.filter((/** @type {any} */ card) => !known.has(card.xgid)).slice(0, missing);
  total -= missing - more.length;
  const isIdle = !ahead.length;
  ahead.push(...fresh(more));
  if (!isIdle) return void render();
  byId("end").hidden = true;
  ask();
}

/** @param {any[]} cards */
const fresh = (cards) => cards.map((card) => ({ ...card, fresh: true }));

/** Draws new positions while something else is asked: what fails is not told. @param {number} count */
const draw = (count) => drawing.begin("/practice/positions", { player, count }, true).catch(() => false);

/** All new positions so far are answered, and more are on their way. */
function waitForNew() {
  hideQuestion();
  showEnd(loading(t("practise.drawing")));
}

/** What stands in place of a question. @param {any[]} parts */
function showEnd(...parts) {
  byId("standing").before(byId("end"));
  byId("end").replaceChildren(...parts);
  byId("end").hidden = false;
}

/** No board and no buttons of a question. */
function hideQuestion() {
  for (const id of ["actions", "side-other", "side-own"]) byId(id).replaceChildren();
  for (const id of ["board", "typed", "progress"]) byId(id).hidden = true;
  byId("count").textContent = byId("score").textContent = byId("question").textContent = "";
  say("");
}

/** Nothing is asked any more: what was done, and where one can go. */
async function end() {
  hideQuestion();
  const told = round.begin(player); // What is told now is not told again.
  const more = await attempt(() => fetchCards());
  if (!more?.overview) return;
  const due = dueNow();
  const { next_due: next } = more.overview;
  const words = [told.answers ? t("practise.end", { answers: told.answers, right: told.right }) : "", told.skipped ? t("practise.skipped", { n: told.skipped }) : "",
    due ? t("practise.due", { n: due }) : next ? t("practise.nextDue", { day: written(new Date(1000 * next).toISOString().slice(0, 10)) }) : ""];
  const button = (/** @type {string} */ text, /** @type {() => Promise<any>} */ act, isMain = false) => el("button", { type: "button", class: isMain ? "main" : "", onclick: () => attempt(act) }, text);
  const back = el("a", { class: "button", href: from ? `/analyse?id=${encodeURIComponent(from)}` : "/analyse" }, t(from ? "practise.toMatch" : "practise.toMatches"));
  showEnd(el("h2", {}, t(told.answers || told.skipped ? "practise.doneForNow" : due ? "practise.begin" : "practise.nothingDue")), el("p", {}, words.filter(Boolean).join(" ")),
    el("p", { class: "tools" }, due ? button(t("practise.startAgain"), load, true) : null, button(t("practise.new", { n: NEW }), askNew, !due), back));
}

/** The cards that are due, and those that come again, whatever their date. */
const dueNow = () => overview.due + round.wrong.size;

/** The ways to practise with the one that is used, and the deck in numbers. */
function showDeck() {
  if (!overview) return;
  const one = (/** @type {typeof way} */ name, /** @type {string} */ id, /** @type {string} */ words, /** @type {() => Promise<any>} */ act) => el("button", { type: "button", id, "aria-pressed": `${way === name}`, onclick: () => attempt(act) }, words);
  byId("ways").replaceChildren(one("cards", "cards", t("practise.way.cards", { n: dueNow() }), async () => { if (way !== "cards" || !ahead.length) await load(); }),
    one("new", "more", t("practise.way.new"), askNew), one("test", "test", open && way !== "test" ? t("practise.test.goOn", { n: open.answered, of: open.questions }) : t("practise.test"), test));
  byId("deck").replaceChildren(...deckPart(overview, t(`practise.what.${way}`), testsPart(overview.tests)));
}

/** The cards that are due now, new positions that wait, and the deck in numbers. @param {number} most due cards @param {number} fresh new positions */
async function fetchCards(most = 10, fresh = AHEAD) {
  const answer = await get(`/practice?cards=${Math.max(most, fresh)}${player ? `&player=${encodeURIComponent(player)}` : ""}`);
  [answer.cards, answer.new] = [answer.cards.slice(0, most), answer.new.slice(0, fresh)];
  open = answer.test;
  overview = answer.overview;
  if (overview) player = overview.player;
  showDeck();
  byId("player").replaceChildren(...answer.players.map((/** @type {string} */ name) => el("option", { value: name, selected: name === player }, shownName(name))));
  byId("player-label").hidden = answer.players.length < 2;
  return answer;
}

/** The person among the players with cards. @param {string[]} players */
const personIn = (players) => personNames().map((name) => players.find((one) => one.toLowerCase() === name.toLowerCase())).find(Boolean);

/** Asks the cards that are due, and those that come again. */
async function load() {
  way = "cards";
  let answer = await fetchCards().catch((error) => {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
    return null;
  });
  if (!answer) return void showNone();
  // Without a choice the person's own cards come first.
  const own = query().get("player") ? undefined : personIn(answer.players);
  if (own && own !== player) {
    player = own;
    answer = await fetchCards();
  }
  if (!answer.overview) return void showNone();
  round.take(player, answer.cards);
  begin([...answer.cards, ...round.wrong.values()]);
  showDeck();
  // The next new positions are found while one answers the cards.
  if (ahead.length && answer.new.length < AHEAD) draw(AHEAD);
}

/** There are no cards yet: what they are, and the latest own analyses with mistakes. */
async function showNone() {
  const offers = practiseOffers(/** @type {any[]} */ ((await attempt(() => get("/analyses"))) ?? []));
  const analyse = el("p", {}, el("a", { class: offers.length ? "button" : "button main", href: "/analyse" }, t("practise.analyse")));
  byId("asked").replaceChildren(el("h1", {}, t("practise.title")), el("p", { class: "lead" }, t("practise.what.cards")),
    empty(t(offers.length ? "practise.offer" : "practise.none"), ...offers, analyse));
}

byId("player").addEventListener("change", () => {
  host.go(`/practise?player=${encodeURIComponent(byId("player").value)}`);
});
byId("typed").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  reply(byId("typed-play").value.trim());
});
addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, dialog")) return;
  const found = /** @type {HTMLButtonElement | null} */ (document.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key.toLowerCase())}"]`));
  if (found && !found.disabled) found.click();
});

await attempt(load);
