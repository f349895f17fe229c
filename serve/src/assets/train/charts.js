// @ts-check
// The curves of runs: strength with its intervals, and for each class a small chart with a line for
// each run.
import { COLOURS, lineChart } from "../common/chart.js";
import { el, wholeOptions } from "../common/dom.js";
import { count, decimal, inLanguage, signed } from "../common/format.js";
import { table } from "../common/tables.js";
import { known, language, t } from "../common/words.js";
import { explanationOf } from "./experiments.js";
import {
  calledOf,
  commandOf,
  gamesIn,
  lengthsOf,
  ruleOf,
  seedOf,
  seedsOf,
  tunedParts,
} from "./state.js";

/** This browser keeps the colours of runs. */
export const KEPT_COLOURS = "nonet-run-colours";

/**
 * The colours of runs so far.
 *
 * @returns {Map<string, number>}
 */
export function keptColours() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_COLOURS) ?? "[]");
    return new Map(
      kept.filter(
        (/** @type {any} */ [name, colour]) =>
          typeof name === "string" && Number.isInteger(colour) && colour >= 0,
      ),
    );
  } catch {
    return new Map(); // What is no list of colours is begun anew.
  }
}

/**
 * Half the width of a 95 % interval.
 *
 * @param {number} stderr
 */
export const half = (stderr) => 1.96 * stderr;

/**
 * @param {any} one
 * @param {string} ppg
 * @param {string} stderr
 */
const points = (one, ppg, stderr) =>
  one.history
    .filter((/** @type {any} */ test) => test[ppg] !== null)
    .map((/** @type {any} */ test) => [test.games, test[ppg], half(test[stderr])]);

/**
 * Strength over games, each line with its name at its end. A run has one colour in all charts;
 * where averages are drawn, the last weights are dashed. Bands of several runs would cover each
 * other: then averages have none.
 *
 * @param {any[]} runs
 * @param {number} wide
 * @param {boolean} withAverages
 */
export function strengthChart(runs, wide, withAverages) {
  const isAlone = runs.length === 1;
  /**
   * The last match, which measures the best net; of an extended run, those before.
   *
   * @param {any} one
   */
  const lastMatch = ({ result, earlier, colour }) =>
    (isAlone
      ? [
          ...(result ? [{ result, name: t("train.head.result"), mark: "full" }] : []),
          ...earlier.map((/** @type {any} */ before) => ({
            result: before,
            name:
              earlier.length > 1
                ? t("train.head.earlierAt", { games: count(before.length) })
                : t("train.head.earlier"),
            mark: "hollow",
          })),
        ]
      : []
    ).map((one) => ({
      name: one.name,
      points: [[one.result.net.games, one.result.ppg, one.result.half]],
      colour,
      mark: /** @type {"full" | "hollow"} */ (one.mark),
    }));
  const series = runs
    .flatMap((one) => {
      const dots = one.history.length < 25;
      const average = withAverages ? points(one, "average_ppg", "average_stderr") : [];
      // Of a run alone, lines are named by what they show.
      const names =
        isAlone && average.length
          ? [t("train.line.average"), t("train.line.last")]
          : [t("train.average", { name: calledOf(one.run) }), calledOf(one.run)];
      const last = {
        name: names[1],
        points: points(one, "ppg", "stderr"),
        colour: one.colour,
        dashed: average.length > 0,
        dots,
      };
      return [
        {
          name: names[0],
          points: isAlone
            ? average
            : average.map((/** @type {number[]} */ [at, value]) => [at, value]),
          colour: one.colour,
          dots,
        },
        last,
        ...lastMatch(one),
      ];
    })
    .filter((one) => one.points.length);
  const borders = isAlone ? lengthsOf(runs[0].run.command).slice(0, -1) : [];
  return lineChart({
    title: t("train.chart.strength"),
    borders,
    border: t("train.chart.extended"),
    x: t("train.chart.games"),
    y: t("train.chart.ppg"),
    series,
    logX: true,
    level: 0,
    wide,
    labels: wide > 480,
    tell: true,
    end: Math.max(...runs.map(({ run }) => run.total)) || null,
  });
}

/**
 * Whether a run has tests of the average of its weights.
 *
 * @param {any[]} runs
 */
export const haveAverages = (runs) =>
  runs.some(({ history: tests }) =>
    tests.some((/** @type {any} */ test) => test.average_ppg !== null),
  );

/**
 * A range for values on one axis, with some room.
 *
 * @param {number[]} values
 * @param {boolean} logY
 * @returns {[number, number] | null}
 */
function rangeOf(values, logY) {
  const known = values.filter((value) => !logY || value > 0);
  if (!known.length) return null;
  return logY
    ? [Math.min(...known) / 1.1, Math.max(...known) * 1.1]
    : [0, Math.max(...known) * 1.06 || 1];
}

/**
 * A small chart for each class, all with one y axis, so that they can be compared; folded until
 * somebody opens them.
 *
 * @param {any[]} runs
 * @param {(test: any, i: number) => number | null} of
 * @param {{
 *   part: string;
 *   title: string;
 *   y: string;
 *   how?: string;
 *   logY?: boolean;
 *   isOpen: boolean;
 *   more?: HTMLElement | null;
 *   marksSearched?: boolean;
 * }} words
 *   `marksSearched` dashes the lines of RootStrap
 * @param {number} wide
 */
