// @ts-check
// The course of a match: winning chances or equity after every decision, by game, with the
// mistakes.
import { el } from "../common/dom.js";
import { percent, signed } from "../common/format.js";
import { svg } from "../common/svg.js";
import { t } from "../common/words.js";
import { JOKER, severity, valueAfter } from "../decision/decision.js";
import { decisionName, lossShown, valueInWords } from "../decision/decision-words.js";
import { gameStarts } from "./decisions.js";

/** @typedef {import("../decision/decision.js").Entry} Entry */

const [LEFT, RIGHT, TOP, BOTTOM] = [62, 12, 22, 44];

/**
 * A decision in a few words: game, turn, who did what, and the value after it.
 *
 * @param {Entry} entry
 * @param {string[]} names
 */
export function pointInWords({ game, decision }, names) {
  const parts = [
    t("analyse.turn", { game: game + 1, turn: decision.roll }),
    `${names[decision.player]}: ${decisionName(decision)}`,
    valueInWords(decision, names),
  ];
  if (decision.mark) parts.push(`${decision.mark} −${lossShown(decision)}`);
  const luck = decision.decision.luck ?? 0;
  if (Math.abs(luck) >= JOKER) parts.push(t("analyse.luckOfRoll", { luck: signed(luck) }));
  return parts;
}

/** The width of a letter above the chart. */
const LETTER = 7;

/**
 * As much of the end of a game as there is room for: all, who won how much, or nothing.
 *
 * @param {string} end
 * @param {number} room
 */
export const endIn = (end, room) =>
  [end, end.replace(/ \([^()]*\)$/, "")].find((some) => room > LETTER * some.length) ?? "";

/**
 * The shapes behind the line: games with their ends, and both axes with their titles. `isCut` says
 * whether the words of an end lacked room.
 *
 * @param {{
 *   all: Entry[];
 *   names: string[];
 *   inMatch: boolean;
 *   ends: string[];
 *   width: number;
 *   height: number;
 *   most: number;
 *   x: (at: number) => number;
 *   y: (value: number) => number;
 * }} given
 */
function ground({ all, names, inMatch, ends, width, height, most, x, y }) {
  const [middle, floor] = [inMatch ? 0.5 : 0, height - BOTTOM];
  const parts = [];
  let isCut = false;
  const starts = gameStarts(all);
  starts.forEach(({ game, at }, i) => {
    const isLast = i === starts.length - 1;
    const [from, to] = [
      i === 0 ? LEFT : x(at - 0.5),
      isLast ? width - RIGHT : x(starts[i + 1].at - 0.5),
    ];
    const end = ends[game] ?? "";
    parts.push(
      svg("rect", {
        x: from,
        y: TOP,
        width: Math.max(0, to - from),
        height: floor - TOP,
        class: i % 2 ? "game even" : "game odd",
      }),
    );
    if (to - from > 14)
      parts.push(svg("text", { x: (from + to) / 2, y: floor + 16, class: "label" }, `${game + 1}`));
    if (!end) return;
    // The flag of a game's end: who won, and how much.
    parts.push(
      svg("path", { d: `M${to} ${TOP - 4}V${floor + 5}`, class: "end" }, svg("title", {}, end)),
    );
    const words = endIn(end, to - from);
    if (words !== end) isCut = true;
    if (words) parts.push(svg("text", { x: to - 2, y: 14, class: "won" }, words));
  });
  for (const tick of inMatch ? [0, 0.25, 0.5, 0.75, 1] : [-most, 0, most]) {
    parts.push(
      svg("path", {
        d: `M${LEFT} ${y(tick)}H${width - RIGHT}`,
        class: tick === middle ? "middle" : "grid",
      }),
    );
    parts.push(
      svg(
        "text",
        { x: LEFT - 6, y: y(tick) + 4, class: "tick" },
        inMatch ? percent(tick, 0) : signed(tick, 0),
      ),
    );
  }
  const [across, up] = [(LEFT + width - RIGHT) / 2, (TOP + floor) / 2];
  parts.push(svg("text", { x: across, y: height - 6, class: "title" }, t("analyse.course.x")));
  const name = names[0].length > 12 ? `${names[0].slice(0, 11)}…` : names[0];
  parts.push(
    svg(
      "text",
      { x: 14, y: up, class: "title", transform: `rotate(-90 14 ${up})` },
      t(inMatch ? "analyse.course.yChances" : "analyse.course.yEquity", { name }),
    ),
  );
  return { parts, isCut };
}

