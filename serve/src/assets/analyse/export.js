// @ts-check
// The files of an analysis. Its page takes the rollouts that this browser has.
import { gamesOf } from "./verdicts.js";

/** @typedef {import("./verdicts.js").Rolled} Rolled */

/** Half the width of a 95 % interval, in standard errors. */
const WIDE = 1.96;

/** The most rollouts of a page, and the most lines of each. */
const MOST = [100, 12];

/** The lines of a rollout, named as the page does, which is in English. @param {any} answer */
function linesOf(answer) {
  const line = (/** @type {string} */ name, /** @type {number} */ equity, /** @type {number | null | undefined} */ stderr) => ({ name, equity, half: WIDE * (stderr ?? 0) });
  if (!answer.cube) return answer.rollouts.slice(0, MOST[1]).map((/** @type {any} */ row) => line(row.play, row.equity, row.stderr));
  const { no_double: no, double_take: take } = answer.cube;
  return [line("no double", no.equity, no.stderr), line("double, take", take.equity, take.stderr), line("double, pass", 1, 0)];
}

/**
 * The rollouts of an analysis as its page takes them, the newest ones if there are many.
 * @param {Map<string, Rolled>} known by analysis, match, game and decision
 * @param {string} id
 */
export function rolloutsOf(known, id) {
  const own = [...known].filter(([key, { state }]) => key.startsWith(`${id}.`) && state !== "running");
  return own.slice(-MOST[0]).map(([key, { answer, plies }]) => {
    const [match, game, decision] = key.slice(id.length + 1).split(".").map(Number);
    return { match, game, decision, games: gamesOf(answer), plies, lines: linesOf(answer) };
  });
}
