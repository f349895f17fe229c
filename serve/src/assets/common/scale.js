// @ts-check
// The axes of charts: ticks at round values, and where a value lies.

import { decimal, figures } from "./format.js";

/**
 * @typedef {{
 *   ticks: [number, string][];
 *   at: (value: number) => number;
 *   value: (at: number) => number;
 * }} Scale
 */

/**
 * A number in few digits: 20k, 1.5M.
 *
 * @param {number} value
 */
export function short(value, digits = 0, thousands = 9999.5) {
  const size = Math.abs(value);
  const [unit, letter] = size >= 999500 ? [1e6, "M"] : size >= thousands ? [1e3, "k"] : [1, ""];
  return letter ? `${figures(value / unit)}${letter}` : decimal(value, digits);
}

/**
 * An axis from `low` to `high` with about `most` ticks: `at(value)` is 0 to 1, `value(at)` its
 * inverse.
 *
 * @param {number} low
 * @param {number} high
 * @param {number} most
 * @returns {Scale}
 */
export function linear(low, high, most, whole = false) {
  const raw = Math.max((high - low) / most || 1, whole ? 1 : 0);
  const power = 10 ** Math.floor(Math.log10(raw));
  const unit = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw * (1 - 1e-9)) ?? 10 * power;
  const digits = Math.max(0, -Math.floor(Math.log10(unit) + 1e-9));
  /** @type {[number, string][]} */
  const ticks = [];
  for (let tick = Math.ceil(low / unit - 1e-9) * unit; tick <= high + unit * 1e-9; tick += unit) {
    ticks.push([tick, short(Math.abs(tick) < unit * 1e-9 ? 0 : tick, digits)]);
  }
  return {
    ticks,
    at: (value) => (value - low) / (high - low),
    value: (at) => low + at * (high - low),
  };
}

/**
 * The same on a logarithmic axis, with ticks at 1, 2 and 5, at 1 and 3, or at powers of ten.
 *
 * @param {number} low
 * @param {number} high
 * @param {number} most
 * @returns {Scale}
 */
export function logarithmic(low, high, most) {
  const [from, to] = [Math.log(low), Math.log(high)];
  const known = (/** @type {number[]} */ multiples) => {
    const found = [];
    for (
      let power = Math.floor(Math.log10(low));
      power <= Math.ceil(Math.log10(high));
      power += 1
    ) {
      for (const n of multiples) found.push(n * 10 ** power);
    }
    return found.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
  };
  const choices = [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]].map(known);
  let ticks = choices.find((some) => some.length <= most) ?? choices[choices.length - 1];
  if (ticks.length < 2) ticks = [low, high];
  return {
    ticks: ticks.map((tick) => [tick, tick < 1000 ? figures(tick) : short(tick, 0, 999.5)]),
    at: (value) => (Math.log(value) - from) / (to - from),
    value: (at) => Math.exp(from + at * (to - from)),
  };
}

/**
 * The same for Unix seconds, with ticks at whole hours, days or months of UTC.
 *
 * @param {number} low
 * @param {number} high
 * @param {number} most
 * @returns {Scale}
 */
export function dates(low, high, most) {
  const [hour, day] = [3600, 86400];
  const unit =
    [
      hour,
      3 * hour,
      6 * hour,
      12 * hour,
      day,
      2 * day,
      7 * day,
      14 * day,
      30 * day,
      90 * day,
      365 * day,
    ].find((size) => (high - low) / size <= most) ?? 1000 * day;
  /** @type {[number, string][]} */
  const ticks = [];
  for (let tick = Math.ceil(low / unit) * unit; tick <= high; tick += unit) {
    const text = new Date(1000 * tick).toISOString();
    ticks.push([tick, unit < day ? text.slice(5, 16).replace("T", " ") : text.slice(0, 10)]);
  }
  return {
    ticks,
    at: (value) => (value - low) / (high - low),
    value: (at) => low + at * (high - low),
  };
}
