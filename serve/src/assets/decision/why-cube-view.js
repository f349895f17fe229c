// @ts-check
// Why to double or not, and why to take or not: the sentences, the window, and the rolls that lose
// the market.
import { el } from "../common/dom.js";
import { percent, signed } from "../common/format.js";
import { table } from "../common/tables.js";
import { t } from "../common/words.js";
import { saidOfCube, sentences } from "./why-sentences.js";
import { headOf } from "./why-view.js";

/** @typedef {import("./why-sentences.js").Said} Said */

/**
 * Where a cube decision turns, in per cent of wins of the player who decides.
 *
 * @typedef {{ kind: string; from: number; to: number }} Zone
 */

/**
 * What is right at which winning chances, and those of the position. The zones of the player on
 * roll go from waiting to a pass, those of an answer from pass to take. Null where a sentence is
 * missing.
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
