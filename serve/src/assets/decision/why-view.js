// @ts-check
// Why one play is better than another: the sentences, the rolls that make the difference, and what
// differs on the boards.
import { el } from "../common/dom.js";
import { decimal, signed } from "../common/format.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { known, t } from "../common/words.js";
import { inWords, saidOfPlays, sentences } from "./why-sentences.js";

/** What the server calls a roll without a legal play. */
const NO_REPLY = "(no legal play)";

/** The most rolls of each sign in the table, besides those that the sentences name. */
const ROLLS = 5;

/** The least part of the sum that a roll of the table has. */
const PART = 0.03;

/**
 * Whether a roll cannot move after either play: it says nothing by itself.
 *
 * @param {any} roll
 */
const isStuck = ({ reply_to_better: better, reply_to_worse: worse }) =>
  better === NO_REPLY && worse === NO_REPLY;

/**
 * The rolls of the table: those that the sentences name, and the greatest for either play.
 *
 * @param {any[]} rolls
 * @param {number} sum
 */
export function told(rolls, sum) {
  const great = rolls.filter(
    (roll) => Math.abs(roll.share) >= PART * Math.abs(sum) && !isStuck(roll),
  );
  const first = [1, -1].flatMap((sign) =>
    great
      .filter(({ share }) => share * sign > 0)
      .sort((a, b) => Math.abs(b.share) - Math.abs(a.share))
      .slice(0, ROLLS),
  );
  return rolls.filter((roll) => roll.named || roll.against || first.includes(roll));
}

/**
 * The rolls that are not told, those that cannot move apart: how many they are, and what they make
 * together. All shares of the table add up to the sum.
 *
 * @param {any[]} shown
 * @param {any[]} rolls
 * @param {number} sum
 */
export function restOf(shown, rolls, sum) {
  const others = rolls.filter((roll) => !shown.includes(roll));
  const stuck = others.filter(isStuck);
  const stuckSum = stuck.reduce((all, { share }) => all + share, 0);
  return {
    stuck: { n: stuck.length, share: stuckSum },
    rest: {
      n: others.length - stuck.length,
      share: shown.reduce((left, { share }) => left - share, sum - stuckSum),
    },
  };
}

/**
 * The builders for each point, as the program writes them: `7: 4, 4: 5`.
 *
 * @param {string} text
 */
const buildersIn = (text) =>
  new Map([...text.matchAll(/(\d+): (\d+)/g)].map(([, point, n]) => [point, n]));

/**
 * The builders of two plays, a row for each point where they differ.
 *
 * @param {{ better: string; worse: string }} row
 */
function builderRows({ better, worse }) {
  const both = [better, worse].map(buildersIn);
  const points = [...new Set(both.flatMap((one) => [...one.keys()]))]
    .filter((point) => both[0].get(point) !== both[1].get(point))
    .sort((a, b) => Number(b) - Number(a));
  return points.map((point) => [
    t("why.builders", { point }),
    ...both.map((one) => one.get(point) ?? "0"),
  ]);
}

/**
 * What differs on the two boards, as rows.
 *
 * @param {any[]} rows
 */
export function boardRows(rows) {
  const cell = (/** @type {string} */ text) =>
    /^\d+\.\d$/.test(text) ? decimal(Number(text), 1) : text;
  const name = (/** @type {any} */ row) =>
    known(`why.say.${row.said.kind}`) === null ? row.what : inWords(row.said);
  return rows.flatMap((row) =>
    row.said.kind === "row-builders"
      ? builderRows(row)
      : [[name(row), cell(row.better), cell(row.worse)]],
  );
}

/**
 * A table without its caption, which stands above it already.
 *
 * @param {HTMLElement} made
 */
function bare(made) {
  made.querySelector("p.caption")?.remove();
  return made;
}

/**
 * The title of an explanation with the depth of its figures.
 *
 * @param {string} words
 * @param {number} plies
 */
export const headOf = (words, plies) =>
  el(
    "h3",
    {},
    words,
    " ",
    el("span", { class: "tag" }, term(t("common.ply", { n: plies }), "ply")),
  );

