// @ts-check
// A round of practice: what is done in it, and the cards that come again. It survives a reload.

/**
 * Questions with more new ones: what comes again stands at the end.
 *
 * @param {any[]} ahead The first one is asked
 * @param {any[]} more
 */
export function withNew([now, ...later], more) {
  return [
    ...(now ? [now] : []),
    ...later.filter(({ again }) => !again),
    ...more,
    ...later.filter(({ again }) => again),
  ];
}

/** Where the browser keeps the round, with the cards that come again in it. */
const KEY = "nonet-practise-again";

/**
 * The player who has practised here last.
 *
 * @returns {string | undefined}
 */
export function lastPlayer() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}").player;
  } catch {
    return undefined; // Not ours, or cut short.
  }
}

/** How often a round asks a card that is answered wrong. */
const TRIES = 3;

/**
 * Whether a round does not ask a card once more, whatever is answered.
 *
 * @param {any} card
 */
export const isLastTry = ({ tries = 0 }) => tries + 1 >= TRIES;

/** A round ends with its day; its wrong cards still come again. */
const today = () => new Date().toDateString();

/**
 * Nothing is done yet: first answers and answers to cards wrong before, each with the right ones,
 * and skipped cards.
 */
export const NOTHING = Object.freeze({ answers: 0, right: 0, again: 0, rightAgain: 0, skipped: 0 });

/** A round: its counts so far, and the cards that are still to be asked. */
export class Round {
  constructor() {
    this.done = { ...NOTHING };
    /**
     * The cards of a round that was left for another way.
     *
     * @type {{ ahead: any[]; total: number; passed: number } | null}
     */
    this.left = null;
    /**
     * The cards with a wrong answer, and no right one since: they come again.
     *
     * @type {Map<string, any>}
     */
    this.wrong = new Map();
  }

  /**
   * Begins anew; the cards that come again stay.
   *
   * @param {string} player
   * @returns {Round["done"]} Counts so far
   */
  begin(player) {
    const { done } = this;
    this.done = { ...NOTHING };
    this.keep(player);
    return done;
  }

  /**
   * @param {string} player
   * @param {any} card
   * @param {boolean} right
   * @param {boolean} isLast Whether the round does not ask it again
   */
  answer(player, card, right, isLast = false) {
    const [all, good] = this.wrong.has(card.xgid)
      ? /** @type {const} */ (["again", "rightAgain"])
      : /** @type {const} */ (["answers", "right"]);
    this.done[all] += 1;
    this.done[good] += right ? 1 : 0;
    // A new position that was answered wrong is a card now.
    if (right || isLast) this.wrong.delete(card.xgid);
    else this.wrong.set(card.xgid, { ...card, fresh: false, ...(card.tries ? { tries: 0 } : {}) });
    this.keep(player);
  }

  /** @param {string} player */
  skip(player) {
    this.done.skipped += 1;
    this.keep(player);
  }

  /** @param {string} player */
  keep(player) {
    try {
      localStorage.setItem(
        KEY,
        JSON.stringify({ player, day: today(), done: this.done, cards: [...this.wrong.values()] }),
      );
    } catch {
      /* A browser that keeps nothing: the cards stay for this page. */
    }
  }

  /**
   * Takes the round that was left.
   *
   * @param {string} player
   * @param {any[]} due Cards, which are asked anyway
   */
  take(player, due) {
    Object.assign(this, new Round());
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
      if (kept.player !== player) return;
      if (kept.day === today()) Object.assign(this.done, kept.done);
      const isDue = (/** @type {any} */ card) => due.some(({ xgid }) => xgid === card.xgid);
      for (const card of kept.cards ?? []) if (!isDue(card)) this.wrong.set(card.xgid, card);
    } catch {
      /* Not ours, or cut short. */
    }
  }
}
