// @ts-check
// The two players next to the board, and the bar of the evaluation.
import { colourOf } from "../common/players.js";
import { byId, el, entitle } from "../common/dom.js";
import { percent } from "../common/format.js";
import { netName, opponentWords } from "../common/net-name.js";
import { setting } from "../common/settings.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { minutes } from "./clock.js";

/** @typedef {import("./views.js").MatchView} MatchView */

/**
 * The colour of a player: the person has their own; two people have those that their analysis
 * shows.
 *
 * @param {Pick<MatchView, "two_people" | "light" | "names">} view
 * @param {boolean} isFirst Whether the first of two people is meant, else the second one
 */
export function colourIn({ two_people: two, light, names }, isFirst) {
  // The names begin with the one who decides.
  return two
    ? colourOf(light ? names : [...names].reverse(), isFirst ? 0 : 1)
    : isFirst
      ? "own"
      : "other";
}

/**
 * The colour of the player below.
 *
 * @param {Parameters<typeof colourIn>[0]} view
 */
export const colourBelow = (view) => colourIn(view, !view.two_people || view.light);

/** @param {MatchView} view */
export function ruleOf(view) {
  const { rules } = view;
  if (rules.length)
    return t(rules.crawford ? "play.rule.crawford" : "play.rule.match", { n: rules.length });
  return [
    t("play.rule.money"),
    rules.jacoby && t("play.rule.jacoby"),
    rules.beavers && t("play.rule.beavers"),
  ]
    .filter(Boolean)
    .join(", ");
}

/**
 * The score, no higher than the match is long.
 *
 * @param {Pick<MatchView, "score" | "rules">} view
 * @returns {[number, number]}
 */
export const scoreOf = ({ score, rules }) => [
  Math.min(score[0], rules.length ?? Infinity),
  Math.min(score[1], rules.length ?? Infinity),
];

/**
 * What kind of game was won, and how many points were enough if those won are more.
 *
 * @param {Pick<MatchView, "score" | "rules">} view After the game
 * @param {import("./views.js").Who} winner
 * @param {number} points
 * @param {number} cube
 */
export function winOf({ score, rules }, winner, points, cube) {
  const needed = (rules.length ?? Infinity) - (score[winner === "you" ? 0 : 1] - points);
  const kind = points === 2 * cube ? "gammon" : points === 3 * cube ? "backgammon" : "single";
  return { kind, enough: points > needed ? needed : null };
}

/**
 * The opponent with its strength: the level of the champion, or another net and its depth.
 *
 * @param {Pick<MatchView, "names" | "two_people" | "level" | "net" | "plies">} view
 */
function opponentOf({ names, two_people: isPerson, level, net, plies }) {
  if (isPerson) return names[1];
  return opponentWords(names[1], { net, level, plies });
}

/**
 * @param {MatchView} view
 * @param {readonly number[]} pips
 * @param {import("./clock.js").Clock | null} clock
 */
export function showSeats(view, pips, clock) {
  const { names, rules } = view;
  const score = scoreOf(view);
  const points = (/** @type {number} */ n) =>
    rules.length ? t("play.pointsOf", { n, all: rules.length }) : t("play.points", { n });
  const shown = setting("pips") === "yes";
  const seat = (
    /** @type {string} */ id,
    /** @type {string} */ kind,
    /** @type {string} */ name,
    /** @type {number} */ i,
    /** @type {any[]} */ more,
  ) => {
    const place = byId(id);
    place.className = `seat ${kind}`;
    place.replaceChildren(
      el("span", {
        class: `dot ${colourIn(view, (kind === "you") === (!view.two_people || view.light))}`,
        "aria-hidden": "true",
      }),
      el("b", {}, name),
      el("span", { class: "points" }, points(score[i])),
      shown ? el("span", { class: "pips" }, t("play.pips", { n: pips[i] })) : null,
      ...more,
    );
  };
  // Why there is no cube in a Crawford game stands at its name.
  const [before, after] = t("play.rule", { game: view.game, rule: "\n" }).split("\n");
  const rule = el(
    "span",
    { class: "rule" },
    before,
    rules.crawford ? term(ruleOf(view), "crawford") : ruleOf(view),
    after,
  );
  seat("seat-other", "nonet", opponentOf(view), 1, [rule]);
  seat(
    "seat-own",
    "you",
    names[0],
    0,
    clock ? [el("span", { class: "clock", id: "clock", role: "timer" })] : [],
  );
  const words = { own: names[0], ownPoints: score[0], other: names[1], otherPoints: score[1] };
  byId("game-title").textContent = t("play.heading", words);
  entitle(t("play.windowTitle", words));
  if (clock) showClock({ turn: clock.delay, reserve: clock.reserve });
}

