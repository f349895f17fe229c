// @ts-check
// The part of the page that shows one decision: its board, its verdict, its alternatives, the
// questions about it, and its note.
import { Board } from "../board/board.js";
import { Motion } from "../board/motion.js";
import { stepsOf } from "../board/notation.js";
import { post } from "../common/api.js";
import { copyBy } from "../common/copy.js";
import { attempt, byId, keepTyped, say } from "../common/dom.js";
import { moveTime } from "../common/settings.js";
import { t } from "../common/words.js";
import { AskedParts } from "./asked-parts.js";
import { colourOf } from "../common/players.js";
import { boardState, seatBelow, sidesOf, titleOf, turnedAround } from "./board-view.js";
import { asShown } from "./decision.js";
import { decisionView } from "./decision-view.js";
import { valueInWords } from "./decision-words.js";
import { DeeperChoice, askDeeper } from "./deeper-choice.js";
import { Panel } from "./panel.js";
import { askScores, askStrengths, askWhy, comparesOther, explained } from "./questions.js";
import { RolloutView, questionOf } from "./rollout-view.js";
import { GAMES } from "./strengths.js";
import { verdict } from "./verdict-view.js";

/** @typedef {import("./decision.js").Entry} Entry */

/**
 * The page around the decision: `answered` draws what another answer changes, `noted` what a note
 * does.
 *
 * @typedef {{
 *   entry: Entry;
 *   match: any;
 *   answer: any;
 *   answers: ReturnType<typeof import("./answers.js").answersOf>;
 *   below: string;
 *   answered: () => void;
 *   noted: () => void;
 * }} Page
 */

export class DecisionPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    [this.kept, this.after] = [null, false];
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
    this.rollouts = new RolloutView(byId("rollout"), byId("stop"), () => page.answered());
    this.deeper = new DeeperChoice(byId("deeper"), byId("deeper-one"), byId("decision"), (ply) =>
      this.lookDeeper(ply),
    );
    this.board = new Board(byId("board"));
    this.motion = new Motion(this.board, moveTime);
    this.listen();
  }

  listen() {
    byId("after").addEventListener("click", () => this.toggleAfter());
    byId("roll-out").addEventListener("click", () => this.rollOut());
    for (const panel of this.panels)
      panel.button.addEventListener("click", () => panel.toggle(this.entry));
    byId("copy").addEventListener("click", () =>
      copyBy(
        byId("copy"),
        this.entry.decision.xgid,
        t("analyse.copied", { xgid: this.entry.decision.xgid }),
      ),
    );
    keepTyped(byId("note"), () => this.keepNote());
    byId("note").addEventListener("input", () => this.drawNoteSign());
  }

  /**
   * The decision that is shown.
   *
   * @returns {Entry}
   */
  get entry() {
    return this.page.entry;
  }

  /** @returns {any} */
  get match() {
    return this.page.match;
  }

  /** @returns {any} */
  get answer() {
    return this.page.answer;
  }

  /** What is known about the decisions of the match. */
  get answers() {
    return this.page.answers;
  }

  /** Ends what goes on about the decision, before another one is shown. */
  leave() {
    this.rollouts.end();
    this.motion.hurry();
    [this.kept, this.after] = [null, false];
  }

  /** Shows the decision where one is now. */
  show() {
    const { entry } = this;
    const { decision } = entry;
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
  }

  /**
   * A line about each player.
   *
   * @param {number[]} board That is drawn
   */
  drawSides(board) {
    const [above, below] = sidesOf(this.entry.decision, this.match.names, this.page.below, board);
    byId("side-other").replaceChildren(...above);
    byId("side-own").replaceChildren(...below);
  }

  /** The player who sits below. */
  get seat() {
    return seatBelow(this.entry.decision, this.page.below);
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

  /** Asks why once more, where another answer compares other plays. */
  renewWhy() {
    this.why.renew(this.entry, (part) =>
      comparesOther(part, this.entry.decision, this.answers.judgedOf(this.entry)),
    );
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
   * @param {import("./asked-parts.js").Asked} asked
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
      this.page.noted();
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
    this.page.answered();
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
