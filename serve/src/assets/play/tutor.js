// @ts-check
// The tutor: it stops before a mistake and says why it is one.
import { get, post } from "../common/api.js";
import { attempt, byId, el, loading, say } from "../common/dom.js";
import { decimal } from "../common/format.js";
import { setting } from "../common/settings.js";
import { t } from "../common/words.js";
import { questionOf } from "./shown.js";
import { stepsOf } from "../board/notation.js";
import { cubeWords } from "../common/cube-words.js";
import { inWords } from "../decision/why-sentences.js";
import { movedWords } from "./picking.js";
import { keepStood, keepStop } from "./half-made.js";
import { NO_IDEA } from "./hint-steps.js";
import { FIRST_LEVEL } from "./levels.js";
import {
  choicesOf,
  explain,
  lossTerm,
  lossWords,
  playLink,
  whyOf,
  wordsLink,
} from "./explained.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Action} Action */
/**
 * A decision that the tutor has stopped, and the play that is better.
 *
 * @typedef {{
 *   action: Action;
 *   better: string | null;
 *   tried: { xgid: string; decision: string };
 *   mark: string;
 *   lost: string;
 *   since: number;
 * }} Stopped
 */

/** Marks of mistakes from the slightest on. */
const MARKS = ["?!", "?", "??"];
/** The marks that each value of the setting stops. */
const STOPPED = /** @type {Record<string, string[]>} */ ({
  doubtful: MARKS,
  bad: MARKS.slice(1),
  veryBad: MARKS.slice(2),
});

/** Whether the tutor speaks at all. */
const hasTutor = () => setting("tutor") !== "off";

/**
 * Whether hints come in steps: with the tutor, and against the weakest level without it, too.
 *
 * @param {import("./views.js").MatchView} view
 */
export const hintsInSteps = ({ level }) => hasTutor() || level === FIRST_LEVEL;

/**
 * Whether an action is a decision that can be a mistake.
 *
 * @param {Action} action
 * @param {import("./views.js").MatchView} view
 */
const isDecision = ({ action }, view) =>
  action === "roll" ? view.may_double : ["play", "double", "take", "pass"].includes(action);

/**
 * Whether a loss is one that the setting stops. The slightest limit is the server's own.
 *
 * @param {{ loss: number; mark: string; limit: number }} judged
 * @param {string} value Of the setting
 */
export const isStopped = ({ loss, mark, limit }, value) =>
  value === "doubtful"
    ? loss > 0 && Math.round(1000 * loss) >= Math.round(1000 * limit)
    : (STOPPED[value] ?? []).includes(mark);

/**
 * What a cube decision loses by the figures that the hint shows; nothing without them.
 *
 * @param {string} made
 * @param {any} cube
 */
export function lossOfCube(made, cube) {
  if (!cube) return {};
  const choices = choicesOf(cube, made === "take" || made === "pass");
  const own = choices.find(
    ({ name }) => name === (made === "double" && cube.redouble ? "redouble" : made),
  );
  if (!own) return {};
  /** @param {(one: ReturnType<typeof choicesOf>[number]) => number} worth */
  const lost = (worth) => Math.max(...choices.map(worth)) - worth(own);
  const loss = lost(({ equity }) => equity);
  return own.match === null ? { loss } : { loss, match_loss: lost(({ match }) => match ?? 0) };
}

/**
 * Stops before a mistake: whether it has. The person lets it stand or decides anew.
 *
 * @param {Game} game
 * @param {Action} action
 */
export async function stopsBefore(game, action) {
  const { view } = game;
  if (!view || !hasTutor() || !isDecision(action, view)) return false;
  game.busy = true;
  let judged;
  try {
    judged = await post(`/matches/${view.id}/judge`, action);
  } catch {
    // What is refused here is refused when it is made, with its reason.
  }
  const stops = Boolean(judged) && isStopped(judged, setting("tutor"));
  // A cube decision loses what the hint's table has.
  const hint =
    stops && action.action !== "play"
      ? await get(`/matches/${view.id}/hint`).catch(() => null)
      : null;
  if (game.view !== view) return true;
  game.busy = false;
  if (!stops) return false;
  show(game, action, { ...judged, ...lossOfCube(action.action, hint?.cube) });
  return true;
}

