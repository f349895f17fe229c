// The matches and analyses of this browser among those of a server.
import assert from "node:assert/strict";
import test from "node:test";
import {
  KEPT,
  isTaken,
  keepOwn,
  keepTaken,
  ownAnalyses,
  ownOf,
} from "../../src/assets/common/own.js";

const storeOf = (kept = {}) => ({
  kept,
  getItem: (key) => kept[key] ?? null,
  setItem: (key, value) => {
    kept[key] = value;
  },
});
const rows = ["c", "b", "a"].map((id) => ({ id }));
const names = (some) => some.map(({ id }) => id);

test("a visitor has none, and then the matches that were begun here", () => {
  const store = storeOf();
  assert.deepEqual(names(ownOf("matches", rows, false, store)), []);
  keepOwn("matches", "b", store);
  keepOwn("matches", "b", store);
  assert.deepEqual(names(ownOf("matches", rows, true, store)), ["b"]);
});

test("who has played before keeps the matches of then", () => {
  const store = storeOf();
  assert.deepEqual(names(ownOf("matches", rows, true, store)), ["c", "b", "a"]);
  assert.deepEqual(names(ownOf("matches", [{ id: "d" }, ...rows], true, store)), ["c", "b", "a"]);
});

test("what is kept has an end, and may be broken", () => {
  const store = storeOf();
  for (let n = 0; n < 400; n += 1) keepOwn("matches", `m${n}`, store);
  assert.equal(JSON.parse(Object.values(store.kept)[0]).length, 300);
  assert.deepEqual(names(ownOf("matches", [{ id: "m399" }, { id: "m0" }], true, store)), ["m399"]);
  for (const text of ["{", "3", "[1]"])
    assert.deepEqual(ownOf("matches", rows, false, storeOf({ "nonet-own-matches": text })), []);
});

test("matches and analyses are kept apart", () => {
  const store = storeOf();
  keepOwn("matches", "a", store);
  keepOwn("analyses", "b", store);
  assert.deepEqual(names(ownOf("matches", rows, true, store)), ["a"]);
  assert.deepEqual(names(ownOf("analyses", rows, true, store)), ["b"]);
});

test("who has looked at analyses before keeps those of then; a visitor has none", () => {
  assert.deepEqual(names(ownAnalyses(rows, storeOf())), []);
  for (const key of Object.values(KEPT))
    assert.deepEqual(names(ownAnalyses(rows, storeOf({ [key]: "x" }))), ["c", "b", "a"]);
});

test("the mistakes of one player of an analysis are cards, not those of the other", () => {
  const store = storeOf();
  assert.equal(isTaken("a", "Ann", store), false);
  keepTaken("a", "Ann", store);
  assert.deepEqual(
    [isTaken("a", "ann", store), isTaken("a", "Bob", store), isTaken("b", "Ann", store)],
    [true, false, false],
  );
});
