// @ts-check
// A part of a decision that a button asks for, such as its explanation. The same button stops the
// question, and closes the answer.
import { Refused, events, postWhenFree } from "../common/api.js";
import { attempt, el, empty, loading, sentence } from "../common/dom.js";
import { decimal } from "../common/format.js";
import { t } from "../common/words.js";
import { lossWithHalf } from "./decision-view.js";
import { isToOne, lettersOf } from "./decisions.js";
import { deeperNote, scoresPart, scoresTitle, withBest } from "./scores-view.js";
import { GAMES, strengthsPart } from "./strengths.js";
import { whyCubePart, whyPart } from "./why-view.js";

/** @typedef {import("./decisions.js").Entry} Entry */

/** The status of an answer that took too long. */
const LATE = 504;

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
    /** The decision on the page. @type {Entry | null} */
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

/**
 * A part that was asked for, and what differs between it and a verdict. @typedef {{ part:
 * HTMLElement, note: (judged: import("./verdicts.js").Judged) => HTMLElement | null }} Asked
 */

/** The parts that were asked about decisions, which the exported page has, too. */
export class AskedParts {
  constructor() {
    /** @type {Map<string, Map<string, Asked>>} */
    this.all = new Map();
    /** @type {Map<string, import("./decisions.js").Letters>} */
    this.letters = new Map();
  }

