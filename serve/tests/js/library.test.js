// The players of a library: one for all spellings, in the order of their decisions.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.location = new URL("http://127.0.0.1/");
const kept = {};
globalThis.localStorage = {
  getItem: (key) => kept[key] ?? null,
  setItem: (key, value) => {
    kept[key] = value;
  },
};
const { playersIn } = await import("../../src/assets/analyse/player-view.js");

const match = (names, decisions, luck = [0.1, -0.1]) => ({
  names,
  decisions,
  points: [1, 0],
  luck,
});
const rows = [
  { matches: [match(["anne", "bert"], [6, 3]), match(["anne", "bert"], [1, 1], [0, 0])] },
  { matches: [match(["Anne", "Bert"], [5, 2])] },
  { matches: [match(["gnubg", "bert"], [90, 80], [0.2, 0.3])] },
];

test("the player with the most decisions stands first, and a name has the spelling of most matches", () => {
  assert.deepEqual(playersIn(rows), ["gnubg", "bert", "anne"]);
});

test("two analyses of a match count once", () => {
  const [first, again] = [match(["a", "b"], [10, 12]), match(["a", "b"], [10, 9])];
  assert.deepEqual(
    playersIn([
      { matches: [first] },
      { matches: [again] },
      { matches: [match(["c", "d"], [15, 11], [1, 1])] },
    ]),
    ["c", "b", "d", "a"],
  );
});

test("the person stands first", () => {
  kept["nonet-person"] = "Anne";
  assert.deepEqual(playersIn(rows), ["anne", "gnubg", "bert"]);
  delete kept["nonet-person"];
  kept["nonet-player"] = "bert";
  assert.equal(playersIn(rows)[0], "gnubg", "a player whose figures are shown is not the person");
});
