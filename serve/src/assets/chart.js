// Line charts as SVG, with axes, units and bands.
import { el } from "./common.js";

const NS = "http://www.w3.org/2000/svg";
function svg(name, attributes, ...children) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes ?? {})) if (value !== null) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A number in few digits: 20k, 1.5M. */
export function short(value, digits = 0, thousands = 9999.5) {
  const size = Math.abs(value);
  const [unit, letter] = size >= 999500 ? [1e6, "M"] : size >= thousands ? [1e3, "k"] : [1, ""];
  return (letter ? `${+(value / unit).toPrecision(3)}${letter}` : value.toFixed(digits)).replace("-", "−");
}

/** An axis from `low` to `high` with about so many ticks: `at(value)` is 0 to 1, `value(at)` its inverse. */
function linear(low, high, most, whole = false) {
  const raw = Math.max((high - low) / most || 1, whole ? 1 : 0);
  const power = 10 ** Math.floor(Math.log10(raw));
  const unit = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw * (1 - 1e-9));
  const digits = Math.max(0, -Math.floor(Math.log10(unit) + 1e-9));
  const ticks = [];
  for (let tick = Math.ceil(low / unit - 1e-9) * unit; tick <= high + unit * 1e-9; tick += unit) {
    ticks.push([tick, short(Math.abs(tick) < unit * 1e-9 ? 0 : tick, digits)]);
  }
  return { ticks, at: (value) => (value - low) / (high - low), value: (at) => low + at * (high - low) };
}

/** The same on a logarithmic axis, with ticks at 1, 2 and 5, at 1 and 3, or at powers of ten. */
function logarithmic(low, high, most) {
  const [from, to] = [Math.log(low), Math.log(high)];
  const known = (multiples) => {
    const found = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
      for (const n of multiples) found.push(n * 10 ** power);
    }
    return found.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
  };
  const choices = [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]].map(known);
  let ticks = choices.find((some) => some.length <= most) ?? choices.at(-1);
  if (ticks.length < 2) ticks = [low, high];
  return {
    ticks: ticks.map((tick) => [tick, tick < 1000 ? `${+tick.toPrecision(3)}` : short(tick, 0, 999.5)]),
    at: (value) => (Math.log(value) - from) / (to - from), value: (at) => Math.exp(from + at * (to - from)),
  };
}

/** The same for Unix seconds, with ticks at whole hours, days or months of UTC. */
function dates(low, high, most) {
  const [hour, day] = [3600, 86400];
  const unit = [hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 14 * day, 30 * day, 90 * day, 365 * day].find((size) => (high - low) / size <= most) ?? 1000 * day;
  const ticks = [];
  for (let tick = Math.ceil(low / unit) * unit; tick <= high; tick += unit) {
    const text = new Date(1000 * tick).toISOString();
    ticks.push([tick, unit < day ? text.slice(5, 16).replace("T", " ") : text.slice(0, 10)]);
  }
  return { ticks, at: (value) => (value - low) / (high - low), value: (at) => low + at * (high - low) };
}

/**
 * A chart: `series` are `{ name, points: [[x, y, halfWidth?]], dots, colour }`; `x` and `y` name the axes with their units. `logX` and `logY` make
 * them logarithmic (values of 0 and less are left out), `whole` counts x in whole numbers, `dated` says that x is Unix seconds, `now` marks an x, `pick(x)` is called for clicks, and `wide` says how much room there is.
 */
