// Figures as they are shown agree with each other.
import assert from "node:assert/strict";
import test from "node:test";
import { asShown, chanceDifference, equityDifference } from "../../src/assets/analyse/decisions.js";
import { wholePercents } from "../../src/assets/common/format.js";

test("a difference is that of the figures shown", () => {
  assert.equal(equityDifference(0.1674, 0.0156), 0.151);
  assert.equal(chanceDifference(0.63449, 0.60051), 0.033);
  const play = (play, equity) => ({ play, equity });
  const decision = { loss: 0.1518, cost: 0.012, unit: 0.08, even: 0.5, mwc_after: 0.5, decision: { played: "b", plays: [play("a", 0.1674), play("b", 0.0156)] } };
  assert.equal(asShown(decision).loss, 0.151);
  assert.equal(asShown(decision).cost, 0.012);
  const call = { ...decision, loss: 0.0506, decision: { call: "no double", no_double: 0.5004, double_take: 0.551, double_pass: 1 } };
  assert.equal(asShown(call).loss, 0.051);
  assert.equal(asShown({ ...decision, loss: 0.2 }).loss, 0.2, "a loss by another rule stays");
});

test("whole per cents sum to 100", () => {
  assert.deepEqual(wholePercents([1 / 3, 1 / 3, 1 / 3]), [34, 33, 33]);
  assert.deepEqual(wholePercents([0.345, 0.335, 0.32]), [35, 33, 32]);
  assert.equal(wholePercents([0.126, 0.126, 0.126, 0.126, 0.126, 0.126, 0.126, 0.118]).reduce((sum, one) => sum + one), 100);
  assert.deepEqual(wholePercents([]), []);
});
