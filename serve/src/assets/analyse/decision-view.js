// @ts-check
// What is known about a decision: the verdict, the alternatives with their chances, a deeper look,
// rollouts, the reader's note.
import { WORTH, chanceOf, isToOne, mistakeOf, severity } from "./decisions.js";
import { isAnswer, isRedouble } from "./board-view.js";
import { answerWords, cubeWords, withoutAnswer } from "../common/cube-words.js";
import { el, sentence } from "../common/dom.js";
import { decimal, isNothing, percent, signed } from "../common/format.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";

/** @typedef {import("./decisions.js").Decision} Decision */

/**
 * A mark with its colour.
 *
 * @param {string} mark
 * @param {number} [undecided] The games of a rollout that does not confirm it
 */
export function badge(mark, undecided = 0) {
  const level = ["", "?!", "?", "??"].indexOf(mark);
  if (!mark) return null;
  return el(
    "span",
    {
      class: `badge level${level}${undecided ? " open" : ""}`,
      title: undecided
        ? t("analyse.undecided", { n: undecided })
        : t(`analyse.mark.${["", "doubtful", "bad", "veryBad"][level]}`),
    },
    mark,
  );
}

/**
 * The name of a cube action.
 *
 * @param {Pick<Decision, "xgid" | "decision">} decision
 */
export const callName = ({ xgid, decision: { call } }) =>
  t(
    `analyse.call.${(call ?? "").replace(" ", "").replace("double", isRedouble({ xgid }) ? "redouble" : "double")}`,
  );

/** What the server says in place of a play, where there is none. */
const NO_PLAY = "cannot move";

/**
 * A play as people write it.
 *
 * @param {string} play
 */
const playName = (play) => (play === NO_PLAY ? t("analyse.cannotMove") : play);

/**
 * A decision in a few words.
 *
 * @param {Decision} decision
 */
export const decisionName = (decision) =>
  decision.decision.plays
    ? `${decision.decision.dice}: ${playName(decision.decision.played ?? "")}`
    : callName(decision);

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
 * How far the best decision is ahead of the other one; of plays, of the second one at the same
 * depth.
 *
 * @param {import("./decisions.js").What} what
 * @param {boolean} answers Whether a double is answered
 */
function aheadOf(
  { plays, no_double: no = 0, double_take: take = 0, double_pass: pass = 1 },
  answers,
) {
  if (plays)
    return plays.length > 1 && plays[0].plies === plays[1].plies
      ? plays[0].equity - plays[1].equity
      : Infinity;
  return Math.abs(answers ? take - pass : no - Math.min(take, pass));
}

/**
 * A loss with its sign, and with the interval of a rollout.
 *
 * @param {Decision & { half?: number }} decision
 * @param {boolean} [isShare]
 */
export const lossWithHalf = (decision, isShare = isToOne(decision)) =>
  `−${lossShown(decision, isShare)}${decision.half && !isShare ? ` ± ${decimal(decision.half, 3)}` : ""}`;

/**
 * A loss in the unit of its match: per cent in a match to one point, else points. What is in the
 * order of the shares shows the share.
 *
 * @param {Decision} decision
 */
export const lossShown = (decision, isShare = isToOne(decision)) =>
  isShare ? percent(decision.cost) : decimal(decision.loss, 3);

/**
 * What a decision lost, in words; a rollout says how sure that is.
 *
 * @param {Decision & { half?: number }} decision
 * @param {boolean} inMatch
 */
export function lossInWords(decision, inMatch) {
  const ahead = aheadOf(decision.decision, isAnswer(decision));
  const isClose = !isNothing(ahead) && ahead < WORTH;
  if (isNothing(decision.loss))
    return t(
      severity(decision)
        ? "analyse.loses"
        : decision.decision.plays && (decision.decision.legal ?? 2) < 2
          ? decision.decision.plays[0]?.play === NO_PLAY
            ? "analyse.noPlay"
            : "analyse.forced"
          : isClose
            ? "analyse.best.close"
            : "analyse.best",
      { loss: "0", ahead: decimal(ahead, 3) },
    );
  if (isToOne(decision)) return t("analyse.loses.share", { share: lossShown(decision) });
  const cost = inMatch
    ? t("analyse.ofMatch", { cost: percent(decision.cost, decision.cost < 0.0005 ? 2 : 1) })
    : "";
  const half = decision.half ? ` ± ${decimal(decision.half, 3)}` : "";
  return `${t("analyse.loses", { loss: `${decimal(decision.loss, 3)}${half}` })}${cost}`;
}

/**
 * What would have been right; null where it was done.
 *
 * @param {Decision} decision
 */
