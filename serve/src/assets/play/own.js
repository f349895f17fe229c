// @ts-check
// What this browser keeps of matches: those that were begun or played here, as a server may hold
// those of others, too; and a play that is half made while the page is loaded again.

/** @typedef {{ getItem: (key: string) => string | null, setItem: (key: string, value: string) => void }} Store */

const OWN = "nonet-own-matches";

/** The most matches that are remembered: more than the list of the server has. */
const MOST = 300;

/**
 * The names of the own matches; null if none was ever kept.
 * @param {Store} store
 * @returns {string[] | null}
 */
function ownIn(store) {
  try {
    const kept = JSON.parse(store.getItem(OWN) ?? "null");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string") : null;
  } catch {
    return null; // Not ours: as if nothing were kept.
  }
}

/** @param {Store} store @param {string[]} all */
function keep(store, all) {
  try {
    store.setItem(OWN, JSON.stringify(all.slice(-MOST)));
  } catch { /* A browser that keeps nothing shows all matches on demand. */ }
}

/** Remembers a match as one of this browser. @param {string} id @param {Store} store */
export function keepOwn(id, store = localStorage) {
  const own = ownIn(store) ?? [];
  if (!own.includes(id)) keep(store, [...own, id]);
}

/**
 * Those of the server's matches that are this browser's. A browser that has played before it
 * remembered its matches takes all of then as its own.
 * @template {{ id: string }} T
 * @param {T[]} rows @param {boolean} hasPlayed whether a match was begun here before
 * @returns {T[]}
 */
export function ownOf(rows, hasPlayed, store = /** @type {Store} */ (localStorage)) {
  let own = ownIn(store);
  if (!own && hasPlayed) {
    own = rows.map(({ id }) => id).reverse();
    keep(store, own);
  }
  return rows.filter(({ id }) => own?.includes(id));
}

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
