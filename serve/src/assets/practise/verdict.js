// @ts-check
// What an answer was worth, what its analysis says of it, and the deck in numbers.
import { get, postWhenFree } from "../common/api.js";
import { setting } from "../common/settings.js";
import { offOf, pipsOf } from "../board/position.js";
import { answersOf, placeOfCard, prepared } from "../analyse/answers.js";
import { chip, isRedouble, isYou } from "../analyse/board-view.js";
import { badge, byDepth } from "../analyse/decision-view.js";
import { MARKS, markOf } from "../analyse/decisions.js";
import { keptIn } from "../analyse/verdicts.js";
import { saidOfCube, saidOfPlays, sentences } from "../analyse/why-view.js";
import { stepsOf } from "../board/notation.js";
import { cubeWords, hasCube, withoutAnswer } from "../common/cube-words.js";
import { rulesOf } from "../position/xgid.js";
import { otherName } from "./drawing.js";
import { byId, el, loading, say, sentence } from "../common/dom.js";
import { decimal, isNothing, percent, signed, wholePercents, written } from "../common/format.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";

/**
 * @typedef {{
 *   name: string;
 *   mistakes: number;
 *   loss: number;
 *   share: number;
 *   interval: [number, number];
 * }} Share
 */

/** Mistakes from which on shares have an interval; fewer are counted instead. */
const ENOUGH = 20;

/** Kinds with a name that wants its meaning. @type {Record<string, string>} */
const MEANINGS = {
  "other play": "positional",
  containment: "containment",
  "other positions": "otherContact",
  "back game": "backGame",
  "holding game": "holdingGame",
  blitz: "blitz",
  "missed anchor": "anchor",
  "broke anchor": "anchor",
  "wrong anchor": "anchor",
  "kept anchor": "keptAnchor",
  "wrong point": "wrongPoint",
  "missed slot": "slot",
  "wrong slot": "slot",
};

/** Rows of a table of shares. */
const ROWS = 6;

/** What the server calls all scores that are no special ones: as a part of a kind it says nothing. */
const USUAL = "other scores";

/** From which loss an answer is wrong, in points on a cube at 1: that of a doubtful decision. */
export const WRONG = MARKS[2][0];

/** What a mistake is about, right or wrong; nothing of a play without an idea of its own. */
const IDEAS = /** @type {[RegExp, string][]} */ ([
  [/ hit$/, "hit"],
  [/ contact$/, "contact"],
  [/ anchor$/, "anchor"],
  [/^(missed|wrong) point$/, "point"],
  [/ slot$/, "slot"],
  [/ double$/, "double"],
  [/ (take|pass)$/, "take"],
  [/^other play$/, ""],
]);

/**
 * The kind of a new position: it names no mistake, because none was made.
 *
 * @param {string} name
 */
export const ideaName = (name) =>
  name
    .split(", ")
    .filter((part) => part !== USUAL)
    .map((part) => {
      const idea = IDEAS.find(([like]) => like.test(part));
      return idea ? idea[1] && t(`practise.idea.${idea[1]}`) : kindName(part);
    })
    .filter(Boolean)
    .join(", ");

/**
 * The words of the server for a kind, in the person's language.
 *
 * @param {string} name
 */
export const kindName = (name) =>
  name
    .split(", ")
    .filter((part) => part !== USUAL)
    .map((part) => t(`practise.kind.${part.replaceAll(/[^a-z]/g, "")}`))
    .join(", ");

/**
 * The score of a card, seen by X, who is the person.
 *
 * @param {string} xgid
 */
function scoreOf(xgid) {
  const [own, other, rule, length] = xgid.split(":").slice(5).map(Number);
  return { points: [own, other], rules: rule, length };
}

/**
 * Match and cube of a card, seen by the person.
 *
 * @param {any} card
 */
export function scoreWords({ xgid, cube, owner }) {
  const { rules: rule, length } = scoreOf(xgid);
  const parts = length
    ? [t("practise.score.match", { n: length }), rule ? t("analyse.crawford") : ""]
    : [
        t("practise.score.money"),
        rule & 1 ? t("practise.score.jacoby") : "",
        rule & 2 ? t("practise.score.beavers") : "",
      ];
  const place = !hasCube(rulesOf({ rules: rule, length }))
    ? ""
    : t(
        owner === "you"
          ? "practise.cube.own"
          : owner
            ? "practise.cube.other"
            : "practise.cube.middle",
        { value: cube },
      );
  return [...parts, place].filter(Boolean).join(" · ");
}

