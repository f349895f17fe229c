// What a run does, in words; its openings; labels at the ends of lines.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  COLOURS,
  areClose,
  coloursBeside,
  coloursOf,
} from "../../src/assets/common/chart-colours.js";
import { endLabels } from "../../src/assets/common/chart.js";
import { rowsOf, weightsOf } from "../../src/assets/train/architecture.js";
import {
  beyondForm,
  commandOf,
  commandsIn,
  formOf,
  optionsOf,
  withDefaults,
} from "../../src/assets/train/commands.js";
import {
  EXPERIMENTS,
  differenceOf,
  experimentOf,
  experimentsWith,
  inCourse,
  runsOf,
  seeded,
  seedsOf,
} from "../../src/assets/train/experiments.js";
import { faultOf, faultyField, scheduleFrom } from "../../src/assets/train/faults.js";
import { isOfBest, openingsAt } from "../../src/assets/train/opening-tests.js";
import { gamesIn, ruleOf, trendOf, tunedParts } from "../../src/assets/train/rule.js";
import { hoursOf } from "../../src/assets/train/speed.js";
import {
  asItEnded,
  freeName,
  learned,
  newestFirst,
  resultOf,
  share,
  stateKey,
} from "../../src/assets/train/state.js";

// These draw as well; nothing is drawn without a page.
globalThis.document = { querySelectorAll: () => [], addEventListener: () => {} };
globalThis.addEventListener = () => {};
globalThis.location = new URL("http://127.0.0.1/");
const { earlierResults, withEarlier } = await import("../../src/assets/train/care.js");
const { mixedSettings } = await import("../../src/assets/train/comparison.js");
const { compared, meanOf, sharedTests } = await import("../../src/assets/train/statistics.js");

const run = (more) => ({
  name: "a",
  state: "running",
  games: 0,
  total: 1000,
  phase: "learning",
  progress: null,
  messages: [],
  ...more,
});

test("a run says what it does now, not what it once did", () => {
  assert.equal(stateKey(run({})), "train.phase.learning");
  assert.equal(stateKey(run({ phase: "play-off" })), "train.phase.playOff");
  assert.equal(stateKey(run({ phase: "stopping" })), "train.phase.stopping");
  assert.equal(stateKey(run({ state: "stopped", phase: null })), "train.state.stopped");
});

test("a run whose last message is an error has failed, also where the server was started again", () => {
  const stopped = run({
    state: "stopped",
    messages: ["in runs/a", "error: the weights have diverged within 32 games"],
  });
  assert.equal(asItEnded(stopped).state, "failed");
  assert.equal(asItEnded({ ...stopped, messages: ["a checkpoint was saved"] }).state, "stopped");
  assert.equal(asItEnded({ ...stopped, messages: [] }).state, "stopped");
  assert.equal(asItEnded({ ...stopped, state: "running" }).state, "running");
});

test("progress is that of the phase", () => {
  assert.equal(share(run({ games: 250 })), 0.25);
  assert.equal(share(run({ games: 250, progress: { done: 500, total: 1000 } })), 0.5);
  assert.equal(learned(run({ games: 250, progress: { done: 500, total: 1000 } })), 500);
  assert.equal(
    share(run({ games: 1000, phase: "last-match", progress: { done: 1, total: 4 } })),
    0.25,
  );
  assert.equal(share(run({ state: "finished", games: 1000, phase: null })), 1);
  assert.equal(share(run({ total: 0 })), 0);
});

test("a run of an experiment is named by what differs", () => {
  const found = Object.fromEntries(EXPERIMENTS.map(({ key, runs }) => [key, differenceOf(runs)]));
  assert.deepEqual(found.lambda, { option: "lambda", values: ["0.6", "0", "1"] });
  assert.deepEqual(found.rate, { option: "alpha", values: ["0.1..0.001", "0.1", "0.003"] });
  assert.deepEqual(found.nets, { option: "preset", values: ["small", "large"] });
});

