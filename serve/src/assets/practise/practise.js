// @ts-check
// Practice in three ways: the cards that are due, new positions, and a test. A wrong answer to the
// first two comes again at the end of the round.
import { get, postWhenFree } from "../common/api.js";
import { attempt, byId, el, loading, say } from "../common/dom.js";
import { pageHead } from "../common/header.js";
import { host, query } from "../common/host.js";
import { t } from "../common/words.js";
import { shownName } from "../analyse/board-view.js";
import {
  Drawing,
  NOTHING,
  Round,
  addMatch,
  button,
  drawOpenings,
  firstPart,
  fresh,
  guestPart,
  isLastTry,
  listenToKeys,
  nameField,
  nameless,
  newName,
  othersLine,
  ownPlayers,
  showStanding,
  withNew,
} from "./drawing.js";
import { keepOwn } from "../common/own.js";
import { keepTest, keptTest, reviewTest, testIntro, testsPart } from "./test.js";
import { progressPart } from "./progress.js";
import { QuestionBoard } from "./question-board.js";
import {
  answerButton,
  askedOf,
  backLink,
  deckPart,
  endPart,
  gradeOf,
  headOf,
  hideQuestion,
  settled,
  showEnd,
  verdictPart,
} from "./verdict.js";

pageHead("/practise");

/** What is asked. @type {"cards" | "new" | "openings" | "test"} */
let way = "cards";
/** The questions of this round that are left, the one on the board first. @type {any[]} */
let ahead = [];
/** All questions of this round, and those that are done; one that comes again is none more. */
let [total, passed] = [0, 0];
const round = new Round();
let player = query().get("player") ?? "";
/** The analysis that one comes from. */
const from = query().get("from");
/** The open test, as the server tells it. @type {any} */
let open = null;
/** The deck in numbers, as the server tells it. @type {any} */
let overview = null;
/** All players with cards, and whether the deck is another person's. */
let [players, isGuest] = [/** @type {string[]} */ ([]), false];
/**
 * Questions of a test; new positions of a round, those that are found before they are asked for,
 * and cards of a round.
 */
const [QUESTIONS, NEW, AHEAD, CARDS] = [20, 5, 2, 10];
const drawing = new Drawing(byId("drawing"), "practise.drawing");
const testDrawing = new Drawing(byId("test-drawing"), "practise.test.drawing");
/** Whether more new positions of this round are being drawn. */
let isDrawing = false;
/** @type {any} */
let verdict = null;
/** The question with an answer on its way: what is asked meanwhile does not wait for it. @type {any} */
let answering = null;
const isBusy = () => answering !== null && answering.xgid === ahead[0]?.xgid;
/** Counts the ways that were taken: what a way left before still brings belongs nowhere. */
let turn = 0;

/**
 * Takes a way.
 *
 * @param {typeof way} next
 * @returns {() => boolean} Whether it is still the last one taken
 */
function enter(next) {
  // What is drawn for new positions is wanted there alone.
  if (["new", "openings"].includes(way) && next !== way) drawing.cancel?.abort();
  // What a round of cards has left is kept for the way back.
  if (way === "cards" && next !== "cards") {
    if (verdict) pass();
    [round.left, verdict] = [ahead.length ? { ahead, total, passed } : null, null];
  }
  [way, turn, isDrawing] = [next, turn + 1, false];
  const own = turn;
  return () => own === turn;
}

const questionBoard = new QuestionBoard({
  reply,
  isBusy,
  player: () => player,
  later: () => {
    if (way === "test")
      return answerButton("practise.test.pause", () => attempt(load), "s", "quiet", isBusy());
    const how = way === "cards" ? { title: t("practise.skip.how") } : {};
    return verdict
      ? null
      : Object.assign(answerButton("practise.skip", skip, "s", "quiet", isBusy()), how);
  },
});

function render() {
  const card = ahead[0];
  if (!card) return;
  questionBoard.draw(card, verdict);
  const standing =
    way === "test" ? { n: open.answered + 1, of: open.questions } : { n: passed + 1, of: total };
  showStanding(way, {
    ...standing,
    left: ahead.length - Number(Boolean(verdict?.right)),
    isAgain: way !== "test" && card.again,
    isDone: Boolean(verdict),
  });
}

function skip() {
  const card = ahead.shift();
  if (!card) return;
  if (!card.again) passed += 1;
  round.skip(player);
  ask();
}

/**
 * Begins a round with these questions, or goes on with it.
 *
 * @param {any[]} cards
 */
function begin(cards, of = cards.length, n = 0) {
  [ahead, total, passed] = [cards, of, n];
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
  if (!card && isDrawing && way === "new") {
    // All new positions so far are answered, and more are on their way.
    hideQuestion();
    return showEnd(loading(t("practise.drawing")));
  }
  if (!card) return void end();
  byId("board").hidden = false;
  questionBoard.begin(card);
  render();
  say("");
  // A message, such as that a play is not legal, leaves the question.
  byId("question").textContent = askedOf(card);
}

