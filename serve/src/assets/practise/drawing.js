// @ts-check
// A round of practice: the player of its cards, what is done in it, which survives a reload; and new
// positions that are drawn for it, with a button that stops it.
import { isYou, personNames, shownName } from "../analyse/board-view.js";
import { practiseOffers } from "../analyse/practise-buttons.js";
import { events, get } from "../common/api.js";
import { attempt, byId, el, empty, loading } from "../common/dom.js";
import { KEPT, keepOwn, ownOf } from "../common/own.js";
import { t } from "../common/words.js";
import { START } from "../board/position.js";

/** The most new positions that wait for an answer. */
const WAITING = 100;

export class Drawing {
  /**
   * @param {HTMLElement} place
   * @param {string} words The key of what is drawn
   */
  constructor(place, words) {
    this.place = place;
    this.words = words;
    /** @type {AbortController | null} */
    this.cancel = null;
    /** Whether somebody waits for what is drawn. */
    this.isSeen = false;
    /** Is done when nothing is drawn any more. @type {Promise<boolean>} */
    this.ended = Promise.resolve(true);
  }

  /**
   * Draws, as `draw` says.
   *
   * @param {string} path
   * @param {unknown} question
   * @param {boolean} isQuiet
   */
  begin(path, question, isQuiet = false) {
    const done = this.draw(path, question, isQuiet);
    this.ended = done.catch(() => false);
    return done;
  }

  /**
   * Draws; what is drawn already is stopped.
   *
   * @param {string} path
   * @param {unknown} question
   * @param {boolean} isQuiet Shows nothing
   * @returns {Promise<boolean>} Whether it went on to its end
   */
  async draw(path, question, isQuiet) {
    this.cancel?.abort();
    const own = new AbortController();
    [this.cancel, this.isSeen] = [own, !isQuiet];
    const bar = el("progress", { "aria-label": t(this.words) });
    const words = el("p", {}, t(this.words));
    const stop = el("button", { type: "button", onclick: () => own.abort() }, t("practise.stop"));
    this.place.replaceChildren(...(isQuiet ? [] : [words, bar, el("p", { class: "tools" }, stop)]));
    if (!isQuiet) this.place.scrollIntoView({ block: "nearest" });
    let [isDone, found] = [false, 0];
    try {
      await events(
        path,
        question,
        ({ drawn, wanted }, name) => {
          [bar.max, bar.value, found] = [wanted, drawn, drawn];
          words.textContent = t(`${this.words}.at`, { n: drawn, of: wanted });
          isDone = name === "done";
        },
        own.signal,
      );
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError") throw error;
    } finally {
      if (this.cancel === own) {
        [this.cancel, this.isSeen] = [null, false];
        this.place.replaceChildren(
          ...(isDone && !found && !isQuiet ? [el("p", {}, t("practise.drawing.none"))] : []),
        );
      }
    }
    return isDone;
  }
}

/**
 * Which question of how many this is.
 *
 * @param {string} way
 * @param {{ n: number; of: number; left: number; isAgain: boolean; isDone: boolean }} given
 */
export function showStanding(way, { n, of, left, isAgain, isDone }) {
  byId("count").textContent = t(
    way === "test" ? "practise.test.at" : isAgain ? "practise.at.again" : `practise.at.${way}`,
    { n: isAgain ? left : n, of },
  );
  const bar = byId("progress");
  [bar.max, bar.value, bar.hidden] = [of, n - (isDone ? 0 : 1), isAgain];
  byId("deck").toggleAttribute("data-asks", way === "cards" && !isDone);
}

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

/**
 * Whether at most the opponent has moved.
 *
 * @param {{ board: number[] }} card
 */
export const isOpening = ({ board }) =>
  board.every((n, i) => Math.max(n, 0) === Math.max(START[i], 0));

/**
 * Opening rolls and replies that were not answered yet: those that wait, then new ones.
 *
 * @param {Drawing} drawing
 * @param {() => string} player
 * @param {(due: number, fresh: number) => Promise<any>} fetchCards
 * @param {number} count
 */
