// @ts-check
// A part of a decision that a button asks for, such as its explanation. The same button closes it.
import { attempt, loading } from "../common/dom.js";

/** @typedef {import("./decisions.js").Entry} Entry */

export class Panel {
  /**
   * @param {any} button
   * @param {HTMLElement} place
   * @param {(entry: Entry) => string} working what is said while the answer is awaited
   * @param {(entry: Entry, signal: AbortSignal) => Promise<HTMLElement>} ask
   */
  constructor(button, place, working, ask) {
    this.button = button;
    this.place = place;
    this.working = working;
    this.ask = ask;
    /** @type {{ entry: Entry, part: HTMLElement } | null} */
    this.answered = null;
    /** The decision on the page. @type {Entry | null} */
    this.entry = null;
    /** @type {AbortController | null} */
    this.asking = null;
  }

  /** Asks about a decision, or closes what is open. @param {Entry | undefined} entry none while the analysis is on its way */
  toggle(entry) {
    if (!entry || this.button.hidden || this.button.disabled) return;
    if (this.answered?.entry === entry) {
      this.answered = null;
      return void this.draw(entry);
    }
    this.draw(entry);
    const asking = new AbortController();
    this.asking = asking;
    this.button.disabled = true;
    this.place.replaceChildren(loading(this.working(entry)));
    this.place.scrollIntoView({ block: "nearest" });
    attempt(async () => {
      this.answered = { entry, part: await this.ask(entry, asking.signal) };
    }).finally(() => {
      // A decision that was left has ended the question.
      if (this.asking !== asking) return;
      this.asking = null;
      this.button.disabled = false;
      this.draw(entry, true);
    });
  }

  /** Another decision is on the page: what is open belongs to it, or is closed. @param {Entry} entry */
  draw(entry, isNew = false) {
    if (this.asking && this.entry !== entry) {
      this.asking.abort();
      this.asking = null;
      this.button.disabled = false;
    }
    this.entry = entry;
    if (this.asking) return;
    const part = this.answered?.entry === entry ? this.answered.part : null;
    this.button.setAttribute("aria-pressed", `${part !== null}`);
    this.place.replaceChildren(...(part ? [part] : []));
    if (part && isNew) part.scrollIntoView({ block: "nearest" });
  }
}