/**
 * Whether the decision that lies on the board is the one that the tutor has stopped. Whoever has
 * moved something else since then decides about that.
 *
 * @param {Game} game
 */
export function isHeldBack({ stopped, roll }) {
  if (!stopped) return false;
  return (
    stopped.action.action !== "play" ||
    !roll?.made.length ||
    roll.play()?.play === stopped.action.play
  );
}

/**
 * The arrows of the play that was stopped, and of the better one once that is told. Both begin on
 * the board before them. After the answer of a hint, the arrows are those of the best play.
 *
 * @param {Game} game
 */
export function betterArrows(game) {
  const { view, stopped, advised, roll } = game;
  const plays = /** @type {[string | null | undefined, "played" | "best"][]} */ (
    stopped
      ? [
          [stopped.action.play, "played"],
          [stopped.better, "best"],
        ]
      : [[advised, "best"]]
  );
  const arrows = plays.flatMap(([play, kind]) =>
    play && view ? [{ steps: stepsOf(play), kind, before: view.board }] : [],
  );
  return roll?.made.length || !arrows.length ? null : arrows;
}

/** Milliseconds in which a second click on a cube's button lets nothing stand. */
const READ = 600;

/**
 * The stopped decision is made nevertheless.
 *
 * @param {Game} game
 */
export function letStand(game) {
  const { stopped } = game;
  if (!stopped || (stopped.action.action !== "play" && performance.now() - stopped.since < READ))
    return;
  if (game.view) keepStood(game.view.id, stopped.tried);
  game.log.markNext(stopped.action.action, stopped.mark, stopped.lost);
  void game.act(stopped.action, true);
}

/**
 * The stopped decision is taken back.
 *
 * @param {Game} game
 */
export function decideAnew(game) {
  game.closeHint();
  game.roll?.clear();
  game.picking.selected = null;
  say(questionOf(game.view));
  game.render();
}

/**
 * What the tutor names as better. Of a double and its answer, the part that is the person's own.
 *
 * @param {Action} action
 * @param {string} best
 * @param {boolean} isTurned Whether the cube was turned before
 */
const betterWords = ({ action }, best, isTurned = false) =>
  action === "double"
    ? t("play.tutor.better.roll")
    : action === "roll"
      ? t(`play.tutor.better.${isTurned ? "redouble" : "double"}`)
      : cubeWords(best.split(", ").at(-1) ?? best);

/**
 * Moves joined to one for each checker that went on, sorted.
 *
 * @param {readonly (readonly number[])[]} steps
 */
function joined(steps) {
  /** @type {[number, number][]} */
  const all = [];
  for (const [from, to] of steps) {
    const before = all.find((one) => one[1] === from);
    if (before) before[1] = to;
    else all.push([from, to]);
  }
  return all.map(String).sort().join(" ");
}

/**
 * The made moves in words, if the play has another name: 8 to 2 and then 13 to 8 is 13/2.
 *
 * @param {Pick<import("../board/roll.js").Roll, "made" | "start" | "board"> | null} roll
 * @param {string} play
 */
export function otherWords(roll, play) {
  if (
    !roll?.made.length ||
    joined(roll.made.map(({ from, to }) => [from, to])) === joined(stepsOf(play))
  )
    return "";
  return movedWords(
    roll.made.map((one, i) => ({ ...one, next: roll.made[i + 1]?.board ?? roll.board })),
    roll.start,
  );
}

/**
 * The mark of a mistake in words. It is given for points: where a match is played to more than one,
 * they stand next to its share.
 *
 * @param {any} judged
 * @param {import("./views.js").MatchView} view
 */
function markLine(judged, view) {
  const level = MARKS.indexOf(judged.mark);
  if (level < 0) return "";
  const unit = judged.match_loss == null || view.rules.length === 1 ? "points" : "match";
  return el(
    "p",
    { class: "small" },
    t(`play.tutor.mark.${unit}`, {
      mark: judged.mark,
      word: t(`play.tutor.mark.${level}`),
      n: decimal(judged.loss, 3),
    }),
  );
}

/**
 * The card of a decision that is stopped.
 *
 * @param {Game} game
 * @param {Action} action
 * @param {any} judged
 */
