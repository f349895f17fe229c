// @ts-check
// The opening plays of a net as boards, and how they came about: a slider goes through the tests of
// the run.
import { Board } from "../board/board.js";
import { stepsOf } from "../board/notation.js";
import { START } from "../board/position.js";
import { post } from "../common/api.js";
import { attempt, byId, el, sentence } from "../common/dom.js";
import { count, decimal, losesWords } from "../common/format.js";
import { START as START_XGID, readXgid, writeXgid } from "../position/xgid.js";
import { t } from "../common/words.js";
import { isOfBest, openingsAt, testsWithOpenings } from "./opening-tests.js";
import { calledOf } from "./state.js";

/**
 * The test at which the slider was put. Null is the best net where it is known, else the newest
 * test.
 *
 * @type {number | null}
 */
let chosen = null;
/**
 * The boards, which stay while their plays change.
 *
 * @type {Map<
 *   string,
 *   {
 *     board: Board;
 *     card: HTMLElement;
 *     said: HTMLElement;
 *     mark: HTMLElement;
 *     link: HTMLAnchorElement;
 *   }
 * >}
 */
const cards = new Map();

/** Goes to the best net or to the newest test, and on with those that come. */
export function followOpenings() {
  chosen = null;
}

/**
 * The page Position with an opening roll and the best net of a run, at the depth of the openings.
 *
 * @param {string} run
 * @param {string} roll
 */
const openingLink = (run, roll) =>
  `/position?id=${encodeURIComponent(writeXgid({ .../** @type {import("../position/xgid.js").Fields} */ (readXgid(START_XGID)), dice: roll }))}&net=${encodeURIComponent(run)}&ply=1`;

/** Counts what is to be drawn: an answer that comes late draws nothing. */
let question = 0;

/** @param {string} roll */
function cardOf(roll) {
  const found = cards.get(roll);
  if (found) return found;
  const place = el("div", { class: "static" });
  const [said, mark] = [el("b", {}), el("span", { class: "small" })];
  const link = el("a", { title: t("train.openings.open") }, place, said);
  const card = el("figure", { class: "opening" }, link, el("figcaption", {}, mark));
  const made = { board: new Board(place), card, said, mark, link };
  cards.set(roll, made);
  return made;
}

/**
 * The opening plays of best nets that no test has, by what they are.
 *
 * @type {Map<string, any[] | null>}
 */
const ofBest = new Map();
/** The position ID of the start. */
const START_ID = "4HPwATDgc/ABMA";

/**
 * The opening plays of the best net of a run, which the server is asked for once.
 *
 * @param {any} run
 * @param {{ roll: string }[]} established
 * @param {import("./state.js").Result} result
 */
async function openingsOfBest(run, established, { net }) {
  const key = `${run.name} ${run.command} ${net.games} ${net.isAverage}`;
  if (!ofBest.has(key)) {
    const questions = established.map(({ roll }) => ({ id: START_ID, dice: roll }));
    const answers = await attempt(() =>
      post("/hints", { questions, ply: 1, plays: 1, cubeless: true, net: run.name }),
    );
    ofBest.set(
      key,
      answers
        ? answers.map((/** @type {any} */ { dice, plays }) => ({ roll: dice, play: plays[0].play }))
        : null,
    );
  }
  return ofBest.get(key) ?? null;
}

/**
 * All plays of the opening rolls by the champion, once they are there.
 *
 * @type {Map<string, { play: string, loss: number, plies: number }[]> | null}
 */
let judged = null;
/** The depth at which the champion judges them, in plies. */
const JUDGE_PLY = 3;

/**
 * Asks the champion about the opening rolls, once.
 *
 * @param {{ roll: string }[]} established
 */
async function judgeOpenings(established) {
  const questions = established.map(({ roll }) => ({ id: START_ID, dice: roll }));
  const answers = await attempt(() =>
    post("/hints", { questions, ply: JUDGE_PLY, plays: 99, cubeless: true }),
  );
  judged ??= new Map((answers ?? []).map((/** @type {any} */ { dice, plays }) => [dice, plays]));
}

/**
 * What the champion says of a play of a roll, and of the best one; null before it has answered.
 *
 * @param {string} roll
 * @param {string} play
 */
function judgedOf(roll, play) {
  const plays = judged?.get(roll) ?? [];
  return { plays, found: plays.find((one) => one.play === play) };
}

