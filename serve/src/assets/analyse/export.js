// @ts-check
// The page of a match as a file: what the page of the analysis shows, in its words and its
// language, without scripts. The deepest answers rule it, too.
import { el } from "../common/dom.js";
import { isNothing } from "../common/format.js";
import { t, language } from "../common/words.js";
import { withDeepest } from "./analysis.js";
import { withVerdict } from "../decision/answers.js";
import { chipOf, colourOf } from "../common/players.js";
import {
  boardState,
  pointsBefore,
  seatBelow,
  sidesOf,
  titleOf,
  turnedAround,
} from "../decision/board-view.js";
import { courseChart } from "./course.js";
import { shareOf } from "../decision/decision.js";
import { decisionView } from "../decision/decision-view.js";
import { betterOf, decisionName, lossWithHalf, valueInWords } from "../decision/decision-words.js";
import { entriesOf, filtered, NO_FILTER } from "./decisions.js";
import { depthTags, headDepth } from "./depth.js";
import { gameEnds, resultOf } from "./result.js";
import { rolloutPart } from "../decision/rollout-view.js";
import { scoreboard } from "./scoreboard.js";
import { documentText, still, styles } from "./still.js";
import { StillBoards } from "../decision/still-board.js";
import { byGroup, byMistake, jokerTable } from "./summary.js";
import { badge, verdict } from "../decision/verdict-view.js";

/** @typedef {import("../decision/decision.js").Entry} Entry */
/** @typedef {ReturnType<typeof import("../decision/answers.js").answersOf>} Answers */

/** The mistakes in the list at the top. */
const WORST = 12;
/**
 * How wide the chart is, on screens and on phones.
 *
 * @type {[string, number][]}
 */
const CHARTS = [
  ["wide", 1000],
  ["narrow", 340],
];

/**
 * The name of a decision in addresses of the page.
 *
 * @param {Entry} entry
 */
const anchor = ({ game, index }) => `g${game + 1}d${index}`;

/**
 * A part with its heading.
 *
 * @param {string} id
 * @param {string} title
 * @param {any[]} parts
 */
const part = (id, title, ...parts) =>
  el("section", { class: "card", id }, el("h2", {}, title), ...parts);

/**
 * The worst mistakes with links to their boards.
 *
 * @param {Entry[]} judged
 * @param {any} match
 */
function worst(judged, match) {
  const mistakes = filtered(judged, { ...NO_FILTER, show: "mistakes", order: "worst" });
  if (!mistakes.length) return el("p", {}, t("analyse.noMistakes"));
  return el(
    "ol",
    { class: "worst" },
    mistakes.slice(0, WORST).map((entry) => {
      const { decision, undecided } = entry;
      const right = undecided ? null : betterOf(decision);
      return el(
        "li",
        {},
        badge(decision.mark, undecided),
        " ",
        el("span", { class: "lost" }, lossWithHalf(decision, shareOf(decision) !== null)),
        " ",
        chipOf(match.names, decision.player),
        `${match.names[decision.player]} `,
        el("a", { href: `#${anchor(entry)}` }, decisionName(decision)),
        " ",
        el(
          "span",
          { class: "small" },
          right ? `${t("analyse.better")} ${right} · ` : "",
          t("analyse.turn", { game: entry.game + 1, turn: decision.roll }),
        ),
      );
    }),
  );
}

/**
 * A decision with its board. It is open if it is a mistake, or if it has a note, a rollout or other
 * answers.
 *
 * @param {Entry} entry
 * @param {{
 *   match: any;
 *   answers: Answers;
 *   boards: StillBoards;
 *   below: string;
 *   asked: (entry: Entry) => Element[];
 * }} given
 */
function block(entry, { match, answers, boards, below, asked }) {
  const { decision } = entry;
  const judged = answers.judgedOf(entry);
  const what = judged.analysed;
  const inMatch = match.length !== null;
  const name = match.names[decision.player];
  const [rolled, note, more] = [answers.rolledOf(entry), answers.noteOf(entry), asked(entry)];
  const summary = el(
    "summary",
    {},
    el("span", { class: "no" }, `${decision.roll}`),
    chipOf(match.names, decision.player),
    `${name} `,
    el("b", {}, decisionName(decision)),
    " ",
    badge(what.mark, judged.undecided),
    !isNothing(what.loss)
      ? el("span", { class: what.mark ? "lost" : "soft" }, ` ${lossWithHalf(what)}`)
      : null,
    note ? " ✎" : null,
  );
  const seat = seatBelow(decision, below);
  const state = boardState(what, judged);
  const picture = boards.picture(seat === decision.player ? state : turnedAround(state), {
    colour: colourOf(match.names, seat),
    turned: seat !== decision.player,
    label: t("analyse.boardLabel", { name: match.names[seat] }),
  });
  const [above, under] = sidesOf(decision, match.names, below);
  const inMind = decisionView(decision, {
    plies: match.plies,
    cubePlies: match.cube_plies,
    inMatch,
    deeper: answers.deeperOf(entry),
    look: () => {},
  });
  return el(
    "details",
    {
      class: "decision-of card",
      id: anchor(entry),
      open: Boolean(what.mark || note || rolled || more.length),
    },
    summary,
    el(
      "div",
      { class: "board-and-words" },
      el(
        "figure",
        {},
        el("p", { class: "side" }, above),
        picture,
        el("p", { class: "side" }, under),
      ),
      el(
        "div",
        { class: "panel" },
        el(
          "p",
          { class: "small where" },
          el("span", {}, titleOf(decision, name)),
          el("span", {}, valueInWords(what, match.names)),
        ),
        still(verdict(judged, inMatch)),
        note ? el("p", { class: "note" }, note) : null,
        rolled ? el("div", {}, rolloutPart({ ...rolled, kept: false }, decision).map(still)) : null,
        judged.plies === null ? el("p", { class: "small" }, t("analyse.before.rollout")) : null,
        still(inMind),
        more.map(still),
        el("p", { class: "ids" }, decision.xgid),
      ),
    ),
  );
}

