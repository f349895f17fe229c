// @ts-check
// The figures of both players: the head of a match, mistakes by kind, PR by kind and class, jokers.
import { byId, el } from "../common/dom.js";
import { decimal, signed } from "../common/format.js";
import { opponentWords } from "../common/net-name.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { withDeepest } from "./analysis.js";
import { chipOf } from "../common/players.js";
import { seatOptions } from "../decision/board-view.js";
import { jokers, mistakeKinds } from "./decisions.js";
import { beforeDeeper, deep, depthTags, headDepth } from "./depth.js";
import { intervalPart } from "./rating.js";
import { resultOf } from "./result.js";
import { scoreboard } from "./scoreboard.js";

/** @typedef {import("./depth.js").Tags} Tags */

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
