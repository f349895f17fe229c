// The log of a match: what is taken back is not in it.
import assert from "node:assert/strict";
import test from "node:test";
import { START, moved, unmoved } from "../../src/assets/board/position.js";
import { Log, arrowsOf, isCrawford, turnedAround } from "../../src/assets/play/log.js";

/** As much of a page as the log needs. */
class Part {
  constructor(name) {
    Object.assign(this, { name, children: [], parent: null, on: {}, scrollTop: 0, tabIndex: 0 });
  }

  setAttribute(key, value) {
    this[key] = value;
  }
  addEventListener(kind, tell) {
    this.on[kind] = tell;
  }
  append(...parts) {
    for (const part of parts) this.put(part, this.children.length);
  }
  prepend(part) {
    this.put(part, 0);
  }
  put(part, at) {
    this.children.splice(at, 0, part);
    if (part instanceof Part) part.parent = this;
  }

  remove() {
    this.parent.children.splice(this.parent.children.indexOf(this), 1);
  }
  replaceChildren() {
    this.children = [];
  }
  querySelectorAll(names) {
    const isNamed = (one) =>
      names.split(", ").some((name) => one.name === name || `.${one.class}` === name);
    return this.children.flatMap((one) =>
      one instanceof Part ? [...(isNamed(one) ? [one] : []), ...one.querySelectorAll(names)] : [],
    );
  }

  querySelector(name) {
    return this.children.find((one) => one instanceof Part && `.${one.class}` === name) ?? null;
  }
  get text() {
    return this.children.map((one) => (one instanceof Part ? one.text : one)).join("");
  }
}

globalThis.document = { createElement: (name) => new Part(name), querySelectorAll: () => [] };

const steps = [
  [13, 10],
  [6, 5],
];
const after = steps.reduce((board, [from, to]) => moved(board, from, to, true).board, [...START]);
const shown = { board: after, steps, own: true, light: true };

/** A movement of the pointer. */
const MOVE = { movementX: 1, movementY: 0 };

test("the log shows the match as it stands after a decision is taken back", () => {
  const place = new Part("ol");
  const log = new Log(place, () => {});
  log.add("you won the opening roll", "you", null);
  log.begin();
  log.add("you play", "you", shown);
  log.add("nonet plays", "nonet", shown);
  log.begin();
  log.add("you double", "you", null);
  const lines = () => place.children.map((line) => line.text);
  assert.deepEqual(lines(), ["you double", "nonet plays", "you play", "you won the opening roll"]);
  assert.equal(log.takeBack(), true);
  assert.equal(log.takeBack(), true);
  assert.deepEqual(lines(), ["you won the opening roll"]);
  // The match before these lines is not known decision by decision.
  assert.equal(log.takeBack(), false);
});

test("a line shows its play on the board while it is pointed at", () => {
  const seen = [];
  const place = new Part("ol");
  const log = new Log(place, (what) => seen.push(what));
  log.add("you play", "you", shown);
  const [button] = place.querySelectorAll("button");
  // What slides below a pointer that rests is not pointed at.
  button.on.pointermove({ movementX: 0, movementY: 0 });
  button.on.pointerleave();
  assert.deepEqual(seen, []);
  for (const kind of ["pointermove", "pointermove", "pointerleave", "focus", "blur"])
    button.on[kind](MOVE);
  assert.deepEqual(seen, [shown, null, shown, null]);
  const [arrows] = arrowsOf(shown);
  assert.deepEqual([arrows.steps, arrows.before], [steps, [...START]]);
});

test("the other of two people sees the same play from the other side", () => {
  const other = turnedAround(shown);
  assert.deepEqual(
    [other.steps, other.own, other.light],
    [
      [
        [12, 15],
        [19, 20],
      ],
      false,
      false,
    ],
  );
  assert.deepEqual(unmoved(other.board, other.steps, false), [...START]);
  assert.deepEqual(turnedAround(other), shown);
});

test("a match that is opened again tells the opening roll of each game once", () => {
  const place = new Part("ol");
  const log = new Log(place, () => {});
  const row = (game, from, more) => ({
    game,
    player: "you",
    dice: [3, 1],
    play: "a play",
    win: 0.5,
    steps,
    board: from,
    ...more,
  });
  const rows = [
    row(1, after),
    row(1, after, { player: "nonet", dice: [2, 2], play: "", steps: [] }),
    row(2, after),
  ];
  const view = {
    names: ["you", "nonet"],
    two_people: false,
    light: true,
    events: [],
    rules: { length: null },
  };
  const openings = (events, told) => {
    log.clear();
    log.addRows({ ...view, events }, { rows, calls: [], ended: [] }, told);
    return place.children.filter((line) =>
      line.text.includes("Opening roll: you roll a 3, nonet a 1"),
    ).length;
  };
  assert.equal(openings([], 0), 2);
  // The last play is told again: its opening only if the match tells it as well.
  assert.deepEqual([openings([], 1), openings([{ what: "opens" }], 1)], [2, 1]);
  assert.equal(place.children.length, 3);
});

