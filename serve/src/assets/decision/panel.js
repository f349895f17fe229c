// @ts-check
// A part of a decision that a button asks for, such as its explanation. The same button stops the
// question, and closes the answer.
import { attempt, el, empty, loading, sentence } from "../common/dom.js";
import { t } from "../common/words.js";

/** @typedef {import("./decision.js").Entry} Entry */

/** The status of an answer that took too long. */
export const LATE = 504;

/**
 * What stands in place of an answer that failed: why, and a button that asks again. What is no
 * failure is thrown.
 *
 * @param {unknown} error
 * @param {() => void} again
 */
export function failedPart(error, again) {
  const { name, message, status } = /** @type {import("../common/api.js").Refused} */ (error);
  if (name === "AbortError" || status === 401) throw error;
  return empty(
    status === LATE ? t("analyse.noAnswer") : sentence(message),
    el("button", { type: "button", onclick: again }, t("common.again")),
  );
}

export class Panel {
  /**
   * @param {any} button
   * @param {HTMLElement} place
   * @param {(entry: Entry) => string} working What is said while the answer is awaited
   * @param {(
   *   entry: Entry,
   *   signal: AbortSignal,
   *   show: (part: HTMLElement) => void,
   * ) => Promise<HTMLElement>} ask
   *   `show` draws what is there so far
   */
  constructor(button, place, working, ask) {
    this.button = button;
    this.place = place;
    this.working = working;
    this.ask = ask;
    /** @type {{ entry: Entry; part: HTMLElement } | null} */
    this.answered = null;
    /**
     * The decision on the page.
     *
     * @type {Entry | null}
     */
    this.entry = null;
    /** @type {AbortController | null} */
    this.asking = null;
  }

  /**
   * Asks about a decision, stops asking, or closes what is open.
   *
   * @param {Entry | undefined} entry None while the analysis is on its way
   */
  toggle(entry) {
    if (!entry || this.button.hidden) return;
    if (this.asking && this.entry === entry) {
      this.end();
      return void this.draw(entry);
    }
    if (this.answered?.entry === entry) {
      this.answered = null;
      return void this.draw(entry);
    }
    this.draw(entry);
    const asking = new AbortController();
    this.asking = asking;
    this.button.setAttribute("aria-pressed", "true");
    this.place.replaceChildren(loading(this.working(entry)));
    this.place.scrollIntoView({ block: "nearest" });
    // A decision that was left has ended the question.
    const isOn = () => this.asking === asking;
    attempt(async () => {
      const again = () => {
        this.answered = null;
        this.toggle(entry);
      };
      const part = await this.ask(entry, asking.signal, (shown) => {
        if (isOn()) this.place.replaceChildren(shown);
      }).catch((error) => failedPart(error, again));
      if (isOn()) this.answered = { entry, part };
    }).finally(() => {
      if (!isOn()) return;
      this.asking = null;
      this.draw(entry, true);
    });
  }

  /**
   * Asks once more, if the answer is open and is out of date.
   *
   * @param {Entry} entry
   * @param {(part: HTMLElement) => boolean} isOld
   */
  renew(entry, isOld) {
    if (this.answered?.entry !== entry || !isOld(this.answered.part)) return;
    this.answered = null;
    this.toggle(entry);
  }

  /** Stops the question. */
  end() {
    this.asking?.abort();
    this.asking = null;
  }

  /**
   * Another decision is on the page: what is open belongs to it, or is closed.
   *
   * @param {Entry} entry
   */
  draw(entry, isNew = false) {
    if (this.entry !== entry) this.end();
    this.entry = entry;
    if (this.asking) return;
    const part = this.answered?.entry === entry ? this.answered.part : null;
    this.button.setAttribute("aria-pressed", `${part !== null}`);
    this.place.replaceChildren(...(part ? [part] : []));
    if (part && isNew) part.scrollIntoView({ block: "nearest" });
  }
}
