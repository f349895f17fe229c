// @ts-check
// One match: the board with its decision, the list, the course, and below both players' figures.
import { post } from "../common/api.js";
import { attempt, byId, el, loading, tell } from "../common/dom.js";
import { typeset } from "../common/format.js";
import { t } from "../common/words.js";
import { Board } from "../board/board.js";
import { Motion } from "../board/motion.js";
import { stepsOf } from "../board/notation.js";
import { choose, moveTime, onChange, setting } from "../common/settings.js";
import { boardState, isAnswer, seatBelow, sidesOf, turnedAround } from "./board-view.js";
import { courseChart, valueInWords } from "./course.js";
import { decisionView, verdict } from "./decision-view.js";
import { NO_FILTER, entriesOf, filtered, nextWanted } from "./decisions.js";
import { filters, judge, listView, reveal } from "./list-view.js";
import { Panel } from "./panel.js";
import { RolloutView, questionOf } from "./rollout-view.js";
import { scoresPart } from "./scores-view.js";
import { deepest } from "./verdicts.js";
import { whyCubePart, whyPart } from "./why-view.js";
import { practiseButtons } from "./practise-buttons.js";
import { byGroup, byMistake, drawHead, gameEnds, hasCube, jokerTable, scoreboard } from "./summary.js";

/** @typedef {import("./decisions.js").Entry} Entry */
/** @typedef {import("./decisions.js").Filter} Filter */

export class MatchView {
  /** @param {{ moved: (game: number, index: number) => void, filtered: (filter: Filter) => void }} on */
  constructor(on) {
    this.on = on;
    /** @type {any} */
    this.answer = null;
    this.match = null;
    /** @type {Entry[]} */
    this.all = [];
    /** @type {Entry[]} */
    this.list = [];
    this.current = 0;
    /** @type {Filter} */
    this.filter = { ...NO_FILTER };
    [this.kept, this.after] = [null, false];
    this.why = new Panel(byId("why"), byId("why-part"), ({ decision }) => t(decision.decision.plays ? "why.working" : "why.cube.working"), (entry) => this.askWhy(entry));
    this.scores = new Panel(byId("scores"), byId("scores-part"), () => t("scores.working"), (entry, signal) => this.askScores(entry, signal));
    this.rollouts = new RolloutView(byId("rollout"), byId("stop"), () => this.drawJudged());
    this.board = new Board(byId("board"));
    this.motion = new Motion(this.board, moveTime);
    this.listen();
  }

  listen() {
    const click = (/** @type {string} */ id, /** @type {() => void} */ act) => byId(id).addEventListener("click", act);
    click("first-one", () => this.goTo(0));
    click("previous", () => this.goTo(this.current - 1));
    click("next", () => this.goTo(this.current + 1));
    click("last-one", () => this.goTo(this.all.length - 1));
    click("previous-mistake", () => this.wanted(-1));
    click("next-mistake", () => this.wanted(1));
    click("after", () => this.toggleAfter());
    click("roll-out", () => this.rollOut());
    for (const panel of [this.why, this.scores]) panel.button.addEventListener("click", () => panel.toggle(this.entry));
    click("copy", () => attempt(async () => {
      await navigator.clipboard.writeText(this.entry.decision.xgid);
      tell(byId("copy"), t("common.copied"), t("analyse.copied", { xgid: this.entry.decision.xgid }));
    }));
    byId("deeper").addEventListener("change", () => this.deeper(byId("deeper").value));
    byId("below").addEventListener("change", () => choose("below", byId("below").value));
    onChange((name) => {
      if (name !== "below" || !this.entry) return;
      byId("below").value = setting("below");
      this.drawSides();
      this.drawBoard();
    });
    byId("note").addEventListener("change", () => this.keepNote());
    document.addEventListener("keydown", (event) => this.key(event));
    // The list is as tall as the board, which comes later than the list.
    new ResizeObserver(() => reveal(byId("decisions"))).observe(byId("decisions"));
    const table = byId("table");
    new ResizeObserver(() => table.parentElement.style.setProperty("--tall", `${table.offsetHeight}px`)).observe(table);
    let wide = innerWidth;
    addEventListener("resize", () => {
      if (wide === innerWidth || byId("analysis").hidden || !this.match) return;
      wide = innerWidth;
      this.drawCourse();
    });
  }

  /** The decision that is shown. @returns {Entry} */
  get entry() {
    return this.all[this.current];
  }

