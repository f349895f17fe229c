// The grid of a score matrix, and what its cells say.
import assert from "node:assert/strict";
import test from "node:test";
import { lettersOf } from "../../src/assets/decision/decision.js";
import {
  contradiction,
  deeperNote,
  said,
  scoreName,
} from "../../src/assets/decision/score-words.js";
import { gridOf, kindOf, relettered, withBest } from "../../src/assets/decision/score-matrix.js";
import {
  bestOf,
  bestOnes,
  isClear,
  kindOfWords,
  saidOf,
} from "../../src/assets/decision/strengths.js";

const cell = (score, own, other, more = {}) => ({
  score,
  own_away: own,
  opponent_away: other,
  name: null,
  given: false,
  play: { letter: "A", equity: 0.1, ahead: 0.02, loss: 0 },
  cube: null,
  ...more,
});
const cells = [
  cell("match", 7, 5),
  cell("money", null, null, { given: true }),
  cell("match", 1, 1, { name: "double-match-point" }),
  cell("crawford", 1, 2, { name: "gammon-save" }),
  cell("post-crawford", 1, 2),
  cell("crawford", 2, 1, {
    name: "gammon-go",
    play: { letter: "B", equity: -0.25, ahead: null, loss: 0.031 },
  }),
  cell("post-crawford", 2, 1),
  cell("match", 2, 2),
];
const plays = [
  { letter: "A", play: "13/11 6/5", id: "", cells: 7 },
  { letter: "B", play: "24/23 13/11", id: "", cells: 1 },
];
const matrix = { plays, asked: "A", away: 2, plies: 1, complete: true, cells, cubes: [] };

test("the Crawford game has a row and a column of its own, and each score stands once", () => {
  const { lines, rows, apart } = gridOf(matrix);
  assert.deepEqual(
    lines.map(({ away, crawford }) => `${away}${crawford ? "C" : ""}`),
    ["1C", "1", "2"],
  );
  const names = rows.map((row) =>
    row.cells.map((one) => (one ? `${one.score} ${one.own_away} ${one.opponent_away}` : "")),
  );
  assert.deepEqual(names, [
    ["", "", "crawford 1 2"],
    ["", "match 1 1", "post-crawford 1 2"],
    ["crawford 2 1", "post-crawford 2 1", "match 2 2"],
  ]);
  assert.deepEqual(
    apart.map(({ own_away: own }) => own),
    [7, null],
  );
  assert.equal(
    rows.flatMap((row) => row.cells).filter(Boolean).length + apart.length,
    cells.length,
  );
});

test("without a Crawford game there is no such row", () => {
  const { lines } = gridOf({ ...matrix, cells: cells.filter(({ score }) => score !== "crawford") });
  assert.equal(lines.length, 2);
});

test("a cell says its score, its best play and what the other one loses", () => {
  assert.equal(scoreName(cells[5]), "2-away 1-away, Crawford game (gammon-go)");
  assert.equal(
    said(matrix, cells[5], "here"),
    "here: 24/23 13/11, equity −0.250. 13/11 6/5 loses 0.031.",
  );
  assert.equal(
    said(matrix, cells[1], "Money"),
    "Money: 13/11 6/5, equity +0.100. It is 0.020 ahead of the second best.",
  );
});

test("a cube decision is told with what the mistakes cost", () => {
  const cube = {
    action: "double",
    answer: "pass",
    words: "Double, pass",
    no_double: 0.9,
    double_take: 1.25,
    ahead: 0.1,
    answer_ahead: 0.25,
  };
  assert.equal(kindOf(cube), "double-pass");
  assert.equal(kindOf({ ...cube, action: "not-available" }), "none");
  const told = said({ ...matrix, asked: null }, { given: false, play: null, cube }, "Money");
  assert.equal(
    told,
    "Money: Double, pass. No double +0.900, double +1.000. A wrong decision about the double costs 0.100, a wrong answer 0.250.",
  );
  const dead = said(
    { ...matrix, asked: null },
    {
      given: false,
      play: null,
      cube: { ...cube, ahead: null, words: "The cube cannot be turned" },
    },
    "Money",
  );
  assert.equal(dead, "Money: The cube cannot be turned.");
});

