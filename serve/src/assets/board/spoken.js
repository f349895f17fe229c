// @ts-check
// Boards in words, for screen readers.
import { t } from "../common/words.js";
import { BAR } from "./geometry.js";

/**
 * A point in words.
 *
 * @param {readonly number[]} board
 * @param {number} point
 */
export function described(board, point) {
  const n = board[point];
  const name = point === BAR ? t("board.bar") : t("board.point", { point });
  if (n === 0) return t("board.empty", { name });
  return t(n > 0 ? "board.own" : "board.other", { name, n: Math.abs(n) });
}

/**
 * The whole board in words.
 *
 * @param {{ board: readonly number[]; pips: number[]; names?: string[] }} view
 */
export function boardInWords(view) {
  const { board } = view;
  const points = (/** @type {number} */ sign) => {
    const found = [];
    for (let point = 24; point >= 1; point -= 1) {
      if (Math.sign(board[point]) === sign)
        found.push(
          t("board.on", { n: Math.abs(board[point]), point: sign > 0 ? point : 25 - point }),
        );
    }
    const bar = sign > 0 ? board[BAR] : -board[0];
    if (bar > 0) found.unshift(t("board.onBar", { n: bar }));
    return found.join(", ") || t("board.none");
  };
  const other = view.names?.[1] ?? "nonet";
  return t("board.words", {
    own: points(1),
    ownPips: view.pips[0],
    name: other,
    other: points(-1),
    otherPips: view.pips[1],
  });
}
