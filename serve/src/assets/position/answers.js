// @ts-check
// What is asked about a position, and the places of the answers.
import { failedPart } from "../decision/panel.js";
import { askMatrix } from "../decision/questions.js";
import { RolloutView } from "../decision/rollout-view.js";
import { deeperNote } from "../decision/score-words.js";
import { scoresPart, scoresTitle } from "../decision/scores-view.js";
import { whyCubePart } from "../decision/why-cube-view.js";
import { whyPart } from "../decision/why-view.js";
import { lettersOf } from "../decision/decision.js";
import { post, postWhenFree } from "../common/api.js";
import { attempt, byId, el, loading, say, sentence } from "../common/dom.js";
import { t } from "../common/words.js";
import { flipped, fromPositionId } from "../board/position.js";
import { championPart, chancesPart } from "./chances.js";
import { cubePart, worthOf } from "./cube.js";
import { allowRollout, showFault } from "./form.js";
import { inputsPart } from "./inputs.js";
import { bestOf, playsPart, withChampion } from "./plays.js";
import { isOpening, rollsPart, saidRoll, showPlays, showRolls } from "./rolls.js";
import { draw } from "./shown-board.js";
import {
  decision,
  isOOnRoll,
  keep,
  keptPlay,
  net,
  newQuestion,
  onBoard,
  ply,
  untilNext,
  xgid,
} from "./state.js";
import { StrengthsView, levelsAsked } from "./strengths-view.js";
import { afterTake, isPlayable, isWithoutGammons, writeXgid } from "./xgid.js";

/** @typedef {import("./xgid.js").Fields} Fields */
/**
 * Takes another position.
 *
 * @typedef {(next: Fields, push?: boolean, ofO?: boolean) => void} Take
 */

const rollouts = new RolloutView(byId("rollout"), byId("stop"));
/**
 * What equities of the position are worth in its match.
 *
 * @type {any}
 */
let worth = null;
/**
 * The depth and the equity of the answer.
 *
 * @type {import("../decision/score-words.js").Above & { equity: number }}
 */
let head = { plies: 0, equity: 0 };
/** The letters of the plays of the position. */
let letters = lettersOf();
/** @type {AbortController | null} */
let scoring = null;
const strengths = new StrengthsView(
  byId("strengths"),
  () => ({ id: xgid(), net: net(), ...decision() }),
  () => letters,
);
/** What comes after a play; it stands below the play that was clicked. */
const afterPart = byId("after-part");

/**
 * The answers are on their way. Those to an opening begin with its rolls, which are looked for
 * there.
 *
 * @param {Fields} fields
 */
function beginAnswers({ board, dice }) {
  byId("answers").setAttribute("aria-busy", "true");
  byId("answers").classList.toggle("opening", isOpening(board) && !dice);
}

/**
 * A button that asks why.
 *
 * @param {() => Promise<HTMLElement>} why
 * @param {() => boolean} isOn Whether the position is still asked about
 */
function whyButton(why, isOn) {
  const place = el("div", {});
  const ask = el("button", { type: "button", "data-why": "" }, t("why"));
  ask.addEventListener("click", () =>
    attempt(async () => {
      place.replaceChildren(loading());
      try {
        const part = await why();
        if (isOn()) place.replaceChildren(part);
      } catch (error) {
        place.replaceChildren();
        throw error;
      }
    }),
  );
  return el("div", {}, el("p", {}, ask), place);
}

let timer = 0;
/**
 * Asks a moment later, so that it does not disturb a person who sets up a position.
 *
 * @param {Take} take
 */
export function later(take) {
  clearTimeout(timer);
  timer = setTimeout(() => attempt(() => ask(take)), 200);
}

/**
 * A look at a play: its arrows; kept, the board after it.
 *
 * @param {any} play
 * @param {boolean} isKept
 * @param {Take} take
 */
