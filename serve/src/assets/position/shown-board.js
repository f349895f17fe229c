// @ts-check
// The board of the page, who sits where, and the line below the board.
import { chip } from "../common/players.js";
import { turnedAround } from "../decision/board-view.js";
import { hasCube } from "../common/cube-words.js";
import { byId, el } from "../common/dom.js";
import { t } from "../common/words.js";
import { Board } from "../board/board.js";
import { stepsOf } from "../board/notation.js";
import { flipped, fromPositionId, offOf, pipsOf } from "../board/position.js";
import { isEditing, isOOnRoll, isXBelow, keptPlay, onBoard, turnBoard } from "./state.js";
import { isWithoutGammons, rulesOf } from "./xgid.js";

/** @type {Board} */
let board;

/**
 * Puts the board on the page.
 *
 * @param {(point: number) => void} edit Is called when a point is meant
 */
export function prepareBoard(edit) {
  board = new Board(byId("board"), { point: edit });
}

/**
 * The line below the board: pips, score, rules.
 *
 * @param {import("./xgid.js").Fields} fields
 * @param {number[]} shown The board as it is drawn
 */
function factsOf(fields, shown) {
  const { points, length, rules } = fields;
  const pips = pipsOf(shown);
  const match = length
    ? `${t("position.match", { n: length, own: points[0], other: points[1] })} (${t("position.away", { own: length - points[0], other: length - points[1] })})${rules === 1 ? `, ${t("analyse.crawford")}` : ""}`
    : t(`position.rules.money${rules}`);
  return [
    t("position.pips", { own: pips[0], other: pips[1] }),
    match,
    isWithoutGammons(fields) ? t("position.noGammons") : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Lines about both players where O is on roll in the XGID: who sits where, and which player's
 * figures they are.
 *
 * @param {boolean} isO
 * @param {boolean} turned Whether X sits below
 * @param {(() => void) | null} turn Puts the other player below
 */
function drawSides(isO, turned, turn) {
  const line = (/** @type {"X" | "O"} */ who) => [
    el(
      "span",
      { class: "who" },
      chip(who === "X" ? "own" : "other"),
      who === "O" ? t("position.side.roll") : who,
    ),
    who === "O"
      ? el("span", { class: "soft" }, t("position.side.figures"))
      : turn
        ? el(
            "button",
            {
              type: "button",
              class: "link",
              id: "turn-board",
              onclick: () => {
                turn();
                byId("turn-board").focus();
              },
            },
            t("position.side.turn"),
          )
        : "",
  ];
  for (const [id, who] of /** @type {["side-other" | "side-own", "X" | "O"][]} */ ([
    ["side-other", turned ? "O" : "X"],
    ["side-own", turned ? "X" : "O"],
  ])) {
    byId(id).hidden = !isO;
    byId(id).replaceChildren(...(isO ? line(who) : []));
  }
}

/**
 * Draws the board; the arrows of the play `look` are shown.
 *
 * @param {{ play: string; after?: string; dice?: string } | null} look
 */
export function draw(look = null, after = false) {
  const fields = onBoard();
  const { cube, owner, dice } = fields;
  const shownDice = look?.dice ?? dice;
  const result = after && look?.after ? flipped(fromPositionId(look.after)) : null;
  // On an empty board no checkers count as borne off.
  const isEmpty = fields.board.every((n) => n === 0);
  const state = {
    board: result ?? fields.board,
    off: isEmpty ? [0, 0] : offOf(result ?? fields.board),
    cube:
      !isEditing() && !hasCube(rulesOf(fields))
        ? null
        : {
            value: 2 ** cube,
            owner: owner > 0 ? "you" : owner < 0 ? "nonet" : null,
            offered: fields.offered ? 2 ** (cube + 1) : null,
            to: "nonet",
          },
    dice: shownDice ? [Number(shownDice[0]), Number(shownDice[1])] : null,
    left: result ? [] : null,
    arrows: look ? [{ steps: stepsOf(look.play), kind: "best" }] : [],
    sources: isEditing() ? Array.from({ length: 25 }, (_, i) => i + 1) : [],
  };
  // Whoever sets up a position sees it as the player on roll does.
  const isO = isOOnRoll();
  const turned = isO && isXBelow() && !isEditing();
  board.give(isO && !turned ? "other" : "own", turned);
  board.draw(turned ? turnedAround(state) : state);
  drawSides(
    isO,
    turned,
    isEditing()
      ? null
      : () => {
          turnBoard();
          drawKept();
        },
  );
  byId("board").classList.toggle("editing", isEditing());
  byId("facts").textContent = isEmpty ? "" : factsOf(fields, result ?? fields.board);
}

/** Draws the board with the play that is kept. */
export const drawKept = () => draw(keptPlay(), Boolean(keptPlay()));
