// @ts-check
// Practice in three ways: the cards that are due, new positions, and a test. A wrong answer to the
// first two comes again at the end of the round.
import { get } from "../common/api.js";
import { attempt, byId, el, loading, say } from "../common/dom.js";
import { pageHead } from "../common/header.js";
import { host, query } from "../common/host.js";
import { t } from "../common/words.js";
import { keepOwn } from "../common/own.js";
import { Asking } from "./asking.js";
import { drawOpenings, fresh } from "./drawing.js";
import { forgetAnalyses } from "./judgement.js";
import { button, firstPart } from "./offers.js";
import { guestPart, nameField, nameless } from "./players.js";
import { hideQuestion, listenToKeys } from "./question.js";
import { backLink, endPart, showEnd } from "./round-end.js";
import { NOTHING, withNew } from "./round.js";
import { AHEAD, CARDS, NEW, Session } from "./session.js";
import { TestWay } from "./test-way.js";
import { Ways } from "./ways.js";

pageHead("/practise");

const session = new Session();
const { round, drawing, testDrawing, from } = session;
/** @type {Asking} */
const asking = new Asking(session, {
  end,
  goOnTesting: (state) => testWay.goOn(state),
  load,
  countAnswer: () => fetchCards(0),
});
const ways = new Ways(session, {
  cards: load,
  fresh: askNew,
  openings: askOpenings,
  missed: askMissed,
  test: () => testWay.enter(),
});
/** @type {TestWay} */
const testWay = new TestWay(session, asking, ways, { load, askName });

/**
 * The cards that are due now, new positions that wait, and the deck in numbers.
 *
 * @param {[most?: number, fresh?: number]} counts Of due cards, and of new positions
 */
const fetchCards = (...counts) => ways.fetchCards(...counts);

/** Asks the new positions that wait, and draws those that are missing. */
async function askNew() {
  if (!session.player) return void askName();
  if (session.way === "new" && session.ahead.length) return;
  const isHere = session.enter("new");
  session.ahead = [];
  session.verdict = null;
  hideQuestion();
  byId("verdict").replaceChildren();
  byId("end").hidden = true;
  ways.show();
  let waiting = (await fetchCards(0, NEW)).new;
  if (!isHere()) return;
  round.begin(session.player);
  keepOwn("decks", session.player);
  if (!waiting.length) {
    if (testDrawing.isSeen) showEnd(loading(t("practise.new.waits")));
    await testDrawing.ended;
    if (!isHere()) return;
    byId("end").hidden = true;
    const isOver = await drawing
      .begin("/practice/positions", { player: session.player, count: 1 })
      .catch((error) => {
        if (isHere()) end();
        throw error;
      });
    if (!isHere()) return;
    waiting = (await fetchCards(0, NEW)).new;
    if (!isHere()) return;
    if (!waiting.length) return void (isOver ? end() : load());
  }
  asking.begin(fresh(waiting));
  await addNew(waiting, isHere);
}

/**
 * Draws the new positions that a round misses, and asks them after the first ones.
 *
 * @param {any[]} waiting The first ones
 * @param {() => boolean} isHere Whether the round is still asked
 */
async function addNew(waiting, isHere) {
  const missing = NEW - waiting.length;
  if (missing <= 0) return;
  session.total = NEW;
  asking.render();
  session.isDrawing = true;
  const asked = new Set(waiting.map(({ xgid }) => xgid));
  /** @type {any[]} */
  let more = [];
  try {
    await draw(missing);
    if (!isHere()) return;
    more = (await fetchCards(0, NEW)).new
      .filter((/** @type {any} */ { xgid }) => !asked.has(xgid))
      .slice(0, missing);
  } finally {
    // Without an answer the round goes on without more.
    if (isHere()) goOnWith(more, missing);
  }
}

/**
 * Goes on with the new positions that were drawn for a round.
 *
 * @param {any[]} more
 * @param {number} missing How many were wanted
 */
function goOnWith(more, missing) {
  session.isDrawing = false;
  session.total -= missing - more.length;
  const isIdle = !session.ahead.length;
  session.ahead = withNew(session.ahead, fresh(more));
  if (!isIdle) return void asking.render();
  byId("end").hidden = true;
  asking.ask();
}

/**
 * Draws new positions while something else is asked: what fails is not told. A test is drawn first:
 * both at once leave a small server no place for answers.
 *
 * @param {number} count
 */
