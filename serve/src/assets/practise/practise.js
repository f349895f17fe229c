// @ts-check
// Practice: the cards that are due, then new positions, one after the other. A wrong answer comes
// again at the end. A test asks new positions once each.
import { get, post } from "../common/api.js";
import { attempt, byId, el, empty, loading, say } from "../common/dom.js";
import { recordName } from "../common/format.js";
import { pageHead } from "../common/header.js";
import { host, query } from "../common/host.js";
import { ownAnalyses } from "../common/own.js";
import { t } from "../common/words.js";
import { Board } from "../board/board.js";
import { offOf } from "../board/position.js";
import { Roll } from "../board/roll.js";
import { Picking } from "../play/picking.js";
import { personNames, shownName } from "../analyse/board-view.js";
import { practiseButtons } from "../analyse/practise-buttons.js";
import { Drawing } from "./drawing.js";
import { testPart, testsPart } from "./test.js";
import { arrowsOf, deckPart, scoreWords, verdictPart } from "./verdict.js";

pageHead("/practise");

/** @type {any[]} */
let ahead = [];
/** This round: its answers, the right ones, and the cards that were skipped. It survives a reload. */
const NONE_DONE = Object.freeze({ answers: 0, right: 0, skipped: 0 });
const done = { ...NONE_DONE };
let player = query().get("player") ?? "";
/** The analysis that one comes from. */
const from = query().get("from");
/** The open test, as the server tells it. @type {any} */
let open = null;
/** Whether the test is asked, and not the cards. */
let tests = false;
/** New positions of a session, and of a request for more. */
const [NEW, MORE] = [2, 5];
const drawing = new Drawing(byId("drawing"));
/** Where the round is kept, with the cards that come again in it: they survive a reload. */
const AGAIN = "nonet-practise-again";
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

function render() {
  const card = ahead[0];
  if (!card) return;
  const now = roll?.board ?? card.board;
  const asks = roll && !verdict;
  const dice = card.dice && picking.swapped ? [...card.dice].reverse() : card.dice;
  const arrows = verdict && card.asks === "play" ? arrowsOf(verdict) : [];
  board.draw(/** @type {any} */ ({
    board: verdict ? card.board : now, off: offOf(verdict ? card.board : now), cube: cubeOf(card), dice, left: asks ? roll?.dice : undefined, arrows,
    sources: asks ? roll?.sources() : [], selected: picking.selected, targets: asks ? picking.targets() : [],
  }));
  byId("count").textContent = countWords();
  byId("score").textContent = [card.fresh && !tests ? t("practise.fresh") : "", scoreWords(card, player)].filter(Boolean).join("; ");
  byId("typed").hidden = card.asks !== "play" || Boolean(verdict);
  showActions(card);
}

/** What is left of this round, or where the test stands. */
function countWords() {
  if (tests) return t("practise.test.at", { n: open.answered + 1, of: open.questions });
  const left = ahead.slice(verdict?.right ? 1 : 0);
  const fresh = left.filter((card) => card.fresh).length;
  return t(fresh ? "practise.left.fresh" : "practise.left", { n: left.length, fresh });
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
  if (tests) buttons.push(button("practise.test.pause", () => attempt(load), "s", "quiet"));
  else if (!verdict) buttons.push(button("practise.skip", skip, "s", "quiet"));
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
  done.skipped += 1;
  keepAgain();
  ask();
}

/** Asks the next card. */
function ask() {
  verdict = null;
  byId("verdict").replaceChildren();
  const card = ahead[0];
  if (!card) return void end();
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
  const told = await attempt(() => post(tests ? "/practice/tests/answers" : "/practice/answers", { player, xgid: card.xgid, answer }));
  busy = false;
  if (!told) {
    byId("verdict").replaceChildren();
    render();
    return;
  }
  if (tests) return void goOnTesting(told);
  verdict = told;
  done.answers += 1;
  done.right += told.right ? 1 : 0;
  const next = el("button", { type: "button", class: "main", id: "next", onclick: goOn, "aria-keyshortcuts": "n" }, t("practise.next"));
  byId("verdict").replaceChildren(...verdictPart(verdict, next, card.asks === "play"));
  say("");
  byId("question").textContent = "";
  render();
  next.focus();
  card.again = !told.right;
  keepAgain();
  attempt(() => fetchCards(0)); // The deck counts the answer.
}

