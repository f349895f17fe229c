// @ts-check
// The parts of decisions that were asked for, such as an explanation, and what differs between each
// and the verdict.
import { lettersOf } from "./decision.js";

/**
 * A part that was asked for, and what differs between it and a verdict.
 *
 * @typedef {{
 *   part: HTMLElement;
 *   note: (judged: import("./verdicts.js").Judged) => HTMLElement | null;
 * }} Asked
 */

/** The parts that were asked about decisions, which the exported page has, too. */
export class AskedParts {
  constructor() {
    /** @type {Map<string, Map<string, Asked>>} */
    this.all = new Map();
    /** @type {Map<string, import("./decision.js").Letters>} */
    this.letters = new Map();
  }

  /**
   * The letters of the plays of a decision, one set for all its parts.
   *
   * @param {string} key
   * @param {import("./decision.js").Decision} decision
   */
  lettersOf(key, { decision: { plays } }) {
    const letters = this.letters.get(key) ?? lettersOf(plays?.map(({ play }) => play));
    this.letters.set(key, letters);
    return letters;
  }

  /**
   * @param {string} key Of a decision
   * @param {string} what
   * @param {Asked} asked
   */
  keep(key, what, asked) {
    this.all.set(key, (this.all.get(key) ?? new Map()).set(what, asked));
  }

  /** @param {string} key */
  partsOf(key) {
    return [...(this.all.get(key)?.values() ?? [])].map(({ part }) => part);
  }

  /**
   * @param {string} key
   * @param {string[]} some
   */
  forget(key, some) {
    for (const what of some) this.all.get(key)?.delete(what);
  }

  /**
   * What differs from the verdict says so below its title.
   *
   * @param {string} key
   * @param {import("./verdicts.js").Judged} judged
   */
  note(key, judged) {
    for (const { part, note } of this.all.get(key)?.values() ?? []) {
      part.querySelector(".differs")?.remove();
      part.querySelector("h3")?.after(note(judged) ?? "");
    }
  }
}
