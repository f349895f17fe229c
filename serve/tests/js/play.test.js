// Playing: what a click means, the clock, the settings.
import assert from "node:assert/strict";
import test from "node:test";
import { START, moved, unmoved } from "../../src/assets/board/position.js";
import { Roll } from "../../src/assets/board/roll.js";
import { SETTINGS, choose, moveTime, setting } from "../../src/assets/common/settings.js";
import { clockWords, left, minutes } from "../../src/assets/play/clock.js";
import { Picking, byDie, movedWords, towards } from "../../src/assets/play/picking.js";

// Nothing is said without a page.
globalThis.document = { querySelectorAll: () => [], addEventListener: () => {} };
globalThis.addEventListener = () => {};
globalThis.location = new URL("http://127.0.0.1/");
const { curveOf, lastOf, standingOf } = await import("../../src/assets/play/course.js");
const { evenPlays, gammonsCount, toDo } = await import("../../src/assets/play/hint.js");
const { choicesOf } = await import("../../src/assets/play/explained.js");
const { cubeOf, questionOf } = await import("../../src/assets/play/shown.js");
const { t } = await import("../../src/assets/common/words.js");

/** The start with 31, with the plays that matter here. */
function roll31() {
  const after = (...steps) =>
    steps.reduce((board, [from, to]) => moved(board, from, to, true).board, [...START]);
  const play = (name, ...steps) => ({ play: name, board: after(...steps) });
  return new Roll(
    [...START],
    [3, 1],
    [
      play("8/5 6/5", [8, 5], [6, 5]),
      play("8/4", [8, 5], [5, 4]),
      play("24/23 13/10", [24, 23], [13, 10]),
    ],
  );
}

const picked = (roll) => {
  const made = [];
  const owner = {
    move: (path) => {
      made.push(path.map(({ from, to }) => `${from}/${to}`).join(" "));
      roll.make(path);
    },
    render: () => {},
  };
  const picking = new Picking(owner);
  picking.begin(roll);
  return { picking, made };
};

test("a click moves by the first die, the second button by the second one, and dice can be exchanged", () => {
  assert.equal(byDie(roll31(), 8, [3, 1])?.to, 5);
  assert.equal(byDie(roll31(), 8, [1, 3])?.to, 7);
  // Where the first die cannot be played, the other one is.
  assert.equal(byDie(roll31(), 6, [3, 1])?.to, 5);
  assert.equal(byDie(roll31(), 17, [3, 1]), null);
  const { picking, made } = picked(roll31());
  picking.swap();
  picking.point(8, { second: false, key: false });
  assert.deepEqual(made, ["8/7"]);
});

test("a click on a point makes it, or moves the one checker that can go there", () => {
  const { picking, made } = picked(roll31());
  picking.point(5, { second: false, key: false });
  assert.deepEqual(made, ["8/5 6/5"]);
  assert.deepEqual(
    towards(roll31(), 23)?.map(({ from, to }) => [from, to]),
    [[24, 23]],
  );
  assert.equal(towards(roll31(), 2), null);
});

test("what was moved is told with its hits", () => {
  const board = [...START];
  board[11] = -1;
  const after = moved(moved(board, 13, 11, true).board, 24, 23, true).board;
  const roll = new Roll(board, [2, 1], [{ play: "24/23 13/11*", board: after }]);
  const path = roll.pathTo(roll.plays[0]);
  assert.equal(path.length, 2);
  assert.equal((movedWords(path, board).match(/\*/g) ?? []).length, 1);
  assert.match(movedWords(path, board), /13\/11\*/);
});

test("a play of the list of hints is put on the board move by move", () => {
  const roll = roll31();
  for (const play of roll.plays) {
    const path = roll.pathTo(play);
    assert.equal(path.length, 2, play.play);
    assert.deepEqual(path.at(-1).next, play.board);
    roll.make(path);
    assert.equal(roll.play(), play);
    roll.clear();
  }
  assert.equal(roll.pathTo({ play: "6/2", board: [...START] })?.length, 0);
  assert.equal(roll.pathTo({ play: "24/10", board: [...START].fill(0) }), null);
});

