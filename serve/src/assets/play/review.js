// @ts-check
// The analysis of a match after its end: PR and luck of both players, what helped, and the worst
// mistake.
import { get, post } from "../common/api.js";
import { el } from "../common/dom.js";
import { keepOwn } from "../common/own.js";
import { decimal, percent } from "../common/format.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { depthWords } from "../analyse/depth.js";
import { shownName } from "../common/players.js";
import { asShown, severity } from "../decision/decision.js";
import { entriesOf } from "../analyse/decisions.js";
import { ratingScale, titleName } from "../analyse/rating-scale.js";
import { isHelp, tellHelp } from "./half-made.js";
import { addressOf, lossOf, mistakesOf, worstBoard } from "./mistakes.js";

/** @typedef {import("./half-made.js").Help} Help */

/**
 * The analysis of a match, once it is done; the server makes one and keeps it.
 *
 * @param {string} id Of the match
 * @param {(row: any) => void} tell Is called with how far it is
 * @param {() => boolean} isWanted
 * @returns {Promise<any>} Null if it is no longer wanted
 */
export async function analysed(id, tell, isWanted) {
  const { id: name } = await post(`/matches/${encodeURIComponent(id)}/analysis`);
  keepOwn("analyses", name);
  while (isWanted()) {
    const found = await get(`/analyses/${encodeURIComponent(name)}`);
    if (found.row.state === "failed") throw new Error(found.row.error);
    if (found.row.state === "done") return shownAs(found);
    tell(found.row);
    await new Promise((resolve) => {
      setTimeout(resolve, 300);
    });
  }
  return null;
}

/**
 * An analysis with losses, marks and their numbers as its page has them.
 *
 * @param {any} found
 */
function shownAs(found) {
  for (const match of found.matches) {
    for (const game of match.games) game.decisions = game.decisions.map(asShown);
    const all = entriesOf(match);
    for (const [player, side] of match.summary.entries()) {
      [side.doubtful, side.bad, side.very_bad] = [1, 2, 3].map(
        (level) =>
          all.filter(({ decision }) => decision.player === player && severity(decision) === level)
            .length,
      );
    }
  }
  return tellHelp(found);
}

/**
 * The figures of a player: PR with its place on the scale, and mistakes.
 *
 * @param {string} name
 * @param {any} side
 * @param {any} match
 */
function figures(name, side, match) {
  const n = side.plays + side.calls;
  return el(
    "div",
    { class: "figures" },
    el("b", {}, name),
    el(
      "div",
      {},
      el("span", { class: "pr" }, side.pr === null ? "–" : decimal(side.pr, 1)),
      " ",
      term(t("play.review.pr"), "pr"),
      " ",
      el("span", { class: "tag" }, term(depthWords(match), "prDepth")),
    ),
    ratingScale(side.pr, n, {
      isHelped: side.helped,
      say: ({ word }, _, of, least) =>
        t(of < least ? "play.review.likeFew" : "play.review.like", {
          title: titleName(word),
          n,
          least,
        }),
    }),
    el(
      "div",
      { class: "small" },
      t("play.review.mistakes", { doubtful: side.doubtful, bad: side.bad, veryBad: side.very_bad }),
    ),
  );
}

/**
 * Who had more luck, and by how much: a share of a match, or points where it would be more than the
 * match.
 *
 * @param {any} match
 */
function luckOf({ names, length, summary: [first, second] }) {
  const share = first.luck_utility - second.luck_utility;
  const inPoints = length === null || Math.abs(share) > 1;
  const by = inPoints ? first.luck - second.luck : share;
  const luck = Math.abs(by);
  const words = inPoints
    ? term(t("play.review.luckWords", { luck: decimal(luck, 2) }), "luck")
    : term(t("play.review.luckMatch", { luck: decimal(100 * luck, 1) }), "luckMwc");
  return el(
    "p",
    { class: "small" },
    t("play.review.luck", { name: shownName(names[by < 0 ? 1 : 0]) }),
    " ",
    words,
  );
}

/**
 * What helped the person, in a sentence; stops alone that changed nothing are told as such.
 *
 * @param {Help} help
 */
export function helpWords(help) {
  const { hints, stops } = help;
  const times = stops.reduce((sum, { times: n = 1 }) => sum + n, 0);
  const stood = stops.filter(({ stood: one }) => one).length;
  if (times && !isHelp(help)) return t("play.review.stoodAll", { n: times });
  const words = times
    ? t("play.review.stops", { n: times }) +
      (stood ? ` ${t("play.review.stood", { n: stood })}` : "")
    : "";
  const parts = [words, hints.length ? t("play.review.hints", { n: hints.length }) : ""].filter(
    Boolean,
  );
  return parts.length ? t("play.review.help", { help: parts.join(` ${t("why.and")} `) }) : "";
}

/**
 * The worst mistake in a sentence that leads to it in the analysis.
 *
 * @param {any} match
 * @param {boolean} two
 * @param {string} id Of the analysis
 * @param {boolean} isHelped
 * @param {boolean} hasGivenUp Whether a resignation was a mistake of its own
 */
function worstOf(match, two, id, isHelped, hasGivenUp) {
  const [worst] = mistakesOf(match, two);
  if (!worst)
    return hasGivenUp
      ? null
      : el(
          "p",
          {},
          t(
            two
              ? "play.review.noneOfTwo"
              : isHelped
                ? "play.review.noneHelped"
                : "play.review.none",
          ),
        );
  const { game, decision } = worst;
  const turn = t(match.games.length > 1 ? "analyse.turn" : "play.review.turn", {
    game: game + 1,
    turn: decision.roll,
  });
  return el(
    "p",
    {},
    two
      ? t("play.review.worstOf", { name: match.names[decision.player] })
      : t("play.review.worstOwn"),
    " ",
    el("a", { href: addressOf(id, worst) }, t("play.review.at", { turn, loss: lossOf(decision) })),
  );
}

/**
 * What the match tells: games given up, the worst mistake, what helped, and both players' figures.
 *
 * @param {any} match An analysed match; its first player is the person
 * @param {boolean} two
 * @param {string} id Of the analysis
 * @param {Help} help Of the person
 * @param {{ game: number; win: number }[]} lost The games that the person has given up with chances
 *   left
 * @returns {(HTMLElement | null)[]}
 */
export function verdict(match, two, id, help, lost) {
  const isHelped = isHelp(help);
  return [
    ...lost.map(({ game, win }) =>
      el("p", {}, t("play.review.resigned", { game, win: percent(win, 0) })),
    ),
    worstOf(match, two, id, isHelped, lost.length > 0),
    ...(helpWords(help) ? [el("p", { class: "small" }, helpWords(help))] : []),
    worstBoard(match, two, id),
    ...match.summary.map((/** @type {any} */ side, /** @type {number} */ i) =>
      figures(shownName(match.names[i]), side, match),
    ),
    luckOf(match),
  ];
}
