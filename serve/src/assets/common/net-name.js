// @ts-check
// The name of a net for people: that of a run is its title, where it has one.
import { get } from "./api.js";
import { el } from "./dom.js";
import { known, t } from "./words.js";

/** What the server calls itself as a player; any other opponent is a person. */
export const SERVER = "nonet";

/** The names of the one net that is built in, as the engine's module `open` reads them. */
const CHAMPION = ["built-in", "champion"];

/** @param {string} name */
export const isChampion = (name) => CHAMPION.includes(name);

/** A run's last net is `RUN/last`, its best one `RUN`. */
const LAST = "/last";

/**
 * The titles of runs, by their names.
 *
 * @type {Map<string, string>}
 */
let titles = new Map();

/**
 * The names of runs, the newest first.
 *
 * @type {string[]}
 */
let newest = [];

/**
 * Keeps the titles of these runs, and their order.
 *
 * @param {{ name: string; title: string | null }[]} runs The newest first
 */
export function keepTitles(runs) {
  newest = runs.map(({ name }) => name);
  titles = new Map(runs.flatMap(({ name, title }) => (title ? [[name, title]] : [])));
}

/**
 * Asks for the titles of runs, where there is a net of one.
 *
 * @param {string[]} nets
 */
export async function learnTitles(nets) {
  // Without an answer a run has its name.
  if (!nets.every(isChampion)) keepTitles(await get("/runs").catch(() => []));
}

/**
 * The nets of the server, once they were asked for.
 *
 * @type {string[]}
 */
let listed = [];

/** Asks for the nets of the server, with the titles of runs. */
export async function learnNets() {
  // Without an answer there is the one that is built in.
  listed = (await get("/nets").catch(() => null))?.nets ?? [CHAMPION[1]];
  await learnTitles(listed);
  return listed;
}

/**
 * The name of the net that has judged something; empty for the champion, which is the usual one.
 *
 * @param {string | undefined} net
 */
export const judgeName = (net) => (!net || isChampion(net) ? "" : netName(net, listed));

/**
 * What people call a run.
 *
 * @param {string} run
 */
const called = (run) => titles.get(run) ?? run;

/**
 * A net's name for people.
 *
 * @param {string} name
 * @param {string[]} all The list that it stands in: it tells runs from nets of the package
 */
export function netName(name, all = []) {
  if (isChampion(name)) return t("net.champion");
  if (name.endsWith(LAST)) return t("net.last", { run: called(name.slice(0, -LAST.length)) });
  return all.includes(name + LAST) ? t("net.best", { run: called(name) }) : called(name);
}

/**
 * Nets in two groups: those of the package, and those of runs, run by run, the newest first.
 *
 * @param {string[]} all
 */
export function groupsOf(all) {
  const isOfRun = (/** @type {string} */ name) => name.endsWith(LAST) || all.includes(name + LAST);
  const runOf = (/** @type {string} */ name) =>
    name.endsWith(LAST) ? name.slice(0, -LAST.length) : name;
  // The nets of a run stand together; a run that nothing is known of comes last.
  const place = (/** @type {string} */ name) =>
    newest.includes(runOf(name)) ? newest.indexOf(runOf(name)) : newest.length;
  const ofRuns = all
    .filter(isOfRun)
    .sort(
      (one, other) =>
        place(one) - place(other) ||
        runOf(one).localeCompare(runOf(other)) ||
        one.length - other.length,
    );
  return [
    ["package", all.filter((name) => !isOfRun(name))],
    ["runs", ofRuns],
  ].filter(([, names]) => names.length);
}

/**
 * The options of a list of nets; one group alone needs no heading.
 *
 * @param {string[]} all
 * @param {string} [chosen]
 */
export function netOptions(all, chosen) {
  const groups = groupsOf(all).map(([group, names]) =>
    el(
      "optgroup",
      { label: t(`net.group.${group}`) },
      /** @type {string[]} */ (names).map((name) =>
        el("option", { value: name, selected: name === chosen }, netName(name, all)),
      ),
    ),
  );
  return groups.length > 1 ? groups : groups.flatMap((one) => [...one.children]);
}

/**
 * A player with its strength, if it is nonet in a match that was played here. The strength is the
 * level of the champion, or another net and its depth.
 *
 * @param {string} name
 * @param {{ net: string; level: string; plies: number } | null} [against]
 */
export function opponentWords(name, against) {
  if (!against || name !== SERVER) return name;
  const { net, level, plies } = against;
  return isChampion(net)
    ? `${name}, ${known(`level.${level}`) ?? level}`
    : t("play.netOpponent", { name, net: netName(net), plies });
}
