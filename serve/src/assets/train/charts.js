// @ts-check
// The curves of runs: strength with its intervals, and for each class a small chart with a line for
// each run.
import { lineChart } from "../common/chart.js";
import { el } from "../common/dom.js";
import { count } from "../common/format.js";
import { t } from "../common/words.js";
import { calledOf } from "./state.js";
import { lengthsOf } from "./commands.js";
import { ruleOf } from "./rule.js";
import { half } from "./statistics.js";

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
 * A small chart for each class, all with one y axis, so that they can be compared. The charts are
 * folded until the person opens them.
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
function byClass(
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
