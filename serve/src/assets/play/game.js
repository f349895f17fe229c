// @ts-check
// A match on the page. The server holds it and saves it after every decision; here it is shown, and
// the person decides.
import { get, post } from "../common/api.js";
import { hasCube } from "../common/cube-words.js";
import { attempt, byId, el, say, sentence } from "../common/dom.js";
import { keepOwn } from "../common/own.js";
import { moveTime, onChange, setting } from "../common/settings.js";
import { t } from "../common/words.js";
import { shownName } from "../common/players.js";
import { Board } from "../board/board.js";
import { Motion } from "../board/motion.js";
import { offOf, pipsOf } from "../board/position.js";
import { Roll } from "../board/roll.js";
import { hidePast, showActions, showForced, showPast, watchPast } from "./actions.js";
import { Course, lastOf, standingOf } from "./course.js";
import { Ticking, clockOf, timeOver } from "./clock.js";
import { Log, arrowsOf, turnedAround } from "./log.js";
import { keepHalf, takeHalf } from "./half-made.js";
import { inputOf, move, put } from "./moving.js";
import { Picking } from "./picking.js";
import { colourBelow, showBar, showClock, showSeats, valueOf } from "./seats.js";
import { replay, tellAll } from "./telling.js";
import { hideResult, showGameEnd, showMatchEnd } from "./result.js";
import { keepNet } from "./matches.js";
import { cubeOf, lastArrows, questionOf, theirDice } from "./shown.js";
import { knowTip, showTools, watchKeys } from "./tools.js";
import { showHint } from "./hint.js";
import { betterArrows, stopsBefore } from "./tutor.js";

/** @typedef {import("./views.js").MatchView} MatchView */
/** @typedef {{ action: string; play?: string; stake?: string }} Action */

/**
 * Names as this page shows them.
 *
 * @param {MatchView} view
 */
function named(view) {
  view.names = [shownName(view.names[0]), shownName(view.names[1])];
}

export class Game {
  /** @param {(address: string) => void} go */
  constructor(go) {
    this.go = go;
    /** @type {MatchView | null} */
    this.view = null;
    /** @type {Roll | null} */
    this.roll = null;
    /** Whether the server or a movement is awaited. */
    this.busy = false;
    /** Whether a button of the decision had the focus before the server was asked. */
    this.hadFocus = false;
    /**
     * While the person's own checkers slide: when they lie.
     *
     * @type {Promise<unknown> | null}
     */
    this.moving = null;
    /** @type {import("./telling.js").Seen[]} */
    this.seen = [];
    /** @type {Ticking | null} */
    this.clock = null;
    /** Counts what is opened: what belongs to an earlier match is not shown. */
    this.opened = 0;
    /**
     * The words before a play of the log was shown, and those about that play.
     *
     * @type {string | null}
     */
    this.present = this.past = null;
    /**
     * What the open hint says of the position.
     *
     * @type {import("./seats.js").Judged | null}
     */
    this.hinted = null;
    /**
     * What the tutor has stopped, while it speaks.
     *
     * @type {import("./tutor.js").Stopped | null}
     */
    this.stopped = null;
    /**
     * The best play, where a hint has told it.
     *
     * @type {string | null}
     */
    this.advised = null;
    this.picking = new Picking({
      move: (path, dragged) => move(this, path, dragged),
      render: () => this.render(),
    });
    this.course = new Course(byId("course"));
    this.log = new Log(byId("log"), (...line) => this.look(...line));
    this.board = new Board(byId("board"), inputOf(this));
    this.motion = new Motion(this.board, moveTime);
    // Whoever touches the page while something moves wants to go on.
    addEventListener("pointerdown", () => {
      if (this.busy) this.motion.hurry();
    });
    onChange(() => {
      if (this.view && !this.busy) this.render();
    });
    addEventListener("pagehide", () => keepHalf(this.view, this.roll));
    watchKeys(this);
    watchPast(this.log);
  }

  /**
   * Shows a match.
   *
   * @param {MatchView} view
   * @param {boolean} begun Whether it has just begun: then what happened is shown
   */
  async open(view, begun) {
    this.close();
    named(view);
    const opened = this.opened;
    this.log.clear();
    this.closeHint();
    hideResult();
    keepNet(view);
    this.view = null;
    this.seen = [];
    this.clock = new Ticking(view.id, showClock, () => timeOver(this));
    say("");
    showTools(this);
    // Of two people, who has just decided sees the board until it is turned.
    this.board.give(colourBelow(view));
    const before = { board: view.board, off: view.off };
    this.board.draw(before);
    const rows = await this.course.load(view);
    if (opened !== this.opened) return;
    // The last movement of another match has ended on this board meanwhile.
    this.board.give(colourBelow(view));
    this.board.draw(before);
    const told = view.events.filter(({ what }) => what === "plays").length;
    this.log.addRows(view, this.course, told);
    this.seen = lastOf(view, rows);
    this.log.begin();
    if (begun) this.motion.calm();
    await this.show(view, !begun);
  }

