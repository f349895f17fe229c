// @ts-check
// What a board consists of, as plain shapes: no document, so that it can be tested. `board.js` puts
// them on the page.
import LOOK from "./look.js";
import * as at from "./geometry.js";

/**
 * @typedef {{
 *   name: string;
 *   attributes: Record<string, any>;
 *   children: (Shape | string)[];
 * }} Shape
 */
/**
 * @typedef {{
 *   steps: [number, number][];
 *   kind: "best" | "played" | "last" | "shown";
 *   own?: boolean;
 *   before?: readonly number[];
 * }} Arrows
 */
/**
 * What is drawn: the board with the player below positive, and what lies on it.
 *
 * @typedef {object} BoardState
 * @property {readonly number[]} board
 * @property {readonly number[]} [off] Checkers borne off, own and other
 * @property {{
 *   value: number;
 *   owner: "you" | "nonet" | null;
 *   offered?: number | null;
 *   to?: "you" | "nonet";
 * } | null} [cube]
 * @property {readonly number[] | null} [dice] The roll of the player below
 * @property {readonly number[] | null} [theirDice]
 * @property {readonly number[] | null} [left] The dice that are not played yet
 * @property {readonly number[]} [sources] Points with a checker that can move
 * @property {number | null} [selected]
 * @property {readonly number[]} [targets]
 * @property {Arrows[]} [arrows]
 */

const G = LOOK.geometry;

/**
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {(Shape | string)[]} children
 * @returns {Shape}
 */
export const shape = (name, attributes, ...children) => ({ name, attributes, children });

/**
 * @param {number} x
 * @param {boolean} mirrored
 */
const flip = (x, mirrored) => at.turned(x, mirrored);

/**
 * The wood, the felt and the points, which never change.
 *
 * @param {boolean} mirrored
 * @param {boolean} turned Whether the points have the numbers of the player above
 * @returns {Shape[]}
 */
export function ground(mirrored, turned = false) {
  const { WIDTH, HEIGHT, EDGE } = at;
  const found = [
    shape("rect", { x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 10, class: "frame" }),
    shape("rect", { x: 1.5, y: 1.5, width: WIDTH - 3, height: HEIGHT - 3, rx: 9, class: "rim" }),
  ];
  const half = 6 * G.point;
  for (const x of [G.frame, G.frame + half + G.bar]) {
    const from = mirrored ? WIDTH - x - half : x;
    found.push(
      shape("rect", {
        x: from,
        y: EDGE - 2,
        width: half,
        height: HEIGHT - 2 * EDGE + 4,
        rx: 2,
        class: "felt",
      }),
    );
  }
  for (let point = 1; point <= 24; point += 1) {
    const middle = flip(at.left(point) + G.point / 2, mirrored);
    const low = point <= 12;
    const [base, tip] = low
      ? [HEIGHT - EDGE + 2, HEIGHT - EDGE - G.long]
      : [EDGE - 2, EDGE + G.long];
    const w = G.point / 2 - 1;
    found.push(
      shape("path", {
        d: `M${middle - w} ${base}L${middle} ${tip}L${middle + w} ${base}z`,
        class: point % 2 ? "odd" : "even",
      }),
    );
    found.push(
      shape(
        "text",
        { x: middle, y: low ? HEIGHT - 7 : 16, class: "number" },
        `${turned ? 25 - point : point}`,
      ),
    );
  }
  const tray = mirrored ? 7 : WIDTH - G.tray + 7;
  for (const y of at.trayTops)
    found.push(
      shape("rect", {
        x: tray,
        y,
        width: G.tray - 14,
        height: at.trayHeight,
        rx: 4,
        class: "tray",
      }),
    );
  return found;
}

/**
 * A checker: its shadow, its body and the ring that a lathe leaves.
 *
 * @param {readonly number[]} place
 * @param {boolean} own
 * @param {Record<string, any>} attributes
 */
export function checker([cx, cy], own, attributes = {}) {
  const side = own ? "own" : "other";
  return shape(
    "g",
    { class: `checker ${side}`, transform: `translate(${cx} ${cy})`, ...attributes },
    shape("circle", { cy: 2, r: G.radius, class: "shade" }),
    shape("circle", { r: G.radius - 0.6, class: "body" }),
    shape("circle", { r: G.radius * G.ring, class: "ring" }),
  );
}

/**
 * The checkers of a stack.
 *
 * @param {number} point
 * @param {number} count
 * @param {boolean} own
 * @param {boolean} mirrored
 * @returns {Shape[]}
 */
export function stack(point, count, own, mirrored) {
  const most = point === (own ? at.BAR : at.OFF) ? G.barStack : G.stack;
  const found = [];
  for (let i = 0; i < Math.min(count, most); i += 1) {
    const [x, y] = at.spot(point, i, own);
    const made = checker([flip(x, mirrored), y], own);
    if (i === most - 1 && count > most)
      made.children.push(shape("text", { y: 6, class: "count" }, `${count}`));
    found.push(made);
  }
  return found;
}

/**
 * Checkers borne off, from their edge.
 *
 * @param {number} count
 * @param {boolean} own
 * @param {boolean} mirrored
 * @returns {Shape[]}
 */
export function borneOff(count, own, mirrored) {
  return Array.from({ length: count }, (_, i) => {
    const [x, y] = at.spot(own ? at.OFF : at.BAR, i, own);
    return shape("rect", {
      x: flip(x, mirrored) - G.tray / 2 + 9,
      y: y - G.piece / 2,
      width: G.tray - 18,
      height: G.piece - 0.8,
      rx: 2.5,
      class: `piece ${own ? "own" : "other"}`,
    });
  });
}