  /**
   * The letters of the plays of a decision, one set for all its parts.
   *
   * @param {string} key
   * @param {import("./decisions.js").Decision} decision
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

/**
 * The best play of a verdict; a rollout that leaves the verdict open may name it.
 *
 * @param {import("./verdicts.js").Judged} judged
 */
const namedBy = ({
  analysed: {
    decision: { plays },
  },
  leads,
}) => leads ?? plays?.[0].play;

/**
 * The plays that an explanation compares: the best one of a verdict, and the one that was made.
 * Where that is the best one, or without a verdict, the server takes the best other one of its
 * search.
 *
 * @param {string | undefined} played
 * @param {import("./verdicts.js").Judged | null} judged
 * @returns {{ better?: string; instead?: string }}
 */
export function pairOf(played, judged) {
  const best = judged ? namedBy(judged) : undefined;
  return { better: best === played ? undefined : best, instead: played };
}

/**
 * Whether an explanation would now compare other plays.
 *
 * @param {HTMLElement} part
 * @param {import("./decisions.js").Decision} decision
 * @param {import("./verdicts.js").Judged} judged
 */
export function comparesOther({ dataset: { better, instead } }, { decision: { played } }, judged) {
  const now = pairOf(played, judged);
  return better !== undefined && ((now.better ?? "") !== better || (now.instead ?? "") !== instead);
}

/**
 * Asks why: about the best play and the one that was made, else about the best and the second; or
 * about a cube decision. The part names the plays that it was asked about, and its depth.
 *
 * @param {import("./decisions.js").Decision} decision
 * @param {number} ply
 * @param {AbortSignal} signal
 * @param {import("./verdicts.js").Judged | null} judged What a verdict beside it says
 * @param {string} [net] By default the champion
 */
export async function askWhy(
  { xgid: id, decision: { dice, played, plays } },
  ply,
  signal,
  judged = null,
  net = undefined,
) {
  const pair = pairOf(played, judged);
  const part = plays
    ? whyPart(
        await postWhenFree("/why", { id, dice, ...pair, ply, net }, { signal }),
        judged ? namedBy(judged) : undefined,
      )
    : whyCubePart(await postWhenFree("/why/cube", { id, ply, net }, { signal }));
  if (plays) [part.dataset.better, part.dataset.instead] = [pair.better ?? "", pair.instead ?? ""];
  part.dataset.plies = `${ply}`;
  return part;
}

/**
 * An explanation as one of the parts that were asked for. It says where its figures are not those
 * of the verdict, and what each of them finds that the play lost.
 *
 * @param {HTMLElement} part
 * @returns {Asked}
 */
export const explained = (part) => ({
  part,
  note: ({ plies, analysed }) => {
    const { plies: own, loss, instead } = part.dataset;
    const isSaid = part.querySelector("[data-reversed]") !== null;
    if (isSaid || (plies !== null && plies <= Number(own))) return null;
    const {
      decision: { played, plays },
    } = analysed;
    const isOfPlayed =
      loss !== undefined && instead === played && plays?.[0].play !== played && !isToOne(analysed);
    return el(
      "p",
      { class: "differs" },
      isOfPlayed
        ? t("analyse.ofSearch.loss", {
            n: own ?? "",
            loss: decimal(Number(loss), 3),
            verdict: lossWithHalf(analysed).slice(1),
          })
        : t("analyse.ofSearch", { n: own ?? "" }),
    );
  },
});

/**
 * The greatest depth of a matrix. A slower answer is asked for at 1-ply: the server ends unwanted
 * work.
 */
const [DEEPEST, PATIENCE] = [2, 25_000];
/**
 * Asks for a matrix with the best play of the answer above it. Where the matrix prefers another
 * play at its score, it tells the loss of that best one, too.
 *
 * @param {any} question
 * @param {string | undefined} best None of a cube decision
 * @param {number} ply
 * @param {AbortSignal} signal
 * @param {(words: string) => void} tell Is called where the depth changes
 */
export async function askMatrix(question, best, ply, signal, tell) {
  const asked = { play: best, ...question };
  const matrix = await matrixAt(asked, ply, signal, tell);
  const here = matrix.cells.find(({ given }) => given)?.play?.letter;
  const isBest = matrix.plays.find(({ letter }) => letter === here)?.play === best;
  if (!best || isBest || asked.play === best) return matrix;
  const other = await postWhenFree(
    "/scores",
    { ...asked, play: best, ply: matrix.plies },
    { signal },
  );
  return withBest(matrix, other, best);
}

/**
 * Asks for a matrix, at a lower depth where the server is slow.
 *
 * @param {any} question
 * @param {number} ply
 * @param {AbortSignal} signal
 * @param {(words: string) => void} tell
 * @returns {Promise<import("./scores-view.js").Matrix>}
 */
async function matrixAt(question, ply, signal, tell) {
  const own = new AbortController();
  const end = () => own.abort();
  signal.addEventListener("abort", end);
  const depth = Math.min(ply, DEEPEST);
  const timer = depth > 1 ? setTimeout(end, PATIENCE) : 0;
  try {
    return await postWhenFree("/scores", { ...question, ply: depth }, { signal: own.signal });
  } catch (error) {
    const isLate = own.signal.aborted || (error instanceof Refused && error.status === LATE);
    if (signal.aborted || depth === 1 || !isLate) throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
  tell(t("scores.working.less"));
  return { ...(await postWhenFree("/scores", { ...question, ply: 1 }, { signal })), late: true };
}

/**
 * Asks for a decision at all scores; for a play with the one that was made, and with the best one
 * of the verdict.
 *
 * @param {import("./decisions.js").Decision} decision
 * @param {import("./verdicts.js").Judged} judged
 * @param {{ ply: number; net?: string }} how
 * @param {AbortSignal} signal
 * @param {(play: { play: string; after: string } | null) => void} look
 * @param {import("./decisions.js").Letters} letters
 * @param {(part: HTMLElement) => void} show
 * @returns {Promise<Asked>}
 */
export async function askScores(
  { xgid: id, decision: { dice, played, plays } },
  judged,
  { ply, net },
  signal,
  look,
  letters,
  show,
) {
  const matrix = await askMatrix(
    { id, net, ...(plays ? { dice, ...(played ? { play: played } : {}) } : {}) },
    plays ? namedBy(judged) : undefined,
    ply,
    signal,
    (words) => show(loading(words)),
  );
  const part = scoresPart(matrix, look, letters, true);
  part.prepend(el("h3", {}, scoresTitle(matrix.plies)));
  return {
    part,
    note: (now) => {
      const {
        plies,
        analysed: { decision: what },
      } = now;
      return deeperNote(
        matrix,
        what.plays
          ? { plies, equity: what.plays[0].equity, play: namedBy(now) }
          : { plies, equity: what.no_double ?? null, cube: what.right },
      );
    },
  };
}

/**
 * Asks for a decision by how well both sides play; `show` draws it as it grows.
 *
 * @param {{ id: string; cube: boolean; dice?: string; also?: string; net?: string }} question
 * @param {AbortSignal} signal
 * @param {(part: HTMLElement) => void} show
 * @param {import("./decisions.js").Letters} letters
 * @returns {Promise<Asked>}
 */
export async function askStrengths({ id, cube, dice, also, net }, signal, show, letters) {
  let part = el("div", {});
  await events(
    "/strengths",
    { id, cube, dice, also, net },
    (table) => show((part = strengthsPart(table, GAMES, letters))),
    signal,
  );
  return { part, note: () => null };
}
