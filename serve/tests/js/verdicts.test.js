// The headline of a decision follows the deepest answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENOUGH_GAMES, againstOf, deepest, rolledOut } from "../../src/assets/decision/verdicts.js";
import { markOf } from "../../src/assets/decision/decision.js";

// The address of the page, which modules read while they load.
globalThis.location = new URL("http://127.0.0.1/");
const { rowsOf } = await import("../../src/assets/decision/rollout-view.js");
const { withDeepest } = await import("../../src/assets/analyse/analysis.js");
const { betterOf } = await import("../../src/assets/decision/decision-words.js");
const { pairOf } = await import("../../src/assets/decision/questions.js");

const play = {
  xgid: "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
  loss: 0.05,
  cost: 0.02,
  mark: "?!",
  unit: 0.4,
  decision: {
    dice: "31",
    played: "b",
    plays: [
      { play: "a", equity: 0.3 },
      { play: "b", equity: 0.25 },
    ],
  },
};
const rows = (games, ...equities) => ({
  rollouts: equities.map(([name, equity]) => ({ play: name, equity, games })),
});
const cube = (no, take) => ({
  games: 1296,
  cube: { words: "Double, take", no_double: { equity: no }, double_take: { equity: take } },
});

test("a rollout judges the play that was made against its own best one", () => {
  const judged = rolledOut(play, rows(1296, ["a", 0.31], ["b", 0.11]));
  assert.equal(judged.loss.toFixed(3), "0.200");
  assert.deepEqual(
    [judged.mark, judged.cost.toFixed(2), judged.decision.plays[0].play],
    ["??", "0.08", "a"],
  );
  const unsure = rolledOut(play, {
    rollouts: [
      { play: "a", equity: 0.3, games: 36 },
      { play: "b", equity: 0.1, games: 36, loss_stderr: 0.05 },
    ],
  });
  assert.equal(unsure.half.toFixed(3), "0.098");
  assert.equal(
    rolledOut(play, rows(1296, ["b", 0.31], ["a", 0.3])).loss,
    0,
    "the play that was made is the best one",
  );
  assert.equal(rolledOut(play, rows(1296, ["a", 0.31])), null);
});

test("a cube action loses what the other one would have won", () => {
  const call = (name) => ({ ...play, decision: { call: name } });
  const loss = (name, no, take) => rolledOut(call(name), cube(no, take)).loss.toFixed(2);
  assert.deepEqual(
    [
      loss("no double", 0.5, 0.7),
      loss("double", 0.5, 0.7),
      loss("take", 0.5, 0.7),
      loss("drop", 0.5, 0.7),
    ],
    ["0.20", "0.00", "0.00", "0.30"],
  );
  assert.deepEqual(
    [loss("double", 0.5, 0.4), loss("take", 0.9, 1.2), loss("drop", 0.9, 1.2)],
    ["0.10", "0.20", "0.00"],
  );
});

test("a take, a beaver and a pass each have their own loss", () => {
  const money = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:3:0:10";
  const call = (name) => ({ ...play, xgid: money, decision: { call: name } });
  const loss = (name, no, take) => rolledOut(call(name), cube(no, take)).loss.toFixed(2);
  const all = (take) => ["take", "beaver", "drop"].map((name) => loss(name, 0.1, take));
  assert.deepEqual(all(0.6), ["0.00", "0.60", "0.40"], "a beaver doubles what the take loses");
  assert.deepEqual(all(1.3), ["0.30", "1.60", "0.00"]);
  assert.deepEqual(all(-0.6), ["0.30", "0.00", "1.60"], "-0.6 is that of the beaver");
});

test("a rollout of enough games is deeper than a search, and 4-ply deeper than 3-ply", () => {
  const deeper = { plies: 4, analysed: { ...play, loss: 0.1, mark: "?" } };
  const many = rows(ENOUGH_GAMES, ["a", 0.3], ["b", 0.3]);
  const few = rows(ENOUGH_GAMES - 1, ["a", 0.3], ["b", 0.3]);
  assert.deepEqual(
    [
      deepest(play, { plies: 3, deeper: null, rollout: null }).plies,
      deepest(play, { plies: 3, deeper, rollout: few }).plies,
    ],
    [3, 4],
  );
  assert.equal(
    deepest(play, { plies: 4, deeper: { ...deeper, plies: 3 }, rollout: null }).analysed,
    play,
  );
  assert.equal(deepest(play, { plies: 3, deeper, rollout: many }).games, ENOUGH_GAMES);
  assert.deepEqual([0.039, 0.04, 0.08, 0.16].map(markOf), ["", "?!", "?", "??"]);
});

