// @ts-check
// The board on a page. `Board` draws a state; what a click means is up to its owner, and how things
// move is in motion.js.
import LOOK from "./look.js";
import {
  BAR,
  BAR_WIDTH,
  EDGE,
  DIE,
  DIE_GAP,
  FRAME,
  HEIGHT,
  OFF,
  POINT,
  RADIUS,
  TRAY,
  TRAY_END,
  WIDTH,
  diceSpots,
  left,
  spot,
  trayHeight,
  trayTops,
  trayX,
  turned,
} from "./geometry.js";
import * as drawn from "./draw.js";
import { described } from "./spoken.js";
import { listen, neighbour } from "./input.js";
import { made } from "./svg.js";
import { isLight, offChange, onChange, setting } from "../common/settings.js";
import { t } from "../common/words.js";

/** @typedef {import("./draw.js").BoardState} BoardState */
/** @typedef {import("./input.js").Inputs} Inputs */

/**
 * What is said of a cube.
 *
 * @param {NonNullable<BoardState["cube"]>} cube
 */
const cubeWords = (cube) =>
  cube.offered
    ? "board.cube.offered"
    : cube.owner === "you"
      ? "board.cube.own"
      : cube.owner
        ? "board.cube.other"
        : "board.cube";

let boards = 0;

export class Board {
  /**
   * @param {Element} parent
   * @param {Inputs} on What to call for clicks, drags and keys; without `point` the board is a
   *   picture
   */
  constructor(parent, on = {}) {
    this.on = on;
    boards += 1;
    this.name = `board-${boards}`;
    this.root = made(
      drawn.shape("svg", {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        class: "board",
        role: on.point ? "application" : "img",
        "aria-label": t("board.label"),
      }),
    );
    this.defs = made(drawn.shape("defs", {}));
    this.ground = made(drawn.shape("g", { class: "ground", "aria-hidden": "true" }));
    this.things = made(drawn.shape("g", { class: "things" }));
    this.air = made(drawn.shape("g", { class: "air", "aria-hidden": "true" }));
    this.root.append(this.defs, this.ground, this.things, this.air);
    parent.append(this.root);
    this.focused = 24;
    this.onTop = true;
    /**
     * The colour of the player below.
     *
     * @type {import("../common/settings.js").Colour}
     */
    this.colour = "own";
    this.turned = false;
    /** @type {BoardState} */
    this.state = { board: new Array(26).fill(0) };
    this.dress();
    // A board that is on no page any more is not kept by the settings.
    const self = new WeakRef(this);
    /** @param {import("../common/settings.js").SettingName} name */
    const redraw = (name) => {
      const board = self.deref();
      if (!board) return void offChange(redraw);
      if (!["board", "home", "checkers"].includes(name)) return;
      board.dress();
      board.draw(board.state);
    };
    onChange(redraw);
    if (on.point) listen(this, on);
  }

  /** Whether the player below bears off at the left. */
  get mirrored() {
    return setting("home") === "left";
  }

  /** Puts on the colours of the theme, and the wood. */
  dress() {
    const themes = /** @type {Record<string, typeof LOOK.themes.walnut>} */ (LOOK.themes);
    const theme = themes[setting("board")];
    const style = /** @type {any} */ (this.root).style;
    for (const name of /** @type {const} */ (["frame", "rim", "felt", "odd", "even", "label"]))
      style.setProperty(`--${name}`, theme[name]);
    const swapped = !isLight(this.colour);
    for (const [side, colours, ink] of /** @type {const} */ ([
      ["own", swapped ? "dark" : "light", "Ink"],
      ["other", swapped ? "light" : "dark", "Ink"],
    ])) {
      style.setProperty(`--${side}`, `url(#${this.name}-${side})`);
      style.setProperty(`--${side}-plain`, theme[colours][1]);
      style.setProperty(`--${side}-edge`, theme[colours][3]);
      style.setProperty(`--${side}-lit`, theme[colours][0]);
      style.setProperty(
        `--${side}-ink`,
        theme[/** @type {"lightInk" | "darkInk"} */ (`${colours}${ink}`)],
      );
    }
    style.setProperty("--die-face", theme.light[0]);
    style.setProperty("--die-ink", theme.lightInk);
    const gradient = (/** @type {string} */ side, /** @type {string[]} */ [lit, body, low]) =>
      drawn.shape(
        "radialGradient",
        { id: `${this.name}-${side}`, cx: "0.36", cy: "0.28", r: "0.85" },
        drawn.shape("stop", { offset: 0, "stop-color": lit }),
        drawn.shape("stop", { offset: 0.5, "stop-color": body }),
        drawn.shape("stop", { offset: 1, "stop-color": low }),
      );
    this.defs.replaceChildren(
      made(gradient("own", theme[swapped ? "dark" : "light"])),
      made(gradient("other", theme[swapped ? "light" : "dark"])),
    );
    this.ground.replaceChildren(...drawn.ground(this.mirrored, this.turned).map(made));
  }

