// @ts-check
// Rollouts between players of other strengths: what is asked, and the table that grows.
import { events } from "../common/api.js";
import { attempt, byId, el, loading } from "../common/dom.js";
import { decimal } from "../common/format.js";
import { t } from "../common/words.js";
import { GAMES, strengthsPart } from "../decision/strengths.js";

/** The level that makes no errors. */
const BEST = "champion";

/** The table below its button. */
export class StrengthsView {
  /**
   * @param {HTMLElement} place
   * @param {() => any} asked The question: ID, roll or cube, net
   * @param {() => import("../decision/decision.js").Letters} letters Of its plays
   */
  constructor(place, asked, letters) {
    this.place = place;
    this.asked = asked;
    this.letters = letters;
    /** @type {AbortController | null} */
    this.cancel = null;
  }

  /**
   * Another position: what runs is stopped.
   *
   * @param {boolean} isPlayable
   */
  reset(isPlayable) {
    this.cancel?.abort();
    this.cancel = null;
    this.place.replaceChildren(
      el("p", { class: "small" }, t("strengths.what")),
      this.button("strengths.begin", () => attempt(() => this.begin()), !isPlayable),
    );
  }

  /**
   * @param {string} word
   * @param {() => void} onclick
   * @param {boolean} [disabled]
   */
  button(word, onclick, disabled = false) {
    return el("p", {}, el("button", { type: "button", onclick, disabled }, t(word)));
  }

  async begin() {
    const own = new AbortController();
    this.cancel = own;
    const stop = this.button("analyse.stop", () => own.abort());
    /** @type {HTMLElement} */
    let part = loading(t("rollout.begins"));
    const show = (/** @type {HTMLElement | null} */ below) =>
      this.cancel === own && this.place.replaceChildren(part, ...(below ? [below] : []));
    const again = () => show(this.button("strengths.again", () => attempt(() => this.begin())));
    show(stop);
    own.signal.addEventListener("abort", () => {
      part.querySelector("progress")?.remove();
      again();
    });
    try {
      await events(
        "/strengths",
        this.asked(),
        (table, name) => {
          if (own.signal.aborted) return;
          part = strengthsPart(table, GAMES, this.letters());
          if (name === "done") again();
          else show(stop);
        },
        own.signal,
      );
    } catch (error) {
      if (own.signal.aborted) return;
      if (this.cancel === own) this.reset(true);
      throw error;
    }
  }
}

/**
 * Fills both choices of a level: the one without errors first, then by PR.
 *
 * @param {{ name: string; pr: number | null }[]} levels
 */
export function fillLevels(levels) {
  const sorted = [...levels].sort((a, b) => (a.pr ?? 0) - (b.pr ?? 0));
  // Levels like people have their PR in their names.
  const name = (/** @type {{ name: string; pr: number | null }} */ { name: level, pr }) =>
    pr === null
      ? t("level.group.best")
      : level.startsWith("human-")
        ? t(`level.${level}`)
        : t("level.pr", { name: t(`level.${level}`), pr: decimal(pr, 0) });
  for (const id of ["own-level", "other-level"])
    byId(id).replaceChildren(
      ...sorted.map((level) =>
        el("option", { value: level.name, selected: level.name === BEST }, name(level)),
      ),
    );
}

/** The levels of a rollout as it is asked: nothing where both are the best. */
export function levelsAsked() {
  const levels = [byId("own-level").value, byId("other-level").value];
  return levels.every((level) => !level || level === BEST) ? {} : { levels };
}
