// @ts-check
// What a click, a drag or a key on the board means while the person plays a roll.
import { say } from "../common/dom.js";
import { setting } from "../common/settings.js";
import { t } from "../common/words.js";
import { BAR, OFF } from "../board/geometry.js";

/** @typedef {import("../board/roll.js").Roll} Roll */
/** @typedef {import("../board/roll.js").Single} Single */

/**
 * A point in a move's words.
 *
 * @param {number} point
 */
const pointName = (point) =>
  point === BAR ? t("play.barName") : point === OFF ? t("play.off") : `${point}`;

/**
 * The moves of a path, as plays are written.
 *
 * @param {{ from: number; to: number; next: readonly number[] }[]} path
 * @param {readonly number[]} board The board before it
 */
export function movedWords(path, board) {
  let onBar = board[0];
  return path
    .map(({ from, to, next }) => {
      const hits = next[0] < onBar;
      onBar = next[0];
      return t(hits ? "play.movedHit" : "play.moved", { from: pointName(from), to: pointName(to) });
    })
    .join(" ");
}

/**
 * The move of a click on a checker: by the first die in the order that they lie, or else by the
 * other one.
 *
 * @param {Roll} roll
 * @param {number} from
 * @param {readonly number[]} order
 */
export function byDie(roll, from, order) {
  const moves = roll.moves().filter((move) => move.from === from);
  for (const die of order) {
    const found = moves.find((move) => move.die === die);
    if (found) return found;
  }
  return null;
}

/**
 * The moves of a click on a point that checkers can go to: the one that can, or two that make the
 * point together.
 *
 * @param {Roll} roll
 * @param {number} to
 */
export function towards(roll, to) {
  const from = roll.sources().filter((point) => roll.targets(point).has(to));
  const first = from.length > 0 ? roll.targets(from[0]).get(to) : undefined;
  if (!first || from.length === 1) return first ?? null;
  if (from.length > 2 || first.length > 1) return null;
  roll.make(first);
  const second = roll.targets(from[1]).get(to);
  roll.takeBack();
  return second?.length === 1 ? [...first, ...second] : null;
}

export class Picking {
  /** @param {{ move: (path: Single[], dragged?: boolean) => void; render: () => void }} owner */
  constructor(owner) {
    this.owner = owner;
    /** @type {Roll | null} */
    this.roll = null;
    /** @type {number | null} */
    this.selected = null;
    /** Whether the lower die lies first. */
    this.swapped = false;
  }

  /**
   * A new roll, or none.
   *
   * @param {Roll | null} roll
   */
  begin(roll) {
    this.roll = roll;
    this.selected = null;
    this.swapped = false;
  }

  /** Where the selected checker can go. */
  targets() {
    return this.roll && this.selected !== null ? [...this.roll.targets(this.selected).keys()] : [];
  }

  /**
   * @param {number} point
   * @param {{ second: boolean; key: boolean }} how
   */
  point(point, how) {
    const { roll } = this;
    if (!roll) return;
    if (this.selected !== null && this.selected !== point) {
      const path = roll.targets(this.selected).get(point);
      if (path) {
        this.owner.move(path);
        return;
      }
    }
    if (this.selected === point) {
      this.letGo();
      return;
    }
    const had = this.selected !== null;
    this.selected = null;
    if (!roll.sources().includes(point)) {
      const path = had || how.key ? null : towards(roll, point);
      if (path) {
        this.owner.move(path);
        return;
      }
      const own = (roll.board[point] ?? 0) > 0;
      const barFirst = own && point !== 25 && (roll.board[25] ?? 0) > 0;
      if (had || own)
        say(
          t(
            roll.play()
              ? "play.allPlayed"
              : barFirst
                ? "play.barFirst"
                : had && !own
                  ? "play.cannotGo"
                  : "play.cannotMove",
          ),
        );
      this.owner.render();
      return;
    }
    const picks = how.key || (setting("click") === "pick" && !how.second);
    if (!picks) {
      const first = Math.max(...roll.all);
      const second = Math.min(...roll.all);
      const order = this.swapped !== how.second ? [second, first] : [first, second];
      const move = byDie(roll, point, order);
      if (move) this.owner.move([move]);
      return;
    }
    this.selected = point;
    say(
      t("play.picked", {
        point: pointName(point),
        targets: this.targets().map(pointName).join(", "),
      }),
    );
    this.owner.render();
  }

  /**
   * A drag begins.
   *
   * @param {number} point
   */
  drag(point) {
    if (!this.roll?.sources().includes(point)) return false;
    this.selected = point;
    this.owner.render();
    return true;
  }

  /**
   * A dragged checker is put down.
   *
   * @param {number} from
   * @param {number} to
   */
  drop(from, to) {
    const path = this.roll?.targets(from).get(to);
    this.selected = null;
    if (path) this.owner.move(path, true);
    else {
      say(t("play.cannotGo"));
      this.owner.render();
    }
  }

  letGo() {
    this.selected = null;
    this.owner.render();
  }

  /**
   * The dice change places.
   *
   * @param {string} question What is asked then
   */
  swap(question = "") {
    this.swapped = !this.swapped;
    say(question);
    this.owner.render();
  }
}
