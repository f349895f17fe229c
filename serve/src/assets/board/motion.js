// @ts-check
// What moves on a board: sliding checkers, rolling dice, the turning cube. Each movement ends with
// the board as it is afterwards, so that leaving one out changes nothing. A movement may be cut
// short.
import { cube as drawnCube, checker, die } from "./draw.js";
import { BAR, OFF, cubeSpot, diceSpots, spot, turned } from "./geometry.js";
import { moved, offOf } from "./position.js";
import { made } from "./svg.js";
import { play as sound } from "./sound.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./board.js").BoardState} BoardState */

export class Motion {
  /**
   * @param {Board} board
   * @param {() => number} time How long a checker slides, 0 for not at all
   */
  constructor(board, time) {
    this.board = board;
    this.time = time;
    /** @type {Set<Animation>} */
    this.running = new Set();
    this.hurried = false;
    /**
     * Ends what is held for reading.
     *
     * @type {(() => void) | null}
     */
    this.release = null;
  }

  /** Cuts short what moves now. */
  hurry() {
    this.hurried = true;
    this.release?.();
    for (const one of this.running) one.finish();
  }

  /** Lets movements take their time again. */
  calm() {
    this.hurried = false;
  }

  get isStill() {
    return this.hurried || this.time() === 0 || document.hidden;
  }

  /**
   * @param {Element} element
   * @param {Keyframe[]} frames
   * @param {number} duration
   */
  async run(element, frames, duration, easing = "cubic-bezier(0.3, 0.7, 0.25, 1)") {
    const animation = element.animate(frames, { duration, easing, fill: "forwards" });
    this.running.add(animation);
    try {
      await animation.finished;
    } catch {
      /* Removed with its element. */
    } finally {
      this.running.delete(animation);
    }
  }