test("a run has its rule, learning rate and lambda also where its command leaves them out", () => {
  assert.deepEqual(ruleOf("nonet train --games 100 --lambda 1"), {
    method: "td",
    alpha: "0.1..0.001",
    lambda: "1",
    tuned: 0,
  });
  assert.deepEqual(ruleOf("nonet train --alpha=0.003 --games 100"), {
    method: "td",
    alpha: "0.003",
    lambda: "0.6",
    tuned: 0,
  });
  // RootStrap has no lambda, also where the command names one.
  assert.deepEqual(ruleOf("nonet train --method rootstrap --lambda 0.9"), {
    method: "rootstrap",
    alpha: "0.1..0.001",
    lambda: null,
    tuned: 0,
  });
  assert.equal(ruleOf(""), null);
});

test("a fine-tuned run keeps its lambda and the games of its end, also where it was extended", () => {
  const command =
    "nonet train --games 5000 --alpha 0.1..0.001 --fine-tune 100 && nonet train --resume runs/a --games 6000";
  assert.deepEqual(ruleOf(command), {
    method: "td",
    alpha: "0.1..0.001",
    lambda: "0.6",
    tuned: 100,
  });
});

test("options that the form lacks are named, with those that have no value", () => {
  const of = (command) => beyondForm(optionsOf(command));
  assert.deepEqual(
    of("nonet train --preset small --games 9 --alpha 0.1 --fine-tune 100 --out runs/a"),
    [],
  );
  assert.deepEqual(of("nonet train --method td-directed --bearoff --games 9"), [
    "--bearoff",
    "--method td-directed",
  ]);
  assert.deepEqual(optionsOf("nonet train --bearoff --games 9"), { bearoff: "", games: "9" });
  assert.deepEqual(optionsOf(`nonet train --against 'ubgi:./engine -q' --alpha "0.1,0.03@50000"`), {
    against: "ubgi:./engine -q",
    alpha: "0.1,0.03@50000",
  });
});

test("the hours of a run follow from the speed of an earlier one, else from that of its rule", () => {
  assert.equal(hoursOf({ games: 7200, method: "td" }, 2), 1);
  assert.ok(hoursOf({ games: 99_999_999_999, method: "td" }) > 1);
  assert.ok(hoursOf({ games: 20_000, method: "td" }) < 1);
  assert.ok(
    hoursOf({ games: 20_000, method: "tdleaf" }) > hoursOf({ games: 20_000, method: "td" }),
  );
});

test("a new run has a free name", () => {
  assert.equal(freeName([]), "first");
  assert.equal(freeName(["first", "run-2"]), "run-3");
});

test("an opening is played since the first of the last tests that chose it", () => {
  const test_ = (games, play) => ({ games, openings: [{ roll: "31", play }] });
  const tests = [
    test_(10, "8/5 6/5"),
    test_(20, "24/20"),
    test_(30, "8/5 6/5"),
    test_(40, "8/5 6/5"),
  ];
  const established = [{ roll: "31", plays: ["8/5 6/5"] }];
  assert.deepEqual(openingsAt(tests, established, 3), [
    { roll: "31", play: "8/5 6/5", known: true, since: 30, others: [] },
  ]);
  assert.deepEqual(openingsAt(tests, established, 1), [
    { roll: "31", play: "24/20", known: false, since: 20, others: ["8/5 6/5"] },
  ]);
  // Two plays of theory are two plays.
  const both = [{ roll: "31", plays: ["24/20", "8/5 6/5"] }];
  assert.deepEqual(openingsAt(tests, both, 2), [
    { roll: "31", play: "8/5 6/5", known: true, since: 30, others: ["24/20"] },
  ]);
});