test("a rollout that cannot decide leaves the verdict to the search", () => {
  const row = (name, equity, loss, error) => ({
    play: name,
    equity,
    loss,
    loss_stderr: error,
    games: 1296,
  });
  const judge = (...rollouts) => deepest(play, { plies: 3, deeper: null, rollout: { rollouts } });
  // The search says a, b was played. A third play leads, but not surely; b is surely behind.
  const open = judge(row("c", 0.32, 0, null), row("a", 0.3, 0.02, 0.03), row("b", 0.1, 0.22, 0.03));
  assert.deepEqual(
    [
      open.plies,
      open.undecided,
      open.isBestOpen,
      open.analysed.loss.toFixed(2),
      open.analysed.half.toFixed(3),
    ],
    [null, undefined, true, "0.22", "0.059"],
  );
  assert.deepEqual(
    open.analysed.decision.plays.map(({ play }) => play),
    ["c", "a", "b"],
    "the verdict names the first line of the table",
  );
  const unsure = judge(
    row("c", 0.32, 0, null),
    row("a", 0.3, 0.02, 0.03),
    row("b", 0.28, 0.04, 0.03),
  );
  assert.deepEqual([unsure.plies, unsure.undecided, unsure.analysed], [3, 1296, play]);
  const leads = judge(row("b", 0.32, 0, null), row("a", 0.3, 0.02, 0.03));
  assert.deepEqual(
    [leads.plies, leads.undecided],
    [3, 1296],
    "the play that was made leads, but not surely",
  );
  const sure = judge(row("c", 0.42, 0, null), row("a", 0.3, 0.12, 0.03), row("b", 0.1, 0.32, 0.03));
  assert.deepEqual(
    [sure.plies, sure.isBestOpen, sure.analysed.loss.toFixed(2)],
    [null, undefined, "0.32"],
  );
  assert.equal(
    judge(row("a", 0.3, 0, null), row("b", 0.28, 0.02, 0.03)).undecided,
    1296,
    "the loss is within its interval",
  );
  assert.equal(
    judge(row("a", 0.3, 0, null), row("c", 0.29, 0.01, 0.03), row("b", 0.1, 0.2, 0.03)).undecided,
    undefined,
    "a third play does not matter",
  );
  const call = { ...play, decision: { call: "no double", right: "Double, take" } };
  const gains = (equity, stderr) => ({
    ...cube(0.5, 0.5 + equity),
    cube: {
      ...cube(0.5, 0.5 + equity).cube,
      double_gains: { equity, stderr },
      take_gains: { equity: 0.5 - equity, stderr: 0.01 },
    },
  });
  const of = (equity) => deepest(call, { plies: 3, deeper: null, rollout: gains(equity, 0.02) });
  assert.deepEqual([of(0.03).undecided, of(0.3).undecided], [1296, undefined]);
  assert.deepEqual(
    [of(0.3).analysed.loss.toFixed(2), of(0.3).analysed.half.toFixed(3)],
    ["0.30", "0.039"],
    "the loss has an interval",
  );
  const notes = (what) => rowsOf(gains(0.05, 0.02), what).map(({ note }) => note);
  assert.deepEqual(
    [notes({ call: "no double" }), notes({ call: "drop" })],
    [
      ["−0.050 ± 0.039", "", ""],
      ["", "+0.450 ± 0.020"],
    ],
    "whoever is doubled cannot double",
  );
  assert.deepEqual(
    [
      [1.02, "Double, pass"],
      [0.5, "Double, take"],
      [-0.5, "No double, beaver"],
    ].map(([take, right]) =>
      betterOf({ decision: { call: "drop", right, double_take: take, double_pass: 1 } }),
    ),
    ["Pass", "Take", "Beaver"],
  );
});

test("a rollout counts once its interval is narrow, or lies within one class of mistakes", () => {
  const judge = (loss, half) =>
    deepest(play, {
      plies: 3,
      deeper: null,
      rollout: {
        rollouts: [
          { play: "a", equity: 0.3, games: 144 },
          { play: "b", equity: 0.3 - loss, loss, loss_stderr: half / 1.96, games: 144 },
        ],
      },
    });
  const wide = judge(0.067, 0.045);
  assert.deepEqual(
    [wide.plies, wide.early, wide.analysed],
    [3, 144, play],
    "from no mistake to a bad one: the search counts",
  );
  assert.deepEqual(
    [judge(0.4, 0.1), judge(0.06, 0.018), judge(0.081, 0.019)].map(({ plies, early }) => [
      plies,
      early,
    ]),
    [
      [null, undefined],
      [null, undefined],
      [null, undefined],
    ],
  );
  assert.deepEqual(
    [judge(0.081, 0.03).early, judge(0.02, 0.03).early, judge(0.02, 0.03).undecided],
    [144, undefined, 144],
  );
});

test("a rollout that leaves the verdict open names its first play where that of the search is surely behind", () => {
  const row = (name, equity, loss, error) => ({
    play: name,
    equity,
    loss,
    loss_stderr: error,
    games: 144,
  });
  const judge = (...rollouts) => deepest(play, { plies: 3, deeper: null, rollout: { rollouts } });
  const behind = judge(
    row("c", 0.32, 0, null),
    row("b", 0.318, 0.002, 0.02),
    row("a", 0.25, 0.07, 0.02),
  );
  assert.deepEqual([behind.undecided, behind.leads], [144, "c"]);
  assert.equal(
    judge(row("c", 0.32, 0, null), row("b", 0.318, 0.002, 0.02), row("a", 0.3, 0.02, 0.02)).leads,
    undefined,
  );
});

