// @ts-check
// The run that is chosen, and those compared with it, as the address of the page names them.
import { host, query } from "../common/host.js";
import { sayLacking } from "./care.js";

/** @typedef {import("./state.js").Run} Run */

export class Selection {
  constructor() {
    this.chosen = query().get("run");
    /**
     * The run that the address named and that there is not; then none is shown until one is chosen.
     *
     * @type {string | null}
     */
    this.missing = null;
    /** @type {Set<string>} */
    this.compared = new Set(query().getAll("with"));
    /** What the address names. */
    this.address = query().toString();
  }

  /** The names of all runs that are asked for. */
  asked() {
    return new Set([this.chosen, ...this.compared]);
  }

  /** Writes the address: the run, and those compared with it. */
  write(push = false) {
    const search = new URLSearchParams();
    if (this.chosen) search.set("run", this.chosen);
    for (const name of this.compared) search.append("with", name);
    const text = search.toString();
    host.write(`/train${text ? `?${text}` : ""}`, !push);
    this.address = query().toString();
  }

  /**
   * Takes what the address names now.
   *
   * @returns {boolean} Whether it names anything else: a link to a part of this page does not
   */
  read() {
    if (query().toString() === this.address) return false;
    this.address = query().toString();
    [this.chosen, this.missing] = [query().get("run"), null];
    this.compareWith(query().getAll("with"));
    return true;
  }

  /**
   * Chooses a run. A run of the comparison comes to the front, and the others stay.
   *
   * @param {string} name
   */
  choose(name) {
    if (this.compared.delete(name) && this.chosen) this.compared.add(this.chosen);
    [this.chosen, this.missing] = [name, null];
  }

  /**
   * Compares these runs with the chosen one, and no others.
   *
   * @param {string[]} names
   */
  compareWith(names) {
    this.compared.clear();
    for (const name of names) this.compared.add(name);
  }

  /** The chosen run is gone; of a comparison the next one takes its place. */
  chooseNext() {
    [this.chosen = null] = this.compared;
  }

  /**
   * Leaves what is not there, and chooses a run where none is named.
   *
   * @param {Run[]} runs Those that there are
   * @param {Set<string | null>} asked Those that were asked for when the list was
   * @param {Set<string>} waiting Those that are about to begin
   */
  settle(runs, asked, waiting) {
    const { compared } = this;
    const isThere = (/** @type {string | null} */ name) => runs.some((run) => run.name === name);
    const isUnknown = (/** @type {string} */ name) =>
      asked.has(name) && !isThere(name) && !waiting.has(name);
    const lacking = [...compared].filter(isUnknown);
    sayLacking(lacking, isThere);
    for (const name of lacking) compared.delete(name);
    if (this.chosen && isUnknown(this.chosen)) {
      [this.missing, this.chosen] = [this.chosen, null];
      compared.clear();
      lacking.push(this.missing);
    }
    // One that waits stays in the comparison.
    if (this.chosen && waiting.has(this.chosen) && !isThere(this.chosen)) compared.add(this.chosen);
    if (this.missing === null && asked.has(this.chosen) && !isThere(this.chosen))
      this.chosen = runs.find((run) => run.state === "running")?.name ?? runs[0]?.name ?? null;
    // A run is not compared with itself.
    if (this.chosen && compared.delete(this.chosen)) this.write();
    if (lacking.length) this.write();
  }
}
