// @ts-check
// Line charts as SVG, with axes, units and bands.
import { el } from "./dom.js";
import { count, decimal, signed } from "./format.js";
import { dates, linear, logarithmic, short } from "./scale.js";
import { t } from "./words.js";

const NS = "http://www.w3.org/2000/svg";
/**
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {(Node | string)[]} children
 */
function svg(name, attributes, ...children) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes ?? {}))
    if (value !== null) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/**
 * @typedef {{
 *   name: string;
 *   points: number[][];
 *   dots?: boolean;
 *   line?: boolean;
 *   colour?: number;
 *   dashed?: boolean;
 *   of?: string;
 *   mark?: "full" | "hollow";
 * }} Series
 *   `of` names a series in the page where its name is longer, `mark` draws its points as diamonds
 */

/**
 * A chart: `series` are `{ name, points: [[x, y, halfWidth?]], dots, colour }`; `x` and `y` name
 * the axes with their units. `logX` and `logY` make them logarithmic (values of 0 and less are left
 * out), `whole` counts x in whole numbers, `dated` says that x is Unix seconds, `now` marks an x,
 * `pick(x)` is called for clicks, and `wide` says how much room there is. `range` fixes the y axis,
 * A point with a value that is no number breaks its line, and `borders` are x where one part ends;
 * `border` names them. `labels` puts the names of lines at their ends, `tall` is the height, and
 * `tell` says the values where the mouse or the arrow keys point. The x axis goes to `end` at
 * least.
 *
 * @param {{
 *   title: string;
 *   x: string;
 *   y: string;
 *   series: Series[];
 *   now?: number | null;
 *   zero?: boolean;
 *   logX?: boolean;
 *   logY?: boolean;
 *   whole?: boolean;
 *   dated?: boolean;
 *   pick?: ((x: number) => void) | null;
 *   wide?: number | null;
 *   level?: number | null;
 *   range?: [number, number] | null;
 *   labels?: boolean;
 *   tall?: number;
 *   tell?: boolean;
 *   borders?: number[];
 *   border?: string;
 *   end?: number | null;
 * }} chart
 */