function look(play, isKept, take) {
  if (isKept) {
    keep(keptPlay()?.play === play.play ? null : play);
    const kept = keptPlay();
    for (const button of byId("plays").querySelectorAll("button.play"))
      button.setAttribute("aria-pressed", `${kept?.play === button.textContent}`);
    afterPart.replaceChildren();
    byId("after-row")?.remove();
    if (kept) showAfter(kept, take);
  }
  const kept = keptPlay();
  const shown = play ?? kept;
  draw(shown, Boolean(kept) && shown === kept);
}

/**
 * What comes after a play: the 21 rolls of the opponent, who keeps their colour.
 *
 * @param {any} play
 * @param {Take} take
 */
function showAfter(play, take) {
  const fields = onBoard();
  const after = flipped(fromPositionId(play.after));
  const next = {
    ...fields,
    board: after.map((_, i) => -after[25 - i] || 0),
    owner: -fields.owner || 0,
    points: /** @type {[number, number]} */ ([fields.points[1], fields.points[0]]),
    dice: "",
  };
  afterPart.replaceChildren(loading());
  byId("plays")
    .querySelector("button.play[aria-pressed=true]")
    ?.closest("tr")
    .after(el("tr", { id: "after-row" }, el("td", { colspan: 4 }, afterPart)));
  attempt(async () => {
    const isOn = untilNext();
    const answer = await post("/rolls", { id: writeXgid(next), ply: 1, net: net() });
    if (!isOn() || keptPlay() !== play) return;
    const part = rollsPart(
      answer,
      () => {},
      (dice) => take({ ...next, dice }, true, !isOOnRoll()),
    );
    part.querySelector("h2")?.replaceChildren(t("position.answers", { play: play.play }));
    afterPart.replaceChildren(
      part,
      el(
        "p",
        {},
        el(
          "button",
          { type: "button", onclick: () => take(next, true, !isOOnRoll()) },
          t("position.goOn"),
        ),
      ),
    );
  });
}

/**
 * Asks everything about the position.
 *
 * @param {Take} take
 */
async function ask(take) {
  const isOn = newQuestion();
  const fields = onBoard();
  const id = xgid();
  say("");
  rollouts.end();
  afterPart.replaceChildren();
  allowRollout();
  rollouts.show(id);
  worth = null;
  strengths.reset(isPlayable(fields.board));
  if (!isPlayable(fields.board)) {
    for (const part of ["chances", "rolls"]) byId(part).replaceChildren();
    byId("plays").replaceChildren(el("p", { class: "empty" }, t("position.cannot")));
    return;
  }
  if (!byId("plays").firstChild) byId("plays").replaceChildren(loading());
  beginAnswers(fields);
  try {
    const [plain, rolled] = [{ ...fields, dice: "", offered: false }, afterTake(fields)];
    const depth = ply();
    const isDead = isWithoutGammons(fields);
    const showChances = (/** @type {any} */ { outcomes, cubeless }, /** @type {any} */ best) =>
      isOn() &&
      byId("chances").replaceChildren(
        chancesPart(outcomes, isDead ? 2 * outcomes.win - 1 : cubeless, depth, best),
        championPart(net(), id, depth, isDead, fields.dice !== ""),
      );
    // One search for the chances and the cube: another would differ in the last digit.
    const cube = post("/cube", { id: fields.dice ? writeXgid(plain) : id, ply: depth, net: net() });
    const hint = fields.dice ? post("/hint", { id, ply: depth, plays: 10, net: net() }) : null;
    const chances = Promise.all([cube, hint]).then(([answer, found]) =>
      showChances(answer, bestOf(found)),
    );
    // Whatever fails first is told below.
    chances.catch(() => {});
    const ofPlays = lettersOf((await hint)?.plays.map((/** @type {any} */ { play }) => play));
    const main = fields.dice
      ? withChampion(
          playsPart(await hint, (play, isKept) => look(play, isKept, take), id),
          net(),
          id,
          depth,
        )
      : cubePart(await cube, { offered: fields.offered ? 2 ** (fields.cube + 1) : null, isDead });
    if (!isOn()) return;
    letters = ofPlays;
    const [answer, best] = [await cube, (await hint)?.plays[0]];
    if (!isOn()) return;
    worth = worthOf(answer);
    head = best ?? { plies: answer.plies, equity: answer.no_double, cube: answer.words };
    rollouts.show(id, worth, false);
    showPlays(main);
    if (
      fields.dice === ""
        ? (await cube).action !== "not-available"
        : main.querySelectorAll("button.play").length > 1
    )
      byId("plays").append(whyButton(why, isOn));
    await showRolls(
      byId("rolls"),
      { id: writeXgid(rolled), net: net() },
      {
        isOn,
        taken: fields.offered ? 2 ** rolled.cube : null,
        deepest: depth,
        dice: fields.dice,
        look: (roll) => {
          draw(roll ?? keptPlay(), !roll && Boolean(keptPlay()));
          saidRoll(roll);
        },
        // A second click takes the roll back, also before the new answers are there.
        roll: (dice) => take({ ...rolled, dice: dice === onBoard().dice ? "" : dice }, true),
      },
    );
    if (!isOn()) return;
    await chances;
    await Promise.all([
      byId("inputs-part").open && showInputs(),
      byId("scores-part").open && showScores(),
    ]);
  } catch (error) {
    if (!isOn()) return;
    for (const part of ["chances", "plays", "rolls"]) byId(part).replaceChildren();
    const { status, message } = /** @type {import("../common/api.js").Refused} */ (error);
    byId("plays").replaceChildren(
      status === 400
        ? el("p", { class: "empty" }, t("position.cannot"))
        : failedPart(error, () => attempt(() => ask(take))),
    );
    if (status !== 400) throw error;
    showFault(sentence(message), "id");
  } finally {
    if (isOn()) byId("answers").removeAttribute("aria-busy");
  }
}

