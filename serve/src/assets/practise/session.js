// @ts-check
// What is asked now: the way to practise, its questions, and the player of the cards.
import { byId } from "../common/dom.js";
import { query } from "../common/host.js";
import { Drawing } from "./drawing.js";
import { Round, isLastTry } from "./round.js";

/** @typedef {"cards" | "new" | "openings" | "test"} Way */

/**
 * Questions of a test; new positions of a round, those that are found before they are asked for,
 * and cards of a round.
 */
export const [QUESTIONS, NEW, AHEAD, CARDS] = [20, 5, 2, 10];

export class Session {
  constructor() {
    /**
     * What is asked.
     *
     * @type {Way}
     */
    this.way = "cards";
    /**
     * The questions of this round that are left, the one on the board first.
     *
     * @type {any[]}
     */
    this.ahead = [];
    /** All questions of this round; one that comes again is none more. */
    this.total = 0;
    /** Those that are done. */
    this.passed = 0;
    this.round = new Round();
    this.player = query().get("player") ?? "";
    /** The analysis that one comes from. */
    this.from = query().get("from");
    /**
     * The open test, as the server tells it.
     *
     * @type {any}
     */
    this.open = null;
    /**
     * The deck in numbers, as the server tells it.
     *
     * @type {any}
     */
    this.overview = null;
    /**
     * All players with cards.
     *
     * @type {string[]}
     */
    this.players = [];
    /** Whether the deck is another person's. */
    this.isGuest = false;
    this.drawing = new Drawing(byId("drawing"), "practise.drawing");
    this.testDrawing = new Drawing(byId("test-drawing"), "practise.test.drawing");
    /** Whether more new positions of this round are being drawn. */
    this.isDrawing = false;
    /** @type {any} */
    this.verdict = null;
    /**
     * The question with an answer on its way: what is asked meanwhile does not wait for it.
     *
     * @type {any}
     */
    this.answering = null;
    /** Counts the ways that were taken: what a way left before still brings belongs nowhere. */
    this.turn = 0;
  }

  /** Whether the question on the board waits for its verdict. */
  isBusy() {
    return this.answering !== null && this.answering.xgid === this.ahead[0]?.xgid;
  }

  /**
   * Takes a way.
   *
   * @param {Way} next
   * @returns {() => boolean} Whether it is still the last one taken
   */
  enter(next) {
    // What is drawn for new positions is wanted there alone.
    if (["new", "openings"].includes(this.way) && next !== this.way) this.drawing.cancel?.abort();
    // What a round of cards has left is kept for the way back.
    if (this.way === "cards" && next !== "cards") {
      if (this.verdict) this.pass();
      const { ahead, total, passed } = this;
      [this.round.left, this.verdict] = [ahead.length ? { ahead, total, passed } : null, null];
    }
    [this.way, this.turn, this.isDrawing] = [next, this.turn + 1, false];
    const own = this.turn;
    return () => own === this.turn;
  }

  /** Leaves the question that is answered; a wrong answer brings it back. */
  pass() {
    const card = this.ahead.shift();
    if (card && !card.again) this.passed += 1;
    if (card && this.verdict && !this.verdict.right && !isLastTry(card))
      this.ahead.push({ ...card, fresh: false, again: true, tries: (card.tries ?? 0) + 1 });
  }
}