test("the keyboard picks a checker and then its target, and lets go of it", () => {
  const { picking, made } = picked(roll31());
  picking.point(8, { second: false, key: true });
  assert.equal(picking.selected, 8);
  assert.deepEqual(
    picking.targets().sort((a, b) => a - b),
    [4, 5, 7],
  );
  picking.point(4, { second: false, key: true });
  assert.equal(made.length, 1);
  assert.ok(["8/5 5/4", "8/7 7/4"].includes(made[0]));
  const other = picked(roll31());
  other.picking.point(8, { second: false, key: true });
  other.picking.point(8, { second: false, key: true });
  assert.deepEqual([other.picking.selected, other.made], [null, []]);
});

test("a drag takes what can move alone, and falls back where it may not go", () => {
  const { picking, made } = picked(roll31());
  assert.equal(picking.drag(17), false);
  assert.equal(picking.drag(8), true);
  picking.drop(8, 2);
  assert.deepEqual([picking.selected, made], [null, []]);
  picking.drag(8);
  picking.drop(8, 5);
  assert.deepEqual(made, ["8/5"]);
});

test("a play of the other player is undone on the board, but for what it has hit", () => {
  const steps = [
    [1, 5],
    [12, 15],
  ];
  const after = steps.reduce(
    (board, [from, to]) => moved(board, from, to, false).board,
    [...START],
  );
  assert.deepEqual(unmoved(after, steps), [...START]);
});

test("a turn has its own seconds before it takes from the reserve", () => {
  const clock = { delay: 12000, reserve: 120000 };
  assert.deepEqual(left(clock, 5000), { turn: 7000, reserve: 120000 });
  assert.deepEqual(left(clock, 20000), { turn: 0, reserve: 112000 });
  assert.deepEqual(left(clock, 500000), { turn: 0, reserve: 0 });
  assert.deepEqual([minutes(61000), minutes(500), minutes(0)], ["1:01", "0:01", "0:00"]);
});

test("a clock says what it gives to a match and to games for money", () => {
  assert.equal(clockWords("fast", 5), "Fast: 8 s a turn + 1 min a point");
  assert.equal(clockWords("fast", 0), "Fast: 8 s a turn + 3 min in all");
  assert.equal(clockWords("slow", 0), "Calm: 25 s a turn + 9 min in all");
  assert.equal(clockWords("none", 0), "None");
});

test("a setting has the first of its values until another is chosen, and never an unknown one", () => {
  for (const name of Object.keys(SETTINGS)) assert.equal(setting(name), SETTINGS[name][0], name);
  choose("board", "marble");
  assert.equal(setting("board"), "walnut");
  assert.equal(moveTime(), 300);
});

test("a cube decision says what to do", () => {
  for (const [action, redouble, words] of [
    ["no-double", false, "roll"],
    ["too-good", false, "play-on"],
    ["double", false, "double"],
    ["double", true, "redouble"],
  ]) {
    assert.equal(toDo({ action, redouble }), words);
    assert.notEqual(t(`play.hint.do.${words}`), `play.hint.do.${words}`);
  }
});

test("the question names what may be done with the cube, and a Crawford game has none", () => {
  const view = (may, value, crawford) => ({
    turn: "roll",
    may_double: may,
    rules: { length: 5, crawford },
    cube: { value, owner: value > 1 ? "you" : null, offered: null },
  });
  assert.equal(questionOf(view(true, 1, false)), "Roll or double?");
  assert.equal(questionOf(view(true, 2, false)), "Roll or redouble?");
  assert.equal(cubeOf(view(false, 1, true)), null);
  assert.equal(cubeOf(view(true, 2, false))?.value, 2);
});

test("a hint names the hit where there are several", async () => {
  const { hitsToChoose } = await import("../../src/assets/play/hint-steps.js");
  const plays = ["24/15", "24/21*/15", "8/5* 13/7", "24/21* 8/2*", "bar/22*/18"];
  assert.deepEqual(hitsToChoose(plays, "24/21*/15"), [21]);
  assert.deepEqual(hitsToChoose(plays, "24/21* 8/2*"), [21, 2]);
  assert.deepEqual(hitsToChoose(plays, "24/15"), []);
  assert.deepEqual(hitsToChoose(["24/21*/15", "24/21* 8/2"], "24/21*/15"), []);
});

