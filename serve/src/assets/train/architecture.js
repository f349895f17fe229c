// @ts-check
// A picture of the nets of an architecture: which positions each judges, how many inputs it reads,
// how wide its layers are.
import { el } from "../common/dom.js";
import { svg } from "../common/svg.js";
import { t } from "../common/words.js";

const OUTPUTS = 7;

/**
 * The connections of a net with its biases.
 *
 * @param {{ inputs: number; hidden: number[] }} net
 */
export function weightsOf({ inputs, hidden }) {
  const layers = [inputs, ...hidden, OUTPUTS];
  return layers.slice(1).reduce((sum, units, i) => sum + (layers[i] + 1) * units, 0);
}

/**
 * Nets that are alike stand in one row.
 *
 * @param {{ name: string; classes: string[]; inputs: number; hidden: number[] }[]} nets
 */
export function rowsOf(nets) {
  /** @type {Map<string, { net: (typeof nets)[0]; classes: string[]; count: number }>} */
  const rows = new Map();
  for (const net of nets) {
    const key = `${net.inputs} ${net.hidden.join("-")}`;
    const row = rows.get(key) ?? { net, classes: [], count: 0 };
    row.classes.push(...net.classes);
    row.count += 1;
    rows.set(key, row);
  }
  return [...rows.values()];
}

/**
 * How tall a layer is drawn: a layer twice as wide is not twice as tall.
 *
 * @param {number} units
 */
const tall = (units) => 10 + 5.2 * Math.sqrt(units);

/**
 * One net.
 *
 * @param {{ inputs: number; hidden: number[] }} net
 */
function picture({ inputs, hidden }) {
  const layers = [inputs, ...hidden, OUTPUTS];
  const [width, height] = [220, 148];
  const x = (/** @type {number} */ i) => 28 + (i * (width - 56)) / (layers.length - 1);
  const root = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "net",
    role: "img",
    "aria-label": t("train.net.label", { layers: layers.join(" – ") }),
  });
  const middle = 74;
  layers.forEach((units, i) => {
    const high = Math.min(106, tall(units));
    if (i) {
      const before = Math.min(106, tall(layers[i - 1]));
      root.append(
        svg("path", {
          d: `M${x(i - 1) + 6} ${middle - before / 2}L${x(i) - 6} ${middle - high / 2}V${middle + high / 2}L${x(i - 1) + 6} ${middle + before / 2}z`,
          class: "links",
        }),
      );
    }
    root.append(
      svg("rect", {
        x: x(i) - 6,
        y: middle - high / 2,
        width: 12,
        height: high,
        rx: 5,
        class:
          i === 0 ? "layer inputs" : i === layers.length - 1 ? "layer outputs" : "layer hidden",
      }),
    );
    root.append(svg("text", { x: x(i), y: 143 }, `${units}`));
  });
  // The names of the layers above them; the hidden ones share a name.
  const named = /** @type {[number, string][]} */ ([
    [x(0), "inputs"],
    [x(layers.length - 1), "outputs"],
    ...(hidden.length ? [[(x(1) + x(hidden.length)) / 2, "hidden"]] : []),
  ]);
  for (const [at, name] of named)
    root.append(svg("text", { x: at, y: 11 }, t(`train.net.${name}`)));
  return root;
}

/**
 * An architecture in words and pictures.
 *
 * @param {any} architecture
 */
export function architectureView(architecture) {
  const rows = rowsOf(architecture.nets);
  const weights = architecture.nets.reduce(
    (/** @type {number} */ sum, /** @type {any} */ net) => sum + weightsOf(net),
    0,
  );
  return el(
    "div",
    { class: "architecture" },
    el(
      "p",
      { class: "small" },
      t(architecture.nets.length === 1 ? "train.architecture.one" : "train.architecture.words", {
        n: architecture.nets.length,
        weights: Math.round(weights / 1000),
        outputs: OUTPUTS,
      }),
    ),
    el(
      "div",
      { class: "nets" },
      rows.map(({ net, classes, count }) =>
        el(
          "figure",
          {},
          picture(net),
          el(
            "figcaption",
            {},
            el("b", {}, count > 1 ? t("train.net.each", { n: count }) : t("train.net.one")),
            ` ${classes.map((one) => t(`class.${one}`)).join(", ")}`,
          ),
        ),
      ),
    ),
  );
}
