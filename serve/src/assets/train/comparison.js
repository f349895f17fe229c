// @ts-check
// Runs in comparison: which one is ahead, and a table of what they differ in.
import { COLOURS } from "../common/chart-colours.js";
import { el, wholeOptions } from "../common/dom.js";
import { count, decimal, inLanguage, signed } from "../common/format.js";
import { table } from "../common/tables.js";
import { known, language, t } from "../common/words.js";
import { seedsOf } from "./experiments.js";
import { calledOf } from "./state.js";
import { commandOf, seedOf } from "./commands.js";
import { explanationOf } from "./experiments-view.js";
import { gamesIn, ruleOf, tunedParts } from "./rule.js";
import { compared, half, meanOf, sharedTests } from "./statistics.js";

/**
 * The settings that differ, where two runs differ in more than one. Then their results do not tell
 * which of the settings did it. A rule without lambda does not differ in lambda.
 *
 * @param {Pick<import("./state.js").Run, "architecture" | "total" | "command">[]} runs
 */
export function mixedSettings(runs) {
  const all = runs.map(({ architecture, total, command }) => {
    const rule = ruleOf(command);
    return {
      architecture,
      games: total,
      rule: rule?.method,
      alpha: rule?.alpha,
      lambda: rule?.lambda,
      tuned: rule && rule.tuned > 0,
    };
  });
  const keys = /** @type {(keyof (typeof all)[0])[]} */ ([
    "architecture",
    "games",
    "rule",
    "alpha",
    "lambda",
    "tuned",
  ]);
  const differing = all.flatMap((one, i) =>
    all
      .slice(i + 1)
      .map((other) =>
        keys.filter((key) => one[key] !== other[key] && one[key] !== null && other[key] !== null),
      ),
  );
  return keys.filter((key) => differing.some((pair) => pair.length > 1 && pair.includes(key)));
}

/**
 * What runs are compared by: their last matches, before that tests after equally many games.
 *
 * @param {any[]} runs
 */
function measured(runs) {
  if (runs.every((run) => run.result))
    return {
      values: runs.map(({ result }) => result),
      when: t("train.verdict.lastMatch"),
      isEqual: runs.every(({ run }) => run.games === runs[0].run.games),
    };
  const tests = sharedTests(...runs.map((run) => run.history));
  return (
    tests && {
      values: tests.map(({ ppg, stderr }) => ({ ppg, half: half(stderr) })),
      when: t("train.verdict.tests", { games: count(tests[0].games) }),
      isEqual: true,
    }
  );
}

/** Up to this many runs each is compared with each. */
const EACH_WITH_EACH = 3;

/**
 * Which of two runs is ahead, by the best measure that both have; null where they have none.
 *
 * @param {any[]} pair
 */
function verdictOf(pair) {
  const found = measured(pair);
  if (!found) return null;
  const { isFirst, by, half: width, isClear } = compared(found.values[0], found.values[1]);
  // Runs of unequal length are named with their games.
  const [first, second] = (isFirst ? pair : [...pair].reverse()).map(({ run }) =>
    t(found.isEqual ? "train.quoted" : "train.quoted.games", {
      name: calledOf(run),
      games: count(run.games),
      n: run.games,
    }),
  );
  return el(
    "p",
    { class: "verdict" },
    t(isClear ? "train.verdict" : "train.verdict.unclear", {
      first,
      second,
      by: decimal(by, 2),
      half: decimal(width, 2),
      when: found.when,
    }),
  );
}

/**
 * The results of an experiment with several seeds: its means, and how far they are apart seed by
 * seed. Null where there is no such experiment, or where a result is missing.
 *
 * @param {any[]} runs
 */
function overSeeds(runs) {
  const rows = runs.every((one) => one.result) ? seedsOf(runs.map(({ run }) => run)) : null;
  if (!rows) return null;
  const values = rows.map(({ found }) =>
    found.map((run) => runs.find((one) => one.run === run).result.ppg),
  );
  const means = rows[0].found
    .map((run, i) => ({
      i,
      name: t("train.quoted", { name: calledOf(run) }),
      ...meanOf(values.map((row) => row[i])),
    }))
    .sort((one, other) => other.mean - one.mean);
  const when = t("train.verdict.overSeeds", { n: rows.length });
  const apart = means.flatMap((first, i) =>
    means.slice(i + 1).map((second) => {
      const { mean, half: width } = meanOf(values.map((row) => row[first.i] - row[second.i]));
      return t(mean > width ? "train.verdict" : "train.verdict.unclear", {
        first: first.name,
        second: second.name,
        by: decimal(mean, 2),
        half: decimal(width, 2),
        when,
      });
    }),
  );
  return [
    t("train.verdict.seeds", {
      seeds: rows.map(({ seed }) => seed).join(", "),
      means: means.map(({ name, mean }) => `${name} ${signed(mean, 2)}`).join(", "),
    }),
    ...apart,
  ].map((words) => el("p", { class: "verdict" }, words));
}

