// What the page of practice says of a card.
import assert from "node:assert/strict";
import { test } from "node:test";

// The zone of the person, and the address of the page: modules read them while they load.
process.env.TZ = "America/Los_Angeles";
globalThis.location = new URL("http://127.0.0.1/");
const { dayOf } = await import("../../src/assets/common/format.js");
const { placeOfCard } = await import("../../src/assets/analyse/analysis.js");
const { nameless, namesake, newName, ownPlayers } =
  await import("../../src/assets/practise/players.js");
const { Round, isLastTry, withNew } = await import("../../src/assets/practise/round.js");
const { courseWords, pointsOf } = await import("../../src/assets/practise/progress.js");
const { cardOf, changeWords } = await import("../../src/assets/practise/test.js");
const { deckPart } = await import("../../src/assets/practise/deck.js");
const { judgedBy, lineOfCall } = await import("../../src/assets/practise/judgement.js");
const { ideaName, kindName } = await import("../../src/assets/practise/kinds.js");
const { arrowsOf, scoreWords } = await import("../../src/assets/practise/question.js");
const { roundWords } = await import("../../src/assets/practise/round-end.js");
const { gradeOf } = await import("../../src/assets/practise/verdict.js");

test("the score of a question has the rules that hold, and the cube where there is one", () => {
  const words = (fields, owner = null, cube = 1) =>
    scoreWords({ xgid: `XGID=-b----E-C---eE---c-e----B-:${fields}`, cube, owner });
  assert.equal(words("0:0:1:31:0:0:0:1:10"), "Match to 1");
  assert.equal(words("1:1:1:31:3:2:0:7:10", "you", 2), "Match to 7 · your cube at 2");
  assert.equal(words("0:0:1:31:6:2:1:7:10"), "Match to 7 · Crawford game");
  assert.equal(
    words("0:0:1:31:0:0:3:0:10"),
    "Money game · Jacoby rule · beavers · cube in the middle",
  );
});

test("the day of the next cards is that of the person's clock", () => {
  assert.equal(dayOf(Date.UTC(2026, 0, 6, 1) / 1000), "Jan\u00a05,\u00a02026");
});

test("a round asks a card three times, and leaves it then", () => {
  assert.deepEqual([{}, { tries: 1 }, { tries: 2 }].map(isLastTry), [false, false, true]);
  const round = new Round();
  round.answer("Ann", { xgid: "a" }, false);
  assert.equal(round.wrong.size, 1);
  round.answer("Ann", { xgid: "a", tries: 2 }, false, true);
  assert.deepEqual([round.wrong.size, round.done.again, round.done.rightAgain], [0, 1, 0]);
});

test("right answers are told of the first and the last ones, over the answers so far", () => {
  const blocks = [
    { time: 1, answers: 10, right: 4 },
    { time: 2, answers: 10, right: 8 },
    { time: 3, answers: 6, right: 3 },
  ];
  assert.deepEqual(pointsOf(blocks), [
    [10, 40],
    [20, 80],
    [26, 50],
  ]);
  assert.equal(
    courseWords({ name: "new positions", blocks }),
    "New positions: 40\u00a0% of the first 10 right, 50\u00a0% of the last 6.",
  );
  assert.equal(
    courseWords({ name: "cards", blocks: blocks.slice(0, 1) }),
    "Cards: 40\u00a0% of 10 right.",
  );
});

test("a kind leaves out a score that says nothing", () => {
  assert.equal(kindName("holding game, other play, other scores"), "holding game, positional play");
  assert.equal(
    kindName("holding game, other play, gammon-go"),
    "holding game, positional play, gammon-go",
  );
});

test("the kind of a new position names no mistake", () => {
  assert.equal(
    ideaName("other positions, missed hit, money"),
    "other middle game, about a hit, money",
  );
  assert.equal(ideaName("prime, other play, other scores"), "prime");
  assert.equal(ideaName("race, wrong take"), "race, about a take");
  assert.equal(
    ideaName("prime, missed point, double match point"),
    "prime, about a point, double match point",
  );
});

