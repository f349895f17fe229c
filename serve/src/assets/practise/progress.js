// @ts-check
// How answers go over time, and the cards that are missed again and again.
import { lineChart } from "../common/chart.js";
import { byId, el, sentence } from "../common/dom.js";
import { decimal, percent } from "../common/format.js";
import { table } from "../common/tables.js";
import { known, t } from "../common/words.js";
import { cardOf } from "./test.js";
import { kindName } from "./kinds.js";

/** @typedef {{ time: number; answers: number; right: number }} Block */
/** @typedef {{ name: string; blocks: Block[] }} Course */
/**
 * @typedef {{
 *   name: string;
 *   earlier: [number, number] | null;
 *   later: [number, number] | null;
 * }} Halves
 */
/** @typedef {{ xgid: string; kind: string; wrong: number; answers: number }} Missed */

/** From `FEW` answers on there is a curve; from `MANY` on, two halves are compared. */
const [FEW, MANY] = [10, 20];

/**
 * What is answered: cards or new positions.
 *
 * @param {string} name
 */
const subject = (name) => known(`practise.course.${name.replace(" ", "-")}`) ?? name;

/**
 * The shares of right answers as points of a curve over the answers so far.
 *
 * @param {Course["blocks"]} blocks
 */
export function pointsOf(blocks) {
  let n = 0;
  return blocks.map(({ answers, right }) => [(n += answers), (100 * right) / answers]);
}

/**
 * The share of right answers in a sentence: all of them, or the first ones and the last ones.
 *
 * @param {Course} course
 */
export function courseWords({ name, blocks }) {
  const share = (/** @type {{ answers: number; right: number }} */ { answers, right }) =>
    percent(right / answers, 0);
  const [first, last] = [blocks[0], blocks[blocks.length - 1]];
  const words = {
    what: subject(name),
    n: first.answers,
    first: share(first),
    m: last.answers,
    last: share(last),
  };
  return sentence(t(blocks.length > 1 ? "practise.course.change" : "practise.course.one", words));
}

/**
 * @param {Course[]} course
 * @returns {(HTMLElement | null)[]}
 */
function coursePart(course) {
  const series = course
    .filter(({ blocks }) => blocks.length > 1)
    .map(({ name, blocks }, i) => ({
      name: subject(name),
      points: pointsOf(blocks),
      dots: true,
      colour: i,
    }));
  const chart = series.length
    ? lineChart({
        title: t("practise.course"),
        x: t("practise.course.answers"),
        y: t("practise.course.right"),
        series,
        range: [0, 100],
        whole: true,
        tall: 190,
        wide: Math.max(240, byId("deck").clientWidth - 32),
      })
    : null;
  return [
    chart ?? el("h3", {}, t("practise.course")),
    ...course.map((one) => el("p", { class: "small" }, courseWords(one))),
    el("p", { class: "small" }, t("practise.course.chance")),
  ];
}

/** @param {Halves[]} answers */
function lossPart(answers) {
  const both = answers.filter(
    ({ earlier, later }) =>
      earlier && later && Number.isFinite(earlier[1]) && Number.isFinite(later[1]),
  );
  const cell = (/** @type {[number, number] | null} */ value) =>
    value ? `${decimal(value[0], 3)} ± ${decimal(value[1], 3)}` : "–";
  return both.length
    ? table(
        t("practise.course.loss"),
        ["", t("practise.course.earlier"), t("practise.course.later")],
        both.map(({ name, earlier, later }) => [subject(name), cell(earlier), cell(later)]),
      )
    : null;
}

/**
 * @param {Missed[]} missed
 * @param {(which: string | null) => void} ask Asks one of the cards, or all
 */
function missedPart(missed, ask) {
  const name = (/** @type {Missed} */ { xgid, kind }) =>
    `${cardOf(xgid).dice?.join("") ?? t("play.review.cube")}: ${kindName(kind)}`;
  const rows = missed.map((one) =>
    el(
      "li",
      {},
      el("button", { type: "button", class: "link", onclick: () => ask(one.xgid) }, name(one)),
      " · ",
      t("practise.missed.times", { wrong: one.wrong, answers: one.answers }),
    ),
  );
  // While a question is open, the kinds of mistakes would tell its answer.
  return el(
    "div",
    { class: "answered" },
    el("h3", {}, t("practise.missed")),
    el("ul", { class: "small" }, rows),
    el(
      "p",
      { class: "tools" },
      el(
        "button",
        { type: "button", id: "missed", onclick: () => ask(null) },
        t("practise.missed.ask", { n: missed.length }),
      ),
    ),
  );
}

/**
 * The progress of a deck; nothing before the first answers.
 *
 * @param {{ course: Course[]; progress: { answers: Halves[] }; missed: Missed[] }} overview
 * @param {(which: string | null) => void} askMissed
 * @returns {(HTMLElement | null)[]}
 */
export function progressPart({ course, progress, missed }, askMissed) {
  const answers = course
    .flatMap(({ blocks }) => blocks)
    .reduce((sum, block) => sum + block.answers, 0);
  return [
    ...(answers >= FEW ? coursePart(course) : []),
    answers >= MANY ? lossPart(progress.answers) : null,
    missed.length ? missedPart(missed, askMissed) : null,
  ];
}
