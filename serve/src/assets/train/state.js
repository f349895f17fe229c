// @ts-check
// What a run does, in words, and what is known of its openings. Nothing here draws.

/**
 * @typedef {{
 *   name: string;
 *   title: string | null;
 *   state: string;
 *   command: string;
 *   games: number;
 *   total: number;
 *   ppg: number | null;
 *   stderr: number | null;
 *   last_match: {
 *     ppg: number;
 *     interval: [number, number];
 *     games: number;
 *     net: { games: number; weights: string };
 *   } | null;
 *   rate: number | null;
 *   phase: string | null;
 *   progress: { done: number; total: number } | null;
 *   architecture: string;
 *   messages: string[];
 * }} Run
 */

/**
 * A run as it ended. A server that was started again takes a run that has failed for one that was
 * stopped; the last message of the run tells.
 *
 * @param {Run} run
 * @returns {Run}
 */
export const asItEnded = (run) =>
  run.state === "stopped" && /^error: /.test(run.messages.at(-1) ?? "")
    ? { ...run, state: "failed" }
    : run;

/**
 * What people call a run: its title, else its name.
 *
 * @param {Pick<Run, "name" | "title">} run
 */
export const calledOf = ({ name, title }) => title ?? name;

/**
 * The commands that make a run again; an extended run has several. `nonet train` leaves out what
 * has its default; here the first command names the seed and the folder, and the others the same
 * folder.
 *
 * @param {Pick<Run, "name" | "command">} run
 */
export function commandOf({ name, command }) {
  if (!command) return "";
  const folder = `runs/${name}`;
  const [first, ...others] = command.split(/ && (?=nonet train )/);
  const begins = [
    first.replace(/ --out \S+$/, ""),
    / --seed[ =]/.test(first) ? "" : `--seed ${DEFAULT_SEED}`,
    `--out ${folder}`,
  ]
    .filter(Boolean)
    .join(" ");
  return [
    begins,
    ...others.map((other) =>
      other.replace(/--resume .*?(?= --games |$)/, () => `--resume ${folder}`),
    ),
  ].join(" && ");
}

/**
 * The options that a command names, by their keys.
 *
 * @param {string} command
 * @returns {Record<string, string>}
 */
export const optionsOf = (command) =>
  Object.fromEntries(
    [
      ...command.split(" && ")[0].matchAll(/ --([a-z-]+)(?:[ =](?!--)(?:(["'])(.*?)\2|(\S+)))?/g),
    ].map(([, name, , quoted, value = ""]) => [name.replaceAll("-", "_"), quoted ?? value]),
  );

/** What the server says of a name. */
const OF_NAME = /^(there is a run|invalid name) '/i;

/**
 * The field that the server has refused; null if it does not say.
 *
 * @param {string} message
 * @param {Record<string, string>} values Of the fields, by their keys
 */
export function faultyField(message, values) {
  if (OF_NAME.test(message)) return "name";
  const named = /`(\w+)`: /.exec(message)?.[1] ?? /JSON body: (\w+): /.exec(message)?.[1];
  if (named && named in values) return named;
  // A schedule is quoted without the name of its field.
  const quoted = /'([^']*)'/.exec(message)?.[1];
  return Object.keys(values).find((key) => values[key] !== "" && values[key] === quoted) ?? null;
}

/**
 * Why the server has refused a value, as the key of its words with their values; null where it says
 * something else. Its sentence may stand within one of the page's language.
 *
 * @param {string} message
 * @returns {{ key: string; values: Record<string, string> } | null}
 */
export function faultOf(message) {
  const taken = /there is a run '([^']*)'/i.exec(message);
  if (taken) return { key: "taken", values: { name: taken[1] } };
  const schedule = /invalid schedule '([^']*)'/i.exec(message);
  if (schedule) return { key: "schedule", values: { value: schedule[1] } };
  const range = /must be in (-?[\d.]+?)\.\.(-?[\d.]+)(, above 0)?, not (-?[\d.]*\d)/.exec(message);
  if (range)
    return {
      key: range[3] ? "above" : "between",
      values: { low: range[1], high: range[2], value: range[4] },
    };
  const least = /must be at least (\d+), not (\d+)/.exec(message);
  if (least) return { key: "least", values: { low: least[1], value: least[2] } };
  const even = /must be even, not (\d+)/.exec(message);
  return even && { key: "even", values: { value: even[1] } };
}

/**
 * A schedule as the server reads it, from one with decimal commas: `;` is then between steps.
 *
 * @param {string} text
 * @param {string} point The decimal point of the page's language
 */