test("a net's weights are counted with its biases, and nets that are alike stand together", () => {
  assert.equal(weightsOf({ inputs: 2, hidden: [3] }), 3 * 3 + 4 * 7);
  assert.equal(weightsOf({ inputs: 2, hidden: [] }), 3 * 7);
  const net = (name, inputs) => ({ name, classes: [name], inputs, hidden: [4] });
  const rows = rowsOf([net("race", 2), net("prime", 9), net("default", 9)]);
  assert.deepEqual(
    rows.map(({ classes, count }) => [classes, count]),
    [
      [["race"], 1],
      [["prime", "default"], 2],
    ],
  );
});

test("names at the ends of lines stand apart and above the axis", () => {
  const series = [10, 9, 0].map((value, i) => ({ name: `${i}`, points: [[1, value]] }));
  const labels = endLabels([...series, { name: "none", points: [] }], (y) => 100 - y, 100);
  assert.deepEqual(
    labels.map(({ one }) => one.name),
    ["0", "1", "2"],
  );
  labels.slice(1).forEach(({ y }, i) => assert.ok(y - labels[i].y >= 14));
  assert.ok(labels.at(-1).y <= 100);
});

test("the result of a run is that of its last match", () => {
  const played = {
    ppg: -0.187,
    interval: [-0.323, -0.051],
    games: 300,
    net: { games: 1500, weights: "last" },
  };
  const result = resultOf({ last_match: played });
  assert.deepEqual(
    { ...result, half: Number(result.half.toFixed(3)) },
    { net: { isAverage: false, games: 1500 }, ppg: -0.187, half: 0.136, games: 300 },
  );
  assert.deepEqual(
    resultOf({ last_match: { ...played, net: { games: 1500, weights: "average" } } }).net,
    { isAverage: true, games: 1500 },
  );
  assert.equal(resultOf({ last_match: null }), null);
});

test("openings are those of the best net where games and kind of weights agree", () => {
  const result = { net: { isAverage: true, games: 3500 }, ppg: 0, half: 0, games: 1000 };
  assert.equal(isOfBest({ games: 3500 }, true, result), true);
  assert.equal(isOfBest({ games: 3500 }, false, result), false);
  assert.equal(isOfBest({ games: 4000 }, true, result), false);
  assert.equal(isOfBest({ games: 3500 }, true, null), false);
});

test("of two results the better one is ahead, clearly or perhaps by chance", () => {
  const found = compared({ ppg: 0.1, half: 0.3 }, { ppg: 0.6, half: 0.4 });
  assert.deepEqual([found.isFirst, found.by, found.half, found.isClear], [false, 0.5, 0.5, false]);
  assert.equal(compared({ ppg: 0.7, half: 0.1 }, { ppg: 0.1, half: 0.1 }).isClear, true);
});

test("runs of different progress are compared after the same number of games", () => {
  const tests = (...games) => games.map((at) => ({ games: at, ppg: -1 / at }));
  assert.deepEqual(
    sharedTests(tests(100, 300, 500, 4000), tests(100, 300)).map(({ games }) => games),
    [300, 300],
  );
  assert.deepEqual(
    sharedTests(tests(100, 250), tests(100, 300, 500)).map(({ games }) => games),
    [100, 100],
  );
  assert.equal(sharedTests(tests(250), tests(300, 500)), null);
  assert.equal(sharedTests([], tests(100)), null);
  assert.deepEqual(
    sharedTests(tests(100, 300, 500), tests(100, 300), tests(100, 300, 500)).map(
      ({ games }) => games,
    ),
    [300, 300, 300],
  );
  assert.equal(sharedTests(tests(100, 300), tests(100), tests(300)), null);
});

test("the command of a run has its seed and its folder", () => {
  assert.equal(
    commandOf({ name: "a", command: "nonet train --games 9" }),
    "nonet train --games 9 --seed 1 --out runs/a",
  );
  assert.equal(
    commandOf({ name: "a", command: "nonet train --seed 5" }),
    "nonet train --seed 5 --out runs/a",
  );
  assert.equal(commandOf({ name: "a", command: "" }), "");
});