  /**
   * Shows a play of the log on the board as it was then, or the board as it is.
   *
   * @param {import("./log.js").Shown | null} shown
   * @param {number} turn
   * @param {string} words
   * @param {boolean} held
   */
  look(shown, turn, words, held) {
    const { view, board } = this;
    if (!view || this.busy) return;
    if (!shown) {
      return this.render();
    }
    const seen = view.two_people && shown.light !== view.light ? turnedAround(shown) : shown;
    this.present ??= byId("says").textContent;
    // Figures and cube are those of the board that is shown.
    const stood = standingOf(this.course, seen);
    board.draw({
      board: seen.board,
      off: offOf(seen.board),
      cube: stood && hasCube(view.rules) ? stood.cube : cubeOf(view),
      arrows: arrowsOf(seen),
    });
    showSeats(stood ? { ...view, score: stood.score } : view, pipsOf(seen.board), clockOf(view.id));
    this.showBar(stood && { win: stood.win });
    showPast(turn, words, held);
    this.past = byId("says").textContent;
  }

  /** Another view is shown. */
  close() {
    this.opened += 1;
    this.clock?.stop();
    this.motion.hurry();
  }

  /**
   * Shows what happened since the last decision, and then the decision.
   *
   * @param {MatchView} next
   * @param {boolean} made Whether the person has made the first play on the board
   * @param {boolean} isUndone Whether a decision was taken back: then no roll follows by itself
   */
  async show(next, made, isUndone = false) {
    named(next);
    const opened = this.opened;
    this.busy = true;
    this.roll = null;
    this.picking.begin(null);
    byId("actions").replaceChildren();
    this.closeHint();
    hideResult();
    const seats = { ...next, score: this.view?.score ?? next.score };
    const placed = () => {
      const pips = pipsOf(this.board.state.board);
      // Of two people, the board may be turned to the other one.
      const isTurned = next.two_people && this.board.colour !== colourBelow(next);
      showSeats(seats, isTurned ? [pips[1], pips[0]] : pips, clockOf(next.id));
    };
    placed();
    /** @type {string[]} */
    const words = [];
    // A page that is opened again goes through what happened without a stop.
    const isNew = this.view !== null || !made;
    const told = (
      /** @type {string} */ said,
      /** @type {import("./views.js").MatchEvent} */ event,
      /** @type {string} */ logged,
    ) => {
      words.push(said);
      // The bar knows the last decision only.
      if (event.what === "plays" && this.course.tell()) this.showBar(null);
      this.log.add(
        logged,
        event.player,
        event.play ? { ...event, own: event.player === "you" } : null,
        event.what,
      );
      say(said);
    };
    this.course.follow(next);
    const seen = await tellAll(this.motion, next, {
      live: this.view !== null,
      made,
      told,
      placed,
      forced: async (event) => {
        if (isNew) await showForced(this.motion, event.play ?? "");
      },
      isWanted: () => opened === this.opened,
    });
    if (opened !== this.opened) return;
    if (seen.length || next.events.some(({ what }) => what === "opens")) this.seen = seen;
    this.view = next;
    if (next.dice) await this.rollIn(next);
    if (opened !== this.opened) return;
    this.busy = false;
    this.motion.calm();
    words.push(questionOf(this.view));
    say(words.slice(-4).join(" "));
    this.render();
    const course = this.course.load(next);
    if (next.turn === "over") {
      await course;
      if (this.view === next) await showMatchEnd(this);
    } else if (next.turn === "next-game") showGameEnd(this);
    else {
      this.clock?.start();
      if (next.turn === "roll" && setting("autoRoll") === "yes" && !isUndone)
        await this.act({ action: "roll" });
    }
  }

  /**
   * The person's roll is thrown.
   *
   * @param {MatchView} next
   */
  async rollIn(next) {
    const dice = /** @type {[number, number]} */ (next.dice);
    // The opening roll of the person lies there when the page is opened again.
    this.board.draw({
      ...this.board.state,
      board: next.board,
      off: next.off,
      cube: cubeOf(this.view),
      arrows: lastArrows(this.view, Boolean(this.roll?.made.length), this.seen),
    });
    await this.motion.roll(dice, true);
    this.roll = new Roll(next.board, dice, next.plays);
    takeHalf(next, this.roll);
    this.picking.begin(this.roll);
  }

