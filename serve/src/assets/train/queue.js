// @ts-check
// Runs that wait until the server has room for them.
import { byId, el } from "../common/dom.js";
import { t } from "../common/words.js";
import { get, post } from "../common/api.js";

/** @typedef {import("./experiments.js").Options} Options */
/** @typedef {import("./state.js").Run} Run */

/** This browser keeps the runs that wait until the server has room for them. */
const QUEUE = "nonet-waiting-runs";

/**
 * The runs that wait, the next one first.
 *
 * @returns {Options[]}
 */
export function waitingRuns() {
  try {
    const kept = JSON.parse(localStorage.getItem(QUEUE) ?? "[]");
    return kept.filter((/** @type {any} */ one) => typeof one?.name === "string");
  } catch {
    return []; // What is no list of runs is begun anew.
  }
}

/** @param {Options[]} queue */
export function keepWaiting(queue) {
  localStorage.setItem(QUEUE, JSON.stringify(queue));
  const names = queue.map(({ name }) => t("train.quoted", { name })).join(", ");
  byId("waiting").replaceChildren(
    ...(queue.length
      ? [
          t("train.try.waits", { names, n: queue.length }),
          " ",
          el(
            "button",
            { type: "button", class: "link", onclick: () => keepWaiting([]) },
            t("train.try.drop"),
          ),
        ]
      : []),
  );
}

/** @param {string} name */
const leaveQueue = (name) => keepWaiting(waitingRuns().filter((one) => one.name !== name));

/** This number of running runs left no room for another. */
let full = Infinity;
let isBeginning = false;

/**
 * Whether a server refuses a request for what it is. What it lacks now, a later request gets: an
 * answer at all, a free place, the token.
 *
 * @param {number} status 0 without an answer
 */
const isWrong = (status) => status >= 400 && status < 500 && status !== 401;

/** @param {Run[]} runs */
const running = (runs) => runs.filter(({ state }) => state === "running").length;

/**
 * Begins the runs that wait, as far as the server has room.
 *
 * @param {Run[]} runs Those that there are
 */
export async function beginWaiting(runs) {
  keepWaiting(waitingRuns());
  if (isBeginning || running(runs) >= full) return;
  isBeginning = true;
  try {
    for (const options of waitingRuns()) {
      try {
        await post("/runs", options);
      } catch (error) {
        const { status } = /** @type {import("../common/api.js").Refused} */ (error);
        if (!isWrong(status)) throw error;
        // 409: as many runs as may be are running, or there is such a run now.
        const now = status === 409 ? await get("/runs") : [];
        if (now.length && !now.some((/** @type {Run} */ { name }) => name === options.name)) {
          full = Math.max(1, running(now));
          break;
        }
        leaveQueue(options.name);
        if (!now.length) throw error;
      }
      full = Infinity;
      leaveQueue(options.name);
    }
  } finally {
    isBeginning = false;
  }
}