test("a page has one judge: the deepest answer, with its best play first", () => {
  const told = {
    answer: "a",
    best: "a",
    made: "b",
    right: true,
    loss: 0,
    made_loss: 0.1,
    why: {},
    equities: [
      { decision: "a", equity: 0.5, plies: 3 },
      { decision: "b", equity: 0.4, plies: 3 },
    ],
  };
  const judged = (plays, plies = null, games = 1296) => ({
    analysed: { loss: 0.02, decision: { plays } },
    plies,
    games,
  });
  const rolled = judgedBy(
    told,
    judged([
      { play: "b", equity: 0.5 },
      { play: "a", equity: 0.45 },
    ]),
  );
  assert.deepEqual(
    [rolled.best, rolled.loss.toFixed(3), rolled.right, rolled.made_loss, rolled.why],
    ["b", "0.050", false, 0.02, null],
  );
  assert.deepEqual(
    rolled.equities.map(({ decision, games }) => [decision, games]),
    [
      ["b", 1296],
      ["a", 1296],
    ],
  );
  // What a rollout lacks keeps its loss by the search.
  const lacks = judgedBy(
    { ...told, loss: 0.03 },
    judged([
      { play: "b", equity: 0.5 },
      { play: "c", equity: 0.4 },
    ]),
  );
  assert.deepEqual(
    [lacks.best, lacks.loss, lacks.right, lacks.equities.at(-1).decision],
    ["b", 0.03, true, "a"],
  );
  const four = judgedBy(
    told,
    judged(
      [
        { play: "b", equity: 0.5, plies: 4 },
        { play: "a", equity: 0.49, plies: 4 },
      ],
      4,
      null,
    ),
  );
  assert.deepEqual([four.loss.toFixed(3), four.right, four.equities[0].plies], ["0.010", true, 4]);
  // The call of a cube decision by the three equities.
  const cube = (answer, no, take) =>
    judgedBy(
      {
        ...told,
        answer,
        equities: ["no double", "double, take", "double, pass"].map((decision) => ({ decision })),
      },
      {
        analysed: {
          xgid: "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:3:0:10",
          loss: 0,
          decision: { no_double: no, double_take: take, double_pass: 1 },
        },
        plies: 4,
        games: null,
      },
    );
  assert.deepEqual(
    [cube("no double", 0.4, 0.5).best, cube("no double", 0.4, 0.5).loss.toFixed(3)],
    ["double, take", "0.100"],
  );
  assert.deepEqual(
    [cube("double", 0.6, 0.5).best, cube("double", 1.2, 1.5).best, cube("double", 0.9, 1.5).loss],
    ["no double, take", "too good to double, pass", 0],
  );
  assert.deepEqual(
    [cube("take", 0, 1.25).best, cube("take", 0, 1.25).loss, cube("pass", 0, 0.75).loss],
    ["pass", 0.25, 0.25],
  );
  assert.deepEqual(
    [cube("beaver", 0, 0.5).loss, cube("beaver", 0, -0.5).loss, cube("take", 0, -0.5).loss],
    [0.5, 0, 0.25],
    "a beaver doubles a take",
  );
});

test("a question of a test is read from its XGID, seen by X", () => {
  const rolled = cardOf("XGID=------E-D-a-cB---bbdcBAA--:1:1:1:65:0:1:0:5:10");
  assert.deepEqual(
    [rolled.asks, rolled.dice, rolled.cube, rolled.owner],
    ["play", [6, 5], 2, "you"],
  );
  assert.deepEqual([rolled.board[6], rolled.board[10], rolled.board[21]], [5, -1, 2]);
  // O has doubled, and X answers.
  const doubled = cardOf("XGID=------E-D-a-cB---bbdcBAA--:1:-1:-1:D:0:1:0:5:10");
  assert.deepEqual(
    [doubled.asks, doubled.dice, doubled.cube, doubled.owner],
    ["take", null, 2, "other"],
  );
  assert.deepEqual(doubled.board, rolled.board);
  assert.equal(cardOf("XGID=------E-D-a-cB---bbdcBAA--:1:1:1:00:0:1:0:5:10").asks, "double");
});

