// @ts-check
// The choice to judge one decision again at a greater search depth.
import { Refused, get, postWhenFree } from "../common/api.js";
import { attempt, el, loading } from "../common/dom.js";
import { t } from "../common/words.js";

/** The search depths that can be asked for. */
const DEPTHS = [2, 3, 4];

/**
 * The search depths greater than the one that is known.
 *
 * @param {number} known
 */
export const depthsBeyond = (known) => DEPTHS.filter((ply) => ply > known);

/** The status of a server that still searches when it has to answer. */
const LATE = 504;
/** How often its answer is looked for, and after how many milliseconds. */
const [TRIES, LATER] = [60, 4000];

/**
 * Asks for a decision at a greater depth. A server that is busy is asked again. One that has not
 * answered in time goes on and keeps what it finds: it is looked for there.
 *
 * @param {string} id Of the analysis
 * @param {{ match: number; game: number; decision: number; ply: number }} asked
 */
export async function askDeeper(id, asked) {
  const path = `/analyses/${encodeURIComponent(id)}`;
  try {
    return await postWhenFree(`${path}/deeper`, asked);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== LATE) throw error;
    for (let left = TRIES; left > 0; left -= 1) {
      await new Promise((resolve) => {
        setTimeout(resolve, LATER);
      });
      const { deeper } = await get(path);
      const found = deeper.find(
        (/** @type {any} */ one) =>
          one.match === asked.match &&
          one.game === asked.game &&
          one.decision === asked.decision &&
          one.plies >= asked.ply,
      );
      if (found) return found;
    }
    throw error;
  }
}

export class DeeperChoice {
  /**
   * @param {HTMLSelectElement} select
   * @param {HTMLElement} button Stands for the choice where one depth is left
   * @param {HTMLElement} place Gets a line while the server searches
   * @param {(ply: number) => Promise<void>} ask
   */
  constructor(select, button, place, ask) {
    this.select = select;
    this.button = button;
    this.place = place;
    this.ask = ask;
    select.addEventListener("change", () => this.look(Number(select.value)));
    button.addEventListener("click", () => this.lookDeepest());
  }

  /**
   * Offers only greater depths than the known one; nothing if there are none.
   *
   * @param {number} known
   */
  draw(known) {
    const depths = depthsBeyond(known);
    this.select.replaceChildren(
      el("option", { value: "" }, t("analyse.deeper")),
      ...depths.map((ply) => el("option", { value: ply }, t("common.ply", { n: ply }))),
    );
    this.select.hidden = depths.length < 2;
    this.button.hidden = depths.length !== 1;
    this.button.textContent = depths.length ? t("analyse.deeper.one", { n: depths[0] }) : "";
  }

  /** Asks for the greatest depth that is offered. */
  lookDeepest() {
    this.look(Number(this.select.options[this.select.options.length - 1].value));
  }

  /** @param {number} ply */
  look(ply) {
    const { select, place } = this;
    if (!ply || select.disabled) return;
    select.disabled = true;
    const waits = el(
      "section",
      { class: "deeper" },
      loading(t("analyse.deeper.working", { n: ply })),
    );
    place.prepend(waits);
    waits.scrollIntoView({ block: "nearest" });
    attempt(() => this.ask(ply)).finally(() => {
      waits.remove();
      select.disabled = false;
      select.value = "";
    });
  }
}
