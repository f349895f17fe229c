// @ts-check
// Takes up the mistakes of a player of an analysis, and goes to their cards.
import { post } from "../common/api.js";
import { attempt, el } from "../common/dom.js";
import { recordName } from "../common/format.js";
import { host } from "../common/host.js";
import { SERVER, isChampion } from "../common/net-name.js";
import { isTaken, keepTaken, ownAnalyses } from "../common/own.js";
import { t } from "../common/words.js";
import { isYou, shownName } from "../common/players.js";
import { TELLING } from "./rating-scale.js";

/**
 * A button for each person of a match.
 *
 * @param {string} analysis
 * @param {readonly string[]} names
 */
export function practiseButtons(analysis, names) {
  const begin = async (/** @type {string} */ name) => {
    const { player } = await post("/practice/matches", { analysis, player: name });
    keepTaken(analysis, name);
    host.go(`/practise?player=${encodeURIComponent(player)}&from=${encodeURIComponent(analysis)}`);
  };
  const people = names.filter((name) => name !== SERVER);
  return el(
    "p",
    { class: "tools" },
    people.map((name) =>
      el(
        "button",
        { type: "button", "data-practise": name, onclick: () => attempt(() => begin(name)) },
        isYou(name) ? t("practise.take.up.you") : t("practise.take.up.of", { name }),
      ),
    ),
  );
}

/** Analyses that are offered to a person without cards. */
const OFFERED = 3;

/**
 * The latest own analyses with mistakes, each with its buttons. Those of one player leave out what
 * is made into cards.
 *
 * @param {any[]} analyses All of the server
 * @param {string | null} player The player to practise for; by default all
 */
export function practiseOffers(analyses, player = null) {
  const wanted = (/** @type {string[]} */ names) =>
    player === null ? names : names.filter((name) => name.toLowerCase() === player.toLowerCase());
  // A card has the champion's answer.
  const withMistakes = ownAnalyses(analyses).filter(
    (row) =>
      row.state === "done" &&
      isChampion(row.net) &&
      !(player !== null && isTaken(row.id, player)) &&
      wanted(row.matches[0]?.names ?? []).length &&
      row.matches.some((/** @type {any} */ one) => one.pr.some(Boolean)),
  );
  // Of several analyses of a record the deepest one is offered.
  const deepest = withMistakes.filter(
    (row) => !withMistakes.some((other) => other.record === row.record && other.plies > row.plies),
  );
  // Whole matches stand before fragments.
  const least = (/** @type {any} */ row) => Math.min(...row.matches[0].decisions);
  deepest.sort((a, b) => Number(least(a) < TELLING) - Number(least(b) < TELLING));
  const offers = deepest.map((row) =>
    el(
      "div",
      {},
      el(
        "p",
        {},
        el("b", {}, row.matches[0].names.map(shownName).join(" – ")),
        " ",
        el("small", { class: "soft" }, recordName(row.name)),
        " ",
        el("span", { class: "tag" }, t("common.ply", { n: row.plies })),
      ),
      practiseButtons(row.id, wanted(row.matches[0].names)),
    ),
  );
  offers[0]?.querySelector("button")?.classList.add("main");
  return offers.length > OFFERED
    ? [
        ...offers.slice(0, OFFERED),
        el(
          "details",
          {},
          el("summary", {}, t("why.more", { n: offers.length - OFFERED })),
          ...offers.slice(OFFERED),
        ),
      ]
    : offers;
}