test("a click keeps the play of a line on the board until the next click, with its turn", () => {
  const seen = [];
  const place = new Part("ol");
  const log = new Log(place, (what, turn, words, held) =>
    seen.push(what ? [turn, words, held] : null),
  );
  log.add("an opening", "you", null, "opens");
  log.add("a first play", "you", shown);
  log.add("a double", "nonet", null, "doubles");
  log.add("a second play", "nonet", shown);
  log.add("the next opening", "nonet", null, "opens");
  log.add("a play of the next game", "nonet", shown);
  const [later, second] = place.querySelectorAll("button");
  for (const kind of ["pointermove", "click", "pointerleave", "click"]) second.on[kind](MOVE);
  assert.deepEqual(seen, [[2, "a second play", false], [2, "a second play", true], null]);
  later.on.click();
  log.letGo();
  assert.deepEqual(seen.slice(3), [[1, "a play of the next game", true], null]);
});

test("a match that is opened again tells its cube actions and the ends of its games", () => {
  const place = new Part("ol");
  const log = new Log(place, () => {});
  const row = (game, board, more) => ({
    game,
    player: "you",
    dice: [3, 1],
    play: "a play",
    win: 0.5,
    steps,
    board,
    ...more,
  });
  const rows = [row(1, after), row(2, after), row(2, after, { player: "nonet" })];
  const calls = [
    { game: 1, player: "nonet", what: "doubles", value: 2, plays: 1 },
    { game: 1, player: "you", what: "passes", value: null, plays: 1 },
    { game: 2, player: "nonet", what: "doubles", value: 4, plays: 2 },
    { game: 2, player: "you", what: "takes", value: null, plays: 2 },
    { game: 2, player: "you", what: "resigns", value: null, plays: 3 },
  ];
  const ended = [
    { game: 1, winner: "nonet", points: 1 },
    { game: 2, winner: "nonet", points: 4 },
  ];
  const view = {
    names: ["you", "nonet"],
    two_people: false,
    light: true,
    events: [],
    revision: 9,
    game: 2,
    rules: { length: null },
  };
  const lines = (events) => {
    log.clear();
    log.addRows({ ...view, events }, { rows, calls, ended }, 0);
    return place.children.map((line) => line.text).reverse();
  };
  const all = [
    "Opening roll: you roll a 3, nonet a 1. You begin.",
    "You roll 31: a play.",
    "nonet doubles to 2.",
    "You pass.",
    "nonet wins 1 point.",
    "Opening roll: you roll a 3, nonet a 1. You begin.",
    "You roll 31: a play.",
    "nonet redoubles to 4.",
    "You take.",
    "nonet rolls 31: a play.",
    "You resign.",
    "nonet wins 4 points.",
  ];
  assert.deepEqual(lines([]), all);
  // What the match tells again is left to it.
  assert.deepEqual(lines([{ what: "resigns" }, { what: "wins-match" }]), all.slice(0, -2));
});

test("the end of a match marks plays, cube actions and missed doubles of both, game by game", () => {
  const place = new Part("ol");
  const log = new Log(place, () => {});
  log.add("opening", "you", null, "opens");
  log.markNext("play", "?", "");
  log.add("play 1", "you", shown);
  log.add("play 2", "nonet", shown);
  log.add("double", "you", null, "doubles");
  log.add("take", "nonet", null, "takes");
  log.add("play 3", "you", shown);
  log.add("won", "you", null, "wins-game");
  log.add("opening 2", "you", null, "opens");
  log.add("play 1 of 2", "nonet", shown);
  const decision = (roll, mark, what) => ({ roll, mark, decision: what });
  log.markAll([
    {
      decisions: [
        decision(1, "??", { plays: [] }),
        decision(2, "?!", { call: "no double" }),
        decision(2, "", { plays: [] }),
        decision(3, "?", { call: "double" }),
        decision(3, "", { call: "take" }),
      ],
    },
    { decisions: [decision(1, "?!", { plays: [] })] },
  ]);
  assert.deepEqual(place.children.map((line) => line.text.replace("  ", " ")).reverse(), [
    "opening",
    "play 1 ??",
    "play 2 Cube ?!",
    "double ?",
    "take",
    "play 3",
    "won",
    "opening 2",
    "play 1 of 2 ?!",
  ]);
  assert.deepEqual(
    place.children
      .map((line) => line["data-turn"])
      .filter(Boolean)
      .reverse(),
    ["1", "2", "3", "1"],
  );
});

test("a decision that was let stand is marked at its own line, a missed double at the play after it", () => {
  const place = new Part("ol");
  const log = new Log(place, () => {});
  log.markNext("double", "??", "3 %");
  log.add("double", "you", null, "doubles");
  log.add("take", "nonet", null, "takes");
  log.markNext("roll", "?", "1 %");
  log.markNext("play", "?!", "2 %");
  log.add("play of nonet", "nonet", shown);
  log.add("play", "you", shown);
  log.add("another play", "you", shown);
  const lines = () => place.children.map((line) => line.text).reverse();
  assert.deepEqual(lines(), [
    "double ?? 3 %",
    "take",
    "play of nonet",
    "play Cube ? 1 % ?! 2 %",
    "another play",
  ]);
  // What is taken back leaves no mark behind.
  log.begin();
  log.markNext("roll", "?", "1 %");
  log.takeBack();
  log.add("a play anew", "you", shown);
  assert.equal(lines().at(-1), "a play anew");
});

test("the Crawford game is the first in which somebody needs one point", () => {
  const ended = [
    { game: 1, winner: "you", points: 2 },
    { game: 2, winner: "nonet", points: 1 },
    { game: 3, winner: "nonet", points: 1 },
  ];
  const games = (length) => [1, 2, 3, 4].filter((game) => isCrawford(length, ended, game));
  assert.deepEqual([games(3), games(4), games(1), games(null)], [[2], [], [], []]);
});
