// @ts-check
// Ways to new cards: own analyses with mistakes, new positions, a test, and opening rolls.
import { get } from "../common/api.js";
import { attempt, el, empty, loading } from "../common/dom.js";
import { t } from "../common/words.js";
import { practiseOffers } from "../analyse/practise-buttons.js";
import { otherName, othersLine } from "./players.js";

/**
 * @param {string} text
 * @param {() => Promise<any>} act
 * @param {boolean} isMain
 */
export const button = (text, act, isMain = false) =>
  el("button", { type: "button", class: isMain ? "main" : "", onclick: () => attempt(act) }, text);

/** The way to the opening rolls and their best plays. */
const openingsLink = () => el("a", { class: "button", href: "/position" }, t("position.openings"));

/**
 * Without cards: a match, new positions or a test, and the own analyses with mistakes that cards
 * can be made of.
 *
 * @param {any[]} analyses
 * @param {HTMLElement[]} begin The buttons for new positions, a test and openings
 * @param {HTMLElement} name The place where the person says how their cards are called
 * @param {string[]} others The players with cards
 */
export function firstPart(analyses, begin, name, others) {
  const offers = practiseOffers(analyses);
  begin[0].classList.toggle("main", !offers.length);
  const links = el(
    "p",
    { class: "tools" },
    el("a", { class: "button", href: "/analyse" }, t("practise.analyse")),
    el("a", { class: "button", href: "/" }, t("practise.play")),
    openingsLink(),
  );
  const own = empty(t(offers.length ? "practise.offer" : "practise.none"), ...offers, links);
  const fresh = [el("p", {}, t("practise.first")), el("p", { class: "tools" }, begin), name];
  return [...(offers.length ? [own, ...fresh] : [...fresh, own]), othersLine(others)].filter(
    (part) => part !== null,
  );
}

/**
 * More analyses of a player: their mistakes become cards with one click. They are asked for when
 * the part is opened. One that is there already changes nothing. The opening rolls are a click
 * away.
 *
 * @param {string} player
 * @param {() => void} askOpenings
 */
export function addMatch(player, askOpenings) {
  const place = el("div", {});
  const fill = async () => {
    place.replaceChildren(loading());
    const offers = practiseOffers(await get("/analyses"), player);
    place.replaceChildren(
      ...(offers.length
        ? offers
        : [el("p", { class: "small" }, t("practise.add.none", { player: otherName(player) }))]),
      el(
        "p",
        { class: "tools" },
        el("a", { class: "button", href: "/analyse" }, t("practise.analyse")),
      ),
    );
  };
  const more = el(
    "details",
    {
      ontoggle: (/** @type {Event} */ event) => {
        if (/** @type {HTMLDetailsElement} */ (event.target).open && !place.firstChild)
          attempt(fill);
      },
    },
    el("summary", {}, t("practise.add")),
    place,
  );
  return el(
    "div",
    {},
    more,
    el(
      "p",
      { class: "tools" },
      openingsLink(),
      el("button", { type: "button", onclick: askOpenings }, t("position.openings.ask")),
    ),
  );
}