test("a search that finds another decision best than the rollout says so", () => {
  const row = (name, equity, loss, error) => ({
    play: name,
    equity,
    loss,
    loss_stderr: error,
    games: 1296,
  });
  const searched = {
    ...play,
    decision: {
      ...play.decision,
      plays: [
        { play: "a", equity: 0.3, plies: 4 },
        { play: "c", equity: 0.275, plies: 4 },
        { play: "b", equity: 0.1, plies: 4 },
      ],
    },
  };
  const judge = (...rollouts) =>
    deepest(searched, { plies: 4, deeper: null, rollout: { rollouts } }).against;
  const against = judge(
    row("c", 0.32, 0, null),
    row("a", 0.3, 0.02, 0.005),
    row("b", 0.1, 0.22, 0.005),
  );
  assert.deepEqual(
    { ...against, by: against?.by.toFixed(3) },
    { plies: 4, best: "a", by: "0.025" },
  );
  assert.equal(
    judge(row("a", 0.32, 0, null), row("c", 0.3, 0.02, 0.005), row("b", 0.1, 0.22, 0.005)),
    null,
    "both agree",
  );
  const call = (name, no, take) => ({
    ...play,
    decision: { call: name, no_double: no, double_take: take, double_pass: 1 },
  });
  assert.equal(
    againstOf(call("double", 0.5, 0.6), 3, call("double", 0.55, 0.5)).by.toFixed(3),
    "0.100",
  );
  assert.deepEqual(
    [
      againstOf(call("double", 0.5, 0.6), 3, call("double", 0.5, 0.52)),
      againstOf(call("take", 0.5, 0.9), 3, call("take", 0.5, 1.2)).by.toFixed(1),
    ],
    [null, "0.1"],
  );
});

test("an explanation compares the best play of a verdict with the one that was made", () => {
  const judged = (best, leads) => ({
    analysed: { decision: { plays: [{ play: best }] } },
    plies: 3,
    games: null,
    leads,
  });
  assert.deepEqual(pairOf("b", judged("a")), { better: "a", instead: "b" });
  assert.deepEqual(
    pairOf("b", judged("b")),
    { better: undefined, instead: "b" },
    "the server takes the best other one",
  );
  assert.deepEqual(pairOf("b", judged("b", "d")), { better: "d", instead: "b" });
  assert.deepEqual(pairOf("b", null), { better: undefined, instead: "b" });
});

test("the figures of a match follow the deepest answers", () => {
  const entry = (at, player, loss, kind, { counts = true, cost = loss / 2 } = {}) => ({
    game: 0,
    index: at,
    at,
    decision: {
      player,
      loss,
      cost,
      counts,
      kind,
      class: "race",
      decision: kind === "cube" ? { call: "double" } : { plays: [] },
    },
  });
  const all = [
    entry(0, 0, 0.1, "opening"),
    entry(1, 1, 0, "opening"),
    entry(2, 0, 0.05, "cube"),
    entry(3, 0, 0, "bearoff"),
    entry(4, 0, 0, "opening", { counts: false }),
  ];
  const judged = [
    entry(0, 0, 0.2, "opening"),
    all[1],
    entry(2, 0, 0.02, "cube"),
    all[3],
    entry(4, 0, 0.5, "opening", { counts: false }),
  ];
  const side = (losses, plays, calls) => ({
    pr: (500 * (losses[0] + losses[1])) / (plays + calls),
    plays,
    calls,
    play_loss: losses[0],
    play_cost: losses[0] / 2,
    call_loss: losses[1],
    call_cost: losses[1] / 2,
    interval: [0, 60],
    rating: "expert",
  });
  const row = (name, decisions, pr) => ({ kind: name, class: name, decisions, pr, interval: null });
  const match = {
    summary: [side([0.1, 0.05], 2, 1), side([0, 0], 1, 0)],
    by_kind: [[row("opening", 1, 50), row("cube", 1, 25), row("bearoff", 1, 0)], []],
    by_class: [[row("race", 3, 25)], []],
  };
  const {
    summary: [own, other],
    by_kind: [kinds],
    by_class: [[race]],
  } = withDeepest(match, all, judged);
  const shown = (...values) => values.map((value) => value.toFixed(3));
  assert.deepEqual(shown(own.pr, own.play_loss, own.play_cost, own.call_loss, own.call_cost), [
    "36.667",
    "0.200",
    "0.100",
    "0.020",
    "0.010",
  ]);
  // The mean of 0.2, 0.02 and 0 is 0.0733, its standard error 0.0636.
  assert.deepEqual(shown(...own.interval), ["0.000", "98.991"]);
  assert.deepEqual(
    [own.before, own.rating, other],
    [match.summary[0], null, match.summary[1]],
    "the title is that of another PR",
  );
  assert.deepEqual(
    [...kinds, race].map(({ pr, before }) => [pr.toFixed(1), before?.pr ?? null]),
    [
      ["100.0", 50],
      ["10.0", 25],
      ["0.0", null],
      ["36.7", 25],
    ],
  );
  assert.deepEqual(withDeepest(match, all, all), match);
});