test("a card finds its decision by names, game, turn and board", () => {
  const xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10";
  const { board } = cardOf(xgid);
  const decision = (more) => ({
    player: 1,
    roll: 3,
    id: "4HPwATDgc/ABMA",
    xgid,
    decision: { plays: [], dice: "31" },
    ...more,
  });
  const call = decision({ decision: { call: "no double" } });
  const answer = {
    matches: [
      { people: ["bob", "Anna"], games: [{ decisions: [] }, { decisions: [call, decision({})] }] },
    ],
  };
  const origin = { player: "anna", opponent: "bob", game: 2, roll: 3 };
  const find = (asks, more = {}, points = board) =>
    placeOfCard(answer, { asks, board: points }, { ...origin, ...more })?.entry.index ?? null;
  assert.deepEqual([find("play"), find("double"), find("take")], [1, 0, null]);
  assert.deepEqual(
    [
      find("play", { opponent: "eve" }),
      find("play", { game: 1 }),
      find("play", { game: 9 }),
      find("play", { roll: 4 }),
      find("play", {}, [0]),
    ],
    [null, null, null, null, null],
  );
});

test("a difference between tests is told with its error, and as none where the error is larger", () => {
  assert.equal(
    changeWords([-0.031, 0.045]),
    "Last test less first: −0.031 ± 0.045. That is within the error: the tests do not tell a difference.",
  );
  assert.match(changeWords([-0.05, 0.045]), /You lose less/);
  assert.match(changeWords([0.05, 0.045]), /You lose more/);
});

test("the answer to a cube decision names its line of the table", () => {
  const lines = (take, pass) =>
    ["no double", "double, take", "double, pass"].map((decision, i) => ({
      decision,
      equity: [0.5, take, pass][i],
    }));
  const of = (call, take = 0.6) => lineOfCall(call, lines(take, 1));
  assert.deepEqual(
    ["no double", "take", "pass", "drop", "double"].map((call) => of(call)),
    ["no double", "double, take", "double, pass", "double, pass", "double, take"],
  );
  assert.equal(of("double", 1.2), "double, pass", "the opponent passes");
});

test("the deck tells the PR with its interval, as text", () => {
  const made = () => ({
    children: [],
    setAttribute() {},
    addEventListener() {},
    append(...all) {
      this.children.push(
        ...all.map((one) => (typeof one === "object" && "children" in one ? one : `${one}`)),
      );
    },
  });
  globalThis.document = { createElement: made };
  const textOf = (one) => (typeof one === "string" ? one : one.children.map(textOf).join(""));
  const overview = {
    player: "Anna",
    matches: 1,
    decisions: 98,
    pr: [3.1, 2.1],
    cards: 4,
    answers: 0,
    shares: { plans: [], mistakes: [] },
  };
  const text = deckPart(overview, "").map(textOf).join(" ");
  delete globalThis.document;
  assert.match(
    text,
    /1 match made into cards, with 98 decisions, PR 3\.1 \(95\s%: 1\.0 to 5\.2\)\. 4 cards/,
  );
});

test("the best play is drawn alone, another answer beside it", () => {
  const kinds = (answer) => arrowsOf({ answer, best: "8/5 6/5" }).map(({ kind }) => kind);
  assert.deepEqual([kinds("8/5 6/5"), kinds("24/23 13/10")], [["both"], ["played", "best"]]);
});

test("a round and its wrong answers survive a reload, and a card comes again until it is right", () => {
  const kept = {};
  globalThis.localStorage = {
    getItem: (key) => kept[key] ?? null,
    setItem: (key, value) => {
      kept[key] = value;
    },
  };
  const [one, other] = [{ xgid: "one", fresh: true }, { xgid: "other" }];
  const round = new Round();
  round.answer("Anna", one, false);
  round.answer("Anna", other, false);
  round.answer("Anna", other, true);
  round.skip("Anna");
  const again = new Round();
  again.take("Anna", []);
  assert.deepEqual(again.done, { answers: 2, right: 0, again: 1, rightAgain: 1, skipped: 1 });
  assert.deepEqual(
    [...again.wrong.values()],
    [{ xgid: "one", fresh: false }],
    "skipped, it still comes again",
  );
  assert.deepEqual(again.begin("Anna"), {
    answers: 2,
    right: 0,
    again: 1,
    rightAgain: 1,
    skipped: 1,
  });
  assert.equal(
    roundWords({ answers: 5, right: 2, again: 3, rightAgain: 3 }),
    "2 of 5 right at first, 3 of 3 repeats right. Every answer is kept.",
  );
  assert.equal(roundWords({ answers: 0, right: 0, again: 0, rightAgain: 0 }), "");
  again.take("Anna", [one]);
  assert.deepEqual(
    [again.done.answers, again.wrong.size],
    [0, 0],
    "a card that is due is asked anyway",
  );
  again.take("bob", []);
  assert.equal(again.wrong.size, 0, "the cards of another player");
  kept["nonet-practise-again"] = "not ours";
  again.take("Anna", []);
  assert.equal(again.wrong.size, 0);
});

