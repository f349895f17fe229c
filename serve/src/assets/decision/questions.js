// @ts-check
// The questions about a decision: why, at all scores, by the strengths of both sides. Each becomes
// a part of the page.
import { Refused, events, postWhenFree } from "../common/api.js";
import { el, loading } from "../common/dom.js";
import { decimal } from "../common/format.js";
import { t } from "../common/words.js";
import { isToOne } from "./decision.js";
import { lossWithHalf } from "./decision-words.js";
import { LATE } from "./panel.js";
import { withBest } from "./score-matrix.js";
import { deeperNote } from "./score-words.js";
import { scoresPart, scoresTitle } from "./scores-view.js";
import { GAMES, strengthsPart } from "./strengths.js";
import { whyCubePart } from "./why-cube-view.js";
import { whyPart } from "./why-view.js";

/** @typedef {import("./asked-parts.js").Asked} Asked */

/**
 * The best play of a verdict; a rollout that leaves the verdict open may name it.
 *
 * @param {import("./verdicts.js").Judged} judged
 */
const namedBy = ({
  analysed: {
    decision: { plays },
  },
  leads,
}) => leads ?? plays?.[0].play;

/**
 * The plays that an explanation compares: the best one of a verdict, and the one that was made.
 * Where that is the best one, or without a verdict, the server takes the best other one of its
 * search.
 *
 * @param {string | undefined} played
 * @param {import("./verdicts.js").Judged | null} judged
 * @returns {{ better?: string; instead?: string }}
 */
export function pairOf(played, judged) {
  const best = judged ? namedBy(judged) : undefined;
  return { better: best === played ? undefined : best, instead: played };
}

/**
 * Whether an explanation would now compare other plays.
 *
 * @param {HTMLElement} part
 * @param {import("./decision.js").Decision} decision
 * @param {import("./verdicts.js").Judged} judged
 */
export function comparesOther({ dataset: { better, instead } }, { decision: { played } }, judged) {
  const now = pairOf(played, judged);
  return better !== undefined && ((now.better ?? "") !== better || (now.instead ?? "") !== instead);
}

/**
 * Asks why a decision is right. For a roll, it compares the best play with the one that was made,
 * else with the second. Without a roll, it is about the cube. The part names the plays that it was
 * asked about, and its depth.
 *
 * @param {import("./decision.js").Decision} decision
 * @param {number} ply
 * @param {AbortSignal} signal
 * @param {import("./verdicts.js").Judged | null} judged What the verdict next to it says
 * @param {string} [net] By default the champion
 */
export async function askWhy(
  { xgid: id, decision: { dice, played, plays } },
  ply,
  signal,
  judged = null,
  net = undefined,
) {
  const pair = pairOf(played, judged);
  const part = plays
    ? whyPart(
        await postWhenFree("/why", { id, dice, ...pair, ply, net }, { signal }),
        judged ? namedBy(judged) : undefined,
      )
    : whyCubePart(await postWhenFree("/why/cube", { id, ply, net }, { signal }));
  if (plays) [part.dataset.better, part.dataset.instead] = [pair.better ?? "", pair.instead ?? ""];
  part.dataset.plies = `${ply}`;
  return part;
}

/**
 * An explanation as one of the parts that were asked for. It says where its figures are not those
 * of the verdict, and what each of them finds that the play lost.
 *
 * @param {HTMLElement} part
 * @returns {Asked}
 */
export const explained = (part) => ({
  part,
  note: ({ plies, analysed }) => {
    const { plies: own, loss, instead } = part.dataset;
    const isSaid = part.querySelector("[data-reversed]") !== null;
    if (isSaid || (plies !== null && plies <= Number(own))) return null;
    const {
      decision: { played, plays },
    } = analysed;
    const isOfPlayed =
      loss !== undefined && instead === played && plays?.[0].play !== played && !isToOne(analysed);
    return el(
      "p",
      { class: "differs" },
      isOfPlayed
        ? t("analyse.ofSearch.loss", {
            n: own ?? "",
            loss: decimal(Number(loss), 3),
            verdict: lossWithHalf(analysed).slice(1),
          })
        : t("analyse.ofSearch", { n: own ?? "" }),
    );
  },
});