/** The next question of the test, or its end. @param {any} state */
async function goOnTesting(state) {
  open = state.card ? state : null;
  ahead = state.card ? [state.card] : [];
  if (open) return void ask();
  tests = false;
  byId("verdict").replaceChildren();
  hideQuestion();
  const more = await attempt(() => fetchCards(0));
  const back = el("button", { type: "button", class: "main", onclick: () => attempt(load) }, t("practise.test.toCards"));
  byId("end").replaceChildren(...testPart(state, more?.overview.tests ?? { results: [state.result] }), el("p", { class: "tools" }, back));
  byId("end").hidden = false;
}

/** Asks the open test, or draws one. */
async function test() {
  if (!open) {
    if (!await drawing.begin("/practice/tests", { player })) return;
  }
  tests = true;
  await fetchCards(0);
  if (!open) return void attempt(load);
  ahead = [open.card];
  showBoard();
  ask();
}

/** Draws more new positions, which are asked after what is ahead. @param {number} count */
async function drawMore(count) {
  const isQuiet = count === NEW;
  // What was drawn before Stop waits, too.
  if (!await drawing.begin("/practice/positions", { player, count }, isQuiet) && isQuiet) return;
  const answer = await fetchCards(0, MORE + NEW);
  if (tests) return;
  const isIdle = !ahead.length;
  takeFresh(answer.new);
  if (!ahead.length) return;
  if (isIdle) {
    showBoard();
    ask();
  } else render();
}

/** New positions come after what is ahead. @param {any[]} cards */
function takeFresh(cards) {
  const known = new Set(ahead.map(({ xgid }) => xgid));
  ahead.push(...cards.filter(({ xgid }) => !known.has(xgid)).map((card) => ({ ...card, fresh: true })));
}

/** The board in place of the end of a round. */
function showBoard() {
  byId("end").hidden = true;
  byId("board").hidden = false;
  // On a phone the buttons that lead here are below it.
  if (byId("asked").getBoundingClientRect().top < 0) byId("asked").scrollIntoView();
}

function goOn() {
  const card = ahead.shift();
  // A new position that was answered wrong is a card now.
  if (card && verdict && !verdict.right) ahead.push({ ...card, fresh: false });
  ask();
}

/** Keeps the round and the cards of wrong answers, which come again. */
function keepAgain() {
  try {
    sessionStorage.setItem(AGAIN, JSON.stringify({ player, done, cards: ahead.filter((card) => card.again) }));
  } catch { /* A browser that keeps nothing: the cards stay for this page. */ }
}

/** The round from before a reload, and its cards of wrong answers. @returns {{ cards: any[], done: Partial<typeof done> }} */
function keptAgain() {
  const none = { cards: [], done: {} };
  try {
    const kept = JSON.parse(sessionStorage.getItem(AGAIN) ?? "{}");
    return kept.player === player ? { ...none, ...kept } : none;
  } catch {
    return none; // Not ours, or cut short.
  }
}

/** No board and no buttons of a question. */
function hideQuestion() {
  byId("actions").replaceChildren();
  for (const id of ["board", "typed"]) byId(id).hidden = true;
  byId("count").textContent = byId("score").textContent = byId("question").textContent = "";
  say("");
}

/** Nothing is asked any more: what was done, and where one can go. */
async function end() {
  hideQuestion();
  // What is told now is not told again.
  sessionStorage.removeItem(AGAIN);
  const more = await attempt(fetchCards);
  if (!more?.overview) return;
  const { due } = more.overview;
  const told = [done.answers ? t("practise.end", { answers: done.answers, right: done.right }) : "", done.skipped ? t("practise.skipped", { n: done.skipped }) : "", due ? t("practise.due", { n: due }) : t("practise.nothingDue")];
  const again = el("button", { type: "button", class: "main", onclick: () => attempt(load) }, t("practise.startAgain"));
  const back = el("a", { class: "button", href: from ? `/analyse?id=${encodeURIComponent(from)}` : "/analyse" }, t(from ? "practise.toMatch" : "practise.toMatches"));
  byId("end").replaceChildren(el("h2", {}, t("practise.doneForNow")), el("p", {}, told.filter(Boolean).join(" ")), el("p", { class: "tools" }, due || more.new.length ? again : null, back));
  byId("end").hidden = false;
}

