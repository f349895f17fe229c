// @ts-check
// Which matches, analyses and decks of a server are this browser's: a server may hold those of
// others, too. Also for which players of which analyses it has made cards of the mistakes.

/**
 * @typedef {{
 *   getItem: (key: string) => string | null;
 *   setItem: (key: string, value: string) => void;
 * }} Store
 */
/** @typedef {"matches" | "analyses" | "decks" | "taken"} Kind */

/**
 * Keeps a text in this browser. One that keeps nothing, or whose storage is full, goes on without
 * it.
 *
 * @param {string} key
 * @param {string} text
 */
export function keepText(key, text, store = /** @type {Store} */ (localStorage)) {
  try {
    store.setItem(key, text);
  } catch {
    /* What is not kept is chosen anew. */
  }
}

/** @param {Kind} kind */
const keyOf = (kind) => `nonet-own-${kind}`;

/** The most names of a kind that are remembered: more than a list of the server has. */
const MOST = 300;

/**
 * The own names; null if none was ever kept.
 *
 * @param {Kind} kind
 * @param {Store} store
 * @returns {string[] | null}
 */
function ownIn(kind, store) {
  try {
    const kept = JSON.parse(store.getItem(keyOf(kind)) ?? "null");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string") : null;
  } catch {
    return null; // Not ours: as if nothing were kept.
  }
}

/**
 * @param {Kind} kind
 * @param {Store} store
 * @param {string[]} all
 */
function keep(kind, store, all) {
  // A browser that keeps nothing shows all of the server on demand.
  keepText(keyOf(kind), JSON.stringify(all.slice(-MOST)), store);
}

/**
 * Remembers a match or an analysis as one of this browser.
 *
 * @param {Kind} kind
 * @param {string} id
 */
export function keepOwn(kind, id, store = /** @type {Store} */ (localStorage)) {
  const own = ownIn(kind, store) ?? [];
  if (!own.includes(id)) keep(kind, store, [...own, id]);
}

/**
 * Those of the server's rows that are this browser's. A browser that was used before it remembered
 * its own takes all rows of then as its own.
 *
 * @template {{ id: string }} T
 * @param {Kind} kind
 * @param {T[]} rows
 * @param {boolean} wasUsed
 * @returns {T[]}
 */
export function ownOf(kind, rows, wasUsed, store = /** @type {Store} */ (localStorage)) {
  let own = ownIn(kind, store);
  if (!own && wasUsed) {
    own = rows.map(({ id }) => id).reverse();
    keep(kind, store, own);
  }
  return rows.filter(({ id }) => own?.includes(id));
}

/**
 * What is remembered once cards are made of a player's mistakes.
 *
 * @param {string} analysis
 * @param {string} player
 */
const takenId = (analysis, player) => `${analysis}/${player.toLowerCase()}`;

/**
 * Remembers that a player's mistakes in an analysis are cards.
 *
 * @param {string} analysis
 * @param {string} player
 */
export const keepTaken = (analysis, player, store = /** @type {Store} */ (localStorage)) =>
  keepOwn("taken", takenId(analysis, player), store);

/**
 * Whether they are.
 *
 * @param {string} analysis
 * @param {string} player
 */
export const isTaken = (analysis, player, store = /** @type {Store} */ (localStorage)) =>
  ownIn("taken", store)?.includes(takenId(analysis, player)) ?? false;

/**
 * Where this browser keeps the player of the shown figures, the person's own player, and its
 * rollouts.
 */
export const KEPT = Object.freeze({
  player: "nonet-player",
  person: "nonet-person",
  rollouts: "nonet-rollouts",
});

/**
 * The analyses of this browser. One that has chosen a player or keeps rollouts was used before.
 *
 * @template {{ id: string }} T
 * @param {T[]} rows
 */
export const ownAnalyses = (rows, store = /** @type {Store} */ (localStorage)) =>
  ownOf(
    "analyses",
    rows,
    Object.values(KEPT).some((key) => store.getItem(key) !== null),
    store,
  );
