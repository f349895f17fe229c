// @ts-check
// The address of the page, which holds what it shows, and the name of a file of it.
import { NO_FILTER } from "./decisions.js";

/** @typedef {import("./decisions.js").Filter} Filter */

/**
 * The name of a file of an analysis: the match, its length, and the ending of what is inside.
 *
 * @param {{ names: string[]; length: number | null }} match
 * @param {string} record The name of the record
 * @param {string} file
 */
export function fileName({ names, length }, record, file) {
  const safe = [...names, length ? `${length}` : "money"].map((part) =>
    part.replaceAll(/[^\p{L}\p{N}]+/gu, "_").slice(0, 40),
  );
  return `${safe.join("-")}.${/\.([a-z0-9]{1,8})$/i.exec(file === "record" ? record : file)?.[1] ?? "txt"}`;
}

/**
 * The place that an address names. `besideMatch` is the match of the second analysis.
 *
 * @typedef {{
 *   id: string | null;
 *   match: number;
 *   game: number | null;
 *   index: number | null;
 *   beside: string | null;
 *   besideMatch?: number;
 *   filter: Filter;
 * }} Place
 */

/**
 * @param {string} search
 * @returns {Place}
 */
export function placeOf(search) {
  const params = new URLSearchParams(search);
  /** @type {Filter} */
  const filter = { ...NO_FILTER };
  for (const key of /** @type {(keyof Filter)[]} */ (Object.keys(filter)))
    filter[key] = params.get(key) ?? filter[key];
  const at = /^(\d+)\.(\d+)$/.exec(params.get("at") ?? "");
  return {
    id: params.get("id"),
    beside: params.get("beside"),
    match: Number(params.get("match")) || 0,
    besideMatch: Number(params.get("besideMatch")) || 0,
    filter,
    game: at ? Number(at[1]) : null,
    index: at ? Number(at[2]) : null,
  };
}

/** @param {Place} place */
export function searchOf(place) {
  const params = new URLSearchParams();
  if (place.id) params.set("id", place.id);
  if (place.beside) params.set("beside", place.beside);
  for (const key of /** @type {const} */ (["match", "besideMatch"]))
    if (place[key]) params.set(key, `${place[key]}`);
  for (const [key, value] of Object.entries(place.filter))
    if (value !== NO_FILTER[/** @type {keyof Filter} */ (key)]) params.set(key, value);
  if (place.game !== null && place.index !== null) params.set("at", `${place.game}.${place.index}`);
  const text = params.toString();
  return text ? `?${text}` : "";
}
