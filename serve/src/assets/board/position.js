// @ts-check
// Boards as 26 numbers: the checkers of the player below are positive; 25 is their bar, 0 that of
// the other.

/** @typedef {number[]} Points */

/**
 * The 26 entries of a Position ID, seen by the player on roll: gnubg's manual, "A technical
 * description of the Position ID".
 *
 * @param {string} id
 * @returns {Points}
 */
export function fromPositionId(id) {
  const bytes = Uint8Array.from(atob(id.slice(0, 14) + "=="), (c) => c.charCodeAt(0));
  const bits = [];
  for (const byte of bytes) for (let i = 0; i < 8; i += 1) bits.push((byte >> i) & 1);
  const board = new Array(26).fill(0);
  let at = 0;
  // The opponent comes first, then the player on roll; each from their ace point to the bar.
  for (const own of [false, true]) {
    for (let point = 1; point <= 25; point += 1) {
      let n = 0;
      while (bits[at]) {
        n += 1;
        at += 1;
      }
      at += 1;
      if (own) board[point] += n;
      else board[25 - point] -= n;
    }
  }
  return board;
}

/** The start of a game. */
export const START = Object.freeze([
  0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0,
]);

/**
 * The same seen by the other player.
 *
 * @param {readonly number[]} board
 * @returns {Points}
 */
export const flipped = (board) => board.map((_, i) => -board[25 - i]).map((n) => n || 0);

/**
 * The checkers borne off, own and other.
 *
 * @param {readonly number[]} board
 * @returns {[number, number]}
 */
export const offOf = (board) => {
  const on = (/** @type {number} */ sign) =>
    board.reduce((sum, n) => sum + (n * sign > 0 ? Math.abs(n) : 0), 0);
  return [15 - on(1), 15 - on(-1)];
};

/**
 * The pips to go, own and other.
 *
 * @param {readonly number[]} board
 * @returns {[number, number]}
 */
export const pipsOf = (board) => {
  let [own, other] = [0, 0];
  board.forEach((n, point) => {
    if (n > 0) own += n * point;
    else other -= n * (25 - point);
  });
  return [own, other];
};

/**
 * About the board before a play: what the play hit is not known any more.
 *
 * @param {readonly number[]} board
 * @param {readonly (readonly number[])[]} steps
 * @param {boolean} own Whether the player below has made it
 */
export function unmoved(board, steps, own = false) {
  const before = board.slice();
  const sign = own ? 1 : -1;
  for (const [from, to] of [...steps].reverse()) {
    if (to !== (own ? 0 : 25)) before[to] -= sign;
    before[from] += sign;
  }
  return before;
}

/**
 * The board after one checker has moved; `hit` says whether it has hit.
 *
 * @param {readonly number[]} board
 * @param {number} from
 * @param {number} to
 * @param {boolean} own
 */
export function moved(board, from, to, own) {
  const after = board.slice();
  const sign = own ? 1 : -1;
  after[from] -= sign;
  let hit = false;
  if (to >= 1 && to <= 24) {
    if (after[to] === -sign) {
      hit = true;
      after[to] = 0;
      after[own ? 0 : 25] -= sign;
    }
    after[to] += sign;
  }
  return { board: after, hit };
}
