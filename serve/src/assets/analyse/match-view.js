// @ts-check
// One match: the board with its decision, the list, the course, and below both players' figures.
import { post } from "../common/api.js";
import { hasCube } from "../common/cube-words.js";
import { attempt, byId, el, keepTyped, say, tell } from "../common/dom.js";
import { t } from "../common/words.js";
import { Board } from "../board/board.js";
import { Motion } from "../board/motion.js";
import { stepsOf } from "../board/notation.js";
import { choose, moveTime, onChange, setting } from "../common/settings.js";
import { answersOf, withDeepest, withVerdict } from "./answers.js";
import {
  boardState,
  colourOf,
  seatBelow,
  seatOfPerson,
  showBoard,
  sidesOf,
  titleOf,
  turnedAround,
} from "./board-view.js";
import { courseChart, gameChoice, valueInWords } from "./course.js";
import { decisionView, verdict } from "./decision-view.js";
import {
  NO_FILTER,
  asShown,
  beginsAnew,
  entriesOf,
  filtered,
  inOrder,
  nextWanted,
} from "./decisions.js";
import { DeeperChoice, askDeeper } from "./deeper-choice.js";
import { exportedPage } from "./export.js";
import { keysOf, listenToKeys } from "./keys.js";
import { drawList, inOrderOf, press, reveal, sayEnd } from "./list-view.js";
import {
  AskedParts,
  Panel,
  askScores,
  askStrengths,
  askWhy,
  comparesOther,
  explained,
} from "./panel.js";
import { RolloutView, questionOf } from "./rollout-view.js";
import { GAMES } from "./strengths.js";
import { startPart } from "./start.js";
import { depthTags, drawFigures, drawHead, gameEnds, jokerTable } from "./summary.js";

