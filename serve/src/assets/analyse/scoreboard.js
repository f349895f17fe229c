// @ts-check
// The scoreboard of a match: result, PR, mistakes, losses and luck of both players.
import { hasCube } from "../common/cube-words.js";
import { el } from "../common/dom.js";
import { decimal, percent, signed } from "../common/format.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { chipOf } from "../common/players.js";
import { severity } from "../decision/decision.js";
import { beforeDeeper, deep } from "./depth.js";
import { prCell } from "./rating.js";

/** @typedef {import("./depth.js").Tags} Tags */

/**
 * @param {number} veryBad
 * @param {number} bad
 * @param {number} doubtful
 */
export const marks = (veryBad, bad, doubtful) =>
  el(
    "span",
    { class: "marks" },
    el("span", { class: "level3" }, `${veryBad} ??`),
    el("span", { class: "level2" }, `${bad} ?`),
    el("span", { class: "level1" }, `${doubtful} ?!`),
  );

/**
 * A chance with its bounds; luck that is measured at 1-ply can lead beyond them.
 *
 * @param {number} chance
 */
function withoutLuck(chance) {
  if (chance >= 0 && chance <= 1) return percent(chance, 0);
  return term(
    t("analyse.without.about", { n: chance > 1 ? 100 : 0 }),
    chance > 1 ? "above" : "below",
  );
}

/**
 * The heading of a sum of losses, which may be more than one match.
 *
 * @param {string} key
 */
const summed = (key) => [t(key), el("small", {}, term(t("analyse.row.sum"), "sum"))];

/**
 * What losses of a match are worth: many of them may be more than one match.
 *
 * @param {number} worth
 */
export const worthInWords = (worth) =>
  worth > 1
    ? t("analyse.matches", { n: decimal(worth, 2) })
    : `${percent(worth)} ${t("analyse.mwc")}`;

/**
 * A table with a column for each player.
 *
 * @param {any} match
 * @param {[any, (side: any, i: number) => any][]} rows Each with its head and its cells
 */
const scoreTable = (match, rows) =>
  el(
    "table",
    { class: "score" },
    el("caption", { class: "unseen" }, t("analyse.summary")),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("td", {}),
        match.names.map((/** @type {string} */ name, /** @type {number} */ i) =>
          el("th", { scope: "col" }, chipOf(match.names, i), name),
        ),
      ),
    ),
    el(
      "tbody",
      {},
      rows.map(([name, cell]) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, name),
          match.summary.map((/** @type {any} */ side, /** @type {number} */ i) =>
            el("td", {}, cell(side, i)),
          ),
        ),
      ),
    ),
  );

/**
 * The scoreboard. Each figure says its depth; mistakes are those of the list.
 *
 * @param {any} match With the figures of its deepest answers
 * @param {any[]} judged
 * @param {Tags} tags
 */
export function scoreboard(match, judged, tags) {
  const mistakes = (/** @type {number} */ player, /** @type {number} */ level) =>
    judged.filter(({ decision }) => decision.player === player && severity(decision) === level)
      .length;
  const inMatch = match.length !== null;
  const toOne = match.length === 1;
  const cost = (
    /** @type {number} */ loss,
    /** @type {number} */ worth,
    /** @type {number | undefined} */ before,
    n = 0,
  ) =>
    toOne
      ? [n ? t("analyse.each", { share: percent(worth / n) }) : "–"]
      : [
          decimal(loss, 3),
          el(
            "small",
            {},
            inMatch ? worthInWords(worth) : t("analyse.points", { points: decimal(worth, 2) }),
          ),
          beforeDeeper(before, loss, 3),
        ];
  const luck = (/** @type {any} */ side) =>
    toOne
      ? [`${signed(100 * side.luck_utility, 1)} %`]
      : [
          signed(side.luck),
          el(
            "small",
            {},
            inMatch
              ? `${signed(100 * side.luck_utility, 1)} % ${t("analyse.mwc")}`
              : t("analyse.points", { points: signed(side.luck_utility, 2) }),
          ),
        ];
  /** @type {[any, (side: any, i: number) => any][]} */
  const rows = [
    [
      t(inMatch ? "analyse.row.score" : "analyse.row.points"),
      (_, i) => [
        el("b", { class: "big" }, `${match.points[i]}`),
        match.winner === i ? el("b", { class: "good" }, ` ${t("analyse.wins")}`) : "",
      ],
    ],
    [
      deep(term("PR", "pr"), tags.figures()),
      (side) => [prCell(side), beforeDeeper(side.before?.pr, side.pr, 1)],
    ],
    [t("analyse.row.mistakes"), (_, i) => marks(mistakes(i, 3), mistakes(i, 2), mistakes(i, 1))],
    [
      toOne ? t("analyse.row.plays") : summed("analyse.row.plays"),
      (side) => cost(side.play_loss, side.play_cost, side.before?.play_loss, side.plays),
    ],
    .../** @type {[any, (side: any, i: number) => any][]} */ (
      hasCube(match)
        ? [
            [
              summed("analyse.row.cube"),
              (/** @type {any} */ side) =>
                cost(side.call_loss, side.call_cost, side.before?.call_loss),
            ],
          ]
        : []
    ),
    [deep(term(t("analyse.row.luck"), "luck"), tags.luck()), (side) => luck(side)],
  ];
  if (match.luck_adjusted !== null) {
    const value = match.luck_adjusted;
    rows.push([
      deep(term(t("analyse.row.without"), "withoutLuck"), tags.luck()),
      (_, i) =>
        inMatch
          ? withoutLuck(i ? 1 - value : value)
          : t("analyse.points", { points: signed(i ? -value : value, 2) }),
    ]);
  }
  rows.push([
    t("analyse.row.decisions"),
    (side) =>
      t(hasCube(match) ? "analyse.decisions" : "analyse.decisions.plays", {
        plays: side.plays,
        calls: side.calls,
      }),
  ]);
  // A lucky roll at a score where it hardly matters, and an unlucky one where it decides.
  const differs =
    inMatch && match.summary.some((/** @type {any} */ side) => side.luck * side.luck_utility < 0);
  return el(
    "div",
    {},
    scoreTable(match, rows),
    differs ? el("p", { class: "small" }, t("analyse.luckDiffers")) : null,
  );
}
