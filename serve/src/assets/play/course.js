// @ts-check
// The course of the match while it is on: its games and the chart of the chances.
import { get } from "../common/api.js";
import { attempt, el } from "../common/dom.js";
import { lineChart } from "../common/chart.js";
import { isLight, onChange, setting } from "../common/settings.js";
import { t } from "../common/words.js";
import { unmoved } from "../board/position.js";
import { colourIn } from "./seats.js";

/** @typedef {import("./views.js").MatchView} MatchView */

/**
 * The opponent's plays since the person's last one, to be shown again.
 *
 * @param {MatchView} view
 * @param {import("./views.js").CourseRow[]} rows
 * @returns {import("./telling.js").Seen[]}
 */
export function lastOf(view, rows) {
  const own = rows.findLastIndex(({ game, player }) => player === "you" || game !== view.game);
  return rows.slice(own + 1).map(({ dice, steps, board, game }, i) => {
    const earlier = rows[own + i];
    return { dice, steps, before: earlier?.game === game ? earlier.board : unmoved(board, steps) };
  });
}

/**
 * The line of the chart in percent. In a match it is the chance to win the match. For money each
 * game has a line of its own, which ends at 0 or 100.
 *
 * @param {import("./views.js").CourseRow[]} rows
 * @param {import("./views.js").GameRow[]} ended
 * @param {(chance: number) => number} own The chance of who is shown
 */
export function curveOf(rows, ended, own) {
  /** @type {number[][]} */
  const curve = [];
  let plays = 0;
  for (const game of new Set([...rows, ...ended].map((one) => one.game))) {
    const of = rows.filter((row) => row.game === game);
    // Games for money do not hang together.
    const isMoney = (of[0] ?? ended.find((one) => one.game === game)).match_win === null;
    if (isMoney && curve.length) curve.push([plays + 0.5, NaN]);
    for (const row of of) curve.push([(plays += 1), 100 * own(row.match_win ?? row.win)]);
    const over = ended.find((one) => one.game === game);
    if (!over) continue;
    curve.push([plays + 0.5, 100 * own(over.match_win ?? (over.winner === "you" ? 1 : 0))]);
  }
  return curve;
}

/**
 * The state of the match after a play: the chances in the game, the score before the game ends, and
 * the cube. Null for a play that the course lacks.
 *
 * @param {{
 *   rows: import("./views.js").CourseRow[];
 *   calls: import("./views.js").CourseCall[];
 *   ended: import("./views.js").GameRow[];
 * }} course
 * @param {{ board: readonly number[]; steps: readonly (readonly number[])[] }} shown The play, seen
 *   as the course is
 * @returns {{
 *   win: number;
 *   score: [number, number];
 *   cube: { value: number; owner: import("./views.js").Who | null };
 * } | null}
 */
export function standingOf({ rows, calls, ended }, { board, steps }) {
  const at = rows.findLastIndex((row) => `${row.board}/${row.steps}` === `${board}/${steps}`);
  if (at < 0) return null;
  const { game, win } = rows[at];
  const won = (/** @type {string} */ who) =>
    ended
      .filter((one) => one.game < game && one.winner === who)
      .reduce((sum, { points }) => sum + points, 0);
  const turned = calls.filter(
    (call) =>
      call.game === game && call.plays <= at && ["doubles", "takes", "beavers"].includes(call.what),
  );
  const last = turned.findLast(({ what }) => what !== "doubles");
  return {
    win,
    score: [won("you"), won("nonet")],
    cube: {
      value: last ? Math.max(...turned.map(({ value }) => value ?? 1)) : 1,
      owner: last?.player ?? null,
    },
  };
}

/** More plays than these in a row are told one after the other in the chart. */
const AT_ONCE = 2;

export class Course {
  /** @param {Element} place */
  constructor(place) {
    this.place = place;
    /**
     * The chances of the person after each play, 0 to 1.
     *
     * @type {number[]}
     */
    this.points = [];
    /**
     * The games that are over.
     *
     * @type {{ game: number; kind: string; name: string; points: number }[]}
     */
    this.games = [];
    /**
     * The plays so far.
     *
     * @type {import("./views.js").CourseRow[]}
     */
    this.rows = [];
    /**
     * The cube actions and resignations so far.
     *
     * @type {import("./views.js").CourseCall[]}
     */
    this.calls = [];
    /**
     * The line of the chart: a play is one step, and the end of its game half a step more.
     *
     * @type {number[][]}
     */
    this.curve = [];
    /**
     * The games that are over, as the server tells them.
     *
     * @type {import("./views.js").GameRow[]}
     */
    this.ended = [];
    /** The match and its revision that was asked for last, and its plays. */
    this.asked = "";
    /** @type {Promise<import("./views.js").CourseRow[]>} */
    this.loading = Promise.resolve([]);
    /** The last plays that the board has still to show. */
    this.untold = 0;
    /** Points to win the match. */
    this.length = Infinity;
    /**
     * The score, with points that did not count.
     *
     * @type {[number, number]}
     */
    this.score = [0, 0];
    /**
     * Of two people, the colour of the first; the chances are theirs.
     *
     * @type {import("../common/settings.js").Colour | null}
     */
    this.first = null;
    onChange((name) => {
      if (["evaluation", "checkers"].includes(name)) this.draw();
    });
  }

