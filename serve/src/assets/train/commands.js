// @ts-check
// The commands that make runs: their options, and what they leave out.

/** @typedef {import("./state.js").Run} Run */

const DEFAULT_SEED = 1;
/** @param {Pick<Run, "command">} run */
export const seedOf = ({ command }) => Number(optionsOf(command).seed ?? DEFAULT_SEED);

/**
 * What a command leaves out.
 *
 * @type {Record<string, string>}
 */
export const DEFAULTS = { alpha: "0.1..0.001", lambda: "0.6", seed: `${DEFAULT_SEED}` };

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
export const METHODS = ["td", "tdleaf", "rootstrap"];

/** The games between tests of `nonet train`. */
const USUAL_EVERY = 25000;

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

/**
 * The numbers of games of a run and of those that it extends, in order.
 *
 * @param {string} command
 */
export const lengthsOf = (command) =>
  [...command.matchAll(/ --games[ =](\d+)/g)].map(([, games]) => Number(games));

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
