// @ts-check
// Cube decisions, which the server names in English, in the person's language.
import { known } from "./words.js";
import { sentence } from "./dom.js";

/**
 * `Too good to double, pass` in the person's language.
 * @param {string} words @param {boolean} isTurned whether the cube was turned before: a double is a redouble then
 */
export function cubeWords(words, isTurned = false) {
  const named = isTurned ? words.replace(/\bdouble\b/gi, "redouble") : words;
  const parts = named.split(", ").map((part) => known(`cube.says.${part.toLowerCase().replaceAll(" ", "-")}`) ?? part.toLowerCase());
  return sentence(parts.join(", "));
}

/** A cube decision without the answer to a double that is not made: nobody takes what was not doubled. @param {string} words */
export const withoutAnswer = (words) => words.replace(/^(no \w+), .*$/i, "$1");

/**
 * The right answer to a double in the person's language.
 * @param {string} words of the cube decision, which name a beaver @param {number} take @param {number} pass equities of the player who has doubled
 */
export const answerWords = (words, take, pass) => cubeWords(words.endsWith("eaver") ? "beaver" : take > pass ? "pass" : "take");