test("of an extended run the first command has the seed and the folder, which the others resume", () => {
  const command =
    "nonet train --games 9 --alpha 0.1..0.001 && nonet train --resume /home/me/my runs/a --games 18 && nonet train --resume /home/me/my runs/a --games 36 --schedule continue";
  assert.equal(
    commandOf({ name: "a", command }),
    "nonet train --games 9 --alpha 0.1..0.001 --seed 1 --out runs/a && nonet train --resume runs/a --games 18 && nonet train --resume runs/a --games 36 --schedule continue",
  );
  assert.deepEqual(optionsOf(command), { games: "9", alpha: "0.1..0.001" });
  assert.deepEqual(optionsOf("nonet train --eval-every=500 --preset small"), {
    eval_every: "500",
    preset: "small",
  });
});

test("what the server refuses belongs to a field", () => {
  const values = { name: "first", alpha: "hello", lambda: "0,6", eval_games: "2", seed: "1" };
  assert.equal(faultyField("Invalid schedule 'hello': a value is not a number", values), "alpha");
  assert.equal(
    faultyField(
      "invalid schedule '0,6': each further value needs '@' and a number of games",
      values,
    ),
    "lambda",
  );
  assert.equal(faultyField("`eval_games`: must be at least 4, not 2", values), "eval_games");
  assert.equal(
    faultyField("There is a run 'first': resume it, or choose another name", values),
    "name",
  );
  assert.equal(faultyField("invalid field in the JSON body: seed: invalid type", values), "seed");
  for (const other of [
    "2 runs are running: stop one before you start another",
    "`widen`: must be 0",
    "",
  ])
    assert.equal(faultyField(other, values), null);
});

test("runs beside each other have colours that are not close", () => {
  const kept = new Map([
    ["a", 3],
    ["b", 3],
    ["c", 4],
    ["d", 0],
  ]);
  assert.deepEqual(coloursBeside(kept, ["a", "c", "b", "d"]), [3, 4, 6, 0]);
  const names = Array.from({ length: COLOURS }, (_, i) => `run-${i}`);
  assert.equal(new Set(coloursBeside(new Map(), names)).size, COLOURS);
  assert.equal(coloursBeside(new Map(), [...names, "more"]).length, COLOURS + 1);
  // Orange and red are two colours that are taken for one another.
  const close = new Map([
    ["a", 1],
    ["b", 6],
  ]);
  assert.equal(areClose(1, 6), true);
  const [a, b] = coloursBeside(close, ["a", "b"]);
  assert.equal(areClose(a, b), false);
});

test("the oldest run keeps its colour whatever it stands beside", () => {
  const kept = new Map(Array.from({ length: COLOURS }, (_, i) => [`run-${i}`, i]));
  for (const name of [...kept.keys()].slice(1)) {
    const [colour, oldest] = coloursBeside(kept, [name, "run-0"]);
    assert.equal(oldest, 0);
    assert.equal(areClose(colour, oldest), false, name);
  }
});

