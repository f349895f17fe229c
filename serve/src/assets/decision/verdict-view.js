// @ts-check
// The verdict about a decision: its mark, its loss, the right decision, and the depth that says so.
import { el, sentence } from "../common/dom.js";
import { decimal, isNothing } from "../common/format.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { isToOne, mistakeOf } from "./decision.js";
import { betterOf, lossInWords } from "./decision-words.js";

/** @typedef {import("./decision.js").Decision} Decision */

/**
 * A mark with its colour.
 *
 * @param {string} mark
 * @param {number} [undecided] The games of a rollout that does not confirm it
 */
export function badge(mark, undecided = 0) {
  const level = ["", "?!", "?", "??"].indexOf(mark);
  if (!mark) return null;
  return el(
    "span",
    {
      class: `badge level${level}${undecided ? " open" : ""}`,
      title: undecided
        ? t("analyse.undecided", { n: undecided })
        : t(`analyse.mark.${["", "doubtful", "bad", "veryBad"][level]}`),
    },
    mark,
  );
}

/**
 * How deep the best play was searched: less than was asked where nothing is left to search.
 *
 * @param {Decision} decision
 * @param {number} plies That were asked
 */
const depthIn = ({ decision }, plies) => decision.plays?.[0].plies ?? plies;

/**
 * The right decision and the loss of the made one, by the depth that says so.
 *
 * @param {import("./verdicts.js").Judged} judged
 * @param {boolean} inMatch
 */
export function verdict(
  { analysed: decision, plies, games, undecided, early, leads, isBestOpen, against },
  inMatch,
) {
  const kind = mistakeOf(decision);
  const right = leads ?? betterOf(decision);
  const [named, loss] = [kind && decision.decision.call, lossInWords(decision, inMatch)];
  // The points have a meaning to be told; what they are of the match stands behind a comma.
  const [points] = loss.split(", ");
  /** @type {any[]} */
  const parts = [
    badge(decision.mark, undecided),
    named ? [el("b", {}, sentence(t(`analyse.kind.${kind}`))), ", "] : null,
    isNothing(decision.loss)
      ? el("span", {}, named ? loss : sentence(loss))
      : el(
          "span",
          {},
          isToOne(decision)
            ? term(named ? points : sentence(points), "lossMatch", {
                loss: decimal(decision.loss, 3),
              })
            : term(named ? points : sentence(points), "loss"),
          loss.slice(points.length),
          ". ",
        ),
  ].flat();
  // A loss within its interval may be none.
  const isUnsure = Boolean(undecided) || decision.loss < (decision.half ?? 0);
  if (right && !isNothing(decision.loss))
    parts.push(
      el(
        "span",
        {},
        t(isUnsure ? "analyse.better.unsure" : "analyse.better"),
        " ",
        el("b", {}, right),
      ),
    );
  const depth = plies === null ? 0 : depthIn(decision, plies);
  parts.push(
    " ",
    el(
      "span",
      { class: "tag" },
      plies === null
        ? t("analyse.byRollout", { n: games ?? 0 })
        : term(t("common.ply", { n: depth }), depth < plies ? "plyLess" : "ply"),
    ),
  );
  if (isBestOpen)
    parts.push(" ", el("span", { class: "tag" }, term(t("analyse.bestOpen"), "bestOpen")));
  if (undecided)
    parts.push(
      " ",
      el("span", { class: "tag" }, term(t("analyse.undecided", { n: undecided }), "undecided")),
    );
  if (early)
    parts.push(
      " ",
      el("span", { class: "tag" }, term(t("analyse.early", { n: early }), "rolloutCounts")),
    );
  if (against)
    parts.push(
      el(
        "span",
        { class: "small against" },
        t(against.best ? "analyse.against.play" : "analyse.against", {
          n: against.plies,
          best: against.best ?? "",
          by: decimal(against.by, 3),
        }),
      ),
    );
  return el("p", { class: "verdict" }, parts);
}
