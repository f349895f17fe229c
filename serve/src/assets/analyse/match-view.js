// @ts-check
// One match: the decision that is shown, the list, the course, and below both players' figures.
import { hasCube } from "../common/cube-words.js";
import { byId, el } from "../common/dom.js";
import { choose, onChange, setting } from "../common/settings.js";
import { t } from "../common/words.js";
import { withDeepest } from "./analysis.js";
import { answersOf, withVerdict } from "../decision/answers.js";
import { seatOfPerson } from "../common/players.js";
import { showBoard } from "../decision/board-view.js";
import { courseChart, gameChoice } from "./course.js";
import { DecisionPart } from "../decision/decision-part.js";
import { NO_FILTER, beginsAnew, entriesOf, filtered, inOrder, nextWanted } from "./decisions.js";
import { depthTags } from "./depth.js";
import { exportedPage } from "./export.js";
import { keysOf, listenToKeys } from "./keys.js";
import { drawList, inOrderOf, press, reveal, sayEnd } from "./list-view.js";
import { gameEnds } from "./result.js";
import { startPart } from "./start.js";
import { drawFigures, drawHead, jokerTable } from "./summary.js";

/** @typedef {import("../decision/decision.js").Entry} Entry */
/** @typedef {import("./decisions.js").Filter} Filter */

export class MatchView {
  /**
   * @param {{
   *   moved: (game: number, index: number) => void;
   *   filtered: (filter: Filter) => void;
   * }} on
   */
  constructor(on) {
    this.on = on;
    /** @type {any} */
    this.answer = null;
    this.match = null;
    /** The place of the match in the analysis. */
    this.which = 0;
    /** @type {Entry[]} */
    this.all = [];
    /** @type {Entry[]} */
    this.list = [];
    /** @type {Filter} */
    this.filter = { ...NO_FILTER };
    this.current = 0;
    /**
     * The game that the course shows alone.
     *
     * @type {number | null}
     */
    this.zoom = null;
    /** @type {DecisionPart} */
    this.decision = new DecisionPart(this);
    this.listen();
  }

  listen() {
    const click = (/** @type {string} */ id, /** @type {() => void} */ act) =>
      byId(id).addEventListener("click", act);
    click("first-one", () => this.goTo(0));
    click("previous", () => this.goTo(this.current - 1));
    click("next", () => this.goTo(this.current + 1));
    click("last-one", () => this.goTo(this.all.length - 1));
    click("previous-mistake", () => this.wanted(-1));
    click("next-mistake", () => this.wanted(1));
    byId("below").addEventListener("change", () =>
      choose(
        "below",
        byId("below").value === seatOfPerson(this.match.names) ? "person" : byId("below").value,
      ),
    );
    onChange((name) => {
      if (name !== "below" || !this.entry) return;
      byId("below").value = this.below;
      this.decision.drawBoard();
    });
    listenToKeys(keysOf(this), () => !byId("analysis").hidden && this.all.length > 0);
    // The list is as tall as the board, which comes later than the list.
    new ResizeObserver(() => reveal(byId("decisions"))).observe(byId("decisions"));
    new ResizeObserver(() =>
      byId("table").parentElement.style.setProperty("--tall", `${byId("table").offsetHeight}px`),
    ).observe(byId("table"));
    let wide = innerWidth;
    addEventListener("resize", () => {
      if (wide === innerWidth || byId("analysis").hidden || !this.match) return;
      wide = innerWidth;
      this.drawCourse();
    });
  }

  /**
   * The decision that is shown.
   *
   * @returns {Entry}
   */
  get entry() {
    return this.all[this.current];
  }

  /**
   * @param {any} answer
   * @param {import("./address.js").Place} place
   */
  show(answer, place) {
    this.answer = answer;
    this.which = place.match < answer.matches.length ? place.match : 0;
    const match = answer.matches[this.which];
    const fresh = this.match !== match;
    if (fresh) [this.current, this.zoom] = [0, null];
    this.match = match;
    if (fresh) {
      this.all = entriesOf(match);
      drawHead(match, this.below);
      this.drawSummary();
      byId("jokers").replaceChildren(jokerTable(match, this.all, (at) => this.goTo(at, true)));
    }
    this.filter = place.filter;
    const wanted =
      place.game === null
        ? -1
        : this.all.findIndex(({ game, index }) => game === place.game && index === place.index);
    this.drawList(wanted >= 0 ? wanted : fresh ? null : this.current);
    if (fresh) this.drawCourse();
  }

  /** Ends what goes on. */
  leave() {
    this.decision.rollouts.end();
  }

  /**
   * All decisions as their deepest answers judge them.
   *
   * @returns {Entry[]}
   */
  get judged() {
    const { judgedOf } = this.answers;
    return this.all.map((entry) => withVerdict(entry, judgedOf(entry)));
  }

