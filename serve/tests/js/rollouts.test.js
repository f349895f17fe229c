// Rollouts that the browser keeps: the last ones, and nothing that it cannot read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_KEPT, gamesLeft, keepIn, keptIn } from "../../src/assets/decision/verdicts.js";

const rolled = (games) => ({
  answer: { seconds: 1, rollouts: [{ play: "8/5 6/5", equity: 0.1, games }] },
  state: "done",
  games,
  plies: 1,
});
const storeOf = (text = null) => {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_, next) => {
      kept = next;
    },
  };
};

test("the last rollouts are kept, each decision once", () => {
  const store = storeOf();
  for (let n = 0; n <= MOST_KEPT; n += 1) keepIn(store, `a.${n}`, rolled(36));
  keepIn(store, "a.1", rolled(144));
  const kept = keptIn(store);
  assert.deepEqual(
    [
      kept.size,
      kept.has("a.0"),
      [...kept.keys()].at(-1),
      kept.get("a.1").games,
      kept.get("a.1").kept,
    ],
    [MOST_KEPT, false, "a.1", 144, true],
  );
});

test("what cannot be read counts as nothing", () => {
  for (const text of [
    null,
    "",
    "{",
    "5",
    "[1]",
    '[["a",{}]]',
    '[["a",{"answer":{"rollouts":[]},"games":1,"plies":1}]]',
  ])
    assert.equal(keptIn(storeOf(text)).size, 0, `${text}`);
});

test("a rollout that was stopped offers the games that are left, and one that is done some more", () => {
  const at = (games, state, all = 1296) => gamesLeft({ ...rolled(games), state, games: all });
  assert.deepEqual(at(1188, "stopped"), { isRest: true, n: 108 });
  assert.deepEqual(
    [at(1296, "done"), at(1296, "stopped")],
    [
      { isRest: false, n: 144 },
      { isRest: false, n: 144 },
    ],
  );
});