/** What can be asked besides the cards that are due; nothing while a test is asked. */
function moreButtons() {
  if (tests) return null;
  const one = (/** @type {string} */ id, /** @type {string} */ words, /** @type {() => void} */ action) => el("button", { type: "button", id, onclick: action }, words);
  return el("div", {}, el("p", { class: "tools" }, one("more", t("practise.new", { n: MORE }), () => attempt(() => drawMore(MORE))),
    one("test", open ? t("practise.test.goOn", { n: open.answered, of: open.questions }) : t("practise.test"), () => attempt(test))), el("p", { class: "small" }, t("practise.test.what")));
}

/** The cards that are due now, new positions that wait, and the deck in numbers. @param {number} most due cards @param {number} fresh new positions */
async function fetchCards(most = 10, fresh = NEW) {
  const answer = await get(`/practice?cards=${Math.max(most, fresh)}${player ? `&player=${encodeURIComponent(player)}` : ""}`);
  [answer.cards, answer.new] = [answer.cards.slice(0, most), answer.new.slice(0, fresh)];
  open = answer.test;
  if (answer.overview) {
    player = answer.overview.player;
    // A card that comes again in this session is still to be answered, whatever its date.
    const again = ahead.filter((card) => card.again).length;
    byId("deck").replaceChildren(...deckPart({ ...answer.overview, due: answer.overview.due + again }, [moreButtons(), ...testsPart(answer.overview.tests)]));
  }
  byId("player").replaceChildren(...answer.players.map((/** @type {string} */ name) => el("option", { value: name, selected: name === player }, shownName(name))));
  byId("player-label").hidden = answer.players.length < 2;
  return answer;
}

/** The person among the players with cards. @param {string[]} players */
const personIn = (players) => personNames().map((name) => players.find((one) => one.toLowerCase() === name.toLowerCase())).find(Boolean);

async function load() {
  tests = false;
  let answer = await fetchCards();
  // Without a choice the person's own cards come first.
  const own = query().get("player") ? undefined : personIn(answer.players);
  if (own && own !== player) {
    player = own;
    answer = await fetchCards();
  }
  if (!answer.overview) return void showNone();
  const kept = keptAgain();
  const again = kept.cards.filter((card) => !answer.cards.some((/** @type {any} */ one) => one.xgid === card.xgid));
  const due = answer.cards.length;
  ahead = [...answer.cards, ...again];
  takeFresh(answer.new);
  if (again.length) await fetchCards(0);
  Object.assign(done, NONE_DONE, kept.done);
  showBoard();
  ask();
  // The next new positions are found while one answers the cards.
  if (due && answer.new.length < NEW) attempt(() => drawMore(NEW));
}

/** Analyses that are offered to somebody without cards. */
const OFFERED = 3;

/** There are no cards yet: what they are, and the latest own analyses with mistakes. */
async function showNone() {
  const rows = ownAnalyses(/** @type {any[]} */ ((await attempt(() => get("/analyses"))) ?? []));
  const withMistakes = rows.filter((row) => row.state === "done" && row.matches.some((/** @type {any} */ one) => one.pr.some(Boolean)));
  // Of several analyses of a record the deepest one is offered.
  const deepest = withMistakes.filter((row) => !withMistakes.some((other) => other.record === row.record && other.plies > row.plies));
  const offers = deepest.slice(0, OFFERED).map((row) => el("div", {}, el("p", {}, el("b", {}, row.matches[0].names.map(shownName).join(" – ")), " ", el("small", { class: "soft" }, recordName(row.name)), " ", el("span", { class: "tag" }, t("common.ply", { n: row.plies }))), practiseButtons(row.id, row.matches[0].names)));
  offers[0]?.querySelector("button")?.classList.add("main");
  const analyse = el("p", {}, el("a", { class: offers.length ? "button" : "button main", href: "/analyse" }, t("practise.analyse")));
  byId("asked").replaceChildren(el("h1", {}, t("practise.title")), el("p", { class: "lead" }, t("practise.what")),
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