export function byClass(
  runs,
  of,
  { part, title, y, how = "", logY = false, isOpen, more = null, marksSearched = false },
  wide,
) {
  const { classes } = runs[0];
  const columns = Math.max(1, Math.floor(wide / 300));
  const each = Math.floor(wide / columns) - 12;
  const all = classes.map((/** @type {string} */ _, /** @type {number} */ i) =>
    runs
      .map((one) => ({
        name: calledOf(one.run),
        colour: one.colour,
        dashed: marksSearched && isSearched(one),
        points: one.history
          .map((/** @type {any} */ test) => [test.games, of(test, i)])
          .filter((/** @type {any} */ [, value]) => Number.isFinite(value)),
      }))
      .filter((one) => one.points.length),
  );
  const range = rangeOf(
    all
      .flat()
      .flatMap((/** @type {any} */ one) =>
        one.points.map((/** @type {number[]} */ point) => point[1]),
      ),
    logY,
  );
  const charts = classes
    .map((/** @type {string} */ name, /** @type {number} */ i) => {
      const series = all[i];
      return series.length
        ? lineChart({
            title: t(`class.${name}`),
            x: t("train.chart.games"),
            y,
            series,
            logX: true,
            logY,
            range,
            wide: each,
            tall: 190,
            labels: series.length > 1 && each > 240,
          })
        : null;
    })
    .filter(Boolean);
  return el(
    "details",
    { class: "card folded", open: isOpen, "data-part": part },
    el("summary", {}, el("h2", {}, title)),
    how ? el("p", { class: "small prose" }, how) : null,
    more,
    charts.length
      ? el("div", { class: "multiples" }, charts)
      : el("p", { class: "empty" }, t("train.chart.none")),
  );
}

/**
 * What the classes are.
 *
 * @param {string[]} classes
 */
const definitions = (classes) =>
  el(
    "dl",
    { class: "classes" },
    classes.map((name) =>
      el(
        "div",
        {},
        el("dt", {}, `${t(`class.${name}`)}: `),
        el("dd", {}, t(`train.class.${name}`)),
      ),
    ),
  );

/**
 * Whether the targets of a run are values of a search, without the luck of dice.
 *
 * @param {any} one
 */
const isSearched = ({ run }) => ruleOf(run.command)?.method === "rootstrap";

/**
 * What the TD error is, for targets of these runs.
 *
 * @param {any[]} runs
 */
function errorWords(runs) {
  const searched = runs.filter(isSearched).length;
  const kind =
    searched === runs.length
      ? "searched"
      : searched
        ? "both"
        : runs.some(({ run }) => ruleOf(run.command)?.tuned)
          ? "tuned"
          : "played";
  return ["train.chart.errors.how", `train.chart.errors.${kind}`, "train.chart.errors.axis"]
    .map((key) => t(key))
    .join(" ");
}

/**
 * @param {any[]} runs
 * @param {number} wide
 * @param {string[]} open The parts that are open
 */
export function classCharts(runs, wide, open) {
  const sum = (/** @type {any} */ test) =>
    test.examples.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0) || 1;
  const [errors, shares] = ["errors", "shares"].map((part) => ({
    part,
    title: t(`train.chart.${part}`),
    how: part === "errors" ? errorWords(runs) : t(`train.chart.${part}.how`),
    isOpen: open.includes(part),
  }));
  return [
    byClass(
      runs,
      (test, i) => test.td_error[i],
      { ...errors, y: t("train.chart.error"), logY: true, marksSearched: !runs.every(isSearched) },
      wide,
    ),
    byClass(
      runs,
      (test, i) => (100 * test.examples[i]) / sum(test),
      { ...shares, y: "%", more: definitions(runs[0].classes) },
      wide,
    ),
  ];
}

/**
 * Which of two results is ahead, by how much, and whether chance alone explains it.
 *
 * @param {{ ppg: number; half: number }} one
 * @param {{ ppg: number; half: number }} other
 */
export function compared(one, other) {
  const by = Math.abs(one.ppg - other.ppg);
  const half = Math.hypot(one.half, other.half);
  return { isFirst: one.ppg >= other.ppg, by, half, isClear: by > half };
}

/** @typedef {{ games: number; ppg: number; stderr: number }} Test */

/**
 * The last tests of runs after the same number of games; null where there are none. Tests after
 * different numbers of games would only say which run is further.
 *
 * @param {Test[][]} histories
 * @returns {Test[] | null}
 */
export function sharedTests(...histories) {
  const [first, ...others] = histories;
  for (const test of [...first].reverse()) {
    const all = [test, ...others.map((tests) => tests.find(({ games }) => games === test.games))];
    if (all.every((one) => one !== undefined)) return all;
  }
  return null;
}

/**
 * The 97.5 % quantiles of Student's t for 1, 2, 3 ... degrees of freedom; the last one for more,
 * too.
 */
const STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

/**
 * The mean of a value over seeds, and half of its 95 % t interval.
 *
 * @param {number[]} values Two or more
 */
export function meanOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance =
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return {
    mean,
    half:
      STUDENT[Math.min(STUDENT.length, values.length - 1) - 1] *
      Math.sqrt(variance / values.length),
  };
}

/**
 * The settings of runs that differ, where two runs differ in more than one: then their results do
 * not tell which of them did it. A rule without lambda has no other lambda.
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
 * seed; null where there is none or a result is missing.
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
 * Runs beside each other: their results, what they differ in, and above that what they share.
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
