// The axes of charts.
import assert from "node:assert/strict";
import test from "node:test";
import { pathOf } from "../../src/assets/common/chart.js";
import { dates, linear, logarithmic, short } from "../../src/assets/common/scale.js";

test("ticks stand at round values, and a value lies where its inverse says", () => {
  assert.deepEqual(
    linear(0, 100, 5).ticks.map(([, text]) => text),
    ["0", "20", "40", "60", "80", "100"],
  );
  assert.deepEqual(
    linear(1, 7, 4, true).ticks.map(([tick]) => tick),
    [2, 4, 6],
  );
  assert.deepEqual(
    logarithmic(100, 100000, 5).ticks.map(([, text]) => text),
    ["100", "1k", "10k", "100k"],
  );
  const day = 86400;
  assert.deepEqual(
    dates(0, 3 * day, 4).ticks.map(([, text]) => text),
    ["1970-01-01", "1970-01-02", "1970-01-03", "1970-01-04"],
  );
  for (const scale of [linear(-3, 8, 5), logarithmic(2, 900, 5), dates(1e9, 1.1e9, 6)]) {
    assert.ok(scale.ticks.length >= 2);
    for (const at of [0, 0.3, 1]) assert.ok(Math.abs(scale.at(scale.value(at)) - at) < 1e-9);
  }
});

test("numbers are short, with a true minus", () => {
  assert.deepEqual(
    [short(1500000), short(20000), short(-12), short(0.25, 2)],
    ["1.5M", "20k", "−12", "0.25"],
  );
});

test("a line is broken where a point has no value", () => {
  assert.equal(
    pathOf([
      [0, 1],
      [1, 2],
      [1, NaN],
      [2, 3],
      [3, 4],
    ]),
    "M0 1L1 2M2 3L3 4",
  );
});
