// @ts-check
// The course of a watched match: it runs, stops, and goes to any turn that was seen. Score, pips,
// cube and chances are those of the turn that is shown; what is still to come stays hidden.
import { attempt, el } from "../common/dom.js";
import { decimal } from "../common/format.js";
import { moveTime } from "../common/settings.js";
import { t } from "../common/words.js";
import { Motion } from "../board/motion.js";
import { stepsOf } from "../board/notation.js";
import { START, offOf } from "../board/position.js";
import { markOf } from "../decision/decision.js";
import { lossWords } from "../play/explained.js";
import { boardBefore, inWords, isTurn, kindOf, lineOf } from "./match.js";
import { boardOf, cubeOf, drawBar, pauses, seat } from "./stage.js";
import { judge, markWords, whyOf } from "./verdict.js";

/** @typedef {import("./verdict.js").Judged} Judged */

/**
 * A mistake in a sentence with its mark. A mark is given for points: they stand next to the share
 * of the match.
 *
 * @param {Judged} one
 * @param {string} key
 * @param {number} length Of the match
 */
function mistake(one, key, length) {
  const { loss, match_loss: share, best } = one;
  const points =
    share === null || length === 1 ? "" : ` (${t("play.lossPoints", { n: decimal(loss, 3) })})`;
  return [
    " ",
    el(
      "b",
      { class: "mark" },
      t(key, { mark: markOf(loss), loss: `${lossWords(one)}${points}`, best }),
    ),
  ];
}

export class Showing {
  /**
   * @param {import("./match.js").Watched} match
   * @param {ReturnType<typeof import("./stage.js").stageOf>} stage
   * @param {() => boolean} isOn Whether this match is still watched
   */
  constructor(match, stage, isOn) {
    this.match = match;
    this.stage = stage;
    this.isOn = isOn;
    /**
     * What is known of plays; what is asked for is there already.
     *
     * @type {Map<number, Judged | null>}
     */
    this.judged = new Map();
    this.board = boardOf(stage.boardPlace);
    this.motion = new Motion(this.board, moveTime);
    /** How many events the board has after it. */
    this.at = 0;
    /** How many events were seen. */
    this.furthest = 0;
    /** Whether the match goes on by itself. */
    this.running = true;
    /** Whether an event is on its way. */
    this.playing = false;
    stage.earlier.addEventListener("click", () => this.jump(this.at - 1, -1));
    stage.later.addEventListener("click", () => this.jump(this.at + 1, 1));
    stage.slider.addEventListener("input", () => this.jump(Number(stage.slider.value)));
    stage.pause.addEventListener("click", () => this.pauseOrGo());
  }

  /**
   * Marks a turn in the list, once both are there.
   *
   * @param {number} n
   */
  markLine(n) {
    const { list } = this.stage;
    const line = list.querySelectorAll("button")[list.childElementCount - 1 - n];
    const mark = markWords(this.judged.get(n));
    if (!line || !mark) return;
    line.append(" ", el("b", { class: "mark" }, mark));
    line.setAttribute(
      "aria-label",
      `${line.getAttribute("aria-label") ?? line.firstChild?.textContent} ${mark}`,
    );
  }

  /**
   * Adds the turns that were seen to the list, and marks the one that is shown.
   *
   * @param {number} n
   */
  fillList(n) {
    const { list, slider } = this.stage;
    // The slider goes as far as was seen: its end does not tell when the match ends.
    this.furthest = Math.max(this.furthest, n);
    slider.max = `${this.furthest}`;
    slider.value = `${n}`;
    while (list.childElementCount < this.furthest) {
      const i = list.childElementCount;
      list.prepend(
        el(
          "li",
          {},
          lineOf(this.match.events[i], this.match, () => this.jump(i + 1)),
        ),
      );
      this.markLine(i);
    }
    // The line of the turn that is shown stays in sight, and is the one that the tab key reaches.
    [...list.querySelectorAll("button")].forEach((line, i) => {
      const isShown = this.furthest - i === n;
      line.setAttribute("aria-current", `${isShown}`);
      line.tabIndex = isShown ? 0 : -1;
      const top = line.offsetTop - list.offsetTop;
      if (
        isShown &&
        (top < list.scrollTop || top + line.offsetHeight > list.scrollTop + list.clientHeight)
      )
        list.scrollTop = top - list.clientHeight / 2;
    });
  }

  /** Says what the event is that was shown last. */
  tell(n = this.at) {
    const { match, running } = this;
    const { says, why } = this.stage;
    this.fillList(n);
    const event = match.events[n - 1];
    const words = event ? `${t("watch.game", { game: event.game })}: ${inWords(event, match)}` : "";
    const found = this.judged.get(n - 1);
    const isMistake = found && (found.cube || markOf(found.loss)) && !running;
    const ask = el(
      "button",
      {
        type: "button",
        class: "link",
        onclick: () =>
          void attempt(async () => {
            const part = await whyOf(match, n - 1);
            if (this.isOn() && this.at === n) why.replaceChildren(part);
          }),
      },
      t("why"),
    );
    why.replaceChildren();
    says.replaceChildren(
      words,
      ...(found?.cube ? mistake(found.cube, "watch.missed", match.length) : []),
      ...(found && markOf(found.loss) ? mistake(found, "watch.mistake", match.length) : []),
      ...(isMistake ? [" ", ask] : []),
    );
  }