/**
 * Gives an answer.
 *
 * @param {string} answer
 */
async function reply(answer) {
  const card = ahead[0];
  if (!card || isBusy() || verdict || !answer) return;
  answering = card;
  questionBoard.showActions(card, null);
  byId("verdict").replaceChildren(loading());
  const isTest = way === "test";
  const told = await attempt(() =>
    postWhenFree(isTest ? "/practice/tests/answers" : "/practice/answers", {
      player,
      xgid: card.xgid,
      answer,
    }),
  );
  const found = told && !isTest ? await settled(told, card, player, from) : null;
  if (answering === card) answering = null;
  // The answer counts, but another question is on the board: a line says what it was worth.
  if (ahead[0]?.xgid !== card.xgid) return void tellLate(card, found?.verdict ?? told, isTest);
  if (!told) return void (byId("verdict").replaceChildren(), render());
  if (!found) return void goOnTesting(told);
  verdict = found.verdict;
  const next = answerButton(
    "practise.next",
    () => {
      pass();
      ask();
    },
    "n",
    "main",
    false,
  );
  next.id = "next";
  byId("verdict").replaceChildren(
    ...verdictPart(verdict, next, card, el("div", {}, found.more), isLastTry(card)),
  );
  say("");
  byId("question").textContent = t(`practise.was.${gradeOf(verdict)}`);
  render();
  next.focus();
  round.answer(player, card, verdict.right, isLastTry(card));
  attempt(() => fetchCards(0)); // The deck counts the answer.
}

/**
 * An answer to a question that was left.
 *
 * @param {any} card
 * @param {any} told Nothing where it failed
 * @param {boolean} isTest
 */
async function tellLate(card, told, isTest) {
  if (!told) return void say("");
  // The last answer of a test shows its end, whatever is asked now.
  if (isTest && (way === "test" || !told.card)) return void goOnTesting(told);
  await attempt(() => fetchCards(0));
  if (!isTest) say(t("practise.late", { verdict: headOf(told, card.xgid) }));
}

/** Leaves the question that is answered; a wrong answer brings it back. */
function pass() {
  const card = ahead.shift();
  if (card && !card.again) passed += 1;
  if (card && verdict && !verdict.right && !isLastTry(card))
    ahead.push({ ...card, fresh: false, again: true, tries: (card.tries ?? 0) + 1 });
}

/**
 * The next question of the test, or its end.
 *
 * @param {any} state
 */
async function goOnTesting(state) {
  open = state.card ? state : null;
  if (open) {
    ahead = [state.card];
    return void ask();
  }
  const isHere = enter("test");
  ahead = [];
  hideQuestion();
  keepTest(player, state);
  await attempt(() => fetchCards(0));
  if (isHere()) showReview(state);
}

/** @param {any} state Of a test that is over */
const showReview = (state) =>
  reviewTest(
    state,
    overview?.tests ?? { results: [state.result] },
    player,
    questionBoard.board,
    button(t("practise.test.toCards"), load, true),
  );

/** Says what a test is, or goes on with the open one. */
async function test() {
  if (!player) return void askName();
  if (way === "test" && ahead.length) return;
  if (open) return void askTest();
  enter("test");
  ahead = [];
  hideQuestion();
  byId("verdict").replaceChildren();
  const answers = keptTest(player);
  showEnd(
    ...testIntro(
      t(`practise.test.what${ofMatches()}`, { n: QUESTIONS }),
      () => attempt(beginTest),
      () => attempt(load),
      answers && (() => showReview(answers)),
    ),
  );
  byId("end").hidden = testDrawing.isSeen;
  showDeck();
}

async function beginTest() {
  byId("end").hidden = true;
  // What is drawn ahead is kept, and leaves the place to the test.
  drawing.cancel?.abort();
  keepOwn("decks", player);
  const isDrawn = await testDrawing
    .begin("/practice/tests", { player, count: QUESTIONS })
    .finally(() => {
      if (way === "test") byId("end").hidden = false;
    });
  if (!isDrawn) return;
  await fetchCards(0);
  if (open && way === "test" && !ahead.length) askTest();
}

function askTest() {
  enter("test");
  showDeck();
  begin([open.card]);
}