/**
 * The chart: each game has its own line. `ends` has a text for the end of each game; `pick(at)` is
 * called for clicks and Enter. With `link` the marks are links. With `game` it shows that one
 * alone.
 *
 * @param {{
 *   game?: number | null;
 *   all: Entry[];
 *   names: string[];
 *   inMatch: boolean;
 *   ends: string[];
 *   now: number | null;
 *   wide: number;
 *   pick: (at: number) => void;
 *   link?: ((entry: Entry) => string) | null;
 * }} given
 */
export function courseChart({
  game = null,
  all,
  names,
  inMatch,
  ends,
  now,
  wide,
  pick,
  link = null,
}) {
  const [width, height] = [Math.max(280, wide), wide < 600 ? 210 : 220];
  const values = all.map(({ decision }) => valueAfter(decision));
  const most = inMatch
    ? 0.5
    : Math.min(3, Math.max(1, Math.ceil(Math.max(...values.map(Math.abs)))));
  const middle = inMatch ? 0.5 : 0;
  const shown = game === null ? all : all.filter((entry) => entry.game === game);
  const [first, last] = [shown[0]?.at ?? 0, shown.at(-1)?.at ?? 0];
  const x = (/** @type {number} */ at) =>
    LEFT + ((width - LEFT - RIGHT) * (at - first)) / Math.max(1, last - first);
  const y = (/** @type {number} */ value) =>
    TOP +
    ((height - TOP - BOTTOM) * (most - Math.max(-most, Math.min(most, value - middle)))) /
      (2 * most);
  const words = t(inMatch ? "analyse.course.chances" : "analyse.course.equity", { name: names[0] });
  const root = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "course pick",
    role: "slider",
    tabindex: 0,
    "aria-label": link ? words : `${words} ${t("analyse.course.how")}`,
    "aria-valuemin": first + 1,
    "aria-valuemax": last + 1,
  });
  const { parts, isCut } = ground({ all: shown, names, inMatch, ends, width, height, most, x, y });
  root.append(...parts);
  if (values.length) {
    const starts = gameStarts(shown);
    const lines = starts.map(({ at: from }, i) => {
      const own = values.slice(from, starts[i + 1]?.at ?? last + 1);
      const line = own
        .map((value, j) => `${x(from + j).toFixed(1)} ${y(value).toFixed(1)}`)
        .join("L");
      return {
        line,
        area: `M${x(from)} ${y(middle)}L${line}L${x(from + own.length - 1)} ${y(middle)}z`,
      };
    });
    for (const [side, from, high] of /** @type {const} */ ([
      ["first", TOP, y(middle) - TOP],
      ["second", y(middle), height - BOTTOM - y(middle)],
    ])) {
      const clip = `course-${width}-${side}`;
      root.append(
        svg(
          "clipPath",
          { id: clip },
          svg("rect", { x: 0, y: from, width, height: Math.max(0, high) }),
        ),
      );
      root.append(
        svg("path", {
          d: lines.map(({ area }) => area).join(""),
          class: `area ${side}`,
          "clip-path": `url(#${clip})`,
        }),
      );
    }
    root.append(svg("path", { d: lines.map(({ line }) => `M${line}`).join(""), class: "line" }));
  }
  for (const entry of shown) {
    const { at, decision } = entry;
    const level = severity(decision);
    const luck = decision.decision.luck ?? 0;
    if (!level && Math.abs(luck) < JOKER) continue;
    const [cx, cy, r] = [x(at), y(values[at]), 2.2 + level];
    const dot =
      level === 0
        ? svg("path", {
            d: `M${cx} ${cy - 4}L${cx + 4} ${cy}L${cx} ${cy + 4}L${cx - 4} ${cy}z`,
            class: `joker ${luck > 0 ? "lucky" : "unlucky"}${decision.player ? " second" : ""}`,
          })
        : decision.player === 0
          ? svg("circle", { cx, cy, r, class: `dot level${level}` })
          : svg("rect", {
              x: cx - r,
              y: cy - r,
              width: 2 * r,
              height: 2 * r,
              class: `dot level${level}`,
            });
    root.append(
      link
        ? svg(
            "a",
            { href: link(entry) },
            svg("title", {}, pointInWords(entry, names).join(", ")),
            dot,
          )
        : dot,
    );
  }
  const [mark, looked, told] = [
    svg("path", { d: "", class: "now" }),
    svg("path", { d: "", class: "looked" }),
    el("div", { class: "told", hidden: true }),
  ];
  root.append(mark, looked);
  let current = now ?? 0;
  /**
   * Tells about the decision that is pointed at.
   *
   * @type {number | null}
   */
  let at = null;
  const look = (/** @type {number | null} */ next) => {
    at = next;
    told.hidden = at === null || !all[at];
    looked.setAttribute("d", told.hidden ? "" : `M${x(at ?? 0)} ${TOP}V${height - BOTTOM}`);
    if (at === null || !all[at]) return;
    const parts = pointInWords(all[at], names);
    told.replaceChildren(...parts.map((part) => el("span", {}, part)));
    const share = x(at) / width;
    told.style.left = `${100 * share}%`;
    told.style.transform = `translateX(${-100 * share}%)`;
    root.setAttribute("aria-valuenow", `${at + 1}`);
    root.setAttribute("aria-valuetext", parts.join(", "));
  };
  /** @param {number | null} place */
  const goTo = (place) => {
    if (place !== null) current = place;
    mark.setAttribute(
      "d",
      place === null || place < first || place > last
        ? ""
        : `M${x(place)} ${TOP - 6}V${height - BOTTOM + 4}`,
    );
    root.setAttribute("aria-valuenow", `${current + 1}`);
    if (all[current])
      root.setAttribute("aria-valuetext", pointInWords(all[current], names).join(", "));
  };
  goTo(now);
  const placeOf = (/** @type {MouseEvent} */ event) => {
    const box = root.getBoundingClientRect();
    const share =
      (((event.clientX - box.left) / box.width) * width - LEFT) / (width - LEFT - RIGHT);
    return Math.max(first, Math.min(last, first + Math.round(share * (last - first))));
  };
  root.addEventListener("pointermove", (event) => look(placeOf(event)));
  root.addEventListener("pointerleave", () => look(null));
  root.addEventListener("blur", () => look(null));
  root.addEventListener("click", (event) => {
    if (all.length) pick(placeOf(event));
  });
  root.addEventListener("keydown", (event) => {
    const from = at ?? current;
    const next = {
      ArrowLeft: from - 1,
      ArrowDown: from - 1,
      ArrowRight: from + 1,
      ArrowUp: from + 1,
      PageDown: from - 10,
      PageUp: from + 10,
      Home: first,
      End: last,
    }[event.key];
    if (next !== undefined) look(Math.max(first, Math.min(last, next)));
    else if (event.key === "Enter" && all.length) pick(from);
    else return;
    event.preventDefault();
    event.stopPropagation(); // The page steps through its list with the same keys.
  });
  const caption = el(
    "figcaption",
    { class: "small" },
    words,
    " ",
    el("span", { class: "key dot" }, t("analyse.course.circles", { name: names[0] })),
    el("span", { class: "key square" }, t("analyse.course.squares", { name: names[1] })),
    ["doubtful", "bad", "veryBad"].map((name, i) =>
      el("span", { class: `key level level${i + 1}` }, t(`analyse.course.${name}`)),
    ),
    el("span", { class: "key diamond lucky" }, t("analyse.course.lucky")),
    el("span", { class: "key diamond unlucky" }, t("analyse.course.unlucky")),
    el("span", { class: "key diamond second" }, t("analyse.course.rolls", { name: names[1] })),
    isCut
      ? el(
          "span",
          { class: "ends" },
          gameStarts(shown)
            .filter((one) => ends[one.game])
            .map((one) =>
              el("span", {}, `${t("analyse.game", { n: one.game + 1 })}: ${ends[one.game]}`),
            ),
        )
      : null,
  );
  return {
    figure: el(
      "figure",
      { class: "course-figure" },
      el("div", { class: "course-place" }, root, told),
      caption,
    ),
    goTo,
  };
}

/**
 * The choice of a game that the chart shows alone; null is all of them.
 *
 * @param {number} games
 * @param {number | null} game
 * @param {(game: number | null) => void} choose
 */
export function gameChoice(games, game, choose) {
  if (games < 2) return null;
  const button = (/** @type {number | null} */ one, /** @type {string} */ text) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": `${one === game}`,
        "aria-label": one === null ? null : t("analyse.game", { n: one + 1 }),
        onclick: () => choose(one),
      },
      text,
    );
  return el(
    "div",
    { class: "segments games", role: "group", "aria-label": t("analyse.filter.game") },
    button(null, t("analyse.filter.allGames")),
    Array.from({ length: games }, (_, i) => button(i, `${i + 1}`)),
  );
}
