// @ts-check
// Why one play is better than another, and why to double or not: the engine's sentences in the
// person's language, the rolls that make the difference, and what differs on the boards.
import { el } from "../common/dom.js";
import { decimal, percent, signed, typeset } from "../common/format.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { known, t } from "../common/words.js";

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
 * A value of a sentence in words.
 *
 * @param {any} value
 * @returns {string | number}
 */
function word(value) {
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const words = value.map(word);
    return words.length < 2
      ? words.join("")
      : `${words.slice(0, -1).join(", ")} ${t("why.and")} ${words.at(-1)}`;
  }
  return "kind" in value ? inWords(value) : decimal(value.number, value.digits);
}

/**
 * A sentence in the person's language.
 *
 * @param {{ kind: string; values: Record<string, any> }} said
 * @returns {string}
 */
export function inWords(said) {
  const values = Object.fromEntries(
    Object.entries(said.values).map(([name, value]) => [name, word(value)]),
  );
  return t(`why.say.${said.kind}`, values);
}

/** @typedef {{ kind: string; values: Record<string, any> }} Said */

/**
 * The sentences about two plays. In a match, the verdict beside them is a share of the match: what
 * the net sees is told without its points.
 *
 * @param {{ said?: Said[]; better: any }} why
 */
export function saidOfPlays({ said = [], better }) {
  if (typeof better.match_winning_chance !== "number") return said;
  return said.map((one) => {
    if (!one.kind.startsWith("themes")) return one;
    const lists = Object.entries(one.values).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((/** @type {Said} */ part) => part.values.name ?? part)
        : value,
    ]);
    return { ...one, values: Object.fromEntries(lists) };
  });
}

/**
 * The sentences about a cube decision; what the market makes in all is the sum of unrounded values.
 *
 * @param {{ said?: Said[]; gain: number; cost: number }} why
 */
export const saidOfCube = ({ said = [], gain, cost }) =>
  said.map((one) =>
    "sum" in one.values && one.kind.startsWith("market")
      ? { ...one, values: { ...one.values, sum: { ...one.values.sum, number: gain - cost } } }
      : one,
  );

/** Sentences that only say how far a play, a double or its answer is ahead. */
const OF_LOSS = [
  "better",
  "close",
  "double-now",
  "redouble-now",
  "wait",
  "wait-redouble",
  "too-good",
  "take",
  "pass",
  "beaver",
  "take-now",
  "pass-now",
  "beaver-now",
];

/**
 * An explanation without the sentences that repeat the loss.
 *
 * @template {{ said?: Said[] | null; sentences: string[] }} W
 * @param {W} why
 * @returns {W}
 */
export const withoutLoss = (why) =>
  without(
    why,
    (kind) => OF_LOSS.includes(kind),
    () => true,
  );

/**
 * An explanation without the sentences that name what the net sees, such as the back checkers: they
 * say neither what is good there nor how much. Where nothing else explains the play, they stay.
 *
 * @template {{ said?: Said[] | null; sentences: string[] }} W
 * @param {W} why
 * @returns {W}
 */
export const withoutThemes = (why) =>
  without(
    why,
    (kind) => kind.startsWith("themes"),
    (kind) => !OF_LOSS.includes(kind),
  );

/**
 * An explanation without some sentences, where what is left explains something.
 *
 * @template {{ said?: Said[] | null; sentences: string[] }} W
 * @param {W} why
 * @param {(kind: string) => boolean} leaves
 * @param {(kind: string) => boolean} explains
 * @returns {W}
 */
function without(why, leaves, explains) {
  const kindOf = (/** @type {number} */ i) => why.said?.[i]?.kind ?? "";
  const keeps = (/** @type {unknown} */ _, /** @type {number} */ i) => !leaves(kindOf(i));
  const isLeft = why.sentences.some((_, i) => keeps(_, i) && explains(kindOf(i)));
  return isLeft
    ? { ...why, sentences: why.sentences.filter(keeps), said: why.said?.filter(keeps) }
    : why;
}

/** Sentences that are told at once; more of them stand behind a click. */
const FIRST = 3;

/**
 * The sentences as a list, the first ones open. A verdict beside them tells the loss, so they begin
 * with the reasons. A kind without words, which a newer server may send, is told in English.
 *
 * @param {{ said?: any[]; sentences: string[] }} told
 * @param {number} first How many are open
 * @param {number} most If no more, none is hidden
 */
