// @ts-check
// The axes of a line chart: what they reach to, their ticks, and their names.
import { dates, linear, logarithmic, short } from "./scale.js";
import { svg } from "./svg.js";

/**
 * The size of a chart and the edges of its field, in pixels.
 *
 * @typedef {{
 *   width: number;
 *   tall: number;
 *   left: number;
 *   right: number;
 *   top: number;
 *   floor: number;
 * }} Edges
 */

/**
 * The least and the greatest value of an axis, which are never the same.
 *
 * @param {number[]} values
 * @param {boolean} log
 */
function limits(values, log) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low < high) return [low, high];
  return log ? [low / 1.5, high * 1.5] : [low - 0.5, high + 0.5];
}

/**
 * The range of a y axis around its values, with some room.
 *
 * @param {import("./chart.js").Series[]} shown
 * @param {boolean} zero Whether it begins at 0 where nothing is less
 * @param {boolean} logY
 */
function heightsOf(shown, zero, logY) {
  const ys = shown
    .flatMap((one) => one.points)
    .flatMap(([, value, half = 0]) => [value - half, value + half])
    .filter((value) => Number.isFinite(value) && (!logY || value > 0));
  if (zero && !logY) ys.push(0);
  const [y0, y1] = limits(ys, logY);
  if (logY) {
    const pad = (y1 / y0) ** 0.06;
    return [y0 / pad, y1 * pad];
  }
  const pad = (y1 - y0) * 0.06;
  return [y0 - (zero && y0 === 0 ? 0 : pad), y1 + pad];
}

/**
 * Adds the end of an axis to its ticks, in place of one that is too near.
 *
 * @param {import("./scale.js").Scale} scale
 * @param {number} end
 * @param {number} most How many texts have room
 */
function withEnd(scale, end, most) {
  const isNear = (/** @type {number} */ tick) =>
    Math.abs(scale.at(end) - scale.at(tick)) < 1 / most;
  if (scale.ticks.some(([tick]) => tick === end)) return;
  scale.ticks = [...scale.ticks.filter(([tick]) => !isNear(tick)), [end, short(end, 0, 999.5)]];
}

/**
 * The axes of a chart, and where a value lies in pixels.
 *
 * @param {import("./chart.js").Series[]} shown
 * @param {Edges} edges
 * @param {{
 *   zero: boolean;
 *   logX: boolean;
 *   logY: boolean;
 *   whole: boolean;
 *   dated: boolean;
 *   range: [number, number] | null;
 *   end: number | null;
 * }} how
 */
export function axesOf(shown, { width, left, right, top, floor }, how) {
  const { logX, logY, whole, end } = how;
  const xs = shown.flatMap((one) => one.points).map((point) => point[0]);
  const [x0, x1] = limits(end === null ? xs : [...xs, end], logX);
  const [y0, y1] = how.range ?? heightsOf(shown, how.zero, logY);
  const across = how.dated
    ? dates(x0, x1, Math.floor(width / 110))
    : (logX ? logarithmic : linear)(x0, x1, Math.floor(width / 75), whole);
  if (logX || whole) withEnd(across, whole ? Math.floor(x1) : x1, (right - left) / 46);
  const up = (logY ? logarithmic : linear)(y0, y1, 6);
  const px = (/** @type {number} */ value) => left + across.at(value) * (right - left);
  const py = (/** @type {number} */ value) =>
    floor - Math.max(0, logY && value <= 0 ? 0 : up.at(value)) * (floor - top);
  return { across, up, px, py, y0, y1 };
}

/** @typedef {ReturnType<typeof axesOf>} Axes */

/**
 * The lines of the ticks with their texts, the line at a level, and the axes.
 *
 * @param {Axes} axes
 * @param {Edges} edges
 * @param {number | null} level
 */
export function grid({ across, up, px, py, y0, y1 }, { width, left, right, top, floor }, level) {
  const parts = [];
  for (const [tick, text] of up.ticks) {
    parts.push(
      svg("path", { d: `M${left} ${py(tick)}H${right}`, class: "grid" }),
      svg("text", { x: left - 6, y: py(tick) + 4, "text-anchor": "end" }, text),
    );
  }
  for (const [tick, text] of across.ticks) {
    // The text of a tick at the right edge ends there.
    const anchor = px(tick) + 4 * text.length > width ? "end" : "middle";
    const at = anchor === "end" ? width - 2 : px(tick);
    parts.push(
      svg("path", { d: `M${px(tick)} ${top}V${floor}`, class: "grid" }),
      svg("text", { x: at, y: floor + 17, "text-anchor": anchor }, text),
    );
  }
  if (level !== null && level > y0 && level < y1)
    parts.push(svg("path", { d: `M${left} ${py(level)}H${right}`, class: "level" }));
  parts.push(svg("path", { d: `M${left} ${top}V${floor}H${right}`, class: "axis" }));
  return parts;
}

/**
 * What the axes are.
 *
 * @param {string} x
 * @param {string} y
 * @param {Edges} edges
 */
export function axisNames(x, y, { left, right, top, floor, tall }) {
  const middle = (top + floor) / 2;
  return [
    svg("text", { x: (left + right) / 2, y: tall - 6, "text-anchor": "middle" }, x),
    svg(
      "text",
      { x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})` },
      y,
    ),
  ];
}
