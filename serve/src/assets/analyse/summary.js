// @ts-check
// Both players of a match beside each other: result, PR with its interval, mistakes by kind and
// class, luck.
import { withDeepest } from "./answers.js";
import { UNTITLED, jokers, mistakeKinds, severity } from "./decisions.js";
import { chipOf, fieldsOf, pointsBefore, seatOptions } from "./board-view.js";
import { hasCube } from "../common/cube-words.js";
import { byId, el } from "../common/dom.js";
import { decimal, percent, signed } from "../common/format.js";
import { judgeName, opponentWords } from "../common/net-name.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { TELLING, titleName } from "./rating-scale.js";

/**
 * @typedef {{
 *   figures: () => HTMLElement;
 *   judged: () => HTMLElement | null;
 *   luck: () => HTMLElement;
 * }} Tags
 */

/**
 * How deep a match was analysed, and by which net if it is not the champion.
 *
 * @param {any} match
 */
export const depthWords = ({ plies, cube_plies: cube, net }) =>
  [
    plies === cube ? t("common.ply", { n: plies }) : t("analyse.depths", { n: plies, cube }),
    judgeName(net),
  ]
    .filter(Boolean)
    .join(" · ");

/**
 * The same for the head of a page: where nothing is left to search, a decision is told at a lower
 * depth.
 *
 * @param {any} match
 */
export const headDepth = (match) =>
  match.plies > 1 ? t("analyse.depth.upTo", { depth: depthWords(match) }) : depthWords(match);

/**
 * @param {string} words
 * @param {string} key Of the meaning
 * @param {Record<string, number> | null} values
 * @param {string} more
 */
const tag = (words, key, values = null, more = "") =>
  el("span", { class: `tag depth${more}` }, term(words, key, values));

/**
 * The tags of a match. PR and title name the depth of the analysis, which decides what counts as a
 * decision, and how many answers are deeper: all figures but luck go by them. Luck is measured at
 * one depth in every analysis.
 *
 * @param {any} match
 * @param {any[]} [all]
 * @param {any[]} [judged]
 * @returns {Tags}
 */
export function depthTags(match, all = [], judged = []) {
  const words = depthWords(match);
  const n = judged.filter(({ decision }, at) => decision !== all[at].decision).length;
  const deeper = () =>
    n ? tag(t("analyse.depth.deeper", { depth: words, n }), "withDeeper", { n }, " beyond") : null;
  return {
    figures: () => deeper() ?? tag(words, "prDepth"),
    judged: deeper,
    luck: () => tag(depthWords({ plies: 1, cube_plies: 1, net: match.net }), "luckDepth"),
  };
}

/**
 * The title of a rating, such as expert; or how many decisions one wants.
 *
 * @param {string} word
 * @param {number} n Decisions so far
 */
export function titleOf(word, n) {
  if (word === UNTITLED) return el("small", {}, term(t("analyse.untitled", { n }), "title"));
  return el("span", {}, word ? titleName(word) : "");
}

/** From this number of decisions on, a PR has an interval: fewer may all be right by chance. */
const ENOUGH = 10;

/**
 * The interval of a PR; none where the decisions are too few or all alike.
 *
 * @param {[number, number] | null | undefined} interval
 * @param {number} n Decisions
 */
function intervalPart(interval, n) {
  const [low, high] = (interval ?? [0, 0]).map((end) => decimal(end, 1));
  return n < ENOUGH || low === high ? null : el("small", {}, t("analyse.interval", { low, high }));
}

/**
 * A PR with its interval and its title, such as expert; or why it has none. In a table of parts a
 * title that is missing is not told.
 *
 * @param {{
 *   pr: number | null;
 *   interval?: [number, number] | null;
 *   rating?: string | null;
 *   word?: string | null;
 *   helped?: boolean;
 *   decisions?: number;
 *   plays?: number;
 *   calls?: number;
 * }} of
 */
