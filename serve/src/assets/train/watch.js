// @ts-check
// A game of a net with itself, which the server plays from a seed: checkers slide, and one may
// step.
import { Board } from "../board/board.js";
import { Motion } from "../board/motion.js";
import { START, offOf } from "../board/position.js";
import { post } from "../common/api.js";
import { attempt, byId } from "../common/dom.js";
import { signed } from "../common/format.js";
import { moveTime } from "../common/settings.js";
import { t } from "../common/words.js";

/** Between two turns, in milliseconds. */
const PAUSE = 550;

export class Watch {
  constructor() {
    /** @type {any} */
    this.game = null;
    this.at = 0;
    this.playing = false;
    this.round = 0;
    this.board = new Board(byId("watched-board"));
    // The words call the player below light.
    this.board.give("light");
    this.motion = new Motion(this.board, moveTime);
    byId("pause").addEventListener("click", () => (this.playing ? this.stop() : this.goOn()));
    byId("earlier").addEventListener("click", () => this.stepTo(this.at - 1));
    byId("later").addEventListener("click", () => this.stepTo(this.at + 1));
    byId("turn").addEventListener("input", () => this.stepTo(Number(byId("turn").value)));
  }

  /** Forgets the game. */
  close() {
    this.stop();
    this.game = null;
    byId("watching").hidden = true;
  }

  /**
   * @param {string} net
   * @param {number} seed
   */
  begin(net, seed) {
    this.stop();
    const own = this.round;
    return attempt(async () => {
      const game = await post("/game", { seed, net });
      // Another run has been chosen meanwhile.
      if (own !== this.round) return;
      this.game = game;
      byId("seed").value = `${this.game.seed}`;
      byId("watching").hidden = false;
      byId("turn").max = this.game.turns.length;
      this.show(0);
      byId("watch-part").scrollIntoView({ block: "nearest" });
      await this.goOn();
    });
  }

  stop() {
    this.playing = false;
    this.round += 1;
    this.motion.hurry();
    this.said();
  }

  async goOn() {
    if (this.at === this.game.turns.length) this.show(0);
    this.motion.calm();
    this.playing = true;
    this.round += 1;
    const own = this.round;
    this.said();
    while (this.playing && own === this.round && this.at < this.game.turns.length) {
      const turn = this.game.turns[this.at];
      const light = turn.player === "light";
      this.board.draw({
        ...this.still(this.at),
        dice: light ? turn.dice : null,
        theirDice: light ? null : turn.dice,
      });
      this.said(this.at + 1);
      await this.wait(PAUSE / 2);
      if (own !== this.round) return;
      await this.motion.play(turn.steps, light);
      // The person has stepped meanwhile, and the moved checkers have drawn over that step.
      if (own !== this.round) return void (this.game && this.show(this.at));
      this.show(this.at + 1);
      await this.wait(PAUSE);
    }
    if (own === this.round) {
      this.playing = false;
      this.said();
    }
  }

  /** @param {number} ms */
  wait(ms) {
    return new Promise((resolve) => {
      setTimeout(resolve, ms);
    });
  }

  /**
   * The board after `at` turns.
   *
   * @param {number} at
   */
  still(at) {
    const board = at === 0 ? START : this.game.turns[at - 1].board;
    return { board, off: offOf(board) };
  }

  /** @param {number} at */
  stepTo(at) {
    this.stop();
    this.show(Math.max(0, Math.min(this.game.turns.length, at)));
  }

  /** @param {number} at */
  show(at) {
    this.at = at;
    const turn = at === 0 ? null : this.game.turns[at - 1];
    const light = turn?.player === "light";
    this.board.draw({
      ...this.still(at),
      dice: turn && light ? turn.dice : null,
      theirDice: turn && !light ? turn.dice : null,
      left: turn && light ? [] : null,
    });
    this.said();
  }

  /**
   * Says what the turn before a place is.
   *
   * @param {number} at
   */
  said(at = this.at) {
    const { game } = this;
    if (!game) return;
    const turn = at === 0 ? null : game.turns[at - 1];
    const words = [t("train.watch.turn", { seed: game.seed, at, all: game.turns.length })];
    const who = (/** @type {string} */ side) => t(`train.watch.${side}`);
    if (turn)
      words.push(
        turn.play
          ? t("train.watch.plays", {
              who: who(turn.player),
              dice: turn.dice.join(""),
              play: turn.play,
              equity: signed(turn.equity),
            })
          : t("train.watch.cannot", { who: who(turn.player), dice: turn.dice.join("") }),
      );
    if (at === game.turns.length)
      words.push(t("train.watch.wins", { who: who(game.winner), n: game.points }));
    byId("watched").textContent = words.join(" ");
    byId("turn").value = at;
    byId("earlier").disabled = at === 0;
    byId("later").disabled = at === game.turns.length;
    byId("pause").textContent = t(
      this.playing
        ? "train.watch.pause"
        : at === game.turns.length
          ? "train.watch.again"
          : "train.watch.goOn",
    );
  }
}
