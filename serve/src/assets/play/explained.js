// @ts-check
// The words next to the board about a decision: plays that show themselves, losses with their
// meaning, and the reason.
import { postWhenFree } from "../common/api.js";
import { answersOf } from "../common/cube-words.js";
import { el, hasMoved, loading } from "../common/dom.js";
import { decimal, percent } from "../common/format.js";
import { host } from "../common/host.js";
import { isChampion } from "../common/net-name.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { whyCubePart } from "../decision/why-cube-view.js";
import { whyPart } from "../decision/why-view.js";
import { stepsOf } from "../board/notation.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./views.js").MatchView} MatchView */

/**
 * Shows a play with arrows, or the board as it is. Whoever has begun to move sees no arrows. Where
 * the best play is told, its arrows are green, and those of others are dashed.
 *
 * @param {Game} game
 * @param {string | null} play
 */
function look(game, play) {
  if (game.busy || game.roll?.made.length) return;
  const best = game.stopped?.better ?? game.advised;
  if (play === null) game.render();
  else
    game.board.draw({
      ...game.board.state,
      arrows: [
        { steps: stepsOf(play), kind: best === null ? "shown" : play === best ? "best" : "played" },
      ],
    });
}

/**
 * The events that show a play while the mouse points at it.
 *
 * @param {Game} game
 * @param {string} play
 */
export function pointedAt(game, play) {
  /**
   * The arrows drawn for the play; others may have been drawn since.
   *
   * @type {unknown}
   */
  let drawn = null;
  const isShown = () => drawn !== null && game.board.state.arrows === drawn;
  return {
    onpointermove: (/** @type {PointerEvent} */ event) => {
      if (isShown() || !hasMoved(event)) return;
      look(game, play);
      drawn = game.board.state.arrows;
    },
    onpointerleave: () => {
      if (isShown()) look(game, null);
    },
  };
}

/**
 * A play that is shown while it is pointed at; a click puts it on the board.
 *
 * @param {Game} game
 * @param {string} play
 */
export const playLink = (game, play) =>
  el(
    "button",
    {
      type: "button",
      class: "link",
      onclick: () => game.put(play),
      onfocus: () => look(game, play),
      onblur: () => look(game, null),
      ...pointedAt(game, play),
    },
    play,
  );

/**
 * What a decision loses, in words: a share of the match where one is played, else points.
 *
 * @param {{ loss: number; match_loss?: number | null }} judged
 */
export const lossWords = ({ loss, match_loss: share }) =>
  share == null
    ? t("play.lossPoints", { n: decimal(loss, 3) })
    : t("play.lossMatch", { share: percent(share) });

/**
 * The same with its meaning.
 *
 * @param {{ loss: number; match_loss?: number | null }} judged
 */
export const lossTerm = (judged) =>
  judged.match_loss == null
    ? term(lossWords(judged), "loss")
    : term(lossWords(judged), "lossMatch", { loss: decimal(judged.loss, 3) });

/**
 * What the person can choose, with its worth: a double is worth what its best answer leaves.
 *
 * @param {{
 *   no_double: number;
 *   double_take: number;
 *   double_pass: number;
 *   redouble: boolean;
 *   answer?: string;
 *   match_winning_chances?: number[] | null;
 * }} cube
 *   Of the doubler
 * @param {boolean} answers Whether the person answers a double
 * @returns {{ name: string; equity: number; match: number | null }[]}
 */
export function choicesOf(cube, answers) {
  const worth = (
    /** @type {string} */ name,
    /** @type {number} */ equity,
    /** @type {number} */ i,
  ) => {
    const match = cube.match_winning_chances?.[i] ?? null;
    return answers
      ? { name, equity: -equity, match: match === null ? null : 1 - match }
      : { name, equity, match };
  };
  if (answers) return answersOf(cube).map((answer) => worth(...answer));
  const isTake = cube.double_take < cube.double_pass;
  return [
    worth("roll", cube.no_double, 0),
    worth(
      cube.redouble ? "redouble" : "double",
      isTake ? cube.double_take : cube.double_pass,
      isTake ? 1 : 2,
    ),
  ];
}

/** The last question, and its answer: the tutor's first reason and its full ones are one answer. */
let last = { asked: "", answer: Promise.resolve(/** @type {any} */ (null)) };

/**
 * The server's reasons why the best play is better than `instead`, or why to double or not.
 *
 * @param {Element} place Where they are wanted
 * @param {MatchView} view
 * @param {{ xgid: string; instead?: string; isPlay: boolean }} of
 */
export function whyOf(place, view, { xgid, instead, isPlay }) {
  const asked = {
    id: xgid,
    ply: Math.min(isPlay ? view.plies : view.cube_plies, 3),
    net: isChampion(view.net) ? undefined : view.net,
  };
  const question = isPlay ? { ...asked, instead } : asked;
  if (last.asked === JSON.stringify(question)) return last.answer;
  const answer = postWhenFree(isPlay ? "/why" : "/why/cube", question, {
    isWanted: () => place.isConnected,
    tries: 3,
  });
  last = { asked: JSON.stringify(question), answer };
  // What failed is asked again.
  answer.catch(() => {
    if (last.answer === answer) last.asked = "";
  });
  return answer;
}

/**
 * Why the best play is better than `instead`, or why to double or not; it fills the place.
 *
 * @param {Element} place
 * @param {MatchView} view
 * @param {{ xgid: string; instead?: string; isPlay: boolean }} of
 */
export async function explain(place, view, of) {
  const { isPlay } = of;
  place.replaceChildren(loading(t(isPlay ? "why.working" : "why.cube.working")));
  try {
    const why = await whyOf(place, view, of);
    place.replaceChildren(isPlay ? whyPart(why) : whyCubePart(why));
  } catch (error) {
    // What explains a decision that was made meanwhile is missed no more.
    if (!place.isConnected) return;
    place.replaceChildren();
    throw error;
  }
}

/**
 * A link to what words such as equity and signs such as `8/5*` mean. It opens a tab of its own, so
 * that hint and tutor stay next to the board.
 */
export const wordsLink = () =>
  host.has("/book")
    ? el(
        "p",
        { class: "small" },
        el(
          "a",
          { target: "_blank", href: `/book/${t("page.play.chapter")}#${t("page.play.words")}` },
          t("play.hint.words"),
        ),
      )
    : "";
