// @ts-check
// Takes up the mistakes of a player of an analysis, and goes to their cards.
import { post } from "../common/api.js";
import { attempt, el } from "../common/dom.js";
import { host } from "../common/host.js";
import { t } from "../common/words.js";
import { isYou } from "./board-view.js";

/** The name of the computer in matches of this program. */
const COMPUTER = "nonet";

/**
 * A button for each person of a match.
 * @param {string} analysis
 * @param {readonly string[]} names
 */
export function practiseButtons(analysis, names) {
  const begin = async (/** @type {string} */ name) => {
    const { player } = await post("/practice/matches", { analysis, player: name });
    host.go(`/practise?player=${encodeURIComponent(player)}&from=${encodeURIComponent(analysis)}`);
  };
  const people = names.filter((name) => name !== COMPUTER);
  return el("p", { class: "tools" }, people.map((name) => el("button", { type: "button", "data-practise": name, onclick: () => attempt(() => begin(name)) }, isYou(name) ? t("practise.take.up.you") : t("practise.take.up.of", { name }))));
}
