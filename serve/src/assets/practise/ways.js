// @ts-check
// The ways to practise, of which one is used, and the deck as the server has it.
import { shownName } from "../common/players.js";
import { get } from "../common/api.js";
import { attempt, byId, el } from "../common/dom.js";
import { t } from "../common/words.js";
import { deckPart } from "./deck.js";
import { addMatch } from "./offers.js";
import { newName, othersLine, ownPlayers } from "./players.js";
import { progressPart } from "./progress.js";
import { AHEAD, CARDS } from "./session.js";
import { testsPart } from "./test.js";

/**
 * What each way does. `missed` asks the cards that are missed again and again, or one of them.
 *
 * @typedef {{
 *   cards: () => Promise<any>;
 *   fresh: () => Promise<any>;
 *   openings: () => Promise<any>;
 *   missed: (which: string | null) => Promise<any>;
 *   test: () => Promise<any>;
 * }} Acts
 */

export class Ways {
  /**
   * @param {import("./session.js").Session} session
   * @param {Acts} acts
   */
  constructor(session, acts) {
    this.session = session;
    this.acts = acts;
  }

  /** Which words tell where new positions come from: own mistakes, or none yet. */
  ofMatches() {
    return this.session.overview?.matches ? "" : ".first";
  }

  /**
   * The button of a way.
   *
   * @param {import("./session.js").Way} name
   * @param {string} id
   * @param {string} words
   * @param {() => Promise<any>} act
   */
  button(name, id, words, act) {
    const { way } = this.session;
    return el(
      "button",
      {
        type: "button",
        id,
        "aria-pressed": `${(way === "openings" ? "new" : way) === name}`,
        onclick: () => attempt(act),
      },
      words,
    );
  }

  /** Shows the ways and the deck. */
  show() {
    const { session, acts } = this;
    const { way, open, overview, players, player, isGuest } = session;
    // What comes again is asked with the cards, though it is due in a day.
    const due = (overview?.due ?? 0) + session.round.wrong.size;
    byId("ways").replaceChildren(
      this.button("cards", "cards", t("practise.way.cards", { n: due }), async () => {
        if (session.way !== "cards" || !session.ahead.length) await acts.cards();
      }),
      this.button("new", "more", t("practise.way.new"), acts.fresh),
      this.button(
        "test",
        "test",
        open && way !== "test"
          ? t("practise.test.goOn", { n: open.answered, of: open.questions })
          : t("practise.test"),
        acts.test,
      ),
    );
    const what =
      t(`practise.what.${way}${way === "new" ? this.ofMatches() : ""}`) +
      (way === "cards" && due > CARDS ? ` ${t("practise.round", { n: CARDS })}` : "");
    byId("ways").hidden = isGuest;
    const own = ownPlayers(players);
    const others = othersLine(players.filter((name) => name !== player && !own.includes(name)));
    const more = () => [
      ...progressPart(overview, (which) => attempt(() => acts.missed(which))),
      ...testsPart(overview.tests),
      addMatch(player, () => attempt(acts.openings)),
      others,
    ];
    byId("deck").replaceChildren(
      ...(overview
        ? deckPart(overview, isGuest ? "" : what, isGuest ? [] : more(), isGuest)
        : [el("p", {}, what)]),
    );
  }

  /**
   * The cards that are due now, new positions that wait, and the deck in numbers.
   *
   * @param {number} most Due cards
   * @param {number} fresh New positions
   */
  async fetchCards(most = CARDS, fresh = AHEAD) {
    const { session } = this;
    const answer = await get(
      `/practice?cards=${Math.max(most, fresh)}&player=${encodeURIComponent(session.player)}`,
    );
    [answer.cards, answer.new] = [answer.cards.slice(0, most), answer.new.slice(0, fresh)];
    session.open = answer.test;
    session.overview = answer.overview;
    if (session.overview) session.player = session.overview.player;
    session.players = answer.players;
    const own = ownPlayers(session.players);
    const { player } = session;
    session.isGuest = session.overview !== null && !own.includes(player);
    this.show();
    byId("player").replaceChildren(
      ...own.map((name) =>
        el("option", { value: name, selected: name === player }, shownName(name)),
      ),
    );
    byId("player-label").hidden = own.length < 2 || session.isGuest;
    return answer;
  }

  /**
   * Without a choice the cards are the person's own.
   *
   * @returns {Promise<boolean>} Whether there is a player
   */
  async choosePlayer() {
    const { session } = this;
    if (!session.player) {
      ({ players: session.players } = await get("/practice?cards=0"));
      session.player = ownPlayers(session.players)[0] ?? newName(session.players);
    }
    return session.player !== "";
  }
}