test("the colours of charts are no greys, neighbours are not close, and hues are those of the styles", () => {
  const styles = readFileSync(
    new URL("../../src/assets/style/tokens.css", import.meta.url),
    "utf8",
  );
  const rows = [...styles.matchAll(/^\.s(\d) \{\s*--c: light-dark\((#\w{6}), (#\w{6})\)/gm)];
  assert.equal(rows.length, COLOURS);
  const hueOf = (text) => {
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
    const [low, high] = [Math.min(r, g, b), Math.max(r, g, b)];
    assert.ok(high - low > 60, `${text} is nearly grey`);
    const turn =
      high === r
        ? (g - b) / (high - low)
        : high === g
          ? 2 + (b - r) / (high - low)
          : 4 + (r - g) / (high - low);
    return (60 * turn + 360) % 360;
  };
  const apart = (one, other) => Math.min(Math.abs(one - other), 360 - Math.abs(one - other));
  for (let side = 2; side <= 3; side += 1) {
    const hues = rows.map((row) => hueOf(row[side]));
    for (let i = 0; i < COLOURS; i += 1) {
      assert.equal(areClose(i, (i + 1) % COLOURS), false, `${i} and the next one`);
      for (let j = 0; j < COLOURS; j += 1)
        if (!areClose(i, j)) assert.ok(apart(hues[i], hues[j]) > 30, `${i} and ${j}`);
    }
  }
});

/** The run of an experiment as the server tells it: a command leaves out what has its default. */
const begun = ({ name, ...options }, seed) => {
  const given = Object.entries({
    alpha: "0.1..0.001",
    ...options,
    ...(seed === 1 ? {} : { seed }),
  });
  return {
    name: seeded(name, seed),
    title: null,
    command: `nonet train${given.map(([key, value]) => ` --${key.replace("_", "-")} ${value}`).join("")}`,
  };
};

test("the runs of an experiment have one seed, and differ in one option", () => {
  for (const { key, runs } of EXPERIMENTS) {
    assert.equal(experimentOf(runs.map((run) => begun(run, 1)))?.key, key);
    assert.equal(experimentOf(runs.map((run) => begun(run, 2)).reverse())?.seed, 2);
    assert.equal(experimentOf(runs.map((run, i) => begun(run, i + 1))), null);
    const options = ["preset", "alpha", "lambda", "games"].filter(
      (one) => new Set(runs.map((run) => run[one])).size > 1,
    );
    assert.equal(options.length, 1, `${runs.map(({ name }) => name)}: ${options}`);
  }
  assert.equal(experimentOf([]), null);
});

test("an experiment of several seeds is known by its complete seeds, and compared by means", () => {
  const { runs } = EXPERIMENTS.find(({ key }) => key === "nets");
  const [one, two] = [1, 2].map((seed) => runs.map((run) => begun(run, seed)));
  assert.equal(seedsOf(one), null);
  assert.equal(seedsOf([...one, two[0]]), null);
  assert.deepEqual(seedsOf([...two, begun({ name: "more", games: 9 }, 1), ...one]), [
    { seed: 1, found: one },
    { seed: 2, found: two },
  ]);
});

test("a mean over seeds has the t interval of its degrees of freedom", () => {
  // Standard deviation 0.02: 4.303 × 0.02 / √3, and 12.706 × 0.01 of two seeds 0.02 apart.
  const { mean, half } = meanOf([0.01, 0.03, 0.05]);
  assert.deepEqual(
    [mean, half].map((value) => value.toFixed(4)),
    ["0.0300", "0.0497"],
  );
  assert.equal(meanOf([0.1, 0.12]).half.toFixed(4), "0.1271");
  assert.equal(meanOf([1, 1, 1]).half, 0);
});

test("runs that differ in several settings are told, those of experiments are not", () => {
  for (const { runs } of EXPERIMENTS)
    assert.deepEqual(
      mixedSettings(
        runs.map((one) => ({ ...begun(one, 1), architecture: one.preset, total: one.games })),
      ),
      [],
    );
  const td = {
    architecture: "small",
    total: 4000,
    command: "nonet train --games 4000 --preset small --alpha 0.1..0.001",
  };
  const leaf = {
    architecture: "single",
    total: 4000,
    command: "nonet train --method tdleaf --games 4000 --preset single --alpha 0.01",
  };
  assert.deepEqual(mixedSettings([td, leaf]), ["architecture", "rule", "alpha"]);
  assert.deepEqual(
    mixedSettings([
      td,
      { ...td, command: td.command.replace("train", "train --method rootstrap") },
    ]),
    [],
  );
  assert.deepEqual(mixedSettings([td, { ...td, total: 8000 }]), []);
});

test("a run with the settings of one of an experiment stands for it, and further runs do not matter", () => {
  const { runs } = EXPERIMENTS.find(({ key }) => key === "rate");
  const [falling, ...others] = runs.map((run) => begun(run, 1));
  const first = { ...falling, name: "first" };
  const shown = [begun({ name: "more", games: 9 }, 1), ...others, first];
  assert.deepEqual(experimentOf(shown).found, [first, ...others]);
  assert.deepEqual(experimentOf([...shown, falling]).found, [falling, ...others]);
  for (const more of [
    " --lambda 1",
    " --fine-tune 9",
    " && nonet train --resume runs/first --games 9000",
  ]) {
    assert.deepEqual(runsOf(runs, 1, [{ ...first, command: first.command + more }]), [
      null,
      null,
      null,
    ]);
  }
});

test("the headings of the course that experiments name are there", () => {
  const course = readFileSync(
    new URL("../../../docs/src/how-it-learns.md", import.meta.url),
    "utf8",
  );
  for (const { course: heading } of EXPERIMENTS)
    assert.match(course, new RegExp(`^##? ${heading}$`, "m"));
  assert.equal(inCourse("One game in numbers"), "/book/how-it-learns#one-game-in-numbers");
});

test("the chapter on the papers' experiments has the figures of their page", () => {
  const read = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
  const [chapter, page] = ["docs/src/experiments.md", "papers/README.md"].map(read);
  const counts = (text) => /\| verdict \| claims \|\n([^]*?)\n\n/.exec(text)[1];
  assert.equal(counts(chapter), counts(page));
  const rows = [...chapter.matchAll(/\| the paper says \| our figure \|\n.*\n([^]*?)\n\n/g)];
  for (const [i, verdict] of ["agrees", "differs"].entries()) {
    const figures = [...rows[i][1].matchAll(/[+-][\d.]+ ± [\d.]+|[\d.]+ times as many/g)].map(
      ([figure]) => figure,
    );
    assert.equal(figures.length, rows[i][1].split("\n").length);
    for (const figure of figures)
      assert.ok(
        page.split("\n").some((row) => row.includes(` ${figure}`) && row.includes(verdict)),
        figure,
      );
  }
});

test("the run that was seen last comes first, whether it runs or not", () => {
  const named = (...names) => names.map((name) => ({ name }));
  assert.deepEqual(newestFirst(named("a", "b", "c"), ["b", "a", "c"]), named("c", "a", "b"));
});

test("what the server refuses is said without the names of its fields", () => {
  assert.deepEqual(faultOf("`lambda`: must be in 0..1, not 1.5"), {
    key: "between",
    values: { low: "0", high: "1", value: "1.5" },
  });
  assert.deepEqual(faultOf("`alpha`: must be in 0..1, above 0, not 2"), {
    key: "above",
    values: { low: "0", high: "1", value: "2" },
  });
  assert.deepEqual(faultOf("`eval_games`: must be at least 4, not 2"), {
    key: "least",
    values: { low: "4", value: "2" },
  });
  assert.deepEqual(
    faultOf("`eval_games`: must be even, not 5: every sequence of dice is played from both seats"),
    { key: "even", values: { value: "5" } },
  );
  assert.deepEqual(faultOf("Invalid schedule 'x..y': a value is not a number; expected 0.01"), {
    key: "schedule",
    values: { value: "x..y" },
  });
  assert.deepEqual(faultOf("Das geht so nicht (auf Englisch: lambda: must be in 0..1, not 1.5)"), {
    key: "between",
    values: { low: "0", high: "1", value: "1.5" },
  });
  assert.deepEqual(faultOf("There is a run 'first'"), { key: "taken", values: { name: "first" } });
  assert.equal(faultOf("2 runs are running"), null);
});

test("a schedule with the decimals of the language is the one that the server reads", () => {
  for (const text of ["0,1..0,001", "0.1..0.001"])
    assert.equal(scheduleFrom(text, ","), "0.1..0.001");
  assert.equal(scheduleFrom("0,7", ","), "0.7");
  assert.equal(scheduleFrom("0,1;0,03@50000", ","), "0.1,0.03@50000");
  for (const text of ["0.1,0.03@50000", "1,0@5000"]) assert.equal(scheduleFrom(text, "."), text);
  assert.equal(scheduleFrom("0.1,0.03@50000", ","), "0.1,0.03@50000");
});

test("an extended run keeps all its results from before", () => {
  const result = {
    ppg: 0.2,
    half: 0.1,
    games: 1000,
    net: { isAverage: false, games: 9 },
    length: 4000,
  };
  const extended = run({
    state: "stopped",
    total: 8000,
    command: "nonet train --games 4000 --final-games 1000 && nonet train --resume a --games 8000",
  });
  assert.deepEqual(earlierResults(extended, { a: result }), [result]);
  const longer = withEarlier(result, { ...result, length: 8000, ppg: 0.3 });
  assert.deepEqual(earlierResults({ ...extended, state: "finished" }, { a: longer }), [result]);
  const twice = {
    ...extended,
    total: 16000,
    command: `${extended.command} && nonet train --resume a --games 16000`,
  };
  assert.deepEqual(earlierResults(twice, { a: longer }), [result, longer]);
  assert.deepEqual(
    earlierResults(twice, { a: withEarlier(longer, { ...result, length: 16000 }) }),
    [result, longer],
  );
  assert.deepEqual(withEarlier(longer, { ...longer, ppg: 0.4 }).before, longer.before);
  assert.equal(withEarlier(undefined, result), result);
  assert.deepEqual(earlierResults(extended, {}), []);
  // Another run of that name, which is not that long yet.
  for (const games of [8000, 4000])
    assert.deepEqual(
      earlierResults({ ...extended, command: `nonet train --games ${games}` }, { a: result }),
      [],
    );
});

test("a run of an experiment stands beside another one of it", () => {
  const runs = EXPERIMENTS.find(({ key }) => key === "lambda").runs.map((one) => begun(one, 1));
  assert.deepEqual(experimentsWith(runs[0], runs), ["lambda"]);
  assert.deepEqual(experimentsWith(runs[0], [runs[0]]), []);
  assert.deepEqual(experimentsWith(begun({ name: "more", games: 9 }, 1), runs), []);
});

test("a run keeps its colour while others come and go", () => {
  const first = coloursOf(new Map(), ["hidden", "linear"]);
  assert.equal(new Set(first.values()).size, 2);
  const more = coloursOf(first, ["fast", "hidden", "lam1", "linear"]);
  for (const name of ["hidden", "linear"]) assert.equal(more.get(name), first.get(name));
  assert.equal(new Set(more.values()).size, 4);
  const fewer = coloursOf(more, ["linear", "constructor"]);
  assert.equal(fewer.get("linear"), first.get("linear"));
  assert.deepEqual([...fewer.keys()], ["linear", "constructor"]);
  const many = coloursOf(
    new Map(),
    Array.from({ length: COLOURS + 1 }, (_, i) => `run-${i}`),
  );
  assert.equal(new Set(many.values()).size, COLOURS);
});

test("a stopped run has learned from the games of its checkpoint, which its last message names", () => {
  const stopped = run({
    state: "stopped",
    phase: null,
    games: 300,
    messages: [
      "588/1000 games, 34/s",
      "stopped after 876 games; continue with: nonet train --resume runs/a",
    ],
  });
  assert.equal(learned(stopped), 876);
  assert.equal(share(stopped), 0.876);
  assert.equal(
    learned({
      ...stopped,
      messages: ["stopped in the play-off; continue with: nonet train --resume runs/a"],
    }),
    300,
  );
  assert.equal(learned({ ...stopped, state: "running" }), 300);
});

test("the form has all settings of a run, those too that its command leaves out", () => {
  const plain = withDefaults(optionsOf("nonet train --preset small --games 4000 --eval-every 500"));
  assert.deepEqual(plain, {
    method: "td",
    seed: "1",
    preset: "small",
    games: "4000",
    eval_every: "500",
  });
  const leaf = withDefaults(optionsOf("nonet train --method tdleaf --games 90000 --seed 7"));
  assert.deepEqual(leaf, { method: "tdleaf", seed: "7", eval_every: "25000", games: "90000" });
  assert.equal(withDefaults({ games: "900" }).eval_every, "900");
  assert.deepEqual(beyondForm({ preset: "40/64/128" }, ["medium", "small"]), [
    "--preset 40/64/128",
  ]);
  assert.deepEqual(beyondForm({ preset: "small" }, ["medium", "small"]), []);
  assert.deepEqual(beyondForm({}, ["medium", "small"]), []);
});

test("the form takes the runs of the course that have no option beyond it", () => {
  const course = readFileSync(
    new URL("../../../docs/src/how-it-learns.md", import.meta.url),
    "utf8",
  );
  const commands = [...course.matchAll(/^```sh\n([^`]*)```/gm)].flatMap(([, text]) =>
    commandsIn(text),
  );
  assert.deepEqual(
    commands.map(formOf).filter((options) => options !== null),
    [
      { name: "td", preset: "small", games: "30000", alpha: "0.1..0.001" },
      { name: "td-1000", preset: "small", games: "1000" },
      { name: "tdleaf", preset: "small", games: "1000", method: "tdleaf" },
      { name: "tuned", preset: "small", games: "30000" },
      { name: "lambda", preset: "small", games: "30000", lambda: "1", alpha: "0.1..0.001" },
    ],
  );
  const options = (words) => formOf(`nonet train --out runs/a ${words}`);
  assert.deepEqual(options("--lambda 1 --alpha 0.01 --fine-tune 0"), {
    name: "a",
    lambda: "1",
    alpha: "0.01",
  });
  for (const words of ["--fine-tune 0.1", "--source expert", "--seeds 5", "--method td-directed"])
    assert.equal(options(words), null, words);
  assert.equal(formOf("nonet train --games 9"), null);
  assert.equal(formOf("nonet compare runs/a --out runs/b"), null);
});

test("only games that were learned so are fine-tuning, in each part of an extended run", () => {
  const command = "nonet train --games 5000 --fine-tune 100";
  const longer = `${command} --out a && nonet train --resume a --games 10000`;
  const parts = (command, games, total, ...tests) =>
    tunedParts(
      { command, games, total },
      tests.map((after) => ({ games: after })),
    );
  assert.deepEqual(parts(command, 4900, 5000, 4900), []);
  assert.deepEqual(parts(command, 4950, 5000, 4900), [{ from: 4901, to: 4950 }]);
  const both = [
    { from: 4901, to: 5000 },
    { from: 9901, to: 10000 },
  ];
  assert.deepEqual(parts(longer, 10000, 10000, 4900, 5000, 9900, 10000), both);
  // Extended before it had come to its first end.
  assert.deepEqual(parts(longer, 10000, 10000, 5000, 9900, 10000), [both[1]]);
  assert.deepEqual(parts("nonet train --games 5000", 5000, 5000, 4900), []);
  assert.equal(gamesIn(both), 200);
  assert.equal(gamesIn(both, 9000), 100);
  // No game is counted twice where the extension is shorter than the part.
  assert.equal(gamesIn(parts(longer.replace("10000", "5050"), 5050, 5050, 4900, 4950)), 150);
});

test("a rate falls, rises or stays", () => {
  assert.deepEqual(
    ["0.1..0.001", "0.001..0.1", "0.01", "0.1@0,0.01@500"].map(trendOf),
    [-1, 1, 0, 0],
  );
});

test("a run that is stopped after its last game waits for no more games", () => {
  const run = {
    name: "a",
    title: null,
    state: "stopped",
    command: "",
    games: 5000,
    total: 5000,
    ppg: null,
    stderr: null,
    phase: null,
    progress: null,
    architecture: "small",
    messages: [],
  };
  assert.equal(stateKey(run), "train.state.learned");
  assert.equal(stateKey({ ...run, games: 4999 }), "train.state.stopped");
});