  /** @param {any} answer @param {import("./decisions.js").Place} place */
  show(answer, place) {
    this.answer = answer;
    this.which = place.match < answer.matches.length ? place.match : 0;
    const match = answer.matches[this.which];
    const fresh = this.match !== match;
    if (fresh) this.current = 0;
    this.match = match;
    if (fresh) {
      this.all = entriesOf(match);
      drawHead(match, setting("below"));
      this.drawSummary();
    }
    this.filter = place.filter;
    const wanted = place.game === null ? -1 : this.all.findIndex(({ game, index }) => game === place.game && index === place.index);
    this.drawList(wanted >= 0 ? wanted : fresh ? null : this.current);
    if (fresh) this.drawCourse();
  }

  /** Ends what goes on. */
  leave() {
    this.rollouts.end();
  }

  drawSummary() {
    const { match, all } = this;
    const jump = (/** @type {number} */ at) => {
      this.goTo(at);
      byId("board").scrollIntoView({ block: "center" });
    };
    byId("scoreboard").replaceChildren(scoreboard(match), practiseButtons(this.answer.row.id, match.names));
    byId("mistakes").replaceChildren(byMistake(match, all, (/** @type {any} */ some) => {
      this.setFilter({ ...NO_FILTER, ...some, order: "worst" });
      byId("board").scrollIntoView({ block: "center" });
    }));
    byId("kinds").replaceChildren(byGroup(match, "by_kind"));
    byId("classes").replaceChildren(byGroup(match, "by_class"));
    byId("jokers").replaceChildren(jokerTable(match, all, jump));
  }

  drawCourse() {
    const { match, all } = this;
    const wide = byId("course").clientWidth || 800;
    const { figure, goTo } = courseChart({
      all, names: match.names, inMatch: match.length !== null, ends: gameEnds(match), now: this.entry?.at ?? null, wide,
      pick: (at) => this.goTo(at),
    });
    this.mark = goTo;
    byId("course").replaceChildren(figure);
  }

  /** Shows the decision where one is if the filter leaves it, else its first. @param {Filter} filter */
  setFilter(filter) {
    this.filter = filter;
    this.on.filtered(filter);
    this.drawList(null);
  }

  /**
   * Draws the list and shows the decision at a place; without one, a decision of the list.
   * @param {number | null} at
   */
  drawList(at) {
    const { all, match, filter } = this;
    this.list = filtered(all, filter);
    const games = match.games.length;
    // Whoever filters by keyboard stays where they are.
    const focused = byId("filters").contains(document.activeElement) ? document.activeElement?.id ?? null : null;
    byId("filters").replaceChildren(filters({ all, names: match.names, games, cube: hasCube(match), filter, change: (next) => this.setFilter(next) }));
    byId("decisions").replaceChildren(...listView({ list: this.list, names: match.names, games, noted: (entry) => Boolean(this.noteOf(entry)), judged: (entry) => this.judgedOf(entry).analysed, show: (to) => this.goTo(to), order: filter.order, all: () => this.setFilter({ ...NO_FILTER }) }));
    if (focused !== null) (byId(focused) ?? byId("show-all"))?.focus();
    const counted = this.list.filter(({ decision }) => decision.counts).length;
    byId("count").textContent = [this.list.length < all.length ? t("analyse.count", { n: this.list.length, all: all.length }) : t("analyse.count.all", { n: all.length }), t("analyse.count.decisions", { n: counted })].join(", ");
    byId("count").title = t("analyse.count.how");
    const stays = this.list.length === 0 || this.list.some((entry) => entry.at === this.current);
    this.goTo(at ?? (stays ? this.current : this.list[0].at));
  }