test("the plays of a decision have one set of letters, that of its table", () => {
  const letters = lettersOf(["24/23 13/11", "13/11 6/5"]);
  const {
    plays: named,
    asked,
    cells: [first, , , , , gammonGo],
  } = relettered(matrix, letters);
  assert.deepEqual(
    named.map(({ letter, play }) => `${letter} ${play}`),
    ["A 24/23 13/11", "B 13/11 6/5"],
  );
  assert.deepEqual([asked, first.play.letter, gammonGo.play.letter], ["B", "B", "A"]);
  assert.equal(
    said({ ...matrix, plays: named, asked }, gammonGo, "here"),
    said(matrix, cells[5], "here"),
    "the words are the same",
  );
  assert.deepEqual(
    [letters("8/7 8/6"), letters("13/11 6/5"), letters("8/7 8/6")].map(({ letter }) => letter),
    ["C", "B", "C"],
    "a play that the table lacks takes the next letter",
  );
});

test("cube decisions of a table of strengths have the kinds of a score matrix", () => {
  assert.deepEqual(
    ["No double, take", "Double, take", "Double, pass", "Too good to double, pass"].map(
      kindOfWords,
    ),
    ["no-double", "double-take", "double-pass", "too-good"],
  );
});

test("a table of strengths names its decisions, and their equities", () => {
  const strength = (best, equities, lead) => ({
    best,
    equities: equities.map((equity) => ({ equity, stderr: 0.01 })),
    lead: { equity: lead, stderr: 0.01 },
  });
  const table = {
    decisions: ["no double", "double, take"],
    dice: null,
    rows: [
      [strength("No double, take", [0.5, 0.4], -0.1), strength("Double, take", [0.6, 0.7], 0.1)],
      [strength("Double, pass", [0.9, 1.2], 0.1), strength("Double, take", [0.6, 0.61], 0.01)],
    ],
  };
  assert.deepEqual(bestOnes(table), ["No double, take", "Double, take", "Double, pass"]);
  assert.deepEqual(
    table.rows.flat().map((one) => bestOf(table, one).equity),
    [0.5, 0.7, 1, 0.61],
  );
  assert.deepEqual(
    table.rows.flat().map((one) => isClear({ ...table, games: 144 }, one)),
    [true, true, true, false],
  );
  const plays = { decisions: ["8/5 6/5", "24/23 13/10"], dice: "31" };
  assert.equal(bestOf(plays, strength("24/23 13/10", [0.1, 0.2], 0.1)).equity, 0.2);
  const wide = {
    ...strength("a", [0.7, 0.3, 0.1], 0.4),
    equities: [
      { equity: 0.7, stderr: 0.1 },
      { equity: 0.3, stderr: 0.01 },
      { equity: 0.1, stderr: 0.4 },
    ],
  };
  const three = { decisions: ["a", "b", "c"], dice: "31", games: 144 };
  assert.deepEqual(
    [
      isClear(three, wide),
      isClear(three, strength("a", [0.7, 0.3, 0.1], 0.4)),
      isClear({ ...three, games: 4 }, strength("a", [0.7, 0.3, 0.1], 0.4)),
    ],
    [false, true, false],
    "a third decision with a wide interval, and few games, leave it open",
  );
});

test("a cell of the table of strengths says both sides, each decision and the lead", () => {
  const rolled = (equity) => ({ equity, stderr: 0.05 });
  const levels = [
    { name: "champion", pr: null },
    { name: "human-8", pr: 8 },
  ];
  const cell = { best: "8/5 6/5", equities: [rolled(0.2), rolled(0.1)], lead: rolled(0.1) };
  const table = {
    levels,
    decisions: ["8/5 6/5", "24/21"],
    rows: [
      [cell, cell],
      [cell, cell],
    ],
    games: 144,
    plies: 1,
    seconds: 9,
    dice: "31",
  };
  assert.equal(
    saidOf(table, 1, 0).replaceAll("\u00a0", " "),
    "You PR 8, opponent Champion: 8/5 6/5 +0.200 ± 0.098, 24/21 +0.100 ± 0.098; the best one leads by +0.100 ± 0.098",
  );
});

