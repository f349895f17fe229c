// @ts-check
// Mouse, finger and keys on a board: which point is meant.
import { BAR, HEIGHT, OFF, WIDTH } from "./geometry.js";
import { checker } from "./draw.js";
import { made } from "./svg.js";

/**
 * What a board tells its owner.
 *
 * @typedef {object} Inputs
 * @property {(point: number, how: { second: boolean; key: boolean }) => void} [point] A click or
 *   tap, the second button, or Enter
 * @property {(point: number) => boolean} [drag] A drag begins; whether a checker can be taken there
 * @property {(from: number, to: number) => void} [drop] A dragged checker is put down
 * @property {() => void} [cancel] Escape, or a checker dropped nowhere
 * @property {(point: number | null) => void} [hover] The mouse is over another point
 * @property {() => void} [dice] A click on the own dice
 * @property {() => void} [cube] A click on the cube
 */

const TOP = [13, 14, 15, 16, 17, 18, BAR, 19, 20, 21, 22, 23, 24];
const LOW = [12, 11, 10, 9, 8, 7, BAR, 6, 5, 4, 3, 2, 1, OFF];

/**
 * The spot next to another. The points are in two rows, with the bar between them and off at the
 * right. The bar is in both rows: a person who comes to it from one row goes on in that row.
 *
 * @param {number} point
 * @param {number} dx
 * @param {number} dy
 * @param {boolean} onTop
 */
export function neighbour(point, dx, dy, onTop) {
  if (point !== BAR) onTop = TOP.includes(point);
  const at = (onTop ? TOP : LOW).indexOf(point);
  if (dy) onTop = dy > 0;
  const row = onTop ? TOP : LOW;
  return { next: row[Math.max(0, Math.min(row.length - 1, at + dx))], onTop };
}

/**
 * @param {import("./board.js").Board} board
 * @param {Inputs} on
 */
export function listen(board, on) {
  const { root } = board;
  /** @param {PointerEvent} event */
  const found = (event) => {
    const at =
      document
        .elementFromPoint(event.clientX, event.clientY)
        ?.closest("[data-point], .dice.own, .cube-place") ?? null;
    return at && root.contains(at) ? at : null;
  };
  const pointOf = (/** @type {Element | null} */ at) =>
    at?.hasAttribute("data-point") ? Number(at.getAttribute("data-point")) : null;
  /**
   * @type {{
   *   point: number;
   *   x: number;
   *   y: number;
   *   moved: boolean;
   *   taken: boolean;
   *   second: boolean;
   * } | null}
   */
  let drag = null;
  /** @type {SVGElement | null} */
  let carried = null;
  /** @type {number | null} */
  let over = null;
  const drop = () => {
    carried?.remove();
    carried = null;
    drag = null;
  };
  /** @param {PointerEvent} event */
  const carry = (event) => {
    if (!carried) {
      carried = made(checker([0, 0], true, { class: "checker own carried" }));
      board.air.append(carried);
    }
    const box = root.getBoundingClientRect();
    // The picture keeps its proportions in its box.
    const scale = Math.min(box.width / WIDTH, box.height / HEIGHT);
    const x = (event.clientX - box.left - (box.width - WIDTH * scale) / 2) / scale;
    const y = (event.clientY - box.top - (box.height - HEIGHT * scale) / 2) / scale;
    carried.setAttribute("transform", `translate(${x} ${y})`);
  };
  root.addEventListener("contextmenu", (event) => event.preventDefault());
  root.addEventListener("pointerdown", (event) => {
    const at = found(event);
    const point = pointOf(at);
    if (!at || event.button === 1) return;
    event.preventDefault();
    if (point === null) {
      if (at.classList.contains("dice")) on.dice?.();
      else on.cube?.();
      return;
    }
    drag = {
      point,
      x: event.clientX,
      y: event.clientY,
      moved: false,
      taken: false,
      second: event.button === 2,
    };
  });
  addEventListener("pointermove", (event) => {
    if (!drag) {
      if (!on.hover || event.pointerType !== "mouse") return;
      const now = pointOf(root.contains(/** @type {Node} */ (event.target)) ? found(event) : null);
      if (now !== over) {
        over = now;
        on.hover(now);
      }
      return;
    }
    if (
      !drag.moved &&
      !drag.second &&
      Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 6
    ) {
      drag.moved = true;
      drag.taken = on.drag?.(drag.point) ?? false;
      // What is carried does not lie there as well.
      if (drag.taken)
        [...root.querySelectorAll(`[data-point="${drag.point}"] > .checker`)]
          .at(-1)
          ?.classList.add("lifted");
    }
    if (drag.moved && drag.taken) carry(event);
  });
  addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { point, moved, taken, second } = drag;
    drop();
    const at = pointOf(found(event));
    if (!moved) on.point?.(point, { second, key: false });
    else if (taken && at !== null && at !== point)
      (on.drop ?? ((_, to) => on.point?.(to, { second: false, key: false })))(point, at);
    else if (taken) on.cancel?.();
  });
  addEventListener("pointercancel", () => {
    if (drag?.taken) on.cancel?.();
    drop();
  });
  root.addEventListener("keydown", (event) => {
    const at = /** @type {Element} */ (event.target).closest("[data-point]");
    if (!at) return;
    const point = Number(at.getAttribute("data-point"));
    const next = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
      event.key
    ];
    if (next) {
      event.preventDefault();
      board.focus(board.neighbour(point, next[0], next[1]));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      on.point?.(point, { second: false, key: true });
    } else if (event.key === "Escape") on.cancel?.();
  });
}
