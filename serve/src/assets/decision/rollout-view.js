// @ts-check
// Rollouts of decisions: each line's equity as a point on its shrinking interval. The browser keeps
// the last ones.
import { events } from "../common/api.js";
import { answerWords, cubeWords } from "../common/cube-words.js";
import { attempt, el, loading, show } from "../common/dom.js";
import { decimal, percent, signed } from "../common/format.js";
import { isChampion, judgeName } from "../common/net-name.js";
import { t } from "../common/words.js";
import { isAnswer } from "./board-view.js";
import { chanceOf } from "./decision.js";
import { chancesLine } from "./plays-table.js";
import { WIDE, gainOf, gamesLeft, gamesOf, keepIn, keptIn } from "./verdicts.js";

/** @typedef {import("./decision.js").Decision} Decision */
/** @typedef {import("./verdicts.js").Rolled} Rolled */

/**
 * A difference with half of its interval.
 *
 * @param {number} value
 * @param {number | null | undefined} stderr
 */
const differenceWords = (value, stderr) =>
  `${signed(value)}${stderr === null || stderr === undefined ? "" : ` ± ${decimal(WIDE * stderr, 3)}`}`;

/**
 * How far the wrong one of two cube actions is from the right one, and its line: no double, take,
 * pass.
 *
 * @param {any} cube
 * @param {Decision["decision"] | undefined} what The decision, by default whether to double
 */
function behindOf(cube, what) {
  const gain = gainOf(what ?? {}, cube);
  if (!gain) return null;
  const doubled = cube.double_take.equity < 1 ? 1 : 2;
  // Equities are those of the doubler: a wrong answer makes them higher.
  const ofAnswer = gain === cube.take_gains;
  const line = ofAnswer ? (gain.equity > 0 ? 2 : 1) : gain.equity > 0 ? 0 : doubled;
  const lines = [cube.no_double.equity, cube.double_take.equity, 1];
  const best = ofAnswer ? 3 - line : line === 0 ? doubled : 0;
  return {
    line,
    note: differenceWords(lines[line] - lines[best], gain.stderr),
    isSure: Math.abs(gain.equity) >= WIDE * (gain.stderr ?? 0),
  };
}

/**
 * The rows of an answer.
 *
 * @param {any} answer
 * @param {Decision["decision"]} [what] The decision
 * @returns {{
 *   name: string;
 *   equity: number;
 *   stderr: number | null;
 *   note: string;
 *   isSure?: boolean;
 *   outcomes: any;
 * }[]}
 */
export function rowsOf(answer, what) {
  if (answer.cube) {
    const { cube } = answer;
    const behind = behindOf(cube, what);
    // Whoever is doubled has two actions left.
    const answers = isAnswer({ decision: what ?? {} });
    const double = /redouble/i.test(cube.words ?? "") ? "cube.redouble" : "cube.double";
    return [
      {
        name: t(`${double}.no`),
        equity: cube.no_double.equity,
        stderr: cube.no_double.stderr ?? null,
        note: "",
        outcomes: cube.outcomes,
      },
      {
        name: t(answers ? "cube.says.take" : `${double}.take`),
        equity: cube.double_take.equity,
        stderr: cube.double_take.stderr ?? null,
        note: "",
        outcomes: cube.take_outcomes ?? null,
      },
      {
        name: t(answers ? "cube.says.pass" : `${double}.pass`),
        equity: 1,
        stderr: null,
        note: "",
        outcomes: null,
      },
    ]
      .map((row, line) => (line === behind?.line ? { ...row, ...behind } : row))
      .slice(answers ? 1 : 0);
  }
  return answer.rollouts.map((/** @type {any} */ row, /** @type {number} */ i) => ({
    name: row.play,
    equity: row.equity,
    stderr: row.stderr ?? null,
    outcomes: row.outcomes,
    isSure: Math.abs(row.loss) >= WIDE * (row.loss_stderr ?? 0),
    note: i === 0 ? "" : differenceWords(row.equity - answer.rollouts[0].equity, row.loss_stderr),
  }));
}

/**
 * The level of a side; the best one is that of any net.
 *
 * @param {string} level
 */
const levelWords = (level) =>
  level === "champion" ? t("level.group.best").toLowerCase() : t(`level.${level}`);

/**
 * What the intervals leave out, in words.
 *
 * @param {any} answer
 */
