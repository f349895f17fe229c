// @ts-check
// Experiments of the course: two runs that differ in one thing, begun by one click and shown beside
// each other.
import { post } from "../common/api.js";
import { attempt, byId, el } from "../common/dom.js";
import { t } from "../common/words.js";

/** What both runs of an experiment share: some three seconds of processor time each. */
const SHORT = { games: 4000, eval_every: 500, eval_games: 200, final_games: 1000 };

/** Runs without a learning rate have the usual one of their architecture. @type {{ key: string, runs: [Record<string, any>, Record<string, any>] }[]} */
const EXPERIMENTS = [
  { key: "hidden", runs: [{ name: "hidden-units", preset: "medium" }, { name: "linear", preset: "linear" }] },
  { key: "nets", runs: [{ name: "three-nets", preset: "small" }, { name: "nine-nets", preset: "large" }] },
  { key: "rate", runs: [{ name: "high-rate", preset: "small", alpha: "0.1" }, { name: "low-rate", preset: "small", alpha: "0.003" }] },
];

/**
 * What the runs of an experiment show, once both are over; empty for other runs.
 * @param {string[]} names
 */
export function explanationOf(names) {
  const found = EXPERIMENTS.find(({ runs }) => runs.every(({ name }) => names.includes(name)));
  return found ? t(`train.try.${found.key}.after`) : "";
}

/**
 * Draws the experiments.
 * @param {() => string[]} names the runs that there are
 * @param {(one: string, other: string) => void} show shows two runs beside each other
 */
export function showExperiments(names, show) {
  byId("experiments").replaceChildren(el("p", { class: "small" }, t("train.try.seed")), ...EXPERIMENTS.map(({ key, runs }) => el("div", { class: "experiment" }, el("b", {}, t(`train.try.${key}`)), el("p", { class: "small" }, t(`train.try.${key}.why`)),
    el("button", { type: "button", onclick: () => attempt(async () => {
      // Runs that are there are shown, not begun again.
      for (const run of runs) if (!names().includes(run.name)) await post("/runs", { ...SHORT, ...run });
      show(runs[0].name, runs[1].name);
    }) }, t(runs.every(({ name }) => names().includes(name)) ? "train.try.show" : "train.try.begin")))));
}