  /**
   * Gives the player below a colour. A board that is turned has the numbers of the player above.
   *
   * @param {import("../common/settings.js").Colour} colour
   */
  give(colour, turned = false) {
    if (this.colour === colour && this.turned === turned) return;
    [this.colour, this.turned] = [colour, turned];
    this.dress();
  }

  /**
   * Draws a state.
   *
   * @param {BoardState} state
   */
  draw(state) {
    this.state = state;
    const focus = this.things.contains(document.activeElement);
    const parts = [];
    for (const point of [...Array.from({ length: 24 }, (_, i) => i + 1), BAR])
      parts.push(this.point(point));
    parts.push(
      this.offPart(),
      ...drawn.stack(OFF, Math.max(0, -state.board[OFF]), false, this.mirrored),
    );
    parts.push(...drawn.borneOff(state.off?.[1] ?? 0, false, this.mirrored));
    if (state.dice) parts.push(this.rolled(state.dice, true, state.left));
    if (state.theirDice) parts.push(this.rolled(state.theirDice, false, null));
    if (state.cube)
      parts.push(
        drawn.shape(
          "g",
          {
            class: "cube-place",
            role: "img",
            "aria-label": t(cubeWords(state.cube), {
              value: state.cube.offered ?? state.cube.value,
            }),
          },
          drawn.cube(state.cube, this.mirrored),
        ),
      );
    for (const play of state.arrows ?? [])
      parts.push(...drawn.arrows(state.board, play, this.mirrored));
    this.things.replaceChildren(...parts.map(made));
    this.suggest([]);
    if (focus) this.focus(this.focused);
  }

  /**
   * @param {readonly number[]} roll
   * @param {boolean} own
   * @param {readonly number[] | null} [unused]
   */
  rolled(roll, own, unused) {
    // A tap next to the dice or between them means the dice, not the point below.
    const spots = diceSpots(roll[0] === roll[1] ? 4 : 2, own).map(([x]) =>
      turned(x, this.mirrored),
    );
    const around = DIE / 2 + DIE_GAP;
    const x = Math.min(...spots) - around;
    const hit = drawn.shape("rect", {
      x,
      y: HEIGHT / 2 - around,
      width: Math.max(...spots) + around - x,
      height: 2 * around,
      class: "hit",
    });
    return drawn.shape(
      "g",
      {
        class: `dice ${own ? "own" : "other"}`,
        role: "img",
        "aria-label": t("board.dice", { dice: roll.join("") }),
      },
      hit,
      ...drawn.dice(roll, own, unused, this.mirrored),
    );
  }

