// @ts-check
// The tests of new positions: what a test is, its answers one by one, and how tests differ.
import { cubeWords, withoutAnswer } from "../common/cube-words.js";
import { attempt, byId, el, loading, sentence } from "../common/dom.js";
import { dayOf, decimal, signed } from "../common/format.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { flipped } from "../board/position.js";
import { isOfO, readXgid } from "../position/xgid.js";
import { askWhy } from "../decision/questions.js";
import { badge } from "../decision/verdict-view.js";
import { markOf } from "../decision/decision.js";
import { isRedouble } from "../decision/board-view.js";
import { WRONG } from "./judgement.js";
import { ideaName } from "./kinds.js";
import { arrowsOf, askedOf, drawQuestion } from "./question.js";
import { showEnd } from "./round-end.js";
import { lossIn } from "./verdict.js";

/**
 * @typedef {{
 *   time: number;
 *   seed: number;
 *   questions: number;
 *   right: number;
 *   loss: number;
 *   half: number | null;
 * }} Result
 */
/** @typedef {{ results: Result[]; change?: [number, number] | null }} Tests */

/**
 * A mean loss with half of its interval.
 *
 * @param {Result} result
 */
const lossOf = ({ loss, half }) =>
  half === null ? decimal(loss, 3) : `${decimal(loss, 3)} ± ${decimal(half, 3)}`;

/**
 * The difference between the last test and the first, in words.
 *
 * @param {[number, number]} change
 */
export function changeWords([mean, half]) {
  const key = Math.abs(mean) <= half ? "unsure" : mean < 0 ? "better" : "worse";
  return t(`practise.test.${key}`, { change: signed(mean), half: decimal(half, 3) });
}

/**
 * The results of all tests.
 *
 * @param {Tests} tests
 * @returns {HTMLElement[]}
 */
export function testsPart({ results, change }) {
  if (!results.length) return [];
  const rows = results.map((one) => [
    dayOf(one.time),
    `${one.right}/${one.questions}`,
    lossOf(one),
  ]);
  const made = table(
    t("practise.tests"),
    [t("practise.test.day"), t("practise.test.right"), term(t("practise.test.loss"), "loss")],
    rows,
  );
  return [
    made,
    el("p", { class: "small" }, change ? changeWords(change) : t("practise.test.first")),
  ];
}

/**
 * A decision of a question in words: a play as it is written.
 *
 * @param {{ xgid: string }} question
 * @param {string} decision
 */
const inWords = ({ xgid }, decision) =>
  /\d/.test(decision) ? decision : cubeWords(withoutAnswer(decision), isRedouble({ xgid }));

/**
 * What a test is, before it begins.
 *
 * @param {string} what
 * @param {() => void} begin
 * @param {() => void} back
 * @param {(() => void) | null} review Shows the answers of the test before
 */
export const testIntro = (what, begin, back, review) => [
  el("h2", {}, t("practise.test")),
  el("p", {}, what),
  el("p", {}, t("practise.test.told.at.end")),
  el(
    "p",
    { class: "tools" },
    el("button", { type: "button", class: "main", onclick: begin }, t("practise.test.begin")),
    el("button", { type: "button", class: "quiet", onclick: back }, t("practise.test.toCards")),
    review &&
      el(
        "button",
        { type: "button", class: "quiet", onclick: review },
        t("practise.test.seeAgain"),
      ),
  ),
];

/** Where the browser keeps the answers of the last test, to be looked at again. */
const KEY = "nonet-practise-test";

/**
 * @param {string} player
 * @param {any} state
 */
export function keepTest(player, state) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ player, state }));
  } catch {
    /* A browser that keeps nothing: they are told once. */
  }
}

/**
 * The last test of a player; null without one.
 *
 * @param {string} player
 */
export function keptTest(player) {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return kept.player === player && Array.isArray(kept.state?.answers) ? kept.state : null;
  } catch {
    return null; // Not ours, or cut short.
  }
}

/** PR is this number times the mean loss of a decision. */
const PR = 500;

/**
 * What a test says at its end; a row shows its question on the board.
 *
 * @param {any} state
 * @param {Tests} tests
 * @param {(at: number) => void} look
 */
function testPart({ result, answers }, tests, look) {
  const rows = answers.map((/** @type {any} */ one, /** @type {number} */ i) => [
    el(
      "button",
      {
        type: "button",
        class: "link",
        "data-question": i,
        title: t("practise.test.look"),
        onclick: () => look(i),
      },
      `${i + 1}`,
    ),
    cardOf(one.xgid).dice?.join("") ?? t("play.review.cube"),
    inWords(one, one.answer),
    inWords(one, one.best),
    el("span", {}, badge(markOf(one.loss)), " ", signed(-one.loss)),
  ]);
  return [
    el("h2", {}, t("practise.test.end", { right: result.right, n: result.questions })),
    el(
      "p",
      {},
      t("practise.test.mean", { loss: lossOf(result), pr: decimal(PR * result.loss, 1) }),
    ),
    tests.change ? el("p", {}, changeWords(tests.change)) : null,
    el("p", {}, t("practise.test.rule", { n: decimal(WRONG, 2) }), " ", t("practise.test.review")),
    table(
      t("practise.test.answers"),
      [
        t("practise.test.number"),
        t("practise.test.roll"),
        t("practise.isAnswer"),
        t("practise.test.best"),
        t("practise.test.lost"),
      ],
      rows,
    ),
    result.right < result.questions ? el("p", { class: "small" }, t("practise.test.cards")) : null,
    el(
      "details",
      { class: "small" },
      el("summary", {}, t("practise.test.drawn")),
      t("practise.test.seed", { seed: result.seed }),
    ),
  ].filter((part) => part !== null);
}

