// @ts-check
// The dialog of the settings, the same on every page.
import LOOK from "../board/look.js";
import { el } from "./dom.js";
import { host } from "./host.js";
import { SETTINGS, choose, setting } from "./settings.js";
import { t } from "./words.js";

/** @typedef {import("./settings.js").SettingName} SettingName */

/**
 * The settings in the dialog's order.
 *
 * @type {[string, SettingName[]][]}
 */
const GROUPS = [
  ["board", ["board", "checkers", "home", "pips", "evaluation"]],
  ["play", ["click", "confirm", "forced", "autoRoll", "pace"]],
  ["help", ["tutor"]],
  ["look", ["theme", "language", "motion", "sound"]],
];

/**
 * What a board or a colour of checkers looks like; nothing of another setting.
 *
 * @param {SettingName} name
 * @param {string} value
 */
function tint(name, value) {
  if (name !== "board" && name !== "checkers") return null;
  const made = el("i", {
    class: `tint ${name === "board" ? "wood" : "round"}`,
    "aria-hidden": "true",
  });
  const { frame, felt, odd, even } =
    LOOK.themes[
      /** @type {keyof typeof LOOK.themes} */ (name === "board" ? value : setting("board"))
    ];
  const colours =
    name === "board"
      ? { frame, felt, odd, even }
      : { felt: `var(--${value}-body)`, frame: `var(--${value}-edge)` };
  for (const [part, colour] of Object.entries(colours)) made.style.setProperty(`--${part}`, colour);
  return made;
}

/**
 * A choice of a few values as buttons of which one is chosen.
 *
 * @param {SettingName} name
 */
function choice(name) {
  const options = SETTINGS[name].map((value) => {
    const input = el("input", {
      type: "radio",
      name: `setting-${name}`,
      value,
      checked: setting(name) === value,
      onchange: () => {
        choose(name, value);
        if (name !== "language") return;
        sessionStorage.setItem(REOPEN, "yes");
        host.reload(); // All words are drawn anew.
      },
    });
    return el(
      "label",
      {},
      input,
      el("span", {}, tint(name, value), t(`settings.${name}.${value}`)),
    );
  });
  return el(
    "fieldset",
    { class: "choice" },
    el("legend", {}, t(`settings.${name}`)),
    el("div", { class: "segments" }, options),
  );
}

/** Kept while the page is loaded again in another language. */
const REOPEN = "nonet-settings-open";

/** Opens the settings again that a choice of the language has closed. */
export function reopenSettings() {
  if (sessionStorage.getItem(REOPEN) === null) return;
  sessionStorage.removeItem(REOPEN);
  openSettings();
}

/** @type {HTMLDialogElement | null} */
let dialog = null;

export function openSettings() {
  dialog?.remove();
  const groups = GROUPS.map(([group, names]) =>
    el("section", {}, el("h3", {}, t(`settings.group.${group}`)), names.map(choice)),
  );
  dialog = el(
    "dialog",
    { class: "settings", "aria-labelledby": "settings-title" },
    el(
      "form",
      { method: "dialog" },
      el(
        "div",
        { class: "dialog-head" },
        el("h2", { id: "settings-title", tabindex: -1, autofocus: true }, t("settings.title")),
        el("button", { class: "quiet", "aria-label": t("common.close") }, "×"),
      ),
      el("div", { class: "settings-groups" }, groups),
      el("p", { class: "small" }, t("settings.kept")),
      el("button", { class: "main" }, t("common.done")),
    ),
  );
  const made = dialog;
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  document.body.append(made);
  made.showModal();
}
