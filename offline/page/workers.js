// @ts-check
// The workers: one answers at once, others do slow work. All have the same files.

/** @typedef {import("./files.js").Files} Files */
/** @typedef {import("./files.js").FileChange} FileChange */
/**
 * @typedef {{
 *   method: string;
 *   address: string;
 *   kind: string;
 *   body: Uint8Array | null;
 * }} Question
 */
/**
 * @typedef {{
 *   status: number;
 *   kind: string;
 *   isForSlow: boolean;
 *   stream: ReadableStream<Uint8Array>;
 * }} Answer
 */
/** @typedef {{ kind: string; id?: string; name?: string }} Errand */

/** Workers of slow work at most: each takes some 100 MB. */
const MOST = 4;

/** A worker with what it was asked. */
class Hand {
  /**
   * @param {Crew} crew
   * @param {boolean} slow
   */
  constructor(crew, slow) {
    this.crew = crew;
    this.slow = slow;
    this.busy = 0;
    this.number = 0;
    /**
     * @type {Map<
     *   number,
     *   {
     *     resolve: (answer: Answer) => void;
     *     reject: (why: Error) => void;
     *     controller?: ReadableStreamDefaultController<Uint8Array>;
     *   }
     * >}
     */
    this.asked = new Map();
    this.worker = new Worker(crew.source);
    this.worker.onmessage = ({ data }) => this.told(data);
    this.worker.onerror = (event) => this.died(event.message);
    this.worker.postMessage({ type: "start", slow, module: crew.module, files: crew.files.all() });
  }

  /**
   * @param {Question} question
   * @param {AbortSignal | null} [signal]
   * @returns {Promise<Answer>}
   */
  ask(question, signal) {
    const id = ++this.number;
    this.busy += 1;
    signal?.addEventListener("abort", () => {
      this.worker.postMessage({ type: "cancel", id });
      this.end(id, new DOMException("cancelled", "AbortError"));
    });
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.worker.postMessage({ type: "ask", id, ...question });
    });
  }

  /**
   * @param {number} id
   * @param {Error} [error]
   */
  end(id, error) {
    const asked = this.asked.get(id);
    if (!asked) return;
    this.asked.delete(id);
    this.busy -= 1;
    if (!error) asked.controller?.close();
    else if (asked.controller) asked.controller.error(error);
    else asked.reject(error);
  }

  /** @param {any} said */
  told(said) {
    const asked = this.asked.get(said.id);
    switch (said.type) {
      case "head": {
        const { status, kind, isForSlow } = said;
        const stream = new ReadableStream({
          start: (controller) => {
            if (asked) asked.controller = controller;
          },
        });
        asked?.resolve({ status, kind, isForSlow, stream });
        break;
      }
      case "part":
        asked?.controller?.enqueue(said.bytes);
        break;
      case "end":
        this.end(said.id, said.error && new Error(said.error));
        break;
      case "changes":
        this.crew.changed(this, said.changes);
        break;
      case "errands":
        for (const errand of said.errands) this.crew.send(errand);
        break;
      case "at":
        this.crew.quick.worker.postMessage(said);
        break;
      case "ended":
        this.busy -= 1;
        this.crew.ended(this, said);
        break;
      case "died":
        this.died(said.error);
        break;
    }
  }

  /**
   * A bug: the worker ends, and what it was asked fails.
   *
   * @param {string} why
   */
  died(why) {
    this.worker.terminate();
    for (const id of [...this.asked.keys()]) this.end(id, new Error(why));
    this.crew.lost(this, why);
  }
}

export class Crew {
  /**
   * @param {WebAssembly.Module} module
   * @param {string} source The address of the workers' script
   * @param {Files} files
   */
  constructor(module, source, files) {
    this.module = module;
    this.source = source;
    this.files = files;
    /** @type {Hand[]} */
    this.slow = [];
    /**
     * The workers of training runs by the name of the run.
     *
     * @type {Map<string, Hand>}
     */
    this.runs = new Map();
    /**
     * What a worker works on.
     *
     * @type {Map<Hand, string>}
     */
    this.errands = new Map();
    this.quick = new Hand(this, false);
  }

  /** A worker for slow work: an idle one, a new one, or the one with the least to do. */
  forSlow() {
    const idle = this.slow.find((hand) => hand.busy === 0);
    if (idle) return idle;
    if (this.slow.length < Math.min(MOST, Math.max(1, (navigator.hardwareConcurrency ?? 2) - 1))) {
      this.slow.push(new Hand(this, true));
      return this.slow[this.slow.length - 1];
    }
    return this.slow.reduce((one, other) => (other.busy < one.busy ? other : one));
  }

  /**
   * @param {Question} question
   * @param {AbortSignal | null} [signal]
   */
  async ask(question, signal) {
    const answer = await this.quick.ask(question, signal);
    return answer.isForSlow ? this.forSlow().ask(question, signal) : answer;
  }

  /** @param {string} text */
  send(text) {
    /** @type {Errand} */
    const errand = JSON.parse(text);
    if (errand.kind === "stop-analysis") {
      const isIt = (/** @type {Errand} */ { kind, id }) => kind === "analysis" && id === errand.id;
      for (const [hand, own] of [...this.errands])
        if (isIt(JSON.parse(own))) hand.died("the analysis was stopped");
      return;
    }
    if (errand.kind === "stop") {
      this.runs.get(errand.name ?? "")?.worker.postMessage({ type: "stop" });
      return;
    }
    const isRun = errand.kind === "run";
    const hand = isRun ? new Hand(this, true) : this.forSlow();
    if (isRun) this.runs.set(errand.name ?? "", hand);
    this.errands.set(hand, text);
    hand.busy += 1;
    hand.worker.postMessage({ type: "errand", text, errand });
  }

  /**
   * @param {Hand} from
   * @param {FileChange[]} changes
   */
  changed(from, changes) {
    this.files.keep(changes);
    for (const hand of [this.quick, ...this.slow, ...this.runs.values()]) {
      if (hand !== from) hand.worker.postMessage({ type: "files", changes });
    }
  }

  /**
   * @param {Hand} hand
   * @param {{ text: string; error: string | null }} said
   */
  ended(hand, { text, error }) {
    this.errands.delete(hand);
    this.quick.worker.postMessage({ type: "ended", text, error });
    for (const [name, own] of this.runs) {
      if (own !== hand) continue;
      this.runs.delete(name);
      hand.worker.terminate();
    }
  }

  /**
   * @param {Hand} hand
   * @param {string} why
   */
  lost(hand, why) {
    const text = this.errands.get(hand);
    if (hand === this.quick) {
      this.quick = new Hand(this, false);
      return;
    }
    this.slow = this.slow.filter((one) => one !== hand);
    if (text) this.ended(hand, { text, error: why });
  }
}
