// @ts-check
// The log of a match: what has happened, the newest first. A line shows its play on the board while
// it is pointed at, and after a click until the next one.
import { el, hasMoved } from "../common/dom.js";
import { t } from "../common/words.js";
import { START, flipped, unmoved } from "../board/position.js";

/** @typedef {import("./views.js").MatchView} MatchView */
/** @typedef {import("./views.js").CourseRow} CourseRow */
/**
 * The plays, the cube actions and the games that are over.
 *
 * @typedef {{
 *   rows: CourseRow[];
 *   calls: import("./views.js").CourseCall[];
 *   ended: import("./views.js").GameRow[];
 * }} SoFar
 */

/**
 * A play as the board shows it; `light` says whether the player below had the light checkers.
 *
 * @typedef {{
 *   board: readonly number[];
 *   steps: readonly (readonly number[])[];
 *   own: boolean;
 *   light: boolean;
 * }} Shown
 */

/**
 * The same as the player with the other checkers sees it.
 *
 * @param {Shown} shown
 * @returns {Shown}
 */
export const turnedAround = ({ board, steps, own, light }) => ({
  board: flipped(board),
  steps: steps.map(([from, to]) => [25 - from, 25 - to]),
  own: !own,
  light: !light,
});

/**
 * What the board draws for a line.
 *
 * @param {Shown} shown
 */
export const arrowsOf = ({ board, steps, own }) => [
  {
    steps: /** @type {[number, number][]} */ (steps),
    kind: /** @type {const} */ ("shown"),
    own,
    before: unmoved(board, steps, own),
  },
];

/**
 * The opening roll before a play, if the play is one of an opening: the higher die began.
 *
 * @param {MatchView} view
 * @param {Pick<CourseRow, "player" | "dice" | "board" | "steps">} row
 * @returns {string | null}
 */
function openingOf({ two_people: two, names }, { player, dice, board, steps }) {
  const [high, low] = dice;
  const before = unmoved(board, steps, player === "you");
  if (high === low || before.some((n, i) => n !== START[i])) return null;
  const [name, other] = player === "you" ? names : [names[1], names[0]];
  return two
    ? t("play.event.opens.two", { name, other, high, low })
    : t(`play.event.opens.${player}`, { name: names[1], high, low });
}

/**
 * Whether a game is the Crawford game of its match: the first game in which a player needs one
 * point.
 *
 * @param {number | null} length Of the match
 * @param {import("./views.js").GameRow[]} ended The games that are over
 * @param {number} game
 */
export function isCrawford(length, ended, game) {
  const needsOne = (/** @type {number} */ before) =>
    ["you", "nonet"].some(
      (who) =>
        ended
          .filter((one) => one.game < before && one.winner === who)
          .reduce((sum, { points }) => sum + points, 0) +
          1 ===
        length,
    );
  return length !== 1 && needsOne(game) && !needsOne(game - 1);
}

/** What the course tells besides plays: cube actions, and ends of games. */
const CALLS = ["doubles", "takes", "passes", "beavers", "resigns"];
const ENDS = ["wins-game", "wins-match"];

/**
 * The cube actions of the log as an analysis names them.
 *
 * @type {Record<string, string>}
 */
const CALLED = { doubles: "double", takes: "take", passes: "drop", beavers: "beaver" };

/**
 * A mark with the loss.
 *
 * @param {string} mark
 * @param {string} lost
 */
const markOf = (mark, lost) => [
  " ",
  el("b", { class: "mark" }, mark),
  ...(lost ? [" ", el("small", { class: "lost" }, lost)] : []),
];

/**
 * The mark of a missed double, which stands at the play that followed.
 *
 * @param {string} mark
 */
const cubeMark = (mark) => `${t("play.review.cube")} ${mark}`;

/**
 * The lines that tell a decision of the person.
 *
 * @type {Record<string, string>}
 */
const TOLD = { play: "plays", roll: "plays", double: "doubles", take: "takes", pass: "passes" };