/**
 * The cube of a card as the board draws it.
 *
 * @param {any} card
 */
const cubeOf = (card) =>
  !hasCube(rulesOf(scoreOf(card.xgid)))
    ? null
    : {
        value: card.cube,
        owner: card.owner === "you" ? "you" : card.owner ? "nonet" : null,
        offered: card.asks === "take" ? 2 * card.cube : null,
        to: "you",
      };

/**
 * Draws a question with what stands around the board.
 *
 * @param {import("../board/board.js").Board} board
 * @param {string} player
 * @param {any} card
 * @param {readonly number[]} now
 * @param {any} more Of the board
 */
export function drawQuestion(board, player, card, now, more) {
  board.draw(/** @type {any} */ ({ board: now, off: offOf(now), cube: cubeOf(card), ...more }));
  const [other, own] = sidesOfCard(card, now, player);
  byId("side-other").replaceChildren(...other);
  byId("side-own").replaceChildren(...own);
  byId("score").textContent = [card.fresh ? t("practise.fresh") : "", scoreWords(card)]
    .filter(Boolean)
    .join(" · ");
}

/**
 * What stands above and below the board: who, pips, points.
 *
 * @param {any} card
 * @param {readonly number[]} board As it is shown
 * @param {string} player
 */
export function sidesOfCard({ xgid }, board, player) {
  const { points, length } = scoreOf(xgid);
  const pips = pipsOf(board);
  const line = (/** @type {number} */ i, /** @type {string} */ name) => [
    el("span", { class: "who" }, chip(i === 0 ? "own" : "other"), name),
    el(
      "span",
      { class: "soft" },
      [
        setting("pips") === "yes" ? t("analyse.pips", { n: pips[i] }) : "",
        length ? t("analyse.away", { points: points[i], away: length - points[i] }) : "",
      ]
        .filter(Boolean)
        .join(" · "),
    ),
  ];
  return [line(1, t("practise.opponent")), line(0, isYou(player) ? t("play.you") : player)];
}

/**
 * The arrows of a verdict about a play: the best play alone, or another answer beside it.
 *
 * @param {{ answer: string; best: string }} verdict
 */
export const arrowsOf = ({ answer, best }) =>
  answer === best
    ? [{ steps: stepsOf(answer), kind: "both" }]
    : [
        { steps: stepsOf(answer), kind: "played" },
        { steps: stepsOf(best), kind: "best" },
      ];

/** The analyses that cards come from, each asked for once. @type {Map<string, Promise<any>>} */
const analyses = new Map();

/** @param {string} id */
function analysisOf(id) {
  const known = analyses.get(id) ?? get(`/analyses/${encodeURIComponent(id)}`).then(prepared);
  analyses.set(id, known);
  return known;
}

/** The most analyses that a card is looked for in. */
const LOOKED = 4;

/**
 * A verdict as the deepest answer to its decision has it: a page has one judge.
 *
 * @param {any} told What the server says of an answer
 * @param {import("../analyse/verdicts.js").Judged} judged
 */
export function judgedBy(told, { analysed: { decision: what, loss: made }, plies, games }) {
  const row = (
    /** @type {string} */ decision,
    /** @type {number} */ equity,
    /** @type {number} */ n,
  ) =>
    plies === null ? { decision, equity, plies: Infinity, games } : { decision, equity, plies: n };
  const verdict = (
    /** @type {number} */ loss,
    /** @type {string} */ best,
    /** @type {any[]} */ equities,
  ) => ({
    ...told,
    loss: Math.max(0, loss),
    right: loss < WRONG,
    best,
    equities,
    made_loss: made,
    why: best === told.best ? told.why : null,
  });
  if (!what.plays) {
    const [no, take, pass] = [what.no_double ?? 0, what.double_take ?? 0, what.double_pass ?? 1];
    const isTake = take <= pass;
    const doubled = isTake ? take : pass;
    const answer = isTake ? "take" : "pass";
    const rows = told.equities.map((/** @type {any} */ one, /** @type {number} */ i) =>
      row(one.decision, [no, take, pass][i], plies ?? 0),
    );
    if (/^(take|beaver|pass|drop)/.test(told.answer))
      return verdict((/^(take|beaver)/.test(told.answer) ? take : pass) - doubled, answer, rows);
    const turn = /redouble/.test(told.equities[0].decision) ? "redouble" : "double";
    const best = no <= doubled ? turn : `${no > pass && !isTake ? "too good to" : "no"} ${turn}`;
    return verdict(
      Math.max(no, doubled) - (told.answer === "double" ? doubled : no),
      `${best}, ${answer}`,
      rows,
    );
  }
  const rows = what.plays.map((one) => row(one.play, one.equity, one.plies));
  const own = rows.find(({ decision }) => decision === told.answer);
  const [best] = rows;
  // A play that the deepest answer lacks keeps its loss by the search.
  if (!own)
    return {
      ...verdict(
        told.loss,
        best.decision,
        [
          ...rows.slice(0, SHOWN),
          told.equities.find((/** @type {any} */ one) => one.decision === told.answer),
        ].filter(Boolean),
      ),
      right: told.right,
    };
  const shown = rows.filter((one, i) => i < SHOWN || one === own || one.decision === told.made);
  return verdict(best.equity - own.equity, best.decision, shown);
}