export function lineChart({
  title,
  x,
  y,
  series,
  now = null,
  zero = false,
  logX = false,
  logY = false,
  whole = false,
  dated = false,
  pick = null,
  wide = null,
  level = null,
  range = null,
  labels = false,
  tall = 280,
  tell = false,
  borders = [],
  border = "",
  end = null,
}) {
  // As wide as there is room, so that its text keeps its size.
  const room = wide ?? (document.querySelector("main")?.clientWidth ?? 720) - 24;
  const longest = Math.max(0, ...series.map((one) => one.name.length));
  // Where strokes differ, each label begins with that of its line.
  const stroke = labels && series.some((one) => one.dashed || one.mark) ? 30 : 0;
  const aside = labels ? Math.min(room / 3, 16 + stroke + LETTER * longest) : 18;
  const [width, height, leftEdge, bottom, top, right] = [
    Math.max(200, Math.min(960, room)),
    tall,
    60,
    42,
    12,
    aside,
  ];
  const shown = series.map((one) => ({
    ...one,
    points: one.points.filter(([at, value]) => (!logX || at > 0) && (!logY || value > 0)),
  }));
  const all = shown.flatMap((one) => one.points);
  if (all.length === 0) return el("p", { class: "small" }, t("chart.nothing", { title }));
  const xs = all.map((point) => point[0]);
  const ys = all
    .flatMap(([, value, half = 0]) => [value - half, value + half])
    .filter((value) => Number.isFinite(value) && (!logY || value > 0));
  if (zero && !logY) ys.push(0);
  const limits = (/** @type {number[]} */ values, /** @type {boolean} */ log) => {
    let [low, high] = [Math.min(...values), Math.max(...values)];
    if (low === high) [low, high] = log ? [low / 1.5, high * 1.5] : [low - 0.5, high + 0.5];
    return [low, high];
  };
  const [x0, x1] = limits(end === null ? xs : [...xs, end], logX);
  let [y0, y1] = limits(ys, logY);
  if (logY) {
    const pad = (y1 / y0) ** 0.06;
    [y0, y1] = [y0 / pad, y1 * pad];
  } else {
    const pad = (y1 - y0) * 0.06;
    [y0, y1] = [y0 - (zero && y0 === 0 ? 0 : pad), y1 + pad];
  }
  if (range) [y0, y1] = range;
  const across = dated
    ? dates(x0, x1, Math.floor(width / 110))
    : (logX ? logarithmic : linear)(x0, x1, Math.floor(width / 75), whole);
  if (logX || whole) withEnd(across, whole ? Math.floor(x1) : x1, (width - leftEdge - right) / 46);
  const up = (logY ? logarithmic : linear)(y0, y1, 6);
  const px = (/** @type {number} */ value) =>
    leftEdge + across.at(value) * (width - leftEdge - right);
  const py = (/** @type {number} */ value) =>
    height - bottom - Math.max(0, logY && value <= 0 ? 0 : up.at(value)) * (height - bottom - top);
  const last = series
    .map(
      (one) =>
        `${one.name}: ${one.points.length ? decimal(one.points[one.points.length - 1][1], 3) : t("chart.none")}`,
    )
    .join("; ");
  const root = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "chart",
    role: "img",
    "aria-label": t("chart.last", { title, last }),
  });
  for (const [tick, text] of up.ticks) {
    root.append(
      svg("path", { d: `M${leftEdge} ${py(tick)}H${width - right}`, class: "grid" }),
      svg("text", { x: leftEdge - 6, y: py(tick) + 4, "text-anchor": "end" }, text),
    );
  }
  for (const [tick, text] of across.ticks) {
    // The text of a tick at the right edge ends there.
    const anchor = px(tick) + 4 * text.length > width ? "end" : "middle";
    const at = anchor === "end" ? width - 2 : px(tick);
    root.append(
      svg("path", { d: `M${px(tick)} ${top}V${height - bottom}`, class: "grid" }),
      svg("text", { x: at, y: height - bottom + 17, "text-anchor": anchor }, text),
    );
  }
  if (level !== null && level > y0 && level < y1)
    root.append(svg("path", { d: `M${leftEdge} ${py(level)}H${width - right}`, class: "level" }));
  root.append(
    svg("path", { d: `M${leftEdge} ${top}V${height - bottom}H${width - right}`, class: "axis" }),
  );
  root.append(
    svg("text", { x: (leftEdge + width - right) / 2, y: height - 6, "text-anchor": "middle" }, x),
  );
  root.append(
    svg(
      "text",
      {
        x: 14,
        y: (top + height - bottom) / 2,
        "text-anchor": "middle",
        transform: `rotate(-90 14 ${(top + height - bottom) / 2})`,
      },
      y,
    ),
  );
  for (const at of borders)
    root.append(
      svg("path", { d: `M${px(at)} ${top}V${height - bottom}`, class: "border" }),
      border ? svg("text", { x: px(at) - 5, y: top + 10, "text-anchor": "end" }, border) : "",
    );
  shown.forEach((one, i) => {
    const group = svg("g", {
      class: `s${(one.colour ?? i) % COLOURS}${one.dashed ? " dashed" : ""}`,
      "data-series": one.of ?? one.name,
    });
    const band = one.points.filter((point) => point.length > 2 && Number.isFinite(point[2]));
    if (band.length > 1) {
      const over = band.map(([at, value, half]) => `${px(at)} ${py(value + half)}`);
      const under = band.map(([at, value, half]) => `${px(at)} ${py(value - half)}`).reverse();
      group.append(svg("path", { d: `M${over.concat(under).join("L")}z`, class: "band" }));
    } else if (band.length === 1) {
      const [[at, value, half]] = band;
      group.append(
        svg("path", { d: `M${px(at)} ${py(value - half)}V${py(value + half)}`, class: "line" }),
      );
    }
    if (one.points.length > 1 && one.line !== false)
      group.append(
        svg("path", {
          d: pathOf(
            one.points.map(([at, value]) => [px(at), Number.isFinite(value) ? py(value) : NaN]),
          ),
          class: "line",
        }),
      );
    if (one.mark)
      group.append(
        ...one.points.map(([at, value]) => diamond(px(at), py(value), one.mark === "hollow")),
      );
    else if (one.dots || one.points.length === 1)
      for (const [at, value] of one.points)
        group.append(svg("circle", { cx: px(at), cy: py(value), r: 3.2, class: "dot" }));
    root.append(group);
  });
  if (labels)
    root.append(
      ...endLabels(shown, py, height - bottom).map(({ one, i, y: at }) => {
        const from = width - right + 8;
        const sample = one.mark
          ? diamond(from + 12, at, one.mark === "hollow")
          : svg("path", { d: `M${from} ${at}h24`, class: "line" });
        return svg(
          "g",
          { class: `s${(one.colour ?? i) % COLOURS}${one.dashed ? " dashed" : ""}` },
          stroke ? sample : "",
          svg(
            "text",
            { x: from + stroke, y: at + 4, class: "end" },
            cut(one.name, (aside - stroke - 10) / LETTER),
          ),
        );
      }),
    );
  if (now !== null)
    root.append(svg("path", { d: `M${px(now)} ${top}V${height - bottom}`, class: "now" }));
  if (pick) {
    root.classList.add("pick");
    root.addEventListener("click", (event) => {
      const box = root.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * width;
      pick(across.value((at - leftEdge) / (width - leftEdge - right)));
    });
  }
  const legend =
    series.length > 1 && !labels
      ? el(
          "div",
          { class: "legend" },
          series.map((one, i) =>
            el(
              "span",
              {
                class: `s${(one.colour ?? i) % COLOURS}${one.dashed ? " dashed" : ""}${one.mark ? ` ${one.mark}` : ""}`,
              },
              one.name,
            ),
          ),
        )
      : null;
  const told = tell ? teller(root, shown, { px, from: top, to: height - bottom, width }) : "";
  return el("figure", {}, el("figcaption", {}, title), root, told, legend ?? "");
}

