// Which colours runs have next to each other.
import assert from "node:assert/strict";
import test from "node:test";
import { coloursBySetting } from "../../src/assets/common/chart-colours.js";
import { settingOf } from "../../src/assets/train/commands.js";

const run = (lambda, seed, total = 4000) => ({
  total,
  command: `nonet train --preset small --games ${total} --lambda ${lambda} --seed ${seed} --out runs/l${lambda}-${seed}`,
});

test("runs that differ in the seed alone have one setting", () => {
  assert.equal(settingOf(run("0", 1)), settingOf(run("0", 2)));
  assert.notEqual(settingOf(run("0", 1)), settingOf(run("1", 1)));
  assert.notEqual(settingOf(run("0", 1)), settingOf(run("0", 1, 8000)));
  // What a command leaves out has its default.
  assert.equal(
    settingOf({ total: 4000, command: "nonet train --preset small --games 4000" }),
    settingOf(run("0.6", 3)),
  );
});

test("beside other settings, runs of one setting have the colour of the first", () => {
  const kept = new Map([
    ["a", 0],
    ["b", 1],
    ["c", 2],
    ["d", 3],
  ]);
  const [a, b, c, d] = coloursBySetting(kept, ["a", "b", "c", "d"], ["x", "y", "x", "y"]);
  assert.deepEqual([c, d], [a, b]);
  assert.notEqual(a, b);
  // Of one setting alone, each run has its own.
  assert.equal(new Set(coloursBySetting(kept, ["a", "b"], ["x", "x"])).size, 2);
  assert.equal(new Set(coloursBySetting(kept, ["a", "b", "c"], ["x", "y", "z"])).size, 3);
});
