// What a run does, in words; its openings; labels at the ends of lines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { freeName, learned, openingsAt, share, stateKey } from "../../src/assets/train/state.js";

const run = (more) => ({ name: "a", state: "running", games: 0, total: 1000, phase: "learning", progress: null, ...more });

test("a run says what it does now, not what it once did", () => {
  assert.equal(stateKey(run({})), "train.phase.learning");
  assert.equal(stateKey(run({ phase: "play-off" })), "train.phase.playOff");
  assert.equal(stateKey(run({ phase: "stopping" })), "train.phase.stopping");
  assert.equal(stateKey(run({ state: "stopped", phase: null })), "train.state.stopped");
});

test("progress is that of the phase", () => {
  assert.equal(share(run({ games: 250 })), 0.25);
  assert.equal(share(run({ games: 250, progress: { done: 500, total: 1000 } })), 0.5);
  assert.equal(learned(run({ games: 250, progress: { done: 500, total: 1000 } })), 500);
  assert.equal(share(run({ games: 1000, phase: "last-match", progress: { done: 1, total: 4 } })), 0.25);
  assert.equal(share(run({ state: "finished", games: 1000, phase: null })), 1);
  assert.equal(share(run({ total: 0 })), 0);
});

test("a new run has a free name", () => {
  assert.equal(freeName([]), "first");
  assert.equal(freeName(["first", "run-2"]), "run-3");
});

test("an opening is known for good from the first of the last accepted tests", () => {
  const test_ = (games, play) => ({ games, openings: [{ roll: "31", play }] });
  const tests = [test_(10, "8/5 6/5"), test_(20, "24/20"), test_(30, "8/5 6/5"), test_(40, "8/5 6/5")];
  const established = [{ roll: "31", plays: ["8/5 6/5"] }];
  assert.deepEqual(openingsAt(tests, established, 3), [{ roll: "31", play: "8/5 6/5", known: true, since: 30 }]);
  assert.deepEqual(openingsAt(tests, established, 1), [{ roll: "31", play: "24/20", known: false, since: null }]);
});
