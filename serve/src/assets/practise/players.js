// @ts-check
// The players with cards: the person's own, those of other people, and the name of a new one.
import { isYou, personNames, shownName } from "../common/players.js";
import { el } from "../common/dom.js";
import { t } from "../common/words.js";
import { KEPT, ownOf } from "../common/own.js";
import { lastPlayer } from "./round.js";

/** What a browser keeps once a match was played, analysed or practised in it. */
const USED = ["nonet-match", "nonet-own-matches", "nonet-own-analyses", ...Object.values(KEPT)];

/**
 * The players with cards of the person, the surest one first; none at a first visit.
 *
 * @param {string[]} players
 */
export function ownPlayers(players) {
  const names = [
    ...(USED.some((key) => localStorage.getItem(key) !== null) ? personNames() : []),
    lastPlayer() ?? "",
  ];
  const known = names
    .map((name) => players.find((one) => one.toLowerCase() === name.toLowerCase()))
    .filter((one) => one !== undefined);
  return [
    ...new Set([
      ...known,
      ...ownOf(
        "decks",
        players.map((id) => ({ id })),
        false,
      ).map(({ id }) => id),
    ]),
  ];
}

/**
 * Others with the name that a person begins with: they may be the person in another browser.
 *
 * @param {string[]} players
 */
export const namesake = (players) =>
  players.find(
    (one) =>
      personNames()[0].toLowerCase() === one.toLowerCase() && !ownPlayers(players).includes(one),
  );

/**
 * The name that a person without cards begins with: nothing if others have cards of that name.
 *
 * @param {string[]} players
 */
export const newName = (players) => (namesake(players) === undefined ? personNames()[0] : "");

/**
 * What a deck without a name wants: a name, or the cards of the namesake.
 *
 * @param {string[]} players
 */
export const nameless = (players) =>
  t(namesake(players) === undefined ? "practise.name.missing" : "practise.name.missing.or", {
    adopt: t("practise.adopt"),
  });

/**
 * The name of a player with cards of another person.
 *
 * @param {string} player
 */
export const otherName = (player) => (isYou(player) ? t("practise.nameless") : player);

/**
 * The players with cards of other people, each a click away; nothing without one.
 *
 * @param {string[]} others
 */
export function othersLine(others) {
  const links = others
    .map((name, i) => [
      i ? ", " : " ",
      el("a", { href: `/practise?player=${encodeURIComponent(name)}` }, otherName(name)),
    ])
    .flat();
  return others.length ? el("p", { class: "small" }, t("practise.others"), links) : null;
}

/**
 * A button for whoever says that the cards of a player are theirs.
 *
 * @param {string} player
 * @param {(player: string) => void} adopt
 */
const adoptButton = (player, adopt) =>
  el("button", { type: "button", onclick: () => adopt(player) }, t("practise.adopt"));

/**
 * The cards of another person to a guest, who is asked nothing: an answer would change them.
 *
 * @param {string} player
 * @param {(player: string) => void} adopt
 */
export const guestPart = (player, adopt) => [
  el("h2", {}, t("practise.cardsOf", { player: otherName(player) })),
  el("p", {}, t("practise.guest")),
  el(
    "p",
    { class: "tools" },
    el("a", { class: "button main", href: "/practise" }, t("practise.asSelf")),
    adoptButton(player, adopt),
  ),
];

/**
 * Where a person without cards says how theirs are called: not as those of others. Those of a
 * namesake may be theirs.
 *
 * @param {string} player
 * @param {string[]} players
 * @param {(name: string) => void} call Takes the name, empty if others have it
 * @param {(player: string) => void} adopt
 */
export function nameField(player, players, call, adopt) {
  const field = el("input", {
    id: "own-name",
    maxlength: 40,
    autocomplete: "off",
    value: player && shownName(player),
  });
  field.addEventListener("input", () => {
    const name = field.value.trim();
    const isTaken = players.some((one) =>
      [one, shownName(one)].some((known) => known.toLowerCase() === name.toLowerCase()),
    );
    call(isTaken ? "" : isYou(name) ? "you" : name);
    field.setCustomValidity(isTaken ? t("practise.name.taken") : "");
  });
  const other = namesake(players);
  return el(
    "div",
    {},
    el("label", { class: "small" }, t("practise.name"), " ", field),
    other === undefined
      ? null
      : el(
          "p",
          { class: "tools" },
          el("span", { class: "small" }, t("practise.namesake", { player: otherName(other) })),
          adoptButton(other, adopt),
        ),
  );
}
