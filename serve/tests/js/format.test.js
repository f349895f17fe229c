// Names of records as people read them.
import assert from "node:assert/strict";
import test from "node:test";
import {
  momentOf,
  reasonOf,
  recordName,
  typographic,
  wholeFrom,
} from "../../src/assets/common/format.js";

test("a match of the server is named by the moment it began, a file by its name", () => {
  assert.equal(momentOf("20261127-002433"), "Nov\u00a027,\u00a02026 00:24");
  assert.equal(momentOf("20261127-002433-2"), momentOf("20261127-002433"));
  assert.equal(recordName("20261127-002433.mat"), `match of ${momentOf("20261127-002433")}`);
  for (const name of [
    "crawford.mat",
    "20261127-002433.xg",
    "20261127.mat",
    "5-20261127-002433.mat",
  ])
    assert.equal(recordName(name), name);
});

test("the reason of a refused file does not name the file again", () => {
  assert.equal(
    reasonOf("a.txt", "no game can be used: a.txt:1: unknown record format"),
    "no game can be used: unknown record format",
  );
  assert.equal(reasonOf("a.txt", "a.txt: too long"), "too long");
  assert.equal(reasonOf("a.txt", "too long: 12:30"), "too long: 12:30");
});

test("prose has the signs of print, and keeps its hyphens", () => {
  assert.equal(
    typographic('The authors\' "first" run: -0.15, -(0.4 × -0.2), 1-ply and 3-5; +0.5 ± 0.1'),
    "The authors’ “first” run: −0.15, −(0.4 × −0.2), 1-ply and 3-5; +0.5\u00a0±\u00a00.1",
  );
});

test("a whole number is read with its thousands set apart as people of any language write them", () => {
  for (const text of ["12000", "12,000", "12.000", "12\u00a0000", " 12 000 "])
    assert.equal(wholeFrom(text), 12000, text);
  assert.equal(wholeFrom("1.000.000"), 1000000);
  for (const text of ["", "abc", "1.5", "12,00", "1000.000", "-5"])
    assert.ok(Number.isNaN(wholeFrom(text)), text);
});