export function prCell(of, isPart = false) {
  if (of.pr === null) return el("span", {}, "–");
  const n = of.decisions ?? (of.plays ?? 0) + (of.calls ?? 0);
  const isMany = n >= TELLING;
  const title = of.helped
    ? el("small", {}, t("rating.helped"))
    : isPart && [of.rating, of.word].includes(UNTITLED)
      ? null
      : titleOf(of.rating ?? of.word ?? "", n);
  return el(
    "span",
    { class: "pr" },
    el("b", { class: isMany ? "big" : "" }, decimal(of.pr, 1)),
    " ",
    (isMany && title) || "",
    intervalPart(of.interval, n),
  );
}

/**
 * @param {number} veryBad
 * @param {number} bad
 * @param {number} doubtful
 */
export const marks = (veryBad, bad, doubtful) =>
  el(
    "span",
    { class: "marks" },
    el("span", { class: "level3" }, `${veryBad} ??`),
    el("span", { class: "level2" }, `${bad} ?`),
    el("span", { class: "level1" }, `${doubtful} ?!`),
  );

/**
 * How a match ended, in words.
 *
 * @param {any} match
 */
export function resultOf(match) {
  const { names, points, length, winner } = match;
  if (length && winner !== null)
    return t("analyse.result.won", {
      name: names[winner],
      points: points[winner],
      other: points[1 - winner],
    });
  if (length)
    return t("analyse.result.open", {
      name: names[0],
      points: points[0],
      other: names[1],
      theirs: points[1],
    });
  if (points[0] === points[1]) return t("analyse.result.even", { n: match.games.length });
  const leader = points[0] > points[1] ? 0 : 1;
  return t("analyse.result.money", {
    name: names[leader],
    points: points[leader] - points[1 - leader],
    n: match.games.length,
  });
}

/**
 * Draws the head of an analysis.
 *
 * @param {any} match
 * @param {string} below Who sits below
 */
export function drawHead(match, below) {
  const { names, length } = match;
  byId("title").textContent = names
    .map((/** @type {string} */ name) => opponentWords(name, match.against))
    .join(" – ");
  byId("below").replaceChildren(...seatOptions(names, below));
  byId("result").textContent = [
    length ? t("analyse.matchTo", { n: length }) : t("analyse.money"),
    resultOf(match),
  ].join(" · ");
  byId("depth-shown").replaceChildren(term(headDepth(match), "ply"));
}

/** How a game was won, by the points for each point of the cube. @type {Record<number, string>} */
const KINDS = { 2: "gammon", 3: "backgammon" };

/**
 * The cube at the end of a game.
 *
 * @param {any} game
 */
function cubeAtEnd({ decisions }) {
  const last = decisions.at(-1);
  const { value } = fieldsOf(last.xgid);
  return last.decision?.call === "take" ? 2 * value : value;
}

/**
 * What each game ended with: the points that the match still needed; more of them are told.
 *
 * @param {any} match
 * @returns {string[]}
 */
export function gameEnds({ games, names, length }) {
  return games.map((/** @type {any} */ game) => {
    const { won } = game;
    if (!won) return "";
    const name = names[won.player];
    const needed = length === null ? Infinity : length - (pointsBefore(game)?.[won.player] ?? 0);
    if (won.points <= needed) return t("analyse.gameWon", { name, n: won.points });
    const kind = KINDS[won.points / cubeAtEnd(game)] ?? "points";
    return t(`analyse.gameWon.${kind}`, { name, n: needed, points: won.points });
  });
}

/**
 * A chance with its bounds; luck that is measured at 1-ply can lead beyond them.
 *
 * @param {number} chance
 */
function withoutLuck(chance) {
  if (chance >= 0 && chance <= 1) return percent(chance, 0);
  return term(
    t("analyse.without.about", { n: chance > 1 ? 100 : 0 }),
    chance > 1 ? "above" : "below",
  );
}

/**
 * The heading of a sum of losses, which may be more than one match.
 *
 * @param {string} key
 */
const summed = (key) => [t(key), el("small", {}, term(t("analyse.row.sum"), "sum"))];

/**
 * The figure of the analysis, below that of the deepest answers where they differ.
 *
 * @param {number | null | undefined} own
 * @param {number | null} value
 * @param {number} digits
 */
