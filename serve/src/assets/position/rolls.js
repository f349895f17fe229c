// @ts-check
// The 21 rolls of a position: how good each one is, and its best play.
import { post } from "../common/api.js";
import { attempt, byId, el, hasMoved, loading } from "../common/dom.js";
import { signed } from "../common/format.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { START } from "../board/position.js";
import { readXgid } from "./xgid.js";

/**
 * How a roll compares with the others: -1 the worst to 1 the best. Small luck is seen, too.
 *
 * @param {number} luck
 * @param {number} most
 */
const warmth = (luck, most) =>
  Math.sign(luck) * Math.min(1, Math.abs(luck) / Math.max(most, 1e-9)) ** 0.6;

/**
 * Whether the rolls of a position are those of an opening.
 *
 * @param {readonly number[]} board
 */
export const isOpening = (board) => board.every((n, i) => n === START[i]);

/** How much colour the best or worst roll has, in per cent. */
const DEEP = 70;

/**
 * How deep a colour is, in a style.
 *
 * @param {number} warm
 */
const depthOf = (warm) => `${Math.round(Math.abs(warm) * DEEP)}%`;

/**
 * What the colours of the rolls mean: the deepest ones that are there.
 *
 * @param {number[]} warmths
 */
const rollKey = (warmths) =>
  el(
    "p",
    { class: "small roll-key" },
    Object.entries({ better: Math.max(...warmths), average: 0, worse: Math.min(...warmths) }).map(
      ([key, warm]) => {
        const swatch = el("i", {});
        swatch.style.setProperty("--warm", depthOf(warm));
        return el("span", { class: key }, swatch, t(`position.key.${key}`));
      },
    ),
  );

/**
 * The best play of a roll in words.
 *
 * @param {{ play: string }} one
 */
const playWords = ({ play }) => (play.startsWith("(") ? t("analyse.cannotMove") : play);

/** Whether a roll of the table has been chosen: its plays will stand above the table. */
let isRolled = false;

/**
 * The rolls as buttons in a triangle.
 *
 * @param {any} answer
 * @param {(roll: any) => void} look
 * @param {(dice: string) => void} roll
 * @param {number} most The greatest luck of a roll
 * @param {boolean} opens
 */
function cellsOf(answer, look, roll, most, opens) {
  const of = new Map(answer.rolls.map((/** @type {any} */ one) => [one.dice, one]));
  const cells = [];
  /**
   * The roll that the mouse points at.
   *
   * @type {any}
   */
  let pointed = null;
  for (let low = 1; low <= 6; low += 1) {
    for (let high = 1; high <= 6; high += 1) {
      const one = high >= low ? of.get(`${high}${low}`) : null;
      if (!one) {
        cells.push(el("span", { class: "no-roll", "aria-hidden": "true" }));
        continue;
      }
      const warm = warmth(one.luck, most);
      const cell = el(
        "button",
        {
          type: "button",
          class: `roll ${warm > 0 ? "good" : "bad"}`,
          "data-roll": one.dice,
          title: `${one.dice}: ${playWords(one)}`,
          "aria-label": t(opens ? "position.openingLabel" : "position.rollLabel", {
            dice: one.dice,
            play: playWords(one),
            equity: signed(one.equity, 2),
            luck: signed(one.luck, 2),
          }),
          onmousemove: (/** @type {MouseEvent} */ event) => {
            if (hasMoved(event) && pointed !== one) look((pointed = one));
          },
          onmouseleave: () => look((pointed = null)),
          onfocus: () => look(one),
          onblur: () => look(null),
          onclick: () => {
            isRolled = true;
            roll(one.dice);
          },
        },
        el("b", {}, one.dice),
        " ",
        el("small", {}, opens ? playWords(one) : signed(one.equity, 2)),
      );
      cell.style.setProperty("--warm", depthOf(warm));
      cells.push(cell);
    }
  }
  return cells;
}

/**
 * The 21 rolls as a triangle; looking at one shows its best play on the board, a click rolls it.
 * Those of an opening name their best plays, which people learn by heart.
 *
 * @param {any} answer
 * @param {(roll: any) => void} look
 * @param {(dice: string) => void} roll
 * @param {{ ply: number; ask: () => void } | null} deeper A greater depth, and what searches the
 *   rolls so deep
 * @param {number | null} taken The value of the cube, if a double is on the table: the rolls follow
 *   a take
 */
