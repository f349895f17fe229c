// Browser and reports draw the same board: both are compared with boards.json.
// `tests/library/boards.rs` reads it for the reports.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { BAR, OFF } from "../../src/assets/board/geometry.js";
import { borneOff, cube, dice, stack } from "../../src/assets/board/draw.js";
import { fromPositionId, offOf } from "../../src/assets/board/position.js";

/** Where a shape lies. */
function place({ attributes }) {
  const [, x, y] = attributes.transform?.match(/translate\((\S+) (\S+)\)/) ?? [
    null,
    attributes.x,
    attributes.y,
  ];
  return [Number(x), Number(y)];
}

const round = (places) =>
  places
    .map((one) => one.map((value) => Number(value.toFixed(2))))
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);

export function drawnBy({ id, roll }) {
  const board = fromPositionId(id);
  const of = (own) => {
    const found = [];
    for (let point = OFF; point <= BAR; point += 1) {
      const count = own ? board[point] : -board[point];
      if (count > 0) found.push(...stack(point, count, own, false).map(place));
    }
    return round(found);
  };
  const off = [true, false].flatMap((own, i) => borneOff(offOf(board)[i], own, false).map(place));
  const cubes = ["you", null, "nonet"].map((owner) => place(cube({ value: 2, owner }, false)));
  return {
    id,
    roll,
    own: of(true),
    other: of(false),
    off: round(off),
    dice: round(dice(roll, true, null, false).map(place)),
    cube: round(cubes),
  };
}

test("checkers, dice, borne off checkers and cubes lie where boards.json says", () => {
  const known = JSON.parse(readFileSync(new URL("boards.json", import.meta.url), "utf8"));
  for (const board of known) assert.deepEqual(drawnBy(board), board, board.id);
});