export function betterOf(decision) {
  const what = decision.decision;
  if (what.plays) return what.plays[0].play === what.played ? null : what.plays[0].play;
  // Whoever is doubled cannot double.
  if (isAnswer(decision))
    return answerWords(what.right ?? "", what.double_take ?? 0, what.double_pass ?? 1);
  return what.right ? cubeWords(withoutAnswer(what.right)) : null;
}

/**
 * How deep the best play was searched: less than was asked where nothing is left to search.
 *
 * @param {Decision} decision
 * @param {number} plies That were asked
 */
const depthIn = ({ decision }, plies) => decision.plays?.[0].plies ?? plies;

/**
 * The right decision and the loss of the made one, by the depth that says so.
 *
 * @param {import("./verdicts.js").Judged} judged
 * @param {boolean} inMatch
 */
export function verdict(
  { analysed: decision, plies, games, undecided, early, leads, isBestOpen, against },
  inMatch,
) {
  const kind = mistakeOf(decision);
  const right = leads ?? betterOf(decision);
  const [named, loss] = [kind && decision.decision.call, lossInWords(decision, inMatch)];
  // The points have a meaning to be told; what they are of the match stands behind a comma.
  const [points] = loss.split(", ");
  /** @type {any[]} */
  const parts = [
    badge(decision.mark, undecided),
    named ? [el("b", {}, sentence(t(`analyse.kind.${kind}`))), ", "] : null,
    isNothing(decision.loss)
      ? el("span", {}, named ? loss : sentence(loss))
      : el(
          "span",
          {},
          isToOne(decision)
            ? term(named ? points : sentence(points), "lossMatch", {
                loss: decimal(decision.loss, 3),
              })
            : term(named ? points : sentence(points), "loss"),
          loss.slice(points.length),
          ". ",
        ),
  ].flat();
  // A loss within its interval may be none.
  const isUnsure = Boolean(undecided) || decision.loss < (decision.half ?? 0);
  if (right && !isNothing(decision.loss))
    parts.push(
      el(
        "span",
        {},
        t(isUnsure ? "analyse.better.unsure" : "analyse.better"),
        " ",
        el("b", {}, right),
      ),
    );
  const depth = plies === null ? 0 : depthIn(decision, plies);
  parts.push(
    " ",
    el(
      "span",
      { class: "tag" },
      plies === null
        ? t("analyse.byRollout", { n: games ?? 0 })
        : term(t("common.ply", { n: depth }), depth < plies ? "plyLess" : "ply"),
    ),
  );
  if (isBestOpen)
    parts.push(" ", el("span", { class: "tag" }, term(t("analyse.bestOpen"), "bestOpen")));
  if (undecided)
    parts.push(
      " ",
      el("span", { class: "tag" }, term(t("analyse.undecided", { n: undecided }), "undecided")),
    );
  if (early)
    parts.push(
      " ",
      el("span", { class: "tag" }, term(t("analyse.early", { n: early }), "rolloutCounts")),
    );
  if (against)
    parts.push(
      el(
        "span",
        { class: "small against" },
        t(against.best ? "analyse.against.play" : "analyse.against", {
          n: against.plies,
          best: against.best ?? "",
          by: decimal(against.by, 3),
        }),
      ),
    );
  return el("p", { class: "verdict" }, parts);
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
 * @param {(play: import("./decisions.js").Play | null, keep: boolean) => void} look
 * @param {boolean} wide Whether there is room for a column of match winning chances
 * @param {Decision | null} other Another answer: it may have two plays at one depth
 */
export function plays(decision, look, wide = false, other = null) {
  const what = decision.decision;
  const all = byDepth(what.plays ?? []);
  const chanceAfter = (/** @type {import("./decisions.js").Play} */ play) =>
    play.match_winning_chance ?? chanceOf(decision, play.equity);
  const inMatch = all.some((play) => chanceAfter(play) !== null);
  const toOne = inMatch && isToOne(decision);
  const column = wide && inMatch && !toOne;
  // Only a mouse that moves looks at a play: rows also scroll under one that rests.
  /** @type {import("./decisions.js").Play | null} */
  let hovered = null;
  const hover = (/** @type {import("./decisions.js").Play | null} */ play) => {
    if (play === hovered) return;
    hovered = play;
    look(play, false);
  };
  const deep = Math.max(...all.map(({ plies }) => plies));
  const row = (
    /** @type {import("./decisions.js").Play} */ play,
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

/** From which depth on cube decisions of a match are told without a warning. */
export const SURE_PLY = 3;

/**
 * Whether the double of a decision would be beavered: for money with beavers, where it has a
 * negative equity.
 *
 * @param {Decision} decision
 */
function isBeavered({ xgid, decision }) {
  const [rules, length] = xgid.split(":").slice(7).map(Number);
  return length === 0 && (rules & 2) !== 0 && (decision.double_take ?? 0) < 0;
}

/**
 * The cube actions.
 *
 * @param {Decision} decision
 */
function cube(decision) {
  const what = decision.decision;
  const inMatch = chanceOf(decision, 0) !== null;
  const answers = isAnswer(decision);
  const turned = answers ? "says" : isRedouble(decision) ? "redouble" : "double";
  const actions = /** @type {[string, number][]} */ ([
    [`cube.${turned}.no`, what.no_double],
    [`cube.${turned}.${isBeavered(decision) ? "beaver" : "take"}`, what.double_take],
    [`cube.${turned}.pass`, what.double_pass],
  ]);
  const doubled = Math.min(what.double_take ?? 0, what.double_pass ?? 0);
  const best = answers ? doubled : Math.max(what.no_double ?? 0, doubled);
  // Whoever is doubled has two actions left.
  const rows = actions.slice(answers ? 1 : 0).map(([name, equity]) => {
    const chance = chanceOf(decision, equity);
    const behind = equity - best;
    return el(
      "tr",
      { class: isNothing(behind) ? "top" : "" },
      el("th", { scope: "row" }, t(name)),
      el("td", {}, signed(equity)),
      el("td", {}, isNothing(behind) ? "" : signed(behind)),
      inMatch ? el("td", {}, chance === null ? "" : percent(chance)) : null,
    );
  });
  return el(
    "div",
    {},
    el(
      "table",
      { class: "plays cube" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, t("table.action")),
          el("th", { scope: "col" }, t("table.equity")),
          el("th", { scope: "col" }, t("table.difference")),
          inMatch ? el("th", { scope: "col" }, t("table.matchWon")) : null,
        ),
      ),
      el("tbody", {}, rows),
    ),
    what.outcomes ? chancesLine(what.outcomes) : null,
    el("p", { class: "small" }, t(answers ? "analyse.seenByDoubler" : "analyse.seenByRoller")),
  );
}

/**
 * @param {Decision} decision
 * @param {(play: any, keep: boolean) => void} look
 * @param {Decision | null} other
 */
const alternatives = (decision, look, other) =>
  decision.decision.plays ? plays(decision, look, false, other) : cube(decision);

/**
 * What the deepest search says, and below it the verdict of the other one.
 *
 * @param {Decision} decision
 * @param {{
 *   plies: number;
 *   cubePlies: number;
 *   inMatch: boolean;
 *   deeper: { plies: number; analysed: Decision } | null;
 *   look: (play: import("./decisions.js").Play | null, keep: boolean) => void;
 * }} given
 */
export function decisionView(decision, { plies: depth, cubePlies, inMatch, deeper, look }) {
  const what = decision.decision;
  const own = { plies: what.plays ? depth : cubePlies, analysed: decision };
  const [deepest, other] = deeper && deeper.plies > own.plies ? [deeper, own] : [own, deeper];
  /** @type {any[]} */
  const facts = [term(t("analyse.ofClass", { name: t(`class.${decision.class}`) }), "class")];
  if (what.plays) {
    facts.push(t("analyse.legal", { n: what.legal ?? 0 }));
    const share = 100 * (what.luck ?? 0) * (decision.unit ?? 0);
    // What is rounded to 0 has no sign: the luck in points may have the other one.
    const worth = inMatch
      ? ` (${Math.abs(share) < 0.05 ? decimal(0, 1) : signed(share, 1)} % ${t("analyse.mwc")})`
      : "";
    facts.push(
      isToOne(decision)
        ? term(t("analyse.luckOfRoll", { luck: `${signed(share, 1)} %` }), "luckMwc")
        : term(
            `${t("analyse.luckOfRoll", { luck: signed(what.luck ?? 0) })}${worth}`,
            inMatch ? "luckMwc" : "luck",
          ),
    );
  }
  return el(
    "div",
    { class: "decision" },
    el(
      "section",
      { class: deeper ? "deeper" : null },
      alternatives(deepest.analysed, look, other?.analysed ?? null),
      other
        ? el(
            "details",
            { class: "before" },
            el("summary", {}, t(other === own ? "analyse.before" : "analyse.before.less")),
            verdict({ ...other, games: null }, inMatch),
          )
        : null,
    ),
    inMatch && !what.plays && deepest.plies < SURE_PLY
      ? el("p", { class: "small" }, t("analyse.cube.shallow"))
      : null,
    el(
      "p",
      { class: "facts" },
      facts.map((fact) => el("span", {}, fact)),
    ),
  );
}
