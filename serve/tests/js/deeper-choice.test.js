// Only a search that looks further ahead is offered.
import assert from "node:assert/strict";
import test from "node:test";
import { depthsBeyond } from "../../src/assets/analyse/deeper-choice.js";

test("depths that are known are not offered", () => {
  assert.deepEqual([1, 2, 3, 4].map(depthsBeyond), [[2, 3, 4], [3, 4], [4], []]);
});
