// @ts-check
// The plays of a decision as a table, each with its chances.
import { el } from "../common/dom.js";
import { decimal, percent, signed } from "../common/format.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { chanceOf, isToOne } from "./decision.js";
import { playName } from "./decision-words.js";

/** @typedef {import("./decision.js").Decision} Decision */

/**
 * Chances in a short line.
 *
 * @param {Record<string, number>} chances
 */
export function chancesLine(chances) {
  const p = (/** @type {number} */ value) => decimal(100 * value, 1);
  // A number stays with its word, and a dot with what is before it.
  const whole = (/** @type {string} */ text) => text.replace(/ (?=[\d%·])/g, "\u00a0");
  return el(
    "small",
    { class: "chances" },
    el(
      "span",
      {},
      whole(
        t("analyse.chances.win", {
          win: p(chances.win),
          gammon: p(chances.win_gammon),
          backgammon: p(chances.win_backgammon),
        }),
      ),
    ),
    el(
      "span",
      {},
      whole(
        t("analyse.chances.lose", {
          lose: p(1 - chances.win),
          gammon: p(chances.lose_gammon),
          backgammon: p(chances.lose_backgammon),
        }),
      ),
    ),
  );
}

/**
 * The best play, then the others by their equity, those of a greater depth first: equities of two
 * depths are no ranking. The play that was made may have been searched after the others.
 *
 * @template {{ plies: number; equity?: number }} P
 * @param {readonly P[]} all
 * @returns {P[]}
 */
export function byDepth(all) {
  const [best, ...others] = [...all].sort((a, b) => b.plies - a.plies);
  return best
    ? [best, ...others.sort((a, b) => b.plies - a.plies || (b.equity ?? 0) - (a.equity ?? 0))]
    : [];
}

/**
 * A play and the best one as they are compared: at one depth, where another answer has both at the
 * lower one.
 *
 * @template {{ play: string; plies: number; equity: number }} P
 * @param {P} play
 * @param {P} best
 * @param {Decision | null} other
 * @returns {[P, P]}
 */
export function atOneDepth(play, best, other) {
  if (play.plies === best.plies) return [play, best];
  const find = (/** @type {P} */ { play: name }) =>
    /** @type {P | undefined} */ (
      /** @type {unknown} */ (
        other?.decision.plays?.find((one) => one.play === name && one.plies === play.plies)
      )
    );
  const [one, top] = [find(play), find(best)];
  return one && top ? [one, top] : [play, best];
}

/**
 * The plays, each with its chances in a second line. A line stands before those of a lower depth. A
 * row that is looked at shows its arrows; a click keeps them.
 *
 * @param {Decision} decision
 * @param {(play: import("./decision.js").Play | null, keep: boolean) => void} look
 * @param {boolean} wide Whether there is room for a column of match winning chances
 * @param {Decision | null} other Another answer: it may have two plays at one depth
 */
export function plays(decision, look, wide = false, other = null) {
  const what = decision.decision;
  const all = byDepth(what.plays ?? []);
  const chanceAfter = (/** @type {import("./decision.js").Play} */ play) =>
    play.match_winning_chance ?? chanceOf(decision, play.equity);
  const inMatch = all.some((play) => chanceAfter(play) !== null);
  const toOne = inMatch && isToOne(decision);
  const column = wide && inMatch && !toOne;
  // Only a mouse that moves looks at a play: rows also scroll under one that rests.
  /** @type {import("./decision.js").Play | null} */
  let hovered = null;
  const hover = (/** @type {import("./decision.js").Play | null} */ play) => {
    if (play === hovered) return;
    hovered = play;
    look(play, false);
  };
  const deep = Math.max(...all.map(({ plies }) => plies));
  const row = (
    /** @type {import("./decision.js").Play} */ play,
    /** @type {boolean} */ made,
    /** @type {number} */ i,
    /** @type {HTMLElement} */ name,
    /** @type {any[]} */ cells,
  ) =>
    el(
      "tr",
      {
        class: [made ? "made" : "", i === 0 ? "top" : ""].join(" "),
        onmousemove: () => hover(play),
        onmouseleave: () => hover(null),
        onfocusin: () => look(play, false),
      },
      name,
      cells,
    );
  const rows = all.flatMap((play, i) => {
    const made = play.play === what.played;
    const rule =
      i && play.plies < all[i - 1].plies
        ? [
            el(
              "tr",
              { class: "rule" },
              el("td", { colspan: column ? 4 : 3 }, t("analyse.shallow.rule", { n: play.plies })),
            ),
          ]
        : [];
    const button = el(
      "button",
      { type: "button", class: "play", "aria-pressed": "false", onclick: () => look(play, true) },
      playName(play.play),
    );
    const depth = el(
      "small",
      { class: "plies", title: play.plies < deep ? t("analyse.shallow") : null },
      t("common.ply", { n: play.plies }),
    );
    const chance = inMatch ? (chanceAfter(play) ?? 0) : 0;
    // Of two depths, the difference is about right.
    const [one, best] = atOneDepth(play, all[0], other);
    const isAbout = one.plies !== best.plies;
    const difference = one.equity - best.equity;
    // Of two depths, the lower one may find its play better: that is no loss.
    const isLoss = i > 0 && (one.plies === deep || difference <= 0);
    const lost = isLoss && !isAbout ? "lost" : null;
    const loss = el(
      "span",
      {
        title: isAbout
          ? t("analyse.shallow.loss")
          : one === play
            ? null
            : t("analyse.shallow.same", { n: one.plies }),
      },
      `${isAbout ? "≈ " : ""}${signed(difference)}`,
    );
    const behind =
      inMatch && isLoss
        ? el(
            "small",
            { class: lost },
            percent((chanceAfter(one) ?? 0) - (chanceAfter(best) ?? 0), 1),
          )
        : null;
    const share =
      toOne && behind
        ? el(
            "span",
            { title: loss.title || null },
            `${isAbout ? "≈ " : ""}${behind.textContent ?? ""}`,
          )
        : null;
    const name = el(
      "th",
      { scope: "row" },
      el(
        "span",
        { class: "name" },
        button,
        made ? el("span", { class: "tag" }, t("analyse.played")) : null,
        depth,
      ),
      toOne ? null : chancesLine(play.outcomes),
    );
    if (toOne)
      return [
        ...rule,
        row(play, made, i, name, [el("td", {}, percent(chance)), el("td", { class: lost }, share)]),
      ];
    return [
      ...rule,
      row(play, made, i, name, [
        el(
          "td",
          {},
          signed(play.equity),
          inMatch && !column ? el("small", {}, percent(chance)) : null,
        ),
        el("td", { class: lost }, isLoss ? loss : "", column ? null : behind),
        column ? el("td", {}, percent(chance), behind) : null,
      ]),
    ];
  });
  return el(
    "table",
    { class: "plays" },
    el("caption", { class: "unseen" }, t("table.bestPlays", { dice: what.dice ?? "" })),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el(
          "th",
          { scope: "col" },
          t("table.play"),
          " ",
          toOne ? null : el("small", {}, term(t("table.chances"), "chances")),
        ),
        el(
          "th",
          { scope: "col" },
          toOne ? term(t("table.matchWon"), "mwc") : term(t("table.equity"), "equity"),
          inMatch && !column && !toOne ? el("small", {}, term(t("table.matchWon"), "mwc")) : null,
        ),
        el("th", { scope: "col" }, t("table.loss")),
        column ? el("th", { scope: "col" }, term(t("table.matchWon"), "mwc")) : null,
      ),
    ),
    el("tbody", {}, rows),
  );
}
