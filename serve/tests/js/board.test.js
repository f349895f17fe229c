// Boards: their IDs, their counts, and where checkers lie.
import assert from "node:assert/strict";
import test from "node:test";
import { BAR, HEIGHT, OFF, WIDTH, spot } from "../../src/assets/board/geometry.js";
import { neighbour } from "../../src/assets/board/input.js";
import {
  START,
  flipped,
  fromPositionId,
  moved,
  offOf,
  pipsOf,
} from "../../src/assets/board/position.js";
import { Roll } from "../../src/assets/board/roll.js";

test("the Position ID of the start, by gnubg's manual, is the start", () => {
  assert.deepEqual(fromPositionId("4HPwATDgc/ABMA"), [...START]);
  assert.deepEqual(flipped(START), [...START]);
  assert.deepEqual(pipsOf(START), [167, 167]);
  assert.deepEqual(offOf(START), [0, 0]);
});

test("a blot that is hit goes to the bar of its owner", () => {
  const board = new Array(26).fill(0);
  Object.assign(board, { 6: 1, 4: -1 });
  const own = moved(board, 6, 4, true);
  assert.ok(own.hit);
  assert.deepEqual([own.board[6], own.board[4], own.board[0]], [0, 1, -1]);
  const other = moved(flipped(board), 19, 21, false);
  assert.ok(other.hit);
  assert.equal(other.board[25], 1);
});

test("checkers of all stacks lie on the board, and no two of a stack at one place", () => {
  for (const own of [true, false]) {
    for (let point = OFF; point <= BAR; point += 1) {
      const places = Array.from({ length: 4 }, (_, i) => spot(point, i, own));
      assert.equal(new Set(places.map(String)).size, 4);
      for (const [x, y] of places) assert.ok(x > 0 && x < WIDTH && y > 0 && y < HEIGHT);
    }
  }
  assert.deepEqual(spot(24, 0, true)[0], spot(1, 0, true)[0]);
});

test("a single move is legal if it leads to a legal play", () => {
  // From the bar against a board with two open points: 6 and 5 enter on 19 and 20; here 19 is
  // closed.
  const board = new Array(26).fill(0);
  Object.assign(board, { 25: 1, 13: 1, 19: -2 });
  const after = board.slice();
  Object.assign(after, { 25: 0, 20: 1, 13: 0, 7: 1 });
  const other = board.slice();
  Object.assign(other, { 25: 0, 14: 1 });
  const roll = new Roll(
    board,
    [6, 5],
    [
      { play: "bar/20 13/7", board: after },
      { play: "bar/14", board: other },
    ],
  );
  assert.deepEqual(roll.sources(), [25]);
  assert.deepEqual([...roll.targets(25).keys()], [20, 14]);
  roll.make(roll.targets(25).get(20));
  assert.equal(roll.play(), null);
  roll.make(roll.targets(13).get(7));
  assert.equal(roll.play().play, "bar/20 13/7");
  roll.takeBack();
  roll.takeBack();
  assert.deepEqual(roll.sources(), [25]);
});

test("a checker that goes with both dice hits on its way, whatever the order of the dice", () => {
  const board = [...START].fill(0);
  Object.assign(board, { 24: 1, 21: -1, 13: -2 });
  const after = (...wanted) => Object.assign([...START].fill(0), { 13: -2 }, ...wanted);
  const [hit, quiet] = [after({ 0: -1, 15: 1 }), after({ 21: -1, 15: 1 })];
  for (const dice of [
    [6, 3],
    [3, 6],
  ]) {
    const roll = new Roll(board, dice, [
      { play: "24/15", board: quiet },
      { play: "24/21*/15", board: hit },
    ]);
    const path = roll.targets(24).get(15);
    assert.deepEqual(
      path.map(({ to }) => to),
      [21, 15],
    );
    assert.equal(roll.couldSpare(path), true);
    assert.equal(roll.couldSpare(roll.pathTo(roll.plays[0])), false);
    roll.make(path);
    assert.equal(roll.play().play, "24/21*/15");
  }
  // With one way alone there is nothing to choose, whether it hits or not.
  const blocked = board.with(18, -2);
  const roll = new Roll(blocked, [6, 3], [{ play: "24/21*/15", board: hit.with(18, -2) }]);
  assert.equal(roll.couldSpare(roll.targets(24).get(15)), false);
});

test("arrows walk along both rows, and the bar is in both", () => {
  assert.equal(neighbour(24, -1, 0, true).next, 23);
  assert.equal(neighbour(13, -1, 0, true).next, 13);
  assert.deepEqual(neighbour(BAR, 0, -1, true), { next: BAR, onTop: false });
  assert.equal(neighbour(1, 1, 0, false).next, OFF);
});