export class Log {
  /**
   * @param {HTMLElement} place
   * @param {(shown: Shown | null, turn: number, words: string, held: boolean) => void} look Shows a
   *   play on the board, or the board as it is; `held`: until the next click
   */
  constructor(place, look) {
    this.place = place;
    this.look = look;
    /**
     * The lines after each decision of the person; the first ones were there before.
     *
     * @type {Element[][]}
     */
    this.groups = [[]];
    /**
     * The lines that begin a game, and those of turns.
     *
     * @type {Map<Element, string>}
     */
    this.kinds = new Map();
    /**
     * The marks of the person's next lines: the kind of line, the mark, and the loss in words.
     *
     * @type {{ what: string, mark: string, lost: string }[]}
     */
    this.marks = [];
    /**
     * The line with the play that stays on the board.
     *
     * @type {Element | null}
     */
    this.held = null;
    place.addEventListener("keydown", (event) => this.step(event));
  }

  clear() {
    this.place.replaceChildren();
    this.groups = [[]];
    this.kinds.clear();
    [this.held, this.marks] = [null, []];
  }

  /** What follows is the consequence of another decision. */
  begin() {
    this.groups.push([]);
  }

  /**
   * Adds what has happened so far, but for the last of it that the match tells again. Each game
   * begins with its opening roll.
   *
   * @param {MatchView} view
   * @param {SoFar} course
   * @param {number} told Plays that the match tells again
   */
  addRows(view, { rows, calls, ended }, told) {
    const isTold = view.events.some(({ what }) => what === "opens");
    const crawford = (/** @type {number} */ game) =>
      isCrawford(view.rules.length, ended, game) ? ` ${t("play.crawfordOpens")}` : "";
    const count = (/** @type {string[]} */ kinds) =>
      view.events.filter(({ what }) => kinds.includes(what)).length;
    const acts = calls.slice(0, Math.max(0, calls.length - count(CALLS)));
    const ends = ended.slice(0, Math.max(0, ended.length - count(ENDS)));
    const kindOf = (/** @type {string} */ player) => (view.two_people ? "nonet" : player);
    const nameOf = (/** @type {string} */ player) => view.names[player === "you" ? 0 : 1];
    /**
     * The cube actions before a play, and the ends of games before its game.
     *
     * @param {number} i
     * @param {number} game
     */
    const add = (i, game) => {
      while (acts[0] && acts[0].plays <= i && acts[0].game <= game) {
        const { player, what, value } = /** @type {import("./views.js").CourseCall} */ (
          acts.shift()
        );
        const words = what === "doubles" && (value ?? 0) > 2 ? "redoubles" : what;
        this.add(
          t(`play.event.${words}.${kindOf(player)}`, { name: nameOf(player), value: value ?? "" }),
          player,
          null,
          what,
        );
      }
    };
    const finish = (/** @type {number} */ i, /** @type {number} */ game) => {
      while (ends[0] && ends[0].game < game) {
        const {
          game: over,
          winner,
          points,
        } = /** @type {import("./views.js").GameRow} */ (ends.shift());
        add(i, over);
        const player = winner ?? "you";
        this.add(
          t(`play.event.wins-game.${kindOf(player)}`, { name: nameOf(player), n: points }),
          player,
          null,
          "wins-game",
        );
      }
    };
    for (const [i, row] of rows.entries()) {
      finish(i, row.game);
      const isLeft = i >= rows.length - told;
      const opening =
        rows[i - 1]?.game === row.game || (isLeft && isTold) ? null : openingOf(view, row);
      if (opening) this.add(opening + crawford(row.game), row.player, null, "opens");
      if (isLeft) continue;
      add(i, row.game);
      const words = t(`play.event.${row.play ? "plays" : "dances"}.${kindOf(row.player)}`, {
        name: nameOf(row.player),
        dice: row.dice.join(""),
        play: row.play,
      });
      this.add(
        words,
        row.player,
        row.play ? { ...row, own: row.player === "you", light: view.light } : null,
        "plays",
      );
    }
    add(rows.length, Infinity);
    finish(rows.length, Infinity);
    // The opening roll that the person has to play. A match that has just begun tells its own.
    if (isTold || view.revision === 0 || !view.dice || rows.at(-1)?.game === view.game) return;
    const opening = openingOf(view, {
      player: "you",
      dice: view.dice,
      board: view.board,
      steps: [],
    });
    if (opening) this.add(opening + crawford(view.game), "you", null, "opens");
  }