/**
 * What a play loses by the champion, in words; empty for its best one, and before it has answered.
 *
 * @param {string} roll
 * @param {string} play
 */
function lossWords(roll, play) {
  const { plays, found } = judgedOf(roll, play);
  return !found || found === plays[0] ? "" : losesWords(found, plays[0]);
}

/**
 * What plays lose by the champion on average, in words; empty before it has answered.
 *
 * @param {{ roll: string; play: string }[]} plays
 */
function meanWords(plays) {
  const losses = plays.map(({ roll, play }) => judgedOf(roll, play).found?.loss);
  if (!losses.every((loss) => loss !== undefined)) return "";
  return ` ${t("train.openings.mean", { loss: decimal(losses.reduce((sum, loss) => sum + loss, 0) / losses.length, 3) })}`;
}

/**
 * @param {any} run The answer about a run
 * @param {import("./state.js").Result | null} result
 * @param {string} net The best net in words
 */
export async function showOpenings({ run, knowledge, established, history: rows }, result, net) {
  const tests = testsWithOpenings(knowledge);
  byId("openings-part").hidden = !tests.length;
  if (!tests.length) return;
  const slider = byId("openings-at");
  // A run that keeps an average of its weights plays with it here.
  const isAverage = (rows.at(-1)?.average_ppg ?? null) !== null;
  const best = tests.findIndex((one) => isOfBest(one, isAverage, result));
  const asked = ++question;
  // Where the tests have the openings of the average, the play-off may have chosen other weights.
  const openings = result && best < 0 ? await openingsOfBest(run, established, result) : null;
  if (asked !== question) return;
  const other = openings && result ? { games: result.net.games, openings } : null;
  slider.max = tests.length - 1;
  const usual = best < 0 ? tests.length - 1 : best;
  byId("openings-title").textContent = t("train.openings.of", { name: calledOf(run) });
  const button = byId("openings-best");
  button.hidden = best < 0 && !other;
  const draw = () => {
    const at = chosen === null || chosen >= tests.length ? usual : chosen;
    const isOther = other !== null && chosen === null;
    const isBest = isOther || at === best;
    // Of the best net outside of the tests, the slider shows the place in time.
    slider.value = isOther ? tests.findLastIndex(({ games }) => games <= other.games) : at;
    button.setAttribute("aria-pressed", `${isBest}`);
    const { games } = isOther ? other : tests[at];
    // Before another net than those of the tests there was none of its kind.
    const plays = isOther
      ? openingsAt([other], established, 0)
      : openingsAt(tests, established, at);
    const known = plays.filter((one) => one.known).length;
    byId("openings-said").textContent =
      t("train.openings.said", {
        net: sentence(
          isOther
            ? net
            : t(isAverage ? "train.net.average" : "train.net.weights", {
                games: count(games),
                n: games,
              }),
        ),
        n: known,
        all: plays.length,
      }) + meanWords(plays);
    byId("openings-since").hidden = isOther;
    byId("openings-net").textContent = !result
      ? ""
      : t(isBest ? "train.openings.best" : "train.openings.notBest", { net });
    byId("openings").replaceChildren(
      ...plays.map(({ roll, play, known: isKnown, since, others }) => {
        const { board, card, said, mark, link } = cardOf(roll);
        link.href = openingLink(run.name, roll);
        board.draw({
          board: START,
          dice: [Number(roll[0]), Number(roll[1])],
          arrows: [{ steps: stepsOf(play), kind: isKnown ? "best" : "played" }],
        });
        card.className = isKnown ? "opening known" : "opening";
        said.textContent = `${roll}: ${play}`;
        const theory = others.length
          ? t(isKnown ? "train.openings.too" : "train.openings.theory", {
              plays: others.join(", "),
            })
          : "";
        mark.textContent = [
          lossWords(roll, play),
          isOther ? "" : t("train.openings.since", { games: count(since ?? 0) }),
          theory,
        ]
          .filter(Boolean)
          .join("; ");
        return card;
      }),
    );
  };
  slider.oninput = () => {
    chosen = !other && Number(slider.value) === usual ? null : Number(slider.value);
    draw();
  };
  button.onclick = () => {
    chosen = null;
    draw();
  };
  draw();
  if (judged) return;
  await judgeOpenings(established);
  if (asked === question) draw();
}
