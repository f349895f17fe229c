// @ts-check
// A question around its board: the score, the cube, both sides, and the answers as buttons.
import { setting } from "../common/settings.js";
import { offOf, pipsOf } from "../board/position.js";
import { chip, isYou } from "../common/players.js";
import { isRedouble } from "../decision/board-view.js";
import { stepsOf } from "../board/notation.js";
import { hasCube } from "../common/cube-words.js";
import { hasBeavers, rulesOf } from "../position/xgid.js";
import { byId, el, say } from "../common/dom.js";
import { t } from "../common/words.js";

/**
 * The score of a card, seen by X, who is the person.
 *
 * @param {string} xgid
 */
function scoreOf(xgid) {
  const [own, other, rule, length] = xgid.split(":").slice(5).map(Number);
  return { points: [own, other], rules: rule, length };
}

/**
 * Whether a question is of a match to one point, where a share of the match says it all.
 *
 * @param {string} xgid
 */
export const isToOne = (xgid) => scoreOf(xgid).length === 1;

/**
 * Match and cube of a card, seen by the person.
 *
 * @param {any} card
 */
export function scoreWords({ xgid, cube, owner }) {
  const { rules: rule, length } = scoreOf(xgid);
  const parts = length
    ? [t("practise.score.match", { n: length }), rule ? t("analyse.crawford") : ""]
    : [
        t("practise.score.money"),
        rule & 1 ? t("practise.score.jacoby") : "",
        hasBeavers(xgid) ? t("practise.score.beavers") : "",
      ];
  const place = !hasCube(rulesOf({ rules: rule, length }))
    ? ""
    : t(
        owner === "you"
          ? "practise.cube.own"
          : owner
            ? "practise.cube.other"
            : "practise.cube.middle",
        { value: cube },
      );
  return [...parts, place].filter(Boolean).join(" · ");
}

/**
 * The cube of a card as the board draws it.
 *
 * @param {any} card
 */
const cubeOf = (card) =>
  !hasCube(rulesOf(scoreOf(card.xgid)))
    ? null
    : {
        value: card.cube,
        owner: card.owner === "you" ? "you" : card.owner ? "nonet" : null,
        offered: card.asks === "take" ? 2 * card.cube : null,
        to: "you",
      };

/**
 * Draws a question with what stands around the board.
 *
 * @param {import("../board/board.js").Board} board
 * @param {string} player
 * @param {any} card
 * @param {readonly number[]} now
 * @param {any} more Of the board
 */
export function drawQuestion(board, player, card, now, more) {
  board.draw(/** @type {any} */ ({ board: now, off: offOf(now), cube: cubeOf(card), ...more }));
  const [other, own] = sidesOfCard(card, now, player);
  byId("side-other").replaceChildren(...other);
  byId("side-own").replaceChildren(...own);
  byId("score").textContent = [card.fresh ? t("practise.fresh") : "", scoreWords(card)]
    .filter(Boolean)
    .join(" · ");
}

/**
 * What stands above and below the board: who, pips, points.
 *
 * @param {any} card
 * @param {readonly number[]} board As it is shown
 * @param {string} player
 */
function sidesOfCard({ xgid }, board, player) {
  const { points, length } = scoreOf(xgid);
  const pips = pipsOf(board);
  const line = (/** @type {number} */ i, /** @type {string} */ name) => [
    el("span", { class: "who" }, chip(i === 0 ? "own" : "other"), name),
    el(
      "span",
      { class: "soft" },
      [
        setting("pips") === "yes" ? t("analyse.pips", { n: pips[i] }) : "",
        length ? t("analyse.away", { points: points[i], away: length - points[i] }) : "",
      ]
        .filter(Boolean)
        .join(" · "),
    ),
  ];
  return [line(1, t("practise.opponent")), line(0, isYou(player) ? t("play.you") : player)];
}

/**
 * The arrows of a verdict about a play: the best play alone, or that and another answer.
 *
 * @param {{ answer: string; best: string }} verdict
 */
export const arrowsOf = ({ answer, best }) =>
  answer === best
    ? [{ steps: stepsOf(answer), kind: "both" }]
    : [
        { steps: stepsOf(answer), kind: "played" },
        { steps: stepsOf(best), kind: "best" },
      ];

/**
 * What a card asks, in words.
 *
 * @param {any} card
 */
export const askedOf = (card) =>
  t(`practise.ask.${card.asks === "double" && isRedouble(card) ? "redouble" : card.asks}`, {
    dice: card.dice?.join("") ?? "",
  });

/**
 * Which question of how many this is.
 *
 * @param {string} way
 * @param {{ n: number; of: number; left: number; isAgain: boolean; isDone: boolean }} given
 */
export function showStanding(way, { n, of, left, isAgain, isDone }) {
  byId("count").textContent = t(
    way === "test" ? "practise.test.at" : isAgain ? "practise.at.again" : `practise.at.${way}`,
    { n: isAgain ? left : n, of },
  );
  const bar = byId("progress");
  [bar.max, bar.value, bar.hidden] = [of, n - (isDone ? 0 : 1), isAgain];
  byId("deck").toggleAttribute("data-asks", way === "cards" && !isDone);
}

/**
 * @param {string} key
 * @param {() => void} onclick
 * @param {string} shortcut
 * @param {string} kind
 * @param {boolean} disabled
 */
export const answerButton = (key, onclick, shortcut, kind, disabled) =>
  el(
    "button",
    { type: "button", class: kind, disabled, onclick, "aria-keyshortcuts": shortcut },
    t(key),
  );

/**
 * The answers to a question as buttons.
 *
 * @param {any} card
 * @param {{ play: string; isMoved: boolean; isBusy: boolean }} now What lies on the board, empty if
 *   it is no whole play
 * @param {(answer: string) => void} give
 * @param {() => void} back
 */
export function answerButtons(card, { play, isMoved, isBusy }, give, back) {
  const one = (
    /** @type {string} */ key,
    /** @type {string} */ answer,
    /** @type {string} */ shortcut,
  ) => answerButton(key, () => give(answer), shortcut, "main", isBusy);
  const [double, none] = isRedouble(card)
    ? ["practise.redouble", "practise.noRedouble"]
    : ["practise.double", "practise.noDouble"];
  if (card.asks === "double") return [one(double, "double", "d"), one(none, "roll", "r")];
  if (card.asks === "take")
    return [
      one("practise.take", "take", "t"),
      one("practise.pass", "pass", "p"),
      ...(hasBeavers(card.xgid) ? [one("practise.beaver", "beaver", "v")] : []),
    ];
  return [
    answerButton("practise.give", () => give(play), "c", "main", isBusy || !play),
    ...(isMoved ? [answerButton("practise.back", back, "u", "", isBusy)] : []),
  ];
}

/**
 * A key presses the button that names it; a play that is typed is an answer.
 *
 * @param {(answer: string) => void} reply
 */
export function listenToKeys(reply) {
  byId("typed").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    reply(byId("typed-play").value.trim());
  });
  addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, dialog"))
      return;
    const found = /** @type {HTMLButtonElement | null} */ (
      document.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key.toLowerCase())}"]`)
    );
    if (found && !found.disabled) found.click();
  });
}

/** No board and no buttons of a question. */
export function hideQuestion() {
  for (const id of ["actions", "side-other", "side-own"]) byId(id).replaceChildren();
  for (const id of ["board", "typed", "progress"]) byId(id).hidden = true;
  byId("count").textContent = byId("score").textContent = byId("question").textContent = "";
  say("");
}
