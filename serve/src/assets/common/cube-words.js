// @ts-check
// What pages know of the cube: whether a game has one, and the cube decisions in the person's
// language. The server names the decisions in English.
import { known } from "./words.js";
import { sentence } from "./dom.js";

/**
 * Whether a game has a cube: not in a match to one point, and not in a Crawford game. The rules of
 * a match have this shape; a match as a whole has no `crawford`.
 *
 * @param {{ length: number | null; crawford?: boolean }} rules `length` is null or 0 for money
 */
export const hasCube = ({ length, crawford = false }) => length !== 1 && !crawford;

/**
 * `Too good to double, pass` in the person's language.
 *
 * @param {string} words
 * @param {boolean} isTurned Whether the cube was turned before: a double is a redouble then
 */
export function cubeWords(words, isTurned = false) {
  const named = isTurned ? words.replace(/\bdouble\b/gi, "redouble") : words;
  const parts = named
    .split(", ")
    .map(
      (part) => known(`cube.says.${part.toLowerCase().replaceAll(" ", "-")}`) ?? part.toLowerCase(),
    );
  return sentence(parts.join(", "));
}

/**
 * A cube decision without the answer to a double that is not made: without a double there is no
 * take.
 *
 * @param {string} words
 */
export const withoutAnswer = (words) => words.replace(/^(no \w+), .*$/i, "$1");

/**
 * The answers to a double: their names, the equities of the doubler, and their places among the
 * chances to win the match. A beaver doubles the points of a take: `double_take` has those of the
 * better one.
 *
 * @param {{ double_take: number; double_pass: number; answer?: string }} cube
 */
export function answersOf({ double_take: taken, double_pass: passed, answer }) {
  const isBeaver = answer === "beaver";
  /** @type {[string, number, number][]} */
  const all = [
    ["take", isBeaver ? taken / 2 : taken, 1],
    ["pass", passed, 2],
  ];
  if (isBeaver) all.unshift(["beaver", taken, 1]);
  return all;
}

/**
 * The right answer to a double in the person's language.
 *
 * @param {string} words Of the cube decision, which name a beaver
 * @param {number} take
 * @param {number} pass Equities of the player who has doubled
 */
export const answerWords = (words, take, pass) =>
  cubeWords(words.endsWith("eaver") ? "beaver" : take > pass ? "pass" : "take");