test("a hint on the cube tells whoever is behind to roll", async () => {
  const { ideaWords } = await import("../../src/assets/play/hint-steps.js");
  const idea = { kind: "idea-threats", values: {} };
  const answer = (action, win, take = 0.2) => ({
    idea,
    cube: { action, outcomes: { win }, double_take: take, double_pass: 1 },
  });
  assert.equal(
    ideaWords(answer("no-double", 0.336), true),
    t("play.hint.behind", { win: "33.6\u00a0%" }),
  );
  // Whoever is ahead looks for rolls that lose the market; so does who may double although behind.
  for (const [action, win] of [
    ["no-double", 0.6],
    ["double", 0.45],
  ])
    assert.equal(ideaWords(answer(action, win), true), t("why.say.idea-threats"));
  assert.equal(ideaWords(answer("too-good", 0.8, 1.1), true), t("play.hint.passes"));
  // Who is doubled answers.
  assert.equal(ideaWords(answer("no-double", 0.3), false), t("why.say.idea-threats"));
});

test("the tutor's loss of a cube decision is that of the hint's table", async () => {
  const { lossOfCube } = await import("../../src/assets/play/tutor.js");
  // The table shows 51.8 % and 46.7 %, and a loss of 5.2 %: 0.5184 less 0.4665, rounded once.
  const cube = {
    no_double: 0.1004,
    double_take: -0.0496,
    double_pass: 1,
    redouble: false,
    match_winning_chances: [0.5184, 0.4665, 0.7],
  };
  const { loss, match_loss } = lossOfCube("double", cube);
  assert.deepEqual([loss.toFixed(3), match_loss.toFixed(3)], ["0.150", "0.052"]);
  assert.deepEqual(lossOfCube("double", null), {});
  const taken = lossOfCube("take", { ...cube, double_take: 1.2, match_winning_chances: null });
  assert.deepEqual([taken.loss.toFixed(3), taken.match_loss], ["0.200", undefined]);
});

test("the tutor's first reason is about the play that it has stopped", async () => {
  const { reasonsAgainst } = await import("../../src/assets/play/tutor.js");
  const [of, both] = [
    { kind: "does-but", values: { play: "13/9" } },
    { kind: "can-hit-both", values: { play: "13/9", other: "8/4" } },
  ];
  const said = [
    { kind: "better", values: { better: "8/4", worse: "13/9" } },
    { kind: "does", values: { play: "8/4" } },
    both,
    of,
  ];
  assert.deepEqual(reasonsAgainst({ said, better: { play: "8/4" }, worse: { play: "13/9" } }), [
    of,
  ]);
});

test("a second click on the button that was pressed lets nothing stand", async () => {
  const { letStand } = await import("../../src/assets/play/tutor.js");
  const made = [];
  const game = (since) => ({
    view: null,
    stopped: { action: { action: "double" }, since },
    log: { markNext: () => {} },
    act: () => made.push(since),
  });
  letStand(game(performance.now()));
  letStand(game(-1000));
  assert.deepEqual(made, [-1000]);
});

test("a hint tells of gammons only where they count", () => {
  const view = (length, score, cube, jacoby = false) => ({
    rules: { length, crawford: false, jacoby, beavers: false },
    score,
    cube,
  });
  const [centred, turned] = [
    { value: 1, owner: null, offered: null },
    { value: 2, owner: "you", offered: null },
  ];
  assert.deepEqual(gammonsCount(view(1, [0, 0], centred)), [false, false]);
  assert.deepEqual(gammonsCount(view(3, [2, 0], centred)), [false, true]);
  assert.deepEqual(gammonsCount(view(5, [0, 3], turned)), [true, false]);
  assert.deepEqual(gammonsCount(view(null, [0, 0], centred, true)), [false, false]);
  assert.deepEqual(gammonsCount(view(null, [0, 0], turned, true)), [true, true]);
});

test("the opponent's last plays begin on the board of the play before them", () => {
  const row = (game, player, board) => ({
    game,
    player,
    dice: [3, 1],
    play: "a play",
    steps: [],
    board,
    win: 0.5,
  });
  const [a, b, c] = [
    [...START],
    moved([...START], 8, 5, true).board,
    moved([...START], 6, 5, true).board,
  ];
  const rows = [row(1, "nonet", a), row(1, "you", b), row(1, "nonet", c)];
  assert.deepEqual(
    lastOf({ game: 1 }, rows).map(({ before }) => before),
    [b],
  );
  assert.deepEqual(lastOf({ game: 2 }, rows), []);
  assert.deepEqual(lastOf({ game: 1 }, rows.slice(0, 2)), []);
  assert.equal(lastOf({ game: 2 }, [...rows, row(2, "nonet", a)]).length, 1);
});

