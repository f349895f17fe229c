// @ts-check
// The log of a match: what has happened, the newest first. A line shows its play on the board while
// it is pointed at.
import { el } from "../common/dom.js";
import { t } from "../common/words.js";
import { START, flipped, unmoved } from "../board/position.js";

/** @typedef {import("./views.js").MatchView} MatchView */
/** @typedef {import("./views.js").CourseRow} CourseRow */

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

/**
 * The opening roll before a play, if the play is one of an opening: the higher die began.
 * @param {MatchView} view @param {Pick<CourseRow, "player" | "dice" | "board" | "steps">} row @returns {string | null}
 */
function openingOf({ two_people: two, names }, { player, dice, board, steps }) {
  const [high, low] = dice;
  const before = unmoved(board, steps, player === "you");
  if (high === low || before.some((n, i) => n !== START[i])) return null;
  const [name, other] = player === "you" ? names : [names[1], names[0]];
  return two ? t("play.event.opens.two", { name, other, high, low }) : t(`play.event.opens.${player}`, { name: names[1], high, low });
}

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

  /**
   * Adds the plays so far, but for the last ones that the match tells again. Each game begins with
   * its opening roll.
   * @param {MatchView} view @param {CourseRow[]} rows @param {number} told
   */
  addRows(view, rows, told) {
    const isTold = view.events.some(({ what }) => what === "opens");
    for (const [i, row] of rows.entries()) {
      const isLeft = i >= rows.length - told;
      const opening = rows[i - 1]?.game === row.game || (isLeft && isTold) ? null : openingOf(view, row);
      if (opening) this.add(opening, row.player, null);
      if (isLeft) continue;
      const kind = view.two_people ? "nonet" : row.player;
      const name = view.names[row.player === "you" ? 0 : 1];
      const words = t(`play.event.${row.play ? "plays" : "dances"}.${kind}`, { name, dice: row.dice.join(""), play: row.play });
      this.add(words, row.player, row.play ? { ...row, own: row.player === "you", light: view.light } : null);
    }
    // The opening roll that the person has to play.
    if (isTold || !view.dice || rows.at(-1)?.game === view.game) return;
    const opening = openingOf(view, { player: "you", dice: view.dice, board: view.board, steps: [] });
    if (opening) this.add(opening, "you", null);
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
