// @ts-check
// The opening plays of a net as boards, and how they came about: a slider goes through the tests of
// the run.
import { Board } from "../board/board.js";
import { stepsOf } from "../board/notation.js";
import { START } from "../board/position.js";
import { post } from "../common/api.js";
import { attempt, byId, el } from "../common/dom.js";
import { count } from "../common/format.js";
import { t } from "../common/words.js";
import { isOfBest, openingsAt, testsWithOpenings } from "./state.js";

/** Where the slider was put; null at the best net where its openings are known, else at the newest test. @type {number | null} */
let chosen = null;
/** @type {Map<string, { board: Board, card: HTMLElement, said: HTMLElement, mark: HTMLElement }>} The boards, which stay while their plays change. */
const cards = new Map();

/** Goes to the best net or to the newest test, and on with those that come. */
export function followOpenings() {
  chosen = null;
}

/** Counts what is to be drawn: an answer that comes late draws nothing. */
let question = 0;

/** @param {string} roll */
function cardOf(roll) {
  const found = cards.get(roll);
  if (found) return found;
  const place = el("div", { class: "static" });
  const [said, mark] = [el("b", {}), el("span", { class: "small" })];
  const card = el("figure", { class: "opening" }, place, el("figcaption", {}, said, mark));
  const made = { board: new Board(place), card, said, mark };
  cards.set(roll, made);
  return made;
}

/** The opening plays of best nets that no test has, by what they are. @type {Map<string, any[] | null>} */
const ofBest = new Map();
/** The position ID of the start. */
const START_ID = "4HPwATDgc/ABMA";

/**
 * The opening plays of the best net of a run, which the server is asked for once.
 * @param {any} run
 * @param {{ roll: string }[]} established
 * @param {import("./state.js").Result} result
 */
async function openingsOfBest(run, established, { net }) {
  const key = `${run.name} ${run.command} ${net.games} ${net.isAverage}`;
  if (!ofBest.has(key)) {
    const questions = established.map(({ roll }) => ({ id: START_ID, dice: roll }));
    const answers = await attempt(() => post("/hints", { questions, ply: 1, plays: 1, cubeless: true, net: run.name }));
    ofBest.set(key, answers ? answers.map((/** @type {any} */ { dice, plays }) => ({ roll: dice, play: plays[0].play })) : null);
  }
  return ofBest.get(key) ?? null;
}

/**
 * @param {any} run the answer about a run
 * @param {import("./state.js").Result | null} result
 * @param {string} net the best net in words
 */
export async function showOpenings({ run, knowledge, established, history: rows }, result, net) {
  const tests = testsWithOpenings(knowledge);
  byId("openings-part").hidden = !tests.length;
  if (!tests.length) return;
  const slider = byId("openings-at");
  // A run that keeps an average of its weights plays with it here.
  const isAverage = (rows.at(-1)?.average_ppg ?? null) !== null;
  let best = tests.findIndex((one) => isOfBest(one, isAverage, result));
  const asked = ++question;
  if (result && best < 0) {
    // The tests have the openings of the average; the play-off has chosen other weights.
    const openings = await openingsOfBest(run, established, result);
    if (asked !== question) return;
    if (openings) best = tests.push({ games: result.net.games, openings, isOther: true }) - 1;
  }
  slider.max = tests.length - 1;
  const usual = best < 0 ? tests.length - 1 : best;
  const draw = () => {
    const at = chosen === null || chosen >= tests.length ? usual : chosen;
    slider.value = at;
    const { games, isOther } = tests[at];
    // Before another net than those of the tests there was none of its kind.
    const plays = isOther ? openingsAt([tests[at]], established, 0) : openingsAt(tests, established, at);
    const known = plays.filter((one) => one.known).length;
    byId("openings-said").textContent = t("train.openings.said", { net: isOther ? net : t(isAverage ? "train.net.average" : "train.net.weights", { n: count(games) }), n: known, all: plays.length });
    byId("openings-net").textContent = !result ? "" : t(at === best ? "train.openings.best" : "train.openings.notBest", { net });
    byId("openings").replaceChildren(...plays.map(({ roll, play, known: isKnown, since }) => {
      const { board, card, said, mark } = cardOf(roll);
      board.draw({ board: START, dice: [Number(roll[0]), Number(roll[1])], arrows: [{ steps: stepsOf(play), kind: isKnown ? "best" : "played" }] });
      card.className = isKnown ? "opening known" : "opening";
      said.textContent = `${roll}: ${play}`;
      mark.textContent = !isKnown ? t("train.openings.theory", { plays: established.find((/** @type {any} */ one) => one.roll === roll)?.plays.join(", ") ?? "" })
        : isOther ? t("train.openings.known") : t("train.openings.since", { games: count(since ?? 0) });
      return card;
    }));
  };
  slider.oninput = () => {
    chosen = Number(slider.value) === usual ? null : Number(slider.value);
    draw();
  };
  draw();
}
