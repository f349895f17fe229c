// @ts-check
// The verdict on an answer: its mark, the best decision, the equities, and the reasons.
import { postWhenFree } from "../common/api.js";
import { isRedouble } from "../decision/board-view.js";
import { badge } from "../decision/verdict-view.js";
import { byDepth } from "../decision/plays-table.js";
import { markOf } from "../decision/decision.js";
import { saidOfCube, saidOfPlays, sentences } from "../decision/why-sentences.js";
import { cubeWords, withoutAnswer } from "../common/cube-words.js";
import { el, loading, sentence } from "../common/dom.js";
import { decimal, isNothing, percent, signed } from "../common/format.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { lineOfCall } from "./judgement.js";
import { ideaName, kindName } from "./kinds.js";
import { isToOne } from "./question.js";

/**
 * A loss in the unit of its question: per cent of a match to one point, else points.
 *
 * @param {number} loss
 * @param {boolean} toOne
 */
export const lossIn = (loss, toOne) =>
  toOne
    ? t("practise.loss.match", { share: percent(loss / 2) })
    : t("practise.loss.points", { loss: decimal(loss, 3) });

/**
 * What a verdict says of the answer.
 *
 * @param {any} verdict
 * @param {string} xgid
 */
export function headOf({ right, loss, answer }, xgid) {
  const words = {
    answer: /\d/.test(answer) ? answer : cubeWords(answer, isRedouble({ xgid })),
    loss: lossIn(loss, isToOne(xgid)),
  };
  return t(
    !right ? "practise.wrong" : !isNothing(loss) ? "practise.rightLost" : "practise.right",
    words,
  );
}

/**
 * How good an answer was, as its mark says it.
 *
 * @param {{ right: boolean; loss: number }} verdict
 */
export const gradeOf = ({ right, loss }) =>
  right ? "right" : ({ "?!": "doubtful", "?": "bad", "??": "veryBad" }[markOf(loss)] ?? "wrong");

/**
 * The head of a verdict: its mark, and what it says.
 *
 * @param {any} verdict
 * @param {string} xgid
 */
const headPart = (verdict, xgid) =>
  el(
    "h2",
    { class: verdict.right ? "right" : "wrong" },
    badge(markOf(verdict.loss)),
    " ",
    headOf(verdict, xgid),
  );

/**
 * Reasons for a play that stand open below an answer; those for a cube decision are short, and all
 * stand open.
 */
const REASONS = 2;

/** The deepest reasons of a cube decision that the server has. */
const DEEPEST_WHY = 3;

/**
 * Why a cube decision is right, once the server has told it.
 *
 * @param {string} xgid
 * @param {number} plies The depth of the verdict
 */
function whyOfCube(xgid, plies) {
  const place = el("div", {}, loading(t("why.cube.working")));
  postWhenFree("/why/cube", { id: xgid, ply: plies })
    .then((why) => place.replaceChildren(sentences({ ...why, said: saidOfCube(why) }, Infinity)))
    .catch(() => place.replaceChildren());
  return place;
}

/**
 * The equities of the decisions of a question, with the answer and what the match had.
 *
 * @param {any} verdict
 * @param {{ asks: string; xgid: string }} card
 * @param {boolean} isOwn Whether the question is no new position
 * @param {(decision: string) => string} inWords
 */
function figuresOf(verdict, { asks, xgid }, isOwn, inWords) {
  const [isPlay, toOne] = [asks === "play", isToOne(xgid)];
  const { equities } = verdict;
  // The answer is marked, and what the match had.
  const tags = (/** @type {string} */ decision) =>
    [
      decision === line(verdict.answer) ? "practise.isAnswer" : "",
      isOwn && decision === line(verdict.made) ? "practise.isMade" : "",
    ]
      .filter(Boolean)
      .map((key) => [" ", el("span", { class: "tag" }, t(key))])
      .flat();
  const line = (/** @type {string} */ decision) =>
    isPlay ? decision : lineOfCall(decision, equities);
  const sorted = isPlay ? byDepth(equities) : equities;
  const rows = sorted.map((/** @type {any} */ one) => [
    el("span", {}, inWords(one.decision), tags(one.decision)),
    `${one.plies < sorted[0].plies ? "≈ " : ""}${toOne ? percent((1 + one.equity) / 2) : signed(one.equity)}`,
    one.games ? t("analyse.byRollout", { n: one.games }) : t("common.ply", { n: one.plies }),
  ]);
  const figures = table(
    t(toOne ? "practise.chancesOnly" : "practise.equitiesOnly"),
    [
      t("practise.decision"),
      toOne ? term(t("table.matchWon"), "mwc") : term(t("table.equity"), "equity"),
      term(t("practise.depth"), "ply"),
    ],
    rows,
  );
  figures.querySelectorAll("tbody tr").forEach((row, i) => {
    if (i && sorted[i].plies < sorted[i - 1].plies)
      row.before(
        el(
          "tr",
          { class: "rule" },
          el("td", { colspan: 3 }, t("analyse.shallow.rule", { n: sorted[i].plies })),
        ),
      );
  });
  return figures;
}

/**
 * The verdict.
 *
 * @param {any} verdict
 * @param {any} next The button that goes on
 * @param {{ asks: string; xgid: string }} card The asked card
 * @param {HTMLElement} more A place for what comes later
 * @param {boolean} isLast Whether the round does not ask it again
 */
export function verdictPart(verdict, next, card, more, isLast = false) {
  const { asks, xgid } = card;
  const [isPlay, toOne] = [asks === "play", isToOne(xgid)];
  const { right, equities, why, kind, made_loss: cost, opponent, game, roll, days } = verdict;
  const isOwn = game !== null; // Not a new position.
  const inWords = (/** @type {string} */ decision) =>
    isPlay ? decision : cubeWords(decision, isRedouble({ xgid }));
  // Who answers a double is told the answer alone.
  const [best, made] = [
    asks === "take" ? verdict.best.split(", ").at(-1) : withoutAnswer(verdict.best),
    verdict.made,
  ].map(inWords);
  const from = isOwn
    ? t("practise.from", { opponent, game, roll, made, loss: lossIn(cost, toOne) })
    : `${t("practise.fresh")}.`;
  const depth = isPlay ? why?.plies : Math.min(DEEPEST_WHY, equities[0].plies);
  const later = days === null ? t("practise.noCard") : t("practise.again", { n: days });
  return [
    headPart(verdict, xgid),
    inWords(verdict.answer) === best ? null : el("p", {}, t("practise.best", { best })),
    el("p", {}, next),
    more,
    figuresOf(verdict, card, isOwn, inWords),
    // Reasons of another depth than the figures say which.
    depth && depth !== equities[0].plies
      ? el(
          "p",
          { class: "small" },
          t("practise.reasons"),
          " ",
          term(t("common.ply", { n: depth }), "ply"),
        )
      : null,
    why
      ? sentences({ ...why, said: saidOfPlays(why) }, REASONS, REASONS)
      : isPlay
        ? null
        : whyOfCube(xgid, depth),
    el(
      "p",
      { class: "small" },
      term(
        sentence(isOwn && verdict.answer === verdict.made ? kindName(kind) : ideaName(kind)),
        "plan",
      ),
      ". ",
      from,
    ),
    el("p", { class: "small" }, right || isLast ? later : t("practise.againNow")),
  ].filter(Boolean);
}