/**
 * Which run is ahead of which others, a sentence each.
 *
 * @param {any[]} runs
 */
export function verdict(runs) {
  const seeds = overSeeds(runs);
  if (seeds) return el("div", {}, seeds, explanationOf(runs.map(({ run }) => run)));
  // Of many runs the one that is shown is compared with each.
  const firsts = runs.length > EACH_WITH_EACH ? runs.slice(0, 1) : runs;
  const sentences = firsts.flatMap((first, i) =>
    runs.slice(i + 1).map((second) => verdictOf([first, second])),
  );
  const mixed = mixedSettings(runs.map(({ run }) => run)).map(
    (key) => known(`train.differ.${key}`) ?? t(`train.head.${key}`),
  );
  return el(
    "div",
    {},
    ...sentences.filter((one) => one !== null),
    mixed.length
      ? el(
          "p",
          { class: "prose" },
          t("train.verdict.mixed", { settings: new Intl.ListFormat(language).format(mixed) }),
        )
      : null,
    runs.every((run) => run.result) ? explanationOf(runs.map(({ run }) => run)) : null,
  );
}

/**
 * The fine-tuning of a run: what it has learned so far, and how much of that is in its best net.
 *
 * @param {any} one
 */
function tuningOf({ run, history: tests, result }) {
  if (!ruleOf(run.command)?.tuned) return "–";
  const parts = tunedParts(run, tests);
  const [all, best] = [gamesIn(parts), gamesIn(parts, result?.net.games)];
  if (!all) return t("train.tuned.notYet");
  return best < all
    ? t("train.tuned.some", { n: count(all), best: count(best) })
    : t("train.tuned.games", { n: count(all) });
}

/**
 * A schedule with its numbers as people write them.
 *
 * @param {string | null | undefined} value
 */
const written = (value) => inLanguage(value ?? "–");

/**
 * Runs side by side: their results, what they differ in, and above that what they share.
 *
 * @param {any[]} runs
 */
export function comparison(runs) {
  const value = (/** @type {number | null | undefined} */ ppg, /** @type {number} */ stderr) =>
    ppg === null || ppg === undefined ? "–" : `${signed(ppg)} ± ${decimal(half(stderr), 3)}`;
  const rows = runs.map((one) => {
    const { run, history: tests, result, colour } = one;
    const last = tests.at(-1);
    // At the end of fine-tuning the average is the last weights.
    const isSame = last?.average_ppg === last?.ppg && gamesIn(tunedParts(run, tests)) > 0;
    const rule = ruleOf(run.command);
    const name = el("span", { class: `run-mark s${colour % COLOURS}` }, calledOf(run));
    return /** @type {Record<string, any>} */ ({
      run: name,
      result: result ? `${signed(result.ppg)} ± ${decimal(result.half, 3)}` : "–",
      ppg: value(last?.ppg, last?.stderr),
      averagePpg: isSame ? t("train.tuned.same") : value(last?.average_ppg, last?.average_stderr),
      architecture: run.architecture,
      games: count(run.games),
      seed: `${seedOf(run)}`,
      rule: rule ? t(`train.method.${rule.method}`) : "–",
      alpha: written(rule?.alpha),
      lambda: written(rule?.lambda),
      tuned: tuningOf(one),
    });
  });
  const differ = (/** @type {string} */ key) => rows.some((row) => row[key] !== rows[0][key]);
  const causes = ["architecture", "games", "rule", "alpha", "lambda", "tuned", "seed"];
  // Last tests have chosen the net, and say less than the last match.
  const isOver = runs.every(({ result }) => result);
  const keys = [
    "run",
    "result",
    ...causes.filter(differ),
    ...(isOver ? [] : ["ppg", "averagePpg"]),
  ];
  const shared = causes
    .filter((key) => !differ(key) && key !== "seed" && rows[0][key] !== "–")
    .map((key) => `${t(`train.head.${key}`)} ${rows[0][key]}`)
    .join(", ");
  const caption = [
    t(isOver ? "train.compared.over" : "train.compared"),
    shared && t("train.compared.shared", { shared }),
  ]
    .filter(Boolean)
    .join(" ");
  const commands = el(
    "details",
    {},
    el("summary", {}, t("train.commands")),
    runs.map(({ run }) =>
      el(
        "p",
        { class: "small" },
        el("b", {}, calledOf(run)),
        " ",
        el("code", {}, wholeOptions(commandOf(run))),
      ),
    ),
  );
  return el(
    "section",
    { class: "card" },
    table(
      caption,
      keys.map((key) => t(`train.head.${key}`)),
      rows.map((row) => keys.map((key) => row[key])),
    ),
    commands,
  );
}