/** Asks the new positions that wait, and draws those that are missing. */
async function askNew() {
  if (!player) return void askName();
  if (way === "new" && ahead.length) return;
  const isHere = enter("new");
  ahead = [];
  verdict = null;
  hideQuestion();
  byId("verdict").replaceChildren();
  byId("end").hidden = true;
  showDeck();
  let waiting = (await fetchCards(0, NEW)).new;
  if (!isHere()) return;
  round.begin(player);
  keepOwn("decks", player);
  if (!waiting.length) {
    if (testDrawing.isSeen) showEnd(loading(t("practise.new.waits")));
    await testDrawing.ended;
    if (!isHere()) return;
    byId("end").hidden = true;
    const isOver = await drawing
      .begin("/practice/positions", { player, count: 1 })
      .catch((error) => {
        if (isHere()) end();
        throw error;
      });
    if (!isHere()) return;
    waiting = (await fetchCards(0, NEW)).new;
    if (!isHere()) return;
    if (!waiting.length) return void (isOver ? end() : load());
  }
  begin(fresh(waiting));
  const missing = NEW - waiting.length;
  if (missing <= 0) return;
  total = NEW;
  render();
  isDrawing = true;
  const asked = new Set(waiting.map((/** @type {any} */ { xgid }) => xgid));
  await draw(missing);
  if (!isHere()) return;
  const more = (await fetchCards(0, NEW)).new
    .filter((/** @type {any} */ { xgid }) => !asked.has(xgid))
    .slice(0, missing);
  if (!isHere()) return;
  isDrawing = false;
  total -= missing - more.length;
  const isIdle = !ahead.length;
  ahead = withNew(ahead, fresh(more));
  if (!isIdle) return void render();
  byId("end").hidden = true;
  ask();
}

/**
 * Draws new positions while something else is asked: what fails is not told. A test is drawn first:
 * both at once leave a small server no place for answers.
 *
 * @param {number} count
 */
async function draw(count) {
  const own = turn;
  await testDrawing.ended;
  return (
    own === turn && drawing.begin("/practice/positions", { player, count }, true).catch(() => false)
  );
}

/** Nothing is asked any more: shows the work of the round, and where one can go. */
async function end() {
  const isHere = enter(way);
  hideQuestion();
  const told = round.begin(player); // What is told now is not told again.
  const more = await attempt(() => fetchCards());
  if (!more || !isHere()) return;
  if (!more.overview) return void showFirst();
  const isLeft = overview.due + round.wrong.size;
  const ofOpenings =
    way === "openings"
      ? button(t("practise.openings.more", { n: NEW }), askOpenings, !isLeft)
      : null;
  // A page that has asked nothing ends nothing. It says what a round left open before.
  const waiting =
    !total && overview.drawn ? el("p", {}, t("practise.waiting", { n: overview.drawn })) : "";
  showEnd(
    ...endPart(total ? told : NOTHING, overview, isLeft),
    waiting,
    el(
      "p",
      { class: "tools" },
      isLeft ? button(t("practise.startAgain"), load, true) : null,
      ofOpenings,
      button(t("practise.new", { n: NEW }), askNew, !isLeft && !ofOpenings),
      from || overview.matches ? backLink(from) : null,
    ),
  );
}

/** The person has no cards yet. */
async function showFirst() {
  const isHere = enter("cards");
  ahead = [];
  hideQuestion();
  showDeck();
  const analyses = await attempt(() => get("/analyses"));
  // Without an answer the page keeps what it knows of own analyses.
  if (!analyses || !isHere()) return;
  showEnd(
    ...firstPart(
      analyses,
      [
        button(t("practise.new", { n: NEW }), askNew),
        button(t("practise.test"), test),
        button(t("position.openings.ask"), askOpenings),
      ],
      nameField(
        player,
        players,
        (name) => {
          player = name;
        },
        adopt,
      ),
      players,
    ),
  );
}

/** A deck of one's own wants a name first. */
async function askName() {
  if (!byId("end").querySelector("#own-name")) await showFirst();
  const field = /** @type {HTMLInputElement} */ (byId("own-name"));
  field.focus();
  if (field.reportValidity()) say(nameless(players), "error");
}

/** Which words tell where new positions come from: own mistakes, or none yet. */
const ofMatches = () => (overview?.matches ? "" : ".first");

