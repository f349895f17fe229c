// @ts-check
// Numbers as people write them in their language.
import { language, t } from "./words.js";

/** @type {Map<number, Intl.NumberFormat>} */
const formats = new Map();

/**
 * A number with `digits` digits after the point; a number rounded to 0 has no sign.
 *
 * @param {number} value
 * @param {number} digits
 */
export function decimal(value, digits) {
  let format = formats.get(digits);
  if (!format) {
    format = new Intl.NumberFormat(language, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: false,
      signDisplay: "negative",
    });
    formats.set(digits, format);
  }
  return format.format(value).replace("-", "−");
}

const significant = new Intl.NumberFormat(language, {
  maximumSignificantDigits: 3,
  useGrouping: false,
});

/**
 * A number with at most three figures, without zeros at its end.
 *
 * @param {number} value
 */
export const figures = (value) => significant.format(value).replace("-", "−");

/** The decimal point of the language. */
export const point = decimal(0.5, 1)[1];

/**
 * A text with the decimal point of the person's language: 0.1..0.001.
 *
 * @param {string} text
 */
export const inLanguage = (text) => text.replace(/(\d)\.(?=\d)/g, `$1${point}`);

/**
 * A sentence with minus signs, and with percent signs that stay at their numbers.
 *
 * @param {string} text
 */
export const typeset = (text) =>
  text.replace(/(^|[\s(])-(?=[\d(])/g, "$1−").replace(/(\d) %/g, "$1\u00a0%");

/**
 * English prose with the apostrophes, quotes and minus signs of print; a value stays with its ±.
 *
 * @param {string} text
 */
export const typographic = (text) =>
  typeset(text)
    .replaceAll(" ± ", "\u00a0±\u00a0")
    .replaceAll("'", "’")
    .replace(/"([^"]*)"/g, "“$1”");

/**
 * What a play loses, in words: about so much where it was not searched as deeply as the best one.
 *
 * @param {{ loss: number; plies: number }} play
 * @param {{ plies: number }} best
 */
export function losesWords(play, best) {
  const isDeep = play.plies === best.plies;
  return t(isDeep ? "common.loses" : "common.losesAbout", {
    loss: decimal(play.loss, isDeep ? 3 : 2),
  });
}

/**
 * A whole number, its thousands set apart.
 *
 * @param {number} value
 */
export const count = (value) => value.toLocaleString(language);

/**
 * A whole number as people write it, its thousands set apart or not; NaN for another text.
 *
 * @param {string} text
 */
export const wholeFrom = (text) =>
  /^(\d+|\d{1,3}([.,’'\s]\d{3})+)$/.test(text.trim()) ? Number(text.replace(/\D/g, "")) : NaN;

/**
 * With its sign; what is rounded to 0 has none.
 *
 * @param {number} value
 */
export function signed(value, digits = 3) {
  const size = decimal(Math.abs(value), digits);
  return (!/[1-9]/.test(size) ? "" : value < 0 ? "−" : "+") + size;
}

/**
 * Whether an equity, a chance or a difference of them is shown as 0. A difference is that of the
 * unrounded values, rounded once: one decision loses the same on every page.
 *
 * @param {number} value
 */
export const isNothing = (value) => Math.abs(value) < 0.0005;

const day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
const localDay = new Intl.DateTimeFormat(language, { dateStyle: "medium" });

/**
 * The person's day of a moment, in one piece.
 *
 * @param {number} time In seconds since 1970
 */
export const dayOf = (time) => localDay.format(1000 * time).replaceAll(" ", "\u00a0");

/**
 * A date such as 2025-11-25 as people write it, in one piece.
 *
 * @param {string} date
 */
export const written = (date) =>
  Number.isNaN(Date.parse(date)) ? date : day.format(new Date(date)).replaceAll(" ", "\u00a0");

/**
 * The moment that a name of the server begins with, such as Nov 27, 2026 00:24; null if there is
 * none.
 *
 * @param {string} name
 */
export function momentOf(name) {
  const [, year, month, of, hour, minute] =
    name.match(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)\d\d\b/) ?? [];
  return year ? `${written(`${year}-${month}-${of}`)} ${hour}:${minute}` : null;
}

/**
 * The name of a record: that of its file, or when the match of this server began.
 *
 * @param {string} name
 */
export function recordName(name) {
  const moment = name.endsWith(".mat") ? momentOf(name) : null;
  return moment ? t("common.matchOf", { moment }) : name;
}

/**
 * The reason why a file cannot be read, without the name of the file and the line.
 *
 * @param {string} name
 * @param {string} message
 */
export const reasonOf = (name, message) =>
  message
    .split(`${name}:`)
    .map((part, i) => (i ? part.replace(/^\d+: |^ /, "") : part))
    .join("");

/**
 * Shares as whole per cents that sum to their rounded sum: those with the largest remainders are
 * rounded up.
 *
 * @param {number[]} shares
 * @returns {number[]}
 */
export function wholePercents(shares) {
  const exact = shares.map((share) => 100 * share);
  const found = exact.map(Math.floor);
  const missing =
    Math.round(exact.reduce((sum, one) => sum + one, 0)) - found.reduce((sum, one) => sum + one, 0);
  const order = exact.map((one, i) => [one - found[i], i]).sort(([a, i], [b, j]) => b - a || i - j);
  for (const [, i] of order.slice(0, missing)) found[i] += 1;
  return found;
}

/**
 * A chance of 0 to 1.
 *
 * @param {number} chance
 */
export const percent = (chance, digits = 1) => `${decimal(100 * chance, digits)}\u00a0%`;
