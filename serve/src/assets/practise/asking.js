// @ts-check
// Asks the questions of a round one by one, and says what each answer was worth.
import { postWhenFree } from "../common/api.js";
import { attempt, byId, el, loading, say } from "../common/dom.js";
import { t } from "../common/words.js";
import { settled } from "./judgement.js";
import { QuestionBoard } from "./question-board.js";
import { answerButton, askedOf, hideQuestion, showStanding } from "./question.js";
import { showEnd } from "./round-end.js";
import { isLastTry } from "./round.js";
import { gradeOf, headOf, verdictPart } from "./verdict.js";

/**
 * `end` is called after the last question, and `goOnTesting` takes the state of a test. `load` asks
 * the cards, and `countAnswer` shows the deck with one answer more.
 *
 * @typedef {{
 *   end: () => unknown;
 *   goOnTesting: (state: any) => unknown;
 *   load: () => Promise<any>;
 *   countAnswer: () => Promise<any>;
 * }} Owner
 */

export class Asking {
  /**
   * @param {import("./session.js").Session} session
   * @param {Owner} owner
   */
  constructor(session, owner) {
    this.session = session;
    this.owner = owner;
    this.questionBoard = new QuestionBoard({
      reply: (answer) => this.reply(answer),
      isBusy: () => session.isBusy(),
      player: () => session.player,
      later: () => this.laterButton(),
    });
  }

  /** The button that puts a question off; none below a verdict. */
  laterButton() {
    const { session, owner } = this;
    const isBusy = session.isBusy();
    if (session.way === "test")
      return answerButton("practise.test.pause", () => attempt(owner.load), "s", "quiet", isBusy);
    const how = session.way === "cards" ? { title: t("practise.skip.how") } : {};
    return session.verdict
      ? null
      : Object.assign(
          answerButton("practise.skip", () => this.skip(), "s", "quiet", isBusy),
          how,
        );
  }

  render() {
    const { way, ahead, verdict, open, passed, total } = this.session;
    const card = ahead[0];
    if (!card) return;
    this.questionBoard.draw(card, verdict);
    const standing =
      way === "test" ? { n: open.answered + 1, of: open.questions } : { n: passed + 1, of: total };
    showStanding(way, {
      ...standing,
      left: ahead.length - Number(Boolean(verdict?.right)),
      isAgain: way !== "test" && card.again,
      isDone: Boolean(verdict),
    });
  }

  skip() {
    const { session } = this;
    const card = session.ahead.shift();
    if (!card) return;
    if (!card.again) session.passed += 1;
    session.round.skip(session.player);
    this.ask();
  }

  /**
   * Begins a round with these questions, or goes on with it.
   *
   * @param {any[]} cards
   */
  begin(cards, of = cards.length, n = 0) {
    const { session } = this;
    [session.ahead, session.total, session.passed] = [cards, of, n];
    byId("end").hidden = true;
    this.ask();
    // On a phone the buttons that lead here are below the board.
    if (byId("asked").getBoundingClientRect().top < 0) byId("asked").scrollIntoView();
  }

  /** Asks the next question. */
  ask() {
    const { session } = this;
    session.verdict = null;
    byId("verdict").replaceChildren();
    const card = session.ahead[0];
    if (!card && session.isDrawing && session.way === "new") {
      // All new positions so far are answered, and more are on their way.
      hideQuestion();
      return showEnd(loading(t("practise.drawing")));
    }
    if (!card) return void this.owner.end();
    byId("board").hidden = false;
    this.questionBoard.begin(card);
    this.render();
    say("");
    // A message, such as that a play is not legal, leaves the question.
    byId("question").textContent = askedOf(card);
  }

  /**
   * Gives an answer.
   *
   * @param {string} answer
   */
  async reply(answer) {
    const { session } = this;
    const card = session.ahead[0];
    if (!card || session.isBusy() || session.verdict || !answer) return;
    session.answering = card;
    this.questionBoard.showActions(card, null);
    byId("verdict").replaceChildren(loading());
    const isTest = session.way === "test";
    const told = await attempt(() =>
      postWhenFree(isTest ? "/practice/tests/answers" : "/practice/answers", {
        player: session.player,
        xgid: card.xgid,
        answer,
      }),
    );
    const found = told && !isTest ? await settled(told, card, session.player, session.from) : null;
    if (session.answering === card) session.answering = null;
    // The answer counts, but another question is on the board: a line says what it was worth.
    if (session.ahead[0]?.xgid !== card.xgid)
      return void this.tellLate(card, found?.verdict ?? told, isTest);
    if (!told) return void (byId("verdict").replaceChildren(), this.render());
    if (!found) return void this.owner.goOnTesting(told);
    this.showVerdict(card, found);
  }

  /**
   * Shows what an answer was worth, with the button that goes on.
   *
   * @param {any} card
   * @param {{ verdict: any; more: HTMLElement[] }} found
   */
  showVerdict(card, { verdict, more }) {
    const { session } = this;
    session.verdict = verdict;
    const goOn = () => {
      session.pass();
      this.ask();
    };
    const next = answerButton("practise.next", goOn, "n", "main", false);
    next.id = "next";
    byId("verdict").replaceChildren(
      ...verdictPart(verdict, next, card, el("div", {}, more), isLastTry(card)),
    );
    say("");
    byId("question").textContent = t(`practise.was.${gradeOf(verdict)}`);
    this.render();
    next.focus();
    session.round.answer(session.player, card, verdict.right, isLastTry(card));
    attempt(this.owner.countAnswer);
  }

  /**
   * An answer to a question that was left.
   *
   * @param {any} card
   * @param {any} told Nothing where it failed
   * @param {boolean} isTest
   */
  async tellLate(card, told, isTest) {
    if (!told) return void say("");
    // The last answer of a test shows its end, whatever is asked now.
    if (isTest && (this.session.way === "test" || !told.card))
      return void this.owner.goOnTesting(told);
    await attempt(this.owner.countAnswer);
    if (!isTest) say(t("practise.late", { verdict: headOf(told, card.xgid) }));
  }
}
