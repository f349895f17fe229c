// What a page knows about the decisions of a match, which the exported page shows, too.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.location = new URL("http://127.0.0.1/");
const { answersOf } = await import("../../src/assets/decision/answers.js");
const { withLater } = await import("../../src/assets/analyse/analysis.js");
const { endIn } = await import("../../src/assets/analyse/course.js");

const decision = {
  player: 0,
  loss: 0.05,
  cost: 0.01,
  mark: "?!",
  unit: 0.2,
  even: 0.5,
  mwc_after: 0.51,
  decision: {
    dice: "31",
    played: "b",
    plays: [
      { play: "a", equity: 0.1 },
      { play: "b", equity: 0.05 },
    ],
  },
};
const entry = { game: 1, index: 2, at: 7, decision };
const deeper = {
  match: 0,
  game: 1,
  decision: 2,
  plies: 4,
  analysed: { ...decision, loss: 0.09, mark: "?" },
};
const answer = {
  row: { id: "a", net: "champion" },
  matches: [{ plies: 3, cube_plies: 3 }],
  notes: [{ match: 0, game: 1, decision: 2, text: "mine" }],
  deeper: [deeper],
};
const row = (play, equity, loss, error) => ({
  play,
  equity,
  loss,
  loss_stderr: error,
  games: 1296,
});
const rolled = (state, ...rollouts) =>
  new Map([["a.0.1.2", { answer: { rollouts }, state, games: 1296, plies: 1 }]]);

test("a decision is judged by its rollout, else by a deeper look, and has its note", () => {
  const known = answersOf(answer, 0, new Map());
  assert.deepEqual(
    [known.keyOf(entry), known.noteOf(entry), known.depthOf(entry), known.judgedOf(entry).plies],
    ["a.0.1.2", "mine", 4, 4],
  );
  const sure = [row("a", 0.3, 0, null), row("b", 0.1, 0.2, 0.01)];
  assert.equal(answersOf(answer, 0, rolled("running", ...sure)).judgedOf(entry).plies, 4);
  const judged = answersOf(answer, 0, rolled("done", ...sure)).judgedOf(entry);
  assert.deepEqual([judged.plies, judged.games, judged.analysed.mark], [null, 1296, "??"]);
  assert.equal(judged.analysed.mwc_after.toFixed(2), "0.52");
});

test("decisions are asked about by the net of the analysis, which the champion needs not be named for", () => {
  assert.equal(answersOf(answer, 0, new Map()).net, undefined);
  assert.equal(
    answersOf({ ...answer, row: { id: "a", net: "first/last" } }, 0, new Map()).net,
    "first/last",
  );
});

test("what belongs to another match or decision is not found", () => {
  const known = answersOf(
    { ...answer, matches: [answer.matches[0], answer.matches[0]] },
    1,
    new Map(),
  );
  assert.deepEqual([known.noteOf(entry), known.deeperOf(entry)], ["", null]);
});

test("the JSON of an analysis gets notes, deeper answers and rollouts, and keeps its own text", () => {
  const rolled = new Map([
    [
      "a.1.0.3",
      { answer: { games: 144 }, state: "stopped", games: 1296, plies: 1, question: { id: "x" } },
    ],
    ["a.1.0.4", { answer: {}, state: "running", games: 1296, plies: 1 }],
    ["b.1.0.3", { answer: {}, state: "done", games: 1296, plies: 1 }],
  ]);
  const later = withLater('{"plies":3,"loss":0.0}\n{"plies":3}\n', answer, rolled);
  const [first, second, end] = later.split("\n");
  assert.ok(first.startsWith('{"plies":3,"loss":0.0,"notes":'));
  assert.deepEqual(JSON.parse(first), {
    plies: 3,
    loss: 0,
    notes: [{ game: 1, decision: 2, text: "mine" }],
    deeper: [{ game: 1, decision: 2, plies: 4, analysed: deeper.analysed }],
    rollouts: [],
  });
  assert.deepEqual(JSON.parse(second), {
    plies: 3,
    notes: [],
    deeper: [],
    rollouts: [
      { game: 0, decision: 3, state: "stopped", question: { id: "x" }, answer: { games: 144 } },
    ],
  });
  assert.equal(end, "");
});

test("the end of a game on the chart names the winner, or says nothing", () => {
  const end = "bob +1 (backgammon, 1 needed)";
  assert.deepEqual(
    [300, 100, 30].map((room) => endIn(end, room)),
    [end, "bob +1", ""],
  );
});