function show(game, action, judged) {
  const { view } = game;
  if (!view) return;
  const isPlay = action.action === "play";
  const moved = isPlay ? otherWords(game.roll, judged.decision) : "";
  // The checkers lie as before the play, and whoever moves one decides anew.
  if (isPlay) game.roll?.clear();
  const isTurned = view.cube.value > 1;
  const decision = isPlay
    ? judged.decision
    : t(`play.tutor.${action.action === "double" && isTurned ? "redouble" : action.action}`);
  game.hinted = null;
  const stopped = {
    action: isPlay ? { ...action, play: judged.decision } : action,
    better: /** @type {string | null} */ (null),
    tried: { xgid: judged.xgid, decision },
    mark: judged.mark,
    since: performance.now(),
    lost: t("play.log.lost", {
      loss: lossWords(judged),
      best: isPlay ? judged.best : betterWords(action, judged.best, isTurned),
    }),
  };
  game.stopped = stopped;
  game.render();
  const of = (/** @type {string} */ loss) => t("play.tutor.loses", { decision, loss });
  // The loss has its meaning with it, wherever it stands in the sentence.
  const [before, after] = of("\n").split("\n");
  const better = () =>
    isPlay
      ? [
          el("b", {}, playLink(game, judged.best)),
          " ",
          t("play.tutor.arrows", { n: new Set(stepsOf(judged.best).map(String)).size }),
        ]
      : [el("b", {}, betterWords(action, judged.best, isTurned)), "."];
  /** Says what is better, and why. */
  const answer = () => {
    const why = el("div", {});
    place.replaceChildren(el("p", {}, t("play.tutor.better"), " ", better()), why, wordsLink());
    if (isPlay) stopped.better = judged.best;
    game.render();
    attempt(() => explain(why, view, { xgid: judged.xgid, instead: judged.decision, isPlay }));
  };
  const idea = el("p", {});
  const place = el(
    "div",
    {},
    idea,
    el("p", {}, el("button", { type: "button", onclick: answer }, t("play.tutor.show"))),
  );
  keepStop(view.id, {
    game: view.game,
    xgid: judged.xgid,
    decision,
    best: isPlay ? judged.best : betterWords(action, judged.best, isTurned),
    isPlay,
    mark: judged.mark,
    loss: judged.loss,
    match_loss: judged.match_loss ?? null,
  });
  const part = el(
    "section",
    { class: "card tutor", "aria-labelledby": "tutor-title" },
    el("h2", { id: "tutor-title" }, judged.mark, " ", before, lossTerm(judged), after),
    moved && el("p", { class: "small" }, t("play.tutor.moved", { decision, moved })),
    markLine(judged, view),
    place,
  );
  byId("hint").replaceChildren(part);
  // Of two cube actions, the other one is better: nothing is left to find.
  if (isPlay) tellReason(idea, part, view, judged);
  else answer();
  part.scrollIntoView({ block: "nearest" });
  say(t("play.tutor.title"));
}

/** Kinds of sentences that say what a play does or leaves. */
const OF_PLAY = /^(does|can-hit|for-it|rolls)/;

/**
 * The sentences about the play that was stopped: none names the better one.
 *
 * @param {{ said?: any[] | null; better: { play: string }; worse: { play: string } }} why
 */
export const reasonsAgainst = ({ said, better, worse }) =>
  (said ?? []).filter(
    ({ kind, values }) =>
      OF_PLAY.test(kind) &&
      values.play === worse.play &&
      !Object.values(values).includes(better.play),
  );

/**
 * A reason in words: what the play that was stopped leaves. Without one, it is the idea of the best
 * play, as in the first step of a hint.
 *
 * @param {HTMLElement} place
 * @param {HTMLElement} part That has it
 * @param {import("./views.js").MatchView} view
 * @param {any} judged
 */
async function tellReason(place, part, view, judged) {
  place.replaceChildren(loading(t("why.working")));
  const why = await whyOf(part, view, {
    xgid: judged.xgid,
    instead: judged.decision,
    isPlay: true,
  }).catch(() => null);
  place.replaceChildren();
  const [reason] = why ? reasonsAgainst(why) : [];
  if (reason) return void (place.textContent = inWords(reason));
  const answer = await get(`/matches/${view.id}/hint`).catch(() => null);
  if (answer?.idea && answer.idea.kind !== NO_IDEA) place.textContent = inWords(answer.idea);
}
