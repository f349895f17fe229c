// @ts-check
// A PR with its interval and its title.
import { el } from "../common/dom.js";
import { decimal } from "../common/format.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { UNTITLED } from "./analysis.js";
import { TELLING, titleName } from "./rating-scale.js";

/**
 * The title of a rating, such as expert; or how many decisions one wants.
 *
 * @param {string} word
 * @param {number} n Decisions so far
 */
export function titleOf(word, n) {
  if (word === UNTITLED) return el("small", {}, term(t("analyse.untitled", { n }), "title"));
  return el("span", {}, word ? titleName(word) : "");
}

/** From this number of decisions on, a PR has an interval: fewer may all be right by chance. */
const ENOUGH = 10;

/**
 * The interval of a PR; none where the decisions are too few or all alike.
 *
 * @param {[number, number] | null | undefined} interval
 * @param {number} n Decisions
 */
export function intervalPart(interval, n) {
  const [low, high] = (interval ?? [0, 0]).map((end) => decimal(end, 1));
  return n < ENOUGH || low === high ? null : el("small", {}, t("analyse.interval", { low, high }));
}

/**
 * A PR with its interval and its title, such as expert; or why it has none. In a table of parts a
 * title that is missing is not told.
 *
 * @param {{
 *   pr: number | null;
 *   interval?: [number, number] | null;
 *   rating?: string | null;
 *   word?: string | null;
 *   helped?: boolean;
 *   decisions?: number;
 *   plays?: number;
 *   calls?: number;
 * }} of
 */
export function prCell(of, isPart = false) {
  if (of.pr === null) return el("span", {}, "–");
  const n = of.decisions ?? (of.plays ?? 0) + (of.calls ?? 0);
  const isMany = n >= TELLING;
  const title = of.helped
    ? el("small", {}, t("rating.helped"))
    : isPart && [of.rating, of.word].includes(UNTITLED)
      ? null
      : titleOf(of.rating ?? of.word ?? "", n);
  return el(
    "span",
    { class: "pr" },
    el("b", { class: isMany ? "big" : "" }, decimal(of.pr, 1)),
    " ",
    (isMany && title) || "",
    intervalPart(of.interval, n),
  );
}
