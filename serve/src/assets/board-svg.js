// The board as SVG: the person's checkers are light and move to the lower right. `Board` draws; what a click means is up to its owner.

const NS = "http://www.w3.org/2000/svg";
const [TRAY, POINT, BAR_WIDTH, LONG, HEIGHT, EDGE] = [50, 42, 46, 176, 440, 20];
const WIDTH = 2 * TRAY + 12 * POINT + BAR_WIDTH;
const RADIUS = 19.5;
const STACK = 5;
export const OFF = 0;
export const BAR = 25;

function svg(name, attributes, ...children) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes ?? {})) if (value !== null && value !== false) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The left edge of a point's column. */
function left(point) {
  const column = point <= 12 ? 12 - point : point - 13;
  return TRAY + column * POINT + (column >= 6 ? BAR_WIDTH : 0);
}

/** Where the checker number `i` of a stack lies, `count` checkers in all. `own` matters on the bar and off the board. */
function place(point, i, own) {
  const step = 2 * RADIUS - 1;
  if (point === BAR || point === "bar") {
    const x = TRAY + 6 * POINT + BAR_WIDTH / 2;
    return own ? [x, HEIGHT / 2 - 46 - Math.min(i, 3) * step] : [x, HEIGHT / 2 + 46 + Math.min(i, 3) * step];
  }
  const x = left(point) + POINT / 2;
  const from = EDGE + RADIUS + 1 + Math.min(i, STACK - 1) * step;
  return [x, point <= 12 ? HEIGHT - from : from];
}

/** A point in words. */
export function described(board, point) {
  const count = (n, whose) => `${n} of ${whose} checker${n === 1 ? "" : "s"}`;
  const n = board[point];
  const name = point === BAR ? "Your bar" : `Point ${point}`;
  if (n === 0) return `${name}, empty`;
  return `${name}, ${n > 0 ? count(n, "your") : count(-n, "nonet's")}`;
}

/** The whole board in words. */
export function boardInWords(view) {
  const { board } = view;
  const points = (sign) => {
    const found = [];
    for (let point = 24; point >= 1; point -= 1) if (Math.sign(board[point]) === sign) found.push(`${Math.abs(board[point])} on ${sign > 0 ? point : 25 - point}`);
    const bar = sign > 0 ? board[BAR] : -board[0];
    if (bar > 0) found.unshift(`${bar} on the bar`);
    return found.join(", ") || "none";
  };
  return `You: ${points(1)}; ${view.pips[0]} pips. nonet, counted from its side: ${points(-1)}; ${view.pips[1]} pips.`;
}

