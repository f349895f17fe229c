// @ts-check
// An analysis as pages show it, with its figures by the deepest answers, and as a file with later
// work. It also finds the decision of a card. Nothing here draws.
import { tellHelp } from "../play/half-made.js";
import { shownName } from "../common/players.js";
import { situation } from "../decision/board-view.js";
import { asShown } from "../decision/decision.js";
import { WIDE } from "../decision/verdicts.js";

/** @typedef {import("../decision/decision.js").Entry} Entry */

/** What the server says in place of a title, where there are too few decisions for one. */
export const UNTITLED = "few decisions";

/** A PR is this number times the mean loss of a decision. */
const PR = 500;

/**
 * A match with its figures by the deepest answers. What they change has the figures of the analysis
 * as `before`.
 *
 * @param {any} match
 * @param {Entry[]} all
 * @param {Entry[]} judged The same decisions by their deepest answers
 */
export function withDeepest(match, all, judged) {
  const isChanged = (/** @type {Entry} */ { at, decision }) => decision !== all[at].decision;
  const counted = judged.filter(({ decision }) => decision.counts);
  const more = (/** @type {Entry[]} */ some, /** @type {"loss" | "cost"} */ of) =>
    some.reduce((sum, { at, decision }) => sum + decision[of] - all[at].decision[of], 0);
  const rated = (/** @type {any} */ row, /** @type {Entry[]} */ own) => {
    if (row.pr === null || !own.some(isChanged)) return row;
    const n = own.length;
    const pr = Math.max(0, row.pr + (PR * more(own, "loss")) / n);
    const half =
      WIDE *
      PR *
      Math.sqrt(
        own.reduce((sum, { decision }) => sum + (decision.loss - pr / PR) ** 2, 0) / (n - 1) / n,
      );
    // The server gives the titles: another PR may have another one.
    return {
      ...row,
      pr,
      interval: row.interval && [Math.max(0, pr - half), pr + half],
      rating: row.rating === UNTITLED ? UNTITLED : null,
      before: row,
    };
  };
  const of = (/** @type {number} */ player) =>
    counted.filter(({ decision }) => decision.player === player);
  const summary = match.summary.map((/** @type {any} */ side, /** @type {number} */ player) => {
    const row = rated(side, of(player));
    const sums = /** @type {const} */ ([
      ["play", true],
      ["call", false],
    ]).flatMap(([name, ofPlays]) => {
      const own = of(player).filter(({ decision }) => Boolean(decision.decision.plays) === ofPlays);
      return /** @type {const} */ (["loss", "cost"]).map((figure) => [
        `${name}_${figure}`,
        Math.max(0, side[`${name}_${figure}`] + more(own, figure)),
      ]);
    });
    return row === side ? side : { ...row, ...Object.fromEntries(sums) };
  });
  const groups = (/** @type {any[][]} */ both, /** @type {"kind" | "class"} */ by) =>
    both.map((rows, player) =>
      rows.map((row) =>
        rated(
          row,
          of(player).filter(({ decision }) => decision[by] === row[by]),
        ),
      ),
    );
  return {
    ...match,
    summary,
    by_kind: groups(match.by_kind, "kind"),
    by_class: groups(match.by_class, "class"),
  };
}

/**
 * An analysis as pages show it: the names in the person's language, losses as their figures have
 * them.
 *
 * @param {any} answer The analysis as the server gave it; it is changed
 */
export function prepared(answer) {
  for (const match of answer.matches) {
    Object.assign(match, {
      people: match.names,
      names: match.names.map(shownName),
      against: answer.row.against,
      net: answer.row.net,
    });
    for (const game of match.games) game.decisions = game.decisions.map(asShown);
  }
  for (const deeper of answer.deeper) deeper.analysed = asShown(deeper.analysed);
  return tellHelp(answer);
}

/**
 * The JSON of an analysis, a line each match, with the later work on its decisions: notes, deeper
 * answers and rollouts. The rest stays as the server wrote it.
 *
 * @param {string} text
 * @param {{ row: { id: string }; notes: any[]; deeper: any[] }} answer The analysis as the server
 *   gives it
 * @param {Map<string, import("../decision/verdicts.js").Rolled>} rolled The rollouts that the
 *   browser has
 */
export function withLater(text, { row, notes, deeper }, rolled) {
  const rollouts = [...rolled].flatMap(([key, { answer, state, question }]) => {
    const [id, match, game, decision] = key.split(".");
    return id === row.id && state !== "running"
      ? [
          {
            match: Number(match),
            game: Number(game),
            decision: Number(decision),
            state,
            question,
            answer,
          },
        ]
      : [];
  });
  return text
    .split("\n")
    .map((line, which) => {
      if (!line.endsWith("}")) return line;
      const own = Object.entries({ notes, deeper, rollouts }).map(
        ([name, all]) =>
          `,"${name}":${JSON.stringify(all.filter(({ match }) => match === which).map(({ match, ...rest }) => rest))}`,
      );
      return `${line.slice(0, -1)}${own.join("")}}`;
    })
    .join("\n");
}

/**
 * Which decisions a card can ask.
 *
 * @type {Record<string, (what: import("../decision/decision.js").What) => boolean>}
 */
const ASKED = {
  play: ({ plays }) => Boolean(plays),
  double: ({ call }) => ["double", "no double"].includes(call ?? ""),
  take: ({ call }) => ["take", "drop", "beaver"].includes(call ?? ""),
};

/**
 * Where the decision of a card stands in an analysis; null if the analysis is of another match.
 *
 * @param {any} answer A prepared analysis
 * @param {{ asks: string; board: readonly number[] }} card
 * @param {{ player: string; opponent: string; game: number; roll: number }} origin What the card
 *   tells of its match
 * @returns {{ which: number; entry: Entry } | null}
 */
export function placeOfCard({ matches }, { asks, board }, { player, opponent, game, roll }) {
  const same = (/** @type {string} */ one, /** @type {string} */ other) =>
    one.toLowerCase() === other.toLowerCase();
  for (const [which, { people, games }] of matches.entries()) {
    const seat = people.findIndex(
      (/** @type {string} */ name, /** @type {number} */ i) =>
        same(name, player) && same(people[1 - i], opponent),
    );
    const decisions = games[game - 1]?.decisions ?? [];
    const index = decisions.findIndex(
      (/** @type {import("../decision/decision.js").Decision} */ one) =>
        one.player === seat &&
        one.roll === roll &&
        ASKED[asks](one.decision) &&
        `${situation(one).board}` === `${board}`,
    );
    if (index >= 0)
      return { which, entry: { game: game - 1, index, at: index, decision: decisions[index] } };
  }
  return null;
}
