// @ts-check
// Every word that a person sees: `t("play.roll")`. The words are in words/, a file for each
// language and page.
import { setting } from "./settings.js";

export const LANGUAGES = ["en", "de"];

/** The language of the setting, else that of the browser, else English. */
export function wanted() {
  const chosen = setting("language");
  if (chosen !== "system") return chosen;
  const known = typeof navigator === "undefined" ? [] : (navigator.languages ?? []);
  for (const one of known) {
    const found = LANGUAGES.find((language) => one.toLowerCase().split("-")[0] === language);
    if (found) return found;
  }
  return "en";
}

export const language = wanted();
/** @type {Record<string, string>} */
const words = (await import(`../words/${language}.js`)).default;
const plurals = new Intl.PluralRules(language);

/**
 * Puts values into a text: `{name}` is a value, `{n:point|points}` one of two words by the number
 * `n`.
 *
 * @param {string} text
 * @param {Record<string, string | number>} values
 * @param {Intl.PluralRules} rules
 */
export function fill(text, values, rules = plurals) {
  return text
    .replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (whole, name, one, many) => {
      const value = values[name];
      if (value === undefined) return whole;
      if (one === undefined) return `${value}`;
      return rules.select(Number(value)) === "one" ? one : many;
    })
    .replace(/(\d) %/g, "$1\u00a0%")
    .replace(/(\d)-ply/g, "$1\u2011ply"); // A number and its unit stay in one line.
}

/**
 * The text of a key in the person's language. A key without a text is shown as it is.
 *
 * @param {string} key
 * @param {Record<string, string | number>} values
 */
export const t = (key, values = {}) => fill(words[key] ?? key, values);

/**
 * The text of a key, or nothing if there is none.
 *
 * @param {string} key
 */
export const known = (key) => (key in words ? t(key) : null);

/**
 * Fills the elements of a page: `data-t` their text, `data-t-label`, `-placeholder` and `-title`
 * their attributes.
 */
export function translate(root = document) {
  for (const one of root.querySelectorAll("[data-t]"))
    one.textContent = t(one.getAttribute("data-t") ?? "");
  for (const [name, attribute] of [
    ["label", "aria-label"],
    ["placeholder", "placeholder"],
    ["title", "title"],
  ]) {
    for (const one of root.querySelectorAll(`[data-t-${name}]`))
      one.setAttribute(attribute, t(one.getAttribute(`data-t-${name}`) ?? ""));
  }
}

if (typeof document !== "undefined") {
  document.documentElement.lang = language;
  translate();
}
