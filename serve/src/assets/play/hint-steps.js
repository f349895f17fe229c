// @ts-check
// Hints in steps: the idea of the best decision, which hit, the candidates, and then the answer.
import { el } from "../common/dom.js";
import { percent } from "../common/format.js";
import { t } from "../common/words.js";
import { inWords } from "../decision/why-sentences.js";
import { playLink } from "./explained.js";

/** Plays among which the best one is, in the last step before the answer. */
const CANDIDATES = 4;

/** The idea of plays that hit. */
const HIT = "idea-hit";

/** The idea of an answer to a double: the chances that are enough here. */
const TAKE = "idea-take";

/** The idea of plays without any other: it says nothing that helps. */
export const NO_IDEA = "idea-build";

/**
 * The idea of a hint in words. Where the opponent passes a double, or the player on roll is behind,
 * more threats are not the question.
 *
 * @param {any} answer Of the server
 * @param {boolean} isOnRoll
 */
export function ideaWords({ idea, cube }, isOnRoll) {
  if (idea.kind === TAKE) return `${inWords(idea)} ${t("play.hint.takeRule")}`;
  if (!isOnRoll || !cube) return inWords(idea);
  if (cube.double_take >= cube.double_pass) return t("play.hint.passes");
  return !["double", "too-good"].includes(cube.action) && cube.outcomes.win < 0.5
    ? t("play.hint.behind", { win: percent(cube.outcomes.win) })
    : inWords(idea);
}

/**
 * The points where a play hits.
 *
 * @param {string} play
 */
const hitsOf = (play) => [...play.matchAll(/(\d+)\*/g)].map(([, point]) => Number(point));

/**
 * Where the best play hits, if the roll can hit elsewhere, too; else nothing.
 *
 * @param {readonly string[]} plays All of the roll
 * @param {string} best
 */
export function hitsToChoose(plays, best) {
  const [own, all] = [new Set(hitsOf(best)), new Set(plays.flatMap(hitsOf))];
  return own.size > 0 && own.size < all.size ? [...own].sort((a, b) => b - a) : [];
}

/** The step of a hint that is next, and the decision that it belongs to. */
let step = { of: "", n: 0 };

/**
 * A hint in steps: the kind of idea, which hit if there are several, the candidates; null where the
 * answer is next.
 *
 * @param {import("./game.js").Game} game
 * @param {any} answer Of the server
 * @param {() => void} more Asks for the next step
 * @returns {HTMLElement | null}
 */
export function stepOfHint(game, answer, more) {
  const { view } = game;
  if (!view || !answer.idea) return null;
  const now = `${view.id} ${view.revision}`;
  const isEmpty = answer.idea.kind === NO_IDEA && answer.plays;
  const hits =
    answer.idea.kind === HIT && answer.plays
      ? hitsToChoose(
          view.plays.map(({ play }) => play),
          answer.plays.plays[0].play,
        )
      : [];
  // Of several hits, the right one is a step between the idea and the candidates.
  const first = isEmpty ? 2 : 1;
  const last = hits.length ? 3 : 2;
  step = { of: now, n: step.of === now ? step.n + 1 : first };
  const which =
    hits.length && step.n > 1
      ? t("play.hint.where", { n: hits.length, points: hits.join(", ") })
      : "";
  const words = isEmpty
    ? []
    : [
        el(
          "p",
          {},
          el("b", {}, which || ideaWords(answer, view.turn === "roll" && view.may_double)),
        ),
      ];
  const next = (/** @type {string} */ key) =>
    el("p", {}, el("button", { type: "button", onclick: more }, t(key)));
  if (step.n === 1 && hits.length)
    return el("section", { class: "card" }, words, next("play.hint.which"));
  if (step.n < last)
    return el(
      "section",
      { class: "card" },
      words,
      next(answer.plays ? "play.tutor.candidates" : "play.tutor.answer"),
    );
  if (step.n > last || !answer.plays) return null;
  const plays = answer.plays.plays
    .slice(0, CANDIDATES)
    .map((/** @type {any} */ one) => one.play)
    .sort();
  return el(
    "section",
    { class: "card" },
    words,
    el("p", {}, t("play.tutor.oneOf")),
    el("p", { class: "small" }, t("play.tutor.order")),
    el(
      "ul",
      {},
      plays.map((/** @type {string} */ play) => el("li", {}, playLink(game, play))),
    ),
    next("play.tutor.answer"),
  );
}