/** Plays of a deepest answer that are shown. */
const SHOWN = 3;

/** From here on a loss is another one than that of its equities, such as that of a beaver. */
const OTHER = 0.002;

/**
 * A verdict with losses that are the unrounded differences of its equities.
 *
 * @param {any} told
 */
export function unrounded(told) {
  const isPlay = /\d/.test(told.best);
  const of = (/** @type {string} */ name) =>
    told.equities.find(
      (/** @type {any} */ one) =>
        one.decision === (isPlay ? name : lineOfCall(name, told.equities)),
    );
  const [best, own, made] = [told.best, told.answer, told.made].map(of);
  const loss = (/** @type {any} */ one, /** @type {number} */ given) => {
    const exact =
      best && one && one.plies === best.plies ? Math.abs(best.equity - one.equity) : given;
    return Math.abs(exact - given) < OTHER ? exact : given;
  };
  return { ...told, loss: loss(own, told.loss), made_loss: loss(made, told.made_loss) };
}

/**
 * What an answer was worth by the deepest answer that an analysis keeps, and what else that
 * analysis has: the person's note and a link. Of several analyses of the match, the first one that
 * has more than the card tells.
 *
 * @param {any} told
 * @param {any} card
 * @param {string} player
 * @param {string | null} from The analysis that the person comes from
 * @returns {Promise<{ verdict: any; more: HTMLElement[] }>}
 */
export async function settled(told, card, player, from) {
  const origin = { player, ...told };
  /** @type {{ verdict: any; more: HTMLElement[] }} */
  let first = { verdict: unrounded(told), more: [] };
  if (told.game === null) return first;
  try {
    const has = (/** @type {any} */ { names }) =>
      [origin.player, origin.opponent].every((name) =>
        names.some((/** @type {string} */ one) => one.toLowerCase() === name.toLowerCase()),
      );
    const rows = /** @type {any[]} */ (await get("/analyses")).filter(
      (row) => row.state === "done" && row.matches.some(has),
    );
    rows.sort((a, b) => Number(b.id === from) - Number(a.id === from));
    for (const { id } of rows.slice(0, LOOKED)) {
      const answer = await analysisOf(id);
      const place = placeOfCard(answer, card, origin);
      if (!place) continue;
      const { which, entry } = place;
      const answers = answersOf(answer, which, keptIn(localStorage));
      const [judged, note] = [answers.judgedOf(entry), answers.noteOf(entry)];
      const link = el(
        "p",
        { class: "small" },
        el(
          "a",
          {
            href: `/analyse?id=${encodeURIComponent(id)}${which ? `&match=${which}` : ""}&at=${entry.game}.${entry.index}`,
          },
          t("practise.toDecision"),
        ),
      );
      const isDeeper = judged.analysed !== entry.decision;
      const more = [
        ...(judged.undecided
          ? [el("p", { class: "small" }, sentence(t("analyse.undecided", { n: judged.undecided })))]
          : []),
        ...(note ? [el("p", { class: "note" }, el("b", {}, t("analyse.note")), ": ", note)] : []),
      ];
      const found = {
        verdict: isDeeper ? judgedBy(told, judged) : first.verdict,
        more: [...more, link],
      };
      if (isDeeper || more.length) return found;
      if (!first.more.length) first = found;
    }
  } catch {
    /* The verdict stands without what is missing. */
  }
  return first;
}