/**
 * @param {number} x
 * @param {number} y
 * @param {boolean} isHollow
 */
const diamond = (x, y, isHollow) =>
  svg("path", { d: `M${x} ${y - 6}l6 6l-6 6l-6 -6z`, class: isHollow ? "mark hollow" : "mark" });

/**
 * A line through points, broken where there is none.
 *
 * @param {number[][]} points
 */
export function pathOf(points) {
  let isOpen = false;
  return points
    .map(([x, y]) => {
      const step = Number.isFinite(y) ? `${isOpen ? "L" : "M"}${x} ${y}` : "";
      isOpen = step !== "";
      return step;
    })
    .join("");
}

/** How wide a letter of a label is, in pixels. */
const LETTER = 7.4;

/**
 * A name that fits.
 *
 * @param {string} name
 * @param {number} most
 */
const cut = (name, most) =>
  name.length > most ? `${name.slice(0, Math.max(1, Math.floor(most) - 1))}…` : name;

/**
 * Adds the end of an axis to its ticks, in place of one that is too near.
 *
 * @param {import("./scale.js").Scale} scale
 * @param {number} end
 * @param {number} most How many texts have room
 */
function withEnd(scale, end, most) {
  const isNear = (/** @type {number} */ tick) =>
    Math.abs(scale.at(end) - scale.at(tick)) < 1 / most;
  if (scale.ticks.some(([tick]) => tick === end)) return;
  scale.ticks = [...scale.ticks.filter(([tick]) => !isNear(tick)), [end, short(end, 0, 999.5)]];
}

/**
 * A line that says the values at one x: the mouse points at it, or the arrow keys step.
 *
 * @param {Element} root
 * @param {Series[]} series
 * @param {{ px: (value: number) => number; from: number; to: number; width: number }} axes
 */
function teller(root, series, { px, from, to, width }) {
  const xs = [...new Set(series.flatMap((one) => one.points.map(([at]) => at)))].sort(
    (a, b) => a - b,
  );
  const mark = svg("path", { class: "told-at" });
  const words = el(
    "p",
    { class: "small told-values", role: "status" },
    t(matchMedia("(pointer: coarse)").matches ? "chart.tell.touch" : "chart.tell"),
  );
  root.append(mark);
  root.setAttribute("tabindex", "0");
  let place = xs.length;
  const show = (/** @type {number} */ next) => {
    place = Math.max(0, Math.min(xs.length - 1, next));
    const x = xs[place];
    mark.setAttribute("d", `M${px(x)} ${from}V${to}`);
    const values = series.flatMap((one) =>
      one.points
        .filter(([at]) => at === x)
        .map(
          ([, value, half]) =>
            `${one.name} ${signed(value)}${half ? ` ± ${decimal(half, 3)}` : ""}`,
        ),
    );
    words.textContent = `${count(x)}: ${values.join("; ")}`;
  };
  // A finger that taps does not move.
  for (const name of ["pointermove", "pointerdown"])
    root.addEventListener(name, (event) => {
      const box = root.getBoundingClientRect();
      const { clientX } = /** @type {PointerEvent} */ (event);
      const at = ((clientX - box.left) / box.width) * width;
      const far = xs.map((x) => Math.abs(px(x) - at));
      show(far.indexOf(Math.min(...far)));
    });
  root.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[/** @type {KeyboardEvent} */ (event).key];
    if (!step) return;
    event.preventDefault();
    show(place + step);
  });
  return words;
}

