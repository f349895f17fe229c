// @ts-check
// Where things lie on the board, in the units of its picture. Pure numbers; what they look like is
// in look.js.
import LOOK from "./look.js";

const G = LOOK.geometry;
export const {
  height: HEIGHT,
  radius: RADIUS,
  stack: STACK,
  tray: TRAY,
  edge: EDGE,
  point: POINT,
  bar: BAR_WIDTH,
  frame: FRAME,
  die: DIE,
  dieGap: DIE_GAP,
  trayEnd: TRAY_END,
} = G;
export const WIDTH = G.frame + 12 * G.point + G.bar + G.tray;
/** The number of the player's bar, and of the place of checkers borne off. */
export const BAR = 25;
export const OFF = 0;

/** @typedef {[number, number]} Place */

/**
 * The left edge of a point's column; bearing off at the right.
 *
 * @param {number} point
 */
export function left(point) {
  const column = point <= 12 ? 12 - point : point - 13;
  return G.frame + column * G.point + (column >= 6 ? G.bar : 0);
}

/** The middle of the bar, and of the tray at the right. */
export const barX = G.frame + 6 * G.point + G.bar / 2;
export const trayX = WIDTH - G.tray / 2;

/**
 * The centre of the checker number `i` of a stack, from the edge inwards. Points are those of the
 * player below; `own` is true for a checker of that player.
 *
 * @param {number} point 1 to 24, 25 and 0: bar and off of the player below, 0 and 25 those of the
 *   other
 * @param {number} i
 * @param {boolean} own
 * @returns {Place}
 */
export function spot(point, i, own) {
  const step = 2 * G.radius;
  if (point === (own ? BAR : OFF)) {
    const away = G.barGap + Math.min(i, G.barStack - 1) * step;
    return [barX, own ? G.height / 2 - away : G.height / 2 + away];
  }
  if (point === (own ? OFF : BAR)) {
    const y = G.edge + G.offGap + G.piece * (i + 0.5);
    return [trayX, own ? G.height - y : y];
  }
  const x = left(point) + G.point / 2;
  const y = G.edge + G.radius + 1 + Math.min(i, G.stack - 1) * step;
  return [x, point <= 12 ? G.height - y : y];
}

/** The upper ends of both trays, and their height. */
export const trayTops = [G.edge - 2, G.height / 2 + G.trayEnd];
export const trayHeight = G.height / 2 - G.trayEnd - G.edge + 2;

/**
 * The centre of the cube:
 *
 * - a cube that is offered: on the table, in the half of the player who has to answer.
 * - a cube with an owner: at the end of the owner's tray, before the checkers borne off.
 * - a cube without an owner: in the middle between both trays.
 *
 * @param {{ owner: "you" | "nonet" | null; offered?: number | null; to?: "you" | "nonet" }} cube
 * @returns {Place}
 */
export function cubeSpot(cube) {
  if (cube.offered) return [diceX(cube.to !== "nonet"), G.height / 2];
  const away = cube.owner === "you" ? G.cubeAway : cube.owner === "nonet" ? -G.cubeAway : 0;
  return [trayX, G.height / 2 + away];
}

/**
 * The middle of the dice: the player below rolls into the right half, the other one into the left.
 *
 * @param {boolean} own
 */
export const diceX = (own) => G.frame + (own ? 9 * G.point + G.bar : 3 * G.point);

/**
 * The centres of `count` dice.
 *
 * @param {number} count
 * @param {boolean} own
 * @returns {Place[]}
 */
export function diceSpots(count, own) {
  const step = G.die + G.dieGap;
  return Array.from({ length: count }, (_, i) => [
    diceX(own) + (i - (count - 1) / 2) * step,
    G.height / 2,
  ]);
}

/**
 * Left and right exchanged, for people who bear off at the left.
 *
 * @param {number} x
 * @param {boolean} mirrored
 */
export const turned = (x, mirrored) => (mirrored ? WIDTH - x : x);