/** @typedef {import("./decisions.js").Entry} Entry */
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
    [this.kept, this.after] = [null, false];
    /** The game that the course shows alone. @type {number | null} */
    this.zoom = null;
    this.asked = new AskedParts();
    this.why = new Panel(
      byId("why"),
      byId("why-part"),
      ({ decision }) => t(decision.decision.plays ? "why.working" : "why.cube.working"),
      (entry, signal) => this.askWhy(entry, signal),
    );
    this.scores = new Panel(
      byId("scores"),
      byId("scores-part"),
      () => t("scores.working"),
      (entry, signal, show) => this.askScores(entry, signal, show),
    );
    this.strengths = new Panel(
      byId("strengths"),
      byId("strengths-part"),
      () => t("rollout.begins"),
      (entry, signal, show) => this.askStrengths(entry, signal, show),
    );
    this.panels = [this.why, this.scores, this.strengths];
    this.rollouts = new RolloutView(byId("rollout"), byId("stop"), () => this.answered());
    this.deeper = new DeeperChoice(byId("deeper"), byId("deeper-one"), byId("decision"), (ply) =>
      this.lookDeeper(ply),
    );
    this.board = new Board(byId("board"));
    this.motion = new Motion(this.board, moveTime);
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
    click("after", () => this.toggleAfter());
    click("roll-out", () => this.rollOut());
    for (const panel of this.panels)
      panel.button.addEventListener("click", () => panel.toggle(this.entry));
    click("copy", () =>
      attempt(async () => {
        await navigator.clipboard.writeText(this.entry.decision.xgid);
        tell(
          byId("copy"),
          t("common.copied"),
          t("analyse.copied", { xgid: this.entry.decision.xgid }),
        );
      }),
    );
    byId("below").addEventListener("change", () =>
      choose(
        "below",
        byId("below").value === seatOfPerson(this.match.names) ? "person" : byId("below").value,
      ),
    );
    onChange((name) => {
      if (name !== "below" || !this.entry) return;
      byId("below").value = this.below;
      this.drawBoard();
    });
    keepTyped(byId("note"), () => this.keepNote());
    byId("note").addEventListener("input", () => this.drawNoteSign());
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
   * @param {import("./decisions.js").Place} place
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
    this.rollouts.end();
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
    this.drawJudged();
    this.drawSummary();
    this.drawCourse();
    this.drawRows(true);
    this.why.renew(this.entry, (part) =>
      comparesOther(part, this.entry.decision, this.answers.judgedOf(this.entry)),
    );
  }

  /**
   * @param {number} at The place among all decisions
   * @param {boolean} isFar Whether one may be elsewhere on the page
   */
  goTo(at, isFar = false) {
    const last = this.all.length - 1;
    byId("decision-part").hidden = last < 0;
    if (at < 0 || at > last) return;
    this.rollouts.end();
    this.motion.hurry();
    [this.current, this.kept, this.after] = [at, null, false];
    const {
      entry,
      entry: { decision },
    } = this;
    press(this.list, this.filter, at, last);
    const what = decision.decision;
    byId("decision-title").textContent = titleOf(decision, this.match.names[decision.player]);
    byId("where").textContent =
      `${this.match.games.length > 1 ? `${t("analyse.game", { n: entry.game + 1 })} · ` : ""}${t("analyse.turnNumber", { n: decision.roll })}`;
    byId("after").disabled = !what.plays;
    this.drawDecision();
    byId("note").value = this.answers.noteOf(entry);
    byId("note-part").open = this.answers.noteOf(entry) !== "";
    this.drawNoteSign();
    this.rollouts.show(this.answers.keyOf(entry), decision);
    byId("open-position").href =
      `/position?id=${encodeURIComponent(decision.xgid)}${this.answers.net ? `&net=${encodeURIComponent(this.answers.net)}` : ""}`;
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
   * A line about each player.
   *
   * @param {number[]} board That is drawn
   */
  drawSides(board) {
    const [above, below] = sidesOf(this.entry.decision, this.match.names, this.below, board);
    byId("side-other").replaceChildren(...above);
    byId("side-own").replaceChildren(...below);
  }

  /** The player who sits below. */
  get seat() {
    return seatBelow(this.entry.decision, this.below);
  }

  /**
   * Draws a state as the player below sees it.
   *
   * @param {any} state
   */
  drawSeen(state) {
    this.board.draw(this.seat === this.entry.decision.player ? state : turnedAround(state));
  }

  drawBoard(chosen = this.kept) {
    const { analysed: decision, undecided, leads } = this.answers.judgedOf(this.entry);
    // Each player keeps one colour.
    this.board.give(colourOf(this.match.names, this.seat), this.seat !== decision.player);
    const state = boardState(decision, { chosen, after: this.after, undecided, leads });
    this.drawSeen(state);
    this.drawSides(state.board);
    // The key names the arrows that are on the board.
    byId("arrow-key").classList.toggle(
      "off",
      !state.arrows?.some((/** @type {any} */ { steps }) => steps.length) || chosen !== null,
    );
    for (const kind of ["both", "best", "played"])
      byId(`key-${kind}`).hidden = !state.arrows?.some(
        (/** @type {any} */ one) => one.kind === kind,
      );
    byId("key-best").textContent = t(leads ? "analyse.arrow.leads" : "analyse.arrow.best");
    byId("after").setAttribute("aria-pressed", `${this.after}`);
    this.board.root.setAttribute(
      "aria-label",
      t("analyse.boardLabel", { name: this.match.names[this.seat] }),
    );
  }

  /** What is known about the decisions of the match. */
  get answers() {
    return answersOf(this.answer, this.which, this.rollouts.known);
  }

  /** Draws all that follows the deepest answer, which is a new one. */
  drawJudged() {
    if (!this.entry) return;
    const judged = this.answers.judgedOf(this.entry);
    byId("verdict").replaceChildren(verdict(judged, this.match.length !== null));
    byId("value").textContent = valueInWords(judged.analysed, this.match.names);
    byId("before-rollout").hidden = judged.plies !== null;
    this.asked.note(this.answers.keyOf(this.entry), judged);
    if (!this.after) this.drawBoard();
  }

  drawDecision() {
    const { entry } = this;
    this.drawJudged();
    const look = (/** @type {any} */ play, /** @type {boolean} */ keep) => {
      if (keep) {
        this.kept = this.kept === play ? null : play;
        for (const button of byId("decision").querySelectorAll("button.play"))
          button.setAttribute("aria-pressed", `${this.kept?.play === button.textContent}`);
      }
      this.drawBoard(keep ? this.kept : (play ?? this.kept));
    };
    const inMatch = this.match.length !== null;
    byId("decision").replaceChildren(
      decisionView(entry.decision, {
        plies: this.match.plies,
        cubePlies: this.match.cube_plies,
        inMatch,
        deeper: this.answers.deeperOf(entry),
        look,
      }),
    );
    this.deeper.draw(this.answers.depthOf(entry));
    const { plays } = entry.decision.decision;
    byId("rollout-plays").hidden = !plays;
    for (const panel of this.panels) {
      panel.button.hidden = Boolean(plays && plays.length < 2);
      panel.draw(entry);
    }
  }

  /**
   * The search depth of what is asked about a decision: the greatest one, at most 3.
   *
   * @param {Entry} entry
   */
  plyOf(entry) {
    return Math.min(this.answers.depthOf(entry), 3);
  }

  /**
   * Keeps a part that was asked for.
   *
   * @param {Entry} entry
   * @param {string} what
   * @param {import("./panel.js").Asked} asked
   */
  keepAsked(entry, what, asked) {
    const key = this.answers.keyOf(entry);
    this.asked.keep(key, what, asked);
    this.asked.note(key, this.answers.judgedOf(entry));
    return asked.part;
  }

  /**
   * @param {Entry} entry
   * @param {AbortSignal} signal
   * @returns {Promise<HTMLElement>}
   */
  async askWhy(entry, signal, ply = this.plyOf(entry)) {
    const part = await askWhy(
      entry.decision,
      ply,
      signal,
      this.answers.judgedOf(entry),
      this.answers.net,
    );
    // A rollout that ended meanwhile may name another play.
    return comparesOther(part, entry.decision, this.answers.judgedOf(entry))
      ? this.askWhy(entry, signal, ply)
      : this.keepAsked(entry, "why", explained(part));
  }

  /** The page of the match as a text. */
  page() {
    const { match, answers, below } = this;
    return exportedPage({
      match,
      answers,
      below,
      asked: (entry) => this.asked.partsOf(answers.keyOf(entry)),
    });
  }

  /**
   * The decision at all scores.
   *
   * @param {Entry} entry
   * @param {AbortSignal} signal
   * @param {(part: HTMLElement) => void} show
   */
  async askScores(entry, signal, show) {
    return this.keepAsked(
      entry,
      "scores",
      await askScores(
        entry.decision,
        this.answers.judgedOf(entry),
        { ply: this.plyOf(entry), net: this.answers.net },
        signal,
        (play) => this.drawBoard(/** @type {any} */ (play) ?? this.kept),
        this.asked.lettersOf(this.answers.keyOf(entry), entry.decision),
        show,
      ),
    );
  }

  /**
   * The decision for players of other strengths.
   *
   * @param {Entry} entry
   * @param {AbortSignal} signal
   * @param {(part: HTMLElement) => void} show
   */
  async askStrengths(entry, signal, show) {
    return this.keepAsked(
      entry,
      "strengths",
      await askStrengths(
        questionOf(entry.decision, GAMES, 1, 2, this.answers.net),
        signal,
        show,
        this.asked.lettersOf(this.answers.keyOf(entry), entry.decision),
      ),
    );
  }

  toggleAfter() {
    if (!this.entry?.decision.decision.plays) return;
    this.after = !this.after;
    if (!this.after) return void this.drawBoard();
    // The checkers of the play that is looked at slide.
    const { decision } = this.entry;
    const what = decision.decision;
    const play = this.kept ?? what.plays?.find((one) => one.play === what.played);
    const own = this.seat === decision.player;
    const steps = stepsOf(play?.play ?? "");
    this.drawSeen({ ...boardState(decision), arrows: [] });
    this.motion.calm();
    this.motion
      .play(own ? steps : steps.map(([from, to]) => [25 - from, 25 - to]), own)
      .then(() => this.drawBoard());
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

  keepNote() {
    const { entry, answer } = this;
    return attempt(async () => {
      answer.notes = await post(
        `/analyses/${answer.row.id}/notes`,
        { ...this.answers.placeOf(entry), text: byId("note").value },
        { keepalive: true },
      );
      say(t("analyse.note.kept"), "unseen");
      if (this.entry === entry) this.drawNoteSign();
      this.drawRows(true);
    });
  }

  /** Says whether the note is kept as it stands. */
  drawNoteSign() {
    const kept = this.answers.noteOf(this.entry);
    byId("note-kept").textContent =
      kept && kept.trim() === byId("note").value.trim() ? `✓ ${t("common.kept")}` : "";
  }

  /** @param {number} ply */
  async lookDeeper(ply) {
    const { entry, answer, match } = this;
    const [depth, { deeperOf }] = [this.plyOf(entry), this.answers];
    const found = await askDeeper(answer.row.id, { ...this.answers.placeOf(entry), ply });
    found.analysed = asShown(found.analysed);
    answer.deeper = [
      ...(answer.deeper ?? []).filter((/** @type {any} */ one) => one !== deeperOf(entry)),
      found,
    ];
    // Another match may be on the page: the answer waits in its own.
    if (this.match !== match) return;
    // Panels that were answered at the depth before ask again.
    const again =
      this.plyOf(entry) === depth
        ? []
        : [this.why, this.scores].filter((panel) => panel.answered?.entry === entry);
    for (const panel of again) panel.answered = null;
    if (this.plyOf(entry) !== depth)
      this.asked.forget(this.answers.keyOf(entry), ["why", "scores"]);
    this.answered();
    if (this.entry !== entry) return;
    this.drawDecision();
    for (const panel of again) panel.toggle(entry);
    byId("decision").querySelector(".deeper")?.scrollIntoView({ block: "nearest" });
  }

  rollOut() {
    const { entry } = this;
    const [games, ply, plays] = ["rollout-games", "rollout-ply", "rollout-plays"].map((id) =>
      Number(byId(id).value),
    );
    const asked = questionOf(entry.decision, games, ply, plays, this.answers.net);
    attempt(() => this.rollouts.begin(this.answers.keyOf(entry), asked, entry.decision));
  }
}
