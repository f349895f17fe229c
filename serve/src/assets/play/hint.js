// @ts-check
// What the engine would do.
import { get } from "../common/api.js";
import { attempt, byId, el, loading } from "../common/dom.js";
import { decimal, percent, signed } from "../common/format.js";
import { cubeTable } from "../common/tables.js";
import { t } from "../common/words.js";

/** @param {import("./game.js").Game} game */
export async function showHint(game) {
  const { view } = game;
  if (!view || game.busy) return;
  const place = byId("hint");
  place.replaceChildren(loading());
  const answer = await attempt(() => get(`/matches/${view.id}/hint`));
  if (game.view !== view) return;
  if (answer?.plays) place.replaceChildren(plays(answer.plays, (play) => game.put(play)));
  else if (answer?.cube) place.replaceChildren(cubeTable(answer.cube));
  else place.replaceChildren();
}

/**
 * The best plays in a narrow column: the play with its loss, and its chances below.
 * @param {any} answer
 * @param {(play: string) => void} put puts a play on the board
 */
function plays(answer, put) {
  const rows = answer.plays.map((/** @type {any} */ play, /** @type {number} */ i) => el("li", {},
    el("button", { type: "button", class: "link", onclick: () => put(play.play) }, play.play),
    el("span", { class: "figure" }, i === 0 ? signed(play.equity) : signed(-play.loss)),
    el("span", { class: "small" }, t("play.hintChances", {
      win: percent(play.outcomes.win), gammon: decimal(100 * play.outcomes.win_gammon, 1), lost: decimal(100 * play.outcomes.lose_gammon, 1), plies: play.plies,
    }))));
  return el("div", { class: "card" }, el("h2", {}, t("play.hintTitle", { dice: answer.dice })), el("ol", { class: "plays" }, rows));
}