async function draw(count) {
  const own = session.turn;
  await testDrawing.ended;
  return (
    own === session.turn &&
    drawing.begin("/practice/positions", { player: session.player, count }, true).catch(() => false)
  );
}

/** Nothing is asked any more: shows the work of the round, and where one can go. */
async function end() {
  const isHere = session.enter(session.way);
  hideQuestion();
  const told = round.begin(session.player); // What is told now is not told again.
  const more = await attempt(() => fetchCards());
  if (!more || !isHere()) return;
  if (!more.overview) return void showFirst();
  const { total, overview } = session;
  const isLeft = overview.due + round.wrong.size;
  const ofOpenings =
    session.way === "openings"
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
  const isHere = session.enter("cards");
  session.ahead = [];
  hideQuestion();
  ways.show();
  const analyses = await attempt(() => get("/analyses"));
  // Without an answer the page keeps what it knows of own analyses.
  if (!analyses || !isHere()) return;
  showEnd(
    ...firstPart(
      analyses,
      [
        button(t("practise.new", { n: NEW }), askNew),
        button(t("practise.test"), () => testWay.enter()),
        button(t("position.openings.ask"), askOpenings),
      ],
      nameField(
        session.player,
        session.players,
        (name) => {
          session.player = name;
        },
        adopt,
      ),
      session.players,
    ),
  );
}

/** A deck of one's own wants a name first. */
async function askName() {
  if (!byId("end").querySelector("#own-name")) await showFirst();
  const field = /** @type {HTMLInputElement} */ (byId("own-name"));
  field.focus();
  if (field.reportValidity()) say(nameless(session.players), "error");
}

/** Asks opening rolls and replies that were not asked yet. */
async function askOpenings() {
  if (!(await ways.choosePlayer())) return void (await showFirst());
  const isHere = session.enter("openings");
  [session.ahead, session.verdict] = [[], null];
  hideQuestion();
  byId("verdict").replaceChildren();
  byId("end").hidden = true;
  await fetchCards(0);
  if (session.isGuest) return void (await load());
  // What comes again stays for the cards.
  round.take(session.player, []);
  round.begin(session.player);
  const found = await drawOpenings(drawing, () => session.player, fetchCards, NEW).catch(
    (error) => {
      if (isHere()) end();
      throw error;
    },
  );
  if (isHere()) await (found.length ? asking.begin(fresh(found)) : end());
}

/**
 * Takes the cards of a player as one's own.
 *
 * @param {string} name
 */
const adopt = (name) =>
  attempt(() => {
    session.player = name;
    keepOwn("decks", name);
    return load();
  });

/**
 * Asks the cards that are missed again and again, or one of them.
 *
 * @param {string | null} which Its XGID
 */
async function askMissed(which) {
  const isHere = session.enter("cards");
  const { missed } = await fetchCards(0);
  if (isHere())
    asking.begin(missed.filter((/** @type {any} */ { xgid }) => which === null || xgid === which));
}

/** Asks the cards that are due, and those that come again. */
async function load() {
  const isHere = session.enter("cards");
  if (!(await ways.choosePlayer())) return void (await showFirst());
  if (!isHere()) return;
  if (from) keepOwn("decks", session.player);
  const answer = await fetchCards();
  if (!isHere()) return;
  if (!answer.overview) return void (await showFirst());
  if (session.isGuest) {
    hideQuestion();
    return showEnd(...guestPart(session.player, adopt));
  }
  const { left } = round;
  round.take(session.player, answer.cards);
  // What comes again has its place in the round.
  const again = [...round.wrong.values()].slice(0, CARDS);
  if (left) asking.begin(left.ahead, left.total, left.passed);
  else asking.begin([...answer.cards.slice(0, CARDS - again.length), ...again]);
  ways.show();
  // The next new positions are found while one answers the cards.
  if (session.ahead.length && answer.new.length < AHEAD && !testDrawing.isSeen) draw(AHEAD);
}

byId("player").addEventListener("change", () =>
  host.go(`/practise?player=${encodeURIComponent(byId("player").value)}`),
);
listenToKeys((answer) => asking.reply(answer));
// Another window may have answered or looked deeper meanwhile.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  forgetAnalyses();
  if (session.overview) attempt(() => fetchCards(0));
});

await attempt(query().get("ask") === "openings" ? askOpenings : load);
