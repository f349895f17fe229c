// @ts-check
// New positions are drawn: how many there are, and a button that stops it.
import { events } from "../common/api.js";
import { el } from "../common/dom.js";
import { t } from "../common/words.js";

export class Drawing {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** @type {AbortController | null} */
    this.cancel = null;
  }

  /**
   * Draws; what is drawn already is stopped. @param {string} path @param {unknown} question
   * @param {boolean} isQuiet shows nothing
   * @returns {Promise<boolean>} whether it went on to its end
   */
  async begin(path, question, isQuiet = false) {
    this.cancel?.abort();
    const own = new AbortController();
    this.cancel = own;
    const bar = el("progress", { "aria-label": t("practise.drawing") });
    const words = el("p", {}, t("practise.drawing"));
    const stop = el("button", { type: "button", onclick: () => own.abort() }, t("practise.stop"));
    this.place.replaceChildren(...(isQuiet ? [] : [words, bar, el("p", { class: "tools" }, stop)]));
    if (!isQuiet) this.place.scrollIntoView({ block: "nearest" });
    let [isDone, found] = [false, 0];
    try {
      await events(path, question, ({ drawn, wanted }, name) => {
        [bar.max, bar.value, found] = [wanted, drawn, drawn];
        words.textContent = t("practise.drawing.at", { n: drawn, of: wanted });
        isDone = name === "done";
      }, own.signal);
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError") throw error;
    } finally {
      if (this.cancel === own) {
        this.cancel = null;
        this.place.replaceChildren(...(isDone && !found && !isQuiet ? [el("p", {}, t("practise.drawing.none"))] : []));
      }
    }
    return isDone;
  }
}
