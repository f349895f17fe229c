// Plays as they are written.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stepsOf } from "../../src/assets/board/notation.js";

test("a written play is the moves of its checkers", () => {
  assert.deepEqual(stepsOf("8/5 6/5"), [[8, 5], [6, 5]]);
  assert.deepEqual(stepsOf("bar/22*/18"), [[25, 22], [22, 18]]);
  assert.deepEqual(stepsOf("6/off(2) 13/7*(2)"), [[6, 0], [6, 0], [13, 7], [13, 7]]);
  assert.deepEqual(stepsOf("13/12* 6/5(3)"), [[13, 12], [6, 5], [6, 5], [6, 5]]);
});

test("what is no play has no moves", () => {
  for (const text of ["", "cannot move", "(no legal play)", "a/b"]) assert.deepEqual(stepsOf(text), []);
});