  /**
   * What can be clicked: a point, the bar or the place off the board.
   *
   * @param {number} point
   * @param {string} label
   * @param {import("./draw.js").Shape[]} shapes
   */
  part(point, label, ...shapes) {
    const { sources = [], targets = [], selected } = this.state;
    const [source, target, chosen] = [
      sources.includes(point),
      targets.includes(point),
      selected === point,
    ];
    const classes = ["spot", source && "source", target && "target", chosen && "selected"]
      .filter(Boolean)
      .join(" ");
    /** @type {Record<string, any>} */
    const attributes = { class: classes, "data-point": point };
    if (this.on.point) {
      const said = chosen
        ? t("board.selected", { name: label })
        : target
          ? t("board.target", { name: label })
          : source
            ? t("board.source", { name: label })
            : label;
      Object.assign(attributes, {
        role: "button",
        tabindex: point === this.focused ? 0 : -1,
        "aria-label": said,
        "aria-disabled": source || target || chosen ? null : "true",
      });
    }
    return drawn.shape("g", attributes, ...shapes);
  }

  /** @param {number} point */
  point(point) {
    const n = this.state.board[point];
    const isBar = point === BAR;
    const x = isBar ? FRAME + 6 * POINT : left(point);
    const wide = isBar ? BAR_WIDTH : POINT;
    const low = point <= 12;
    const hit = drawn.shape("rect", {
      x: this.mirrored ? WIDTH - x - wide : x,
      y: low ? HEIGHT / 2 : 0,
      width: wide,
      height: HEIGHT / 2,
      class: "hit",
    });
    const found = this.part(
      point,
      described(this.state.board, point),
      hit,
      ...drawn.stack(point, isBar ? Math.max(0, n) : Math.abs(n), n > 0, this.mirrored),
    );
    if ((this.state.targets ?? []).includes(point)) {
      const [cx, cy] = spot(point, n > 0 ? n : 0, true);
      found.children.push(
        drawn.shape("circle", {
          cx: turned(cx, this.mirrored),
          cy,
          r: RADIUS * 0.42,
          class: "ghost",
        }),
      );
    }
    return found;
  }

  /**
   * Shows softly where a checker could go, until the board is drawn anew.
   *
   * @param {readonly number[]} points
   */
  suggest(points) {
    for (const one of this.root.querySelectorAll(".faint")) one.remove();
    for (const point of points) {
      const n = this.state.board[point] ?? 0;
      const [x, cy] =
        point === OFF ? [trayX, HEIGHT - EDGE - 90] : spot(point, n > 0 ? n : 0, true);
      this.air.append(
        made(
          drawn.shape("circle", {
            cx: turned(x, this.mirrored),
            cy,
            r: RADIUS * 0.36,
            class: "ghost faint",
          }),
        ),
      );
    }
  }

  offPart() {
    const [own] = this.state.off ?? [0, 0];
    const x = this.mirrored ? 0 : WIDTH - TRAY;
    const shapes = [
      drawn.shape("rect", {
        x,
        y: HEIGHT / 2 + TRAY_END - 4,
        width: TRAY,
        height: HEIGHT / 2 - TRAY_END + 4,
        class: "hit",
      }),
      ...drawn.borneOff(own, true, this.mirrored),
    ];
    if ((this.state.targets ?? []).includes(OFF))
      shapes.push(
        drawn.shape("rect", {
          x: turned(trayX, this.mirrored) - TRAY / 2 + 7,
          y: trayTops[1],
          width: TRAY - 14,
          height: trayHeight,
          rx: 4,
          class: "ghost",
        }),
      );
    return this.part(OFF, t("board.off", { n: own }), ...shapes);
  }

  /**
   * The spot next to another.
   *
   * @param {number} point
   * @param {number} dx
   * @param {number} dy
   */
  neighbour(point, dx, dy) {
    const { next, onTop } = neighbour(point, this.mirrored ? -dx : dx, dy, this.onTop);
    this.onTop = onTop;
    return next;
  }

  /** @param {number} point */
  focus(point) {
    this.focused = point;
    for (const one of this.root.querySelectorAll("[data-point]"))
      one.setAttribute("tabindex", Number(one.getAttribute("data-point")) === point ? "0" : "-1");
    /** @type {SVGElement | null} */ (this.root.querySelector(`[data-point="${point}"]`))?.focus();
  }
}

/**
 * A board for looking at.
 *
 * @param {Element} parent
 * @param {BoardState} state
 */
export function drawBoard(parent, state) {
  const board = new Board(parent);
  board.draw(state);
  return board;
}
