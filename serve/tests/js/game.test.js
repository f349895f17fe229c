// A match on the page while the server answers, refuses, or answers late.
import assert from "node:assert/strict";
import test from "node:test";
import { byId, host, refused, says, serveBy, thing, turn } from "./fake-page.js";
import { Ticking, setClock } from "../../src/assets/play/clock.js";
import { Game } from "../../src/assets/play/game.js";
import { keepNet } from "../../src/assets/play/matches.js";
import { show } from "../../src/assets/play/play.js";
import { tellAll } from "../../src/assets/play/telling.js";
import { knowTip } from "../../src/assets/play/tools.js";
import { choose } from "../../src/assets/common/settings.js";
import { t } from "../../src/assets/common/words.js";

// The page shows its first view.
await turn();

const view = (more = {}) => ({
  id: "a",
  revision: 3,
  turn: "roll",
  may_double: true,
  names: ["Ann", "nonet"],
  net: "champion",
  level: "newcomer",
  game: 1,
  board: new Array(26).fill(0),
  off: [0, 0],
  score: [0, 0],
  rules: { length: 5 },
  cube: { value: 1, owner: null },
  events: [],
  plays: [],
  ...more,
});

/** A game that notes what it does, with the methods of a game but for these. */
function gameOf(more = {}) {
  const done = [];
  const note =
    (name) =>
    async (...given) => {
      done.push([name, ...given]);
    };
  const game = Object.assign(Object.create(Game.prototype), {
    view: view(),
    opened: 0,
    busy: false,
    seen: [],
    clock: { start: note("clock"), stop: () => {} },
    board: thing({ state: { board: new Array(26).fill(0) } }),
    motion: { hurry: note("hurry"), calm: () => {}, turn: note("turn") },
    log: thing(),
    course: thing(),
    picking: thing({ begin: () => {} }),
    render: note("render"),
    closeHint: () => {},
    ...more,
  });
  return { game, done, names: () => done.map(([name]) => name) };
}

test("a roll that was taken back is not thrown again by itself", async () => {
  choose("autoRoll", "yes");
  serveBy(async () => view({ revision: 4 }));
  const { game } = gameOf({ view: view({ turn: "play", may_undo: true }) });
  const made = [];
  const { act } = Game.prototype;
  game.act = function (action, stands) {
    made.push(action.action);
    return made.length > 2 ? undefined : act.call(this, action, stands);
  };
  await game.act({ action: "undo" });
  assert.deepEqual(made, ["undo"]);
  assert.equal(game.view.turn, "roll");
  // After another decision it is.
  await game.show(view({ revision: 5 }), false);
  assert.deepEqual(made, ["undo", "roll", "roll"]);
  choose("autoRoll", "no");
});

test("a match that has gone on elsewhere is shown, and then why", async () => {
  const { game, names } = gameOf({
    async open() {
      this.opened += 1;
      says.textContent = "Your turn.";
    },
  });
  serveBy(async (path) => (path.endsWith("actions") ? refused(409, "stale") : view()));
  await game.act({ action: "roll" });
  assert.equal(says.textContent, t("error.stale"));
  // Whoever has gone on meanwhile sees what they went to.
  const { game: left } = gameOf({ open: () => assert.fail("opened") });
  serveBy(async (path) => {
    if (path.endsWith("actions")) return refused(409, "stale");
    left.opened += 1;
    return view();
  });
  await left.act({ action: "roll" });
  assert.deepEqual(names(), []);
});

test("where the match cannot be read again either, its buttons are drawn anew", async () => {
  const { game, names } = gameOf({ open: () => assert.fail("opened") });
  serveBy(async (path) => (path.endsWith("actions") ? refused(409, "stale") : refused(500)));
  await game.act({ action: "roll" });
  assert.deepEqual([game.busy, ...names()], [false, "render", "clock"]);
});

test("a cube that turns when its double fails comes to rest before the board is drawn", async () => {
  const { game, done, names } = gameOf();
  let finish = () => {};
  game.motion.hurry = () => {
    done.push(["hurry"]);
    finish();
  };
  game.motion.turn = () =>
    new Promise((resolve) => {
      finish = () => resolve(void done.push(["turned"]));
    });
  serveBy(async () => refused(503));
  await game.act({ action: "double" });
  assert.deepEqual(names(), ["hurry", "turned", "render", "clock"]);
});

test("a match that was left while its words were on their way is not shown", async () => {
  let answer = () => {};
  serveBy((path) =>
    path === "/runs"
      ? new Promise((resolve) => {
          answer = () => resolve([]);
        })
      : Promise.resolve(path.startsWith("/matches/") ? view({ net: "a run" }) : []),
  );
  host.address = "?match=a";
  const shown = show();
  await turn();
  host.address = "";
  byId("game").hidden = true;
  // Another view begins at its head.
  globalThis.scrollTo = () => assert.fail("it is shown");
  answer();
  await shown;
});

test("a browser whose storage is full plays on", () => {
  const { setItem } = localStorage;
  localStorage.setItem = () => {
    throw new Error("full");
  };
  try {
    const clock = new Ticking(
      "a",
      () => {},
      () => {},
    );
    Object.assign(clock, { clock: { delay: 8000, reserve: 60000 }, since: 0 });
    clock.stop();
    assert.equal(clock.since, null);
    setClock("a", "slow", 5);
    keepNet({ id: "a", net: "a run" });
    knowTip();
  } finally {
    localStorage.setItem = setItem;
  }
});

test("a match that was left while it is told is told no further", async () => {
  for (const leftAt of ["roll", "forced", "play"]) {
    const done = [];
    let isLeft = false;
    const note = (name) => async () => {
      done.push(name);
      isLeft ||= name === leftAt;
    };
    const board = { state: {}, draw: () => done.push("draw") };
    const motion = { board, roll: note("roll"), play: note("play"), pause: async () => {} };
    const event = { what: "plays", player: "you", dice: [3, 1], play: "8/5", steps: [[8, 5]] };
    const events = [event, event].map((one) => ({ ...one, board: new Array(26).fill(0) }));
    await tellAll(motion, view({ events }), {
      live: true,
      made: false,
      told: () => done.push("told"),
      placed: () => done.push("placed"),
      forced: note("forced"),
      isWanted: () => !isLeft,
    });
    const all = ["told", "roll", "forced", "play"];
    assert.deepEqual(done, all.slice(0, all.indexOf(leftAt) + 1));
  }
});

test("the last play of a match that was left frees no other match", async () => {
  const { game, names } = gameOf({ seen: [{ before: [], dice: [3, 1], steps: [] }] });
  Object.assign(game.motion, {
    board: thing({ state: {} }),
    roll: async () => {
      game.opened += 1;
    },
    pause: async () => {},
    play: async () => {},
  });
  await game.again();
  assert.deepEqual([game.busy, ...names()], [true]);
});
