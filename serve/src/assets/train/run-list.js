// @ts-check
// The list of runs, from which one is chosen and others are compared with it.
import { byId, el } from "../common/dom.js";
import { inLanguage, signed } from "../common/format.js";
import { t } from "../common/words.js";
import { ruleOf } from "./rule.js";
import { calledOf, learned, resultOf, share } from "./state.js";

/** @typedef {import("./selection.js").Selection} Selection */
/** @typedef {import("./state.js").Run} Run */
/** @typedef {{ choose: (name: string) => Promise<void>; refresh: () => Promise<void> }} Acts */

/** From this width on the list stands next to the run. */
export const WIDE = 940;

/**
 * The strength of a run: its result, before it the last test.
 *
 * @param {Run} run
 */
function strengthOf(run) {
  const result = resultOf(run);
  if (result) return t("train.listed.result", { ppg: signed(result.ppg, 2) });
  return run.ppg === null ? null : t("train.ppg", { ppg: signed(run.ppg, 2) });
}

/**
 * The rule of a run with lambda and the learning rate, in signs.
 *
 * @param {Run} run
 */
function signsOf(run) {
  const rule = ruleOf(run.command);
  if (!rule) return null;
  const begin = run.total - rule.tuned;
  const tuned =
    learned(run) <= begin
      ? "train.tuned.later"
      : (resultOf(run)?.net.games ?? Infinity) <= begin
        ? "train.tuned.after"
        : "train.tuned";
  const signs = inLanguage(
    [rule.lambda && `λ ${rule.lambda}`, `α ${rule.alpha}`].filter(Boolean).join(", "),
  );
  return [t(`train.method.${rule.method}`), signs, rule.tuned && t(tuned)]
    .filter(Boolean)
    .join(" · ");
}

/** On a phone the run stands above the list. */
function goToRun() {
  if (innerWidth < WIDE) byId("run").scrollIntoView();
}

/**
 * Draws the list again where it has changed.
 *
 * @param {Run[]} runs
 * @param {Selection} selection
 * @param {Acts} acts
 */
export function showList(runs, selection, acts) {
  const { chosen, compared } = selection;
  const text = JSON.stringify([runs, chosen, [...compared], runs.map(strengthOf)]);
  if (text === byId("runs").dataset.text) return;
  byId("runs").dataset.text = text;
  byId("to-runs").hidden = runs.length < 2;
  showPicker(runs, chosen);
  const list = byId("runs");
  const drawn = runs.find(({ name }) => name === chosen);
  list.replaceChildren(
    ...runs.map((run) => entry(run, selection, acts)),
    runs.length > 1 && drawn
      ? el("p", { class: "small" }, t("train.compare.how", { name: calledOf(drawn) }))
      : "",
  );
}

/**
 * On a phone the list is far below: a field above the run chooses one. It changes only with its
 * words, since it may be open.
 *
 * @param {Run[]} runs
 * @param {string | null} chosen
 */
function showPicker(runs, chosen) {
  const words = (/** @type {Run} */ run) =>
    [calledOf(run), run.state === "finished" ? strengthOf(run) : t(`train.short.${run.state}`)]
      .filter(Boolean)
      .join(" · ");
  const options = [
    ...(runs.some(({ name }) => name === chosen) ? [] : [["", t("train.pick.none")]]),
    ...runs.map((run) => [run.name, words(run)]),
  ];
  const [text, field] = [JSON.stringify([options, chosen]), byId("pick")];
  byId("picker").hidden = runs.length < 2;
  if (field.dataset.text === text) return;
  field.dataset.text = text;
  field.replaceChildren(
    ...options.map(([value, shown]) => el("option", { value, selected: value === chosen }, shown)),
  );
}

/**
 * A run of the list, with its box for the comparison.
 *
 * @param {Run} run
 * @param {Selection} selection
 * @param {Acts} acts
 */
function entry(run, selection, acts) {
  const { chosen, compared } = selection;
  const bar = el("span", { class: "done" });
  bar.style.width = `${Math.round(100 * share(run))}%`;
  const box = el("input", {
    type: "checkbox",
    checked: compared.has(run.name),
    "aria-label": t("train.compare", { name: calledOf(run) }),
    title: t("train.compare", { name: calledOf(run) }),
    onchange: () => {
      if (box.checked) compared.add(run.name);
      else compared.delete(run.name);
      selection.write();
      acts.refresh().then(() => {
        if (compared.size) goToRun();
      });
    },
  });
  return el(
    "div",
    { class: `run ${run.state}` },
    el(
      "button",
      {
        type: "button",
        class: "name",
        "aria-pressed": `${run.name === chosen}`,
        onclick: () => acts.choose(run.name).then(goToRun),
      },
      el("b", {}, calledOf(run)),
      el(
        "span",
        { class: `state ${run.state === "running" ? "good" : ""}` },
        t(`train.short.${run.state === "running" && run.phase ? run.phase : run.state}`),
      ),
      el(
        "small",
        {},
        [run.title && run.name, run.architecture, strengthOf(run)].filter(Boolean).join(" · "),
        el("span", {}, signsOf(run)),
      ),
      el("span", { class: "way", "aria-hidden": "true" }, bar),
    ),
    run.name === chosen ? null : el("label", {}, box),
  );
}
