// @ts-check
// Cube decisions, which the server names in English, in the person's language.
import { known } from "./words.js";
import { sentence } from "./dom.js";

/** `Too good to double, pass` in the person's language. @param {string} words */
export function cubeWords(words) {
  const parts = words.split(", ").map((part) => known(`cube.says.${part.toLowerCase().replaceAll(" ", "-")}`) ?? part.toLowerCase());
  return sentence(parts.join(", "));
}