  /**
   * Lets people read, also where nothing moves, until they touch the page.
   *
   * @param {number} ms At most; 0: until the page is touched, or shows something else
   */
  async hold(ms) {
    this.hurried = false;
    await new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      this.release = resolve;
      if (ms > 0) setTimeout(resolve, ms);
    });
    this.release = null;
  }

  /** @param {number} ms */
  async pause(ms) {
    if (this.isStill) return;
    await this.run(this.board.air, [{}, {}], ms);
  }

  /** @param {readonly number[]} place */
  at([x, y]) {
    return `translate(${turned(x, this.board.mirrored)}px, ${y}px)`;
  }

  /**
   * One checker goes from point to point; a blot that it hits goes to the bar. The board is drawn
   * as it is afterwards.
   *
   * @param {number} from
   * @param {number} to
   * @param {boolean} own
   * @param {Partial<BoardState>} [more] What else is drawn afterwards
   */
  async slide(from, to, own, more = {}) {
    const { board } = this;
    const before = board.state;
    const { board: after, hit } = moved(before.board, from, to, own);
    const isOff = to === (own ? OFF : BAR);
    const off = offOf(after);
    const landed = { ...before, ...more, board: after, off };
    if (this.isStill) {
      board.draw(landed);
      sound(isOff ? "off" : hit ? "hit" : "move");
      return;
    }
    const start = spot(from, Math.abs(before.board[from]) - 1, own);
    const count = isOff ? off[own ? 0 : 1] - 1 : Math.abs(after[to]) - 1;
    const end = spot(to, count, own);
    // The board without the checker; the blot stays until it is hit.
    const lifted = before.board.slice();
    lifted[from] -= own ? 1 : -1;
    board.draw({ ...before, ...more, board: lifted, targets: [], selected: null, sources: [] });
    const flying = made(checker([0, 0], own));
    flying.removeAttribute("transform");
    board.air.append(flying);
    const far = Math.hypot(end[0] - start[0], end[1] - start[1]);
    const duration = this.time() * (0.75 + far / 900);
    await this.run(flying, [{ transform: this.at(start) }, { transform: this.at(end) }], duration);
    sound(isOff ? "off" : hit ? "hit" : "move");
    flying.remove();
    if (hit) await this.toBar(landed, to, own);
    else board.draw(landed);
  }

  /**
   * The blot that was hit goes to its bar.
   *
   * @param {BoardState} landed
   * @param {number} from
   * @param {boolean} own Whether the hitter is the player below
   */
  async toBar(landed, from, own) {
    const bar = own ? OFF : BAR;
    const onBar = Math.abs(landed.board[bar]);
    const without = landed.board.slice();
    without[bar] += own ? 1 : -1;
    this.board.draw({ ...landed, board: without });
    const flying = made(checker([0, 0], !own));
    flying.removeAttribute("transform");
    this.board.air.append(flying);
    await this.run(
      flying,
      [
        { transform: this.at(spot(from, 0, !own)) },
        { transform: this.at(spot(bar, onBar - 1, !own)) },
      ],
      this.time() * 0.9,
    );
    flying.remove();
    this.board.draw(landed);
  }

  /**
   * A whole play, checker by checker.
   *
   * @param {readonly (readonly number[])[]} steps
   * @param {boolean} own
   */
  async play(steps, own) {
    for (const [from, to] of steps) await this.slide(from, to, own);
  }

  /**
   * The dice roll in, and lie there.
   *
   * @param {readonly number[]} roll
   * @param {boolean} own
   */
  async roll(roll, own) {
    const { board } = this;
    const bare = { ...board.state, dice: null, theirDice: null, left: null };
    const rolled = { ...bare, [own ? "dice" : "theirDice"]: roll };
    sound("roll");
    if (this.isStill) {
      board.draw(rolled);
      return;
    }
    board.draw(bare);
    const faces = roll[0] === roll[1] ? [roll[0], roll[0]] : [...roll];
    const places = diceSpots(faces.length, own);
    const duration = Math.max(260, this.time() * 1.4);
    const flights = faces.map(async (face, i) => {
      const place = /** @type {[number, number]} */ ([places[i][0], places[i][1]]);
      const start = [place[0] + (own ? 150 : -150), place[1] + (i ? 70 : -60)];
      const holder = made({ name: "g", attributes: {}, children: [] });
      board.air.append(holder);
      // The faces that pass by before the one that counts.
      const shown = [(face % 6) + 1, ((face + 2) % 6) + 1, ((face + 3) % 6) + 1, face];
      const show = (/** @type {number} */ one) =>
        holder.replaceChildren(made(die(one, [0, 0], own)));
      shown
        .slice(0, -1)
        .forEach((one, k) => setTimeout(() => holder.isConnected && show(one), (duration * k) / 5));
      setTimeout(() => holder.isConnected && show(face), duration * 0.6);
      show(shown[0]);
      await this.run(
        holder,
        [
          { transform: `${this.at(start)} rotate(${i ? 300 : -260}deg)`, opacity: 0 },
          {
            transform: `${this.at([place[0] + (own ? 30 : -30), place[1]])} rotate(${i ? 60 : -50}deg)`,
            opacity: 1,
            offset: 0.6,
          },
          { transform: `${this.at(place)} rotate(0deg)`, opacity: 1 },
        ],
        duration,
        "ease-out",
      );
      holder.remove();
    });
    await Promise.all(flights);
    board.draw(rolled);
  }

  /**
   * The cube goes to another place, and shows another value.
   *
   * @param {NonNullable<BoardState["cube"]>} next
   */
  async turn(next) {
    const { board } = this;
    const before = board.state.cube;
    sound("cube");
    if (!before || this.isStill) {
      board.draw({ ...board.state, cube: next });
      return;
    }
    board.draw({ ...board.state, cube: null });
    const holder = made({ name: "g", attributes: { class: "turning" }, children: [] });
    board.air.append(holder);
    const show = (/** @type {NonNullable<BoardState["cube"]>} */ cube) => {
      const face = made(drawnCube(cube, board.mirrored));
      face.removeAttribute("transform");
      holder.replaceChildren(face);
    };
    const [start, end] = [cubeSpot(before), cubeSpot(next)];
    const middle = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2];
    const duration = this.time() * 1.6;
    show(before);
    setTimeout(() => holder.isConnected && show(next), duration / 2);
    await this.run(
      holder,
      [
        { transform: `${this.at(start)} scale(1, 1)` },
        { transform: `${this.at(middle)} scale(0.05, 1.25)` },
        { transform: `${this.at(end)} scale(1, 1)` },
      ],
      duration,
      "ease-in-out",
    );
    holder.remove();
    board.draw({ ...board.state, cube: next });
  }
}