test("once all dice are played, a click on a checker says so", () => {
  const said = [];
  const place = {
    closest: () => null,
    set textContent(text) {
      said.push(text);
    },
  };
  globalThis.document = { querySelectorAll: () => [place] };
  const { picking } = picked(roll31());
  picking.point(5, { second: false, key: false });
  picking.point(13, { second: false, key: false });
  globalThis.document = { querySelectorAll: () => [] };
  assert.match(said.at(-1), /^The roll is played/);
});

test("the tutor stops what its setting says, the slightest mistakes from the limit of the server on", async () => {
  const { isStopped } = await import("../../src/assets/play/tutor.js");
  const judged = (loss, mark) => ({ loss, mark, limit: 0.04 });
  const [slight, bad, blunder] = [judged(0.05, "?!"), judged(0.1, "?"), judged(0.3, "??")];
  assert.deepEqual(
    [slight, bad, blunder].map((one) => isStopped(one, "doubtful")),
    [true, true, true],
  );
  assert.deepEqual(
    [slight, bad, blunder].map((one) => isStopped(one, "bad")),
    [false, true, true],
  );
  assert.deepEqual(
    [slight, bad, blunder].map((one) => isStopped(one, "veryBad")),
    [false, false, true],
  );
  assert.equal(isStopped(judged(0.039, ""), "doubtful"), false);
  assert.equal(isStopped(blunder, "off"), false);
  assert.deepEqual(SETTINGS.tutor[0], "off");
});

test("the chart of a match goes on from game to game, and games for money end at 0 or 100", () => {
  const row = (game, win, match) => ({ game, win, match_win: match });
  const same = (chance) => chance;
  const match = curveOf(
    [row(1, 0.5, 0.5), row(1, 0.9, 0.6), row(2, 0.5, 0.7)],
    [{ game: 1, winner: "you", points: 1, match_win: 0.7 }],
    same,
  );
  assert.deepEqual(match, [
    [1, 50],
    [2, 60],
    [2.5, 70],
    [3, 70],
  ]);
  const ended = [
    { game: 1, winner: "you", points: 1, match_win: null },
    { game: 2, winner: "nonet", points: 1, match_win: null },
  ];
  const money = curveOf([row(1, 0.75, null), row(2, 0.25, null)], ended, same);
  assert.deepEqual(money, [
    [1, 75],
    [1.5, 100],
    [1.5, NaN],
    [2, 25],
    [2.5, 0],
  ]);
});

test("help of a match is remembered once a decision, and the costliest first tries come first", async () => {
  const { changedIn, costliest, helpIn, isHelpIn, keepHint, keepStood, keepStop } =
    await import("../../src/assets/play/half-made.js");
  const kept = new Map();
  const store = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
  };
  const stop = (xgid, loss, share) => ({
    xgid,
    decision: "a",
    best: "b",
    isPlay: true,
    mark: "?",
    loss,
    match_loss: share,
  });
  assert.deepEqual(helpIn("one", store), { hints: [], stops: [] });
  for (const xgid of ["p", "p", "q"]) keepHint("one", xgid, store);
  // The second try at a decision was made after the tutor had spoken.
  for (const one of [
    stop("p", 0.1, 0.02),
    stop("p", 0.5, 0.09),
    stop("q", 0.2, 0.01),
    stop("r", 0.1, 0.05),
  ])
    keepStop("one", one, store);
  const help = helpIn("one", store);
  assert.deepEqual(
    [help.hints, help.stops.map(({ xgid }) => xgid).sort()],
    [
      ["p", "q"],
      ["p", "q", "r"],
    ],
  );
  assert.deepEqual(
    costliest(help.stops, 2).map(({ xgid }) => xgid),
    ["r", "p"],
  );
  // Whoever lets the first try stand had no help with it; a second try is another decision.
  const changed = () =>
    changedIn(helpIn("one", store))
      .map(({ xgid }) => xgid)
      .sort();
  keepStood("one", { xgid: "q", decision: "c" }, store);
  assert.deepEqual(changed(), ["p", "q", "r"]);
  keepStood("one", { xgid: "q", decision: "a" }, store);
  assert.deepEqual(changed(), ["p", "r"]);
  // Every stop counts, whatever came of it.
  const { helpWords } = await import("../../src/assets/play/review.js");
  assert.equal(
    helpWords(helpIn("one", store)),
    "PR judges what you played in the end, with help: 4 stops by the tutor (1 let stand) and 2 answers of hints.",
  );
  keepStop("two", stop("p", 0.1, 0.02), store);
  keepStood("two", { xgid: "p", decision: "a" }, store);
  assert.equal(
    helpWords(helpIn("two", store)),
    "The tutor stopped you 1 time, and you let it stand.",
  );
  // Old matches make room.
  for (let i = 0; i < 30; i += 1) keepHint(`m${i}`, "p", store);
  assert.deepEqual(helpIn("one", store).hints, []);
  assert.deepEqual(helpIn("m29", store).hints, ["p"]);
  assert.deepEqual(
    ["m29.mat", "m29", "other.mat"].map((name) => isHelpIn(name, store)),
    [true, false, false],
  );
  kept.set("nonet-help", "{");
  assert.deepEqual(helpIn("m29", store), { hints: [], stops: [] });
});

