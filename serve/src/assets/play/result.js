// @ts-check
// The end of a game, and of a match.
import { get, post } from "../common/api.js";
import { attempt, byId, el, loading } from "../common/dom.js";
import { host } from "../common/host.js";
import { keepOwn } from "../common/own.js";
import { t } from "../common/words.js";
import { play as sound } from "../board/sound.js";
import { percent } from "../common/format.js";
import { keptName } from "../common/players.js";
import { isChampion } from "../common/net-name.js";
import { showActions } from "./actions.js";
import { setSameClock } from "./clock.js";
import { helpIn } from "./half-made.js";
import { levelAfter, levelName } from "./levels.js";
import { givenUp } from "./resignation.js";
import { scoreOf, winOf } from "./seats.js";
import { personOf } from "./telling.js";

/** @typedef {import("./game.js").Game} Game */

/** Whether a match has been asked for: a second click asks for no other one. */
let isAsking = false;

/**
 * Another match with the same settings, perhaps against another level.
 *
 * @param {Game} game
 * @param {string} [level]
 */
async function rematch({ view, go }, level = view?.level) {
  if (!view || isAsking) return;
  const { length, jacoby, beavers } = view.rules;
  const second = view.two_people ? view.names[1] : undefined;
  const asked = {
    length: length ?? 0,
    second,
    level,
    net: view.net,
    ply: view.plies,
    name: keptName(view.names[0]),
    ...(length ? {} : { jacoby, beavers }),
  };
  isAsking = true;
  const begun = await attempt(() => post("/matches", asked));
  isAsking = false;
  if (!begun) return;
  if (!second) setSameClock(begun.id, view.id, length ?? 0);
  keepOwn("matches", begun.id);
  go(`/?match=${encodeURIComponent(begun.id)}`);
}

export function hideResult() {
  byId("result").hidden = true;
  byId("result").replaceChildren();
  byId("review")?.remove();
}

/**
 * What is told stands above the buttons, which stay in sight; on a phone those that matter most.
 *
 * @param {Game} game
 * @param {boolean} won
 * @param {any[]} parts
 * @param {any[]} buttons
 * @param {any[]} more
 */
function curtain(game, won, parts, buttons, more = []) {
  const place = byId("result");
  const away = el(
    "button",
    {
      type: "button",
      class: "link",
      onclick: () => {
        place.hidden = true;
        showActions(game);
      },
    },
    t("play.toBoard"),
  );
  place.className = `curtain ${won ? "won" : "lost"}`;
  place.replaceChildren(
    el(
      "div",
      { class: "sheet" },
      el("div", { class: "sheet-told" }, parts.filter(Boolean)),
      el(
        "div",
        { class: "foot" },
        el("p", { class: "tools" }, buttons),
        el("p", { class: "tools", id: "more" }, more, away),
      ),
    ),
  );
  place.hidden = false;
  place.querySelector("button.main")?.focus({ preventScroll: true });
  const { top, bottom } = place.getBoundingClientRect();
  // Whoever resigns on a phone is below it.
  if (bottom < 0 || top > innerHeight) place.scrollIntoView();
  sound(won ? "win" : "lose");
}

/**
 * The score with both names.
 *
 * @param {import("./views.js").MatchView} view
 */
const scoreWords = (view) =>
  t("play.scoreNow", {
    own: view.names[0],
    ownPoints: scoreOf(view)[0],
    other: view.names[1],
    otherPoints: scoreOf(view)[1],
  });

/**
 * Who has won, as the words name them.
 *
 * @param {import("./views.js").MatchView} view
 * @param {import("./views.js").Who} winner
 */
function winnerOf({ two_people: two, names }, winner) {
  const name = names[winner === "you" ? 0 : 1];
  return { name, form: two ? personOf(name) : winner };
}

/**
 * What kind of game was won, and how much of it counts; nothing of a single game.
 *
 * @param {import("./views.js").MatchView} view
 * @param {import("./views.js").Who} winner
 * @param {number} points
 */
export function kindWords(view, winner, points) {
  const { kind, enough } = winOf(view, winner, points, view.cube.value);
  if (kind === "single" && enough === null) return "";
  const { name, form } = winnerOf(view, winner);
  const words = t(`play.wonKind.${kind}.${form}`, { name, n: points });
  if (enough === null) return words;
  return `${kind === "single" ? words : t("play.wonWorth", { words, n: points })}; ${t("play.wonEnough", { n: enough })}`;
}

/**
 * A game is over, the match is not.
 *
 * @param {Game} game
 */