/**
 * The question of an answer as a card shows it, read from its XGID: X is the person.
 *
 * @param {string} xgid
 */
export function cardOf(xgid) {
  const fields = /** @type {import("../position/xgid.js").Fields} */ (readXgid(xgid));
  const isOther = isOfO(xgid);
  const owner = isOther ? -fields.owner : fields.owner;
  return {
    xgid,
    board: isOther ? flipped(fields.board) : fields.board,
    cube: 2 ** fields.cube,
    owner: owner > 0 ? "you" : owner < 0 ? "other" : null,
    dice: fields.dice ? [Number(fields.dice[0]), Number(fields.dice[1])] : null,
    asks: fields.dice ? "play" : fields.offered ? "take" : "double",
  };
}

/** The depth of an explanation. */
const WHY_PLY = 3;

/** The answers of a test, one by one with its board. */
class Review {
  /**
   * @param {any[]} answers
   * @param {(card: any, one: any) => void} draw Puts a question with an answer on the board
   */
  constructor(answers, draw) {
    this.answers = answers;
    this.draw = draw;
  }

  /** Shows the first answer that was not the best. */
  begin() {
    this.show(
      Math.max(
        0,
        this.answers.findIndex((one) => one.answer !== one.best),
      ),
      false,
    );
  }

  /**
   * @param {number} at
   * @param {boolean} isAsked Whether a click asks for it
   */
  show(at, isAsked = true) {
    const { answers } = this;
    const [one, card] = [answers[at], cardOf(answers[at].xgid)];
    this.draw(card, one);
    const [answer, best] = [one.answer, one.best].map((what) => inWords(one, what));
    const isRight = one.loss < WRONG;
    const place = el("div", {});
    const button = (
      /** @type {string} */ key,
      /** @type {string} */ shortcut,
      /** @type {() => void} */ onclick,
      disabled = false,
    ) => el("button", { type: "button", "aria-keyshortcuts": shortcut, onclick, disabled }, t(key));
    const buttons = [
      button("practise.test.earlier", "p", () => this.show(at - 1), at === 0),
      button("practise.test.later", "n", () => this.show(at + 1), at === answers.length - 1),
      button("why", "w", () => this.explain(card, one, place)),
      el(
        "a",
        { class: "button", href: `/position?id=${encodeURIComponent(one.xgid)}` },
        t("analyse.openPosition"),
      ),
    ];
    byId("verdict").replaceChildren(
      el("p", { class: "small" }, t("practise.test.question", { n: at + 1, of: answers.length })),
      el(
        "h2",
        { class: isRight ? "right" : "wrong" },
        badge(markOf(one.loss)),
        " ",
        answer === best
          ? t("practise.right", { answer })
          : t(isRight ? "practise.rightLost" : "practise.wrong", {
              answer,
              loss: lossIn(one.loss, false),
            }),
      ),
      ...(answer === best ? [] : [el("p", {}, t("practise.best", { best }))]),
      el("p", { class: "tools" }, buttons),
      place,
      el("p", { class: "small" }, `${sentence(ideaName(one.kind))}.`),
    );
    for (const row of byId("end").querySelectorAll("tbody tr"))
      row.classList.toggle(
        "looked",
        Number(row.querySelector("[data-question]").dataset.question) === at,
      );
    if (isAsked && byId("board").getBoundingClientRect().top < 0) byId("asked").scrollIntoView();
  }

  /**
   * Says why the best decision is better.
   *
   * @param {any} card
   * @param {any} one
   * @param {HTMLElement} place
   */
  explain({ xgid, asks, dice }, { answer }, place) {
    place.replaceChildren(loading(t(asks === "play" ? "why.working" : "why.cube.working")));
    const decision = asks === "play" ? { dice: dice.join(""), played: answer, plays: [] } : {};
    attempt(async () =>
      place.replaceChildren(
        await askWhy(
          /** @type {any} */ ({ xgid, decision }),
          WHY_PLY,
          new AbortController().signal,
        ),
      ),
    ).finally(() => place.querySelector(".loading")?.remove());
  }
}

/**
 * All answers of a test that is over, with the board that shows them.
 *
 * @param {any} state
 * @param {Tests} tests
 * @param {string} player
 * @param {import("../board/board.js").Board} board
 * @param {HTMLElement} back The button that leaves them
 */
export function reviewTest(state, tests, player, board, back) {
  const review = new Review(state.answers, (card, one) => {
    byId("board").hidden = false;
    drawQuestion(board, player, card, card.board, {
      dice: card.dice,
      arrows: card.asks === "play" ? arrowsOf(one) : [],
    });
    byId("question").textContent = askedOf(card);
  });
  showEnd(...testPart(state, tests, (at) => review.show(at)), el("p", { class: "tools" }, back));
  byId("told").prepend(byId("verdict"), byId("end"));
  review.begin();
}
