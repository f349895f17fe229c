// The decisions of an analysed match: filters, kinds of mistakes, jokers, addresses.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  beginsAnew,
  NO_FILTER,
  differences,
  entriesOf,
  filtered,
  gameStarts,
  inOrder,
  jokers,
  mistakeKinds,
  nextWanted,
} from "../../src/assets/analyse/decisions.js";
import { asShown, chanceOf, mistakeOf, valueAfter } from "../../src/assets/decision/decision.js";
import { fileName, placeOf, searchOf } from "../../src/assets/analyse/address.js";
import { atOneDepth, byDepth } from "../../src/assets/decision/plays-table.js";
import { inOrderOf } from "../../src/assets/analyse/list-view.js";

const play = (player, loss, mark, more = {}) => ({
  player,
  roll: 1,
  id: "a",
  xgid: "XGID=",
  class: "default",
  kind: "other plays",
  loss,
  cost: loss / 4,
  mark,
  counts: true,
  mwc_after: 0.5,
  unit: 0.25,
  even: 0.5,
  decision: {
    dice: "31",
    played: "8/5 6/5",
    luck: 0,
    plays: [{ play: "8/5 6/5", equity: 0.1, plies: 3, after: "", outcomes: {} }],
  },
  ...more,
});
const call = (player, name, loss, mark, more = {}) => ({
  ...play(player, loss, mark),
  kind: "cube",
  decision: { call: name, right: "", no_double: 0.4, double_take: 0.6, double_pass: 1 },
  ...more,
});
const match = {
  games: [
    {
      decisions: [
        play(0, 0, ""),
        call(1, "no double", 0, "", { counts: false }),
        play(1, 0.2, "??", { class: "race" }),
      ],
    },
    { decisions: [call(0, "take", 0.1, "?"), play(0, 0.05, "?!", { kind: "opening" })] },
  ],
};

test("cube actions that do not count are left out, and places count on", () => {
  const all = entriesOf(match);
  assert.deepEqual(
    all.map(({ game, index, at }) => [game, index, at]),
    [
      [0, 0, 0],
      [0, 2, 1],
      [1, 0, 2],
      [1, 1, 3],
    ],
  );
  assert.deepEqual(gameStarts(all), [
    { game: 0, at: 0 },
    { game: 1, at: 2 },
  ]);
});

test("each filter leaves what it names, and the worst stand first where that is wanted", () => {
  const all = entriesOf(match);
  const at = (filter) => filtered(all, { ...NO_FILTER, ...filter }).map((entry) => entry.at);
  assert.deepEqual(at({}), [0, 1, 2, 3]);
  assert.deepEqual(at({ show: "mistakes" }), [1, 2, 3]);
  assert.deepEqual(at({ show: "blunders" }), [1]);
  assert.deepEqual(
    filtered(entriesOf({ games: [{ decisions: [play(0, 0.03, ""), play(0, 0.01, "")] }] }), {
      ...NO_FILTER,
      show: "worth",
    }).map((entry) => entry.at),
    [0],
  );
  assert.deepEqual(at({ player: "0" }), [0, 2, 3]);
  assert.deepEqual(at({ kind: "cube" }), [2]);
  assert.deepEqual(at({ kind: "plays" }), [0, 1, 3]);
  assert.deepEqual(at({ kind: "wrongTake" }), [2]);
  assert.deepEqual(at({ class: "race" }), [1]);
  assert.deepEqual(at({ game: "1", order: "worst" }), [2, 3]);
});

test("mistakes of the cube have the names of players", () => {
  const named = (name) => mistakeOf(call(0, name, 0.1, "?"));
  assert.deepEqual(["no double", "double", "take", "drop"].map(named), [
    "missedDouble",
    "wrongDouble",
    "wrongTake",
    "wrongPass",
  ]);
  assert.equal(mistakeOf(play(0, 0, "")), null);
  const rows = mistakeKinds(entriesOf(match));
  assert.equal(
    rows.reduce((sum, row) => sum + row.sides[0].count + row.sides[1].count, 0),
    3,
  );
  assert.deepEqual(rows.find((row) => row.kind === "play").sides[1].marks, [0, 0, 1]);
});

