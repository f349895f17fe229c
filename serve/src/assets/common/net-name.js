// @ts-check
// The name of a net for people.
import { t } from "./words.js";

/** The names of the one net that is built in, as the engine's module `open` reads them. */
const CHAMPION = ["built-in", "champion"];

/** @param {string} name */
export const isChampion = (name) => CHAMPION.includes(name);

/** A run's last net is `RUN/last`, its best one `RUN`. */
const LAST = "/last";

/**
 * A net's name for people.
 * @param {string} name
 * @param {string[]} all the list that it stands in: it tells runs from nets of the package
 */
export function netName(name, all = []) {
  if (isChampion(name)) return t("net.champion");
  if (name.endsWith(LAST)) return t("net.last", { run: name.slice(0, -LAST.length) });
  return all.includes(name + LAST) ? t("net.best", { run: name }) : name;
}
