// @ts-check
// What the engine would do.
import { get } from "../common/api.js";
import { attempt, byId, el, loading, sentence } from "../common/dom.js";
import { decimal, percent, signed } from "../common/format.js";
import { isChampion } from "../common/net-name.js";
import { cubeTable } from "../common/tables.js";
import { t } from "../common/words.js";
import { stepsOf } from "../board/notation.js";
import { stepOfHint } from "./tutor.js";

/** @typedef {import("./views.js").MatchView} MatchView */

/**
 * Whether a gammon is worth more than a single game, to the person and to the opponent.
 * @param {Pick<MatchView, "rules" | "score" | "cube">} view
 * @returns {[boolean, boolean]}
 */
export function gammonsCount({ rules, score, cube }) {
  const { length } = rules;
  if (length === null) {
    const counts = !rules.jacoby || cube.owner !== null || cube.value > 1;
    return [counts, counts];
  }
  return [length - score[0] > cube.value, length - score[1] > cube.value];
}

/**
 * The chances of the person by a hint. Whoever is asked to take sees the doubler's turned around.
 * @param {MatchView} view
 * @param {any} answer
 * @returns {import("./seats.js").Judged | null}
 */
function judged({ turn, net }, answer) {
  const [best, cube] = [answer?.plays?.plays[0], answer?.cube];
  if (best) return { win: best.outcomes.win, equity: best.equity, plies: best.plies, net };
  if (!cube) return null;
  const isOther = turn === "answer";
  return { win: isOther ? 1 - cube.outcomes.win : cube.outcomes.win, equity: isOther ? -cube.equity : cube.equity, plies: cube.plies, net };
}

/** @param {import("./game.js").Game} game */
export async function showHint(game) {
  const { view } = game;
  if (!view || game.busy) return;
  const place = byId("hint");
  place.replaceChildren(loading());
  const answer = await attempt(() => get(`/matches/${view.id}/hint`));
  if (game.view !== view) return;
  const step = answer ? stepOfHint(game, answer, () => void showHint(game)) : null;
  if (step) return void place.replaceChildren(step);
  game.hinted = judged(view, answer);
  game.showBar();
  if (answer?.plays) place.replaceChildren(plays(answer.plays, view, (play) => game.put(play), (play) => look(game, play)));
  else if (answer?.cube && view.turn === "roll" && !view.may_double) place.replaceChildren(el("p", { class: "card" }, t("play.hintRoll", { win: percent(answer.cube.outcomes.win) })));
  else if (answer?.cube) place.replaceChildren(cubeTable(answer.cube, view.turn === "answer"), isChampion(view.net) ? "" : el("p", { class: "small" }, sentence(t("play.judgedBy", { net: view.net }))));
  else place.replaceChildren();
}

/**
 * Shows a play with arrows, or the board as it is. Whoever has begun to move sees no arrows.
 * @param {import("./game.js").Game} game @param {string | null} play
 */
function look(game, play) {
  if (game.busy || game.roll?.made.length) return;
  if (play === null) game.render();
  else game.board.draw({ ...game.board.state, arrows: [{ steps: stepsOf(play), kind: "shown" }] });
}

/**
 * The best plays in a narrow column: each with its equity and its loss, and its chances below.
 * @param {any} answer
 * @param {MatchView} view
 * @param {(play: string) => void} put puts a play on the board
 * @param {(play: string | null) => void} look shows a play while it is pointed at
 */
function plays(answer, view, put, look) {
  const counts = gammonsCount(view);
  const chances = (/** @type {any} */ { plies, outcomes }) => [
    t("play.hintWins", { win: percent(outcomes.win) }),
    counts[0] ? t("play.hintGammons", { n: percent(outcomes.win_gammon) }) : "",
    counts[1] ? t("play.hintLost", { n: percent(outcomes.lose_gammon) }) : "",
    t("play.hintPlies", { plies }),
  ].filter(Boolean).flatMap((words, i, all) => [el("span", {}, i < all.length - 1 ? `${words},` : words), " "]);
  const rows = answer.plays.flatMap((/** @type {any} */ play) => [
    el("tr", { onpointerenter: () => look(play.play), onpointerleave: () => look(null) },
      el("th", { scope: "row" }, el("button", { type: "button", class: "link", onclick: () => put(play.play), onfocus: () => look(play.play), onblur: () => look(null) }, play.play)),
      el("td", {}, signed(play.equity)), el("td", {}, decimal(play.loss, 3))),
    el("tr", { class: "chances" }, el("td", { colspan: 3 }, chances(play))),
  ]);
  const heads = ["play", "equity", "loss"].map((name) => el("th", { scope: "col" }, t(`play.hint.${name}`)));
  return el("table", { class: "plays" }, el("caption", {}, t("play.hintTitle", { dice: answer.dice }), isChampion(view.net) ? "" : `, ${t("play.judgedBy", { net: view.net })}`), el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows));
}