test("after a match that was won, the next level is offered", async () => {
  const { levelToGoOn } = await import("../../src/assets/play/levels.js");
  const levels = [
    { name: "newcomer", pr: 33 },
    { name: "casual-player", pr: 22 },
    { name: "champion", pr: null },
  ];
  const row = (id, level, score, over = true, other = "nonet") => ({
    id,
    level,
    score,
    over,
    names: ["you", other],
    length: 3,
  });
  assert.equal(
    levelToGoOn(
      [row("c", "casual-player", [1, 0], false), row("b", "newcomer", [3, 1])],
      levels,
      {},
    ),
    "casual-player",
  );
  assert.equal(
    levelToGoOn([row("b", "newcomer", [1, 3]), row("a", "newcomer", [3, 1])], levels, {}),
    null,
  );
  assert.equal(levelToGoOn([row("b", "champion", [3, 1])], levels, {}), null);
  assert.equal(levelToGoOn([row("b", "newcomer", [3, 1])], levels, { b: "run" }), null);
  assert.equal(levelToGoOn([row("b", "newcomer", [3, 1], true, "Ann")], levels, {}), null);
});

test("a match in the list has the PR of its newest analysis by the champion", async () => {
  const { analysedOf } = await import("../../src/assets/play/matches.js");
  const row = (id, name, state, pr) => ({
    id,
    name,
    state,
    net: "champion",
    matches: [{ pr: [pr, 9] }],
  });
  const found = analysedOf([
    row("c", "20261127-024907.mat", "working", null),
    { ...row("g", "20261127-024907.mat", "done", 7), net: "first/last" },
    row("b", "20261127-024907.mat", "done", 38.5),
    row("a", "20261127-024907.mat", "done", 40),
    row("d", "20261127-030039.mat", "done", null),
    row("e", "five-points.mat", "done", 3),
    { ...row("f", "20261127-040000.mat", "done", 3), matches: [] },
  ]);
  assert.deepEqual(
    [...found],
    [
      ["20261127-040000", { id: "f", pr: null }],
      ["20261127-030039", { id: "d", pr: null }],
      ["20261127-024907", { id: "b", pr: 38.5 }],
    ],
  );
});

test("a hint on the cube tells what each choice of the person is worth", () => {
  const cube = {
    no_double: 0.5,
    double_take: 0.75,
    double_pass: 1,
    redouble: false,
    match_winning_chances: [0.5, 0.625, 0.75],
  };
  assert.deepEqual(choicesOf(cube, false), [
    { name: "roll", equity: 0.5, match: 0.5 },
    { name: "double", equity: 0.75, match: 0.625 },
  ]);
  // The other player passes what would cost more than 1 point.
  assert.deepEqual(choicesOf({ ...cube, double_take: 1.5, redouble: true }, false)[1], {
    name: "redouble",
    equity: 1,
    match: 0.75,
  });
  assert.deepEqual(choicesOf({ ...cube, match_winning_chances: null }, true), [
    { name: "take", equity: -0.75, match: null },
    { name: "pass", equity: -1, match: null },
  ]);
  assert.equal(choicesOf(cube, true)[0].match, 0.375);
  // A take is worth half of the beaver that is better.
  const beavered = choicesOf(
    { ...cube, double_take: -0.5, answer: "beaver", match_winning_chances: null },
    true,
  );
  assert.deepEqual(
    beavered.map(({ name, equity }) => [name, equity]),
    [
      ["beaver", 0.5],
      ["take", 0.25],
      ["pass", -1],
    ],
  );
});

