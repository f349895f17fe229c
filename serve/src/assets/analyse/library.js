// @ts-check
// The library: analyses at work, those that are done, and the figures of a player.
import { get } from "../common/api.js";
import { attempt, byId, el, empty } from "../common/dom.js";
import { percent, recordName } from "../common/format.js";
import { judgeName } from "../common/net-name.js";
import { ownAnalyses } from "../common/own.js";
import { t } from "../common/words.js";
import { MANY, analyses, find, howOf, showChosen } from "./library-table.js";
import { playersIn, showPlayer } from "./player-view.js";

/**
 * @typedef {{
 *   open: (id: string, match?: number) => void;
 *   compare: (one: string, other: string, places: number[]) => void;
 *   player: string | null;
 *   choosePlayer: (name: string) => void;
 * }} Owner
 */

/**
 * When and how far each analysis at work was first seen.
 *
 * @type {Map<string, { at: number, done: number }>}
 */
const firstSeen = new Map();

/** From such a share on, its progress tells how long an analysis takes. */
const TELLING = 0.05;

/**
 * About how long an analysis still takes, in words; nothing while too little is known.
 *
 * @param {any} row
 */
function leftOf({ id, done, total }) {
  const now = performance.now();
  const first = firstSeen.get(id) ?? { at: now, done };
  firstSeen.set(id, first);
  if (done - first.done < TELLING * total) return "";
  const seconds = ((now - first.at) / 1000) * ((total - done) / (done - first.done));
  return ` · ${seconds < 90 ? t("analyse.left.seconds", { n: Math.max(1, Math.round(seconds)) }) : t("analyse.left.minutes", { n: Math.round(seconds / 60) })}`;
}

/** @param {any} row */
const progressOf = (row) =>
  el(
    "div",
    { class: "card job" },
    el(
      "p",
      {},
      el("b", {}, recordName(row.name)),
      ` · ${row.done ? t("analyse.working", { percent: percent(row.done / Math.max(1, row.total), 0) }) : t("analyse.waits")}${leftOf(row)}${howOf(row) ? ` · ${howOf(row)}` : ""}`,
    ),
    el("progress", { max: row.total, value: row.done, "aria-label": recordName(row.name) }),
  );

/** Counts the questions: an answer that is older than the last question is dropped. */
let round = 0;

/** Whether the list has all analyses of the server, not this browser's alone. */
let showsAll = false;

/**
 * Draws everything, and again while an analysis is at work.
 *
 * @param {Owner} owner
 */
export async function showLibrary(owner) {
  round += 1;
  const own = round;
  const found = await attempt(() => get("/analyses"));
  if (!found || own !== round) return;
  const mine = ownAnalyses(found);
  const rows = showsAll ? found : mine;
  showSwitch(found.length, mine.length, owner);
  const working = rows.filter((/** @type {any} */ row) => row.state === "working");
  // Of many files, those that wait are a number.
  const waiting = working.filter((/** @type {any} */ row) => !row.done).slice(1);
  byId("jobs").replaceChildren(
    ...working.filter((/** @type {any} */ row) => !waiting.includes(row)).map(progressOf),
    ...(waiting.length
      ? [
          el(
            "p",
            {
              class: "small",
              title: waiting.map((/** @type {any} */ row) => recordName(row.name)).join(", "),
            },
            t("analyse.waiting", { n: waiting.length }),
          ),
        ]
      : []),
  );
  const again = () => showLibrary(owner);
  const done = rows.filter((/** @type {any} */ row) => row.state !== "working");
  byId("list").replaceChildren(
    ...(done.length
      ? [analyses(done, owner, again)]
      : found.length && !rows.length
        ? [empty(t("analyse.noOwn"))]
        : []),
  );
  byId("list-head").hidden = !done.length && found.length === rows.length;
  byId("find").hidden = done.length < MANY;
  find();
  byId("first").hidden = rows.length > 0;
  showChosen();
  // The figures of another net are no measure of play.
  const rated = done.filter((/** @type {any} */ row) => !judgeName(row.net));
  if (rated.length)
    await showPlayer(owner, playersIn(rated), rated, done.length - rated.length, again);
  else byId("player").hidden = true;
  if (working.length)
    setTimeout(() => {
      if (!byId("library").hidden && own === round) showLibrary(owner);
    }, 500);
}

/**
 * The switch between this browser's analyses and all of the server.
 *
 * @param {number} all
 * @param {number} own
 * @param {Owner} owner
 */
function showSwitch(all, own, owner) {
  const button = byId("all-analyses");
  button.hidden = all === own;
  button.setAttribute("aria-pressed", `${showsAll}`);
  button.textContent = t("analyse.all", { n: all });
  button.onclick = () => {
    showsAll = !showsAll;
    showLibrary(owner);
  };
}