export function showGameEnd(game) {
  const { view } = game;
  const event = view?.events.find(({ what }) => what === "wins-game");
  if (!view || !event) return;
  const points = event.points ?? 0;
  const times = points / view.cube.value;
  const kind = times === 2 ? t("play.won.gammon") : times === 3 ? t("play.won.backgammon") : "";
  const { name, form } = winnerOf(view, event.player);
  curtain(
    game,
    event.player === "you",
    [
      el("h2", {}, t(`play.won.${form}`, { name })),
      el(
        "p",
        { class: "points" },
        [t("play.wonPoints", { n: points }), kind].filter(Boolean).join(", "),
      ),
      el("p", {}, scoreWords(view)),
    ],
    [
      el(
        "button",
        { type: "button", class: "main", onclick: () => game.act({ action: "next-game" }) },
        t("play.nextGame"),
      ),
    ],
  );
}

/**
 * After a match that was won, a button for one against the next level.
 *
 * @param {Game} game
 * @returns {Promise<any>}
 */
async function nextLevel(game) {
  const { view } = game;
  if (!view || view.two_people || view.winner !== "you" || !isChampion(view.net)) return "";
  const next = levelAfter((await get("/nets").catch(() => null))?.levels ?? [], view.level);
  return next
    ? el(
        "button",
        { type: "button", onclick: () => rematch(game, next) },
        t("play.nextLevel", { level: levelName(next) }),
      )
    : "";
}

/**
 * The match is over.
 *
 * @param {Game} game
 */
export async function showMatchEnd(game) {
  const { view } = game;
  if (!view?.winner) return;
  const { id, winner } = view;
  const { name, form } = winnerOf(view, winner);
  const kind = kindWords(view, winner, game.course.games.at(-1)?.points ?? 0);
  /** @type {(string | null)[]} */
  let [analysis, address] = [null, null];
  /** Whether the analysis is at work, and whether its page was asked for meanwhile. */
  let [isAtWork, isAsked] = [false, false];
  const analyse = async () => {
    // It opens at the worst mistake as soon as that is known.
    if (isAtWork) {
      isAsked = true;
      [byId("analyse").disabled, byId("analyse").textContent] = [true, t("play.analyse.soon")];
      return;
    }
    analysis ??=
      (await attempt(() => post(`/matches/${encodeURIComponent(id)}/analysis`)))?.id ?? null;
    if (analysis) keepOwn("analyses", analysis);
    if (analysis) host.go(address ?? `/analyse?id=${encodeURIComponent(analysis)}`);
  };
  const waits = loading(t("play.reviewing"));
  const place = el("div", { class: "both" }, waits);
  curtain(
    game,
    winner === "you",
    [
      el("h2", {}, t(`play.wonMatch.${form}`, { name })),
      el("p", { class: "points" }, scoreWords(view)),
      kind ? el("p", {}, kind) : null,
      place,
    ],
    [
      el(
        "button",
        { type: "button", class: "main", id: "analyse", onclick: analyse },
        t("play.analyse"),
      ),
      el(
        "button",
        { type: "button", id: "rematch", onclick: () => rematch(game) },
        t("play.rematch"),
      ),
    ],
    [el("button", { type: "button", onclick: () => game.go("/") }, t("play.another"))],
  );
  nextLevel(game).then((button) => byId("more")?.prepend(button));
  // A match that was given up before its first play.
  if (!game.course.points.length)
    return place.replaceChildren(el("p", {}, t("play.reviewNothing")));
  const help = view.two_people ? { hints: [], stops: [] } : helpIn(id);
  isAtWork = true;
  const [{ analysed, verdict }, { lostBy, practiseLink, worstAddress, worstMistakes }] =
    await Promise.all([import("./review.js"), import("./mistakes.js")]);
  const found = await attempt(() =>
    analysed(
      id,
      (row) => {
        analysis = row.id;
        waits.replaceChildren(
          el("progress", { max: row.total, value: row.done, "aria-label": t("play.reviewing") }),
          t("play.reviewAt", { share: percent(row.done / Math.max(1, row.total), 0) }),
        );
      },
      () => game.view?.id === id && place.isConnected,
    ),
  );
  isAtWork = false;
  if (game.view?.id !== id || !place.isConnected) return undefined;
  if (!found)
    [isAsked, byId("analyse").disabled, byId("analyse").textContent] = [
      false,
      false,
      t("play.analyse"),
    ];
  if (!found) return place.replaceChildren(el("p", {}, t("play.reviewLate")));
  analysis = found.row.id;
  const [match] = found.matches;
  address = worstAddress(match, view.two_people, found.row.id);
  if (isAsked) return void analyse();
  // PR knows plays and cube actions alone.
  const lost = view.two_people ? [] : givenUp(game.course);
  const practise = view.two_people ? [] : practiseLink(match, found.row.id);
  byId("more").prepend(...practise.flatMap((some) => [...some.children]));
  byId("analyse").textContent = t("play.seeAnalysis");
  place.replaceChildren(
    ...verdict(match, view.two_people, found.row.id, help, lost).filter((part) => part !== null),
  );
  game.log.markAll(match.games, lostBy);
  byId("review")?.remove();
  byId("game").append(worstMistakes(match, view.two_people, help));
  return undefined;
}
