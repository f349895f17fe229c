// Figures as they are shown agree with each other.
import assert from "node:assert/strict";
import test from "node:test";
import { decimal, percent, signed, wholePercents } from "../../src/assets/common/format.js";

// The address of the page, which modules read while they load.
globalThis.location = new URL("http://127.0.0.1/");
const { lossInWords, lossShown } = await import("../../src/assets/decision/decision-words.js");
const { unrounded } = await import("../../src/assets/practise/judgement.js");

test("a loss is the same in the list, the table of plays and the answer of practice", () => {
  const play = (play, equity) => ({ play, equity, plies: 2 });
  const decision = {
    xgid: "XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:5:10",
    loss: 0.0081,
    cost: 0.0006,
    mwc_after: 0.5,
    mark: "",
    decision: {
      dice: "21",
      legal: 15,
      played: "b",
      plays: [play("a", 0.0023), play("b", -0.0058)],
    },
  };
  assert.equal(lossShown(decision), "0.008");
  assert.equal(lossInWords(decision, true), "loses 0.008 points, 0.1\u00a0% of the match");
  const verdict = unrounded({
    best: "a 1",
    answer: "b 1",
    made: "b 1",
    loss: 0.008,
    made_loss: 0.008,
    equities: [
      { ...play("a", 0.00346), decision: "a 1" },
      { ...play("b", -0.00554), decision: "b 1" },
    ],
  });
  assert.equal(verdict.loss.toFixed(3), "0.009");
  const cube = {
    best: "double, take",
    answer: "roll",
    made: "no double",
    loss: 0.051,
    made_loss: 0.051,
    equities: ["no double", "double, take", "double, pass"].map((decision, i) => ({
      decision,
      equity: [0.5006, 0.551, 1][i],
      plies: 3,
    })),
  };
  assert.equal(unrounded(cube).loss.toFixed(4), "0.0504");
  assert.equal(unrounded({ ...cube, loss: 0.2 }).loss, 0.2, "a loss by another rule stays");
});

test("what is rounded to 0 has no sign", () => {
  assert.deepEqual(
    [decimal(-0.0004, 3), decimal(-0.0006, 3), signed(-0.0004), percent(-0.0004)],
    ["0.000", "−0.001", "0.000", "0.0\u00a0%"],
  );
});

test("whole per cents sum to 100", () => {
  assert.deepEqual(wholePercents([1 / 3, 1 / 3, 1 / 3]), [34, 33, 33]);
  assert.deepEqual(wholePercents([0.345, 0.335, 0.32]), [35, 33, 32]);
  assert.equal(
    wholePercents([0.126, 0.126, 0.126, 0.126, 0.126, 0.126, 0.126, 0.118]).reduce(
      (sum, one) => sum + one,
    ),
    100,
  );
  assert.deepEqual(wholePercents([]), []);
});