/**
 * The faces of a cube at 1 show 64.
 *
 * @param {NonNullable<BoardState["cube"]>} cube
 * @param {boolean} mirrored
 */
export function cube(cube, mirrored) {
  const [x, y] = at.cubeSpot(cube);
  const value = cube.offered ?? cube.value;
  const size = G.cube;
  return shape(
    "g",
    {
      class: cube.offered ? "cube offered" : "cube",
      transform: `translate(${flip(x, mirrored)} ${y})`,
    },
    shape("rect", {
      x: -size / 2,
      y: -size / 2 + 2,
      width: size,
      height: size,
      rx: 7,
      class: "shade",
    }),
    shape("rect", { x: -size / 2, y: -size / 2, width: size, height: size, rx: 7, class: "face" }),
    shape("text", { y: 6.5 }, `${value > 1 ? value : 64}`),
  );
}

/**
 * @param {number} face
 * @param {readonly number[]} place
 * @param {boolean} own
 * @param {boolean} used
 */
export function die(face, [x, y], own, used = false) {
  const size = G.die;
  const found = shape(
    "g",
    {
      class: `die ${own ? "own" : "other"}${used ? " used" : ""}`,
      transform: `translate(${x} ${y})`,
    },
    shape("rect", {
      x: -size / 2,
      y: -size / 2 + 2,
      width: size,
      height: size,
      rx: 9,
      class: "shade",
    }),
    shape("rect", { x: -size / 2, y: -size / 2, width: size, height: size, rx: 9, class: "face" }),
  );
  for (const pip of LOOK.pips[face - 1])
    found.children.push(
      shape("circle", {
        cx: ((pip % 3) - 1) * G.pipStep,
        cy: (Math.floor(pip / 3) - 1) * G.pipStep,
        r: G.pip,
        class: "pip",
      }),
    );
  return found;
}

/**
 * A roll; of doubles, as many as there are to play. `left` says which are not played yet.
 *
 * @param {readonly number[]} roll
 * @param {boolean} own
 * @param {readonly number[] | null | undefined} left
 * @param {boolean} mirrored
 * @returns {Shape[]}
 */
export function dice(roll, own, left, mirrored) {
  const shown = roll[0] === roll[1] ? [roll[0], roll[0], roll[0], roll[0]] : [...roll];
  const unused = left ? [...left] : [...shown];
  const places = at.diceSpots(shown.length, own);
  // Of doubles, the first ones go first.
  const used = shown.map((face) => {
    const found = unused.indexOf(face);
    if (found >= 0) unused.splice(found, 1);
    return found < 0;
  });
  if (roll[0] === roll[1]) used.reverse();
  return shown.map((face, i) =>
    die(
      face,
      [mirrored ? flip(places[shown.length - 1 - i][0], true) : places[i][0], places[i][1]],
      own,
      used[i],
    ),
  );
}

/**
 * The arrows of plays: bent, the best ones to one side, the played ones, dashed, to the other.
 *
 * @param {readonly number[]} board
 * @param {Arrows} play
 * @param {boolean} mirrored
 * @returns {Shape[]}
 */
export function arrows(board, { steps, kind, own = true, before = board }, mirrored) {
  const sign = own ? 1 : -1;
  const counts = before.map((n) => Math.max(0, n * sign));
  return steps.map(([from, to]) => {
    counts[from] = Math.max(0, counts[from] - 1);
    const [x0, y0] = at.spot(from, counts[from], own);
    const isOff = to === (own ? at.OFF : at.BAR);
    const [x1, y1] = isOff
      ? [at.trayX, own ? G.height - G.edge - 70 : G.edge + 70]
      : at.spot(to, counts[to], own);
    if (!isOff) counts[to] += 1;
    return arrow([flip(x0, mirrored), y0], [flip(x1, mirrored), y1], kind);
  });
}

/**
 * @param {number[]} start
 * @param {number[]} end
 * @param {string} kind
 */
function arrow([x0, y0], [x1, y1], kind) {
  const unit = (/** @type {number} */ x, /** @type {number} */ y) => {
    const long = Math.max(1, Math.hypot(x, y));
    return [x / long, y / long];
  };
  const f = (/** @type {number} */ n) => n.toFixed(1);
  const [ux, uy] = unit(x1 - x0, y1 - y0);
  const bend = kind === "played" ? -14 : 14;
  const [cx, cy] = [(x0 + x1) / 2 - uy * bend, (y0 + y1) / 2 + ux * bend];
  const [tx, ty] = unit(x1 - cx, y1 - cy);
  const [bx, by] = [x1 - 13 * tx, y1 - 13 * ty];
  const line = `M${f(x0)} ${f(y0)}Q${f(cx)} ${f(cy)} ${f(bx)} ${f(by)}`;
  const head = `M${f(x1)} ${f(y1)}L${f(bx - 7.5 * ty)} ${f(by + 7.5 * tx)}L${f(bx + 7.5 * ty)} ${f(by - 7.5 * tx)}z`;
  return shape(
    "g",
    { class: `arrow ${kind}` },
    shape("path", { d: line, class: "edge" }),
    shape("path", { d: head, class: "edge tip" }),
    shape("path", { d: line, class: "line" }),
    shape("path", { d: head, class: "tip" }),
  );
}