export class Board {
  /** `on.point(point)` is called for clicks, Enter and drops, `on.drag(point)` when a drag begins (false refuses it). */
  constructor(parent, on = {}) {
    this.on = on;
    this.parts = new Map();
    this.root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "board", role: on.point ? "application" : "img", "aria-label": "Backgammon board" });
    parent.append(this.root);
    this.focused = 24;
    this.onTop = true;
    if (on.point) this.listen();
  }

  /** Draws a position: `{ board, off, cube, dice, theirDice, sources, selected, targets, arrows, marks }`. */
  draw(state) {
    this.state = state;
    const focus = this.root.contains(document.activeElement);
    this.root.replaceChildren();
    this.root.append(svg("rect", { x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 8, class: "frame" }));
    for (const x of [TRAY, TRAY + 6 * POINT + BAR_WIDTH]) this.root.append(svg("rect", { x, y: EDGE - 2, width: 6 * POINT, height: HEIGHT - 2 * EDGE + 4, class: "felt" }));
    for (let point = 1; point <= 24; point += 1) this.drawPoint(point);
    this.drawBar();
    this.drawOff();
    this.drawCube();
    this.drawDice(state.dice, TRAY + 9 * POINT + BAR_WIDTH, "yours", state.left);
    this.drawDice(state.theirDice, TRAY + 3 * POINT, "theirs");
    for (const [from, to] of state.arrows ?? []) this.drawArrow(from, to);
    if (focus) this.focus(this.focused);
  }

  part(point, label, hit) {
    const { sources = [], targets = [], selected } = this.state;
    const target = targets.includes(point);
    const active = sources.includes(point) || target || selected === point;
    const classes = ["spot", sources.includes(point) && "source", target && "target", selected === point && "selected"].filter(Boolean).join(" ");
    const attributes = { class: classes, "data-point": point };
    if (this.on.point) {
      const state = selected === point ? ", selected" : target ? ", target" : sources.includes(point) ? ", can move" : "";
      Object.assign(attributes, { role: "button", tabindex: point === this.focused ? 0 : -1, "aria-label": label + state, "aria-disabled": active ? null : "true" });
    }
    const made = svg("g", attributes, hit);
    this.root.append(made);
    return made;
  }

  drawPoint(point) {
    const x = left(point);
    const low = point <= 12;
    const [base, tip] = low ? [HEIGHT - EDGE, HEIGHT - EDGE - LONG] : [EDGE, EDGE + LONG];
    const hit = svg("rect", { x, y: low ? HEIGHT / 2 : 0, width: POINT, height: HEIGHT / 2, class: "hit" });
    const group = this.part(point, described(this.state.board, point), hit);
    group.append(svg("path", { d: `M${x + 1} ${base}L${x + POINT / 2} ${tip}L${x + POINT - 1} ${base}z`, class: point % 2 ? "odd" : "even" }));
    group.append(svg("text", { x: x + POINT / 2, y: low ? HEIGHT - 5 : 15, class: "number" }, `${point}`));
    const n = this.state.board[point];
    this.checkers(group, point, Math.abs(n), n > 0);
    if ((this.state.targets ?? []).includes(point)) {
      const [cx, cy] = place(point, Math.min(Math.abs(n) - (n === -1 ? 1 : 0), STACK - 1), true);
      group.append(svg("circle", { cx, cy, r: RADIUS - 3, class: "ghost" }));
    }
  }

  checkers(group, point, count, own) {
    for (let i = 0; i < Math.min(count, point === BAR || point === "bar" ? 4 : STACK); i += 1) {
      const [cx, cy] = place(point, i, own);
      group.append(svg("circle", { cx, cy, r: RADIUS, class: own ? "checker own" : "checker other" }));
      const last = i === (point === BAR || point === "bar" ? 3 : STACK - 1);
      if (last && count > i + 1) group.append(svg("text", { x: cx, y: cy + 6, class: own ? "count own" : "count other" }, `${count}`));
    }
  }

  drawBar() {
    const x = TRAY + 6 * POINT;
    const hit = svg("rect", { x, y: 0, width: BAR_WIDTH, height: HEIGHT / 2, class: "hit" });
    const group = this.part(BAR, described(this.state.board, BAR), hit);
    this.checkers(group, BAR, this.state.board[BAR], true);
    this.checkers(this.root, "bar", -this.state.board[0], false);
  }

  drawOff() {
    const x = WIDTH - TRAY;
    const [own, other] = this.state.off ?? [0, 0];
    const hit = svg("rect", { x, y: HEIGHT / 2, width: TRAY, height: HEIGHT / 2, class: "hit" });
    const group = this.part(OFF, `Off the board, ${own} of your checkers`, hit);
    const piece = (parent, i, low, kind) => {
      const y = low ? HEIGHT - EDGE - 11 * (i + 1) : EDGE + 11 * i;
      parent.append(svg("rect", { x: x + 7, y, width: TRAY - 14, height: 10, rx: 2, class: `checker ${kind}` }));
    };
    for (let i = 0; i < own; i += 1) piece(group, i, true, "own");
    for (let i = 0; i < other; i += 1) piece(this.root, i, false, "other");
    if ((this.state.targets ?? []).includes(OFF)) group.append(svg("rect", { x: x + 5, y: HEIGHT / 2 + 12, width: TRAY - 10, height: HEIGHT / 2 - EDGE - 12, rx: 4, class: "ghost" }));
  }

  drawCube() {
    const { cube } = this.state;
    if (!cube) return;
    const size = 34;
    let [x, y] = [TRAY / 2, HEIGHT / 2];
    if (cube.offered) x = WIDTH / 2;
    else if (cube.owner === "you") y = HEIGHT - EDGE - size / 2 - 4;
    else if (cube.owner === "nonet") y = EDGE + size / 2 + 4;
    const value = cube.offered ?? cube.value;
    const shown = cube.offered || cube.value > 1 ? value : 64;
    const group = svg("g", { class: cube.offered ? "cube offered" : "cube" }, svg("title", {}, `Cube at ${value}`));
    group.append(svg("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 5 }));
    group.append(svg("text", { x, y: y + 6 }, `${shown}`));
    this.root.append(group);
  }

  drawDice(dice, x, whose, left) {
    if (!dice) return;
    const size = 38;
    const pips = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
    const shown = dice[0] === dice[1] ? [dice[0], dice[0], dice[0], dice[0]] : dice;
    const unused = left ? [...left] : null;
    shown.forEach((die, i) => {
      const x0 = x + (i - shown.length / 2) * (size + 8) + 4;
      const y0 = HEIGHT / 2 - size / 2;
      let used = false;
      if (unused) {
        const at = unused.indexOf(die);
        used = at < 0;
        if (!used) unused.splice(at, 1);
      }
      const group = svg("g", { class: `die ${whose}${used ? " used" : ""}` }, svg("rect", { x: x0, y: y0, width: size, height: size, rx: 7 }));
      for (const pip of pips[die]) group.append(svg("circle", { cx: x0 + 9 + (pip % 3) * 10, cy: y0 + 9 + Math.floor(pip / 3) * 10, r: 3.6 }));
      this.root.append(group);
    });
  }

  drawArrow(from, to) {
    const own = this.state.arrowsOwn ?? true;
    const spot = (point) => {
      if (point >= 1 && point <= 24) return place(point, Math.min(Math.max(Math.abs(this.state.board[point]) - 1, 0), STACK - 1), own);
      if (point === BAR && own) return place(BAR, 0, true);
      if (point === 0 && !own) return place("bar", 0, false);
      return [WIDTH - TRAY / 2, own ? HEIGHT - 60 : 60];
    };
    const [[x1, y1], [x2, y2]] = [spot(from), spot(to)];
    this.root.append(svg("path", { d: `M${x1} ${y1}L${x2} ${y2}`, class: "arrow" }), svg("circle", { cx: x2, cy: y2, r: 6, class: "arrow-end" }));
  }

  listen() {
    const pointOf = (event) => {
      const at = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-point]");
      return at && this.root.contains(at) ? Number(at.dataset.point) : null;
    };
    let drag = null;
    this.root.addEventListener("pointerdown", (event) => {
      const point = pointOf(event);
      if (point === null || event.button !== 0) return;
      event.preventDefault();
      drag = { point, x: event.clientX, y: event.clientY, moved: false };
    });
    window.addEventListener("pointermove", (event) => {
      if (!drag) return;
      if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 6) {
        drag.moved = true;
        drag.taken = this.on.drag?.(drag.point) ?? false;
      }
      if (drag.moved && drag.taken) this.carry(event);
    });
    window.addEventListener("pointerup", (event) => {
      if (!drag) return;
      const { point, moved, taken } = drag;
      drag = null;
      this.root.querySelector(".carried")?.remove();
      const at = pointOf(event);
      if (!moved) this.on.point(point);
      else if (taken && at !== null && at !== point) this.on.point(at);
      else if (taken) this.on.cancel?.();
    });
    window.addEventListener("pointercancel", () => {
      drag = null;
      this.root.querySelector(".carried")?.remove();
    });
    this.root.addEventListener("keydown", (event) => {
      const point = Number(event.target.closest?.("[data-point]")?.dataset.point);
      if (Number.isNaN(point)) return;
      const next = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (next) {
        event.preventDefault();
        this.focus(this.neighbour(point, ...next));
      } else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        event.stopPropagation();
        this.on.point(point);
      } else if (event.key === "Escape") this.on.cancel?.();
    });
  }

  /** The spot beside another: the points in their rows, the bar between them, off at the right. The bar is in both rows: whoever comes to it from one goes on in that one. */
  neighbour(point, dx, dy) {
    const top = [13, 14, 15, 16, 17, 18, BAR, 19, 20, 21, 22, 23, 24];
    const low = [12, 11, 10, 9, 8, 7, BAR, 6, 5, 4, 3, 2, 1, OFF];
    if (point !== BAR) this.onTop = top.includes(point);
    const at = (this.onTop ? top : low).indexOf(point);
    if (dy) this.onTop = dy > 0;
    const row = this.onTop ? top : low;
    return row[Math.max(0, Math.min(row.length - 1, at + dx))];
  }

  focus(point) {
    this.focused = point;
    for (const spot of this.root.querySelectorAll("[data-point]")) spot.setAttribute("tabindex", Number(spot.dataset.point) === point ? 0 : -1);
    this.root.querySelector(`[data-point="${point}"]`)?.focus();
  }

  carry(event) {
    let carried = this.root.querySelector(".carried");
    if (!carried) {
      carried = svg("circle", { r: RADIUS, class: "checker own carried" });
      this.root.append(carried);
    }
    const box = this.root.getBoundingClientRect();
    carried.setAttribute("cx", ((event.clientX - box.left) / box.width) * WIDTH);
    carried.setAttribute("cy", ((event.clientY - box.top) / box.height) * HEIGHT);
  }
}

/** A board for looking at. */
export function drawBoard(parent, state) {
  const board = new Board(parent);
  board.draw(state);
  return board;
}

/** The 26 entries of a Position ID, seen by the player on roll: gnubg's manual, "A technical description of the Position ID". */
export function fromPositionId(id) {
  const bytes = Uint8Array.from(atob(id.slice(0, 14) + "=="), (c) => c.charCodeAt(0));
  const bits = [];
  for (const byte of bytes) for (let i = 0; i < 8; i += 1) bits.push((byte >> i) & 1);
  const board = new Array(26).fill(0);
  let at = 0;
  // The opponent comes first, then the player on roll; each from their ace point to the bar.
  for (const own of [false, true]) {
    for (let point = 1; point <= 25; point += 1) {
      let n = 0;
      while (bits[at]) {
        n += 1;
        at += 1;
      }
      at += 1;
      if (own) board[point] += n;
      else board[25 - point] -= n;
    }
  }
  return board;
}

export const flipped = (board) => board.map((_, i) => -board[25 - i]).map((n) => n || 0);
export const offOf = (board) => [1, -1].map((sign) => 15 - board.reduce((sum, n) => sum + (n * sign > 0 ? Math.abs(n) : 0), 0));
