// @ts-check
// What a match was worth: its analysis, PR and luck of both players, and the worst mistakes.
import { get, post } from "../common/api.js";
import { cubeWords, hasCube } from "../common/cube-words.js";
import { el } from "../common/dom.js";
import { keepOwn } from "../common/own.js";
import { decimal, percent } from "../common/format.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { depthWords } from "../analyse/summary.js";
import { boardState, colourOf, isRedouble, shownName } from "../analyse/board-view.js";
import { betterOf } from "../analyse/decision-view.js";
import {
  NO_FILTER,
  asShown,
  entriesOf,
  filtered,
  searchOf,
  severity,
  shareOf,
} from "../analyse/decisions.js";
import { practiseButtons } from "../analyse/practise-buttons.js";
import { ratingScale, titleName } from "../analyse/rating-scale.js";
import { Board } from "../board/board.js";
import { stepsOf } from "../board/notation.js";
import { offOf } from "../board/position.js";
import { readXgid, rulesOf } from "../position/xgid.js";
import { lossWords } from "./explained.js";
import { changedIn, costliest, isHelp, tellHelp } from "./half-made.js";

/** @typedef {import("./half-made.js").Help} Help */

/** Mistakes that are shown. */
const WORST = 3;

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
 * The mistakes of the person, or of either of two people, the worst first.
 *
 * @param {any} match
 * @param {boolean} two
 */
function mistakesOf(match, two) {
  return filtered(entriesOf(match), {
    ...NO_FILTER,
    show: "mistakes",
    order: "worst",
    player: two ? "all" : "0",
  });
}

/**
 * The address of a decision in the analysis; without one, that of the analysis.
 *
 * @param {string} id Of the analysis
 * @param {import("../analyse/decisions.js").Entry} [entry]
 */
const addressOf = (id, entry) =>
  `/analyse${searchOf({ id, beside: null, match: 0, game: entry?.game ?? null, index: entry?.index ?? null, filter: NO_FILTER })}`;

/**
 * What a mistake has cost: of the match, or in points.
 *
 * @param {any} decision
 */
const lossOf = (decision) => lossWords({ loss: decision.loss, match_loss: shareOf(decision) });

/**
 * What a mistake has cost, and the better decision.
 *
 * @param {any} decision
 */
export const lostBy = (decision) => {
  const best = decision.decision.plays?.[0].play ?? betterOf(decision) ?? "";
  return t("play.log.lost", { loss: lossOf(decision), best });
};

/**
 * The address of the worst mistake.
 *
 * @param {any} match
 * @param {boolean} two
 * @param {string} id Of the analysis
 */
export const worstAddress = (match, two, id) => addressOf(id, mistakesOf(match, two)[0]);

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

/**
 * A button that practises the person's mistakes, if there are any.
 *
 * @param {any} match
 * @param {string} id Of the analysis
 */
export const practiseLink = (match, id) =>
  mistakesOf(match, false).length ? [practiseButtons(id, [match.names[0]])] : [];

/**
 * The worst mistake on a small board, which leads to it.
 *
 * @param {any} match
 * @param {boolean} two
 * @param {string} id Of the analysis
 */
function worstBoard(match, two, id) {
  const [worst] = mistakesOf(match, two);
  if (!worst) return null;
  const link = el("a", {
    class: "worst-board",
    href: addressOf(id, worst),
    "aria-label": t("play.review.worst"),
  });
  const board = new Board(link);
  if (two) board.give(colourOf(match.names, worst.decision.player));
  board.draw(boardState(worst.decision));
  return el("div", { class: "worst" }, link, ...answersIn(match, worst.decision, two));
}

/**
 * The answer that was given and the best one, in words.
 *
 * @param {any} match
 * @param {any} decision
 * @param {boolean} two
 */
function answersIn(match, decision, two) {
  const what = decision.decision;
  const [played, best] = what.plays
    ? [what.played ?? "", what.plays[0].play]
    : [cubeWords(what.call ?? "", isRedouble(decision)), betterOf(decision) ?? ""];
  return [
    el(
      "p",
      { class: "played" },
      two
        ? `${match.names[decision.player]}: ${played}`
        : t("play.review.played", { play: played }),
    ),
    el("p", { class: "best" }, t("play.review.best", { play: best })),
  ];
}

/**
 * A mistake on a board.
 *
 * @param {any} match
 * @param {import("../analyse/decisions.js").Entry} entry
 * @param {boolean} two
 */
