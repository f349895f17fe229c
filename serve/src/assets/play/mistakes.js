// @ts-check
// The mistakes of a match: what they cost, where they are in the analysis, and boards of them.
import { cubeWords, hasCube } from "../common/cube-words.js";
import { el } from "../common/dom.js";
import { t } from "../common/words.js";
import { colourOf } from "../common/players.js";
import { boardState, isRedouble } from "../decision/board-view.js";
import { searchOf } from "../analyse/address.js";
import { shareOf } from "../decision/decision.js";
import { betterOf } from "../decision/decision-words.js";
import { NO_FILTER, entriesOf, filtered } from "../analyse/decisions.js";
import { practiseButtons } from "../analyse/practise-buttons.js";
import { Board } from "../board/board.js";
import { stepsOf } from "../board/notation.js";
import { offOf } from "../board/position.js";
import { readXgid, rulesOf } from "../position/xgid.js";
import { lossWords } from "./explained.js";
import { changedIn, costliest, isHelp } from "./half-made.js";

/** @typedef {import("./half-made.js").Help} Help */

/** Mistakes that are shown. */
const WORST = 3;

/**
 * The mistakes of the person, or of either of two people, the worst first.
 *
 * @param {any} match
 * @param {boolean} two
 */
export function mistakesOf(match, two) {
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
 * @param {import("../decision/decision.js").Entry} [entry]
 */
export const addressOf = (id, entry) =>
  `/analyse${searchOf({ id, beside: null, match: 0, game: entry?.game ?? null, index: entry?.index ?? null, filter: NO_FILTER })}`;

/**
 * What a mistake has cost: of the match, or in points.
 *
 * @param {any} decision
 */
export const lossOf = (decision) =>
  lossWords({ loss: decision.loss, match_loss: shareOf(decision) });

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
export function worstBoard(match, two, id) {
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
 * @param {import("../decision/decision.js").Entry} entry
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
function stoppedTries(help) {
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