const leftOut = ({ plies, cubeful, truncate }) =>
  [
    t("rollout.leaves.plays", { plies }),
    cubeful ? t("rollout.leaves.cube") : "",
    truncate ? t("rollout.leaves.end") : "",
  ]
    .filter(Boolean)
    .join(", ");

/**
 * The scale that all intervals fit into.
 *
 * @param {{ equity: number; stderr: number | null }[]} rows
 * @returns {[number, number]}
 */
export function scaleOf(rows) {
  const ends = rows.flatMap(({ equity, stderr }) => [
    equity - WIDE * (stderr ?? 0),
    equity + WIDE * (stderr ?? 0),
  ]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const pad = Math.max(0.01, 0.08 * (high - low));
  return [low - pad, high + pad];
}

/**
 * What a rollout says about a decision.
 *
 * @param {Rolled} rolled
 * @param {Decision | null} decision
 */
export function rolloutPart({ answer, state, games, plies, kept, question }, decision) {
  const isOpen = (/** @type {any} */ gain) =>
    Boolean(gain) && Math.abs(gain.equity) < WIDE * (gain.stderr ?? Infinity);
  const answers = Boolean(answer.cube && decision && isAnswer(decision));
  const title = !answer.cube
    ? "analyse.rollout.plays"
    : [answers ? null : answer.cube.double_gains, answer.cube.take_gains].some(isOpen)
      ? "analyse.rollout.cube.open"
      : "analyse.rollout.cube";
  const rows = rowsOf(answer, decision?.decision);
  const [low, high] = scaleOf(rows);
  const at = (/** @type {number} */ value) => `${(100 * (value - low)) / (high - low)}%`;
  const played = gamesOf(answer);
  const lines = rows.map(({ name, equity, stderr, note, isSure, outcomes }) => {
    const chance = decision && chanceOf(decision, equity);
    const band = el("span", { class: "band" });
    const half = WIDE * (stderr ?? 0);
    [band.style.left, band.style.width] = [
      at(equity - half),
      `${(100 * 2 * half) / (high - low)}%`,
    ];
    const point = el("span", { class: "point" });
    point.style.left = at(equity);
    return el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        el("b", {}, name),
        outcomes ? chancesLine(outcomes) : null,
        el("span", { class: "scale", "aria-hidden": "true" }, band, point),
      ),
      el(
        "td",
        {},
        signed(equity),
        el("small", {}, stderr === null ? "" : `± ${decimal(half, 3)}`),
        note
          ? el(
              "small",
              { class: isSure ? "lost" : null, title: isSure ? null : t("analyse.rollout.unsure") },
              note,
            )
          : null,
        chance === null ? null : el("small", {}, `${percent(chance)} ${t("analyse.mwc")}`),
      ),
    );
  });
  const how = t("analyse.rollout.how", { n: played, plies });
  return [
    el(
      "h3",
      {},
      t(title, {
        words: answers
          ? answerWords(answer.cube.words, answer.cube.double_take.equity, 1)
          : answer.cube
            ? cubeWords(answer.cube.words)
            : "",
      }),
      " ",
      el("span", { class: "tag" }, kept ? t("analyse.rollout.kept", { how }) : how),
    ),
    question?.net && !isChampion(question.net)
      ? el(
          "p",
          { class: "small", "data-player": "" },
          t("rollout.player", { net: judgeName(question.net) }),
        )
      : null,
    answer.levels
      ? el(
          "p",
          { class: "small" },
          t("rollout.levels", {
            own: levelWords(answer.levels[0]),
            other: levelWords(answer.levels[1]),
          }),
        )
      : null,
    answers ? el("p", { class: "small" }, t("analyse.seenByDoubler")) : null,
    el(
      "table",
      { class: "rollout" },
      el("thead", {}, el("tr", {}, el("td", {}), el("th", { scope: "col" }, t("table.equity")))),
      el("tbody", {}, lines),
    ),
    state === "running"
      ? el("progress", { max: games, value: played, "aria-label": t("analyse.rollOut") })
      : null,
    el(
      "p",
      { class: "small" },
      t(`rollout.${state}`, {
        leavesOut: leftOut(answer),
        games: played,
        all: games,
        seconds: decimal(answer.seconds, 0),
      }),
      " ",
      t("rollout.half"),
      decision?.xgid ? ` ${t("term.rolloutCounts")}` : "",
    ),
  ].filter((part) => part !== null);
}

