// @ts-check
// The chart of the match while it is on.
import { get } from "../common/api.js";
import { attempt, el } from "../common/dom.js";
import { lineChart } from "../common/chart.js";
import { onChange, setting } from "../common/settings.js";
import { t } from "../common/words.js";

export class Course {
  /** @param {Element} place */
  constructor(place) {
    this.place = place;
    /** The chances of the person after each play, 0 to 1. @type {number[]} */
    this.points = [];
    this.revision = -1;
    onChange((name) => { if (name === "evaluation") this.draw(); });
  }

  /** Reads the match so far. @param {string} id */
  async load(id) {
    const rows = /** @type {import("./views.js").CourseRow[] | undefined} */ (await attempt(() => get(`/matches/${encodeURIComponent(id)}/course`)));
    this.points = (rows ?? []).map((row) => row.win);
    this.revision = -1;
    this.draw();
  }

  /** Adds what has become of the match. @param {import("./views.js").MatchView} view */
  add(view) {
    if (view.revision <= this.revision) return;
    const known = this.revision >= 0;
    this.revision = view.revision;
    if (known && view.evaluation) this.points.push(view.evaluation.win);
    this.draw();
  }

  draw() {
    if (setting("evaluation") === "no" || this.points.length < 2) {
      this.place.replaceChildren(...(setting("evaluation") === "no" ? [] : [el("p", { class: "small" }, t("play.courseSoon"))]));
      return;
    }
    const points = this.points.map((win, i) => [i + 1, 100 * win]);
    this.place.replaceChildren(lineChart({
      title: t("play.course"), x: t("play.courseX"), y: t("play.courseY"), series: [{ name: t("play.courseY"), points }], whole: true, level: 50, range: [0, 100], wide: 380,
    }));
  }
}
