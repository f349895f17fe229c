// @ts-check
// A Bronstein clock: each turn has seconds of its own; what is needed beyond them comes from a
// reserve. It runs for the person alone.

/**
 * Seconds of a turn, and of the reserve for each point of the match.
 * @type {Record<string, [number, number]>}
 */
const KINDS = { slow: [25, 180], normal: [12, 120], fast: [8, 60] };
export const CLOCKS = ["none", ...Object.keys(KINDS)];
const key = (/** @type {string} */ id) => `nonet-clock-${id}`;

/** @typedef {{ delay: number, reserve: number }} Clock milliseconds */

/** Gives a new match a clock. @param {string} id @param {string} kind @param {number} length */
export function setClock(id, kind, length) {
  const found = KINDS[kind];
  if (!found) return;
  localStorage.setItem(key(id), JSON.stringify({ delay: 1000 * found[0], reserve: 1000 * found[1] * (length || 3) }));
}

/** The clock of a match, or none. @param {string} id @returns {Clock | null} */
export function clockOf(id) {
  try {
    const found = JSON.parse(localStorage.getItem(key(id)) ?? "null");
    return Number.isFinite(found?.delay) && Number.isFinite(found?.reserve) ? found : null;
  } catch {
    return null;
  }
}

/**
 * What is left after so many milliseconds of a turn: of the turn, and of the reserve.
 * @param {Clock} clock
 * @param {number} spent
 */
export function left({ delay, reserve }, spent) {
  return { turn: Math.max(0, delay - spent), reserve: Math.max(0, reserve - Math.max(0, spent - delay)) };
}

/** Minutes and seconds. @param {number} ms */
export function minutes(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
}

/** Runs while the person decides. */
export class Ticking {
  /**
   * @param {string} id
   * @param {(left: { turn: number, reserve: number }) => void} show
   * @param {() => void} over
   */
  constructor(id, show, over) {
    this.id = id;
    this.show = show;
    this.over = over;
    this.clock = clockOf(id);
    /** @type {number | null} */
    this.since = null;
    this.timer = 0;
  }

  /** The person's turn begins. */
  start() {
    if (!this.clock || this.since !== null) return;
    this.since = performance.now();
    this.timer = setInterval(() => this.tick(), 250);
    this.tick();
  }

  tick() {
    if (!this.clock || this.since === null) return;
    const now = left(this.clock, performance.now() - this.since);
    this.show(now);
    if (now.turn === 0 && now.reserve === 0) {
      this.stop();
      this.over();
    }
  }

  /** The person has decided. */
  stop() {
    clearInterval(this.timer);
    if (!this.clock || this.since === null) return;
    this.clock.reserve = left(this.clock, performance.now() - this.since).reserve;
    this.since = null;
    localStorage.setItem(key(this.id), JSON.stringify(this.clock));
    this.show({ turn: this.clock.delay, reserve: this.clock.reserve });
  }
}
