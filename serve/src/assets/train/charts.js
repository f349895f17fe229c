// @ts-check
// The curves of runs: strength with its intervals, and for each class a small chart with a line for
// each run.
import { lineChart } from "../common/chart.js";
import { el } from "../common/dom.js";
import { count, decimal, signed } from "../common/format.js";
import { table } from "../common/tables.js";
import { t } from "../common/words.js";
import { explanationOf } from "./experiments.js";
import { COLOURS, calledOf, commandOf, compared, sharedTests } from "./state.js";

/** Half the width of a 95 % interval. @param {number} stderr */
export const half = (stderr) => 1.96 * stderr;

/** @param {any} one @param {string} ppg @param {string} stderr */
const points = (one, ppg, stderr) => one.history.filter((/** @type {any} */ test) => test[ppg] !== null).map((/** @type {any} */ test) => [test.games, test[ppg], half(test[stderr])]);

/**
 * Strength over games, each line with its name at its end. A run has one colour in all charts, and
 * its weights after each game are dashed. A run alone has the colours of the course: blue for the
 * average, orange for these weights. Of several runs, the average alone has its band.
 * @param {any[]} runs
 * @param {number} wide
 */
export function strengthChart(runs, wide) {
  const series = runs.flatMap((one) => [
    { name: t("train.average", { name: calledOf(one.run) }), points: points(one, "average_ppg", "average_stderr"), colour: one.colour, dots: one.history.length < 25 },
    { name: t("train.last", { name: calledOf(one.run) }), of: calledOf(one.run), points: points(one, "ppg", "stderr").map((/** @type {number[]} */ point) => (runs.length > 1 ? point.slice(0, 2) : point)), colour: one.colour + Number(runs.length === 1), dashed: true, dots: one.history.length < 25 },
  ]).filter((one) => one.points.length);
  return lineChart({ title: t("train.chart.strength"), x: t("train.chart.games"), y: t("train.chart.ppg"), series, logX: true, level: 0, wide, labels: wide > 480, tell: true });
}

/** A range for values on one axis, with some room. @param {number[]} values @param {boolean} logY @returns {[number, number] | null} */
function rangeOf(values, logY) {
  const known = values.filter((value) => !logY || value > 0);
  if (!known.length) return null;
  return logY ? [Math.min(...known) / 1.1, Math.max(...known) * 1.1] : [0, Math.max(...known) * 1.06 || 1];
}

/**
 * A small chart for each class, all with one y axis, so that they can be compared.
 * @param {any[]} runs
 * @param {(test: any, i: number) => number | null} of
 * @param {{ title: string, y: string, how?: string, logY?: boolean }} words
 * @param {number} wide
 */
export function byClass(runs, of, { title, y, how = "", logY = false }, wide) {
  const { classes } = runs[0];
  const columns = Math.max(1, Math.floor(wide / 300));
  const each = Math.floor(wide / columns) - 12;
  const all = classes.map((/** @type {string} */ _, /** @type {number} */ i) => runs.map((one) => ({ name: calledOf(one.run), colour: one.colour, points: one.history.map((/** @type {any} */ test) => [test.games, of(test, i)]).filter((/** @type {any} */ [, value]) => Number.isFinite(value)) }))
    .filter((one) => one.points.length));
  const range = rangeOf(all.flat().flatMap((/** @type {any} */ one) => one.points.map((/** @type {number[]} */ point) => point[1])), logY);
  const charts = classes.map((/** @type {string} */ name, /** @type {number} */ i) => {
    const series = all[i];
    return series.length ? lineChart({ title: t(`class.${name}`), x: t("train.chart.games"), y, series, logX: true, logY, range, wide: each, tall: 190, labels: series.length > 1 && each > 240 }) : null;
  }).filter(Boolean);
  return el("section", { class: "card" }, el("h2", {}, title), how ? el("p", { class: "small prose" }, how) : null, charts.length ? el("div", { class: "multiples" }, charts) : el("p", { class: "empty" }, t("train.chart.none")));
}

/** @param {any[]} runs @param {number} wide */
export function classCharts(runs, wide) {
  const sum = (/** @type {any} */ test) => test.examples.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0) || 1;
  return [byClass(runs, (test, i) => test.td_error[i], { title: t("train.chart.errors"), how: t("train.chart.errors.how"), y: t("train.chart.error"), logY: true }, wide),
    byClass(runs, (test, i) => (100 * test.examples[i]) / sum(test), { title: t("train.chart.shares"), y: "%" }, wide)];
}

/** The learning rate as the command of a run names it. @param {string} command */
const alphaOf = (command) => /--alpha (\S+)/.exec(command)?.[1];

/**
 * What two runs are compared by: their last matches, before that tests after equally many games.
 * @param {any[]} runs
 */
function measured([one, other]) {
  if (one.result && other.result) return { values: [one.result, other.result], when: t("train.verdict.lastMatch") };
  const tests = sharedTests(one.history, other.history);
  return tests && { values: tests.map(({ ppg, stderr }) => ({ ppg, half: half(stderr) })), when: t("train.verdict.tests", { games: count(tests[0].games) }) };
}

/** Which of two runs is ahead, in a sentence. @param {any[]} runs */
export function verdict(runs) {
  const found = measured(runs);
  if (!found) return "";
  const { isFirst, by, half: width, isClear } = compared(found.values[0], found.values[1]);
  const [first, second] = runs.map(({ run }) => calledOf(run));
  const after = runs.every((run) => run.result) ? explanationOf(runs.map(({ run }) => run.name)) : "";
  return el("div", {}, el("p", { class: "verdict" }, t(isClear ? "train.verdict" : "train.verdict.unclear", {
    first: isFirst ? first : second, second: isFirst ? second : first, by: decimal(by, 2), half: decimal(width, 2), when: found.when,
  })), after ? el("p", { class: "prose" }, after) : null);
}

/** A value of an option as it is typed. @param {string | number | undefined} value */
const typed = (value) => (value === undefined ? "–" : el("code", {}, `${value}`));

/** Runs beside each other: results, rates, last tests. @param {any[]} runs */
export function comparison(runs) {
  const value = (/** @type {number | null | undefined} */ ppg, /** @type {number} */ stderr) => (ppg === null || ppg === undefined ? "–" : `${signed(ppg)} ± ${decimal(half(stderr), 3)}`);
  const rows = runs.map(({ run, history: tests, result, colour }) => {
    const last = tests.at(-1);
    const name = el("span", { class: `run-mark s${colour % COLOURS}` }, calledOf(run));
    return [name, run.architecture, count(run.games), typed(last && (alphaOf(run.command) ?? last.alpha)), typed(last?.lambda), result ? `${signed(result.ppg)} ± ${decimal(result.half, 3)}` : "–", value(last?.ppg, last?.stderr), value(last?.average_ppg, last?.average_stderr)];
  });
  const commands = el("details", {}, el("summary", {}, t("train.commands")), runs.map(({ run }) => el("p", { class: "small" }, el("b", {}, calledOf(run)), " ", el("code", {}, commandOf(run)))));
  return el("section", { class: "card" }, table(t("train.compared"), ["run", "architecture", "games", "alpha", "lambda", "result", "ppg", "averagePpg"].map((key) => t(`train.head.${key}`)), rows), commands);
}