/**
 * What differs on the two boards.
 *
 * @param {any} why
 */
function boards(why) {
  if (!why.rows?.length) return null;
  const isOfBoth = why.rows.some((/** @type {any} */ { better, worse }) =>
    `${better} ${worse}`.includes(" : "),
  );
  const caption = t(isOfBoth ? "why.boards.both" : "why.boards.caption");
  return el(
    "details",
    { class: "differing" },
    el("summary", {}, caption),
    bare(
      table(caption, [t("why.boards.what"), why.better.play, why.worse.play], boardRows(why.rows)),
    ),
  );
}

/**
 * A reply in words: where there was none, that the game was won, or that no play is legal.
 *
 * @param {string | null | undefined} reply
 */
const replyWords = (reply) =>
  reply === NO_REPLY ? t("analyse.cannotMove") : (reply ?? t("why.won"));

/**
 * A point of the replies to say from where they count: where one of them hits, else where one ends.
 *
 * @param {{ reply_to_better?: string | null; reply_to_worse?: string | null }[]} rolls
 * @returns {number | null}
 */
export function pointOfReplies(rolls) {
  const replies = rolls.flatMap(({ reply_to_better: better, reply_to_worse: worse }) => [
    worse ?? "",
    better ?? "",
  ]);
  for (const wanted of [/\/(\d+)\*/, /\/(\d+)/]) {
    const found = replies.map((reply) => wanted.exec(reply)).find((match) => match);
    if (found) return Number(found[1]);
  }
  return null;
}

/**
 * The rolls of the opponent, with what the others and all of them make.
 *
 * @param {any} why
 */
function rollsPart({ rolls: all, rolls_loss: sum, better, worse, plies }) {
  if (!all.length) return null;
  const rolls = told(all, sum);
  const { stuck, rest } = restOf(rolls, all, sum);
  const rows = rolls.map((roll) => [
    roll.dice,
    signed(roll.share),
    replyWords(roll.reply_to_better),
    replyWords(roll.reply_to_worse),
  ]);
  for (const [{ n, share }, reply] of /** @type {const} */ ([
    [stuck, replyWords(NO_REPLY)],
    [rest, ""],
  ]))
    if (n) rows.push([t("why.rolls.rest", { n }), signed(share), reply, reply]);
  rows.push([t("why.rolls.all", { n: all.length }), signed(sum), "", ""]);
  // The sentences count points from the other side than the replies.
  const point = pointOfReplies(rolls);
  const side =
    point === null
      ? ""
      : el("p", { class: "small" }, t("why.side", { theirs: point, own: 25 - point }));
  const loss = better.equity - worse.equity;
  return el(
    "details",
    {},
    el("summary", {}, t("why.rolls.caption")),
    side,
    bare(
      table(
        t("why.rolls.caption"),
        [
          t("why.roll"),
          t("why.share"),
          t("why.afterBetter", { play: better.play }),
          t("why.afterWorse", { play: worse.play }),
        ],
        rows,
      ),
    ),
    signed(loss) === signed(sum)
      ? null
      : el("p", { class: "small" }, t("why.rolls.deeper", { n: plies, loss: decimal(loss, 3) })),
  );
}

/**
 * The explanation of a play. Its better play is that of the search; where a verdict names the other
 * one, it says so first.
 *
 * @param {any} answer
 * @param {string} [named] The best play of a verdict
 */
export function whyPart(answer, named) {
  const why = { ...answer, said: answer.said && saidOfPlays(answer) };
  const words = {
    better: why.better.play,
    worse: why.worse.play,
    n: why.plies,
    by: decimal(why.better.equity - why.worse.equity, 3),
  };
  const reversed = why.worse.play === named;
  return el(
    "section",
    { class: "why", "data-loss": `${why.better.equity - why.worse.equity}` },
    headOf(t(reversed ? "why.title.reversed" : "why.title", words), why.plies),
    reversed ? el("p", { "data-reversed": "" }, t("why.reversed", words)) : null,
    sentences(why),
    rollsPart(why),
    boards(why),
  );
}
