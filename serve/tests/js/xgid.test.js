// The fields of an XGID, and boards that are set up by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  START,
  afterTake,
  badRoll,
  edited,
  isBeaver,
  isId,
  isPlayable,
  isWithoutGammons,
  isXgid,
  mended,
  pasted,
  readGnuId,
  readXgid,
  rollOf,
  rulesOf,
  shares,
  writeXgid,
  xgidIn,
} from "../../src/assets/position/xgid.js";

test("an XGID is read and written again", () => {
  for (const id of [START, "XGID=-b----E-C---eE---c-e----B-:1:1:1:63:2:5:1:7:10"])
    assert.equal(writeXgid(readXgid(id)), id);
  for (const none of [
    "",
    "4HPwATDgc/ABMA",
    "XGID=",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1",
    "XGID=-z----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
  ]) {
    assert.equal(isXgid(none), false);
    assert.equal(readXgid(none), null);
  }
});

test("an XGID is found in the text around it", () => {
  const id = "XGID=---BBCBcBA-A--A--c-cbcaA--:0:0:1:32:0:1:0:5:10";
  for (const text of [
    id,
    ` ${id}\n`,
    `${id} X to play 32`,
    `My game ${id}`,
    `${id}X:Player 1 O:Player 2Score is X:0 O:1`,
    id.replace("XGID", "xgid"),
  ])
    assert.equal(xgidIn(text), id, text);
  const offered = id.replace(":32:", ":D:");
  assert.equal(xgidIn(`${offered}X:Player 1`), offered);
  for (const text of ["4HPwATDgc/ABMA", "XGID=---BBCBcBA-A--A--c-cbcaA--:0:0:1", "My XGID"])
    assert.equal(xgidIn(` ${text} `), text);
});

test("an address of the page that is pasted keeps who is on roll, coded or not", () => {
  const id = "XGID=---BBCBcBA-A--A--c-cbcaA--:0:0:1:32:0:1:0:5:10";
  const coded = encodeURIComponent(id);
  for (const text of [
    id,
    coded,
    `http://a/position?id=${id}`,
    `http://a/position?ply=2&id=${coded} `,
  ])
    assert.deepEqual(pasted(text), { id, ofO: false }, text);
  for (const text of [`http://a/position?id=${id}&side=O`, `?id=${coded}&ply=1&side=O`])
    assert.deepEqual(pasted(text), { id, ofO: true }, text);
  assert.equal(pasted(id.replace(":1:32", ":-1:32")).ofO, true);
  assert.deepEqual(
    pasted(`From https://example.org/?id=5\n${id}\n100 % sure`),
    { id, ofO: false },
    "the XGID stands before the parameter of another address",
  );
  const gnu = "4HPwATDgc/ABMA:UYnqADAAKAAE";
  for (const text of [
    gnu,
    `http://a/position?id=${gnu}`,
    `http://a/position?id=${encodeURIComponent(gnu)}`,
  ])
    assert.deepEqual([pasted(text).id, isId(pasted(text).id)], [gnu, true], text);
  assert.deepEqual(pasted("http://a/position?id=4HPw+TDgc/ABMA").id, "4HPw+TDgc/ABMA");
  for (const text of [
    "Position ID: 4HPwATDgc/ABMA Match ID: UYnqADAAKAAE",
    " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : UYnqADAAKAAE\n +12-11-10",
    "Position ID: 4HPwATDgc/ABMAMatch ID: UYnqADAAKAAE",
  ])
    assert.equal(pasted(text).id, gnu, text);
  assert.equal(pasted("Position ID: 4HPwATDgc/ABMA").id, "4HPwATDgc/ABMA");
  for (const text of ["100 % sure", "%zz", "", "id="])
    assert.equal(isId(pasted(text).id), false, text);
});

test("a GNU ID has the roll, the cube, the score and the rules that gnubg showed", () => {
  // Match IDs of gnubg 1.08: `set score 3 5`, `set cube value 2`, `set cube owner 1`,
  // `set dice 5 2`.
  const of = (match) => {
    const { board, ...more } = readGnuId(`4HPwATDgc/ABMA:${match}`);
    assert.deepEqual(board, readXgid(START).board);
    return more;
  };
  assert.deepEqual(of("UYnqADAAKAAE"), {
    cube: 1,
    owner: 1,
    dice: "52",
    points: [5, 3],
    rules: 0,
    length: 7,
    most: 10,
  });
  assert.deepEqual(
    [of("MIEKAAAAAAAA").rules, of("MIEJAAAAAAAE").rules, of("MAHnAAAAAAAE").length],
    [1, 0, 7],
    "money with and without the Jacoby rule; a match to 7",
  );
  for (const none of [
    "4HPwATDgc/ABMA",
    "4HPwATDgc/ABMA:UYnq",
    "4HPwATDgc/ABMA:____________",
    START,
  ])
    assert.equal(readGnuId(none), null, none);
});