test("a matrix says that an answer is deeper where their figures of its score differ", () => {
  // Without a document nothing is drawn: what would be drawn is counted.
  const made = [];
  globalThis.document = {
    createElement: (name) => {
      made.push(name);
      return { append() {}, setAttribute() {} };
    },
  };
  const says = (plies, equity) => {
    made.length = 0;
    deeperNote(matrix, { plies, equity });
    return made.length;
  };
  assert.deepEqual(
    [says(3, 0.15), says(null, 0.15), says(3, 0.1004), says(1, 0.15), says(3, null)],
    [1, 1, 0, 0, 0],
  );
  delete globalThis.document;
});

test("a matrix tells the loss of the best play above, which is best in no cell", () => {
  const at = (letter, equity, ahead, loss, more = {}) =>
    cell("match", 2, 2, { play: { letter, equity, ahead, loss }, ...more });
  const own = {
    ...matrix,
    cells: [at("A", 0.3, 0.07, 0, { given: true }), at("A", 0.2, 0.05, 0, { own_away: 1 })],
  };
  // The play is searched as deep as the others there: in one cell it is the best one then.
  const other = {
    ...matrix,
    plays: [plays[0], { letter: "B", play: "bar/22", id: "x", cells: 1 }],
    asked: "B",
    cells: [at("A", 0.3, 0.04, 0.04, { given: true }), at("B", 0.21, 0.01, 0, { own_away: 1 })],
  };
  const both = withBest(own, other, "bar/22");
  assert.deepEqual(
    both.plays.map(({ play, cells: n }) => `${play} ${n}`),
    ["13/11 6/5 1", "24/23 13/11 0", "bar/22 1"],
  );
  const [here, there] = both.cells.map(({ play }) => ({
    ...play,
    ahead: play.ahead.toFixed(3),
    loss: play.loss.toFixed(3),
    lossOfBest: play.lossOfBest.toFixed(3),
  }));
  assert.deepEqual(here, {
    letter: "A",
    equity: 0.3,
    ahead: "0.040",
    loss: "0.000",
    lossOfBest: "0.040",
  });
  assert.deepEqual(there, {
    letter: "C",
    equity: 0.21,
    ahead: "0.010",
    loss: "0.010",
    lossOfBest: "0.000",
  });
  assert.equal(
    said(both, both.cells[0], "here"),
    "here: 13/11 6/5, equity +0.300. It is 0.040 ahead of the second best. bar/22 loses 0.040.",
  );
  const named = relettered(both, lettersOf(["bar/22", "13/11 6/5"]));
  assert.deepEqual(
    [named.above, named.asked, named.plays[0].play],
    ["A", "B", "bar/22"],
    "the best play above has its letter",
  );
  assert.deepEqual(contradiction(both, { plies: 3, equity: 0.1, play: "bar/22" }), [
    "scores.other.play",
    { n: 1, other: "13/11 6/5", loss: "0.040", best: "bar/22", depth: "3\u2011ply" },
  ]);
  assert.equal(contradiction(both, { plies: 3, equity: 0.1, play: "13/11 6/5" }), null);
});

test("a matrix that decides about the cube in another way says so", () => {
  const cube = {
    action: "double",
    answer: "take",
    words: "Double, take",
    no_double: 0.5,
    double_take: 0.6,
    ahead: 0.1,
    answer_ahead: 0.4,
  };
  const own = {
    ...matrix,
    asked: null,
    plays: [],
    cells: [cell("money", null, null, { given: true, play: null, cube })],
  };
  const above = (words) => ({ plies: null, equity: 0.5, cube: words });
  assert.deepEqual(contradiction(own, above("No double, take")), [
    "scores.other.cube",
    { n: 1, other: "Double, take", best: "No double, take", depth: "rollout" },
  ]);
  assert.equal(contradiction(own, above("Redouble, take")), null);
});