/**
 * Whether a question is of a match to one point, where a share of the match says it all.
 *
 * @param {string} xgid
 */
const isToOne = (xgid) => scoreOf(xgid).length === 1;

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
export const headPart = (verdict, xgid) =>
  el(
    "h2",
    { class: verdict.right ? "right" : "wrong" },
    badge(markOf(verdict.loss)),
    " ",
    headOf(verdict, xgid),
  );

/**
 * The answers of a round: first ones, and those to cards wrong before.
 *
 * @param {import("./drawing.js").Round["done"]} told
 */
export function roundWords({ answers, right, again, rightAgain }) {
  const repeats = again ? t("practise.end.again", { again, right: rightAgain }) : "";
  const parts = [answers ? t("practise.end.first", { answers, right }) : "", repeats]
    .filter(Boolean)
    .join(", ");
  return parts && `${sentence(parts)}. ${t("practise.end.kept")}`;
}

/**
 * The work of a round, and what is due.
 *
 * @param {import("./drawing.js").Round["done"]} told
 * @param {any} overview
 * @param {number} due How many cards a round has to ask, those that come again with them
 */
export function endPart(told, { next_due: next }, due) {
  const words = [
    roundWords(told),
    told.skipped ? t("practise.skipped", { n: told.skipped }) : "",
    due
      ? t("practise.due", { n: due })
      : next
        ? t("practise.nextDue", { day: written(new Date(1000 * next).toISOString().slice(0, 10)) })
        : "",
  ];
  return [
    el(
      "h2",
      {},
      t(
        told.answers || told.again || told.skipped
          ? "practise.doneForNow"
          : due
            ? "practise.begin"
            : "practise.nothingDue",
      ),
    ),
    el("p", {}, words.filter(Boolean).join(" ")),
  ];
}

/**
 * What a card asks, in words.
 *
 * @param {any} card
 */
export const askedOf = (card) =>
  t(`practise.ask.${card.asks === "double" && isRedouble(card) ? "redouble" : card.asks}`, {
    dice: card.dice?.join("") ?? "",
  });

/**
 * The way back to where one came from.
 *
 * @param {string | null} from An analysis
 */
export const backLink = (from) =>
  el(
    "a",
    { class: "button", href: from ? `/analyse?id=${encodeURIComponent(from)}` : "/analyse" },
    t(from ? "practise.toMatch" : "practise.toMatches"),
  );

/**
 * @param {string} key
 * @param {() => void} onclick
 * @param {string} shortcut
 * @param {string} kind
 * @param {boolean} disabled
 */
export const answerButton = (key, onclick, shortcut, kind, disabled) =>
  el(
    "button",
    { type: "button", class: kind, disabled, onclick, "aria-keyshortcuts": shortcut },
    t(key),
  );

/**
 * The answers to a question as buttons.
 *
 * @param {any} card
 * @param {{ play: string; isMoved: boolean; isBusy: boolean }} now What lies on the board, empty if
 *   it is no whole play
 * @param {(answer: string) => void} give
 * @param {() => void} back
 */
export function answerButtons(card, { play, isMoved, isBusy }, give, back) {
  const one = (
    /** @type {string} */ key,
    /** @type {string} */ answer,
    /** @type {string} */ shortcut,
  ) => answerButton(key, () => give(answer), shortcut, "main", isBusy);
  const [double, none] = isRedouble(card)
    ? ["practise.redouble", "practise.noRedouble"]
    : ["practise.double", "practise.noDouble"];
  if (card.asks === "double") return [one(double, "double", "d"), one(none, "roll", "r")];
  if (card.asks === "take")
    return [one("practise.take", "take", "t"), one("practise.pass", "pass", "p")];
  return [
    answerButton("practise.give", () => give(play), "c", "main", isBusy || !play),
    ...(isMoved ? [answerButton("practise.back", back, "u", "", isBusy)] : []),
  ];
}

/**
 * What stands in place of a question.
 *
 * @param {any[]} parts
 */
export function showEnd(...parts) {
  byId("standing").before(byId("end"));
  byId("end").replaceChildren(...parts);
  byId("end").hidden = false;
}

/** No board and no buttons of a question. */
export function hideQuestion() {
  for (const id of ["actions", "side-other", "side-own"]) byId(id).replaceChildren();
  for (const id of ["board", "typed", "progress"]) byId(id).hidden = true;
  byId("count").textContent = byId("score").textContent = byId("question").textContent = "";
  say("");
}