/**
 * What is asked about a decision: its best plays and the one that was made, or both sides of its
 * cube.
 *
 * @param {Decision} decision
 * @param {number} games
 * @param {number} ply
 * @param {number} plays The number of best plays
 * @param {string} [net] By default the champion
 */
export function questionOf({ decision, xgid }, games, ply, plays, net = undefined) {
  if (decision.plays)
    return {
      id: xgid,
      cube: false,
      games,
      ply,
      plays,
      net,
      dice: decision.dice,
      also: decision.played,
    };
  // Without its mark of an offered double: both sides of it are rolled out.
  const parts = xgid.split(":");
  parts[4] = "00";
  return { id: parts.join(":"), cube: true, games, ply, net };
}

export class RolloutView {
  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} stop
   * @param {(key: string) => void} ended Is told when a rollout is done or stopped
   */
  constructor(place, stop, ended = () => {}) {
    this.place = place;
    this.stop = stop;
    this.ended = ended;
    /** @type {AbortController | null} */
    this.cancel = null;
    /**
     * The rollouts of decisions, by their keys.
     *
     * @type {Map<string, Rolled>}
     */
    this.known = keptIn(localStorage);
    this.shown = "";
    stop.addEventListener("click", () => this.end());
    // Whoever leaves the page keeps the games so far.
    addEventListener("pagehide", () => this.end());
  }

  end() {
    this.cancel?.abort();
    this.stop.hidden = true;
  }

  /**
   * The last answer about a decision, once its rollout has ended.
   *
   * @param {string} key
   */
  answerOf(key) {
    const rolled = this.known.get(key);
    return rolled && rolled.state !== "running" ? rolled.answer : null;
  }

  /**
   * Shows the rollout of a decision.
   *
   * @param {string} key
   * @param {Decision | null} decision
   * @param {boolean} keeps Whether it is one of a match
   */
  show(key, decision = null, keeps = decision !== null) {
    this.shown = key;
    const rolled = this.known.get(key);
    this.place.replaceChildren(...(rolled ? rolloutPart(rolled, decision) : []));
    if (!rolled?.question || rolled.state === "running") return;
    const { isRest, n } = gamesLeft(rolled);
    const games = gamesOf(rolled.answer) + n;
    const more = el(
      "button",
      {
        type: "button",
        "data-more": "",
        onclick: () =>
          attempt(() => this.begin(key, { ...rolled.question, games }, decision, keeps)),
      },
      t(isRest ? "rollout.rest" : "rollout.more", { n }),
    );
    this.place.append(el("p", { class: "tools" }, more));
  }

  /**
   * Begins a rollout. That of a decision of a match is kept by the browser.
   *
   * @param {string} key
   * @param {any} question
   * @param {Decision | null} decision
   * @param {boolean} keeps Whether it is one of a match
   */
  async begin(key, question, decision = null, keeps = decision !== null) {
    this.end();
    const own = new AbortController();
    this.cancel = own;
    this.stop.hidden = false;
    this.shown = key;
    const before = this.known.get(key);
    show(this.place, loading(t("rollout.begins")));
    /** @type {any} */
    let last = null;
    const draw = (/** @type {Rolled["state"]} */ state) => {
      // A rollout that was stopped early replaces no longer one.
      const isLess =
        state === "stopped" && before && last && gamesOf(last) < gamesOf(before.answer);
      const rolled =
        last && !isLess
          ? { answer: last, state, games: question.games, plies: question.ply ?? 1, question }
          : before;
      if (rolled) this.known.set(key, rolled);
      if (this.shown === key) this.show(key, decision, keeps);
      if (!rolled || !last || state === "running") return;
      if (keeps) keepIn(localStorage, key, rolled);
      this.ended(key);
    };
    own.signal.addEventListener("abort", () => draw("stopped"));
    try {
      await events(
        "/rollout",
        question,
        (answer, name) => {
          if (own.signal.aborted) return;
          last = answer;
          draw(name === "done" ? "done" : "running");
        },
        own.signal,
      );
    } catch (error) {
      if (!own.signal.aborted) draw("stopped");
      throw error;
    } finally {
      if (this.cancel === own) {
        this.cancel = null;
        this.stop.hidden = true;
      }
    }
  }
}