export const scheduleFrom = (text, point) =>
  point === "," && !/\d\.\d/.test(text)
    ? text.replace(/(\d),(?=\d)/g, "$1.").replaceAll(";", ",")
    : text;

/**
 * The plays of theory besides one.
 *
 * @param {{ roll: string; plays: string[] }[]} established
 * @param {string} roll
 * @param {string} play
 */
export const othersOf = (established, roll, play) =>
  (established.find((one) => one.roll === roll)?.plays ?? []).filter((one) => one !== play);

/**
 * The numbers of games of a run and of those that it extends, in order.
 *
 * @param {string} command
 */
export const lengthsOf = (command) =>
  [...command.matchAll(/ --games[ =](\d+)/g)].map(([, games]) => Number(games));

const DEFAULT_SEED = 1;
/** @param {Pick<Run, "command">} run */
export const seedOf = ({ command }) => Number(optionsOf(command).seed ?? DEFAULT_SEED);

/**
 * What a run is asked to do, but for its seed.
 *
 * @param {Pick<Run, "command" | "total">} run
 */
export const settingOf = ({ command, total }) => {
  const { seed, out, ...options } = withDefaults({ ...DEFAULTS, ...optionsOf(command) });
  return JSON.stringify([total, lengthsOf(command), Object.entries(options).sort()]);
};

/**
 * The key of the words for what a run does.
 *
 * @param {Run} run
 */
export function stateKey(run) {
  if (run.state === "stopped" && run.total > 0 && run.games >= run.total)
    return "train.state.learned";
  if (run.state !== "running") return `train.state.${run.state}`;
  return `train.phase.${{ learning: "learning", "play-off": "playOff", "last-match": "lastMatch", stopping: "stopping" }[run.phase ?? "learning"]}`;
}

/**
 * How much of its games a run has learned from, 0 to 1; in the phases after that, how far the phase
 * is.
 *
 * @param {Run} run
 */
export function share(run) {
  const part = (/** @type {number} */ done, /** @type {number} */ total) =>
    total > 0 ? Math.max(0, Math.min(1, done / total)) : 0;
  if (run.state === "finished") return 1;
  if (run.progress && run.phase !== "learning") return part(run.progress.done, run.progress.total);
  return part(learned(run), run.total);
}

/**
 * The games of the checkpoint of a run that was stopped, as its last message says them.
 *
 * @param {Run} run
 */
const savedAt = ({ state, messages }) =>
  state === "stopped"
    ? Number(/^stopped after (\d+) games/.exec(messages.at(-1) ?? "")?.[1] ?? 0)
    : 0;

/**
 * The games that a run has learned from so far; its last test may be some games back.
 *
 * @param {Run} run
 */
export const learned = (run) =>
  Math.max(
    run.games,
    savedAt(run),
    run.phase === "learning" && run.progress ? run.progress.done : 0,
  );

/**
 * A name that no run has.
 *
 * @param {string[]} names
 * @param {string} first
 */
export function freeName(names, first = "first") {
  if (!names.includes(first)) return first;
  for (let n = 2; ; n += 1) if (!names.includes(`run-${n}`)) return `run-${n}`;
}

/**
 * The openings at a test: each roll with its play, whether theory accepts it, and since how many
 * games the net has chosen it.
 *
 * @param {{ games: number; openings: { roll: string; play: string }[] }[]} tests Those with
 *   openings, the oldest first
 * @param {{ roll: string; plays: string[] }[]} established
 * @param {number} at
 */
export function openingsAt(tests, established, at) {
  const accepted = (/** @type {string} */ roll, /** @type {string} */ play) =>
    (established.find((one) => one.roll === roll)?.plays ?? []).includes(play);
  return tests[at].openings.map(({ roll, play }, i) => {
    let since = null;
    for (let test = at; test >= 0; test -= 1) {
      const then = tests[test].openings[i];
      if (!then || then.play !== play) break;
      since = tests[test].games;
    }
    return {
      roll,
      play,
      known: accepted(roll, play),
      since,
      others: othersOf(established, roll, play),
    };
  });
}

/**
 * Tests of the history that have openings.
 *
 * @param {any} knowledge
 * @returns {any[]}
 */
export const testsWithOpenings = (knowledge) =>
  (knowledge ?? []).filter(
    (/** @type {any} */ test) => Array.isArray(test.openings) && test.openings.length,
  );

