// The sentences of explanations: the words are those of the program, and values fill them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { boardRows, pointOfReplies, restOf, told } from "../../src/assets/decision/why-view.js";
import {
  inWords,
  saidOfCube,
  saidOfPlays,
  sentences,
  withoutLoss,
  withoutThemes,
} from "../../src/assets/decision/why-sentences.js";
import { windowOf } from "../../src/assets/decision/why-cube-view.js";
import de from "../../src/assets/words/de.js";
import en from "../../src/assets/words/en.js";

const program = JSON.parse(
  readFileSync(new URL("../../../report/src/answer/why/words.json", import.meta.url), "utf8"),
);
const said = (words) => Object.keys(words).filter((key) => key.startsWith("why.say."));

test("the pages have the English words of the program", () => {
  assert.deepEqual(
    said(en),
    Object.keys(program).map((kind) => `why.say.${kind}`),
  );
  for (const [kind, text] of Object.entries(program)) assert.equal(en[`why.say.${kind}`], text);
  assert.deepEqual(said(de), said(en));
});

test("lists, parts and numbers fill a sentence", () => {
  const point = (n) => ({ kind: "point", values: { n } });
  const does = [
    { kind: "makes", values: { points: [point(5), point(4)] } },
    { kind: "no-shot", values: {} },
  ];
  assert.equal(
    inWords({ kind: "does", values: { play: "8/5 6/5", does } }),
    "8/5 6/5 makes the 5 point and the 4 point and leaves no shot.",
  );
  assert.equal(
    inWords({ kind: "roll-hits", values: { rolls: ["64", "62", "44"], n: 3 } }),
    "64, 62 and 44 hit",
  );
  assert.equal(
    inWords({ kind: "wait", values: { n: { number: 0.0126, digits: 3 } } }),
    "Wait: a double now would lose 0.013 points.",
  );
});

test("a point of the replies shows from which side they count", () => {
  const roll = (better, worse) => ({ reply_to_better: better, reply_to_worse: worse });
  // A hit that is not the first reply says most.
  assert.equal(pointOfReplies([roll("24/18", "13/8"), roll("13/10", "bar/22* 6/4")]), 22);
  assert.equal(pointOfReplies([roll("24/18", "8/7(2)")]), 7);
  assert.equal(pointOfReplies([roll(null, "(no legal play)"), roll("3/off", undefined)]), null);
});

test("rows of the boards have their words; those of a newer server are told in English", () => {
  const row = (kind, what, better, worse) => ({ what, said: { kind, values: {} }, better, worse });
  const rows = boardRows([
    row("row-pips", "pips", "158 : 167", "159 : 167"),
    row("row-wasted", "wasted", "13.8", "15.0"),
    row("row-new", "of tomorrow", "1", "2"),
  ]);
  assert.deepEqual(boardRows([row("row-builders", "builders", "7: 2, 5: 6, 4: 6", "5: 4, 4: 6")]), [
    ["builders for the 7 point", "2", "0"],
    ["builders for the 5 point", "6", "4"],
  ]);
  assert.deepEqual(rows, [
    ["pips", "158 : 167", "159 : 167"],
    ["pips wasted in the bearoff", "13.8", "15.0"],
    ["of tomorrow", "1", "2"],
  ]);
});

test("the window of a cube decision has what is right at which chances, where its sentences say so", () => {
  const n = (kind, number) => ({ kind, values: { n: { number } } });
  const chances = { kind: "cube-chances-lost", values: { win: { number: 65.5 } } };
  assert.deepEqual(windowOf([chances, n("wait-below", 61.9), n("pass-from", 68.9)]), {
    win: 65.5,
    zones: [
      { kind: "no-double", from: 0, to: 61.9 },
      { kind: "double-take", from: 61.9, to: 68.9 },
      { kind: "double-pass", from: 68.9, to: 100 },
    ],
  });
  assert.deepEqual(
    windowOf([{ ...chances, kind: "own-chances" }, n("take-until", 23)])?.zones.map(
      ({ kind, to }) => [kind, to],
    ),
    [
      ["double-pass", 23],
      ["double-take", 100],
    ],
  );
  assert.equal(windowOf([chances, n("pass-from", 68.9)]), null);
  assert.equal(windowOf([chances, n("too-good-from", 90), n("take-below", 80)]), null);
});

