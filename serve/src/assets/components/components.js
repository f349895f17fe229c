// @ts-check
// All components on one page, for people who change them: debug builds serve it.
import { lineChart } from "../common/chart.js";
import { byId, el, empty, loading } from "../common/dom.js";
import { ICONS, icon, pageHead } from "../common/header.js";
import { table } from "../common/tables.js";
import { Board, drawBoard } from "../board/board.js";
import { Motion } from "../board/motion.js";
import { START } from "../board/position.js";

pageHead("/components");

/**
 * @param {string} title
 * @param {any[]} parts
 */
const part = (title, ...parts) => el("section", {}, el("h2", {}, title), parts);
/** @param {import("../board/draw.js").BoardState} state */
const picture = (state) => {
  const place = el("div", { class: "board-place" });
  drawBoard(place, state);
  return place;
};
const grid = (/** @type {any[]} */ ...parts) => el("div", { class: "mistakes" }, parts);

const colours = [
  "ground",
  "card",
  "sunk",
  "text",
  "soft",
  "line",
  "edge",
  "accent",
  "accent-strong",
  "accent-soft",
  "error",
  "warn",
  "good",
  "focus",
];
const swatches = colours.map((name) => {
  const box = el("span", { class: "swatch" });
  box.style.setProperty("background", `var(--${name})`);
  return el("figure", { class: "colour" }, box, el("figcaption", { class: "small" }, name));
});

const moving = el("div", { class: "board-place" });
const board = new Board(moving);
board.draw({ board: START, off: [0, 0], cube: { value: 1, owner: null } });
const motion = new Motion(board, () => 300);
const show = (/** @type {() => Promise<void>} */ what) => async () => {
  await what();
  setTimeout(() => board.draw({ board: START, off: [0, 0], cube: { value: 1, owner: null } }), 900);
};

const bar = [...START];
Object.assign(bar, { 25: 2, 24: 0, 0: -1, 1: -1 });
const off = new Array(26).fill(0);
Object.assign(off, { 1: 2, 2: 1, 24: -2, 20: -3 });
const points = Array.from({ length: 30 }, (_, i) => [i + 1, 50 + 30 * Math.sin(i / 4), 6]);

const curve = (/** @type {number} */ end) =>
  [100, 300, 1000, 3000].map((games) => [games, end - 100 / games, 0.1]);
const curves = [
  { name: "one run", points: curve(0.3), colour: 0 },
  {
    name: "one run, average",
    points: curve(0.2).map((point) => point.slice(0, 2)),
    colour: 0,
    dashed: true,
  },
  { name: "other run", points: curve(-0.1), colour: 1 },
];

byId("components").append(
  part("Colours", el("div", { class: "swatches" }, swatches)),
  part(
    "Type",
    el("h1", {}, "Heading of a page"),
    el("h2", {}, "Heading of a part"),
    el("h3", {}, "Heading of a card"),
    el("p", {}, "A sentence with ", el("a", { href: "#" }, "a link"), "."),
    el("p", { class: "small" }, "Small words."),
    el("p", { class: "lead" }, "A sentence that leads in."),
  ),
  part(
    "Buttons",
    el(
      "p",
      { class: "tools" },
      el("button", { class: "main big" }, "Big"),
      el("button", { class: "main" }, "Main"),
      el("button", {}, "Usual"),
      el("button", { disabled: true }, "Disabled"),
      el("button", { class: "link" }, "Link"),
      ...Object.entries(ICONS).map(([name, path]) => {
        const made = el("button", { class: "quiet", "aria-label": name, title: name });
        made.append(icon(path));
        return made;
      }),
    ),
  ),
  part(
    "Fields",
    el(
      "div",
      { class: "form" },
      el("label", {}, "Text ", el("input", { placeholder: "placeholder" })),
      el(
        "label",
        {},
        "Choice ",
        el("select", {}, el("option", {}, "one"), el("option", {}, "two")),
      ),
      el(
        "label",
        {},
        "Refused ",
        el("input", {
          value: "hello",
          "aria-invalid": "true",
          "aria-errormessage": "component-fault",
        }),
        el("span", { class: "fault", id: "component-fault" }, "What is wrong with it."),
      ),
    ),
    el("label", { class: "check" }, el("input", { type: "checkbox", checked: true }), " Check"),
  ),
  part(
    "States",
    loading(),
    empty("Nothing is here yet."),
    el("p", { class: "says error" }, "What went wrong, and what to do."),
    el(
      "p",
      {},
      el("span", { class: "state good" }, "running"),
      " ",
      el("span", { class: "state" }, "stopped"),
    ),
    el("progress", { max: 10, value: 4, "aria-label": "progress" }),
  ),
  part(
    "Table",
    table(
      "A table",
      ["play", "equity", "loss"],
      [
        ["8/5 6/5", "+0.159", ""],
        ["24/23 13/10", "−0.009", "−0.168"],
      ],
    ),
  ),
  part(
    "Boards",
    grid(
      picture({
        board: START,
        off: [0, 0],
        cube: { value: 1, owner: null },
        dice: [3, 1],
        arrows: [
          {
            steps: [
              [8, 5],
              [6, 5],
            ],
            kind: "best",
          },
          {
            steps: [
              [24, 23],
              [13, 10],
            ],
            kind: "played",
          },
        ],
      }),
      picture({
        board: bar,
        off: [0, 0],
        cube: { value: 2, owner: "nonet", offered: 4, to: "you" },
        theirDice: [6, 6],
        sources: [13, 6],
        selected: 13,
        targets: [7, 8],
      }),
      picture({
        board: off,
        off: [12, 10],
        cube: { value: 4, owner: "you" },
        dice: [5, 5],
        left: [5, 5],
        targets: [0],
        sources: [1, 2],
      }),
    ),
  ),
  part(
    "Movement",
    el(
      "p",
      { class: "tools" },
      el(
        "button",
        {
          onclick: show(() =>
            motion.play(
              [
                [8, 5],
                [6, 5],
              ],
              true,
            ),
          ),
        },
        "Slide",
      ),
      el("button", { onclick: show(() => motion.roll([6, 4], true)) }, "Roll"),
      el(
        "button",
        { onclick: show(() => motion.turn({ value: 1, owner: null, offered: 2, to: "nonet" })) },
        "Turn the cube",
      ),
    ),
    moving,
  ),
  part(
    "Chart",
    lineChart({
      title: "A curve with its band",
      x: "decisions",
      y: "games you win (%)",
      series: [{ name: "chance", points }],
      level: 50,
      whole: true,
    }),
    lineChart({
      title: "Two curves, and an average",
      x: "games",
      y: "points a game",
      series: curves,
      logX: true,
      level: 0,
      labels: true,
      tell: true,
    }),
  ),
);
