// Names of records as people read them.
import assert from "node:assert/strict";
import test from "node:test";
import { difference, momentOf, reasonOf, recordName, signed, typographic, wholeFrom } from "../../src/assets/common/format.js";

test("a match of the server is named by the moment it began, a file by its name", () => {
  assert.equal(momentOf("20261127-002433"), "Nov\u00a027,\u00a02026 00:24");
  assert.equal(momentOf("20261127-002433-2"), momentOf("20261127-002433"));
  assert.equal(recordName("20261127-002433.mat"), `match of ${momentOf("20261127-002433")}`);
  for (const name of ["crawford.mat", "20261127-002433.xg", "20261127.mat", "5-20261127-002433.mat"]) assert.equal(recordName(name), name);
});

test("the reason of a refused file does not name the file again", () => {
  assert.equal(reasonOf("a.txt", "no game can be used: a.txt:1: unknown record format"), "no game can be used: unknown record format");
  assert.equal(reasonOf("a.txt", "a.txt: too long"), "too long");
  assert.equal(reasonOf("a.txt", "too long: 12:30"), "too long: 12:30");
});

test("a difference is that of the figures that are shown", () => {
  // 0.3124 and 0.2935 are shown as +0.312 and +0.294, so that they differ by 0.018.
  for (const [value, other] of [[0.3124, 0.2935], [0.9961, 0.9546], [-0.0123, -0.4567], [0.0004, -0.0006]]) {
    const shown = Number(signed(value).replace("\u2212", "-")) - Number(signed(other).replace("\u2212", "-"));
    assert.equal(difference(value, other).toFixed(3), shown.toFixed(3));
  }
  assert.equal(difference(0.3124, 0.2935), 0.018);
});

test("prose has the signs of print, and keeps its hyphens", () => {
  assert.equal(typographic('The authors\' "first" run: -0.15, -(0.4 × -0.2), 1-ply and 3-5; +0.5 ± 0.1'), "The authors’ “first” run: −0.15, −(0.4 × −0.2), 1-ply and 3-5; +0.5\u00a0±\u00a00.1");
});

test("a whole number is read with its thousands set apart as people of any language write them", () => {
  for (const text of ["12000", "12,000", "12.000", "12\u00a0000", " 12 000 "]) assert.equal(wholeFrom(text), 12000, text);
  assert.equal(wholeFrom("1.000.000"), 1000000);
  for (const text of ["", "abc", "1.5", "12,00", "1000.000", "-5"]) assert.ok(Number.isNaN(wholeFrom(text)), text);
});