/**
 * The head of a game: its number, the score before it, how it ended.
 *
 * @param {any} match
 * @param {number} game
 */
function gameHead(match, game) {
  const score = match.length === null ? null : pointsBefore(match.games[game]);
  return [
    t("analyse.game", { n: game + 1 }),
    score
      ? t("analyse.scoreBefore", {
          first: match.names[0],
          points: score[0],
          second: match.names[1],
          other: score[1],
        })
      : "",
    gameEnds(match)[game],
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * The page of a match as a text. `asked` has the explanations and score matrices of a decision that
 * are there.
 *
 * @param {{
 *   match: any;
 *   answers: Answers;
 *   below: string;
 *   asked: (entry: Entry) => Element[];
 * }} given
 */
export function exportedPage({ match, answers, below, asked }) {
  const all = entriesOf(match);
  const judged = all.map((entry) => withVerdict(entry, answers.judgedOf(entry)));
  const boards = new StillBoards();
  try {
    const charts = CHARTS.map(([name, wide]) =>
      el(
        "div",
        { class: name },
        still(
          courseChart({
            all: judged,
            names: match.names,
            inMatch: match.length !== null,
            ends: gameEnds(match),
            now: null,
            wide,
            pick: () => {},
            link: (entry) => `#${anchor(entry)}`,
          }).figure,
        ),
      ),
    );
    const games = match.games.map((/** @type {any} */ _, /** @type {number} */ game) =>
      el(
        "section",
        { id: `game${game + 1}` },
        el("h2", {}, gameHead(match, game)),
        all
          .filter((entry) => entry.game === game)
          .map((entry) => block(entry, { match, answers, boards, below, asked })),
      ),
    );
    const links = [
      ["worst", t("analyse.worst")],
      ["course", t("analyse.course")],
      ["figures", t("analyse.summary")],
      ...match.games.map((/** @type {any} */ _, /** @type {number} */ game) => [
        `game${game + 1}`,
        t("analyse.game", { n: game + 1 }),
      ]),
    ];
    const [tags, deepest] = [depthTags(match, all, judged), withDeepest(match, all, judged)];
    const figures = [
      part("players", t("analyse.summary"), still(scoreboard(deepest, judged, tags))),
      part("mistakes", t("analyse.mistakesTitle"), still(byMistake(match, judged, () => {}, tags))),
      part(
        "jokers",
        t("analyse.jokers"),
        still(
          jokerTable(
            match,
            all,
            () => {},
            (entry) => `#${anchor(entry)}`,
          ),
        ),
      ),
      part("kinds", t("analyse.byKind"), still(byGroup(deepest, "by_kind", tags))),
      part("classes", t("analyse.byClass"), still(byGroup(deepest, "by_class", tags))),
    ];
    const main = el(
      "main",
      {},
      el(
        "div",
        { class: "titles" },
        el("h1", {}, match.names.join(" – ")),
        el(
          "p",
          {},
          `${match.length ? t("analyse.matchTo", { n: match.length }) : t("analyse.money")} · ${resultOf(match)} `,
          el("span", { class: "tag" }, headDepth(match)),
        ),
      ),
      el(
        "nav",
        {},
        links.map(([id, text]) => el("a", { href: `#${id}` }, text)),
      ),
      part("worst", t("analyse.worst"), worst(judged, match)),
      part("course", t("analyse.course"), charts),
      el("div", { class: "figures", id: "figures" }, figures),
      games,
      part(
        "how",
        t("analyse.how"),
        ["loss", "pr", "luck"].map((key) => el("p", {}, t(`analyse.how.${key}`))),
      ),
    );
    main.prepend(boards.shared);
    return documentText({ title: match.names.join(" – "), language, style: styles(), main });
  } finally {
    boards.end();
  }
}