  /** @param {number} at the place among all decisions */
  goTo(at) {
    const last = this.all.length - 1;
    byId("decision-part").hidden = last < 0;
    if (at < 0 || at > last) return;
    this.rollouts.end();
    this.motion.hurry();
    [this.current, this.kept, this.after] = [at, null, false];
    const { entry } = this;
    const { decision } = entry;
    for (const one of byId("decisions").querySelectorAll("[data-at]")) {
      const isNow = Number(one.dataset.at) === at;
      if (isNow !== (one.getAttribute("aria-pressed") === "true")) one.setAttribute("aria-pressed", `${isNow}`);
    }
    for (const [id, off] of /** @type {[string, boolean][]} */ ([["first-one", at === 0], ["previous", at === 0], ["next", at === last], ["last-one", at === last],
      ["previous-mistake", nextWanted(this.list, this.filter, at, -1) === null], ["next-mistake", nextWanted(this.list, this.filter, at, 1) === null]])) byId(id).disabled = off;
    const what = decision.decision;
    byId("decision-title").textContent = t(what.plays ? "analyse.title.play" : isAnswer(decision) ? "analyse.title.answer" : "analyse.title.double", { name: this.match.names[decision.player], dice: what.dice ?? "" });
    byId("where").textContent = `${this.match.games.length > 1 ? `${t("analyse.game", { n: entry.game + 1 })} · ` : ""}${t("analyse.turnNumber", { n: decision.roll })}`;
    byId("value").textContent = valueInWords(decision, this.match.names);
    byId("after").disabled = !what.plays;
    byId("deeper").value = "";
    this.drawSides();
    this.drawDecision();
    byId("note").value = this.noteOf(entry)?.text ?? "";
    byId("note-part").open = Boolean(this.noteOf(entry));
    this.rollouts.show(this.keyOf(entry), decision);
    byId("open-position").href = `/position?id=${encodeURIComponent(decision.xgid)}`;
    this.mark?.(entry.at);
    reveal(byId("decisions"));
    this.on.moved(entry.game, entry.index);
  }

  /** A line about each player. */
  drawSides() {
    const [above, below] = sidesOf(this.entry.decision, this.match.names, setting("below"));
    byId("side-other").replaceChildren(...above);
    byId("side-own").replaceChildren(...below);
  }

  /** The player who sits below. */
  get seat() {
    return seatBelow(this.entry.decision, setting("below"));
  }

  /** Draws a state as the player below sees it. @param {any} state */
  drawSeen(state) {
    this.board.draw(this.seat === this.entry.decision.player ? state : turnedAround(state));
  }

  drawBoard(chosen = this.kept) {
    const decision = this.judgedOf(this.entry).analysed;
    // Each player keeps one colour.
    this.board.give(this.seat === 0, this.seat !== decision.player);
    this.drawSeen(boardState(decision, { chosen, after: this.after }));
    const what = decision.decision;
    byId("arrow-key").classList.toggle("off", !what.plays || this.after);
    byId("key-both").hidden = what.plays?.[0].play !== what.played;
    byId("key-best").hidden = byId("key-played").hidden = what.plays?.[0].play === what.played;
    byId("after").setAttribute("aria-pressed", `${this.after}`);
    this.board.root.setAttribute("aria-label", t("analyse.boardLabel", { name: this.match.names[this.seat] }));
  }

  /** What the deepest answer says about a decision. @param {Entry} entry */
  judgedOf(entry) {
    const plies = entry.decision.decision.plays ? this.match.plies : this.match.cube_plies;
    return deepest(entry.decision, { plies, deeper: this.deeperOf(entry), rollout: this.rollouts.answerOf(this.keyOf(entry)) });
  }

  /** Draws all that follows the deepest answer, which is a new one. */
  drawJudged() {
    if (!this.entry) return;
    const judged = this.judgedOf(this.entry);
    byId("verdict").replaceChildren(verdict(judged, this.match.length !== null));
    judge(byId("decisions"), this.entry, judged.analysed);
    if (!this.after) this.drawBoard();
  }

  drawDecision() {
    const { entry } = this;
    this.drawJudged();
    const look = (/** @type {any} */ play, /** @type {boolean} */ keep) => {
      if (keep) {
        this.kept = this.kept === play ? null : play;
        for (const button of byId("decision").querySelectorAll("button.play")) button.setAttribute("aria-pressed", `${this.kept?.play === button.textContent}`);
      }
      this.drawBoard(keep ? this.kept : (play ?? this.kept));
    };
    const inMatch = this.match.length !== null;
    byId("decision").replaceChildren(decisionView(entry.decision, { plies: this.match.plies, cubePlies: this.match.cube_plies, inMatch, deeper: this.deeperOf(entry), look }));
    const { plays } = entry.decision.decision;
    for (const panel of [this.why, this.scores]) {
      panel.button.hidden = Boolean(plays && plays.length < 2);
      panel.draw(entry);
    }
  }

  /** The search depth of what is asked about a decision. @param {Entry} entry */
  plyOf(entry) {
    return Math.min(entry.decision.decision.plays ? this.match.plies : this.match.cube_plies, 3);
  }