test("new questions come behind the one that is asked, and before those that come again", () => {
  const names = (ahead, more) =>
    withNew(
      ahead.map(([name, again]) => ({ name, again })),
      more.map((name) => ({ name })),
    ).map(({ name }) => name);
  assert.deepEqual(
    names(
      [
        ["asked", true],
        ["again", true],
        ["first", false],
      ],
      ["new"],
    ),
    ["asked", "first", "new", "again"],
  );
  assert.deepEqual(names([], ["new"]), ["new"]);
});

test("a browser without cards of its own takes those of nobody", () => {
  const before = globalThis.localStorage;
  const kept = new Map();
  globalThis.localStorage = /** @type {any} */ ({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
  });
  assert.deepEqual(ownPlayers(["Anna", "you"]), []);
  assert.equal(newName(["Anna", "YOU"]), "");
  assert.equal(newName(["Anna"]), "you");
  // Cards of the same name may be the person's, from another browser.
  assert.deepEqual([namesake(["Anna", "YOU"]), namesake(["Anna"])], ["YOU", undefined]);
  assert.match(nameless(["YOU"]), /These cards are mine/);
  assert.doesNotMatch(nameless(["Anna"]), /These cards are mine/);
  // Whoever says that cards are theirs has them from then on.
  kept.set("nonet-own-decks", JSON.stringify(["Anna"]));
  assert.deepEqual(ownPlayers(["Anna", "you"]), ["Anna"]);
  kept.set("nonet-own-decks", JSON.stringify(["YOU"]));
  assert.equal(namesake(["YOU"]), undefined);
  globalThis.localStorage = before;
});

test("the heading of a verdict fits its mark", () => {
  const graded = [
    [true, 0.03],
    [false, 0.03],
    [false, 0.05],
    [false, 0.1],
    [false, 0.475],
  ].map(([right, loss]) => gradeOf({ right, loss }));
  assert.deepEqual(graded, ["right", "wrong", "doubtful", "bad", "veryBad"]);
});

test("a cube that was turned is redoubled, in every word of it", async () => {
  const { cubeWords, withoutAnswer } = await import("../../src/assets/common/cube-words.js");
  const { askedOf } = await import("../../src/assets/practise/question.js");
  const { headOf } = await import("../../src/assets/practise/verdict.js");
  assert.deepEqual(
    ["No double", "Double, take", "Too good to double, pass", "Redouble, pass", "take"].map(
      (words) => cubeWords(words, true),
    ),
    ["No redouble", "Redouble, take", "Too good to redouble, pass", "Redouble, pass", "Take"],
  );
  assert.equal(cubeWords("No double"), "No double");
  // Without a double there is no take.
  assert.deepEqual(
    [
      "No double, take",
      "no redouble, take",
      "Double, take",
      "Too good to double, pass",
      "24/22 13/8",
    ].map(withoutAnswer),
    ["No double", "no redouble", "Double, take", "Too good to double, pass", "24/22 13/8"],
  );
  const card = (owner) => ({
    asks: "double",
    xgid: `XGID=-b----E-C---eE---c-e----B-:1:${owner}:1:00:0:0:0:7:10`,
  });
  assert.deepEqual(
    [0, 1].map((owner) => askedOf(card(owner))),
    ["Double, or no double?", "Redouble, or no redouble?"],
  );
  assert.equal(
    headOf({ right: false, loss: 0.1, answer: "no double" }, card(1).xgid),
    "No redouble loses 0.100 points",
  );
});
