// @ts-check
// How a match and its games ended, in words.
import { t } from "../common/words.js";
import { fieldsOf, pointsBefore } from "../decision/board-view.js";

/**
 * How a match ended, in words.
 *
 * @param {any} match
 */
export function resultOf(match) {
  const { names, points, length, winner } = match;
  if (length && winner !== null)
    return t("analyse.result.won", {
      name: names[winner],
      points: points[winner],
      other: points[1 - winner],
    });
  if (length)
    return t("analyse.result.open", {
      name: names[0],
      points: points[0],
      other: names[1],
      theirs: points[1],
    });
  if (points[0] === points[1]) return t("analyse.result.even", { n: match.games.length });
  const leader = points[0] > points[1] ? 0 : 1;
  return t("analyse.result.money", {
    name: names[leader],
    points: points[leader] - points[1 - leader],
    n: match.games.length,
  });
}

/**
 * How a game was won, by the points for each point of the cube.
 *
 * @type {Record<number, string>}
 */
const KINDS = { 2: "gammon", 3: "backgammon" };

/**
 * The cube at the end of a game.
 *
 * @param {any} game
 */
function cubeAtEnd({ decisions }) {
  const last = decisions.at(-1);
  const { value } = fieldsOf(last.xgid);
  return last.decision?.call === "take" ? 2 * value : value;
}

/**
 * What each game ended with: the points that the match still needed; more of them are told.
 *
 * @param {any} match
 * @returns {string[]}
 */
export function gameEnds({ games, names, length }) {
  return games.map((/** @type {any} */ game) => {
    const { won } = game;
    if (!won) return "";
    const name = names[won.player];
    const needed = length === null ? Infinity : length - (pointsBefore(game)?.[won.player] ?? 0);
    if (won.points <= needed) return t("analyse.gameWon", { name, n: won.points });
    const kind = KINDS[won.points / cubeAtEnd(game)] ?? "points";
    return t(`analyse.gameWon.${kind}`, { name, n: needed, points: won.points });
  });
}
