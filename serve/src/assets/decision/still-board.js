// @ts-check
// Boards as pictures for a page without scripts. Wood and checkers are drawn once; each board uses
// them by name.
import { Board } from "../board/board.js";
import { shape } from "../board/draw.js";
import { made } from "../board/svg.js";
import { el } from "../common/dom.js";

/**
 * What a shape takes from the style sheets, where it is not what a shape has anyway.
 *
 * @type {[string, string][]}
 */
const LOOKS = [
  ["fill", "rgb(0, 0, 0)"],
  ["stroke", "none"],
  ["stroke-width", "1px"],
  ["opacity", "1"],
  ["font-size", "16px"],
  ["text-anchor", "start"],
];

/**
 * A copy of a part that has its looks in itself.
 *
 * @param {Element} from
 */
function baked(from) {
  const copy = /** @type {Element} */ (from.cloneNode(true));
  const copies = [...copy.querySelectorAll("*")];
  [...from.querySelectorAll("*")].forEach((one, i) => {
    const style = getComputedStyle(one);
    for (const [name, usual] of LOOKS) {
      const look = style.getPropertyValue(name).replaceAll('"', "");
      if (look !== usual) copies[i].setAttribute(name, look);
    }
    copies[i].removeAttribute("class");
  });
  return copy;
}

export class StillBoards {
  constructor() {
    // Styles count only in the document.
    this.place = el("div", { class: "unseen", "aria-hidden": "true" });
    document.body.append(this.place);
    /** @type {Map<string, Board>} */
    this.boards = new Map();
    this.shared = made(
      shape("svg", { width: 0, height: 0, class: "unseen", "aria-hidden": "true" }),
    );
  }

  /**
   * The board of a look; its wood and checkers are then among the shared ones.
   *
   * @param {import("../common/settings.js").Colour} colour
   * @param {boolean} turned
   */
  boardOf(colour, turned) {
    const name = `${colour}-${turned ? "turned" : "straight"}`;
    const known = this.boards.get(name);
    if (known) return { name, board: known };
    const board = new Board(this.place);
    board.give(colour, turned);
    // One checker of each side, and the wood.
    board.draw({ board: [0, 1, ...new Array(22).fill(0), -1, 0] });
    const keep = (/** @type {string} */ part, /** @type {Element | null} */ from) => {
      if (!from) return;
      const copy = made(
        shape("g", { id: `${name}-${part}`, "font-family": "system-ui, sans-serif" }),
      );
      copy.append(...baked(from).children);
      this.shared.append(copy);
    };
    this.shared.append(board.defs.cloneNode(true));
    keep("ground", board.ground);
    for (const side of ["own", "other"]) keep(side, board.things.querySelector(`.checker.${side}`));
    this.boards.set(name, board);
    return { name, board };
  }

  /**
   * A board as a picture.
   *
   * @param {any} state
   * @param {{
   *   colour: import("../common/settings.js").Colour;
   *   turned: boolean;
   *   label: string;
   * }} look
   */
  picture(state, { colour, turned, label }) {
    const { name, board } = this.boardOf(colour, turned);
    board.draw(state);
    const copy = /** @type {Element} */ (board.root.cloneNode(true));
    const use = (/** @type {string} */ part) => made(shape("use", { href: `#${name}-${part}` }));
    copy.setAttribute("aria-label", label);
    for (const gone of copy.querySelectorAll("defs, .hit, .air")) gone.remove();
    copy.querySelector(".ground")?.replaceWith(use("ground"));
    for (const checker of copy.querySelectorAll(".checker")) {
      for (const circle of checker.querySelectorAll("circle")) circle.remove();
      checker.prepend(use(checker.classList.contains("own") ? "own" : "other"));
    }
    return copy;
  }

  /** Takes the boards away; their pictures stay. */
  end() {
    this.place.remove();
  }
}
