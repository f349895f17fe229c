// @ts-check
// A match that is watched: its events, and how they are told.
import { upload } from "../common/api.js";
import { attempt, el } from "../common/dom.js";
import { host } from "../common/host.js";
import { keepOwn } from "../common/own.js";
import { t } from "../common/words.js";
import { matOf } from "../board/notation.js";
import { START } from "../board/position.js";
import { kindWords } from "../play/result.js";

/** @typedef {"light" | "dark"} Side */
/**
 * @typedef {{
 *   game: number;
 *   player: Side;
 *   what: string;
 *   dice: [number, number] | null;
 *   play: string | null;
 *   points: number | null;
 *   steps: [number, number][];
 *   board: number[];
 *   cube: number;
 *   owner: Side | null;
 *   offered: number | null;
 *   score: [number, number];
 *   crawford: boolean;
 *   win: number;
 * }} Event
 *
 * @typedef {{ seed: number; levels: [string, string]; length: number; events: Event[] }} Watched
 */

/** Depth of the players: what there is to watch begins at once. */
export const PLY = 1;

/**
 * Whether an event is one of a turn: others are told with what follows.
 *
 * @param {Event} event
 */
export const isTurn = ({ what }) => what !== "opens";

/**
 * A side with its level.
 *
 * @param {Side} side
 * @param {Watched} match
 */
export const nameOf = (side, { levels }) =>
  t("watch.sideLevel", {
    side: t(`watch.${side}`),
    level: t(`level.${levels[side === "light" ? 0 : 1]}`),
  });

/**
 * Analyses a watched match, and goes there.
 *
 * @param {Watched} match
 */
export const analyse = (match) =>
  attempt(async () => {
    const text = matOf(match, [nameOf("light", match), nameOf("dark", match)]);
    const { id } = await upload(
      `/analyses?name=${encodeURIComponent(`watched-${match.seed}.mat`)}`,
      new Blob([text]),
    );
    keepOwn("analyses", id);
    host.go(`/analyse?id=${encodeURIComponent(id)}`);
  });

/**
 * What kind of win ends a match, and how much of it counts; nothing of a single game.
 *
 * @param {Event} event
 * @param {Watched} match
 */
export const kindOf = ({ player, points, score, cube, game }, match) =>
  kindWords(
    /** @type {any} */ ({
      two_people: true,
      names: [nameOf("light", match), nameOf("dark", match)],
      score,
      rules: { length: match.length },
      cube: { value: cube },
    }),
    player === "light" ? "you" : "nonet",
    points ?? match.events.findLast((one) => one.game === game && one.points !== null)?.points ?? 0,
  );

/**
 * An event in words.
 *
 * @param {Event} event
 * @param {Watched} match
 */
export function inWords(event, match) {
  const { what, player, dice, play, points: n, cube, offered, score } = event;
  if (what === "wins-game" && Math.max(...score) >= match.length && kindOf(event, match))
    return `${kindOf(event, match)}.`;
  const kind =
    what === "plays" && !play ? "dances" : what === "doubles" && cube > 1 ? "redoubles" : what;
  const points = score.map((n) => Math.min(n, match.length));
  const [own, lost] = player === "light" ? points : points.reverse();
  const name = (/** @type {Side} */ side) =>
    match.levels[0] === match.levels[1] ? t(`watch.${side}`) : nameOf(side, match);
  return t(`play.event.${kind}.${kind === "opens" ? "two" : "nonet"}`, {
    name: name(player),
    dice: dice?.join("") ?? "",
    high: dice?.[0] ?? "",
    low: dice?.[1] ?? "",
    play: play ?? "",
    value: offered ?? cube,
    n: n ?? 0,
    other: kind === "opens" ? name(player === "light" ? "dark" : "light") : own,
    own: lost,
  });
}

/**
 * An event in the list: a play with the checker of its side, all else in a sentence.
 *
 * @param {Event} event
 * @param {Watched} match
 * @param {() => void} show
 */
export function lineOf(event, match, show) {
  const words = inWords(event, match);
  const isPlay = event.what === "plays";
  return el(
    "button",
    { type: "button", onclick: show, "aria-label": isPlay ? words : null },
    isPlay
      ? [
          el("span", { class: `dot ${event.player}`, "aria-hidden": "true" }),
          `${event.dice?.join("")}: ${event.play || t("play.noPlay")}`,
        ]
      : event.what === "opens"
        ? `${t("watch.game", { game: event.game })}: ${words}`
        : words,
  );
}

/**
 * The board before an event, seen by light.
 *
 * @param {Watched} match
 * @param {number} at The place of the event
 */
export const boardBefore = ({ events }, at) =>
  events[at].game === events[at - 1]?.game ? events[at - 1].board : START;