  /**
   * Asks for what a play loses, and shows it if that play is still shown.
   *
   * @param {number} n
   */
  async look(n) {
    const { match, judged } = this;
    if (n < 0 || n >= match.events.length || judged.has(n)) return;
    judged.set(n, null);
    const found = await judge(match, n).catch(() => null);
    judged.set(n, found);
    if (!this.isOn() || !found) return;
    this.markLine(n);
    if (this.at !== n + 1) return;
    if (this.playing) this.tell();
    else this.draw();
  }

  /**
   * The arrows of a play. Whoever pauses at a mistake sees it and the better play on the board
   * before them.
   *
   * @param {number} n
   */
  arrowsOf(n) {
    const { match, judged, running } = this;
    const event = match.events[n];
    if (event?.what !== "plays") return null;
    const isLight = event.player === "light";
    const [before, found] = [boardBefore(match, n), judged.get(n)];
    if (running || !found || !markOf(found.loss))
      return {
        arrows: [
          { steps: event.steps, kind: /** @type {const} */ ("shown"), own: isLight, before },
        ],
      };
    const better = stepsOf(found.best).map(
      ([from, to]) => /** @type {[number, number]} */ (isLight ? [from, to] : [25 - from, 25 - to]),
    );
    const arrows = [
      { steps: event.steps, kind: /** @type {const} */ ("played"), own: isLight, before },
      { steps: better, kind: /** @type {const} */ ("best"), own: isLight, before },
    ];
    return { board: before, off: offOf(before), arrows };
  }

  draw() {
    const { match, at } = this;
    const { events, length } = match;
    const { above, below, pause, winner, kind, end } = this.stage;
    const event = events[at - 1];
    const now = event?.board ?? START;
    const light = event?.player === "light";
    const dice = event?.what === "plays" ? event.dice : null;
    const arrows = this.arrowsOf(at - 1);
    this.board.draw({
      board: now,
      off: offOf(now),
      cube: cubeOf(event, length),
      dice: light ? dice : null,
      theirDice: light ? null : dice,
      ...arrows,
    });
    void this.look(at - 1);
    // A mistake is seen on the board before it: so are pips and chances.
    const stood = arrows && "board" in arrows ? events[at - 2] : event;
    above.replaceChildren(seat(match, stood, 1));
    below.replaceChildren(seat(match, stood, 0));
    drawBar(stood);
    this.tell();
    // What the pause button does then, and what else can be done with the match.
    const isOver = at >= events.length;
    if (isOver && event)
      [winner.textContent, kind.textContent] = [inWords(event, match), kindOf(event, match)];
    end.hidden = !isOver;
    pause.classList.toggle("main", !isOver);
    if (!this.running) pause.textContent = t(isOver ? "watch.fromStart" : "watch.go");
  }

  halt() {
    this.running = false;
    this.stage.pause.textContent = t("watch.go");
    this.motion.hurry();
  }

  /**
   * Halts at a turn.
   *
   * @param {number} to
   * @param {number} way On which events that are not one of a turn are left out
   */
  jump(to, way = 0) {
    const { events } = this.match;
    this.halt();
    this.at = Math.max(0, Math.min(events.length, to));
    while (way && this.at > 0 && this.at < events.length && !isTurn(events[this.at - 1]))
      this.at += way;
    this.draw();
  }

  /** @param {number} ms */
  wait(ms) {
    return this.motion.isStill
      ? new Promise((resolve) => {
          setTimeout(resolve, 600);
        })
      : this.motion.pause(ms);
  }

  async run() {
    const { board, motion } = this;
    const { events } = this.match;
    if (this.playing) return;
    this.playing = true;
    while (this.running && this.isOn() && this.at < events.length) {
      const event = events[this.at];
      void this.look(this.at);
      board.draw({ ...board.state, arrows: [] });
      if (event.what === "plays" && event.dice) {
        const light = event.player === "light";
        await motion.roll(event.dice, light);
        await this.wait(pauses()[0]);
        if (this.running) await motion.play(event.steps, light);
        if (!this.running || !this.isOn()) break;
      }
      this.at += 1;
      this.draw();
      await this.wait(pauses()[event.what === "plays" ? 1 : 2]);
    }
    this.playing = false;
    if (this.at >= events.length) this.halt();
    if (this.isOn()) this.draw();
  }

  pauseOrGo() {
    if (this.running) return this.halt();
    if (this.at >= this.match.events.length) this.at = 0;
    this.running = true;
    this.draw();
    this.motion.calm();
    this.stage.pause.textContent = t("watch.pause");
    return this.run();
  }
}
