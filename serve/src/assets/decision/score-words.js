// @ts-check
// What a score matrix says in words: in a cell, and where the verdict above it is another one.
import { cubeWords } from "../common/cube-words.js";
import { el } from "../common/dom.js";
import { decimal, isNothing, signed } from "../common/format.js";
import { t } from "../common/words.js";
import { kindOf, lossesIn } from "./score-matrix.js";
import { kindOfWords } from "./strengths.js";

/** @typedef {import("./score-matrix.js").Matrix} Matrix */
/** @typedef {import("./score-matrix.js").ScoreCell} ScoreCell */
/** @typedef {import("./score-matrix.js").Said} Said */

/**
 * A score in words.
 *
 * @param {ScoreCell} cell
 */
export function scoreName({ score, own_away: own, opponent_away: other, name }) {
  if (score === "money") return t("scores.money");
  const away = t("position.away", { own: own ?? 0, other: other ?? 0 });
  const kind = score === "match" ? "" : `, ${t(`scores.${score}`)}`;
  return `${away}${kind}${name ? ` (${t(`scores.${name}`)})` : ""}`;
}

/**
 * What a cell says.
 *
 * @param {Matrix} matrix
 * @param {Said} cell
 * @param {string} where
 */
export function said(matrix, { play, cube }, where) {
  const nameOf = (/** @type {string | null} */ letter) =>
    matrix.plays.find((one) => one.letter === letter)?.play ?? "";
  if (play) {
    const ahead =
      play.ahead === null
        ? ""
        : ` ${isNothing(play.ahead) ? t("scores.equal") : t("scores.ahead", { ahead: decimal(play.ahead, 3) })}`;
    const loss = lossesIn(matrix, play)
      .map((one) =>
        isNothing(one.loss)
          ? ""
          : ` ${t("scores.loss", { play: nameOf(one.letter), loss: decimal(one.loss, 3) })}`,
      )
      .join("");
    return `${where}: ${t("scores.best", { play: nameOf(play.letter), equity: signed(play.equity) })}${ahead}${loss}`;
  }
  if (!cube) return where;
  if (cube.ahead === null) return `${where}: ${cubeWords(cube.words)}.`;
  const doubled = Math.min(cube.double_take, 1);
  const [loss, answer] = [cube.no_double - doubled, cube.double_take - 1].map(Math.abs);
  return `${where}: ${cubeWords(cube.words)}. ${t("scores.equities", { no: signed(cube.no_double), double: signed(doubled) })} ${t("scores.wrong", { loss: decimal(loss, 3), answer: decimal(answer, 3) })}`;
}

/**
 * The verdict above a matrix: its best play or its words about the cube, and their equity. `plies`
 * is null of a rollout.
 *
 * @typedef {{ plies: number | null; equity: number | null; play?: string; cube?: string }} Above
 */

/**
 * What a matrix and the verdict above it say of the same score where they name different decisions;
 * null where they agree.
 *
 * @param {Matrix} matrix
 * @param {Above} above
 * @returns {[string, Record<string, string | number>] | null} A key of words, and what is filled in
 */
export function contradiction({ cells, plays, plies: n, asked, above }, { plies, play, cube }) {
  const cell = cells.find(({ given }) => given);
  const depth = plies === null ? t("scores.rollout") : t("common.ply", { n: plies });
  if (cell?.play && play) {
    const nameOf = (/** @type {string | null | undefined} */ letter) =>
      plays.find((one) => one.letter === letter)?.play;
    const other = nameOf(cell.play.letter) ?? "";
    if (other === play) return null;
    const loss =
      play === nameOf(above)
        ? cell.play.lossOfBest
        : play === nameOf(asked)
          ? cell.play.loss
          : null;
    return [
      "scores.other.play",
      { n, other, loss: decimal(loss ?? cell.play.ahead ?? 0, 3), best: play, depth },
    ];
  }
  if (!cell?.cube || !cube || cell.cube.ahead === null || kindOf(cell.cube) === kindOfWords(cube))
    return null;
  return [
    "scores.other.cube",
    { n, other: cubeWords(cell.cube.words), best: cubeWords(cube), depth },
  ];
}

/**
 * What says that the verdict above a matrix counts. It stands where the verdict is another one at
 * its score, or is deeper with other figures.
 *
 * @param {Matrix} matrix
 * @param {Above} above
 */
export function deeperNote(matrix, above) {
  const other = contradiction(matrix, above);
  if (other) return el("p", { class: "differs warns" }, t(...other));
  const { plies, equity } = above;
  const { cells, plies: own } = matrix;
  const cell = cells.find(({ given }) => given);
  const shown = cell?.play?.equity ?? cell?.cube?.no_double ?? null;
  const isDeeper = plies === null || plies > own;
  return isDeeper && shown !== null && equity !== null && signed(shown) !== signed(equity)
    ? el("p", { class: "differs" }, t("scores.differs"))
    : null;
}
