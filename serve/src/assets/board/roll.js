// @ts-check
// Legal checker moves, one at a time. The server lists the legal plays with the boards after them.
// A single move is legal here if one of those boards can still be reached.

import { BAR } from "./geometry.js";

/**
 * One checker, one die.
 *
 * @typedef {{ from: number; to: number; die: number; next: number[]; left: number[] }} Single
 */
/**
 * A legal play with the board after it.
 *
 * @typedef {{ play: string; board: number[] }} Play
 */

/**
 * A board with its checkers moved by one die; null if that is against the rules of single moves.
 *
 * @param {readonly number[]} board
 * @param {number} from
 * @param {number} die
 */
export function step(board, from, die) {
  if (board[from] <= 0 || (board[BAR] > 0 && from !== BAR)) return null;
  const to = from - die;
  if (to <= 0) {
    for (let point = 7; point <= BAR; point += 1) if (board[point] > 0) return null;
    if (to < 0)
      for (let point = from + 1; point <= 6; point += 1) if (board[point] > 0) return null;
  } else if (board[to] < -1) return null;
  const after = board.slice();
  after[from] -= 1;
  if (to > 0) {
    if (after[to] === -1) {
      after[to] = 0;
      after[0] -= 1;
    }
    after[to] += 1;
  }
  return { board: after, to: Math.max(to, 0) };
}

/**
 * How many checkers of the opponent a path of moves hits.
 *
 * @param {readonly number[]} board Before it
 * @param {Single[]} path
 */
const hitsOf = (board, path) => board[0] - (path.at(-1)?.next ?? board)[0];

/**
 * @param {readonly number[]} board
 * @param {readonly number[]} dice
 */
const key = (board, dice) => `${board.join()}|${dice.join()}`;

/** What is left of a roll: the board, the dice, and the moves made so far. */
export class Roll {
  /**
   * @param {number[]} board
   * @param {number[]} dice
   * @param {Play[]} plays
   */
  constructor(board, dice, plays) {
    this.start = board;
    this.plays = plays;
    this.ends = new Map(plays.map((play) => [play.board.join(), play]));
    /** @type {Map<string, boolean>} */
    this.known = new Map();
    this.all = dice[0] === dice[1] ? [dice[0], dice[0], dice[0], dice[0]] : [...dice];
    this.board = board;
    this.dice = this.all;
    /** @type {{ from: number; to: number; board: number[]; dice: number[] }[]} */
    this.made = [];
  }

  clear() {
    this.board = this.start;
    this.dice = this.all;
    this.made = [];
  }

  /**
   * Whether a legal play can be reached.
   *
   * @param {number[]} board
   * @param {number[]} dice
   * @returns {boolean}
   */
  reaches(board, dice) {
    const name = key(board, dice);
    const known = this.known.get(name);
    if (known !== undefined) return known;
    let found = this.ends.has(board.join());
    if (!found) found = this.single(board, dice).some(({ next, left }) => this.reaches(next, left));
    this.known.set(name, found);
    return found;
  }

  /**
   * @param {number[]} board
   * @param {number[]} dice
   */
  single(board, dice) {
    /** @type {Single[]} */
    const moves = [];
    dice.forEach((die, i) => {
      if (dice.indexOf(die) !== i) return;
      for (let from = BAR; from >= 1; from -= 1) {
        const moved = step(board, from, die);
        if (moved)
          moves.push({
            from,
            to: moved.to,
            die,
            next: moved.board,
            left: dice.filter((_, j) => j !== i),
          });
      }
    });
    return moves;
  }

  /** The single moves that are legal now. */
  moves() {
    return this.single(this.board, this.dice).filter(({ next, left }) => this.reaches(next, left));
  }

  /**
   * Where a checker can go, with one die or with several: a map from the point to the moves that
   * lead there. Of ways with equally many dice it is the one that hits most.
   *
   * @param {number} from
   */
  targets(from) {
    return this.ways(
      from,
      (way, other) =>
        way.length < other.length ||
        (way.length === other.length && hitsOf(this.board, way) > hitsOf(this.board, other)),
    );
  }

  /**
   * Whether a checker could go the same way with fewer hits.
   *
   * @param {Single[]} path
   */
  couldSpare(path) {
    const { from } = path[0];
    const { to } = path[path.length - 1];
    const fewest = this.ways(
      from,
      (way, other) => hitsOf(this.board, way) < hitsOf(this.board, other),
    ).get(to);
    return fewest !== undefined && hitsOf(this.board, fewest) < hitsOf(this.board, path);
  }

  /**
   * A way of a checker to each point that it can go to.
   *
   * @param {number} from
   * @param {(way: Single[], other: Single[]) => boolean} isBetter Whether a way takes the place of
   *   another
   */
  ways(from, isBetter) {
    /** @type {Map<number, Single[]>} */
    const found = new Map();
    /**
     * @param {number[]} board
     * @param {number[]} dice
     * @param {number} at
     * @param {Single[]} path
     */
    const go = (board, dice, at, path) => {
      for (const move of this.single(board, dice)) {
        if (move.from !== at || !this.reaches(move.next, move.left)) continue;
        const whole = [...path, move];
        const other = found.get(move.to);
        if (!other || isBetter(whole, other)) found.set(move.to, whole);
        if (move.to > 0) go(move.next, move.left, move.to, whole);
      }
    };
    go(this.board, this.dice, from, []);
    return found;
  }

  /** The points with a checker that can move. */
  sources() {
    return [...new Set(this.moves().map((move) => move.from))];
  }

  /** @param {Single[]} path */
  make(path) {
    for (const move of path) {
      this.made.push({ from: move.from, to: move.to, board: this.board, dice: this.dice });
      this.board = move.next;
      this.dice = move.left;
    }
  }

  /**
   * Moves from the start of the roll to the end of a play; null if it is none of the legal plays.
   *
   * @param {Play} play
   * @returns {Single[] | null}
   */
  pathTo(play) {
    const end = play.board.join();
    /** @type {(board: number[], dice: number[]) => Single[] | null} */
    const find = (board, dice) => {
      if (board.join() === end) return [];
      for (const move of this.single(board, dice)) {
        const rest = this.reaches(move.next, move.left) ? find(move.next, move.left) : null;
        if (rest) return [move, ...rest];
      }
      return null;
    };
    return find(this.start, this.all);
  }

  takeBack() {
    const last = this.made.pop();
    if (!last) return;
    this.board = last.board;
    this.dice = last.dice;
  }

  /** The legal play that is on the board, if it is complete. */
  play() {
    return this.ends.get(this.board.join()) ?? null;
  }
}