export const beforeDeeper = (own, value, digits) =>
  typeof own !== "number" || value === null || decimal(own, digits) === decimal(value, digits)
    ? null
    : el(
        "small",
        {},
        term(t("analyse.deeper.figure", { figure: decimal(own, digits) }), "prDeeper"),
      );

/**
 * The heading of a row with the depth of its figures.
 *
 * @param {any} name
 * @param {HTMLElement | null} depth
 */
const deep = (name, depth) => [name, " ", depth];

/**
 * What losses of a match are worth: many of them may be more than one match.
 *
 * @param {number} worth
 */
export const worthInWords = (worth) =>
  worth > 1
    ? t("analyse.matches", { n: decimal(worth, 2) })
    : `${percent(worth)} ${t("analyse.mwc")}`;

/**
 * The scoreboard. Each figure says its depth; mistakes are those of the list.
 *
 * @param {any} match With the figures of its deepest answers
 * @param {any[]} judged
 * @param {Tags} tags
 */
export function scoreboard(match, judged, tags) {
  const mistakes = (/** @type {number} */ player, /** @type {number} */ level) =>
    judged.filter(({ decision }) => decision.player === player && severity(decision) === level)
      .length;
  const inMatch = match.length !== null;
  const toOne = match.length === 1;
  const cost = (
    /** @type {number} */ loss,
    /** @type {number} */ worth,
    /** @type {number | undefined} */ before,
    n = 0,
  ) =>
    toOne
      ? [n ? t("analyse.each", { share: percent(worth / n) }) : "–"]
      : [
          decimal(loss, 3),
          el(
            "small",
            {},
            inMatch ? worthInWords(worth) : t("analyse.points", { points: decimal(worth, 2) }),
          ),
          beforeDeeper(before, loss, 3),
        ];
  const luck = (/** @type {any} */ side) =>
    toOne
      ? [`${signed(100 * side.luck_utility, 1)} %`]
      : [
          signed(side.luck),
          el(
            "small",
            {},
            inMatch
              ? `${signed(100 * side.luck_utility, 1)} % ${t("analyse.mwc")}`
              : t("analyse.points", { points: signed(side.luck_utility, 2) }),
          ),
        ];
  /** @type {[any, (side: any, i: number) => any][]} */
  const rows = [
    [
      t(inMatch ? "analyse.row.score" : "analyse.row.points"),
      (_, i) => [
        el("b", { class: "big" }, `${match.points[i]}`),
        match.winner === i ? el("b", { class: "good" }, ` ${t("analyse.wins")}`) : "",
      ],
    ],
    [
      deep(term("PR", "pr"), tags.figures()),
      (side) => [prCell(side), beforeDeeper(side.before?.pr, side.pr, 1)],
    ],
    [t("analyse.row.mistakes"), (_, i) => marks(mistakes(i, 3), mistakes(i, 2), mistakes(i, 1))],
    [
      toOne ? t("analyse.row.plays") : summed("analyse.row.plays"),
      (side) => cost(side.play_loss, side.play_cost, side.before?.play_loss, side.plays),
    ],
    .../** @type {[any, (side: any, i: number) => any][]} */ (
      hasCube(match)
        ? [
            [
              summed("analyse.row.cube"),
              (/** @type {any} */ side) =>
                cost(side.call_loss, side.call_cost, side.before?.call_loss),
            ],
          ]
        : []
    ),
    [deep(term(t("analyse.row.luck"), "luck"), tags.luck()), (side) => luck(side)],
  ];
  if (match.luck_adjusted !== null) {
    const value = match.luck_adjusted;
    rows.push([
      deep(term(t("analyse.row.without"), "withoutLuck"), tags.luck()),
      (_, i) =>
        inMatch
          ? withoutLuck(i ? 1 - value : value)
          : t("analyse.points", { points: signed(i ? -value : value, 2) }),
    ]);
  }
  rows.push([
    t("analyse.row.decisions"),
    (side) =>
      t(hasCube(match) ? "analyse.decisions" : "analyse.decisions.plays", {
        plays: side.plays,
        calls: side.calls,
      }),
  ]);
  // A lucky roll at a score where it hardly matters, and an unlucky one where it decides.
  const differs =
    inMatch && match.summary.some((/** @type {any} */ side) => side.luck * side.luck_utility < 0);
  const made = el(
    "table",
    { class: "score" },
    el("caption", { class: "unseen" }, t("analyse.summary")),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("td", {}),
        match.names.map((/** @type {string} */ name, /** @type {number} */ i) =>
          el("th", { scope: "col" }, chipOf(match.names, i), name),
        ),
      ),
    ),
    el(
      "tbody",
      {},
      rows.map(([name, cell]) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, name),
          match.summary.map((/** @type {any} */ side, /** @type {number} */ i) =>
            el("td", {}, cell(side, i)),
          ),
        ),
      ),
    ),
  );
  return el(
    "div",
    {},
    made,
    differs ? el("p", { class: "small" }, t("analyse.luckDiffers")) : null,
  );
}

