// @ts-check
// The tests of new positions: the answers of one, and how tests differ.
import { cubeWords } from "../common/cube-words.js";
import { el } from "../common/dom.js";
import { decimal, signed } from "../common/format.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { language, t } from "../common/words.js";

/** @typedef {{ time: number, seed: number, questions: number, right: number, loss: number, half: number | null }} Result */
/** @typedef {{ results: Result[], change?: [number, number] | null }} Tests */

const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" });

/** A mean loss with half of its interval. @param {Result} result */
const lossOf = ({ loss, half }) => (half === null ? decimal(loss, 3) : `${decimal(loss, 3)} ± ${decimal(half, 3)}`);

/** The difference between the last test and the first, in words. @param {[number, number]} change */
export function changeWords([mean, half]) {
  const key = Math.abs(mean) <= half ? "unsure" : mean < 0 ? "better" : "worse";
  return t(`practise.test.${key}`, { change: signed(mean), half: decimal(half, 3) });
}

/** The results of all tests. @param {Tests} tests @returns {HTMLElement[]} */
export function testsPart({ results, change }) {
  if (!results.length) return [];
  const rows = results.map((one) => [day.format(1000 * one.time), `${one.right}/${one.questions}`, lossOf(one)]);
  const made = table(t("practise.tests"), [t("practise.test.day"), t("practise.test.right"), term(t("practise.test.loss"), "loss")], rows);
  return [made, el("p", { class: "small" }, change ? changeWords(change) : t("practise.test.first"))];
}

/** What a test says at its end. @param {any} state @param {Tests} tests */
export function testPart({ result, answers }, tests) {
  const inWords = (/** @type {string} */ decision) => (/\d/.test(decision) ? decision : cubeWords(decision));
  const rows = answers.map((/** @type {any} */ one, /** @type {number} */ i) => [el("a", { href: `/position?id=${encodeURIComponent(one.xgid)}`, title: t("practise.test.look") }, `${i + 1}`), inWords(one.answer), inWords(one.best), decimal(one.loss, 3)]);
  return [
    el("h2", {}, t("practise.test.end", { right: result.right, n: result.questions })),
    el("p", {}, t("practise.test.told", { loss: lossOf(result), seed: result.seed })),
    tests.change ? el("p", {}, changeWords(tests.change)) : null,
    table(t("practise.test.answers"), [t("practise.test.number"), t("practise.isAnswer"), t("practise.test.best"), t("practise.test.lost")], rows),
    el("p", { class: "small" }, t("practise.test.cards")),
  ].filter((part) => part !== null);
}