  render() {
    const { view, roll, picking } = this;
    if (!view || this.busy) return;
    // What the line below the board said before a play of the log was shown stands there again.
    if (this.present !== null && byId("says").textContent === this.past) say(this.present);
    this.present = null;
    this.log.held = null;
    hidePast();
    const now = roll?.board ?? view.board;
    this.board.give(colourBelow(view));
    const dice = view.dice && picking.swapped ? [...view.dice].reverse() : view.dice;
    this.board.draw({
      board: now,
      off: roll ? offOf(now) : view.off,
      cube: cubeOf(this.view),
      dice,
      left: roll?.dice,
      theirDice: theirDice(this.view),
      arrows:
        betterArrows(this) ?? lastArrows(this.view, Boolean(this.roll?.made.length), this.seen),
      sources: roll ? roll.sources() : [],
      selected: picking.selected,
      targets: picking.targets(),
    });
    this.board.root.classList.toggle("may-double", view.turn === "roll" && view.may_double);
    showSeats(view, pipsOf(now), clockOf(view.id));
    this.showBar();
    showActions(this);
    byId("game").classList.toggle("over", view.turn === "over");
    byId("game").classList.toggle("playing", view.turn === "play");
    byId("typed").hidden = view.turn !== "play";
    byId("plays").replaceChildren(...view.plays.map((play) => el("option", { value: play.play })));
    showTools(this);
  }

  showBar(value = valueOf(this)) {
    showBar(
      value,
      this.view ? colourBelow(this.view) : "own",
      this.advised && value === this.hinted
        ? "play.barBest"
        : this.view?.turn === "play" && value === this.view.evaluation
          ? "play.barBefore"
          : "play.barGame",
    );
  }

  /**
   * Makes a decision, unless the tutor stops it.
   *
   * @param {Action} action
   * @param {boolean} stands Whether the tutor has been heard
   */
  async act(action, stands = false) {
    const { view, opened } = this;
    if (this.busy || !view || (!stands && (await stopsBefore(this, action)))) return;
    this.busy = true;
    this.clock?.stop();
    hidePast();
    this.hadFocus = byId("actions").contains(document.activeElement);
    for (const one of byId("actions").querySelectorAll("button")) one.disabled = true;
    this.board.draw({ ...this.board.state, sources: [], targets: [], selected: null });
    /** @type {Promise<void> | null} */
    let turning = null;
    try {
      const answer = post(`/matches/${view.id}/actions`, { ...action, revision: view.revision });
      // The cube turns while the opponent thinks about it.
      if (action.action === "double") {
        turning = this.motion.turn({ ...view.cube, offered: 2 * view.cube.value, to: "nonet" });
        await Promise.all([turning, answer]);
      }
      const next = await answer;
      keepOwn("matches", view.id);
      if (action.action === "play") knowTip();
      // The person has gone to another match meanwhile.
      if (opened !== this.opened) return;
      const isUndone = action.action === "undo";
      if (isUndone) await this.takenBack(next);
      else if (action.action !== "next-game") this.log.begin();
      if (opened !== this.opened) return;
      await this.show(next, action.action === "play", isUndone);
      if (opened !== this.opened) return;
      // A roll that was seen and taken back is no new one.
      const isDouble = view.events.some(
        ({ player, what }) => player === "you" && what === "doubles",
      );
      if (isUndone && view.turn === "play" && next.turn === "roll")
        say(`${t(isDouble ? "play.doubleBack" : "play.rollBack")} ${questionOf(next)}`);
    } catch (error) {
      if (opened !== this.opened) return;
      // A cube that turned on would lie on the board as it is.
      if (turning) this.motion.hurry();
      await turning;
      this.motion.calm();
      this.busy = false;
      const { status, message } = /** @type {import("../common/api.js").Refused} */ (error);
      say(sentence(message), "error");
      const now =
        status === 409
          ? await attempt(() => get(`/matches/${encodeURIComponent(view.id)}`))
          : undefined;
      if (opened !== this.opened) return;
      if (now) {
        await this.open(now, false);
        // The board has changed for this reason.
        if (this.opened === opened + 1) say(sentence(message), "error");
        return;
      }
      this.render();
      this.clock?.start();
    }
  }

  /**
   * A decision was taken back: log and course are those of the match as it stands.
   *
   * @param {MatchView} next
   */
  async takenBack(next) {
    const rows = await this.course.load(next);
    this.seen = lastOf(next, rows);
    if (this.log.takeBack()) return;
    this.log.clear();
    this.log.addRows(next, this.course, 0);
  }

  /**
   * Does something now, or once the person's own checkers lie; they then go there at once.
   *
   * @param {() => unknown} action
   */
  async whenStill(action) {
    if (this.busy && this.moving) {
      this.motion.hurry();
      await this.moving;
    }
    if (!this.busy) await action();
  }

  /** Shows the opponent's last play again. */
  async again() {
    if (this.busy || !this.seen.length) return;
    const { opened } = this;
    this.busy = true;
    byId("actions").replaceChildren();
    await replay(this.motion, this.seen);
    if (opened !== this.opened) return;
    this.motion.calm();
    this.busy = false;
    this.render();
  }

  /** @param {string} play That is put on the board in place of the made moves */
  put(play) {
    return put(this, play);
  }

  hint() {
    return showHint(this);
  }

  closeHint() {
    this.hinted = null;
    this.stopped = null;
    this.advised = null;
    byId("hint").replaceChildren();
  }
}
