// @ts-check
// What the board shows of a match, apart from the checkers: the cube, the opponent's dice and the
// arrows of the last play. The question below the board is here, too.
import { hasCube } from "../common/cube-words.js";
import { t } from "../common/words.js";

/** @typedef {import("./views.js").MatchView} MatchView */

/**
 * The cube as the board draws it.
 *
 * @param {MatchView | null} view
 */
export function cubeOf(view) {
  if (!view || !hasCube(view.rules)) return null;
  return view.cube.offered ? { ...view.cube, to: /** @type {const} */ ("you") } : view.cube;
}

/**
 * What the person is asked.
 *
 * @param {MatchView | null} view
 */
export function questionOf(view) {
  switch (view?.turn) {
    case "roll":
      return t(
        !view.may_double
          ? "play.ask.rollOnly"
          : view.cube.value > 1
            ? "play.ask.redouble"
            : "play.ask.roll",
      );
    case "play":
      return t(view.two_people ? "play.ask.playOf" : "play.ask.play", {
        name: view.names[0],
        dice: view.dice?.join("") ?? "",
      });
    case "answer":
      return t("play.ask.answer");
    case "next-game":
      return t("play.ask.next");
    default:
      return "";
  }
}

/**
 * The arrows of the opponent's last play, until the person moves.
 *
 * @param {MatchView | null} view
 * @param {boolean} hasMoved
 * @param {import("./telling.js").Seen[]} seen
 */
export function lastArrows(view, hasMoved, seen) {
  if (!view || view.two_people || hasMoved || view.turn === "over" || view.turn === "next-game")
    return [];
  // Whoever has just played is doubled: the opponent's play was before that.
  const last = seen.at(-1);
  const isOld =
    view.events.some(({ player, what }) => player === "you" && what === "plays") &&
    !view.events.some(({ player, what }) => player === "nonet" && what === "plays");
  return last && !isOld
    ? [{ steps: last.steps, kind: /** @type {const} */ ("last"), own: false, before: last.before }]
    : [];
}

/**
 * The opponent's last roll, while the person has none.
 *
 * @param {MatchView | null} view
 */
export function theirDice(view) {
  if (!view || view.turn === "play" || view.turn === "over") return null;
  return (
    [...view.events].reverse().find((event) => event.player === "nonet" && event.what === "plays")
      ?.dice ?? null
  );
}
