// @ts-check
// Line charts as SVG, with axes, units and bands.
import { axesOf, axisNames, grid } from "./chart-axes.js";
import { COLOURS } from "./chart-colours.js";
import { el } from "./dom.js";
import { count, decimal, signed } from "./format.js";
import { svg } from "./svg.js";
import { t } from "./words.js";

/** @typedef {import("./chart-axes.js").Axes} Axes */

/**
 * `of` names a series in the page where its name is longer. `mark` draws its points as diamonds.
 *
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
 */

/**
 * A chart: `series` are `{ name, points: [[x, y, halfWidth?]], dots, colour }`, and `x` and `y`
 * name the axes with their units. A point with a value that is no number breaks its line.
 *
 * - `logX` and `logY` make the axes logarithmic: values of 0 and less are left out.
 * - `whole` counts x in whole numbers, and `dated` says that x is Unix seconds.
 * - `range` fixes the y axis, `zero` has 0 on it, and the x axis goes to `end` at least.
 * - `now` marks an x, and `level` a y.
 * - `borders` are x where one part ends, and `border` names them.
 * - `labels` puts the names of lines at their ends.
 * - `wide` says how much room there is, and `tall` is the height.
 * - `pick(x)` is called for clicks.
 * - `tell` says the values where the mouse or the arrow keys point.
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
  const strokes = strokeOf(series, labels);
  const edges = edgesOf(series, { wide, tall, labels, strokes });
  const shown = series.map((one) => ({
    ...one,
    points: one.points.filter(([at, value]) => (!logX || at > 0) && (!logY || value > 0)),
  }));
  if (!shown.some((one) => one.points.length))
    return el("p", { class: "small" }, t("chart.nothing", { title }));
  const axes = axesOf(shown, edges, { zero, logX, logY, whole, dated, range, end });
  const { px, py } = axes;
  const { width, left, right, top, floor } = edges;
  const last = series
    .map(
      (one) =>
        `${one.name}: ${one.points.length ? decimal(one.points[one.points.length - 1][1], 3) : t("chart.none")}`,
    )
    .join("; ");
  const root = svg("svg", {
    viewBox: `0 0 ${width} ${tall}`,
    class: "chart",
    role: "img",
    "aria-label": t("chart.last", { title, last }),
  });
  root.append(...grid(axes, edges, level), ...axisNames(x, y, edges));
  for (const at of borders)
    root.append(
      svg("path", { d: `M${px(at)} ${top}V${floor}`, class: "border" }),
      border ? svg("text", { x: px(at) - 5, y: top + 10, "text-anchor": "end" }, border) : "",
    );
  root.append(...shown.map((one, i) => lineOf(one, i, axes)));
  if (labels) root.append(...labelsOf(shown, py, edges, strokes));
  if (now !== null) root.append(svg("path", { d: `M${px(now)} ${top}V${floor}`, class: "now" }));
  if (pick) {
    root.classList.add("pick");
    root.addEventListener("click", (event) => {
      const box = root.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * width;
      pick(axes.across.value((at - left) / (right - left)));
    });
  }
  const legend = series.length > 1 && !labels ? legendOf(series) : null;
  const told = tell ? teller(root, shown, { px, from: top, to: floor, width }) : "";
  return el("figure", {}, el("figcaption", {}, title), root, told, legend ?? "");
}

/**
 * The room for the strokes before labels: where lines differ in them, each label begins with its
 * own.
 *
 * @param {Series[]} series
 * @param {boolean} labels
 */
const strokeOf = (series, labels) =>
  labels && series.some((one) => one.dashed || one.mark) ? 30 : 0;

/**
 * The edges of a chart in pixels. It is as wide as there is room, so that its text keeps its size.
 *
 * @param {Series[]} series
 * @param {{ wide: number | null; tall: number; labels: boolean; strokes: number }} given
 */
function edgesOf(series, { wide, tall, labels, strokes }) {
  const room = wide ?? (document.querySelector("main")?.clientWidth ?? 720) - 24;
  const longest = Math.max(0, ...series.map((one) => one.name.length));
  const aside = labels ? Math.min(room / 3, 16 + strokes + LETTER * longest) : 18;
  const width = Math.max(200, Math.min(960, room));
  return { width, tall, aside, left: 60, right: width - aside, top: 12, floor: tall - 42 };
}

/**
 * The class of a line: its colour, and whether it is dashed.
 *
 * @param {Series} one
 * @param {number} i
 */
const classOf = ({ colour, dashed }, i) => `s${(colour ?? i) % COLOURS}${dashed ? " dashed" : ""}`;

/**
 * A line with its band and its points.
 *
 * @param {Series} one
 * @param {number} i
 * @param {Axes} axes
 */
function lineOf(one, i, { px, py }) {
  const group = svg("g", { class: classOf(one, i), "data-series": one.of ?? one.name });
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
  const points = one.points.map(([at, value]) => [
    px(at),
    Number.isFinite(value) ? py(value) : NaN,
  ]);
  if (one.points.length > 1 && one.line !== false)
    group.append(svg("path", { d: pathOf(points), class: "line" }));
  if (one.mark)
    group.append(
      ...one.points.map(([at, value]) => diamond(px(at), py(value), one.mark === "hollow")),
    );
  else if (one.dots || one.points.length === 1)
    for (const [at, value] of one.points)
      group.append(svg("circle", { cx: px(at), cy: py(value), r: 3.2, class: "dot" }));
  return group;
}

/**
 * The names of lines at their ends, where strokes differ with a sample of each.
 *
 * @param {Series[]} shown
 * @param {Axes["py"]} py
 * @param {ReturnType<typeof edgesOf>} edges
 * @param {number} strokes The room for samples
 */
const labelsOf = (shown, py, { right, floor, aside }, strokes) =>
  endLabels(shown, py, floor).map(({ one, i, y: at }) => {
    const from = right + 8;
    const sample = one.mark
      ? diamond(from + 12, at, one.mark === "hollow")
      : svg("path", { d: `M${from} ${at}h24`, class: "line" });
    return svg(
      "g",
      { class: classOf(one, i) },
      strokes ? sample : "",
      svg(
        "text",
        { x: from + strokes, y: at + 4, class: "end" },
        cut(one.name, (aside - strokes - 10) / LETTER),
      ),
    );
  });

/**
 * The names of lines below a chart.
 *
 * @param {Series[]} series
 */
const legendOf = (series) =>
  el(
    "div",
    { class: "legend" },
    series.map((one, i) =>
      el("span", { class: `${classOf(one, i)}${one.mark ? ` ${one.mark}` : ""}` }, one.name),
    ),
  );

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
 * Where the names of lines stand, next to their ends and apart from each other.
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