test("a play that was moved under another name is told in both", async () => {
  const { otherWords } = await import("../../src/assets/play/tutor.js");
  const moves = (...made) => ({
    made: made.map(([from, to]) => ({ from, to, board: START })),
    start: START,
    board: START,
  });
  assert.equal(otherWords(moves([8, 2], [13, 8]), "13/2"), "8/2 13/8");
  assert.equal(otherWords(moves([13, 8], [8, 2]), "13/2"), "");
  assert.equal(otherWords(moves([6, 5], [8, 5]), "8/5 6/5"), "");
  assert.equal(otherWords(moves(), "13/2"), "");
});

test("a double and its answer lose what the better choice is worth more", async () => {
  const { ofCube } = await import("../../src/assets/watch/verdict.js");
  const early = {
    no_double: 0.25,
    double_take: 0,
    double_pass: 1,
    match_winning_chances: [0.75, 0.5, 1],
  };
  assert.deepEqual(
    ["doubles", "takes", "passes"]
      .map((what) => ofCube(early, what))
      .map((one) => [one.loss, one.match_loss]),
    [
      [0.25, 0.25],
      [0, 0],
      [1, 0.5],
    ],
  );
  assert.equal(ofCube(early, "plays").loss, 0);
  const late = { no_double: 0.5, double_take: 1.5, double_pass: 1 };
  assert.equal(ofCube(late, "plays").loss, 0.5, "a double that was missed");
  assert.deepEqual(
    ["doubles", "takes", "passes"]
      .map((what) => ofCube(late, what))
      .map((one) => [one.loss, one.match_loss]),
    [
      [0, null],
      [0.5, null],
      [0, null],
    ],
  );
});

test("an earlier turn has the chances, the score and the cube of its time", () => {
  const row = (game, board, win) => ({ game, board: [board], steps: [[6, 5]], win });
  const calls = [
    { game: 2, player: "you", what: "doubles", value: 2, plays: 2 },
    { game: 2, player: "nonet", what: "takes", value: null, plays: 2 },
    { game: 2, player: "nonet", what: "doubles", value: 4, plays: 3 },
  ];
  const course = {
    rows: [row(1, 1, 0.5), row(2, 2, 0.6), row(2, 3, 0.7)],
    calls,
    ended: [
      { game: 1, winner: "nonet", points: 2 },
      { game: 2, winner: "you", points: 1 },
    ],
  };
  const at = (board) => standingOf(course, { board: [board], steps: [[6, 5]] });
  assert.deepEqual(at(1), { win: 0.5, score: [0, 0], cube: { value: 1, owner: null } });
  assert.deepEqual(at(2), { win: 0.6, score: [0, 2], cube: { value: 1, owner: null } });
  assert.deepEqual(at(3), { win: 0.7, score: [0, 2], cube: { value: 2, owner: "nonet" } });
  assert.equal(at(4), null);
});

test("a hint calls plays as good as each other that lose nothing as it is shown", () => {
  const play = (name, plies, chance, equity = chance) => ({
    play: name,
    plies,
    match_winning_chance: chance,
    equity,
  });
  assert.deepEqual(evenPlays([play("a", 3, 0.4751), play("b", 3, 0.4747), play("c", 3, 0.472)]), [
    "a",
    "b",
  ]);
  assert.deepEqual(evenPlays([play("a", 3, 0.475), play("b", 2, 0.475), play("c", 3, 0.472)]), []);
  assert.deepEqual(evenPlays([play("a", 1, null, 0.1004), play("b", 1, null, 0.1)]), ["a", "b"]);
  assert.deepEqual(evenPlays([play("only", 1, 0.5)]), []);
});
