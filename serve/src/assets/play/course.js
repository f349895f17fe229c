// @ts-check
// The course of the match while it is on: its games and the chart of the chances.
import { get } from "../common/api.js";
import { attempt, el } from "../common/dom.js";
import { lineChart } from "../common/chart.js";
import { onChange, setting } from "../common/settings.js";
import { t } from "../common/words.js";

/** @typedef {import("./views.js").MatchView} MatchView */

export class Course {
  /** @param {Element} place */
  constructor(place) {
    this.place = place;
    /** The chances of the person after each play, 0 to 1. @type {number[]} */
    this.points = [];
    /**
     * The games that are over.
     * @type {{ game: number, kind: string, name: string, points: number }[]}
     */
    this.games = [];
    this.revision = -1;
    /** Whether the chances are those of light. */
    this.isLight = false;
    onChange((name) => { if (name === "evaluation") this.draw(); });
  }

  /** Reads the match so far, and gives its plays. @param {MatchView} view */
  async load(view) {
    const found = /** @type {import("./views.js").Course | undefined} */ (await attempt(() => get(`/matches/${encodeURIComponent(view.id)}/course`)));
    this.isLight = view.two_people;
    this.points = (found?.plays ?? []).map((row) => this.own(view, row.win));
    this.games = (found?.games ?? []).flatMap(({ game, winner, points }) => (winner ? [{ game, kind: winner, name: view.names[winner === "you" ? 0 : 1], points }] : []));
    this.revision = -1;
    this.draw();
    return found?.plays ?? [];
  }

  /** Of two people, the chances are those of light. @param {MatchView} view @param {number} win seen by who decides */
  own(view, win) {
    return view.two_people && !view.light ? 1 - win : win;
  }

  /** Adds what has become of the match. @param {MatchView} view */
  add(view) {
    if (view.revision <= this.revision) return;
    const known = this.revision >= 0;
    this.revision = view.revision;
    if (known && view.evaluation) this.points.push(this.own(view, view.evaluation.win));
    const won = view.events.find(({ what }) => what === "wins-game");
    // A match that was just read has its games already.
    if (known && won && this.games.at(-1)?.game !== view.game) {
      // Of two people, the event is seen by who decided then.
      const first = (won.player === "you") === (!view.two_people || won.light === view.light);
      this.games.push({ game: view.game, kind: won.player, name: view.names[first ? 0 : 1], points: won.points ?? 0 });
    }
    this.draw();
  }

  draw() {
    const hidden = setting("evaluation") === "no";
    const y = t(this.isLight ? "play.courseYLight" : "play.courseY");
    const points = this.points.map((win, i) => [i + 1, 100 * win]);
    const chart = lineChart({
      title: t("play.course"), x: t("play.courseX"), y, series: [{ name: y, points }], whole: true, level: 50, range: [0, 100], wide: 380,
    });
    const games = this.games.map(({ game, kind, name, points: n }) => el("li", { class: kind }, t("play.gameWon", { game, name, n })));
    this.place.replaceChildren(
      ...(hidden ? [] : points.length > 1 ? [chart] : [el("p", { class: "small" }, t("play.courseSoon"))]),
      ...(games.length ? [el("ol", { class: "games", "aria-label": t("play.games") }, games)] : []));
  }
}
