// @ts-check
// The buttons of the run that is shown, by its state.
import { download, post } from "../common/api.js";
import { attempt, byId, el, say } from "../common/dom.js";
import { count } from "../common/format.js";
import { t } from "../common/words.js";
import { careButtons, extension } from "./care.js";
import { beyondForm, lengthsOf, optionsOf, withDefaults } from "./commands.js";
import { openWith } from "./form.js";
import { calledOf, resultOf } from "./state.js";

/** @typedef {import("./state.js").Run} Run */

/**
 * `runs` gives the runs that there are, and `removed` is called once the run is gone.
 *
 * @typedef {{
 *   runs: () => Run[];
 *   server: () => { architectures: any[]; trains: boolean };
 *   refresh: () => Promise<void>;
 *   removed: () => Promise<void>;
 * }} Owner
 */

/**
 * @param {Run} run
 * @param {Owner} owner
 */
export function controls(run, owner) {
  const command = (/** @type {string} */ path, /** @type {any} */ body = undefined) =>
    attempt(async () => {
      await post(`/runs/${run.name}/${path}`, body);
      await owner.refresh();
    });
  const parts = [
    ...stopOrResume(run, command),
    ...netLinks(run, owner.runs().length > 1),
    ...(run.state === "finished"
      ? [extension(run, resultOf(run), owner.runs, (games) => command("resume", { games }))]
      : []),
    ...(run.games > 0 ? fileButtons(run) : []),
  ];
  const { trains } = owner.server();
  if (trains && run.state !== "running" && run.command) {
    // A run that has failed needs other settings.
    const again = el(
      "button",
      {
        type: "button",
        class: run.state === "failed" ? "main" : "quiet",
        id: "again",
        onclick: () => useSettings(run, owner),
      },
      t("train.again"),
    );
    if (run.state === "failed") parts.unshift(again);
    else parts.push(again);
  }
  if (trains) parts.push(...careButtons(run, owner.removed));
  return parts;
}

/**
 * The button that stops a run, or goes on with it.
 *
 * @param {Run} run
 * @param {(path: string, body?: any) => unknown} command
 * @returns {HTMLElement[]}
 */
function stopOrResume(run, command) {
  if (run.state === "running")
    return [
      el(
        "button",
        { type: "button", disabled: run.phase === "stopping", onclick: () => command("stop") },
        t("train.stop"),
      ),
    ];
  // A run that has failed before its folder was there has nothing to go on with.
  if (run.state === "stopped" || (run.state === "failed" && run.total > 0))
    return [
      el(
        "button",
        {
          type: "button",
          class: run.state === "failed" ? null : "main",
          onclick: () => command("resume", {}),
        },
        t("train.resume"),
      ),
    ];
  return [];
}

/**
 * Where the net of a run can be used, and the way to the list of others.
 *
 * @param {Run} run
 * @param {boolean} hasOthers
 * @returns {HTMLElement[]}
 */
function netLinks(run, hasOthers) {
  if (run.state !== "finished" && !(run.state === "stopped" && run.games > 0)) return [];
  const net = encodeURIComponent(run.name);
  return [
    el(
      "a",
      { class: run.state === "finished" ? "button main" : "button", href: `/?net=${net}&ply=1` },
      t("train.play"),
    ),
    el("a", { class: "button", href: `/position?net=${net}` }, t("train.position")),
    el("a", { class: "button", href: `/analyse?net=${net}` }, t("train.analyse")),
    ...(hasOthers
      ? [
          el(
            "button",
            { type: "button", class: "to-runs", onclick: () => byId("runs").scrollIntoView() },
            t("train.compare.with"),
          ),
        ]
      : []),
  ];
}

/**
 * The report and the net of a run as files.
 *
 * @param {Run} run
 */
const fileButtons = (run) => [
  el(
    "button",
    {
      type: "button",
      onclick: () => attempt(() => download(`/runs/${run.name}/report`, `${run.name}.html`)),
    },
    t("train.report"),
  ),
  el(
    "button",
    {
      type: "button",
      onclick: () => attempt(() => download(`/runs/${run.name}/net`, `${run.name}.nonet`)),
    },
    t("train.saveNet"),
  ),
];

/**
 * Fills the form with the settings of a run.
 *
 * @param {Run} run
 * @param {Owner} owner
 */
function useSettings(run, { runs, server }) {
  // An extended run has the games of its last command.
  const options = withDefaults({
    ...optionsOf(run.command),
    ...(run.total > 0 && { games: `${run.total}` }),
  });
  const beyond = beyondForm(
    options,
    server().architectures.map((one) => one.name),
  );
  openWith(
    options,
    runs().map(({ name }) => name),
  );
  say(
    [
      beyond.length && t("train.again.lacks", { options: beyond.join(", ") }),
      lengthsOf(run.command).length > 1 &&
        t("train.again.extended", { name: calledOf(run), games: count(run.total) }),
    ]
      .filter(Boolean)
      .join(" "),
  );
}
