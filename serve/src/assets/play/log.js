// @ts-check
// The log of a match: what has happened, the newest first. A line shows its play on the board while
// it is pointed at.
import { el } from "../common/dom.js";
import { flipped, unmoved } from "../board/position.js";

/**
 * A play as the board shows it; `light` says whether the player below had the light checkers.
 * @typedef {{ board: readonly number[], steps: readonly (readonly number[])[], own: boolean, light: boolean }} Shown
 */

/**
 * The same as the player with the other checkers sees it.
 * @param {Shown} shown
 * @returns {Shown}
 */
export const turnedAround = ({ board, steps, own, light }) => ({ board: flipped(board), steps: steps.map(([from, to]) => [25 - from, 25 - to]), own: !own, light: !light });

/** What the board draws for a line. @param {Shown} shown */
export const arrowsOf = ({ board, steps, own }) => [{ steps: /** @type {[number, number][]} */ (steps), kind: /** @type {const} */ ("shown"), own, before: unmoved(board, steps, own) }];

export class Log {
  /**
   * @param {HTMLElement} place
   * @param {(shown: Shown | null) => void} look shows a play on the board, or the board as it is
   */
  constructor(place, look) {
    this.place = place;
    this.look = look;
    /** The lines after each decision of the person; the first ones were there before. @type {Element[][]} */
    this.groups = [[]];
    place.addEventListener("keydown", (event) => this.step(event));
  }

  clear() {
    this.place.replaceChildren();
    this.groups = [[]];
  }

  /** What follows is the consequence of another decision. */
  begin() {
    this.groups.push([]);
  }

  /** @param {string} words @param {string} player @param {Shown | null} shown */
  add(words, player, shown) {
    const line = el("li", { class: player }, shown ? this.button(words, shown) : words);
    this.place.prepend(line);
    this.groups.at(-1)?.push(line);
    this.place.scrollTop = 0;
    [...this.place.querySelectorAll("button")].forEach((one, i) => { one.tabIndex = i ? -1 : 0; });
  }

  /** @param {string} words @param {Shown} shown */
  button(words, shown) {
    const [show, hide] = [() => this.look(shown), () => this.look(null)];
    return el("button", { type: "button", onpointerenter: show, onpointerleave: hide, onfocus: show, onblur: hide, onclick: show }, words);
  }

  /**
   * Takes the lines of the last decision away.
   * @returns {boolean} whether they were known
   */
  takeBack() {
    if (this.groups.length < 2) return false;
    for (const line of this.groups.pop() ?? []) line.remove();
    return true;
  }

  /** From line to line with the arrow keys. @param {KeyboardEvent} event */
  step(event) {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const lines = [...this.place.querySelectorAll("button")];
    lines[lines.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement)) + way]?.focus();
  }
}