/**
 * The greatest depth of a matrix. A slower answer is asked for at 1-ply: the server ends unwanted
 * work.
 */
const [DEEPEST, PATIENCE] = [2, 25_000];

/**
 * Asks for a matrix with the best play of the answer above it. Where the matrix prefers another
 * play at its score, it tells the loss of that best one, too.
 *
 * @param {any} question
 * @param {string | undefined} best None of a cube decision
 * @param {number} ply
 * @param {AbortSignal} signal
 * @param {(words: string) => void} tell Is called where the depth changes
 */
export async function askMatrix(question, best, ply, signal, tell) {
  const asked = { play: best, ...question };
  const matrix = await matrixAt(asked, ply, signal, tell);
  const here = matrix.cells.find(({ given }) => given)?.play?.letter;
  const isBest = matrix.plays.find(({ letter }) => letter === here)?.play === best;
  if (!best || isBest || asked.play === best) return matrix;
  const other = await postWhenFree(
    "/scores",
    { ...asked, play: best, ply: matrix.plies },
    { signal },
  );
  return withBest(matrix, other, best);
}

/**
 * Asks for a matrix, at a lower depth where the server is slow.
 *
 * @param {any} question
 * @param {number} ply
 * @param {AbortSignal} signal
 * @param {(words: string) => void} tell
 * @returns {Promise<import("./score-matrix.js").Matrix>}
 */
async function matrixAt(question, ply, signal, tell) {
  const own = new AbortController();
  const end = () => own.abort();
  signal.addEventListener("abort", end);
  const depth = Math.min(ply, DEEPEST);
  const timer = depth > 1 ? setTimeout(end, PATIENCE) : 0;
  try {
    return await postWhenFree("/scores", { ...question, ply: depth }, { signal: own.signal });
  } catch (error) {
    const isLate = own.signal.aborted || (error instanceof Refused && error.status === LATE);
    if (signal.aborted || depth === 1 || !isLate) throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
  tell(t("scores.working.less"));
  return { ...(await postWhenFree("/scores", { ...question, ply: 1 }, { signal })), late: true };
}

/**
 * Asks for a decision at all scores; for a play with the one that was made, and with the best one
 * of the verdict.
 *
 * @param {import("./decision.js").Decision} decision
 * @param {import("./verdicts.js").Judged} judged
 * @param {{ ply: number; net?: string }} how
 * @param {AbortSignal} signal
 * @param {(play: { play: string; after: string } | null) => void} look
 * @param {import("./decision.js").Letters} letters
 * @param {(part: HTMLElement) => void} show
 * @returns {Promise<Asked>}
 */
export async function askScores(
  { xgid: id, decision: { dice, played, plays } },
  judged,
  { ply, net },
  signal,
  look,
  letters,
  show,
) {
  const matrix = await askMatrix(
    { id, net, ...(plays ? { dice, ...(played ? { play: played } : {}) } : {}) },
    plays ? namedBy(judged) : undefined,
    ply,
    signal,
    (words) => show(loading(words)),
  );
  const part = scoresPart(matrix, look, letters, true);
  part.prepend(el("h3", {}, scoresTitle(matrix.plies)));
  return {
    part,
    note: (now) => {
      const {
        plies,
        analysed: { decision: what },
      } = now;
      return deeperNote(
        matrix,
        what.plays
          ? { plies, equity: what.plays[0].equity, play: namedBy(now) }
          : { plies, equity: what.no_double ?? null, cube: what.right },
      );
    },
  };
}

/**
 * Asks for a decision by how well both sides play; `show` draws it as it grows.
 *
 * @param {{ id: string; cube: boolean; dice?: string; also?: string; net?: string }} question
 * @param {AbortSignal} signal
 * @param {(part: HTMLElement) => void} show
 * @param {import("./decision.js").Letters} letters
 * @returns {Promise<Asked>}
 */
export async function askStrengths({ id, cube, dice, also, net }, signal, show, letters) {
  let part = el("div", {});
  await events(
    "/strengths",
    { id, cube, dice, also, net },
    (table) => show((part = strengthsPart(table, GAMES, letters))),
    signal,
  );
  return { part, note: () => null };
}
