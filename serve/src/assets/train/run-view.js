// @ts-check
// The run that is chosen, and those compared with it: what they do, their buttons, curves and nets.
import { byId, el, wholeOptions } from "../common/dom.js";
import { t } from "../common/words.js";
import { architectureView } from "./architecture.js";
import { earlierOf, earlierWords, netWords, sentencesOf } from "./care.js";
import { classCharts, haveAverages, strengthChart } from "./charts.js";
import { commandOf } from "./commands.js";
import { comparison, verdict } from "./comparison.js";
import { controls } from "./controls.js";
import { showOpenings } from "./openings.js";
import { calledOf, resultOf, share } from "./state.js";

/** @typedef {import("./state.js").Run} Run */

/**
 * A run with its tests, as the server tells them, and with what the page knows of it.
 *
 * @param {any} answer
 * @param {number} colour
 */
export const knownOf = (answer, colour) => ({
  ...answer,
  colour,
  result: resultOf(answer.run),
  earlier: earlierOf(answer.run),
});

/**
 * What a run does.
 *
 * @param {ReturnType<typeof knownOf>} known
 */
export function showState({ run, result, earlier, history }) {
  byId("run-title").replaceChildren(
    calledOf(run),
    run.title ? el("small", { class: "soft" }, ` ${run.name}`) : "",
  );
  byId("run").dataset.state = run.state;
  byId("state-said").textContent = [...sentencesOf(run, result, history), earlierWords(earlier)]
    .filter(Boolean)
    .join(" ");
  byId("way").value = share(run);
  byId("way").hidden = ["finished", "failed"].includes(run.state);
  byId("command").replaceChildren(...wholeOptions(commandOf(run)));
  byId("messages").textContent = run.messages.join("\n");
  byId("messages").hidden = run.state !== "failed" && run.state !== "running";
}

/**
 * The buttons of a run. They change only with what they say: the person may be typing there.
 *
 * @param {Run} run
 * @param {import("./controls.js").Owner} owner
 */
export function showControls(run, owner) {
  const form = JSON.stringify([
    run.name,
    run.title,
    run.state,
    run.phase,
    run.total,
    run.games > 0,
    owner.runs().length > 1,
  ]);
  if (byId("controls").dataset.text === form) return;
  byId("controls").dataset.text = form;
  byId("controls").replaceChildren(...controls(run, owner));
}

/**
 * The nets of a run, where its architecture is one that has a name.
 *
 * @param {Run} run
 * @param {any[]} architectures
 */
export function showNets(run, architectures) {
  const found = architectures.find((one) => one.name === run.architecture);
  byId("nets-part").hidden = !found;
  if (!found || byId("nets").dataset.name === found.name) return;
  byId("nets").dataset.name = found.name;
  byId("nets-title").textContent = t("train.nets", { name: found.name });
  byId("nets").replaceChildren(architectureView(found));
}

/** What the curves show. */
let drawn = "";

/** The curves are drawn again, though they show the same: there is another width. */
export function forgetCurves() {
  drawn = "";
}

/**
 * The curves of runs, their comparison, and the openings of the first one.
 *
 * @param {ReturnType<typeof knownOf>[]} known
 * @param {any} answer What the server tells of the first one
 * @param {boolean} averages Whether averages are drawn
 */
export function showCurves(known, answer, averages) {
  const state = JSON.stringify([
    known.map(({ run: one, history: tests, knowledge, result, earlier: last, colour }) => [
      one.name,
      one.title,
      tests,
      knowledge,
      result,
      last,
      colour,
    ]),
    averages,
  ]);
  if (state === drawn) return;
  drawn = state;
  const wide = (byId("strength").clientWidth || 720) - 4;
  const isTested = known.some((one) => one.history.length);
  // Of runs side by side the table comes before the openings of one of them.
  if (known.length > 1) byId("openings-part").before(byId("charts"));
  else byId("run").append(byId("charts"));
  const open = [...byId("charts").querySelectorAll("details[open]")].map(
    (one) => /** @type {HTMLElement} */ (one).dataset.part ?? "",
  );
  byId("strength").replaceChildren(
    isTested
      ? strengthChart(known, wide, averages)
      : el("p", { class: "empty" }, t("train.firstTest")),
  );
  byId("verdict").replaceChildren(known.length > 1 ? verdict(known) : "");
  byId("averages-part").hidden = !haveAverages(known);
  byId("averages").checked = averages;
  byId("charts").replaceChildren(
    ...(known.length > 1 ? [comparison(known)] : []),
    ...(isTested ? classCharts(known, wide, open) : []),
  );
  const [{ result }] = known;
  showOpenings(answer, result, result ? netWords(result) : "");
  byId("watch-part").hidden = !answer.history.length;
}