export function sentences(told, first = FIRST, most = first + 1) {
  const why = withoutThemes(withoutLoss(told));
  /** @type {HTMLElement[]} */
  const all = [];
  why.sentences.forEach((english, i) => {
    const said = why.said?.[i];
    const isKnown = said && known(`why.say.${said.kind}`) !== null;
    const words = typeset(isKnown ? inWords(said) : english);
    // What the other throws make belongs to those that are named.
    if (said?.kind.startsWith("rest-") && all.length) all[all.length - 1].append(" ", words);
    else all.push(el("li", isKnown ? {} : { lang: "en" }, words));
  });
  // One sentence more is no reason to hide it.
  if (all.length <= most) return el("ul", {}, all);
  return el(
    "div",
    { class: "sentences" },
    el("ul", {}, all.slice(0, first)),
    el(
      "details",
      {},
      el("summary", {}, t("why.more", { n: all.length - first })),
      el("ul", {}, all.slice(first)),
    ),
  );
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
const headOf = (words, plies) =>
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

/**
 * Where a cube decision turns, in per cent of wins of the player who decides. @typedef {{ kind:
 * string, from: number, to: number }} Zone
 */

/**
 * What is right at which winning chances, and those of the position: for the player on roll from
 * waiting to a pass, for the one who answers from pass to take. Null where a sentence lacks.
 *
 * @param {{ kind: string; values: Record<string, any> }[]} said
 * @returns {{ zones: Zone[]; win: number } | null}
 */
export function windowOf(said) {
  const value = (/** @type {string} */ name, /** @type {string[]} */ ...kinds) =>
    said.find(({ kind }) => kinds.some((one) => kind.startsWith(one)))?.values[name]?.number ??
    null;
  const win = value("win", "cube-chances", "own-chances");
  const [double, pass, take] = [
    value("n", "double-from", "wait-below"),
    value("n", "pass-from", "take-below"),
    value("n", "take-until", "take-from"),
  ];
  const zones = (/** @type {[string, number][]} */ ...ends) =>
    ends.map(([kind, to], i) => ({ kind, from: i ? ends[i - 1][1] : 0, to }));
  if (win === null) return null;
  if (take !== null) return { zones: zones(["double-pass", take], ["double-take", 100]), win };
  if (double === null || pass === null || double >= pass) return null;
  return { zones: zones(["no-double", double], ["double-take", pass], ["double-pass", 100]), win };
}

/**
 * The least and the greatest winning chance of the picture, in per cent: what lies beyond is far
 * off.
 *
 * @param {{ zones: Zone[]; win: number }} window
 */
function ends({ zones, win }) {
  const turns = [win, ...zones.slice(1).map(({ from }) => from)];
  return [
    Math.max(0, 10 * Math.floor((Math.min(...turns) - 6) / 10)),
    Math.min(100, 10 * Math.ceil((Math.max(...turns) + 6) / 10)),
  ];
}

/**
 * The window of a cube decision as a bar, in the colours of a score matrix.
 *
 * @param {any} why
 */
function windowPart(why) {
  const found = windowOf(why.said ?? []);
  if (!found) return null;
  const [low, high] = ends(found);
  const at = (/** @type {number} */ chance) =>
    (100 * (Math.max(low, Math.min(high, chance)) - low)) / (high - low);
  const answers = found.zones.length === 2;
  const name = (/** @type {string} */ kind) => t(`scores.kind.${kind}`);
  const short = (/** @type {string} */ kind) =>
    t(
      { "double-pass": "cube.says.pass", "double-take": "cube.says.take" }[kind] ??
        `scores.kind.${kind}`,
    );
  const zones = found.zones.map(({ kind, from, to }) => {
    const zone = el("span", { class: `zone cube-${kind}`, title: name(kind) }, short(kind));
    zone.style.width = `${at(to) - at(from)}%`;
    return zone;
  });
  const tick = (/** @type {number} */ chance, /** @type {string} */ kind) => {
    const made = el("span", { class: kind }, percent(chance / 100));
    made.style.left = `${at(chance)}%`;
    return made;
  };
  const words = found.zones
    .map(
      ({ kind, from, to }) =>
        `${answers ? short(kind) : name(kind)} ${percent(from / 100)}–${percent(to / 100)}`,
    )
    .join("; ");
  return el(
    "figure",
    {
      class: "window",
      role: "img",
      "aria-label": `${t(answers ? "why.window.own" : "why.window")}: ${percent(found.win / 100)}. ${words}`,
    },
    el("figcaption", { class: "small" }, t(answers ? "why.window.own" : "why.window")),
    el("div", { class: "here" }, tick(found.win, "mark")),
    el("div", { class: "zones" }, zones),
    el(
      "div",
      { class: "turns" },
      found.zones.slice(1).map(({ from }) => tick(from, "turn")),
    ),
  );
}

/**
 * What the sequences that lose the market and the others make together, and why the answer is
 * another number.
 *
 * @param {any} why
 */
function marketSum({ said, gain, cost, cube }) {
  if (!said?.some((/** @type {Said} */ { kind }) => kind.startsWith("market"))) return null;
  const own = Math.min(cube.double_take, cube.double_pass) - cube.no_double;
  return el(
    "p",
    { class: "small" },
    t("why.cube.sum", {
      gain: signed(gain),
      cost: signed(-cost),
      sum: signed(gain - cost),
      own: signed(own),
      n: cube.plies,
    }),
  );
}

/**
 * The explanation of a cube decision.
 *
 * @param {any} answer
 */
export function whyCubePart(answer) {
  const why = { ...answer, said: answer.said && saidOfCube(answer) };
  const losing = why.rolls.filter((/** @type {any} */ roll) => roll.lost > 0);
  const rows = losing.map((/** @type {any} */ roll) => [
    roll.dice,
    percent(roll.lost, 0),
    signed(roll.gain),
  ]);
  const says = (/** @type {string} */ start) =>
    why.said?.some((/** @type {Said} */ { kind }) => kind.startsWith(start));
  const ofAnswer = says("own-chances") ? ".answer" : "";
  const name = says("still-pass") || says("pass-now") ? "why.cube.passed" : "why.cube.rolls";
  return el(
    "section",
    { class: "why" },
    headOf(t(`why.cube${ofAnswer}`), why.cube.plies),
    windowPart(why),
    sentences(why),
    rows.length
      ? el(
          "details",
          {},
          el("summary", {}, t(`${name}${ofAnswer}`)),
          table(
            t(`why.cube.caption${ofAnswer}`, { gain: signed(why.gain) }),
            [t("why.roll"), t("why.cube.lost"), t("why.cube.gain")],
            rows,
          ),
          marketSum(why),
        )
      : null,
  );
}
