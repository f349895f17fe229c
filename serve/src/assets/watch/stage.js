// @ts-check
// What a watched match is shown with: both players, the board, the bar, the list of turns, and the
// controls.
import { hasCube } from "../common/cube-words.js";
import { byId, el } from "../common/dom.js";
import { percent } from "../common/format.js";
import { t } from "../common/words.js";
import { Board } from "../board/board.js";
import { START, pipsOf } from "../board/position.js";
import { paintBar } from "../play/seats.js";
import { analyse, nameOf } from "./match.js";

/** @typedef {import("./match.js").Side} Side */
/** @typedef {import("./match.js").Event} Event */
/** @typedef {import("./match.js").Watched} Watched */

/** Milliseconds after the dice, after a play, and after what is told alone. */
const SPEEDS = /** @type {Record<string, [number, number, number]>} */ ({
  slow: [1200, 2200, 2600],
  normal: [500, 800, 1300],
  fast: [60, 150, 500],
});
/** The speed, for all matches until the page is loaded again. */
let speed = "normal";

/** How long to wait at the speed that is chosen. */
export const pauses = () => SPEEDS[speed];

/**
 * A board with light below: no checkers are the person's.
 *
 * @param {Element} place
 */
export function boardOf(place) {
  const board = new Board(place);
  board.give("light");
  return board;
}

/**
 * The player above or below the board.
 *
 * @param {Watched} match
 * @param {Event | undefined} event
 * @param {0 | 1} i
 */
export function seat(match, event, i) {
  const { length } = match;
  const board = event?.board ?? START;
  const rule =
    i || !event?.crawford
      ? null
      : el("span", { class: "rule" }, t("play.rule.crawford", { n: length }));
  return el(
    "div",
    { class: "seat" },
    el("span", { class: `dot ${i ? "dark" : "light"}`, "aria-hidden": "true" }),
    el("b", {}, nameOf(i ? "dark" : "light", match)),
    el(
      "span",
      { class: "points" },
      t("play.pointsOf", { n: Math.min(length, event?.score[i] ?? 0), all: length }),
    ),
    el("span", { class: "pips" }, t("play.pips", { n: pipsOf(board)[i] })),
    rule,
  );
}

/**
 * The bar of the chances of light.
 *
 * @param {Event | undefined} event
 */
export const drawBar = (event) =>
  paintBar(byId("watch-bar"), "light", {
    win: event?.win ?? 0.5,
    words: t(event?.what.startsWith("wins") ? "play.barOver" : "watch.barGame"),
    said: t("watch.bar", { win: percent(event?.win ?? 0.5) }),
  });

/**
 * The cube as the board draws it, seen by light.
 *
 * @param {Event | undefined} event
 * @param {number} length
 */
export function cubeOf(event, length) {
  if (!hasCube({ length, crawford: event?.crawford })) return null;
  const seen = (/** @type {Side | null} */ side) =>
    side && /** @type {"you" | "nonet"} */ (side === "light" ? "you" : "nonet");
  const to = event?.offered
    ? (seen(event.player === "light" ? "dark" : "light") ?? undefined)
    : undefined;
  return {
    value: event?.cube ?? 1,
    owner: seen(event?.owner ?? null),
    offered: event?.offered ?? null,
    to,
  };
}

/** The choice of the speed. */
function paceSelect() {
  const pace = el(
    "select",
    { "aria-label": t("watch.speed"), title: t("watch.speed") },
    Object.keys(SPEEDS).map((name) =>
      el("option", { value: name, selected: name === speed }, t(`watch.speed.${name}`)),
    ),
  );
  pace.addEventListener("change", () => {
    speed = pace.value;
  });
  return pace;
}

/** The controls above the board. */
function controls() {
  const pause = el(
    "button",
    { type: "button", class: "main", id: "watch-pause" },
    t("watch.pause"),
  );
  const slider = el("input", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    "aria-label": t("watch.slider"),
  });
  const [earlier, later] = [
    ["watch.earlier", "←"],
    ["watch.later", "→"],
  ].map(([key, sign]) => el("button", { type: "button", "aria-label": t(key) }, sign));
  const tools = el(
    "div",
    { class: "tools watch-tools", role: "group", "aria-label": t("watch.step") },
    pause,
    earlier,
    slider,
    later,
    paceSelect(),
  );
  return { pause, slider, earlier, later, tools };
}

/**
 * The card at the end of a match.
 *
 * @param {Watched} match
 * @param {(address: string) => void} go
 */
function endCard(match, go) {
  const [winner, kind] = [el("h2", {}), el("p", {})];
  const end = el(
    "section",
    { class: "card watch-end", hidden: true },
    winner,
    kind,
    el(
      "p",
      { class: "tools" },
      el(
        "button",
        { type: "button", class: "main", onclick: () => analyse(match) },
        t("play.analyse"),
      ),
      el("button", { type: "button", onclick: () => go("/") }, t("watch.play")),
    ),
  );
  return { winner, kind, end };
}

/**
 * All parts of the view of a match, still empty.
 *
 * @param {Watched} match
 * @param {(address: string) => void} go
 */
export function stageOf(match, go) {
  const why = el("div", {});
  const says = el("p", { class: "says", role: "status", "data-says": true });
  const boardPlace = el("div", { class: "board-place" });
  const [above, below] = [el("div", {}), el("div", {})];
  const bar = el(
    "div",
    { class: "bar", id: "watch-bar", role: "img" },
    el("div", { class: "fill" }),
    el("span", { class: "number" }),
    el("span", { class: "words" }),
  );
  const card = endCard(match, go);
  const list = el("ol", { class: "watch-list", "aria-label": t("watch.slider") });
  const room = el(
    "div",
    { class: "watch-room" },
    el(
      "div",
      { class: "watch-stage" },
      above,
      el("div", { class: "table" }, bar, el("div", { class: "board-frame" }, boardPlace)),
      below,
      says,
      why,
      card.end,
    ),
    list,
  );
  return { ...controls(), ...card, why, says, boardPlace, above, below, list, room };
}