/** Why the best play is better than the one that is kept, or than the second; or the cube. */
async function why() {
  const asked = { id: xgid(), ply: Math.min(ply(), 3), net: net() };
  const kept = keptPlay();
  // The best play of the table may be of a deeper search.
  const better = kept && kept.play !== head.play ? head.play : undefined;
  return onBoard().dice
    ? whyPart(await postWhenFree("/why", { ...asked, better, instead: kept?.play }), head.play)
    : whyCubePart(await postWhenFree("/why/cube", asked));
}

/** The decision at all scores, with the play that is kept. */
export async function showScores() {
  const place = byId("scores");
  scoring?.abort();
  scoring = new AbortController();
  place.replaceChildren();
  if (!isPlayable(onBoard().board)) return;
  place.replaceChildren(loading(t("scores.working")));
  const isOn = untilNext();
  const kept = keptPlay();
  try {
    const matrix = await askMatrix(
      { id: xgid(), ...(kept ? { play: kept.play } : {}), net: net() },
      head.play,
      ply(),
      scoring.signal,
      (words) => {
        if (isOn()) place.replaceChildren(loading(words));
      },
    );
    if (!isOn()) return;
    byId("scores-part")
      .querySelector("summary")
      .replaceChildren(...scoresTitle(matrix.plies));
    place.replaceChildren(
      deeperNote(matrix, head) ?? "",
      scoresPart(matrix, (play) => draw(play ?? keptPlay(), !play && Boolean(keptPlay())), letters),
    );
  } catch (error) {
    if (!isOn()) return;
    place.replaceChildren(failedPart(error, () => attempt(showScores)));
  }
}

export async function showInputs() {
  const isOn = untilNext();
  const answer = await post("/inputs", { id: xgid(), net: net() });
  if (isOn()) byId("inputs").replaceChildren(inputsPart(answer));
}

/** Rolls out the plays of the roll, or the cube. */
export async function rollOut() {
  await rollouts.begin(
    xgid(),
    { id: xgid(), games: 5184, net: net(), ...decision(), ...levelsAsked() },
    worth,
    false,
  );
}