test("the player on roll is below, with their cube and points", () => {
  const read = readXgid("XGID=-b----E-C---eE---c-e----B-:1:-1:-1:00:2:5:0:7:10");
  assert.deepEqual([read.owner, read.points], [1, [5, 2]]);
  assert.equal(writeXgid(read), "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:5:2:0:7:10");
});

test("a score ends below the length, and a cube at 1 has no owner", () => {
  const fields = readXgid(START);
  assert.deepEqual(mended({ ...fields, length: 7, points: [9, -1], owner: 1 }), {
    ...fields,
    length: 7,
    points: [6, 0],
    owner: 0,
    rules: 1,
  });
  assert.deepEqual(mended({ ...fields, points: [9, 1] }).points, [0, 0]);
});

test("the Crawford game has one player a point away, and is certain if the other has none", () => {
  const fields = readXgid(START);
  const rules = (length, points, of) => mended({ ...fields, length, points, rules: of }).rules;
  assert.deepEqual(
    [rules(5, [4, 0], 0), rules(5, [0, 4], 0), rules(5, [4, 1], 0), rules(5, [4, 1], 1)],
    [1, 1, 0, 1],
  );
  assert.deepEqual(
    [rules(5, [4, 4], 1), rules(5, [3, 0], 1), rules(1, [0, 0], 1), rules(5, [3, 2], 3)],
    [0, 0, 0, 0],
  );
  assert.equal(rules(0, [0, 0], 3), 3, "money has its own rules");
});

test("an XGID names a roll that is none, and a beaver", () => {
  const id = (roll) => START.replace(":00:0:0:0", `:${roll}:0:0:0`);
  assert.deepEqual(
    ["73", "31", "00", "D", "B", "61"].map((roll) => badRoll(id(roll))),
    ["73", null, null, null, null, null],
  );
  assert.deepEqual(
    ["D", "B"].map((roll) => isBeaver(id(roll))),
    [false, true],
  );
});

test("checkers are put and taken one by one, fifteen a side at most", () => {
  const empty = new Array(26).fill(0);
  const two = edited(edited(empty, 4, "own"), 4, "own");
  assert.equal(two[4], 2);
  assert.equal(edited(two, 4, "take")[4], 1);
  assert.equal(edited(two, 4, "other")[4], -1);
  assert.equal(edited(empty, 25, "other")[0], -1);
  assert.equal(edited(edited(empty, 25, "other"), 25, "take")[0], 0);
  const full = empty.slice();
  full[6] = 15;
  assert.equal(edited(full, 5, "own"), null);
  assert.deepEqual([empty, two, edited(two, 23, "other")].map(isPlayable), [false, false, true]);
});

test("the shares of a bar add up to one", () => {
  const found = shares({
    win: 0.6,
    win_gammon: 0.2,
    win_backgammon: 0.01,
    lose_gammon: 0.1,
    lose_backgammon: 0.005,
  });
  assert.ok(Math.abs(found.reduce((a, b) => a + b, 0) - 1) < 1e-9);
  assert.ok(Math.abs(found[2] - 0.4) < 1e-9);
});

test("a roll is two numbers of dice, nothing is no roll yet, and anything else is none", () => {
  assert.deepEqual(["31", "3-1", " 6 6 ", "", " "].map(rollOf), ["31", "31", "66", "", ""]);
  assert.deepEqual(["7", "71", "10", "311", "a"].map(rollOf), [null, null, null, null, null]);
});

test("a double that is offered stays in the XGID", () => {
  const id = START.replace(":00:", ":D:");
  assert.equal(readXgid(id).offered, true);
  assert.equal(writeXgid(readXgid(id)), id);
  assert.equal(writeXgid({ ...readXgid(id), dice: "31" }), START.replace(":00:", ":31:"));
});

test("gammons count nothing where a single game decides for both", () => {
  const at = (length, points, cube) =>
    isWithoutGammons({ ...readXgid(START), length, points, cube });
  assert.deepEqual(
    [at(1, [0, 0], 0), at(5, [4, 4], 0), at(5, [4, 3], 0), at(5, [3, 3], 1), at(0, [0, 0], 0)],
    [true, true, false, true, false],
  );
});

test("the rolls of a double that is on the table follow a take", () => {
  const offered = readXgid("XGID=-b----E-C---eE---c-e----B-:1:1:1:D:2:5:0:7:10");
  assert.equal(
    writeXgid(afterTake(offered)),
    "XGID=-b----E-C---eE---c-e----B-:2:-1:1:00:2:5:0:7:10",
  );
  const rolled = readXgid("XGID=-b----E-C---eE---c-e----B-:1:1:1:63:2:5:0:7:10");
  assert.equal(writeXgid(afterTake(rolled)), "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:5:0:7:10");
});

test("1 among the rules is the Crawford game of a match, and Jacoby for money", () => {
  const of = (rules, length) => rulesOf({ rules, length });
  assert.deepEqual(
    [of(0, 3), of(1, 3)],
    [
      { length: 3, crawford: false },
      { length: 3, crawford: true },
    ],
  );
  assert.deepEqual([of(1, 0), of(3, 0)], Array(2).fill({ length: 0, crawford: false }));
});
