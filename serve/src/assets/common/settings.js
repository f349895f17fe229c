// @ts-check
// What a person has chosen, kept by the browser. Every page reads and writes it here alone.
import "./storage.js";

/** Each setting with its values; the first one holds until the person chooses. */
export const SETTINGS = Object.freeze({
  theme: ["system", "light", "dark"],
  language: ["system", "en", "de"],
  board: ["walnut", "baize", "slate"],
  home: ["right", "left"],
  checkers: ["light", "dark"],
  pips: ["yes", "no"],
  evaluation: ["after", "moving", "no"],
  motion: ["system", "off", "fast", "normal", "slow"],
  pace: ["normal", "slow", "fast"],
  below: ["person", "decider", "first", "second"],
  sound: ["on", "off"],
  click: ["move", "pick"],
  confirm: ["yes", "no"],
  forced: ["show", "ask"],
  autoRoll: ["no", "yes"],
  tutor: ["off", "doubtful", "bad", "veryBad"],
});

/** @typedef {keyof typeof SETTINGS} SettingName */

const KEY = "nonet-settings";
const store = typeof localStorage === "undefined" ? null : localStorage;

/** @returns {Record<string, string>} */
function kept() {
  try {
    return JSON.parse(store?.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {}; // Not ours, or cut short: as if nothing were chosen.
  }
}

/** @type {Set<(name: SettingName) => void>} */
const listeners = new Set();

/** @param {SettingName} name */
export function setting(name) {
  const value = kept()[name];
  return SETTINGS[name].includes(value) ? value : SETTINGS[name][0];
}

/**
 * @param {SettingName} name
 * @param {string} value
 */
export function choose(name, value) {
  if (!SETTINGS[name].includes(value)) return;
  try {
    store?.setItem(KEY, JSON.stringify({ ...kept(), [name]: value }));
  } catch {
    /* A browser that keeps nothing: the choice holds for this page. */
  }
  for (const tell of listeners) tell(name);
}

/**
 * Calls `tell` whenever a setting changes, here or in another window.
 *
 * @param {(name: SettingName) => void} tell
 */
export const onChange = (tell) => listeners.add(tell);

/**
 * Calls it no more.
 *
 * @param {(name: SettingName) => void} tell
 */
export const offChange = (tell) => listeners.delete(tell);

if (typeof addEventListener === "function") {
  addEventListener("storage", (event) => {
    if (event.key === KEY)
      for (const name of Object.keys(SETTINGS))
        for (const tell of listeners) tell(/** @type {SettingName} */ (name));
  });
}

/**
 * A colour of checkers: `own` is the one that the person has chosen, `other` the opponent's.
 *
 * @typedef {"own" | "other" | "light" | "dark"} Colour
 */

/**
 * Whether a colour is the light one.
 *
 * @param {Colour} colour
 */
export const isLight = (colour) =>
  colour === "light" || colour === (setting("checkers") === "light" ? "own" : "other");

/** How long a checker slides, in milliseconds; 0 where nothing moves. */
export function moveTime() {
  const chosen = setting("motion");
  const still =
    typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (chosen === "system") return still ? 0 : 300;
  return { off: 0, fast: 200, normal: 300, slow: 500 }[chosen] ?? 300;
}