/**
 * Where the names of lines stand, beside their ends and apart from each other.
 *
 * @param {Series[]} series
 * @param {(value: number) => number} py
 * @param {number} floor
 */
export function endLabels(series, py, floor, apart = 14) {
  const ends = series
    .map((one, i) => ({
      one,
      i,
      y: one.points.length ? py(one.points[one.points.length - 1][1]) : NaN,
    }))
    .filter(({ y }) => Number.isFinite(y));
  ends.sort((a, b) => a.y - b.y);
  for (let i = 1; i < ends.length; i += 1) ends[i].y = Math.max(ends[i].y, ends[i - 1].y + apart);
  // A label that was pushed below the axis goes up again, and pushes the others up.
  let limit = floor;
  for (let i = ends.length - 1; i >= 0; i -= 1) {
    ends[i].y = Math.min(ends[i].y, limit);
    limit = ends[i].y - apart;
  }
  return ends;
}

/** The hues of the colours that lines of charts have, as in `tokens.css`, in degrees. */
const HUES = [199, 27, 140, 291, 52, 229, 4, 175, 329];
export const COLOURS = HUES.length;
/** Two hues that are less far apart are taken for one another. */
const CLOSE = 45;

/**
 * Whether two colours are close in hue.
 *
 * @param {number} one
 * @param {number} other
 */
export function areClose(one, other) {
  const apart = Math.abs(HUES[one % COLOURS] - HUES[other % COLOURS]);
  return Math.min(apart, 360 - apart) < CLOSE;
}

/**
 * The colours of runs: each keeps its own while others come and go, and a new run gets a colour
 * that the fewest have.
 *
 * @param {Map<string, number>} kept The colours so far
 * @param {string[]} names The runs that there are
 */
export function coloursOf(kept, names) {
  const colours = new Map([...kept].filter(([name]) => names.includes(name)));
  for (const name of names) {
    if (colours.has(name)) continue;
    const uses = Array.from(
      { length: COLOURS },
      (_, colour) => [...colours.values()].filter((one) => one === colour).length,
    );
    colours.set(name, uses.indexOf(Math.min(...uses)));
  }
  return colours;
}

/**
 * The colours of runs beside each other where some have one setting, and differ in the seed alone:
 * a setting has one colour, that of its first run. Where all have one, each run has its own.
 *
 * @param {Map<string, number>} kept
 * @param {string[]} names
 * @param {string[]} settings Those of the runs
 */
export function coloursBySetting(kept, names, settings) {
  const firsts = settings.map((setting) => names[settings.indexOf(setting)]);
  const shown = new Set(firsts).size > 1 ? firsts : names;
  const colours = coloursBeside(kept, [...new Set(shown)]);
  return shown.map((name) => colours[[...new Set(shown)].indexOf(name)]);
}

/**
 * The colours of runs that are shown beside each other: each keeps its own, unless an older one has
 * a close one.
 *
 * @param {Map<string, number>} kept The oldest run first
 * @param {string[]} names
 */
export function coloursBeside(kept, names) {
  /** @type {Map<string, number>} */
  const used = new Map();
  const isFar = (/** @type {number} */ colour) =>
    ![...used.values()].some((one) => areClose(one, colour));
  const own = (/** @type {string} */ name) => kept.get(name) ?? 0;
  const sorted = [...new Set([...kept.keys(), ...names])].filter((name) => names.includes(name));
  for (const name of sorted) if (isFar(own(name))) used.set(name, own(name));
  for (const name of sorted) {
    if (used.has(name)) continue;
    const others = Array.from({ length: COLOURS }, (_, i) => (own(name) + i) % COLOURS);
    used.set(
      name,
      others.find(isFar) ??
        others.find((colour) => ![...used.values()].includes(colour)) ??
        own(name),
    );
  }
  return names.map((name) => used.get(name) ?? 0);
}