/**
 * @typedef {{
 *   ppg: number;
 *   half: number;
 *   games: number;
 *   net: { isAverage: boolean; games: number };
 * }} Result
 *   `net` is the choice of the play-off
 */

/**
 * The result of a run: its best net in the last match; null before there is one.
 *
 * @param {Pick<Run, "last_match">} run
 * @returns {Result | null}
 */
export function resultOf({ last_match: played }) {
  if (!played) return null;
  const {
    ppg,
    interval: [low, high],
    games,
    net,
  } = played;
  return {
    ppg,
    half: (high - low) / 2,
    games,
    net: { isAverage: net.weights === "average", games: net.games },
  };
}

/**
 * Games a second with tests, of small nets on two processors: for a run that is like no earlier
 * one. @type {Record<string, number>}
 */
const USUAL_SPEED = { td: 1000, tdleaf: 30, rootstrap: 40 };

/**
 * About how many hours a run takes.
 *
 * @param {any} options
 * @param {number} [speed] Of such a run in games a second
 */
export const hoursOf = ({ games, method }, speed = USUAL_SPEED[method]) => games / speed / 3600;

/**
 * Whether openings of a test are those of the best net.
 *
 * @param {{ games: number }} test
 * @param {boolean} isAverage Whether they are those of the moving average of the weights
 * @param {Result | null} result
 */
export const isOfBest = ({ games }, isAverage, result) =>
  result !== null && result.net.games === games && result.net.isAverage === isAverage;

/**
 * Games between the tests of a run: the usual number, and eight tests in a short run.
 *
 * @param {number} games
 */
export const testsEvery = (games) => Math.max(1, Math.min(25000, Math.ceil(games / 8)));

/** @typedef {{ name: string; [option: string]: any }} Options */

/** What the runs of an experiment share: some three seconds of processor time each. */
const SHORT = { games: 4000, eval_every: 500, eval_games: 200, final_games: 1000 };

/**
 * Experiments of the course: runs that differ in one thing. Without a learning rate they have the
 * usual one. `course` is the heading in the course that says more, and `seconds` are those of a
 * processor for all runs with seed 1, measured on two of them.
 *
 * @type {{ key: string; seconds: number; course: string; runs: Options[] }[]}
 */
export const EXPERIMENTS = [
  // Both learn at this rate; a linear net jumps at 0.01 and diverges at 0.1.
  {
    key: "hidden",
    seconds: 11,
    course: "Experiments of the page Training",
    runs: [
      { name: "hidden-layer", preset: "single", alpha: "0.003" },
      { name: "no-hidden-layer", preset: "single-linear", alpha: "0.003" },
    ].map((run) => ({ ...run, games: 12000, eval_every: 1500 })),
  },
  {
    key: "nets",
    seconds: 7,
    course: "Experiments of the page Training",
    runs: [
      { name: "three-nets", preset: "small" },
      { name: "nine-nets", preset: "large" },
    ],
  },
  {
    key: "rate",
    seconds: 10,
    course: "A falling and a constant rate",
    runs: [
      { name: "falling-rate", preset: "small", alpha: "0.1..0.001" },
      { name: "high-rate", preset: "small", alpha: "0.1" },
      { name: "low-rate", preset: "small", alpha: "0.003" },
    ],
  },
  {
    key: "lambda",
    seconds: 10,
    course: "One game in numbers",
    runs: [
      { name: "lambda-usual", preset: "small" },
      { name: "lambda-zero", preset: "small", lambda: "0" },
      { name: "lambda-one", preset: "small", lambda: "1" },
    ],
  },
  // At the usual rate the steps are too large for lambda 1.
  {
    key: "steps",
    seconds: 6,
    course: "One game in numbers",
    runs: [
      { name: "lambda-slow", preset: "small", alpha: "0.01..0.001" },
      { name: "lambda-one-slow", preset: "small", alpha: "0.01..0.001", lambda: "1" },
    ],
  },
  {
    key: "inputs",
    seconds: 6,
    course: "Experiments of the page Training",
    runs: [
      { name: "made-inputs", preset: "single" },
      { name: "raw-inputs", preset: "single-raw" },
    ],
  },
  {
    key: "tesauro",
    seconds: 16,
    course: "Experiments of the page Training",
    runs: [
      { name: "tesauro-raw", preset: "single-raw" },
      { name: "tesauro-made", preset: "single" },
    ].map((run) => ({ ...run, lambda: "0.7", alpha: "0.1", games: 20000, eval_every: 2500 })),
  },
].map(({ runs, ...one }) => ({ ...one, runs: runs.map((run) => ({ ...SHORT, ...run })) }));

