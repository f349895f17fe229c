// @ts-check
// Who the players of a match are: the person at this page, their names, seats and colours.
import { el } from "./dom.js";
import { KEPT } from "./own.js";
import { t } from "./words.js";

/** @typedef {import("./settings.js").Colour} Colour */

/** What a person without a name is called in each language: a match may have kept any of them. */
const NAMELESS = ["you", "du"];

/**
 * Whether a name stands for the person at this page.
 *
 * @param {string} name
 */
export const isYou = (name) => NAMELESS.includes(name.toLowerCase());

/**
 * The name that a match keeps: without one, the same word in every language.
 *
 * @param {string} name
 */
export const keptName = (name) => (!name || isYou(name) ? "you" : name);

/**
 * A player's name as tables show it: the person is "you" in their own language.
 *
 * @param {string} name
 */
export const shownName = (name) => (isYou(name) ? t("play.you") : name);

/**
 * The names of the person: the one that they chose as theirs, in the last match, of one without a
 * name.
 */
export function personNames() {
  try {
    return [
      localStorage.getItem(KEPT.person),
      JSON.parse(localStorage.getItem("nonet-match") ?? "{}").name,
      "you",
      t("play.you"),
    ].filter(Boolean);
  } catch {
    return ["you", t("play.you")]; // Not ours, or cut short.
  }
}

/**
 * Who sits below where nothing else is chosen: the person if they have played, else who decides.
 *
 * @param {string[]} names
 * @param {string[]} known The names of the person, the surest one first
 */
export function seatOfPerson(names, known = personNames()) {
  const lower = names.map((name) => name.toLowerCase());
  const found = known.map((name) => lower.indexOf(name.toLowerCase())).find((seat) => seat >= 0);
  return found === undefined ? "decider" : ["first", "second"][found];
}

/**
 * The colour of a player's checkers: the person has the one of their choice, wherever they sit.
 * Where neither player is the person, the first player has the light ones.
 *
 * @param {string[]} names
 * @param {number} seat
 * @param {string[]} [known] The names of the person
 * @returns {Colour}
 */
export function colourOf(names, seat, known) {
  const person = seatOfPerson(names, known);
  if (person === "decider") return seat === 0 ? "light" : "dark";
  return (person === "first") === (seat === 0) ? "own" : "other";
}

/**
 * A checker in a colour.
 *
 * @param {Colour} colour
 * @param {string} [title]
 */
export const chip = (colour, title) => el("span", { class: `chip ${colour}`, title });

/**
 * The checker of a player of a match.
 *
 * @param {string[]} names
 * @param {number} seat
 * @param {string} [title]
 */
export const chipOf = (names, seat, title) => chip(colourOf(names, seat), title);