  drawSummary() {
    const { match, all, judged } = this;
    drawFigures({
      match,
      all,
      judged,
      filter: (some) => {
        this.setFilter({ ...NO_FILTER, ...some, order: "worst" });
        showBoard();
      },
    });
  }

  /** Where to begin, and how far one is. */
  drawStart(judged = this.judged) {
    const { match, filter, list, current } = this;
    byId("start").replaceChildren(
      ...startPart({
        answer: this.answer,
        match: withDeepest(match, this.all, judged),
        judged,
        tags: depthTags(match, this.all, judged),
        filter,
        list,
        current,
        begin: (wanted) => this.setFilter(wanted, true),
        step: () => this.wanted(1),
      }),
    );
  }

  drawCourse() {
    const { match, judged } = this;
    const wide = byId("course").clientWidth || 800;
    const { figure, goTo } = courseChart({
      game: this.zoom,
      all: judged,
      names: match.names,
      inMatch: match.length !== null,
      ends: gameEnds(match),
      now: this.entry?.at ?? null,
      wide,
      pick: (at) => this.goTo(at),
    });
    this.mark = goTo;
    const choice = gameChoice(match.games.length, this.zoom, (game) => {
      this.zoom = game;
      this.drawCourse();
      byId("course").querySelector("[aria-pressed=true]")?.focus();
    });
    byId("course").replaceChildren(
      el("div", { class: "row" }, el("h2", {}, t("analyse.course")), choice),
      figure,
    );
  }

  /**
   * Shows the decision where one is if the filter leaves it, else its first; the worst one where
   * that order is new.
   *
   * @param {Filter} filter
   * @param {boolean} first Whether it is the first in any case
   */
  setFilter(filter, first = beginsAnew(this.filter, filter)) {
    this.filter = filter;
    this.on.filtered(filter);
    this.drawList(first ? (filtered(this.judged, filter)[0]?.at ?? null) : null);
  }

  /**
   * Draws the list and shows the decision at a place; without one, a decision of the list.
   *
   * @param {number | null} at
   */
  drawList(at) {
    this.drawRows();
    const stays = this.list.length === 0 || this.list.some((entry) => entry.at === this.current);
    this.goTo(at ?? (stays ? this.current : this.list[0].at));
  }

  /** @param {boolean} isSame Whether another answer changes the list: what is shown stays in it */
  drawRows(isSame = false) {
    const { all, match, filter, judged, list: before } = this;
    const now = filtered(judged, filter);
    this.list = isSame ? inOrder(inOrderOf(before, now, this.current, judged), filter) : now;
    drawList({
      all: judged,
      list: this.list,
      match,
      cube: hasCube(match),
      filter,
      noted: (entry) => this.answers.noteOf(entry) !== "",
      show: (to) => this.goTo(to, true),
      change: (next) => this.setFilter(next),
    });
    press(this.list, filter, this.current, all.length - 1);
    this.drawStart(judged);
  }

  /** Draws what another answer to a decision changes. */
  answered() {
    if (!this.entry) return;
    this.decision.drawJudged();
    this.drawSummary();
    this.drawCourse();
    this.drawRows(true);
    this.decision.renewWhy();
  }

  /** Draws what a note changes. */
  noted() {
    this.drawRows(true);
  }

  /**
   * @param {number} at The place among all decisions
   * @param {boolean} isFar Whether one may be elsewhere on the page
   */
  goTo(at, isFar = false) {
    const last = this.all.length - 1;
    byId("decision-part").hidden = last < 0;
    if (at < 0 || at > last) return;
    this.decision.leave();
    this.current = at;
    const { entry } = this;
    press(this.list, this.filter, at, last);
    this.decision.show();
    if (this.zoom !== null && this.zoom !== entry.game) {
      this.zoom = entry.game;
      this.drawCourse();
    }
    this.mark?.(entry.at);
    this.drawStart();
    this.on.moved(entry.game, entry.index);
    if (isFar) showBoard();
  }

  /** The choice of who sits below, by this match's names. */
  get below() {
    return setting("below") === "person" ? seatOfPerson(this.match.names) : setting("below");
  }

  /**
   * What is known about the decisions of the match.
   *
   * @returns {ReturnType<typeof answersOf>}
   */
  get answers() {
    return answersOf(this.answer, this.which, this.decision.rollouts.known);
  }

  /** The page of the match as a text. */
  page() {
    const { match, answers, below } = this;
    return exportedPage({
      match,
      answers,
      below,
      asked: (entry) => this.decision.asked.partsOf(answers.keyOf(entry)),
    });
  }

  /**
   * @param {number} step
   * @param {boolean} isFar Whether one may be elsewhere on the page
   */
  wanted(step, isFar = false) {
    const found = nextWanted(this.list, this.filter, this.current, step);
    if (found === null) sayEnd(step);
    else this.goTo(found, isFar);
  }
}
