// @ts-check
// The board of a question, on which the answer is played, and the buttons below it.
import { byId, el } from "../common/dom.js";
import { t } from "../common/words.js";
import { Board } from "../board/board.js";
import { Roll } from "../board/roll.js";
import { Picking } from "../play/picking.js";
import { answerButtons, arrowsOf, drawQuestion } from "./question.js";

/**
 * `later` makes the button that puts a question off.
 *
 * @typedef {{
 *   reply: (answer: string) => void;
 *   isBusy: () => boolean;
 *   player: () => string;
 *   later: () => HTMLButtonElement | null;
 * }} Owner
 */

export class QuestionBoard {
  /** @param {Owner} owner */
  constructor(owner) {
    this.owner = owner;
    /**
     * The play so far.
     *
     * @type {Roll | null}
     */
    this.roll = null;
    /**
     * The question.
     *
     * @type {any}
     */
    this.card = null;
    /**
     * Its verdict, once it has one.
     *
     * @type {any}
     */
    this.verdict = null;
    this.picking = new Picking({
      move: (path) => {
        this.roll?.make(path);
        this.letGo();
      },
      render: () => this.draw(this.card, this.verdict),
    });
    this.board = new Board(byId("board"), {
      point: (point, how) => this.picking.point(point, how),
      drag: (point) => this.picking.drag(point),
      drop: (from, to) => this.picking.drop(from, to),
      cancel: () => this.picking.letGo(),
      dice: () => this.picking.swap(),
    });
  }

  /** Draws the board without a chosen checker. */
  letGo() {
    this.picking.selected = null;
    this.draw(this.card, this.verdict);
  }

  /**
   * Takes a new question.
   *
   * @param {any} card
   */
  begin(card) {
    this.roll = card.dice ? new Roll(card.board, card.dice, card.plays) : null;
    this.picking.begin(this.roll);
    byId("typed-play").value = "";
  }

  /** Leaves the question: another one on this board is only shown. */
  leave() {
    this.roll = this.card = this.verdict = null;
    this.picking.begin(null);
  }

  /**
   * @param {any} card
   * @param {any} verdict Nothing while it is open
   */
  draw(card, verdict) {
    [this.card, this.verdict] = [card, verdict];
    if (!card) return;
    const { roll, picking } = this;
    const asks = roll && !verdict;
    const dice = card.dice && picking.swapped ? [...card.dice].reverse() : card.dice;
    const arrows = verdict && card.asks === "play" ? arrowsOf(verdict) : [];
    drawQuestion(
      this.board,
      this.owner.player(),
      card,
      verdict ? card.board : (roll?.board ?? card.board),
      {
        dice,
        left: asks ? roll?.dice : undefined,
        arrows,
        sources: asks ? roll?.sources() : [],
        selected: picking.selected,
        targets: asks ? picking.targets() : [],
      },
    );
    byId("typed").hidden = card.asks !== "play" || Boolean(verdict);
    this.showActions(card, verdict);
  }

  /**
   * The buttons of a question.
   *
   * @param {any} card
   * @param {any} verdict
   */
  showActions(card, verdict) {
    const { roll, owner } = this;
    const back = () => {
      roll?.takeBack();
      this.letGo();
    };
    /** @type {HTMLElement[]} */
    const buttons = verdict
      ? []
      : answerButtons(
          card,
          {
            play: roll?.play()?.play ?? "",
            isMoved: Boolean(roll?.made.length),
            isBusy: owner.isBusy(),
          },
          owner.reply,
          back,
        );
    const later = owner.later();
    if (later) buttons.push(later);
    if (!verdict && roll && !roll.made.length)
      buttons.push(el("span", { class: "soft small" }, t("practise.how")));
    byId("actions").replaceChildren(...buttons);
  }
}
