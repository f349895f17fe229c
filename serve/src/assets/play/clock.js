// @ts-check
// A Bronstein clock: each turn has seconds of its own; what is needed beyond them comes from a
// reserve. It runs for the person alone.
import { say } from "../common/dom.js";
import { keepText } from "../common/own.js";
import { t } from "../common/words.js";

/**
 * Seconds of a turn, and of the reserve for each point of the match.
 *
 * @type {Record<string, [number, number]>}
 */
const KINDS = { slow: [25, 180], normal: [12, 120], fast: [8, 60] };
/** All games for money together have the reserve of a match to this number of points. */
const MONEY = 3;
export const CLOCKS = ["none", ...Object.keys(KINDS)];
const key = (/** @type {string} */ id) => `nonet-clock-${id}`;

/**
 * The times of a clock, in milliseconds.
 *
 * @typedef {{ delay: number; reserve: number }} Clock
 */

/**
 * A kind of clock in words: minutes for each point of a match, or for all games for money.
 *
 * @param {string} kind
 * @param {number} length
 */
export function clockWords(kind, length) {
  const name = t(`play.clock.${kind}`);
  if (!(kind in KINDS)) return name;
  const [turn, seconds] = KINDS[kind];
  const reserve = seconds / 60;
  return length
    ? t("play.clock.match", { name, turn, reserve })
    : t("play.clock.money", { name, turn, reserve: MONEY * reserve });
}

/**
 * Gives a new match a clock.
 *
 * @param {string} id
 * @param {string} kind
 * @param {number} length
 */
export function setClock(id, kind, length) {
  const found = KINDS[kind];
  if (!found) return;
  keepText(
    key(id),
    JSON.stringify({ delay: 1000 * found[0], reserve: 1000 * found[1] * (length || MONEY) }),
  );
}

/**
 * Gives a new match the kind of clock that an earlier one had.
 *
 * @param {string} id
 * @param {string} earlier
 * @param {number} length
 */
export function setSameClock(id, earlier, length) {
  const delay = clockOf(earlier)?.delay;
  const kind = Object.keys(KINDS).find((one) => 1000 * KINDS[one][0] === delay);
  if (kind) setClock(id, kind, length);
}

/**
 * The clock of a match, or none.
 *
 * @param {string} id
 * @returns {Clock | null}
 */
export function clockOf(id) {
  try {
    const found = JSON.parse(localStorage.getItem(key(id)) ?? "null");
    return Number.isFinite(found?.delay) && Number.isFinite(found?.reserve) ? found : null;
  } catch {
    return null;
  }
}

/**
 * What is left after `spent` milliseconds of a turn: of the turn, and of the reserve.
 *
 * @param {Clock} clock
 * @param {number} spent
 */
export function left({ delay, reserve }, spent) {
  return {
    turn: Math.max(0, delay - spent),
    reserve: Math.max(0, reserve - Math.max(0, spent - delay)),
  };
}

/**
 * Minutes and seconds.
 *
 * @param {number} ms
 */
export function minutes(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
}

/** Milliseconds until a busy game is looked at again. */
const PAUSE = 50;

/**
 * The clock has run down: the game is given up, for as much as the opponent takes.
 *
 * @param {import("./game.js").Game} game
 */
export async function timeOver(game) {
  const { view } = game;
  // A checker may still slide, or the tutor judge. A decision that was made in time counts.
  while (game.busy && game.view === view) {
    game.motion.hurry();
    await new Promise((done) => {
      setTimeout(done, PAUSE);
    });
  }
  if (game.view !== view) return;
  say(t("play.timeOver"));
  for (const stake of ["single", "gammon", "backgammon"]) {
    if (game.busy || !game.view || ["next-game", "over"].includes(game.view.turn)) return;
    if (game.view.turn === "answer") return void game.act({ action: "pass" }, true);
    await game.act({ action: "resign", stake });
  }
}

/** Runs while the person decides. */
export class Ticking {
  /**
   * @param {string} id
   * @param {(left: { turn: number; reserve: number }) => void} show
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
    keepText(key(this.id), JSON.stringify(this.clock));
    this.show({ turn: this.clock.delay, reserve: this.clock.reserve });
  }
}
