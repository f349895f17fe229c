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

/**
 * A question of a worker, until the worker ends it. `isLeft`: nobody waits for the answer any more.
 *
 * @typedef {{
 *   resolve: (answer: Answer) => void;
 *   reject: (why: Error) => void;
 *   isOfPractice: boolean;
 *   isLeft: boolean;
 *   controller?: ReadableStreamDefaultController<Uint8Array>;
 * }} Asked
 */

/** Workers of slow work at most: each takes some 100 MB. */
const MOST = 4;

/** How many a browser gets: it needs a processor itself. */
const most = () => Math.min(MOST, Math.max(1, (navigator.hardwareConcurrency ?? 2) - 1));

/** @param {Question} question */
const isOfPractice = ({ address }) => address.startsWith("/api/v1/practice");

const cancelled = () => new DOMException("cancelled", "AbortError");

/**
 * @param {AbortSignal | null | undefined} signal
 * @param {() => void} act What is done once it is aborted
 */
function onAbort(signal, act) {
  if (signal?.aborted) act();
  else signal?.addEventListener("abort", act);
}

/**
 * Tells whoever waits that no answer comes.
 *
 * @param {Asked} asked
 * @param {Error} why
 */
function refuse({ reject, controller }, why) {
  if (controller) controller.error(why);
  else reject(why);
}

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
    /** @type {Map<number, Asked>} */
    this.asked = new Map();
    this.worker = new Worker(crew.source);
    this.worker.onmessage = ({ data }) => this.told(data);
    this.worker.onerror = (event) => this.died(event.message);
    this.worker.postMessage({ type: "start", slow, module: crew.module, files: crew.files.all() });
  }

  /** Whether it has a question of practice. */
  get practises() {
    return [...this.asked.values()].some((asked) => asked.isOfPractice);
  }

  /** Whether nobody waits for its work, and it hears of no cancel before that is done. */
  get isLeft() {
    const all = [...this.asked.values()];
    return (
      this.busy === all.length &&
      all.every((asked) => asked.isLeft) &&
      all.some(({ controller }) => !controller)
    );
  }

  /**
   * @param {Question} question
   * @param {AbortSignal} signal
   * @returns {Promise<Answer>}
   */
  ask(question, signal) {
    if (signal.aborted) return Promise.reject(cancelled());
    const id = ++this.number;
    this.busy += 1;
    signal.addEventListener("abort", () => this.leave(id));
    return new Promise((resolve, reject) => {
      const more = { isOfPractice: isOfPractice(question), isLeft: false };
      this.asked.set(id, { resolve, reject, ...more });
      this.worker.postMessage({ type: "ask", id, ...question });
    });
  }

  /**
   * Nobody waits for an answer any more. The worker is busy with it until it says that it is done.
   *
   * @param {number} id
   */
  leave(id) {
    const asked = this.asked.get(id);
    if (!asked) return;
    asked.isLeft = true;
    refuse(asked, cancelled());
    this.worker.postMessage({ type: "cancel", id });
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
    if (asked.isLeft) return;
    if (error) refuse(asked, error);
    else asked.controller?.close();
  }

  /** @param {any} said */
  told(said) {
    const asked = this.asked.get(said.id);
    switch (said.type) {
      case "head": {
        if (!asked || asked.isLeft) break;
        const { status, kind, isForSlow } = said;
        const stream = new ReadableStream({
          start: (controller) => {
            asked.controller = controller;
          },
        });
        asked.resolve({ status, kind, isForSlow, stream });
        break;
      }
      case "part":
        if (!asked?.isLeft) asked?.controller?.enqueue(said.bytes);
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
    // Work that nobody waits for gives its place to other work.
    if (this.slow.length >= most()) this.slow.find((hand) => hand.isLeft)?.died("cancelled");
    if (this.slow.length < most()) {
      this.slow.push(new Hand(this, true));
      return this.slow[this.slow.length - 1];
    }
    // Answers of practice wait for no other work where another worker can do it.
    const others = this.slow.filter((hand) => !hand.practises);
    return (others.length ? others : this.slow).reduce((one, other) =>
      other.busy < one.busy ? other : one,
    );
  }

  /** The worker that writes decks now: two at once would each keep a deck without the other's. */
  get writer() {
    return this.slow.find((hand) => hand.practises);
  }

  /**
   * Answers a question. `signal` ends it. `left` ends an answer that tells how long work stands:
   * whoever has asked is gone.
   *
   * @param {Question} question
   * @param {AbortSignal | null} [signal]
   * @param {AbortSignal} [left]
   */
  async ask(question, signal, left) {
    const own = new AbortController();
    const end = () => own.abort();
    onAbort(signal, end);
    const answer = await this.answerTo(question, own.signal);
    if (answer.kind.startsWith("text/event-stream")) onAbort(left, end);
    return answer;
  }

  /**
   * @param {Question} question
   * @param {AbortSignal} signal
   */
  async answerTo(question, signal) {
    const isOf = isOfPractice(question);
    // Taking up a match changes a deck, too: the quick worker would be a second writer.
    if (isOf && question.method !== "GET" && this.writer) return this.writer.ask(question, signal);
    const answer = await this.quick.ask(question, signal);
    if (!answer.isForSlow) return answer;
    return ((isOf && this.writer) || this.forSlow()).ask(question, signal);
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