test("jokers are ordered by what they are worth at the score", () => {
  const rolled = (player, luck, unit) =>
    play(player, 0, "", { unit, decision: { dice: "66", luck, plays: [] } });
  const all = entriesOf({
    games: [{ decisions: [rolled(0, 0.9, 0.1), rolled(1, -0.5, 0.4), rolled(0, 0.29, 1)] }],
  });
  const both = entriesOf({ games: [{ decisions: [rolled(0, -0.4, 1), rolled(0, -0.9, 1)] }] });
  assert.deepEqual(
    filtered(both, { ...NO_FILTER, kind: "unlucky", order: "worst" }).map((entry) => entry.at),
    [1, 0],
    "the greatest luck first",
  );
  assert.deepEqual(
    ["lucky", "unlucky"].map((kind) =>
      filtered(all, { ...NO_FILTER, kind }).map((entry) => entry.at),
    ),
    [[0], [1]],
  );
  const found = jokers(all, 5);
  assert.deepEqual(
    found.rolls.map(({ entry }) => entry.at),
    [1, 0],
  );
  assert.deepEqual(
    [found.lucky, found.unlucky],
    [
      [1, 0],
      [0, 1],
    ],
  );
});

test("values are those of the first player, whoever has decided", () => {
  assert.equal(valueAfter(play(1, 0, "", { mwc_after: null })), -0.1);
  assert.equal(valueAfter(call(1, "take", 0, "", { mwc_after: null })), 0.6);
  assert.equal(valueAfter(call(0, "double", 0, "", { mwc_after: null })), 0.6);
  assert.equal(chanceOf(play(0, 0, ""), 1), 0.75);
  assert.equal(chanceOf(play(0, 0, "", { mwc_after: null }), 1), null);
});

test("one goes from mistake to mistake, or through what the filter shows", () => {
  const all = entriesOf(match);
  const steps = (filter, ...places) =>
    places.map(([at, step]) =>
      nextWanted(filtered(all, { ...NO_FILTER, ...filter }), { ...NO_FILTER, ...filter }, at, step),
    );
  assert.deepEqual(steps({}, [0, 1], [1, 1], [1, -1]), [1, 2, null]);
  assert.deepEqual(
    steps({ order: "worst" }, [1, 1], [3, 1]),
    [2, null],
    "an order leaves nothing out",
  );
  for (const narrow of [{ kind: "plays" }, { class: "default" }, { player: "0" }])
    assert.equal(
      steps(narrow, [0, 1])[0],
      filtered(all, { ...NO_FILTER, ...narrow })[1].at,
      "every filter is walked whole",
    );
  assert.deepEqual(steps({ show: "blunders" }, [0, 1], [1, 1], [3, -1]), [1, null, 1]);
  assert.deepEqual(steps({ show: "mistakes", order: "worst" }, [1, 1], [2, 1], [0, 1], [0, -1]), [
    2,
    3,
    1,
    null,
  ]);
});

test("two analyses of a record are compared decision by decision", () => {
  const deeper = {
    games: [
      { decisions: [play(0, 0, ""), play(1, 0.35, "??", { class: "race" })] },
      match.games[1],
    ],
  };
  const { pairs, same } = differences(match, deeper);
  assert.equal(pairs.length, 4, "what counts, with a decision that the other has");
  assert.ok(same && Math.abs(pairs[0].change - 0.15) < 1e-9);
  // A double that one of them finds too far off to count loses nothing there.
  const near = {
    games: [
      {
        decisions: [
          call(0, "no double", 0.03, ""),
          play(1, 0.2, "??"),
          play(1, 0, "", { counts: false, roll: 2 }),
        ],
      },
    ],
  };
  const far = {
    games: [
      {
        decisions: [
          call(0, "no double", 0.02, "", { counts: false }),
          play(1, 0.2, "??"),
          play(1, 0, "", { counts: false, roll: 2 }),
        ],
      },
    ],
  };
  const both = [differences(near, far), differences(far, near)].map((found) =>
    found.pairs.map(({ change, once }) => [change, once]),
  );
  assert.deepEqual(
    both,
    [
      [
        [-0.03, true],
        [0, false],
      ],
      [
        [0.03, true],
        [0, false],
      ],
    ],
    "forced plays are none",
  );
});

test("files are named by their match", () => {
  const five = { names: ["Anna B.", "../nonet"], length: 5 };
  const names = ["page.html", "match.sgf", "analysis.json", "record"].map((file) =>
    fileName(five, "night.mat", file),
  );
  assert.deepEqual(
    names,
    ["html", "sgf", "json", "mat"].map((ending) => `Anna_B_-_nonet-5.${ending}`),
  );
  assert.equal(
    fileName({ names: ["Jörg", "you"], length: null }, "record", "record"),
    "Jörg-you-money.txt",
  );
});