export async function drawOpenings(drawing, player, fetchCards, count) {
  const waiting = async () => (await fetchCards(0, WAITING)).new.filter(isOpening).slice(0, count);
  const found = await waiting();
  keepOwn("decks", player());
  if (found.length === count) return found;
  await drawing.begin("/practice/positions", {
    player: player(),
    count: count - found.length,
    from: "openings",
  });
  return waiting();
}

/**
 * Cards as new positions.
 *
 * @param {any[]} cards
 */
export const fresh = (cards) => cards.map((card) => ({ ...card, fresh: true }));

/**
 * A key presses the button that names it; a play that is typed is an answer.
 *
 * @param {(answer: string) => void} reply
 */
export function listenToKeys(reply) {
  byId("typed").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    reply(byId("typed-play").value.trim());
  });
  addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, dialog"))
      return;
    const found = /** @type {HTMLButtonElement | null} */ (
      document.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key.toLowerCase())}"]`)
    );
    if (found && !found.disabled) found.click();
  });
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

/** What a browser keeps once a match was played, analysed or practised in it. */
const USED = ["nonet-match", "nonet-own-matches", "nonet-own-analyses", ...Object.values(KEPT)];

/**
 * The players with cards of the person, the surest one first; none at a first visit.
 *
 * @param {string[]} players
 */
export function ownPlayers(players) {
  const names = [
    ...(USED.some((key) => localStorage.getItem(key) !== null) ? personNames() : []),
    lastPlayer() ?? "",
  ];
  const known = names
    .map((name) => players.find((one) => one.toLowerCase() === name.toLowerCase()))
    .filter((one) => one !== undefined);
  return [
    ...new Set([
      ...known,
      ...ownOf(
        "decks",
        players.map((id) => ({ id })),
        false,
      ).map(({ id }) => id),
    ]),
  ];
}

/**
 * Others with the name that a person begins with: they may be the person in another browser.
 *
 * @param {string[]} players
 */
export const namesake = (players) =>
  players.find(
    (one) =>
      personNames()[0].toLowerCase() === one.toLowerCase() && !ownPlayers(players).includes(one),
  );

/**
 * The name that a person without cards begins with: nothing if others have cards of that name.
 *
 * @param {string[]} players
 */
export const newName = (players) => (namesake(players) === undefined ? personNames()[0] : "");

/**
 * What a deck without a name wants: a name, or the cards of the namesake.
 *
 * @param {string[]} players
 */
export const nameless = (players) =>
  t(namesake(players) === undefined ? "practise.name.missing" : "practise.name.missing.or", {
    adopt: t("practise.adopt"),
  });

/**
 * The name of a player with cards of another person.
 *
 * @param {string} player
 */
export const otherName = (player) => (isYou(player) ? t("practise.nameless") : player);

/**
 * The players with cards of other people, each a click away; nothing without one.
 *
 * @param {string[]} others
 */
export function othersLine(others) {
  const links = others
    .map((name, i) => [
      i ? ", " : " ",
      el("a", { href: `/practise?player=${encodeURIComponent(name)}` }, otherName(name)),
    ])
    .flat();
  return others.length ? el("p", { class: "small" }, t("practise.others"), links) : null;
}

/**
 * A button for whoever says that the cards of a player are theirs.
 *
 * @param {string} player
 * @param {(player: string) => void} adopt
 */
const adoptButton = (player, adopt) =>
  el("button", { type: "button", onclick: () => adopt(player) }, t("practise.adopt"));

/**
 * The cards of another person to a guest, who is asked nothing: an answer would change them.
 *
 * @param {string} player
 * @param {(player: string) => void} adopt
 */
export const guestPart = (player, adopt) => [
  el("h2", {}, t("practise.cardsOf", { player: otherName(player) })),
  el("p", {}, t("practise.guest")),
  el(
    "p",
    { class: "tools" },
    el("a", { class: "button main", href: "/practise" }, t("practise.asSelf")),
    adoptButton(player, adopt),
  ),
];

/**
 * @param {string} text
 * @param {() => Promise<any>} act
 * @param {boolean} isMain
 */