/**
 * The name of a run of an experiment: that with seed 1 has no seed in its name.
 *
 * @param {string} name
 * @param {number} seed
 */
export const seeded = (name, seed) => (seed === 1 ? name : `${name}-seed-${seed}`);

/** What a command leaves out. @type {Record<string, string>} */
const DEFAULTS = { alpha: "0.1..0.001", lambda: "0.6", seed: `${DEFAULT_SEED}` };

/**
 * Whether a command has these options and no others: then its run is the same.
 *
 * @param {Record<string, any>} options
 * @param {string} command
 */
export function isCommandOf({ name, ...options }, command) {
  if (!command || command.includes(" && ")) return false;
  const { out, ...has } = { ...DEFAULTS, ...optionsOf(command) };
  const wanted = { ...DEFAULTS, ...options };
  return [...new Set([...Object.keys(has), ...Object.keys(wanted)])].every(
    (key) => `${has[key]}` === `${wanted[key]}`,
  );
}

/**
 * Of each run of an experiment the one that is there, by its name or with its settings.
 *
 * @template {Pick<Run, "name" | "command">} R
 * @param {Options[]} wanted
 * @param {number} seed
 * @param {R[]} runs
 * @returns {(R | null)[]}
 */
export const runsOf = (wanted, seed, runs) =>
  wanted.map((one) => {
    const same = runs.filter(({ command }) => isCommandOf({ ...one, seed }, command));
    return same.find(({ name }) => name === seeded(one.name, seed)) ?? same[0] ?? null;
  });

/**
 * The experiment with all its runs, of one seed, among these; null where there is none.
 *
 * @template {Pick<Run, "name" | "command">} R
 * @param {R[]} runs
 */
export function experimentOf(runs) {
  for (const seed of new Set(runs.map(seedOf))) {
    for (const experiment of EXPERIMENTS) {
      const found = runsOf(experiment.runs, seed, runs);
      if (found.every((one) => one !== null))
        return { ...experiment, seed, found: /** @type {R[]} */ (found) };
    }
  }
  return null;
}

/**
 * The experiment with all its runs among these for more than one seed, a row of runs for each seed;
 * null where there is none.
 *
 * @template {Pick<Run, "name" | "command">} R
 * @param {R[]} runs
 */
export function seedsOf(runs) {
  const seeds = [...new Set(runs.map(seedOf))].sort((one, other) => one - other);
  for (const experiment of EXPERIMENTS) {
    const rows = seeds
      .map((seed) => ({ seed, found: runsOf(experiment.runs, seed, runs) }))
      .filter(({ found }) => found.every((one) => one !== null));
    if (rows.length > 1)
      return rows.map(({ seed, found }) => ({ seed, found: /** @type {R[]} */ (found) }));
  }
  return null;
}

/**
 * The experiments in which a run stands beside another one that there is, by their keys.
 *
 * @template {Pick<Run, "name" | "command">} R
 * @param {R} run
 * @param {R[]} runs
 */
export function experimentsWith(run, runs) {
  const seed = seedOf(run);
  return EXPERIMENTS.filter((experiment) => {
    const found = runsOf(experiment.runs, seed, runs).filter((one) => one !== null);
    return found.length > 1 && found.some((one) => one.name === run.name);
  }).map(({ key }) => key);
}

/**
 * In what the runs of an experiment differ: the option, and its value for each run.
 *
 * @param {Options[]} wanted
 * @returns {{ option: string; values: string[] }}
 */
export function differenceOf(wanted) {
  const all = wanted.map((one) => /** @type {Record<string, string>} */ ({ ...DEFAULTS, ...one }));
  const option =
    ["preset", "alpha", "lambda"].find((key) => all.some((one) => one[key] !== all[0][key])) ??
    "name";
  return { option, values: all.map((one) => one[option]) };
}

/**
 * How a run learns, as its command says it: the rule, its learning rate, its lambda where it has
 * one, and the games at the end that RootStrap learns. Null without a command.
 *
 * @param {string} command
 */
export function ruleOf(command) {
  if (!command.startsWith("nonet train")) return null;
  const {
    method = METHODS[0],
    alpha,
    lambda,
    fine_tune: tuned = "0",
  } = { ...DEFAULTS, ...optionsOf(command) };
  return { method, alpha, lambda: hasLambda(method) ? lambda : null, tuned: Number(tuned) };
}

