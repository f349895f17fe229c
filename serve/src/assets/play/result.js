// @ts-check
// The end of a game, and of a match.
import { get, post } from "../common/api.js";
import { cubeWords } from "../common/cube-words.js";
import { attempt, byId, el, loading } from "../common/dom.js";
import { decimal, signed } from "../common/format.js";
import { language, t } from "../common/words.js";
import { Board } from "../board/board.js";
import { offOf } from "../board/position.js";
import { play as sound } from "../board/sound.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./views.js").MatchReview} MatchReview */

export function hideResult() {
  byId("result").hidden = true;
  byId("result").replaceChildren();
  byId("review")?.remove();
}

/** @param {boolean} won @param {any[]} parts */
function curtain(won, parts) {
  const place = byId("result");
  const away = el("button", { type: "button", class: "link", onclick: () => { place.hidden = true; } }, t("play.toBoard"));
  place.className = `curtain ${won ? "won" : "lost"}`;
  place.replaceChildren(el("div", { class: "sheet" }, parts, away));
  place.hidden = false;
  place.querySelector("button.main")?.focus({ preventScroll: true });
  sound(won ? "win" : "lose");
}

/** A game is over, the match is not. @param {Game} game */
export function showGameEnd(game) {
  const { view } = game;
  const event = view?.events.find(({ what }) => what === "wins-game");
  if (!view || !event) return;
  const points = event.points ?? 0;
  const times = points / view.cube.value;
  const kind = times === 2 ? t("play.won.gammon") : times === 3 ? t("play.won.backgammon") : "";
  curtain(event.player === "you", [
    el("h2", {}, view.two_people ? t("play.won.nonet", { name: view.names[event.player === "you" ? 0 : 1] }) : t(`play.won.${event.player}`, { name: view.names[1] })),
    el("p", { class: "points" }, [t("play.wonPoints", { n: points }), kind].filter(Boolean).join(", ")),
    el("p", {}, t("play.nowAt", { own: view.score[0], other: view.score[1] })),
    el("button", { type: "button", class: "main", onclick: () => game.act({ action: "next-game" }) }, t("play.nextGame")),
  ]);
}

/** The figures of a player. @param {import("./views.js").ReviewRow} row */
function figures(row) {
  const [doubtful, bad, veryBad] = row.mistakes;
  const interval = row.interval ? t("play.review.interval", { low: decimal(row.interval[0], 1), high: decimal(row.interval[1], 1) }) : t("play.review.few");
  return el("div", { class: "figures" }, el("b", {}, row.name),
    el("div", {}, el("span", { class: "pr" }, row.pr === null ? "–" : decimal(row.pr, 1)), " ", el("span", {}, `${t("play.review.pr")}${row.rating && language === "en" ? `, ${row.rating}` : ""}`)),
    el("div", { class: "small" }, interval),
    el("div", { class: "small" }, `${t("play.review.decisions", { n: row.decisions })}: ${t("play.review.mistakes", { doubtful, bad, veryBad })}`),
    el("div", { class: "small" }, `${t("play.review.luck")}: ${t("play.review.luckWords", { luck: signed(row.luck, 2) })}`));
}

/**
 * The worst mistakes, each on a board.
 * @param {MatchReview} review
 * @param {boolean} two whether two people have played
 */
function worst(review, two) {
  if (!review.worst.length) return el("p", {}, t("play.review.none"));
  const cards = review.worst.map((one) => {
    const place = el("div", { class: "board-place" });
    const arrows = [{ steps: one.played_steps, kind: /** @type {const} */ ("played") }, { steps: one.best_steps, kind: /** @type {const} */ ("best") }];
    const board = new Board(place);
    if (two) board.give(one.light);
    board.draw({ board: one.board, off: offOf(one.board), cube: one.cube, dice: one.dice, arrows });
    const words = (/** @type {string} */ what) => (one.dice ? what : cubeWords(what));
    const title = one.dice ? t("play.review.game", { game: one.game, dice: one.dice.join("") }) : t("play.review.gameCube", { game: one.game });
    return el("article", { class: "card mistake" }, el("h3", {}, title, " ", el("span", { class: "mark" }, `${one.mark} ${t("play.review.lost", { loss: decimal(one.loss, 3) })}`)),
      el("a", { href: `/position?id=${encodeURIComponent(one.xgid)}`, class: "board-link", "aria-label": title }, place),
      el("p", { class: "played" }, two ? `${one.player}: ${words(one.played)}` : t("play.review.played", { play: words(one.played) })), el("p", { class: "best" }, t("play.review.best", { play: words(one.best) })));
  });
  return el("div", { class: "mistakes" }, cards);
}

/**
 * An answer that may take longer than a request: asks again while the server is at work.
 * @param {string} path
 * @param {() => boolean} wanted
 */
async function patiently(path, wanted) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await get(path);
    } catch (error) {
      const { status } = /** @type {import("../common/api.js").Refused} */ (error);
      if (![503, 504].includes(status) || tries > 60 || !wanted()) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
}

/** The match is over. @param {Game} game */
export async function showMatchEnd(game) {
  const { view } = game;
  if (!view) return;
  const { id } = view;
  const analyse = async () => {
    const row = await attempt(() => post(`/matches/${id}/analysis`));
    if (row) location.href = `/analyse?id=${row.id}`;
  };
  const place = el("div", { class: "both" }, loading(t("play.reviewing")));
  curtain(view.winner === "you", [
    el("h2", {}, view.two_people ? t("play.wonMatch.nonet", { name: view.names[view.winner === "you" ? 0 : 1] }) : t(`play.wonMatch.${view.winner}`, { name: view.names[1] })),
    el("p", { class: "points" }, `${view.score[0]} : ${view.score[1]}`),
    place,
    el("p", { class: "tools" }, el("button", { type: "button", class: "main", id: "analyse", onclick: analyse }, t("play.analyse")),
      el("button", { type: "button", onclick: () => game.rematch() }, t("play.rematch")),
      el("button", { type: "button", onclick: () => game.go("/") }, t("play.another"))),
  ]);
  const review = /** @type {MatchReview | undefined} */ (await attempt(() => patiently(`/matches/${id}/review`, () => game.view?.id === id)));
  if (game.view?.id !== id || !place.isConnected) return;
  if (!review) return place.replaceChildren(el("p", {}, t("play.reviewLate")));
  place.replaceChildren(...review.players.map(figures));
  byId("review")?.remove();
  byId("game").append(el("section", { id: "review", "aria-labelledby": "review-title" },
    el("h2", { id: "review-title" }, t("play.review.worst")), worst(review, view.two_people), el("p", { class: "small" }, t("play.review.depth", { plies: review.plies }))));
}
