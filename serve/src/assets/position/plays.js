// @ts-check
// The plays of a roll, and what they lose by the champion.
import { plays } from "../decision/plays-table.js";
import { post } from "../common/api.js";
import { attempt, byId, el } from "../common/dom.js";
import { losesWords } from "../common/format.js";
import { isChampion } from "../common/net-name.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";

/** From this width of their card on, in pixels, plays have a column of match winning chances. */
const WIDE = 480;

/** More plays than a roll has. */
const ALL = 999;

/**
 * The best play of a roll; null where nothing can move.
 *
 * @param {any} hint
 */
export const bestOf = (hint) =>
  hint?.plays.length && !hint.plays[0].play.startsWith("(") ? hint.plays[0] : null;

/**
 * The plays of a roll.
 *
 * @param {any} hint
 * @param {(play: any, keep: boolean) => void} look
 * @param {string} xgid
 */
export function playsPart(hint, look, xgid) {
  if (!bestOf(hint)) return el("p", { class: "empty" }, t("position.noPlay", { dice: hint.dice }));
  const all = hint.plays.map((/** @type {any} */ play) => ({ ...play, after: play.id }));
  const decision = /** @type {any} */ ({
    xgid,
    mwc_after: null,
    decision: { dice: hint.dice, plays: all },
  });
  return el(
    "div",
    {},
    el("h2", {}, t("position.playsOf", { dice: hint.dice })),
    plays(decision, look, byId("plays").clientWidth >= WIDE),
    el(
      "p",
      { class: "facts" },
      el("span", {}, term(t("common.ply", { n: hint.plies }), "ply")),
      el(
        "span",
        {},
        all.length < hint.legal
          ? t("position.bestOf", { n: all.length, all: hint.legal })
          : t("analyse.legal", { n: hint.legal }),
      ),
    ),
  );
}

/**
 * The plays of a net; below each one of another net, what it loses by the champion, once that has
 * answered.
 *
 * @param {HTMLElement} part The plays
 * @param {string | undefined} net
 * @param {string} id
 * @param {number} ply
 */
export function withChampion(part, net, id, ply) {
  if (!net || isChampion(net)) return part;
  attempt(async () => {
    const { plays: all } = await post("/hint", { id, ply, plays: ALL });
    for (const button of part.querySelectorAll("button.play")) {
      const found = all.find((/** @type {any} */ { play }) => play === button.textContent);
      if (found)
        button
          .closest("th")
          ?.append(
            el(
              "small",
              { class: "soft by-champion" },
              found === all[0]
                ? t("position.champion.best")
                : t("position.champion.loses", { loses: losesWords(found, all[0]) }),
            ),
          );
    }
  });
  return part;
}