/**
 * The line of a table of cube actions that a decision leads to; a double to the better answer.
 *
 * @param {string} call
 * @param {{ decision: string; equity: number }[]} actions No double, take, pass
 */
export function lineOfCall(call, [no, take, pass]) {
  if (/^(no |roll|too good)/i.test(call)) return no.decision;
  if (/^(take|beaver)/.test(call)) return take.decision;
  return /^(pass|drop)/.test(call) || pass.equity < take.equity ? pass.decision : take.decision;
}

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
 * The verdict.
 *
 * @param {any} verdict
 * @param {any} next The button that goes on
 * @param {{ asks: string; xgid: string }} card The asked card
 * @param {HTMLElement} more A place for what comes later
 * @param {boolean} isLast Whether the round does not ask it again
 */
export function verdictPart(verdict, next, { asks, xgid }, more, isLast = false) {
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
    figures,
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

/**
 * @param {string} caption
 * @param {Share[]} shares
 * @param {string | null} meaning The word of the field that the heading is
 */
function sharesTable(caption, shares, meaning = null) {
  const name = (/** @type {string} */ key) =>
    MEANINGS[key] ? term(kindName(key), MEANINGS[key]) : kindName(key);
  // A single one more has its own row.
  const most = shares.length === ROWS + 1 ? ROWS + 1 : ROWS;
  const [first, rest] = [shares.slice(0, most), shares.slice(most)];
  const left = rest.reduce((sum, { share }) => sum + share, 0);
  const whole = wholePercents([...first.map(({ share }) => share), ...(rest.length ? [left] : [])]);
  const cell = (/** @type {number} */ i) => percent(whole[i] / 100, 0);
  const isEnough = shares.reduce((sum, { mistakes }) => sum + mistakes, 0) >= ENOUGH;
  const range = (/** @type {Share} */ { mistakes, interval: [low, high] }) =>
    isEnough ? `${decimal(100 * low, 0)}–${percent(high, 0)}` : `${mistakes}`;
  const rows = first.map((one, i) => [name(one.name), cell(i), range(one)]);
  if (rest.length)
    rows.push([
      t("practise.kind.rest", { n: rest.length }),
      cell(ROWS),
      isEnough ? "" : `${rest.reduce((sum, { mistakes }) => sum + mistakes, 0)}`,
    ]);
  return table(
    t("practise.shares", { what: caption }),
    [
      meaning ? term(caption, meaning) : caption,
      t("practise.share"),
      isEnough ? term("95 %", "interval") : t("practise.mistakes"),
    ],
    rows,
  );
}

/**
 * The deck in numbers, with what else belongs there.
 *
 * @param {any} overview
 * @param {string} what Is asked now, in words; empty to a guest
 * @param {(HTMLElement | null)[]} more
 * @param {boolean} isOther Whether it is the deck of another person
 */
export function deckPart(overview, what, more = [], isOther = false) {
  const { player, matches, decisions, pr, cards, answers, shares } = overview;
  const rating = pr
    ? [
        ", ",
        term(`PR ${decimal(pr[0], 1)}`, "pr"),
        ` (${t("analyse.interval", { low: decimal(Math.max(0, pr[0] - pr[1]), 1), high: decimal(pr[0] + pr[1], 1) })})`,
      ]
    : [];
  return [
    what ? el("p", {}, what) : null,
    matches
      ? el(
          "h2",
          {},
          isYou(player) && !isOther
            ? t("practise.deckOf.you")
            : t("practise.deckOf", { player: otherName(player) }),
        )
      : null,
    el(
      "p",
      { class: "small" },
      matches ? [t("practise.deck", { matches, decisions }), ...rating, ". "] : [],
      t("practise.cards", { n: cards, answers }),
    ),
    shares.plans.length ? sharesTable(t("practise.byGame"), shares.plans, "plan") : null,
    // While a question is open, the kinds of mistakes would tell its answer.
    shares.mistakes.length
      ? el("div", { class: "answered" }, sharesTable(t("practise.byMistake"), shares.mistakes))
      : null,
    [...shares.plans, ...shares.mistakes].some(({ mistakes, share }) => !mistakes && share > 0)
      ? el("p", { class: "small" }, t("practise.shares.how", { least: decimal(WRONG, 2) }))
      : null,
    ...more,
  ].filter(Boolean);
}
