// What a resignation can give up.
import assert from "node:assert/strict";
import test from "node:test";
import { START } from "../../src/assets/board/position.js";
import { endsMatch, givenUp, stakesOf } from "../../src/assets/play/resignation.js";

const match = (more = {}) => ({
  board: [...START],
  off: [0, 0],
  rules: { length: 5, crawford: false, jacoby: false, beavers: false },
  cube: { value: 1, owner: null, offered: null },
  score: [0, 0],
  ...more,
});
const length = (n, more = {}) => ({
  length: n,
  crawford: false,
  jacoby: false,
  beavers: false,
  ...more,
});
/** A board with some checkers. */
const board = (own, other) => {
  const made = new Array(26).fill(0);
  own.forEach((point) => {
    made[point] += 1;
  });
  other.forEach((point) => {
    made[point] -= 1;
  });
  return made;
};

test("all kinds are offered where each costs more than the one before", () => {
  assert.deepEqual(stakesOf(match()), ["single", "gammon", "backgammon"]);
  assert.deepEqual(stakesOf(match({ rules: length(null) })), ["single", "gammon", "backgammon"]);
});

test("a kind that makes no difference at the score is not offered", () => {
  assert.deepEqual(stakesOf(match({ rules: length(1) })), ["single"]);
  assert.deepEqual(stakesOf(match({ score: [0, 3] })), ["single", "gammon"]);
  assert.deepEqual(stakesOf(match({ cube: { value: 4, owner: "you", offered: null } })), [
    "single",
    "gammon",
  ]);
  assert.deepEqual(stakesOf(match({ score: [0, 4] })), ["single"]);
});

test("a kind that the rules exclude is not offered", () => {
  // A checker is off.
  assert.deepEqual(stakesOf(match({ off: [1, 0] })), ["single"]);
  const jacoby = length(null, { jacoby: true });
  assert.deepEqual(stakesOf(match({ rules: jacoby })), ["single"]);
  assert.deepEqual(
    stakesOf(match({ rules: jacoby, cube: { value: 2, owner: "you", offered: null } })),
    ["single", "gammon", "backgammon"],
  );
  // No checker can be hit any more, and none is in the other home board.
  assert.deepEqual(stakesOf(match({ board: board([12, 13], [20, 21]) })), ["single", "gammon"]);
  assert.deepEqual(stakesOf(match({ board: board([12, 19], [20, 21]) })), [
    "single",
    "gammon",
    "backgammon",
  ]);
  assert.deepEqual(stakesOf(match({ board: board([12, 13], [5, 21]) })), [
    "single",
    "gammon",
    "backgammon",
  ]);
});

test("a resignation with chances left is told", () => {
  const rows = [
    { game: 1, win: 0.4 },
    { game: 1, win: 0.01 },
    { game: 2, win: 0.3 },
    { game: 3, win: 0.5 },
  ];
  const call = (game, plays, player = "you", what = "resigns") => ({ game, player, what, plays });
  const calls = [
    call(1, 2),
    call(2, 3),
    call(3, 4, "nonet"),
    call(3, 4, "you", "passes"),
    call(4, 4),
  ];
  assert.deepEqual(givenUp({ rows, calls }), [{ game: 2, win: 0.3 }]);
});

test("a single game that is given up ends a match that lacks no more than the cube", () => {
  assert.equal(endsMatch(match({ rules: length(1) })), true);
  assert.equal(endsMatch(match({ score: [0, 3] })), false);
  assert.equal(
    endsMatch(match({ score: [0, 3], cube: { value: 2, owner: "you", offered: null } })),
    true,
  );
  assert.equal(endsMatch(match({ rules: length(null) })), false);
});