test("an address gives back what it was made of", () => {
  const place = {
    id: "20260101-1",
    beside: "20260101-2",
    besideMatch: 1,
    match: 2,
    game: 1,
    index: 3,
    filter: { ...NO_FILTER, show: "blunders", order: "worst" },
  };
  assert.deepEqual(placeOf(searchOf(place)), place);
  assert.equal(
    searchOf({
      id: null,
      beside: null,
      match: 0,
      game: null,
      index: null,
      filter: { ...NO_FILTER },
    }),
    "",
  );
  assert.deepEqual(placeOf("?at=x&match=y").game, null);
});

test("whoever goes through a list keeps its order when an answer changes it", () => {
  const judged = [0.05, 0.3, 0.1, 0].map((loss, at) => ({
    game: 0,
    index: at,
    at,
    decision: { loss },
  }));
  const before = [judged[0], judged[2], judged[3]];
  const now = [judged[1], judged[2], judged[0]];
  const at = (list) => list.map((entry) => entry.at);
  assert.deepEqual(
    at(inOrderOf(before, now, 3, judged)),
    [0, 2, 3, 1],
    "the one that is shown stays, a new one comes last",
  );
  assert.deepEqual(
    at(inOrderOf(before, now, 0, judged)),
    [0, 2, 1],
    "what the filter leaves out goes",
  );
});

test("the mark is that of the figure that is shown", () => {
  const markAt = (loss, counts = true) => asShown({ loss, mark: "", counts }).mark;
  assert.deepEqual(
    [markAt(0.0796), markAt(0.0794), markAt(0.0394), markAt(0.1595)],
    ["?", "?!", "", "??"],
  );
  assert.equal(markAt(0.2, false), "", "what does not count has no mark");
});

test("two plays are compared at one depth where another answer has both there", () => {
  const [play, best] = [
    { play: "b", plies: 2, equity: 0.1 },
    { play: "a", plies: 3, equity: 0.3 },
  ];
  const other = (plies) => ({
    decision: {
      plays: [
        { play: "a", plies: 2, equity: 0.4 },
        { play: "b", plies, equity: 0.2 },
      ],
    },
  });
  const lost = (found) => {
    const [one, top] = atOneDepth(play, best, found);
    return [one.plies === top.plies, Number((top.equity - one.equity).toFixed(3))];
  };
  assert.deepEqual(
    [lost(other(2)), lost(other(1)), lost(null)],
    [
      [true, 0.2],
      [false, 0.2],
      [false, 0.2],
    ],
  );
  assert.deepEqual(atOneDepth(best, best, other(2)), [best, best]);
});

test("in a match the share that a mistake costs says which is the worst, in money games its points", () => {
  const entries = (after) =>
    [
      [0.3, 0.02],
      [0.1, 0.2],
      [0.2, 0.1],
    ].map(([loss, cost], at) => ({ at, decision: { loss, cost, mwc_after: after, decision: {} } }));
  const worst = (after) =>
    inOrder(entries(after), { ...NO_FILTER, order: "worst" }).map(({ at }) => at);
  assert.deepEqual(
    [worst(0.5), worst(null)],
    [
      [1, 2, 0],
      [0, 2, 1],
    ],
  );
});

test("an answer sorts a list by loss anew", () => {
  const entries = [0.05, 0.3, 0.1].map((loss, at) => ({ at, decision: { loss, decision: {} } }));
  const at = (order) => inOrder([...entries], { ...NO_FILTER, order }).map((entry) => entry.at);
  assert.deepEqual(
    [at("worst"), at("match")],
    [
      [1, 2, 0],
      [0, 1, 2],
    ],
  );
});

test("plays of a lower depth stand behind all deeper ones, whatever their equity", () => {
  const plays = [
    ["a", 3, 0.2],
    ["b", 2, 0.19],
    ["c", 1, 0.15],
    ["d", 3, 0.1],
  ].map(([name, plies, equity]) => ({ name, plies, equity }));
  assert.deepEqual(
    byDepth(plays).map(({ name }) => name),
    ["a", "d", "b", "c"],
  );
  // The play that was made is searched last, and stands where its equity belongs.
  const made = [
    ["best", 3, 0.3],
    ["second", 3, 0.1],
    ["made", 3, 0.2],
  ].map(([name, plies, equity]) => ({ name, plies, equity }));
  assert.deepEqual(
    [byDepth(made).map(({ name }) => name), byDepth([])],
    [["best", "made", "second"], []],
  );
});

test("a list that gets the order of the worst ones begins with the worst", () => {
  const [match, worst] = ["match", "worst"].map((order) => ({ ...NO_FILTER, order }));
  assert.deepEqual(
    [
      beginsAnew(match, worst),
      beginsAnew(worst, { ...worst, player: "0" }),
      beginsAnew(worst, match),
    ],
    [true, false, false],
  );
});
