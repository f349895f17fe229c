// What the exported page of an analysis takes from the browser.
import assert from "node:assert/strict";
import test from "node:test";
import { rolloutsOf } from "../../src/assets/analyse/export.js";

const row = (play, equity) => ({ play, equity, stderr: 0.01, games: 144, loss: 0 });
const plays = { rollouts: [row("8/5 6/5", 0.2), row("24/23 13/10", 0.1)], seconds: 1 };
const cube = { cube: { no_double: { equity: 0.5, stderr: 0.02 }, double_take: { equity: 0.6, stderr: null } }, games: 1296, seconds: 1 };

test("the page takes the rollouts of its analysis that have ended", () => {
  const known = new Map([
    ["a.0.1.2", { answer: plays, state: "done", games: 144, plies: 2 }],
    ["a.0.1.3", { answer: plays, state: "running", games: 144, plies: 2 }],
    ["ab.0.0.0", { answer: plays, state: "done", games: 144, plies: 1 }],
    ["a.1.0.7", { answer: cube, state: "stopped", games: 5184, plies: 1 }],
  ]);
  const [first, second, ...others] = rolloutsOf(known, "a");
  assert.deepEqual(others, []);
  assert.deepEqual(first, { match: 0, game: 1, decision: 2, games: 144, plies: 2, lines: [{ name: "8/5 6/5", equity: 0.2, half: 0.0196 }, { name: "24/23 13/10", equity: 0.1, half: 0.0196 }] });
  assert.deepEqual([second.match, second.decision, second.games], [1, 7, 1296]);
  assert.deepEqual(second.lines.map(({ name, half }) => [name, half]), [["no double", 0.0392], ["double, take", 0], ["double, pass", 0]]);
});
