// The state that a decision's XGID gives, seen by the player on roll.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOf } from "../../src/assets/analyse/board-view.js";

test("scores and the cube belong to the player on roll, whichever side of the XGID that is", () => {
  const position = "XGID=-b----E-C---eE---c-e----B-";
  const x = fieldsOf(`${position}:1:1:1:42:3:1:0:5:10`);
  assert.deepEqual([x.owner, x.points, x.value], [1, [3, 1], 2]);
  const o = fieldsOf(`${position}:1:1:-1:42:3:1:0:5:10`);
  assert.deepEqual([o.owner, o.points, o.length], [-1, [1, 3], 5]);
});