test("beside a verdict, reasons of a cube decision go without what it loses", () => {
  const why = (...kinds) => ({
    sentences: kinds,
    said: kinds.map((kind) => ({ kind, values: {} })),
  });
  const left = (...kinds) => withoutLoss(why(...kinds)).sentences;
  assert.deepEqual(left("wait", "take", "cube-chances", "market", "double-from"), [
    "cube-chances",
    "market",
    "double-from",
  ]);
  assert.deepEqual(left("pass-now", "double-early", "own-chances-plain", "take-from"), [
    "double-early",
    "own-chances-plain",
    "take-from",
  ]);
  assert.deepEqual(
    left("too-good", "pass"),
    ["too-good", "pass"],
    "where nothing else is said, they stay",
  );
});

test("on every page an explanation begins with a reason, of a play as of the cube", () => {
  const made = () => ({
    children: [],
    setAttribute() {},
    append(...all) {
      this.children.push(...all);
    },
  });
  globalThis.document = { createElement: made };
  const first = (...kinds) =>
    sentences({ sentences: kinds, said: kinds.map((kind) => ({ kind, values: {} })) }).children[0]
      .children[0];
  const found = [
    first("wait", "take", "volatility"),
    first("take-now", "take-until"),
    first("better", "search-sees"),
    first("too-good", "pass"),
  ];
  delete globalThis.document;
  assert.deepEqual(
    found.map((words) => words.slice(0, 9)),
    ["A roll an", "Below abo", "Without l", "Play on: "],
  );
});

test("what the market makes in all is rounded once", () => {
  const said = [
    {
      kind: "market",
      values: { gain: { number: 0.0506, digits: 3 }, sum: { number: 0.032, digits: 3 } },
    },
    { kind: "no-market", values: {} },
  ];
  const [
    {
      values: { gain, sum },
    },
    none,
  ] = saidOfCube({ said, gain: 0.0506, cost: 0.0194 });
  assert.deepEqual(
    [gain.number.toFixed(3), sum.number.toFixed(3), none],
    ["0.051", "0.031", said[1]],
  );
});

test("in a match, what the net sees is told without points", () => {
  const theme = (name, number) => ({
    kind: "theme",
    values: { name: { kind: `theme-${name}`, values: {} }, share: { number, digits: 3 } },
  });
  const said = [
    {
      kind: "themes-although",
      values: {
        themes: [theme("race", 0.1), theme("block", 0.05)],
        against: [theme("outfield", -0.05)],
      },
    },
  ];
  const words = (better) => saidOfPlays({ said, better }).map(inWords);
  assert.deepEqual(words({ match_winning_chance: 0.5 }), [
    "The net itself sees it in the race and the block; against it: the outfield.",
  ]);
  assert.deepEqual(words({ match_winning_chance: null }), [
    "The net itself sees it in the race (0.100 points) and the block (0.050 points); against it: the outfield (−0.050 points).",
  ]);
});

test("what the net sees is told where nothing else explains a play", () => {
  const kinds = (...some) =>
    withoutThemes({ sentences: some, said: some.map((kind) => ({ kind, values: {} })) }).sentences;
  assert.deepEqual(kinds("better", "outcomes", "themes-although"), ["better", "outcomes"]);
  assert.deepEqual(kinds("close", "themes-only"), ["close", "themes-only"]);
});

test("the table of rolls has those for either play, and what is left", () => {
  const roll = (dice, share, more = {}) => ({
    dice,
    share,
    reply_to_better: "8/5",
    reply_to_worse: "8/4",
    named: false,
    against: false,
    ...more,
  });
  const none = { reply_to_better: "(no legal play)", reply_to_worse: "(no legal play)" };
  const rolls = [
    roll("66", 0.0604),
    roll("55", 0.05),
    roll("44", 0.04, none),
    roll("33", 0.001, { named: true }),
    roll("22", 0.002),
    roll("11", -0.001),
    roll("64", -0.0502),
    roll("65", -0.002, { against: true }),
  ];
  const sum = 0.1002;
  const shown = told(rolls, sum);
  assert.deepEqual(
    shown.map(({ dice }) => dice),
    ["66", "55", "33", "64", "65"],
  );
  const { stuck, rest } = restOf(shown, rolls, sum);
  assert.deepEqual([stuck, rest.n, rest.share.toFixed(3)], [{ n: 1, share: 0.04 }, 2, "0.001"]);
  const many = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07].map((share) => roll("31", share));
  assert.deepEqual(
    told(many, 0.28).map(({ share }) => share),
    [0.03, 0.04, 0.05, 0.06, 0.07],
    "the greatest five",
  );
});
