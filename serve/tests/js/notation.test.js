// Plays as they are written.
import assert from "node:assert/strict";
import { test } from "node:test";
import { matOf, stepsOf } from "../../src/assets/board/notation.js";

test("a written play is the moves of its checkers", () => {
  assert.deepEqual(stepsOf("8/5 6/5"), [
    [8, 5],
    [6, 5],
  ]);
  assert.deepEqual(stepsOf("bar/22*/18"), [
    [25, 22],
    [22, 18],
  ]);
  assert.deepEqual(stepsOf("6/off(2) 13/7*(2)"), [
    [6, 0],
    [6, 0],
    [13, 7],
    [13, 7],
  ]);
  assert.deepEqual(stepsOf("13/12* 6/5(3)"), [
    [13, 12],
    [6, 5],
    [6, 5],
    [6, 5],
  ]);
});

test("what is no play has no moves", () => {
  for (const text of ["", "cannot move", "(no legal play)", "a/b"])
    assert.deepEqual(stepsOf(text), []);
});

const event = (game, player, what, more = {}) => ({
  game,
  player,
  what,
  dice: null,
  play: null,
  points: null,
  offered: null,
  score: [0, 0],
  ...more,
});

test("a watched match becomes a match text with a column for each player", () => {
  const events = [
    event(1, "dark", "opens", { dice: [4, 2] }),
    event(1, "dark", "plays", { dice: [4, 2], play: "8/4 6/4" }),
    event(1, "light", "plays", { dice: [6, 6], play: null }),
    event(1, "dark", "doubles", { offered: 2 }),
    event(1, "light", "passes", { score: [0, 1] }),
    event(1, "dark", "wins-game", { points: 1, score: [0, 1] }),
    event(2, "light", "doubles", { offered: 2, score: [0, 1] }),
    event(2, "dark", "takes", { score: [0, 1] }),
    event(2, "light", "plays", { dice: [2, 1], play: "2/off 1/off", score: [0, 1] }),
    event(2, "light", "wins-game", { points: 4, score: [4, 1] }),
    event(2, "light", "wins-match", { score: [4, 1] }),
  ];
  const lines = matOf({ length: 3, events }, ["Ann", "Bob"]).split("\n");
  const right = (left, text) => left.padEnd(39) + text;
  assert.deepEqual(lines, [
    " 3 point match",
    "",
    " Game 1",
    right(" Ann : 0", "Bob : 0"),
    right("  1)", "42: 8/4 6/4"),
    right("  2) 66:", " Doubles => 2"),
    right("  3)  Drops", "Wins 1 point"),
    "",
    " Game 2",
    right(" Ann : 0", "Bob : 1"),
    right("  1)  Doubles => 2", " Takes"),
    "  2) 21: 2/off 1/off",
    "      Wins 4 points",
    "",
    "",
  ]);
});