export const button = (text, act, isMain = false) =>
  el("button", { type: "button", class: isMain ? "main" : "", onclick: () => attempt(act) }, text);

/** The way to the opening rolls and their best plays. */
const openingsLink = () => el("a", { class: "button", href: "/position" }, t("position.openings"));

/**
 * Without cards: a match, new positions or a test, and the own analyses with mistakes that cards
 * can be made of.
 *
 * @param {any[]} analyses
 * @param {HTMLElement[]} begin The buttons for new positions, a test and openings
 * @param {HTMLElement} name The place where the person says how their cards are called
 * @param {string[]} others The players with cards
 */
export function firstPart(analyses, begin, name, others) {
  const offers = practiseOffers(analyses);
  begin[0].classList.toggle("main", !offers.length);
  const links = el(
    "p",
    { class: "tools" },
    el("a", { class: "button", href: "/analyse" }, t("practise.analyse")),
    el("a", { class: "button", href: "/" }, t("practise.play")),
    openingsLink(),
  );
  const own = empty(t(offers.length ? "practise.offer" : "practise.none"), ...offers, links);
  const fresh = [el("p", {}, t("practise.first")), el("p", { class: "tools" }, begin), name];
  return [...(offers.length ? [own, ...fresh] : [...fresh, own]), othersLine(others)].filter(
    (part) => part !== null,
  );
}

/**
 * More analyses of a player: their mistakes become cards with one click. They are asked for when
 * the part is opened. One that is there already changes nothing. The opening rolls are a click
 * away.
 *
 * @param {string} player
 * @param {() => void} askOpenings
 */
export function addMatch(player, askOpenings) {
  const place = el("div", {});
  const fill = async () => {
    place.replaceChildren(loading());
    const offers = practiseOffers(await get("/analyses"), player);
    place.replaceChildren(
      ...(offers.length
        ? offers
        : [el("p", { class: "small" }, t("practise.add.none", { player: otherName(player) }))]),
      el(
        "p",
        { class: "tools" },
        el("a", { class: "button", href: "/analyse" }, t("practise.analyse")),
      ),
    );
  };
  const more = el(
    "details",
    {
      ontoggle: (/** @type {Event} */ event) => {
        if (/** @type {HTMLDetailsElement} */ (event.target).open && !place.firstChild)
          attempt(fill);
      },
    },
    el("summary", {}, t("practise.add")),
    place,
  );
  return el(
    "div",
    {},
    more,
    el(
      "p",
      { class: "tools" },
      openingsLink(),
      el("button", { type: "button", onclick: askOpenings }, t("position.openings.ask")),
    ),
  );
}

/**
 * Where a person without cards says how theirs are called: not as those of others. Those of a
 * namesake may be theirs.
 *
 * @param {string} player
 * @param {string[]} players
 * @param {(name: string) => void} call Takes the name, empty if others have it
 * @param {(player: string) => void} adopt
 */
export function nameField(player, players, call, adopt) {
  const field = el("input", {
    id: "own-name",
    maxlength: 40,
    autocomplete: "off",
    value: player && shownName(player),
  });
  field.addEventListener("input", () => {
    const name = field.value.trim();
    const isTaken = players.some((one) =>
      [one, shownName(one)].some((known) => known.toLowerCase() === name.toLowerCase()),
    );
    call(isTaken ? "" : isYou(name) ? "you" : name);
    field.setCustomValidity(isTaken ? t("practise.name.taken") : "");
  });
  const other = namesake(players);
  return el(
    "div",
    {},
    el("label", { class: "small" }, t("practise.name"), " ", field),
    other === undefined
      ? null
      : el(
          "p",
          { class: "tools" },
          el("span", { class: "small" }, t("practise.namesake", { player: otherName(other) })),
          adoptButton(other, adopt),
        ),
  );
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
     * The cards of a round that was left for another way. @type {{ ahead: any[], total: number,
     * passed: number } | null}
     */
    this.left = null;
    /**
     * The cards with a wrong answer, and no right one since: they come again. @type {Map<string,
     * any>}
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
