// Line charts as SVG, with axes, units and bands.
import { el } from "./common.js";

const NS = "http://www.w3.org/2000/svg";
function svg(name, attributes, ...children) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes ?? {})) if (value !== null) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Round numbers between two limits. */
function ticks(low, high, most) {
  const raw = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const unit = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw);
  const found = [];
  for (let at = Math.ceil(low / unit) * unit; at <= high + unit * 1e-9; at += unit) found.push(Math.abs(at) < unit * 1e-9 ? 0 : at);
  return { found, digits: Math.max(0, -Math.floor(Math.log10(unit) + 1e-9)) };
}

const number = (value, digits) => (Math.abs(value) >= 10000 ? `${value / 1000}k` : value.toFixed(digits)).replace("-", "−");

/**
 * A chart: `series` are `{ name, points: [[x, y, halfWidth?]], dots }`; `x` and `y` name the axes with their units. `now` marks an x,
 * `pick(x)` is called for clicks.
 */
export function lineChart({ title, x, y, series, now = null, zero = false, pick = null }) {
  // As wide as there is room, so that its text keeps its size.
  const room = (document.querySelector("main")?.clientWidth ?? 720) - 24;
  const [width, height, leftEdge, bottom, top, right] = [Math.max(300, Math.min(720, room)), 280, 58, 42, 12, 18];
  const all = series.flatMap((one) => one.points);
  if (all.length === 0) return el("p", { class: "small" }, `${title}: nothing yet.`);
  const xs = all.map((point) => point[0]);
  const ys = all.flatMap(([, value, half = 0]) => [value - half, value + half]).filter(Number.isFinite);
  let [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys, ...(zero ? [0] : [])), Math.max(...ys, ...(zero ? [0] : []))];
  if (x0 === x1) [x0, x1] = [x0 - 1, x1 + 1];
  if (y0 === y1) [y0, y1] = [y0 - 0.5, y1 + 0.5];
  const pad = (y1 - y0) * 0.06;
  [y0, y1] = [y0 - pad, y1 + pad];
  const px = (value) => leftEdge + ((value - x0) / (x1 - x0)) * (width - leftEdge - right);
  const py = (value) => height - bottom - ((value - y0) / (y1 - y0)) * (height - bottom - top);
  const last = series.map((one) => `${one.name}: ${one.points.length ? one.points.at(-1)[1].toFixed(3) : "none"}`).join("; ");
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": `${title}. Last values: ${last}` });
  const across = ticks(x0, x1, Math.floor(width / 110));
  const up = ticks(y0, y1, 5);
  for (const at of up.found) {
    root.append(svg("path", { d: `M${leftEdge} ${py(at)}H${width - right}`, class: "grid" }), svg("text", { x: leftEdge - 6, y: py(at) + 4, "text-anchor": "end" }, number(at, up.digits)));
  }
  for (const at of across.found) root.append(svg("text", { x: px(at), y: height - bottom + 17, "text-anchor": "middle" }, number(at, across.digits)));
  root.append(svg("path", { d: `M${leftEdge} ${top}V${height - bottom}H${width - right}`, class: "axis" }));
  root.append(svg("text", { x: (leftEdge + width - right) / 2, y: height - 6, "text-anchor": "middle" }, x));
  root.append(svg("text", { x: 14, y: (top + height - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + height - bottom) / 2})` }, y));
  series.forEach((one, i) => {
    const group = svg("g", { class: `s${(one.colour ?? i) % 9}` });
    const band = one.points.filter((point) => point.length > 2 && Number.isFinite(point[2]));
    if (band.length > 1) {
      const over = band.map(([at, value, half]) => `${px(at)} ${py(value + half)}`);
      const under = band.map(([at, value, half]) => `${px(at)} ${py(value - half)}`).reverse();
      group.append(svg("path", { d: `M${over.concat(under).join("L")}z`, class: "band" }));
    }
    if (one.points.length > 1) group.append(svg("path", { d: `M${one.points.map(([at, value]) => `${px(at)} ${py(value)}`).join("L")}`, class: "line" }));
    if (one.dots || one.points.length === 1) for (const [at, value] of one.points) group.append(svg("circle", { cx: px(at), cy: py(value), r: 3.2, class: "dot" }));
    root.append(group);
  });
  if (now !== null) root.append(svg("path", { d: `M${px(now)} ${top}V${height - bottom}`, class: "now" }));
  if (pick) {
    root.addEventListener("click", (event) => {
      const box = root.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * width;
      pick(x0 + ((at - leftEdge) / (width - leftEdge - right)) * (x1 - x0));
    });
  }
  const legend = series.length > 1 ? el("div", { class: "legend" }, series.map((one, i) => el("span", { class: `s${(one.colour ?? i) % 9}` }, one.name))) : null;
  return el("figure", {}, el("figcaption", {}, title), root, legend ?? "");
}