  /**
   * Reads the match so far, and gives its plays.
   *
   * @param {MatchView} view
   */
  load(view) {
    const asked = `${view.id} ${view.revision}`;
    if (asked === this.asked) return this.loading;
    this.asked = asked;
    this.loading = this.read(view, asked);
    return this.loading;
  }

  /**
   * Reads a match of which the board shows a row of plays one after the other: the chart follows.
   *
   * @param {MatchView} view
   */
  follow(view) {
    const plays = view.events.filter(({ what }) => what === "plays").length;
    this.untold = plays > AT_ONCE ? plays : 0;
    if (this.untold) this.load(view);
  }

  /** The board shows one more play. Whether the chart follows. */
  tell() {
    const follows = this.untold > 0;
    this.untold = Math.max(0, this.untold - 1);
    if (follows) this.draw();
    return follows;
  }

  /**
   * @param {MatchView} view
   * @param {string} asked
   */
  async read(view, asked) {
    const found = /** @type {import("./views.js").Course | undefined} */ (
      await attempt(() => get(`/matches/${encodeURIComponent(view.id)}/course`))
    );
    if (asked !== this.asked) return this.rows;
    if (!found) this.asked = "";
    this.rows = found?.plays ?? [];
    this.calls = found?.calls ?? [];
    this.ended = (found?.games ?? []).filter(({ winner }) => winner);
    this.first = view.two_people ? colourIn(view, true) : null;
    this.length = view.rules.length ?? Infinity;
    this.score = view.score;
    this.points = this.rows.map((row) => this.own(view, row.win));
    this.curve = curveOf(this.rows, this.ended, (chance) => this.own(view, chance));
    this.games = this.ended.flatMap(({ game, winner, points }) =>
      winner ? [{ game, kind: winner, name: view.names[winner === "you" ? 0 : 1], points }] : [],
    );
    this.draw();
    return this.rows;
  }

  /**
   * Of two people, the chances are those of the first.
   *
   * @param {MatchView} view
   * @param {number} win Seen by who decides
   */
  own(view, win) {
    return view.two_people && !view.light ? 1 - win : win;
  }

  draw() {
    const hidden = setting("evaluation") === "no";
    const isMatch = this.length !== Infinity;
    const y = t(
      `play.course.${isMatch ? "match" : "game"}.${this.first === null ? "you" : isLight(this.first) ? "light" : "dark"}`,
    );
    const points = this.curve.filter(([at]) => at <= this.rows.length - this.untold);
    const borders = points
      .flatMap(([at]) => (Number.isInteger(at) ? [] : [at]))
      .filter((at, i, all) => at !== all[i - 1]);
    const chart = lineChart({
      title: t(isMatch ? "play.course" : "play.courseMoney"),
      x: t("play.courseX"),
      y,
      series: [{ name: y, points }],
      whole: true,
      level: 50,
      range: [0, 100],
      wide: 380,
      borders,
    });
    const over = this.untold ? new Set(borders).size : this.games.length;
    const games = this.games.slice(0, over).map(({ game, kind, name, points: n }, i) => {
      // More points than the match needed do not count.
      const since = this.games
        .slice(i)
        .reduce((sum, one) => sum + (one.kind === kind ? one.points : 0), 0);
      const enough = this.length - (this.score[kind === "you" ? 0 : 1] - since);
      return el(
        "li",
        { class: kind },
        t("play.gameWon", { game, name, n }),
        n > enough ? ` (${t("play.wonEnough", { n: enough })})` : null,
      );
    });
    this.place.replaceChildren(
      ...(hidden
        ? []
        : points.length < 2
          ? [el("p", { class: "small" }, t("play.courseSoon"))]
          : [
              chart,
              ...(isMatch && this.length > 1
                ? [el("p", { class: "small" }, t("play.course.bar"))]
                : []),
            ]),
      ...(games.length ? [el("ol", { class: "games", "aria-label": t("play.games") }, games)] : []),
    );
  }
}
