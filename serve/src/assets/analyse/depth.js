// @ts-check
// How deep a match was analysed: in words, as tags, and at figures that deeper answers change.
import { el } from "../common/dom.js";
import { decimal } from "../common/format.js";
import { judgeName } from "../common/net-name.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";

/**
 * @typedef {{
 *   figures: () => HTMLElement;
 *   judged: () => HTMLElement | null;
 *   luck: () => HTMLElement;
 * }} Tags
 */

/**
 * How deep a match was analysed, and by which net if it is not the champion.
 *
 * @param {any} match
 */
export const depthWords = ({ plies, cube_plies: cube, net }) =>
  [
    plies === cube ? t("common.ply", { n: plies }) : t("analyse.depths", { n: plies, cube }),
    judgeName(net),
  ]
    .filter(Boolean)
    .join(" · ");

/**
 * The same for the head of a page: where nothing is left to search, a decision is told at a lower
 * depth.
 *
 * @param {any} match
 */
export const headDepth = (match) =>
  match.plies > 1 ? t("analyse.depth.upTo", { depth: depthWords(match) }) : depthWords(match);

/**
 * @param {string} words
 * @param {string} key Of the meaning
 * @param {Record<string, number> | null} values
 * @param {string} more
 */
const tag = (words, key, values = null, more = "") =>
  el("span", { class: `tag depth${more}` }, term(words, key, values));

/**
 * The tags of a match. PR and title name the depth of the analysis, which decides what counts as a
 * decision. They also name how many answers are deeper: all figures but luck go by them. Luck is
 * measured at one depth in every analysis.
 *
 * @param {any} match
 * @param {any[]} [all]
 * @param {any[]} [judged]
 * @returns {Tags}
 */
export function depthTags(match, all = [], judged = []) {
  const words = depthWords(match);
  const n = judged.filter(({ decision }, at) => decision !== all[at].decision).length;
  const deeper = () =>
    n ? tag(t("analyse.depth.deeper", { depth: words, n }), "withDeeper", { n }, " beyond") : null;
  return {
    figures: () => deeper() ?? tag(words, "prDepth"),
    judged: deeper,
    luck: () => tag(depthWords({ plies: 1, cube_plies: 1, net: match.net }), "luckDepth"),
  };
}

/**
 * The figure of the analysis, below that of the deepest answers where they differ.
 *
 * @param {number | null | undefined} own
 * @param {number | null} value
 * @param {number} digits
 */
export const beforeDeeper = (own, value, digits) =>
  typeof own !== "number" || value === null || decimal(own, digits) === decimal(value, digits)
    ? null
    : el(
        "small",
        {},
        term(t("analyse.deeper.figure", { figure: decimal(own, digits) }), "prDeeper"),
      );

/**
 * The heading of a row with the depth of its figures.
 *
 * @param {any} name
 * @param {HTMLElement | null} depth
 */
export const deep = (name, depth) => [name, " ", depth];
