// A match to one point and a Crawford game have no cube, whatever the shape of the data.
import assert from "node:assert/strict";
import test from "node:test";
import { boardState } from "../../src/assets/decision/board-view.js";
import { hasCube } from "../../src/assets/common/cube-words.js";
import { cubeOf } from "../../src/assets/play/shown.js";
import { readXgid, rulesOf } from "../../src/assets/position/xgid.js";

/** Length, whether it is the Crawford game, and whether there is a cube; 0 is money. */
const GAMES = [
  [0, false, true],
  [1, false, false],
  [3, false, true],
  [3, true, false],
];
/** An XGID at 2-0 or 0-0; 1 among the rules of money is Jacoby. */
const idOf = (length, crawford) =>
  `XGID=-b----E-C---eE---c-e----B-:0:0:1:31:${crawford ? 2 : 0}:0:${Number(crawford || !length)}:${length}:10`;

test("the rule holds for rules, for whole matches and for money", () => {
  for (const [length, crawford, has] of GAMES)
    assert.equal(hasCube({ length, crawford }), has, `${length} ${crawford}`);
  assert.deepEqual(
    [1, 3, null].map((length) => hasCube({ length })),
    [false, true, true],
  );
});

test("the boards of a match, of an analysis and of an ID agree", () => {
  const cube = { value: 1, owner: null, offered: null };
  for (const [length, crawford, has] of GAMES) {
    const xgid = idOf(length, crawford);
    const decision = { id: "4HPwATDgc/ABMA", xgid, player: 0, decision: { call: "no double" } };
    const rules = { length: length || null, crawford, jacoby: !length, beavers: false };
    const found = [
      cubeOf({ rules, cube }) !== null,
      boardState(decision).cube !== null,
      hasCube(rulesOf(readXgid(xgid))),
    ];
    assert.deepEqual(found, [has, has, has], xgid);
  }
});