/**
 * A table of both players.
 *
 * @param {any} caption
 * @param {string[]} names
 * @param {[any, any, any][]} rows
 */
function sides(caption, names, rows) {
  return el(
    "table",
    { class: "sides" },
    el("caption", {}, caption),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("td", {}),
        names.map((name, i) => el("th", { scope: "col" }, chipOf(names, i), name)),
      ),
    ),
    el(
      "tbody",
      {},
      rows.map(([head, ...cells]) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, head),
          cells.map((cell) => el("td", {}, cell)),
        ),
      ),
    ),
  );
}

/**
 * A bar of a loss.
 *
 * @param {number} loss
 * @param {number} most
 */
const bar = (loss, most) => {
  const made = el("span", { class: "bar" });
  made.style.width = `${Math.round((100 * loss) / Math.max(most, 1e-9))}%`;
  return el("span", { class: "bar-room" }, made);
};

/**
 * Mistakes by their kinds; a click shows them in the list.
 *
 * @param {any} match
 * @param {any[]} all
 * @param {(filter: any) => void} filter
 * @param {Tags} tags
 */
export function byMistake(match, all, filter, tags) {
  const rows = mistakeKinds(all).filter(({ sides: both }) => both[0].count + both[1].count > 0);
  if (!rows.length) return el("p", { class: "empty" }, t("analyse.noMistakes"));
  const most = Math.max(...rows.flatMap((row) => row.sides.map((side) => side.loss)));
  return sides(
    deep(t(match.length === 1 ? "analyse.byMistake.toOne" : "analyse.byMistake"), tags.judged()),
    match.names,
    /** @type {any} */ (
      rows.map(({ kind, sides: both }) => [
        t(`analyse.kind.${kind}`),
        ...both.map((side, i) =>
          side.count
            ? [
                el(
                  "button",
                  {
                    type: "button",
                    class: "link",
                    onclick: () =>
                      filter({
                        show: "mistakes",
                        kind: kind === "play" ? "other plays" : kind,
                        player: `${i}`,
                      }),
                  },
                  `${side.count}`,
                ),
                match.length === 1 ? "" : ` · −${decimal(side.loss, 3)}`,
                bar(side.loss, most),
              ]
            : "–",
        ),
      ])
    ),
  );
}

/**
 * PR by kind and by class of position.
 *
 * @param {any} match With the figures of its deepest answers
 * @param {"by_kind" | "by_class"} of
 * @param {Tags} tags
 */
export function byGroup(match, of, tags) {
  const word = of === "by_kind" ? "kind" : "class";
  const name = (/** @type {string} */ key) =>
    word === "kind" ? t(`analyse.group.${key.replace(" ", "")}`) : t(`class.${key}`);
  const keys = [...new Set(match[of].flat().map((/** @type {any} */ row) => row[word]))];
  const find = (/** @type {number} */ i, /** @type {any} */ key) =>
    match[of][i].find((/** @type {any} */ row) => row[word] === key);
  const rows = keys
    .filter((key) => [0, 1].some((i) => find(i, key)?.decisions))
    .map((key) => [
      name(`${key}`),
      ...[0, 1].map((i) => {
        const row = find(i, key);
        if (!row?.decisions) return "–";
        return [
          el("b", {}, row.pr === null ? "–" : decimal(row.pr, 1)),
          ` ${t("analyse.of", { n: row.decisions })}`,
          intervalPart(row.interval, row.decisions),
          beforeDeeper(row.before?.pr, row.pr, 1),
        ];
      }),
    ]);
  return sides(deep(t("analyse.prIn"), tags.figures()), match.names, /** @type {any} */ (rows));
}