export function rollsPart(answer, look, roll, deeper = null, taken = null, opens = false) {
  const most = Math.max(...answer.rolls.map((/** @type {any} */ one) => Math.abs(one.luck)));
  const [best, worst] = [answer.rolls[0], answer.rolls.at(-1)];
  return el(
    "div",
    {},
    el(
      "h2",
      {},
      t(opens ? "position.openings" : "position.rolls"),
      " ",
      el("span", { class: "tag" }, term(t("common.ply", { n: answer.plies }), "ply")),
    ),
    el(
      "div",
      { class: opens ? "triangle with-plays" : "triangle" },
      cellsOf(answer, look, roll, most, opens),
    ),
    rollKey(answer.rolls.map((/** @type {any} */ one) => warmth(one.luck, most))),
    taken ? el("p", { class: "small" }, t("position.rolls.taken", { value: taken })) : null,
    el(
      "p",
      { class: "small", id: "roll-said" },
      opens
        ? t("position.openings.how")
        : t("position.rollsSaid", {
            n: answer.plies,
            equity: signed(answer.equity),
            best: `${best.dice} (${playWords(best)})`,
            worst: `${worst.dice} (${playWords(worst)})`,
          }),
    ),
    opens
      ? el(
          "p",
          { class: "tools" },
          el("a", { class: "button", href: "/practise?ask=openings" }, t("position.openings.ask")),
        )
      : null,
    deeper
      ? el(
          "p",
          { class: "small" },
          t("position.rolls.shallow", { n: answer.plies }),
          " ",
          el(
            "button",
            { type: "button", class: "link", "data-deeper": "", onclick: deeper.ask },
            t("position.rolls.deeper", { n: deeper.ply }),
          ),
        )
      : null,
  );
}

/**
 * Shows the plays, and moves to them if a roll of the table asked for them.
 *
 * @param {HTMLElement} main
 */
export function showPlays(main) {
  byId("plays").replaceChildren(main);
  if (isRolled) {
    const back = () => byId("rolls").scrollIntoView();
    byId("plays")
      .querySelector("h2")
      ?.after(
        el(
          "p",
          { class: "small" },
          el("button", { type: "button", class: "link", onclick: back }, t("position.toRolls")),
        ),
      );
    byId("plays").scrollIntoView();
  }
  isRolled = false;
}

/** The greatest depth of the rolls: 3-ply takes several times as long, and says nearly the same. */
const ROLLS_PLY = 2;

/**
 * Asks for the 21 rolls at 1-ply, which are there at once, and then deeper.
 *
 * @param {HTMLElement} place
 * @param {{ id: string; net: string | undefined }} asked
 * @param {{
 *   isOn: () => boolean;
 *   taken: number | null;
 *   deepest: number;
 *   dice: string;
 *   look: (roll: any) => void;
 *   roll: (dice: string) => void;
 * }} given
 *   `isOn`: whether the position is still asked about; `deepest`: the depth of the other answers;
 *   `dice`: the roll that is chosen
 */
export async function showRolls(place, asked, given) {
  const { isOn, taken, deepest, dice, look, roll } = given;
  const ply = Math.min(deepest, ROLLS_PLY);
  const opens = isOpening(readXgid(asked.id)?.board ?? []) && taken === null;
  /** @type {any} */
  let shown = null;
  const goDeeper = async () => {
    if (!isOn()) return;
    place.querySelector("[data-deeper]")?.replaceWith(loading(t("position.rolls.working")));
    try {
      draw(await post("/rolls", { ...asked, ply }));
    } catch (error) {
      draw(shown);
      throw error;
    }
  };
  const draw = (/** @type {any} */ answer) => {
    if (!isOn()) return;
    shown = answer;
    const focused = /** @type {HTMLElement | null} */ (
      place.contains(document.activeElement) ? document.activeElement : null
    )?.dataset.roll;
    place.replaceChildren(
      rollsPart(
        answer,
        look,
        roll,
        answer.plies < ply ? { ply, ask: () => attempt(goDeeper) } : null,
        taken,
        opens,
      ),
    );
    if (focused)
      /** @type {HTMLElement | null} */ (place.querySelector(`[data-roll="${focused}"]`))?.focus({
        preventScroll: true,
      });
    for (const cell of /** @type {NodeListOf<HTMLElement>} */ (
      place.querySelectorAll("[data-roll]")
    ))
      cell.setAttribute(
        "aria-pressed",
        `${dice.split("").sort().reverse().join("") === cell.dataset.roll}`,
      );
  };
  draw(await post("/rolls", { ...asked, ply: 1 }));
  // What takes too long is offered again.
  if (ply > 1) goDeeper().catch(() => {});
}

/**
 * Says what a roll is worth that is looked at, and else what all say.
 *
 * @param {any} roll
 */
export function saidRoll(roll) {
  const place = byId("roll-said");
  place.dataset.all ??= place.textContent ?? "";
  place.textContent = roll
    ? t("position.rollWords", {
        dice: roll.dice,
        play: playWords(roll),
        equity: signed(roll.equity),
        luck: signed(roll.luck),
      })
    : place.dataset.all;
}
