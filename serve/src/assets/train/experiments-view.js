// @ts-check
// The experiments of the course on the page: begun by one click, and explained at their end.
import { attempt, byId, el } from "../common/dom.js";
import { count, inLanguage } from "../common/format.js";
import { language, t } from "../common/words.js";
import {
  EXPERIMENTS,
  differenceOf,
  experimentOf,
  inCourse,
  runsOf,
  seeded,
} from "./experiments.js";
import { calledOf, freeName } from "./state.js";
import { host } from "../common/host.js";
import { beginWaiting, keepWaiting, waitingRuns } from "./queue.js";

/** @typedef {import("./experiments.js").Options} Options */
/** @typedef {import("./state.js").Run} Run */

/** The least width in pixels at which the words of the picture can be read. */
const READABLE = 600;

/**
 * Shows a curve of the course next to the offer of a first run, where there is the course: its
 * words are English.
 */
function showExample() {
  if (!host.has("/book") || language !== "en" || innerWidth < READABLE) return;
  byId("example").replaceChildren(
    el(
      "a",
      { href: inCourse("A first run") },
      el("img", {
        loading: "lazy",
        src: "/book/how-it-learns/td.svg",
        width: 1600,
        height: 1205,
        alt: t("train.hero.curve"),
      }),
    ),
    el("figcaption", { class: "small" }, t("train.hero.example")),
  );
  byId("example").hidden = false;
}

/**
 * What the runs of an experiment show, once all are over; null where it is not among the runs.
 *
 * @param {Run[]} runs
 */
export function explanationOf(runs) {
  const experiment = experimentOf(runs);
  if (!experiment) return null;
  const { key, course, seed, found } = experiment;
  const others = found.flatMap((run, i) => {
    if (run.name === seeded(experiment.runs[i].name, seed)) return [];
    const { option, values } = differenceOf(experiment.runs);
    return [
      " ",
      t("train.try.same", {
        run: calledOf(run),
        option: t(`train.head.${option === "preset" ? "architecture" : option}`),
        value: inLanguage(values[i]),
      }),
    ];
  });
  return el(
    "p",
    { class: "prose" },
    t(`train.try.${key}.after`),
    others,
    host.has("/book")
      ? [" ", el("a", { href: inCourse(course) }, t("train.try.course", { heading: course }))]
      : null,
  );
}

/** The seed in the field of the experiments. */
function wantedSeed() {
  const field = byId("try-seed");
  // What the browser says of a field is in its own language.
  field.setCustomValidity("");
  if (!field.checkValidity()) field.setCustomValidity(field.title);
  return field.reportValidity() ? Number(field.value || 1) : null;
}

/** The seeds of the course's table. */
const SEEDS = [1, 2, 3];

/**
 * Begins the runs of an experiment with these seeds, and tells their names. A run with these
 * settings is shown, not begun again.
 *
 * @param {Options[]} wanted
 * @param {number[]} seeds
 * @param {Run[]} runs Those that there are
 */
async function beginAll(wanted, seeds, runs) {
  const all = seeds.flatMap((seed) => {
    const taken = [...runs, ...waitingRuns()].map(({ name }) => name);
    const found = runsOf(wanted, seed, runs);
    const named = wanted.map((run, i) => ({
      ...run,
      seed,
      name:
        found[i]?.name ??
        waitingRuns().find(({ name }) => name === seeded(run.name, seed))?.name ??
        freeName(taken, seeded(run.name, seed)),
    }));
    const waiting = waitingRuns();
    keepWaiting([
      ...waiting,
      ...named.filter(({ name }, i) => !found[i] && !waiting.some((one) => one.name === name)),
    ]);
    return named;
  });
  await beginWaiting(runs);
  return all.map(({ name }) => name);
}

/**
 * Draws the experiments.
 *
 * @param {() => Run[]} runs Those that there are
 * @param {(names: string[]) => Promise<void>} show Shows runs side by side; some of them may
 *   not be there yet
 */
export function showExperiments(runs, show) {
  const begin = (/** @type {Options[]} */ wanted, /** @type {number[]} */ seeds) =>
    attempt(async () => show(await beginAll(wanted, seeds, runs())));
  showExample();
  byId("experiments").replaceChildren(
    ...EXPERIMENTS.map(({ key, seconds, runs: wanted }) =>
      el(
        "div",
        { class: "experiment" },
        el("b", {}, t(`train.try.${key}`)),
        el("p", { class: "small" }, t(`train.try.${key}.why`)),
        el(
          "p",
          { class: "small" },
          t("train.try.size", { n: wanted.length, games: count(wanted[0].games), seconds }),
        ),
        el(
          "p",
          { class: "tools" },
          el(
            "button",
            {
              type: "button",
              onclick: () => {
                const seed = wantedSeed();
                if (seed !== null) begin(wanted, [seed]);
              },
            },
            t(`train.try.begin.${wanted.length}`),
          ),
          el(
            "button",
            { type: "button", class: "link", onclick: () => begin(wanted, SEEDS) },
            t("train.try.seeds", { seeds: SEEDS.join(", ") }),
          ),
        ),
      ),
    ),
  );
}
