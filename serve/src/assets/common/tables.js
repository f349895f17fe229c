// Tables of plays, cube decisions and rollouts.
import { cubeWords } from "./cube-words.js";
import { el } from "./dom.js";
import { decimal, percent, signed } from "./format.js";
import { t } from "./words.js";

/** The six customary chances in a line of a table. */
export function chances({ win, win_gammon, win_backgammon, lose_gammon, lose_backgammon }) {
  const p = (value) => decimal(100 * value, 1);
  return [p(win), p(win_gammon), p(win_backgammon), p(1 - win), p(lose_gammon), p(lose_backgammon)];
}

/** The headings of `chances`. */
export const chanceHeads = () => ["win", "gammon", "backgammon", "lose", "gammon", "backgammon"].map((name) => t(`table.${name}`));

/** Whether a cell is a number, perhaps with its unit or interval. */
const isNumber = (cell) => typeof cell === "string" && (cell === "" || /^[±+−-]?\d[\d.,: ]*( ?[%kM]| ±.*| of \d+)?( \/ .*)?$|^(–|none|\?)/.test(cell));

/** A table: a row of headings and rows of cells (texts or elements). Columns of numbers stand right, the first one and those of words left. */
export function table(caption, headings, rows) {
  const words = headings.map((_, i) => i > 0 && rows.some((cells) => !isNumber(cells[i] ?? "")));
  const kind = (i) => (words[i] ? "words" : null);
  const head = el("tr", {}, headings.map((text, i) => el("th", { scope: "col", class: kind(i) }, text)));
  const body = rows.map((cells) => {
    const row = el("tr", {}, cells.map((cell, i) => el(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : { class: kind(i) }, cell ?? "")));
    return row;
  });
  const made = el("table", {}, el("caption", {}, caption), el("thead", {}, head), el("tbody", {}, body));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, made);
}

/** The plays of a hint as a table. */
export function playsTable(answer, act) {
  const rows = answer.plays.map((play, i) => [
    act ? el("button", { type: "button", class: "link", onclick: () => act(play) }, `${i + 1}. ${play.play}`) : `${i + 1}. ${play.play}`,
    signed(play.equity), i === 0 ? "" : signed(-play.loss), `${play.plies}`, ...chances(play.outcomes),
  ]);
  const heads = [...["play", "equity", "loss", "ply"].map((name) => t(`table.${name}`)), ...chanceHeads()];
  return table(t("table.bestPlays", { dice: answer.dice }), heads, rows);
}

/** A cube decision as a table. */
export function cubeTable(cube) {
  const kind = cube.redouble ? "redouble" : "double";
  const mwc = cube.match_winning_chances;
  const rows = [[t(`cube.${kind}.no`), cube.no_double], [t(`cube.${kind}.take`), cube.double_take], [t(`cube.${kind}.pass`), cube.double_pass]]
    .map(([name, equity], i) => [name, signed(equity), signed(equity - cube.equity), ...(mwc ? [percent(mwc[i], 2)] : [])]);
  const heads = [t("table.action"), t("table.equity"), t("table.difference"), ...(mwc ? [t("table.matchWon")] : [])];
  const made = table(t("cube.caption", { words: cubeWords(cube.words), plies: cube.plies }), heads, rows);
  const words = el("p", { class: "small" }, t("cube.without", {
    equity: signed(cube.cubeless), win: percent(cube.outcomes.win), gammons: percent(cube.outcomes.win_gammon), lost: percent(cube.outcomes.lose_gammon),
  }));
  return el("div", {}, made, words);
}

/** A rollout as a table, with 95 % intervals. */
export function rolloutTable(answer) {
  const half = (stderr) => (stderr === null || stderr === undefined ? "?" : decimal(1.96 * stderr, 3));
  if (answer.cube) {
    const { cube } = answer;
    const rows = [[t("cube.double.no"), cube.no_double], [t("cube.double.take"), cube.double_take]]
      .map(([name, row]) => [name, signed(row.equity), `± ${half(row.stderr)}`]);
    rows.push([t("cube.double.pass"), signed(1), ""]);
    return table(t("rollout.cube", { words: cubeWords(cube.words), games: answer.games }), [t("table.action"), t("table.equity"), t("table.interval")], rows);
  }
  const rows = answer.rollouts.map((row, i) => [
    row.play, signed(row.equity), `± ${half(row.stderr)}`,
    i === 0 ? "" : `${signed(-row.loss)} ± ${half(row.loss_stderr)}`, `${row.games}`, ...chances(row.outcomes),
  ]);
  const heads = [...["play", "equity", "interval", "behind", "games"].map((name) => t(`table.${name}`)), ...chanceHeads()];
  return table(t("rollout.caption"), heads, rows);
}