  /**
   * @param {string} words
   * @param {string} player
   * @param {Shown | null} shown
   * @param {string} what As of an event
   */
  add(words, player, shown, what = "plays") {
    const line = el("li", { class: player });
    line.append(shown ? this.button(words, shown, line) : words);
    if (player === "you") {
      for (const one of this.marks)
        if (one.what === what) line.append(...markOf(one.mark, one.lost));
      this.marks = this.marks.filter((one) => one.what !== what);
    }
    this.place.prepend(line);
    this.groups.at(-1)?.push(line);
    this.kinds.set(line, what);
    if (what === "plays") line.setAttribute("data-turn", `${this.turnOf(line)}`);
    this.place.scrollTop = 0;
    [...this.place.querySelectorAll("button")].forEach((one, i) => {
      one.tabIndex = i ? -1 : 0;
    });
  }

  /**
   * Marks the person's next decision, which the tutor has called a mistake.
   *
   * @param {string} action
   * @param {string} mark
   * @param {string} lost In words
   */
  markNext(action, mark, lost) {
    this.marks.push({ what: TOLD[action], mark: action === "roll" ? cubeMark(mark) : mark, lost });
  }

  /**
   * Marks the mistakes of both players as the analysis of the match has them, in place of the
   * tutor's.
   *
   * @param {{ decisions: import("../decision/decision.js").Decision[] }[]} games
   * @param {(decision: any) => string} lost What a decision loses, and the better one in words
   */
  markAll(games, lost = () => "") {
    let [game, turn] = [0, 0];
    for (const line of this.groups.flat()) {
      const what = this.kinds.get(line) ?? "";
      if (what === "opens") turn = 0;
      if (what === "plays") turn += 1;
      const isPlay = what === "plays";
      const of = games[game]?.decisions.filter(({ roll }) => roll === turn + Number(!isPlay)) ?? [];
      for (const old of line.querySelectorAll(".mark, .lost")) old.remove();
      for (const one of of) {
        const { mark, decision } = one;
        const isHere = isPlay
          ? decision.plays || decision.call === "no double"
          : decision.call && decision.call === CALLED[what];
        if (mark && isHere)
          line.append(...markOf(isPlay && !decision.plays ? cubeMark(mark) : mark, lost(one)));
      }
      if (what === "wins-game") [game, turn] = [game + 1, 0];
    }
  }

  /**
   * The number of a turn in its game.
   *
   * @param {Element} line
   */
  turnOf(line) {
    const kinds = this.groups.flat().map((one) => ({ one, what: this.kinds.get(one) }));
    const before = kinds.slice(0, kinds.findIndex(({ one }) => one === line) + 1);
    return before
      .slice(before.findLastIndex(({ what }) => what === "opens") + 1)
      .filter(({ what }) => what === "plays").length;
  }

  /**
   * @param {string} words
   * @param {Shown} shown
   * @param {Element} line
   */
  button(words, shown, line) {
    /** Whether the pointer shows it. */
    let isPointed = false;
    const show = () => {
      if (!this.held) this.look(shown, this.turnOf(line), words, false);
    };
    const hide = () => {
      if (!this.held) this.look(null, 0, "", false);
    };
    const move = (/** @type {PointerEvent} */ event) => {
      if (isPointed || !hasMoved(event)) return;
      isPointed = true;
      show();
    };
    const leave = () => {
      if (isPointed) hide();
      isPointed = false;
    };
    const hold = () => {
      const isHeld = this.held === line;
      this.held = isHeld ? null : line;
      if (isHeld) hide();
      else this.look(shown, this.turnOf(line), words, true);
    };
    return el(
      "button",
      {
        type: "button",
        onpointermove: move,
        onpointerleave: leave,
        onfocus: show,
        onblur: () => this.letGo(),
        onclick: hold,
      },
      words,
    );
  }

  /** The board is shown as it is. */
  letGo() {
    this.held = null;
    this.look(null, 0, "", false);
  }

  /**
   * Takes the lines of the last decision away.
   *
   * @returns {boolean} Whether they were known
   */
  takeBack() {
    this.marks = [];
    if (this.groups.length < 2) return false;
    for (const line of this.groups.pop() ?? []) line.remove();
    return true;
  }

  /**
   * From line to line with the arrow keys.
   *
   * @param {KeyboardEvent} event
   */
  step(event) {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const lines = [...this.place.querySelectorAll("button")];
    lines[lines.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement)) + way]?.focus();
  }
}
