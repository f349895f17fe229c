// @ts-check
// The way of a test: what it is, its questions, and the review at its end.
import { attempt, byId } from "../common/dom.js";
import { keepOwn } from "../common/own.js";
import { t } from "../common/words.js";
import { button } from "./offers.js";
import { hideQuestion } from "./question.js";
import { showEnd } from "./round-end.js";
import { QUESTIONS } from "./session.js";
import { keepTest, keptTest, reviewTest, testIntro } from "./test.js";

export class TestWay {
  /**
   * @param {import("./session.js").Session} session
   * @param {import("./asking.js").Asking} asking
   * @param {import("./ways.js").Ways} ways
   * @param {{ load: () => Promise<any>; askName: () => unknown }} owner `load` asks the cards
   */
  constructor(session, asking, ways, owner) {
    this.session = session;
    this.asking = asking;
    this.ways = ways;
    this.owner = owner;
  }

  /**
   * The next question of the test, or its end.
   *
   * @param {any} state
   */
  async goOn(state) {
    const { session } = this;
    session.open = state.card ? state : null;
    if (session.open) {
      session.ahead = [state.card];
      return void this.asking.ask();
    }
    const isHere = session.enter("test");
    session.ahead = [];
    hideQuestion();
    keepTest(session.player, state);
    await attempt(() => this.ways.fetchCards(0));
    if (isHere()) this.showReview(state);
  }

  /** @param {any} state Of a test that is over */
  showReview(state) {
    const { questionBoard } = this.asking;
    questionBoard.leave();
    reviewTest(
      state,
      this.session.overview?.tests ?? { results: [state.result] },
      this.session.player,
      questionBoard.board,
      button(t("practise.test.toCards"), this.owner.load, true),
    );
  }

  /** Says what a test is, or goes on with the open one. */
  async enter() {
    const { session, owner } = this;
    if (!session.player) return void owner.askName();
    if (session.way === "test" && session.ahead.length) return;
    if (session.open) return void this.ask();
    session.enter("test");
    session.ahead = [];
    hideQuestion();
    byId("verdict").replaceChildren();
    const answers = keptTest(session.player);
    showEnd(
      ...testIntro(
        t(`practise.test.what${this.ways.ofMatches()}`, { n: QUESTIONS }),
        () => attempt(() => this.begin()),
        () => attempt(owner.load),
        answers && (() => this.showReview(answers)),
      ),
    );
    byId("end").hidden = session.testDrawing.isSeen;
    this.ways.show();
  }

  /** Draws a test, and asks it. */
  async begin() {
    const { session } = this;
    byId("end").hidden = true;
    // What is drawn ahead is kept, and leaves the place to the test.
    session.drawing.cancel?.abort();
    keepOwn("decks", session.player);
    const isDrawn = await session.testDrawing
      .begin("/practice/tests", { player: session.player, count: QUESTIONS })
      .finally(() => {
        if (session.way === "test") byId("end").hidden = false;
      });
    if (!isDrawn) return;
    await this.ways.fetchCards(0);
    if (session.open && session.way === "test" && !session.ahead.length) this.ask();
  }

  /** Asks the open test. */
  ask() {
    this.session.enter("test");
    this.ways.show();
    this.asking.begin([this.session.open.card]);
  }
}
