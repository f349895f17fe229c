// @ts-check
// The course of a match: winning chances or equity after every decision, by game, with the
// mistakes.
import { JOKER, gameStarts, severity, valueAfter } from "./decisions.js";
import { el } from "../common/dom.js";
import { decimal, percent, signed } from "../common/format.js";
import { t } from "../common/words.js";

/** @typedef {import("./decisions.js").Entry} Entry */

const NS = "http://www.w3.org/2000/svg";

/**
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {(SVGElement | string)[]} children
 */
function svg(name, attributes, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS(NS, name));
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, `${value}`);
  made.append(...children);
  return made;
}

const [LEFT, RIGHT, TOP, BOTTOM] = [44, 10, 20, 8];

/**
 * The chart. `ends` has a text for the end of each game; `pick(at)` is called for clicks.
 * @param {{ all: Entry[], names: string[], inMatch: boolean, ends: string[], now: number | null, wide: number, pick: (at: number) => void }} given
 */
export function courseChart({ all, names, inMatch, ends, now, wide, pick }) {
  const [width, height] = [Math.max(280, wide), wide < 600 ? 150 : 168];
  const values = all.map(({ decision }) => valueAfter(decision));
  const most = inMatch ? 0.5 : Math.min(3, Math.max(1, Math.ceil(Math.max(...values.map(Math.abs)))));
  const middle = inMatch ? 0.5 : 0;
  const x = (/** @type {number} */ at) => LEFT + ((width - LEFT - RIGHT) * at) / Math.max(1, all.length - 1);
  const y = (/** @type {number} */ value) => TOP + ((height - TOP - BOTTOM) * (most - Math.max(-most, Math.min(most, value - middle)))) / (2 * most);
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "course pick", role: "img", "aria-label": t(inMatch ? "analyse.course.chances" : "analyse.course.equity", { name: names[0] }) });
  const starts = gameStarts(all);
  starts.forEach(({ game, at }, i) => {
    const next = starts[i + 1]?.at ?? all.length;
    const [from, to] = [i === 0 ? LEFT : x(at - 0.5), i === starts.length - 1 ? width - RIGHT : x(next - 0.5)];
    root.append(svg("rect", { x: from, y: TOP, width: Math.max(0, to - from), height: height - TOP - BOTTOM, class: i % 2 ? "game even" : "game odd" }));
    if (to - from > 16) root.append(svg("text", { x: (from + to) / 2, y: 13, class: "label" }, to - from > 110 && ends[game] ? `${game + 1}: ${ends[game]}` : `${game + 1}`));
    if (i) root.append(svg("path", { d: `M${from} ${TOP - 4}V${height - BOTTOM}`, class: "end" }, svg("title", {}, ends[starts[i - 1].game] ?? "")));
  });
  const ticks = inMatch ? [0, 0.25, 0.5, 0.75, 1] : [-most, 0, most];
  for (const tick of ticks) {
    root.append(svg("path", { d: `M${LEFT} ${y(tick)}H${width - RIGHT}`, class: tick === middle ? "middle" : "grid" }));
    root.append(svg("text", { x: LEFT - 6, y: y(tick) + 4, class: "tick" }, inMatch ? `${100 * tick} %` : signed(tick, 0)));
  }
  if (values.length) {
    const line = values.map((value, at) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
    const [first, last] = [x(0), x(values.length - 1)];
    for (const [side, from, high] of /** @type {const} */ ([["first", TOP, y(middle) - TOP], ["second", y(middle), height - BOTTOM - y(middle)]])) {
      const clip = `course-${side}`;
      root.append(svg("clipPath", { id: clip }, svg("rect", { x: 0, y: from, width, height: Math.max(0, high) })));
      root.append(svg("path", { d: `M${first} ${y(middle)}L${line}L${last} ${y(middle)}z`, class: `area ${side}`, "clip-path": `url(#${clip})` }));
    }
    root.append(svg("path", { d: `M${line}`, class: "line" }));
  }
  for (const entry of all) {
    const { at, decision } = entry;
    const level = severity(decision);
    const luck = decision.decision.luck ?? 0;
    if (!level && Math.abs(luck) < JOKER) continue;
    const [cx, cy, r] = [x(at), y(values[at]), 2.2 + level];
    const who = names[decision.player];
    const said = level ? t("analyse.course.mistake", { name: who, mark: decision.mark, loss: decimal(decision.loss, 3) }) : t("analyse.course.luck", { name: who, dice: decision.decision.dice ?? "", luck: signed(luck) });
    const shape = level === 0 ? svg("path", { d: `M${cx} ${cy - 4}L${cx + 4} ${cy}L${cx} ${cy + 4}L${cx - 4} ${cy}z`, class: luck > 0 ? "joker lucky" : "joker unlucky" })
      : decision.player === 0 ? svg("circle", { cx, cy, r, class: `dot level${level}` })
        : svg("rect", { x: cx - r, y: cy - r, width: 2 * r, height: 2 * r, class: `dot level${level}` });
    shape.append(svg("title", {}, said));
    root.append(shape);
  }
  const mark = svg("path", { d: "", class: "now" });
  root.append(mark);
  /** @param {number | null} at */
  const goTo = (at) => mark.setAttribute("d", at === null ? "" : `M${x(at)} ${TOP - 6}V${height - BOTTOM + 4}`);
  goTo(now);
  root.addEventListener("click", (event) => {
    const box = root.getBoundingClientRect();
    const at = (((event.clientX - box.left) / box.width) * width - LEFT) / (width - LEFT - RIGHT);
    pick(Math.max(0, Math.min(all.length - 1, Math.round(at * (all.length - 1)))));
  });
  const caption = el("figcaption", { class: "small" }, t(inMatch ? "analyse.course.chances" : "analyse.course.equity", { name: names[0] }), " ",
    el("span", { class: "key dot" }, t("analyse.course.circles", { name: names[0] })), el("span", { class: "key square" }, t("analyse.course.squares", { name: names[1] })),
    el("span", { class: "key diamond" }, t("analyse.course.jokers")));
  return { figure: el("figure", { class: "course-figure" }, root, caption), goTo };
}

/**
 * What the value after a decision is, in words.
 * @param {import("./decisions.js").Decision} decision
 * @param {string[]} names
 */
export function valueInWords(decision, names) {
  const value = valueAfter(decision);
  return decision.mwc_after === null ? t("analyse.value.equity", { name: names[0], value: signed(value) }) : t("analyse.value.chances", { name: names[0], value: percent(value) });
}