/**
 * The parts of a run that RootStrap has learned, by their games. An extended run has one at each
 * former end that it has reached: there is a test where the part begins.
 *
 * @param {Pick<Run, "command" | "games" | "total">} run
 * @param {{ games: number }[]} tests
 */
export function tunedParts({ command, games, total }, tests) {
  const tuned = ruleOf(command)?.tuned ?? 0;
  const ends = tuned ? [...lengthsOf(command).slice(0, -1), total] : [];
  const hasBegun = (/** @type {number} */ end) =>
    games > end - tuned && (end === total || tests.some((test) => test.games === end - tuned));
  return ends.filter(hasBegun).map((end, i, begun) => ({
    from: Math.max(end - tuned, begun[i - 1] ?? 0) + 1,
    to: Math.min(end, games),
  }));
}

/**
 * The games of parts, up to `most` games of their run.
 *
 * @param {ReturnType<typeof tunedParts>} parts
 */
export const gamesIn = (parts, most = Infinity) =>
  parts.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, most) - from + 1), 0);

/**
 * Whether a learning rate falls (−1), rises (1) or does neither.
 *
 * @param {string} alpha
 */
export const trendOf = (alpha) =>
  /^[^@]+\.\.[^@]+$/.test(alpha)
    ? Math.sign(Number(alpha.split("..")[1]) - Number(alpha.split("..")[0]))
    : 0;

/**
 * Whether a rule has a lambda.
 *
 * @param {string} method
 */
export const hasLambda = (method) => method !== "rootstrap";

/**
 * The options that a command has and the form lacks, as the command names them.
 *
 * @param {Record<string, string>} options
 * @param {string[]} presets The architectures of the form
 */
export const beyondForm = (options, presets = [options.preset]) =>
  Object.keys(options)
    .filter((key) => !IN_FORM.includes(key) && !["out", "fine_tune"].includes(key))
    .map((key) => `--${key.replaceAll("_", "-")}`)
    .concat(
      METHODS.includes(options.method ?? METHODS[0]) ? [] : [`--method ${options.method}`],
      presets.includes(options.preset ?? presets[0]) ? [] : [`--preset ${options.preset}`],
    );

/** The games between tests of `nonet train`. */
const USUAL_EVERY = 25000;

/**
 * What `nonet train` does where a command leaves out options of the form.
 *
 * @param {Record<string, string>} options
 * @returns {Record<string, string>}
 */
export const withDefaults = (options) => ({
  method: METHODS[0],
  seed: `${DEFAULT_SEED}`,
  eval_every: `${Math.min(USUAL_EVERY, Number(options.games ?? USUAL_EVERY))}`,
  ...options,
});

/** The options that the form of a run has, and the rules that it offers. */
const IN_FORM = [
  "preset",
  "games",
  "method",
  "seed",
  "alpha",
  "lambda",
  "eval_every",
  "eval_games",
  "final_games",
];
const METHODS = ["td", "tdleaf", "rootstrap"];

/**
 * The commands of a text; a backslash at the end of a line joins the next one.
 *
 * @param {string} text
 */
export const commandsIn = (text) =>
  text
    .replace(/\s*\\\n\s*/g, " ")
    .split("\n")
    .filter(Boolean);

/**
 * A training command as the form takes it; null where it has an option that the form lacks. In the
 * form, a learning rate that is given leaves out the fine-tuning, as `--fine-tune 0` does.
 *
 * @param {string} command
 * @returns {Record<string, string> | null}
 */
export function formOf(command) {
  const { out, fine_tune: tuning, ...options } = optionsOf(command);
  if (!command.startsWith("nonet train ") || !out || (tuning ?? "0") !== "0") return null;
  if (
    !Object.keys(options).every((key) => IN_FORM.includes(key)) ||
    !METHODS.includes(options.method ?? METHODS[0])
  )
    return null;
  return {
    name: out.split("/").at(-1) ?? out,
    ...options,
    ...(tuning && !options.alpha && { alpha: DEFAULTS.alpha }),
  };
}

/**
 * The address of a heading of the course.
 *
 * @param {string} heading
 */
export const inCourse = (heading) =>
  `/book/how-it-learns#${heading.toLowerCase().replaceAll(" ", "-")}`;

/**
 * Runs in the order of the list: those that this browser has seen last come first.
 *
 * @template {Pick<Run, "name">} R
 * @param {R[]} runs
 * @param {string[]} seen Their names, the oldest first
 */
export const newestFirst = (runs, seen) =>
  [...runs].sort((one, other) => seen.indexOf(other.name) - seen.indexOf(one.name));
