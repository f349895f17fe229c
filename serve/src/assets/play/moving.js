// @ts-check
// The person's moves on the board before the server hears of them.
import { say } from "../common/dom.js";
import { setting } from "../common/settings.js";
import { t } from "../common/words.js";
import { offOf } from "../board/position.js";
import { movedWords } from "./picking.js";
import { questionOf } from "./shown.js";
import { otherWords } from "./tutor.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("../board/roll.js").Roll} Roll */
/** @typedef {import("../board/roll.js").Single} Single */

/**
 * What the board of a match does with mouse, finger and keys.
 *
 * @param {Game} game
 * @returns {import("../board/input.js").Inputs}
 */
export const inputOf = (game) => ({
  point: (point, how) => void game.whenStill(() => game.picking.point(point, how)),
  drag: (point) => !game.busy && game.picking.drag(point),
  drop: (from, to) => game.picking.drop(from, to),
  cancel: () => game.picking.letGo(),
  hover: (point) => hover(game, point),
  dice: () => {
    if (!game.busy && game.roll?.made.length === 0) game.picking.swap(questionOf(game.view));
  },
  cube: () => {
    if (game.view?.turn === "roll" && game.view.may_double) game.act({ action: "double" });
  },
});

/** @param {Game} game */
export function confirm(game) {
  const { view, roll } = game;
  const play = /** @type {import("./views.js").PlayView | null | undefined} */ (roll?.play());
  if (!view || !play || game.busy) return;
  game.showBar(play.evaluation);
  game.act({ action: "play", play: play.play });
}

/** @param {Game} game */
export function undoMove(game) {
  game.roll?.takeBack();
  game.picking.selected = null;
  say(questionOf(game.view));
  game.render();
}

/**
 * Where a checker under the mouse could go.
 *
 * @param {Game} game
 * @param {number | null} point
 */
function hover(game, point) {
  const { roll, picking } = game;
  if (game.busy || !roll || picking.selected !== null || setting("click") === "pick") return;
  const shown =
    point !== null && roll.sources().includes(point) ? [...roll.targets(point).keys()] : [];
  game.board.suggest(shown);
}

/**
 * @param {Game} game
 * @param {Single[]} path
 * @param {Roll} roll
 */
async function slide(game, path, roll) {
  for (const [i, { from, to }] of path.entries())
    await game.motion.slide(from, to, true, {
      left: i === path.length - 1 ? roll.dice : path[i].left,
      arrows: [],
      sources: [],
      targets: [],
      selected: null,
    });
}

/**
 * Moves a checker on this page; the server hears of the whole play.
 *
 * @param {Game} game
 * @param {Single[]} path
 * @param {boolean} dragged
 */
export async function move(game, path, dragged = false) {
  const { roll } = game;
  if (!roll || game.busy) return;
  game.busy = true;
  // Where a checker goes with several dice, it hits on its way if it can.
  const spares =
    path.every(({ from }, i) => i === 0 || from === path[i - 1].to) && roll.couldSpare(path)
      ? ` ${t("play.hitOnTheWay")}`
      : "";
  const moved = movedWords(path, roll.board);
  roll.make(path);
  game.picking.selected = null;
  if (dragged) game.motion.hurry();
  game.board.suggest([]);
  game.moving = slide(game, path, roll);
  await game.moving;
  game.motion.calm();
  game.busy = false;
  game.moving = null;
  if (game.roll !== roll) return;
  const complete = roll.play();
  // A complete play is told as a whole, however many clicks it took.
  const words = complete ? otherWords(roll, complete.play) || complete.play : moved;
  say(`${words}.${spares}${complete ? ` ${t("play.askConfirm")}` : ""}`);
  game.render();
  if (complete && setting("confirm") === "no") confirm(game);
}

/**
 * Puts a play on the board in place of the made moves; it is confirmed like one made by hand.
 *
 * @param {Game} game
 * @param {string} text
 */
export function put(game, text) {
  return game.whenStill(() => {
    const { roll, view } = game;
    const play = view?.plays.find((one) => one.play === text);
    const path = play && roll?.pathTo(play);
    if (!roll || !path) return undefined;
    roll.clear();
    game.picking.selected = null;
    game.board.draw({ ...game.board.state, board: roll.board, off: offOf(roll.board) });
    return move(game, path);
  });
}
