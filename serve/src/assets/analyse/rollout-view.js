// @ts-check
// Rollouts of decisions: each line's equity as a point on its shrinking interval. What was played
// stays for as long as the page.
import { rollout } from "../common/api.js";
import { cubeWords } from "../common/cube-words.js";
import { el } from "../common/dom.js";
import { decimal, signed } from "../common/format.js";
import { t } from "../common/words.js";
import { chancesLine } from "./decision-view.js";

/** Half the width of a 95 % interval, in standard errors. */
const WIDE = 1.96;

/**
 * The rows of an answer.
 * @param {any} answer
 * @returns {{ name: string, equity: number, stderr: number | null, note: string, outcomes: any }[]}
 */
export function rowsOf(answer) {
  if (answer.cube) {
    const { cube } = answer;
    return [
      { name: t("cube.double.no"), equity: cube.no_double.equity, stderr: cube.no_double.stderr ?? null, note: "", outcomes: null },
      { name: t("cube.double.take"), equity: cube.double_take.equity, stderr: cube.double_take.stderr ?? null, note: "", outcomes: null },
      { name: t("cube.double.pass"), equity: 1, stderr: 0, note: "", outcomes: null },
    ];
  }
  return answer.rollouts.map((/** @type {any} */ row, /** @type {number} */ i) => ({
    name: row.play, equity: row.equity, stderr: row.stderr ?? null, outcomes: row.outcomes,
    note: i === 0 ? "" : `${signed(-row.loss)}${row.loss_stderr === null || row.loss_stderr === undefined ? "" : ` ± ${decimal(WIDE * row.loss_stderr, 3)}`}`,
  }));
}

/**
 * The scale that all intervals fit into.
 * @param {{ equity: number, stderr: number | null }[]} rows
 * @returns {[number, number]}
 */
export function scaleOf(rows) {
  const ends = rows.flatMap(({ equity, stderr }) => [equity - WIDE * (stderr ?? 0), equity + WIDE * (stderr ?? 0)]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const pad = Math.max(0.01, 0.08 * (high - low));
  return [low - pad, high + pad];
}

/**
 * @param {any} answer
 * @param {"running" | "done" | "stopped"} state
 * @param {number} games of each line
 */
function drawn(answer, state, games) {
  const rows = rowsOf(answer);
  const [low, high] = scaleOf(rows);
  const at = (/** @type {number} */ value) => `${(100 * (value - low)) / (high - low)}%`;
  const played = answer.cube ? answer.games : Math.min(...answer.rollouts.map((/** @type {any} */ row) => row.games));
  const lines = rows.map(({ name, equity, stderr, note, outcomes }) => {
    const band = el("span", { class: "band" });
    const half = WIDE * (stderr ?? 0);
    [band.style.left, band.style.width] = [at(equity - half), `${(100 * 2 * half) / (high - low)}%`];
    const point = el("span", { class: "point" });
    point.style.left = at(equity);
    return el("tr", {}, el("th", { scope: "row" }, el("b", {}, name), outcomes ? chancesLine(outcomes) : null, el("span", { class: "scale", "aria-hidden": "true" }, band, point)),
      el("td", {}, signed(equity), el("small", {}, stderr === null ? "" : `± ${decimal(half, 3)}`), note ? el("small", { class: "lost" }, note) : null));
  });
  return [el("h3", {}, t(answer.cube ? "analyse.rollout.cube" : "analyse.rollout.plays", { words: answer.cube ? cubeWords(answer.cube.words) : "" })),
    el("table", { class: "rollout" }, el("thead", {}, el("tr", {}, el("td", {}), el("th", { scope: "col" }, t("table.equity")))), el("tbody", {}, lines)),
    state === "running" ? el("progress", { max: games, value: played, "aria-label": t("analyse.rollOut") }) : null,
    el("p", { class: "small" }, t(`rollout.${state}`, { leavesOut: answer.stderr_leaves_out, games: played, all: games, seconds: decimal(answer.seconds, 0) }))];
}

export class RolloutView {
  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} stop
   * @param {(key: string) => void} ended is told when a rollout is done or stopped
   */
  constructor(place, stop, ended = () => {}) {
    this.place = place;
    this.stop = stop;
    this.ended = ended;
    /** @type {Map<string, any>} The last answer about each decision whose rollout has ended. */
    this.answers = new Map();
    /** @type {AbortController | null} */
    this.cancel = null;
    /** @type {Map<string, any[]>} What each decision has. */
    this.known = new Map();
    this.shown = "";
    stop.addEventListener("click", () => this.end());
  }

  end() {
    this.cancel?.abort();
    this.stop.hidden = true;
  }

  /** Shows what was rolled out of a decision. @param {string} key */
  show(key) {
    this.shown = key;
    this.place.replaceChildren(...(this.known.get(key) ?? []));
  }

  /** @param {string} key @param {any} question */
  async begin(key, question) {
    this.end();
    const own = new AbortController();
    this.cancel = own;
    this.stop.hidden = false;
    this.shown = key;
    this.place.replaceChildren(el("p", { class: "loading" }, el("span", { class: "spinner", "aria-hidden": "true" }), t("rollout.begins")));
    /** @type {any} */
    let last = null;
    const draw = (/** @type {"running" | "done" | "stopped"} */ state) => {
      const parts = last ? drawn(last, state, question.games).filter((part) => part !== null) : [];
      this.known.set(key, parts);
      if (this.shown === key) this.place.replaceChildren(...parts);
      if (!last || state === "running") return;
      this.answers.set(key, last);
      this.ended(key);
    };
    own.signal.addEventListener("abort", () => draw("stopped"));
    try {
      await rollout(question, (answer, done) => {
        if (own.signal.aborted) return;
        last = answer;
        draw(done ? "done" : "running");
      }, own.signal);
    } catch (error) {
      if (this.shown === key) this.show(key);
      throw error;
    } finally {
      if (this.cancel === own) {
        this.cancel = null;
        this.stop.hidden = true;
      }
    }
  }
}
