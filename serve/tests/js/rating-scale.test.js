// The scale of titles: parts of the server's table, and the place of a PR on it.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.location ??= /** @type {any} */ ({ hash: "", pathname: "/", search: "" });
const { partsOf } = await import("../../src/assets/analyse/rating-scale.js");

const ALL = [{ word: "good", below: 5 }, { word: "fair", below: 15 }, { word: "poor", below: null }];

test("each title has its share, and the last one that of an average title", () => {
  const { parts } = partsOf(ALL, 3);
  assert.deepEqual(parts.map(({ from }) => from), [0, 5, 15]);
  assert.deepEqual(parts.map(({ share }) => Number(share.toFixed(3))), [0.222, 0.444, 0.333]);
});

test("a PR lies in one part, where its title begins in the next one", () => {
  const here = (pr) => partsOf(ALL, pr).parts.filter(({ isHere }) => isHere).map(({ word }) => word);
  assert.deepEqual([0, 4.99, 5, 15, 400].map(here), [["good"], ["good"], ["fair"], ["poor"], ["poor"]]);
  assert.deepEqual([0, 22.5, 400].map((pr) => partsOf(ALL, pr).at), [0, 1, 1]);
});
