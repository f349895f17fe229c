// @ts-check
// What a person does with a run besides training: gives it a title, and deletes it.
import { post, remove } from "../common/api.js";
import { attempt, byId, el, say } from "../common/dom.js";
import { t } from "../common/words.js";
import { calledOf } from "./state.js";

/** @typedef {import("./state.js").Run} Run */

/** The run whose title is being written. @type {Run | null} */
let written = null;

/** Nobody writes a title any more. */
export function leaveTitle() {
  written = null;
  byId("title-form").hidden = true;
}

/** @param {Run} run */
function writeTitle(run) {
  written = run;
  byId("title-form").hidden = false;
  byId("title").value = run.title ?? "";
  byId("title").placeholder = run.name;
  byId("title").focus();
}

/**
 * The buttons of a run.
 * @param {Run} run
 * @param {() => unknown} removed
 */
export function careButtons(run, removed) {
  const away = () => attempt(async () => {
    if (!confirm(t("train.remove.sure", { name: calledOf(run) }))) return;
    await remove(`/runs/${encodeURIComponent(run.name)}`);
    await removed();
    say(t("train.removed", { name: calledOf(run) }));
  });
  return [
    el("button", { type: "button", class: "quiet", onclick: () => writeTitle(run) }, t("train.title")),
    // The server refuses while somebody works on it.
    run.state === "running" ? null : el("button", { type: "button", class: "quiet", id: "remove-run", onclick: away }, t("train.remove")),
  ].filter((one) => one !== null);
}

/** Listens to the form of the title. @param {() => unknown} changed */
export function watchTitle(changed) {
  byId("title-form").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const run = written;
    if (run) attempt(async () => {
      await post(`/runs/${encodeURIComponent(run.name)}/title`, { title: byId("title").value });
      leaveTitle();
      await changed();
    });
  });
  byId("title-cancel").addEventListener("click", leaveTitle);
  byId("title").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") leaveTitle(); });
}