/** @param {{ turn: number; reserve: number }} left */
export function showClock({ turn, reserve }) {
  const place = byId("clock");
  if (!place) return;
  place.textContent = `${Math.ceil(turn / 1000)} · ${minutes(reserve)}`;
  place.setAttribute(
    "aria-label",
    t("play.time", { n: Math.ceil(turn / 1000), reserve: minutes(reserve) }),
  );
  place.classList.toggle("short", turn === 0 && reserve < 20000);
}

/**
 * The chances of the player below: by a hint with its depth and its net, else by the server at
 * 1-ply.
 *
 * @typedef {{
 *   win: number;
 *   equity?: number;
 *   plies?: number;
 *   net?: string;
 *   isOver?: boolean;
 * }} Judged
 */

/**
 * What the bar shows: the open hint, or the chances before the roll. Once the person has moved a
 * complete play, it shows the chances after the play, if the person wants to know them.
 *
 * @param {import("./game.js").Game} game
 * @returns {Judged | null}
 */
export function valueOf({ view, roll, hinted }) {
  if (!view) return null;
  const play =
    roll && roll.made.length > 0 && setting("evaluation") === "moving" ? roll.play() : null;
  if (play) return /** @type {import("./views.js").PlayView} */ (play).evaluation;
  const ended = view.events.find(
    (event) => event.what === "wins-game" || event.what === "wins-match",
  );
  if (!ended) return hinted ?? view.evaluation;
  return ended.player === "you"
    ? { win: 1, equity: 1, isOver: true }
    : { win: 0, equity: -1, isOver: true };
}

/**
 * Draws a bar of chances. The number is always that of the player below, in their part.
 *
 * @param {any} bar With its parts
 * @param {import("../common/settings.js").Colour} colour Of the player below
 * @param {{ win: number | null; words: string; said: string }} given Their chance; the words on the
 *   bar, and what it says
 */
export function paintBar(bar, colour, { win, words, said }) {
  bar.className = `bar ${colour}${win === null ? "" : " judged"}`;
  bar.hidden = setting("evaluation") === "no";
  bar.style.setProperty("--win", win === null ? "50%" : `${100 * win}%`);
  bar.querySelector(".number").textContent = win === null ? "" : `${Math.round(100 * win)}`;
  bar.querySelector(".words").textContent = words;
  bar.querySelector(".words").hidden = win === null;
  bar.title = said;
  bar.setAttribute("aria-label", said);
}

/**
 * The bar of a match.
 *
 * @param {Judged | null} value
 * @param {import("../common/settings.js").Colour} colour Of the player below
 * @param {string} key Of the words for what is judged
 */
export function showBar(value, colour, key = "play.barGame") {
  const said = {
    win: percent(value?.win ?? 0),
    plies: value?.plies ?? 1,
    net: netName(value?.net ?? "champion"),
  };
  // The chart and the losses of a match tell the chance of the match. The bar says that its chance
  // is that of the game.
  paintBar(byId("bar"), colour, {
    win: value?.win ?? null,
    words: t(value?.isOver ? "play.barOver" : key),
    said: value
      ? t(
          value.isOver ? "play.barOver" : value.equity === undefined ? "play.barPast" : "play.bar",
          said,
        )
      : t("play.noBar"),
  });
}