export function lineChart({ title, x, y, series, now = null, zero = false, logX = false, logY = false, whole = false, dated = false, pick = null, wide = null, level = null }) {
  // As wide as there is room, so that its text keeps its size.
  const room = wide ?? (document.querySelector("main")?.clientWidth ?? 720) - 24;
  const [width, height, leftEdge, bottom, top, right] = [Math.max(300, Math.min(720, room)), 280, 60, 42, 12, 18];
  const shown = series.map((one) => ({ ...one, points: one.points.filter(([at, value]) => (!logX || at > 0) && (!logY || value > 0)) }));
  const all = shown.flatMap((one) => one.points);
  if (all.length === 0) return el("p", { class: "small" }, `${title}: nothing yet.`);
  const xs = all.map((point) => point[0]);
  const ys = all.flatMap(([, value, half = 0]) => [value - half, value + half]).filter((value) => Number.isFinite(value) && (!logY || value > 0));
  if (zero && !logY) ys.push(0);
  const limits = (values, log) => {
    let [low, high] = [Math.min(...values), Math.max(...values)];
    if (low === high) [low, high] = log ? [low / 1.5, high * 1.5] : [low - 0.5, high + 0.5];
    return [low, high];
  };
  const [x0, x1] = limits(xs, logX);
  let [y0, y1] = limits(ys, logY);
  if (logY) {
    const pad = (y1 / y0) ** 0.06;
    [y0, y1] = [y0 / pad, y1 * pad];
  } else {
    const pad = (y1 - y0) * 0.06;
    [y0, y1] = [y0 - (zero && y0 === 0 ? 0 : pad), y1 + pad];
  }
  const across = dated ? dates(x0, x1, Math.floor(width / 110)) : (logX ? logarithmic : linear)(x0, x1, Math.floor(width / 75), whole);
  const up = (logY ? logarithmic : linear)(y0, y1, 6);
  const px = (value) => leftEdge + across.at(value) * (width - leftEdge - right);
  const py = (value) => height - bottom - Math.max(0, logY && value <= 0 ? 0 : up.at(value)) * (height - bottom - top);
  const last = series.map((one) => `${one.name}: ${one.points.length ? one.points.at(-1)[1].toFixed(3) : "none"}`).join("; ");
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": `${title}. Last values: ${last}` });
  for (const [tick, text] of up.ticks) {
    root.append(svg("path", { d: `M${leftEdge} ${py(tick)}H${width - right}`, class: "grid" }), svg("text", { x: leftEdge - 6, y: py(tick) + 4, "text-anchor": "end" }, text));
  }
  for (const [tick, text] of across.ticks) {
    // The text of a tick at the right edge ends there.
    const anchor = px(tick) + 4 * text.length > width ? "end" : "middle";
    const at = anchor === "end" ? width - 2 : px(tick);
    root.append(svg("path", { d: `M${px(tick)} ${top}V${height - bottom}`, class: "grid" }), svg("text", { x: at, y: height - bottom + 17, "text-anchor": anchor }, text));
  }
  if (level !== null && level > y0 && level < y1) root.append(svg("path", { d: `M${leftEdge} ${py(level)}H${width - right}`, class: "level" }));
  root.append(svg("path", { d: `M${leftEdge} ${top}V${height - bottom}H${width - right}`, class: "axis" }));
  root.append(svg("text", { x: (leftEdge + width - right) / 2, y: height - 6, "text-anchor": "middle" }, x));
  root.append(svg("text", { x: 14, y: (top + height - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + height - bottom) / 2})` }, y));
  shown.forEach((one, i) => {
    const group = svg("g", { class: `s${(one.colour ?? i) % 9}`, "data-series": one.name });
    const band = one.points.filter((point) => point.length > 2 && Number.isFinite(point[2]));
    if (band.length > 1) {
      const over = band.map(([at, value, half]) => `${px(at)} ${py(value + half)}`);
      const under = band.map(([at, value, half]) => `${px(at)} ${py(value - half)}`).reverse();
      group.append(svg("path", { d: `M${over.concat(under).join("L")}z`, class: "band" }));
    } else if (band.length === 1) {
      const [[at, value, half]] = band;
      group.append(svg("path", { d: `M${px(at)} ${py(value - half)}V${py(value + half)}`, class: "line" }));
    }
    if (one.points.length > 1) group.append(svg("path", { d: `M${one.points.map(([at, value]) => `${px(at)} ${py(value)}`).join("L")}`, class: "line" }));
    if (one.dots || one.points.length === 1) for (const [at, value] of one.points) group.append(svg("circle", { cx: px(at), cy: py(value), r: 3.2, class: "dot" }));
    root.append(group);
  });
  if (now !== null) root.append(svg("path", { d: `M${px(now)} ${top}V${height - bottom}`, class: "now" }));
  if (pick) {
    root.classList.add("pick");
    root.addEventListener("click", (event) => {
      const box = root.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * width;
      pick(across.value((at - leftEdge) / (width - leftEdge - right)));
    });
  }
  const legend = series.length > 1 ? el("div", { class: "legend" }, series.map((one, i) => el("span", { class: `s${(one.colour ?? i) % 9}` }, one.name))) : null;
  return el("figure", {}, el("figcaption", {}, title), root, legend ?? "");
}
