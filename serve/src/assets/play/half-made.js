// @ts-check
// A play that is half made while the page is loaded again: this browser keeps it.

const HALF = "nonet-half-made";

/**
 * Keeps the moves that are made and not confirmed.
 * @param {{ id: string, revision: number } | null} view @param {import("../board/roll.js").Roll | null} roll
 */
export function keepHalf(view, roll) {
  const moves = roll?.made.map(({ from, to }, i) => ({ from, to, left: (roll.made[i + 1]?.dice ?? roll.dice).join() }));
  try {
    sessionStorage.setItem(HALF, JSON.stringify({ id: view?.id, revision: view?.revision, moves: moves ?? [] }));
  } catch { /* A browser that keeps nothing: the play is made anew. */ }
}

/**
 * Makes the moves again that were kept, if they belong to this decision.
 * @param {{ id: string, revision: number }} view @param {import("../board/roll.js").Roll} roll
 */
export function takeHalf(view, roll) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(HALF) ?? "{}");
    sessionStorage.removeItem(HALF);
    if (kept.id !== view.id || kept.revision !== view.revision) return;
    for (const { from, to, left } of kept.moves) {
      const move = roll.moves().find((one) => one.from === from && one.to === to && one.left.join() === left);
      if (!move) return;
      roll.make([move]);
    }
  } catch { /* Not ours, or cut short. */ }
}
