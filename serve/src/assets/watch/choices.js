// @ts-check
// Which match is watched: what the address asks for, and the form for another one.
import { el } from "../common/dom.js";
import { query } from "../common/host.js";
import { t } from "../common/words.js";
import { levelOptions } from "../play/levels.js";
import { PLY } from "./match.js";

/** @typedef {import("./match.js").Side} Side */

const LENGTHS = [1, 3, 5, 7];
/** The players unless others are chosen: mistakes are to be seen. */
const FIRST = { light: "newcomer", dark: "champion" };

const randomSeed = () => 1 + Math.floor(Math.random() * 1e9);

/**
 * What the address asks for.
 *
 * @param {number | null} seed
 */
export function askedFor(seed) {
  const wanted = query();
  // Older addresses have the levels as the server names them.
  const level = (/** @type {string} */ place, /** @type {Side} */ side) =>
    wanted.get(place) || (wanted.get(side) ?? FIRST[side]);
  return {
    seed: seed ?? randomSeed(),
    light: level("below", "light"),
    dark: level("above", "dark"),
    length: Number(wanted.get("length")) || 3,
    ply: PLY,
  };
}

/** @param {ReturnType<typeof askedFor>} asked */
export const addressOf = ({ seed, light, dark, length }) =>
  `/?${new URLSearchParams({ watch: `${seed}`, below: light, above: dark, length: `${length}` })}`;

/**
 * A form for both levels and the length. While a match is on, another choice says when it holds.
 *
 * @param {ReturnType<typeof askedFor>} asked
 * @param {any[]} levels
 * @param {(address: string) => void} go
 * @param {boolean} isOn
 */
export function choices(asked, levels, go, isOn) {
  const select = (/** @type {Side} */ side) =>
    el(
      "label",
      {},
      t(`watch.${side}Level`),
      el("select", { name: side }, levelOptions(levels, asked[side], false)),
    );
  const length = el(
    "label",
    {},
    t("play.length"),
    el(
      "select",
      { name: "length" },
      LENGTHS.map((n) =>
        el("option", { value: n, selected: n === asked.length }, t("play.toPoints", { n })),
      ),
    ),
  );
  const button = el(
    "button",
    { type: "submit", class: isOn ? "" : "main" },
    t(isOn ? "watch.again" : "watch.start"),
  );
  const form = el(
    "form",
    { class: "watch-choices", autocomplete: "off" },
    select("light"),
    select("dark"),
    length,
    button,
  );
  form.addEventListener("change", () => {
    if (isOn) [button.className, button.textContent] = ["main", t("watch.chosen")];
  });
  form.addEventListener("submit", (/** @type {globalThis.Event} */ event) => {
    event.preventDefault();
    const chosen = new FormData(form);
    go(
      addressOf({
        ...asked,
        seed: randomSeed(),
        light: `${chosen.get("light")}`,
        dark: `${chosen.get("dark")}`,
        length: Number(chosen.get("length")),
      }),
    );
  });
  return form;
}
