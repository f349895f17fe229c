// @ts-check
// How good a PR is: a scale of the server's titles, the best first, with a mark at this PR.
import { get } from "../common/api.js";
import { el, sentence } from "../common/dom.js";
import { decimal } from "../common/format.js";
import { t } from "../common/words.js";

/**
 * A title of the scale: `below` is the PR at which it ends.
 *
 * @typedef {{ word: string; below: number | null }} Title
 */
/** @typedef {{ ratings: Title[]; rating_decisions: number }} Titles */

/** Fewer decisions say nothing of a player: no scale, and no title. */
export const TELLING = 30;

/**
 * The titles; one question for all scales of a page.
 *
 * @type {Promise<Titles> | null}
 */
let titles = null;

/**
 * A title in the person's language.
 *
 * @param {string} word
 */
export const titleName = (word) => t(`rating.${word.replaceAll(" ", "")}`);

/**
 * The parts of the scale with their shares of its length, and where a PR lies, 0 to 1. The last
 * title has no end: it is as long as the others are on average.
 *
 * @param {Title[]} all
 * @param {number} pr
 */
export function partsOf(all, pr) {
  const last = all.at(-2)?.below ?? 1;
  const end = last + last / Math.max(1, all.length - 1);
  const parts = all.map(({ word, below }, i) => {
    const from = all[i - 1]?.below ?? 0;
    const isHere = pr >= from && (below === null || pr < below);
    return { word, from, below, isHere, share: ((below ?? end) - from) / end };
  });
  return { parts, at: Math.min(pr, end) / end };
}

/**
 * What the scale says.
 *
 * @param {ReturnType<typeof partsOf>["parts"][number]} here
 * @param {number} pr
 * @param {number} n Decisions
 * @param {number} least That a title wants
 */
function saying({ word, from, below }, pr, n, least) {
  if (n < least) return t("rating.few", { pr: decimal(pr, 1), title: titleName(word), n, least });
  const [low, high] = [from, below ?? 0].map((end) => decimal(end, 1));
  const range = t(below === null ? "rating.above" : "rating.range", { low, high });
  return t("rating.scale", { pr: decimal(pr, 1), title: titleName(word), range });
}

/**
 * Why a PR has no title, with the PR where it stands nowhere else.
 *
 * @param {number | null} pr
 */
const helped = (pr) =>
  pr === null
    ? sentence(t("rating.helped"))
    : t("rating.helpedPr", { pr: decimal(pr, 1), words: t("rating.helped") });

/**
 * A scale with a mark at a PR, and a sentence; it is filled once the server has told its titles.
 * With fewer decisions than a title wants, the frame is provisional; with help there is no title.
 *
 * @param {number | null} pr
 * @param {number} n Decisions
 * @param {{ say?: typeof saying; isHelped?: boolean }} [given] Another sentence
 */
export function ratingScale(pr, n, { say = saying, isHelped = false } = {}) {
  const place = el("div", { class: "rating" });
  if (pr === null) return place;
  if (n < TELLING) {
    place.append(el("span", { class: "small" }, t("rating.tooFew", { n, least: TELLING })));
    return place;
  }
  titles ??= get("/server");
  titles
    .then(({ ratings, rating_decisions: least }) => {
      const { parts, at } = partsOf(ratings, pr);
      const here = parts.find(({ isHere }) => isHere) ?? parts[parts.length - 1];
      const mark = el("span", { class: "rating-mark" });
      mark.style.left = `clamp(6px, ${100 * at}%, 100% - 6px)`;
      const bars = parts.map(({ word, from, below, isHere, share }, i) => {
        const bar = el("span", {
          class: isHere ? "here" : null,
          title: `${titleName(word)}: ${t(below === null ? "rating.above" : "rating.range", { low: decimal(from, 1), high: decimal(below ?? 0, 1) })}`,
        });
        bar.style.flexGrow = `${100 * share}`;
        bar.style.setProperty("--place", `${i / (parts.length - 1)}`);
        return bar;
      });
      const words = el(
        "p",
        { class: "small" },
        isHelped ? helped(say === saying ? pr : null) : say(here, pr, n, least),
      );
      place.replaceChildren(
        el(
          "div",
          {
            class: isHelped || n < least ? "rating-scale provisional" : "rating-scale",
            "aria-hidden": "true",
          },
          mark,
          el("div", { class: "rating-parts" }, bars),
          el(
            "div",
            { class: "rating-ends" },
            el("span", {}, t("rating.perfect")),
            el("span", {}, t("rating.more")),
          ),
        ),
        words,
      );
    })
    .catch(() => {
      titles = null; /* Without its titles a server shows the PR alone. */
    });
  return place;
}
