// @ts-check
// New positions that are drawn for a round, with a button that stops it.
import { events } from "../common/api.js";
import { START } from "../board/position.js";
import { el } from "../common/dom.js";
import { t } from "../common/words.js";
import { keepOwn } from "../common/own.js";

/** The most new positions that wait for an answer. */
const WAITING = 100;

export class Drawing {
  /**
   * @param {HTMLElement} place
   * @param {string} words The key of what is drawn
   */
  constructor(place, words) {
    this.place = place;
    this.words = words;
    /** @type {AbortController | null} */
    this.cancel = null;
    /** Whether the person waits for what is drawn. */
    this.isSeen = false;
    /**
     * Is done when nothing is drawn any more.
     *
     * @type {Promise<boolean>}
     */
    this.ended = Promise.resolve(true);
  }

  /**
   * Draws, as `draw` says.
   *
   * @param {string} path
   * @param {unknown} question
   * @param {boolean} isQuiet
   */
  begin(path, question, isQuiet = false) {
    const done = this.draw(path, question, isQuiet);
    this.ended = done.catch(() => false);
    return done;
  }

  /**
   * Draws; what is drawn already is stopped.
   *
   * @param {string} path
   * @param {unknown} question
   * @param {boolean} isQuiet Shows nothing
   * @returns {Promise<boolean>} Whether it went on to its end
   */
  async draw(path, question, isQuiet) {
    this.cancel?.abort();
    const own = new AbortController();
    [this.cancel, this.isSeen] = [own, !isQuiet];
    const bar = el("progress", { "aria-label": t(this.words) });
    const words = el("p", {}, t(this.words));
    const stop = el("button", { type: "button", onclick: () => own.abort() }, t("practise.stop"));
    this.place.replaceChildren(...(isQuiet ? [] : [words, bar, el("p", { class: "tools" }, stop)]));
    if (!isQuiet) this.place.scrollIntoView({ block: "nearest" });
    let [isDone, found] = [false, 0];
    try {
      await events(
        path,
        question,
        ({ drawn, wanted }, name) => {
          [bar.max, bar.value, found] = [wanted, drawn, drawn];
          words.textContent = t(`${this.words}.at`, { n: drawn, of: wanted });
          isDone = name === "done";
        },
        own.signal,
      );
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError") throw error;
    } finally {
      if (this.cancel === own) {
        [this.cancel, this.isSeen] = [null, false];
        this.place.replaceChildren(
          ...(isDone && !found && !isQuiet ? [el("p", {}, t("practise.drawing.none"))] : []),
        );
      }
    }
    return isDone;
  }
}

/**
 * Whether at most the opponent has moved.
 *
 * @param {{ board: number[] }} card
 */
const isOpening = ({ board }) => board.every((n, i) => Math.max(n, 0) === Math.max(START[i], 0));

/**
 * Opening rolls and replies that were not answered yet: those that wait, then new ones.
 *
 * @param {Drawing} drawing
 * @param {() => string} player
 * @param {(due: number, fresh: number) => Promise<any>} fetchCards
 * @param {number} count
 */
export async function drawOpenings(drawing, player, fetchCards, count) {
  const waiting = async () => (await fetchCards(0, WAITING)).new.filter(isOpening).slice(0, count);
  const found = await waiting();
  keepOwn("decks", player());
  if (found.length === count) return found;
  await drawing.begin("/practice/positions", {
    player: player(),
    count: count - found.length,
    from: "openings",
  });
  return waiting();
}

/**
 * Cards as new positions.
 *
 * @param {any[]} cards
 */
export const fresh = (cards) => cards.map((card) => ({ ...card, fresh: true }));
