// @ts-check
// The name of a net for people.
import { t } from "./words.js";

/** The names of the one net that is built in, as the engine's module `open` reads them. */
const CHAMPION = ["built-in", "champion"];

/** @param {string} name */
export const isChampion = (name) => CHAMPION.includes(name);

/** @param {string} name */
export const netName = (name) => (isChampion(name) ? t("net.champion") : name);