/**
 * Draws both players' figures by the deepest answers.
 *
 * @param {{ match: any; all: any[]; judged: any[]; filter: (some: any) => void }} given
 */
export function drawFigures({ match, all, judged, filter }) {
  const tags = depthTags(match, all, judged);
  const deepest = withDeepest(match, all, judged);
  byId("scoreboard").replaceChildren(scoreboard(deepest, judged, tags));
  byId("mistakes").replaceChildren(byMistake(match, judged, filter, tags));
  byId("kinds").replaceChildren(byGroup(deepest, "by_kind", tags));
  byId("classes").replaceChildren(byGroup(deepest, "by_class", tags));
}

/** @param {any} entry */
const turnName = ({ game, decision }) => t("analyse.turn", { game: game + 1, turn: decision.roll });

/** How many rolls stand in the table at first. */
const FIRST_ROLLS = 8;

/**
 * The luckiest and unluckiest rolls; a click shows one.
 *
 * @param {any} match
 * @param {any[]} all
 * @param {(at: number) => void} show
 * @param {((entry: any) => string) | null} link The address of a roll on a page without scripts
 */
export function jokerTable(match, all, show, link = null) {
  const { rolls, lucky, unlucky } = jokers(all, all.length);
  const inMatch = match.length !== null;
  if (!rolls.length) return el("p", { class: "empty" }, t("analyse.noJokers"));
  const rows = rolls.map(({ entry, luck, worth }, place) =>
    el(
      "tr",
      { hidden: place >= FIRST_ROLLS },
      el(
        "th",
        { scope: "row" },
        link
          ? el("a", { href: link(entry) }, turnName(entry))
          : el(
              "button",
              { type: "button", class: "link", onclick: () => show(entry.at) },
              turnName(entry),
            ),
      ),
      el(
        "td",
        {},
        chipOf(match.names, entry.decision.player),
        el("span", { class: "name" }, match.names[entry.decision.player]),
      ),
      el("td", {}, entry.decision.decision.dice ?? ""),
      match.length === 1 ? null : el("td", { class: luck > 0 ? "good" : "lost" }, signed(luck)),
      inMatch ? el("td", {}, `${signed(100 * worth, 1)} %`) : null,
    ),
  );
  const more = el(
    "button",
    {
      type: "button",
      class: "link",
      "data-more": "",
      hidden: rows.length <= FIRST_ROLLS,
      onclick: () => {
        for (const row of rows) row.hidden = false;
        more.hidden = true;
      },
    },
    t("analyse.jokers.all", { n: rows.length }),
  );
  return el(
    "div",
    {},
    el(
      "p",
      { class: "small" },
      t("analyse.jokersOf", { name: match.names[0], lucky: lucky[0], unlucky: unlucky[0] }),
      " ",
      t("analyse.jokersOf", { name: match.names[1], lucky: lucky[1], unlucky: unlucky[1] }),
      " ",
      depthTags(match).luck(),
    ),
    el(
      "table",
      { class: "sides" },
      el("caption", { class: "unseen" }, t("analyse.jokers")),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["when", "who", "roll"].map((key) =>
            el("th", { scope: "col" }, t(`analyse.joker.${key}`)),
          ),
          match.length === 1
            ? null
            : el("th", { scope: "col" }, term(t("analyse.joker.luck"), "luck")),
          inMatch ? el("th", { scope: "col" }, term(t("analyse.joker.mwc"), "luckMwc")) : null,
        ),
      ),
      el("tbody", {}, rows),
    ),
    more,
  );
}
