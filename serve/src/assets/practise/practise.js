// @ts-check
// Practice: the cards that are due, one after the other. A wrong answer comes again at the end.
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
import { arrowsOf, asAnalysed, deckPart, decisionIn, scoreWords, verdictPart } from "./verdict.js";

pageHead("/practise");

/** @type {any[]} */
let ahead = [];
/** This round: its answers, the right ones, and the cards that were skipped. It survives a reload. */
const NONE_DONE = Object.freeze({ answers: 0, right: 0, skipped: 0 });
const done = { ...NONE_DONE };
let player = query().get("player") ?? "";
/** The analysis that one comes from. */
const from = query().get("from");
/** What it says. @type {any} */
let analysis = null;
/** The deepest search of an answer. */
const DEEPEST = 3;
/** Depth of the search: that of the analysis one comes from. */
let plies = DEEPEST;
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
  const open = roll && !verdict;
  const dice = card.dice && picking.swapped ? [...card.dice].reverse() : card.dice;
  const arrows = verdict && card.asks === "play" ? arrowsOf(verdict) : [];
  board.draw(/** @type {any} */ ({
    board: verdict ? card.board : now, off: offOf(verdict ? card.board : now), cube: cubeOf(card), dice, left: open ? roll?.dice : undefined, arrows,
    sources: open ? roll?.sources() : [], selected: picking.selected, targets: open ? picking.targets() : [],
  }));
  byId("count").textContent = t("practise.left", { n: ahead.length - (verdict?.right ? 1 : 0) });
  byId("score").textContent = scoreWords(card, player);
  byId("typed").hidden = card.asks !== "play" || Boolean(verdict);
  showActions(card);
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
  if (!verdict) buttons.push(button("practise.skip", skip, "s", "quiet"));
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
  const told = await attempt(() => post("/practice/answers", { player, xgid: card.xgid, answer, ply: plies }));
  busy = false;
  if (!told) {
    byId("verdict").replaceChildren();
    render();
    return;
  }
  verdict = asAnalysed(told, decisionIn(analysis, card.xgid), plies);
  done.answers += 1;
  done.right += told.right ? 1 : 0;
  const next = el("button", { type: "button", class: "main", id: "next", onclick: goOn, "aria-keyshortcuts": "n" }, t("practise.next"));
  byId("verdict").replaceChildren(...verdictPart(verdict, next, card.asks === "play", plies));
  say("");
  byId("question").textContent = "";
  render();
  next.focus();
  card.again = !told.right;
  keepAgain();
  attempt(() => fetchCards(0)); // The deck counts the answer.
}

function goOn() {
  const card = ahead.shift();
  if (card && verdict && !verdict.right) ahead.push(card);
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

/** Nothing is asked any more: what was done, and where one can go. */
async function end() {
  byId("actions").replaceChildren();
  for (const id of ["board", "typed"]) byId(id).hidden = true;
  byId("count").textContent = byId("score").textContent = byId("question").textContent = "";
  say("");
  // What is told now is not told again.
  sessionStorage.removeItem(AGAIN);
  const more = await attempt(fetchCards);
  if (!more?.overview) return;
  const { due } = more.overview;
  const told = [done.answers ? t("practise.end", { answers: done.answers, right: done.right }) : "", done.skipped ? t("practise.skipped", { n: done.skipped }) : "", due ? t("practise.due", { n: due }) : t("practise.nothingDue")];
  const again = el("button", { type: "button", class: "main", onclick: () => attempt(load) }, t("practise.startAgain"));
  const back = el("a", { class: "button", href: from ? `/analyse?id=${encodeURIComponent(from)}` : "/analyse" }, t(from ? "practise.toMatch" : "practise.toMatches"));
  byId("end").replaceChildren(el("h2", {}, t("practise.doneForNow")), el("p", {}, told.filter(Boolean).join(" ")), el("p", { class: "tools" }, due ? again : null, back));
  byId("end").hidden = false;
}

/** The cards that are due now, and the deck in numbers. @param {number} most cards of the answer */
async function fetchCards(most = 10) {
  const answer = await get(`/practice?cards=${most}${player ? `&player=${encodeURIComponent(player)}` : ""}`);
  if (answer.overview) {
    player = answer.overview.player;
    // A card that comes again in this session is still to be answered, whatever its date.
    const again = ahead.filter((card) => card.again).length;
    byId("deck").replaceChildren(...deckPart({ ...answer.overview, due: answer.overview.due + again }));
  }
  byId("player").replaceChildren(...answer.players.map((/** @type {string} */ name) => el("option", { value: name, selected: name === player }, shownName(name))));
  byId("player-label").hidden = answer.players.length < 2;
  return answer;
}

/** The person among the players with cards. @param {string[]} players */
const personIn = (players) => personNames().map((name) => players.find((one) => one.toLowerCase() === name.toLowerCase())).find(Boolean);

/** Reads the analysis that one comes from; answers are searched as deep, as far as they can be. */
async function readAnalysis() {
  analysis ??= from ? await get(`/analyses/${encodeURIComponent(from)}`).catch(() => null) : null;
  if (analysis?.row.plies) plies = Math.min(analysis.row.plies, DEEPEST);
}

async function load() {
  await readAnalysis();
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
  ahead = [...answer.cards, ...again];
  if (again.length) await fetchCards(0);
  Object.assign(done, NONE_DONE, kept.done);
  byId("end").hidden = true;
  byId("board").hidden = false;
  ask();
}

/** Analyses that are offered to somebody without cards. */
const OFFERED = 3;

/** There are no cards yet: what they are, and the latest own analyses with mistakes. */
async function showNone() {
  const rows = ownAnalyses(/** @type {any[]} */ ((await attempt(() => get("/analyses"))) ?? []));
  const withMistakes = rows.filter((row) => row.state === "done" && row.matches.some((/** @type {any} */ one) => one.pr.some(Boolean)));
  const offers = withMistakes.slice(0, OFFERED).map((row) => el("div", {}, el("p", {}, el("b", {}, row.matches[0].names.map(shownName).join(" – ")), " ", el("small", { class: "soft" }, recordName(row.name))), practiseButtons(row.id, row.matches[0].names)));
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
