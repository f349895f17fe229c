// The state that a decision's XGID gives, seen by the player on roll.
import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOf, isYou, seatOfPerson } from "../../src/assets/common/players.js";
import {
  fieldsOf,
  seatBelow,
  titleOf,
  turnedAround,
} from "../../src/assets/decision/board-view.js";
import { isLight } from "../../src/assets/common/settings.js";
import { t } from "../../src/assets/common/words.js";

// Modules that ask a server read the address of the page.
globalThis.location = new URL("http://127.0.0.1/");
globalThis.document = { addEventListener: () => {} };
globalThis.addEventListener = () => {};
const { callName } = await import("../../src/assets/decision/decision-words.js");
const { gameEnds } = await import("../../src/assets/analyse/result.js");

test("scores and the cube belong to the player on roll, whichever side of the XGID that is", () => {
  const position = "XGID=-b----E-C---eE---c-e----B-";
  const x = fieldsOf(`${position}:1:1:1:42:3:1:0:5:10`);
  assert.deepEqual([x.owner, x.points, x.value], [1, [3, 1], 2]);
  const o = fieldsOf(`${position}:1:1:-1:42:3:1:0:5:10`);
  assert.deepEqual([o.owner, o.points, o.length], [-1, [1, 3], 5]);
});

test("the person sits below by default, else the player who decides", () => {
  const seats = [
    ["you", "nonet"],
    ["nonet", "You"],
    ["gnubg", "root"],
    ["Ann", "you"],
  ].map((names) => seatOfPerson(names, ["you", "Ann"]));
  assert.deepEqual(seats, ["first", "second", "decider", "second"]);
});

test("the person has the colour of their choice wherever they sit, and nobody else has", () => {
  const colours = [
    ["you", "nonet"],
    ["nonet", "You"],
    ["gnubg", "root"],
  ].map((names) => [0, 1].map((seat) => colourOf(names, seat, ["you"])));
  assert.deepEqual(colours, [
    ["own", "other"],
    ["other", "own"],
    ["light", "dark"],
  ]);
  assert.deepEqual(
    /** @type {const} */ (["own", "other", "light", "dark"]).map(isLight),
    [true, false, true, false],
    "until the person chooses, their own are light",
  );
});

test("one side keeps its place below, and the play goes with its checkers", () => {
  assert.deepEqual(
    ["decider", "first", "second"].map((below) => seatBelow({ player: 1 }, below)),
    [1, 0, 1],
  );
  const board = new Array(26).fill(0);
  Object.assign(board, { 25: 1, 6: 2, 20: -3 });
  const state = {
    board,
    off: [12, 11],
    cube: { value: 2, owner: "you", offered: null },
    dice: [5, 1],
    arrows: [
      {
        steps: [
          [25, 20],
          [6, 0],
        ],
        kind: "best",
      },
    ],
  };
  const seen = turnedAround(state);
  assert.deepEqual([seen.board[0], seen.board[19], seen.board[5], seen.off], [-1, -2, 3, [11, 12]]);
  assert.deepEqual([seen.cube.owner, seen.dice, seen.theirDice], ["nonet", undefined, [5, 1]]);
  assert.deepEqual(seen.arrows, [
    {
      steps: [
        [0, 5],
        [19, 25],
      ],
      kind: "best",
      own: false,
    },
  ]);
  assert.equal(
    turnedAround({ ...state, cube: null }).cube,
    null,
    "a match to one point has no cube",
  );
  assert.deepEqual(
    turnedAround({ ...seen, dice: seen.theirDice, theirDice: undefined }).board,
    board,
  );
});

test("a person without a name is you, whatever the language in which the match began", () => {
  assert.deepEqual(["you", "du", "Du", "dumas", "nonet"].map(isYou), [
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("a double of a cube that was turned is a redouble", () => {
  const position = "XGID=-b----E-C---eE---c-e----B-";
  const decision = (owner, call) => ({
    xgid: `${position}:1:${owner}:1:00:0:0:0:5:10`,
    decision: { call },
  });
  assert.deepEqual(
    [0, 1].map((owner) => callName(decision(owner, "no double"))),
    ["no double", "no redouble"],
  );
  assert.deepEqual(
    [0, 1].map((owner) => callName(decision(owner, "double"))),
    ["double", "redouble"],
  );
  assert.equal(callName(decision(-1, "take")), "take");
  assert.deepEqual(
    [0, 1].map((owner) => titleOf(decision(owner, "double"), "you")),
    [t("analyse.title.double.you"), t("analyse.title.redouble.you")],
  );
});

test("a game ends with the points that the match still needed, and tells those beyond", () => {
  const position = "XGID=-b----E-C---eE---c-e----B-";
  const game = (own, other, length, points, player = 1) => ({
    decisions: [{ player: 1, xgid: `${position}:0:0:1:31:${own}:${other}:0:${length}:10` }],
    won: { player, points },
  });
  // The player who decides has its score first.
  assert.deepEqual(
    gameEnds({
      names: ["you", "nonet"],
      length: 3,
      games: [game(0, 0, 3, 2, 0), game(1, 2, 3, 4)],
    }),
    ["you +2", "nonet +2 (4 won, 2 needed)"],
  );
  assert.deepEqual(gameEnds({ names: ["you", "nonet"], length: 3, games: [game(1, 2, 3, 2, 0)] }), [
    "you +1 (gammon, 1 needed)",
  ]);
  // The last decision is a take: the gammon is one of the doubled cube.
  const taken = game(1, 2, 3, 4, 0);
  taken.decisions.push({ ...taken.decisions[0], decision: { call: "take" } });
  assert.deepEqual(gameEnds({ names: ["you", "nonet"], length: 3, games: [taken] }), [
    "you +1 (gammon, 1 needed)",
  ]);
  assert.deepEqual(
    gameEnds({
      names: ["you", "nonet"],
      length: null,
      games: [game(0, 0, 0, 4), { decisions: [] }],
    }),
    ["nonet +4", ""],
  );
});