  /** Compares the play that was made with the best one; the best with the second. Or explains the cube decision. @param {Entry} entry */
  async askWhy(entry) {
    const { xgid: id, decision: { dice, played, plays } } = entry.decision;
    const ply = this.plyOf(entry);
    const part = plays ? whyPart(await post("/why", { id, dice, instead: played, ply })) : whyCubePart(await post("/why/cube", { id, ply }));
    part.querySelector("h3")?.append(" ", el("span", { class: "tag" }, t("why.of", { n: ply })));
    for (const said of part.querySelectorAll("li")) said.textContent = typeset(said.textContent ?? "");
    return part;
  }

  /** The decision at all scores; a play with the one that was made. @param {Entry} entry @param {AbortSignal} signal */
  async askScores(entry, signal) {
    const { xgid: id, decision: { dice, played, plays } } = entry.decision;
    const asked = plays ? { id, dice, play: played || undefined } : { id };
    return scoresPart(await post("/scores", { ...asked, ply: this.plyOf(entry) }, signal), (play) => this.drawBoard(/** @type {any} */ (play) ?? this.kept));
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
    this.motion.play(own ? steps : steps.map(([from, to]) => [25 - from, 25 - to]), own).then(() => this.drawBoard());
  }

  /** @param {number} step */
  wanted(step) {
    const found = nextWanted(this.list, this.filter, this.current, step);
    if (found !== null) this.goTo(found);
  }

  /** @param {Entry} entry */
  keyOf(entry) {
    return `${this.answer.row.id}.${this.which}.${entry.game}.${entry.index}`;
  }

  /** @param {Entry} entry */
  placeOf(entry) {
    return { match: this.which, game: entry.game, decision: entry.index };
  }

  /** @param {any[]} all @param {Entry} entry */
  findFor(all, entry) {
    return all.find((one) => one.match === this.which && one.game === entry.game && one.decision === entry.index);
  }

  /** @param {Entry} entry */
  noteOf(entry) {
    return this.findFor(this.answer.notes ?? [], entry);
  }

  /** @param {Entry} entry */
  deeperOf(entry) {
    return this.findFor(this.answer.deeper ?? [], entry) ?? null;
  }

  keepNote() {
    const { entry, answer } = this;
    return attempt(async () => {
      answer.notes = await post(`/analyses/${answer.row.id}/notes`, { ...this.placeOf(entry), text: byId("note").value });
      tell(byId("note-part").querySelector("summary"), t("common.kept"), t("analyse.note.kept"));
    });
  }

  /** @param {string} ply */
  deeper(ply) {
    const { entry, answer } = this;
    if (!ply) return;
    byId("deeper").disabled = true;
    const waits = el("section", { class: "deeper" }, loading(t("analyse.deeper.working", { n: ply })));
    byId("decision").prepend(waits);
    waits.scrollIntoView({ block: "nearest" });
    attempt(async () => {
      const found = await post(`/analyses/${answer.row.id}/deeper`, { ...this.placeOf(entry), ply: Number(ply) });
      answer.deeper = [...(answer.deeper ?? []).filter((/** @type {any} */ one) => one !== this.deeperOf(entry)), found];
      if (this.entry !== entry) return;
      this.drawDecision();
      byId("decision").querySelector(".deeper")?.scrollIntoView({ block: "nearest" });
    }).finally(() => {
      waits.remove();
      byId("deeper").disabled = false;
      byId("deeper").value = "";
    });
  }

  rollOut() {
    const { entry } = this;
    const asked = questionOf(entry.decision, Number(byId("rollout-games").value), Number(byId("rollout-ply").value));
    attempt(() => this.rollouts.begin(this.keyOf(entry), asked, entry.decision));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (byId("analysis").hidden || event.ctrlKey || event.metaKey || event.altKey || target.closest?.("input, select, textarea, dialog") || !this.all.length) return;
    const acts = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.goTo(this.current - 1), ArrowRight: () => this.goTo(this.current + 1), k: () => this.goTo(this.current - 1), j: () => this.goTo(this.current + 1),
      ArrowUp: () => this.goTo(this.current - 1), ArrowDown: () => this.goTo(this.current + 1), Home: () => this.goTo(0), End: () => this.goTo(this.all.length - 1),
      n: () => this.wanted(1), p: () => this.wanted(-1), a: () => this.toggleAfter(), r: () => this.rollOut(), w: () => this.why.toggle(this.entry), s: () => this.scores.toggle(this.entry), d: () => this.deeper("4"),
    });
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