/** The ways to practise with the one that is used, and the deck in numbers. */
function showDeck() {
  const one = (
    /** @type {typeof way} */ name,
    /** @type {string} */ id,
    /** @type {string} */ words,
    /** @type {() => Promise<any>} */ act,
  ) =>
    el(
      "button",
      {
        type: "button",
        id,
        "aria-pressed": `${(way === "openings" ? "new" : way) === name}`,
        onclick: () => attempt(act),
      },
      words,
    );
  // What comes again is asked with the cards, though it is due in a day.
  const due = (overview?.due ?? 0) + round.wrong.size;
  byId("ways").replaceChildren(
    one("cards", "cards", t("practise.way.cards", { n: due }), async () => {
      if (way !== "cards" || !ahead.length) await load();
    }),
    one("new", "more", t("practise.way.new"), askNew),
    one(
      "test",
      "test",
      open && way !== "test"
        ? t("practise.test.goOn", { n: open.answered, of: open.questions })
        : t("practise.test"),
      test,
    ),
  );
  const what =
    t(`practise.what.${way}${way === "new" ? ofMatches() : ""}`) +
    (way === "cards" && due > CARDS ? ` ${t("practise.round", { n: CARDS })}` : "");
  byId("ways").hidden = isGuest;
  const own = ownPlayers(players);
  const others = othersLine(players.filter((name) => name !== player && !own.includes(name)));
  byId("deck").replaceChildren(
    ...(overview
      ? deckPart(
          overview,
          isGuest ? "" : what,
          isGuest
            ? []
            : [
                ...progressPart(overview, (which) => attempt(() => askMissed(which))),
                ...testsPart(overview.tests),
                addMatch(player, () => attempt(askOpenings)),
                others,
              ],
          isGuest,
        )
      : [el("p", {}, what)]),
  );
}

/**
 * The cards that are due now, new positions that wait, and the deck in numbers.
 *
 * @param {number} most Due cards
 * @param {number} fresh New positions
 */
async function fetchCards(most = CARDS, fresh = AHEAD) {
  const answer = await get(
    `/practice?cards=${Math.max(most, fresh)}&player=${encodeURIComponent(player)}`,
  );
  [answer.cards, answer.new] = [answer.cards.slice(0, most), answer.new.slice(0, fresh)];
  open = answer.test;
  overview = answer.overview;
  if (overview) player = overview.player;
  players = answer.players;
  const own = ownPlayers(players);
  isGuest = overview !== null && !own.includes(player);
  showDeck();
  byId("player").replaceChildren(
    ...own.map((name) => el("option", { value: name, selected: name === player }, shownName(name))),
  );
  byId("player-label").hidden = own.length < 2 || isGuest;
  return answer;
}

/**
 * Without a choice the cards are the person's own.
 *
 * @returns {Promise<boolean>} Whether there is a player
 */
async function choosePlayer() {
  if (!player) {
    ({ players } = await get("/practice?cards=0"));
    player = ownPlayers(players)[0] ?? newName(players);
  }
  return player !== "";
}

/** Asks opening rolls and replies that were not asked yet. */
async function askOpenings() {
  if (!(await choosePlayer())) return void (await showFirst());
  const isHere = enter("openings");
  [ahead, verdict] = [[], null];
  hideQuestion();
  byId("verdict").replaceChildren();
  byId("end").hidden = true;
  await fetchCards(0);
  if (isGuest) return void (await load());
  // What comes again stays for the cards.
  round.take(player, []);
  round.begin(player);
  const found = await drawOpenings(drawing, () => player, fetchCards, NEW).catch((error) => {
    if (isHere()) end();
    throw error;
  });
  if (isHere()) await (found.length ? begin(fresh(found)) : end());
}

/**
 * Takes the cards of a player as one's own.
 *
 * @param {string} name
 */
const adopt = (name) =>
  attempt(() => {
    keepOwn("decks", (player = name));
    return load();
  });

/**
 * Asks the cards that are missed again and again, or one of them.
 *
 * @param {string | null} which Its XGID
 */
async function askMissed(which) {
  const isHere = enter("cards");
  const { missed } = await fetchCards(0);
  if (isHere())
    begin(missed.filter((/** @type {any} */ { xgid }) => which === null || xgid === which));
}

/** Asks the cards that are due, and those that come again. */
async function load() {
  const isHere = enter("cards");
  if (!(await choosePlayer())) return void (await showFirst());
  if (!isHere()) return;
  if (from) keepOwn("decks", player);
  const answer = await fetchCards();
  if (!isHere()) return;
  if (!answer.overview) return void (await showFirst());
  if (isGuest) {
    hideQuestion();
    return showEnd(...guestPart(player, adopt));
  }
  const { left } = round;
  round.take(player, answer.cards);
  // What comes again has its place in the round.
  const again = [...round.wrong.values()].slice(0, CARDS);
  if (left) begin(left.ahead, left.total, left.passed);
  else begin([...answer.cards.slice(0, CARDS - again.length), ...again]);
  showDeck();
  // The next new positions are found while one answers the cards.
  if (ahead.length && answer.new.length < AHEAD && !testDrawing.isSeen) draw(AHEAD);
}

byId("player").addEventListener("change", () =>
  host.go(`/practise?player=${encodeURIComponent(byId("player").value)}`),
);
listenToKeys(reply);
// Another window may have answered meanwhile.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && overview) attempt(() => fetchCards(0));
});

await attempt(query().get("ask") === "openings" ? askOpenings : load);