function card(match, { game, decision }, two) {
  const place = el("div", { class: "board-place" });
  const board = new Board(place);
  if (two) board.give(colourOf(match.names, decision.player));
  board.draw(boardState(decision));
  const what = decision.decision;
  const title = t(what.plays ? "play.review.gameTurn" : "play.review.gameTurnCube", {
    game: game + 1,
    turn: decision.roll,
    dice: what.dice ?? "",
  });
  return el(
    "article",
    { class: "card mistake" },
    el(
      "h3",
      {},
      el("a", { href: `/position?id=${encodeURIComponent(decision.xgid)}` }, title),
      " ",
      el(
        "span",
        { class: "mark" },
        `${decision.mark} ${t("play.review.lost", { loss: lossOf(decision) })}`,
      ),
    ),
    place,
    ...answersIn(match, decision, two),
  );
}

/**
 * A decision that the tutor stopped, on a board.
 *
 * @param {import("./half-made.js").Stop} stop
 */
function stopCard(stop) {
  const place = el("div", { class: "board-place" });
  const found = readXgid(stop.xgid);
  if (found) {
    const { board, dice, cube, owner } = found;
    const arrows = stop.isPlay
      ? [
          { steps: stepsOf(stop.decision), kind: /** @type {const} */ ("played") },
          { steps: stepsOf(stop.best), kind: /** @type {const} */ ("best") },
        ]
      : [];
    new Board(place).draw({
      board,
      off: offOf(board),
      dice: dice ? [Number(dice[0]), Number(dice[1])] : null,
      arrows,
      cube: hasCube(rulesOf(found))
        ? { value: 2 ** cube, owner: owner > 0 ? "you" : owner < 0 ? "nonet" : null }
        : null,
    });
  }
  // A stop that an older version kept names no game.
  const what = found?.dice || t("play.review.cube");
  const title = !stop.game
    ? what
    : found?.dice
      ? t("play.review.game", { game: stop.game, dice: what })
      : t("play.review.gameCube", { game: stop.game });
  return el(
    "article",
    { class: "card mistake" },
    el(
      "h3",
      {},
      el("a", { href: `/position?id=${encodeURIComponent(stop.xgid)}` }, title),
      " ",
      el(
        "span",
        { class: "mark" },
        `${stop.mark} ${t("play.review.lost", { loss: lossWords(stop) })}`,
      ),
    ),
    place,
    el("p", { class: "played" }, t("play.review.wanted", { play: stop.decision })),
    el("p", { class: "best" }, t("play.review.best", { play: stop.best })),
  );
}

/**
 * What the person wanted to do before the tutor spoke, the worst on boards.
 *
 * @param {Help} help
 */
export function stoppedTries(help) {
  const stops = changedIn(help);
  if (!stops.length) return "";
  const cards = costliest(stops, stops.length).map(stopCard);
  const place = el("div", { class: "mistakes" }, cards.slice(0, WORST));
  const more = el(
    "button",
    {
      type: "button",
      class: "link",
      onclick: () => {
        more.remove();
        place.append(...cards.slice(WORST));
      },
    },
    t("play.review.moreStops", { n: cards.length - WORST }),
  );
  return el(
    "section",
    { "aria-labelledby": "stops-title" },
    el("h2", { id: "stops-title" }, t("play.review.stopped")),
    el("p", {}, t("play.review.stoppedWords", { n: stops.length })),
    place,
    cards.length > WORST ? more : null,
  );
}

/**
 * The worst mistakes of the person, or of either of two people, each on a board, and what the tutor
 * has stopped.
 *
 * @param {any} match
 * @param {boolean} two
 * @param {Help} help
 */
export function worstMistakes(match, two, help) {
  const worst = mistakesOf(match, two).slice(0, WORST);
  return el(
    "section",
    { id: "review", "aria-labelledby": "review-title" },
    el("h2", { id: "review-title" }, t("play.review.worst")),
    worst.length
      ? el(
          "div",
          { class: "mistakes" },
          worst.map((one) => card(match, one, two)),
        )
      : el(
          "p",
          {},
          t(
            two
              ? "play.review.noneOfTwo"
              : isHelp(help)
                ? "play.review.noneHelped"
                : "play.review.none",
          ),
        ),
    el("p", { class: "small" }, t("play.review.depth", { plies: match.plies })),
    stoppedTries(help),
  );
}
