// @ts-check
// The choice to judge one decision again at a greater search depth.
import { attempt, el, loading } from "../common/dom.js";
import { t } from "../common/words.js";

/** The search depths that can be asked for. */
const DEPTHS = [3, 4];

/** The search depths greater than the one that is known. @param {number} known */
export const depthsBeyond = (known) => DEPTHS.filter((ply) => ply > known);

export class DeeperChoice {
  /**
   * @param {HTMLSelectElement} select
   * @param {HTMLElement} place gets a line while the server searches
   * @param {(ply: number) => Promise<void>} ask
   */
  constructor(select, place, ask) {
    this.select = select;
    this.place = place;
    this.ask = ask;
    select.addEventListener("change", () => this.look(Number(select.value)));
  }

  /** Offers only greater depths than the known one; nothing if there are none. @param {number} known */
  draw(known) {
    const depths = depthsBeyond(known);
    this.select.replaceChildren(el("option", { value: "" }, t("analyse.deeper")), ...depths.map((ply) => el("option", { value: ply }, t("common.ply", { n: ply }))));
    this.select.hidden = depths.length === 0;
  }

  /** Asks for the greatest depth that is offered. */
  lookDeepest() {
    if (!this.select.hidden) this.look(Number(this.select.options[this.select.options.length - 1].value));
  }

  /** @param {number} ply */
  look(ply) {
    const { select, place } = this;
    if (!ply || select.disabled) return;
    select.disabled = true;
    const waits = el("section", { class: "deeper" }, loading(t("analyse.deeper.working", { n: ply })));
    place.prepend(waits);
    waits.scrollIntoView({ block: "nearest" });
    attempt(() => this.ask(ply)).finally(() => {
      waits.remove();
      select.disabled = false;
      select.value = "";
    });
  }
}
