// @ts-check
// What an answer was worth: losses from its equities, and by the deepest analysis that is kept.
import { get } from "../common/api.js";
import { answersOf } from "../decision/answers.js";
import { placeOfCard, prepared } from "../analyse/analysis.js";
import { MARKS, taken } from "../decision/decision.js";
import { keptIn } from "../decision/verdicts.js";
import { el, sentence } from "../common/dom.js";
import { t } from "../common/words.js";

/** From which loss an answer is wrong, in points on a cube at 1: that of a doubtful decision. */
export const WRONG = MARKS[2][0];

/**
 * The analyses that cards come from, each asked for once.
 *
 * @type {Map<string, Promise<any>>}
 */
const analyses = new Map();

/** @param {string} id */
function analysisOf(id) {
  const known = analyses.get(id) ?? get(`/analyses/${encodeURIComponent(id)}`).then(prepared);
  analyses.set(id, known);
  // What fails is asked for again.
  known.catch(() => analyses.delete(id));
  return known;
}

/** Asks for each analysis again when it is needed: another window may have changed it. */
export const forgetAnalyses = () => analyses.clear();

/** The most analyses that a card is looked for in. */
const LOOKED = 4;

/**
 * A verdict as the deepest answer to its decision has it: a page has one judge.
 *
 * @param {any} told What the server says of an answer
 * @param {import("../decision/verdicts.js").Judged} judged
 */
export function judgedBy(told, { analysed, plies, games }) {
  const { decision: what, loss: made } = analysed;
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
    const call = /^(take|beaver|pass|drop)/.exec(told.answer)?.[0];
    if (call) {
      const after = { ...taken(analysed, take), pass, drop: pass }[call] ?? pass;
      return verdict(after - doubled, answer, rows);
    }
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
 * The worth of an answer by the deepest answer that an analysis keeps, with the person's note and a
 * link to that analysis. Of several analyses of the match, it takes the first one that has more
 * than the card tells.
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
      const answer = await analysisOf(id).catch(() => null);
      const place = answer && placeOfCard(answer, card, origin);
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
