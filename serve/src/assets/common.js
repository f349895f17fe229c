// What all pages share: elements, messages, the choice of dark or light, numbers in words, rollouts.
import { rollout } from "./api.js";

/** An element with attributes and children; `on...` are listeners, and nothing is read as HTML. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

export const byId = (id) => document.getElementById(id);

/** Says something in the live region, which screen readers read out. */
export function say(text, kind = "") {
  const place = byId("says");
  place.textContent = text;
  place.className = `says ${kind}`;
}

/** Runs `work`, and says what goes wrong. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    say(error.message.charAt(0).toUpperCase() + error.message.slice(1), "error");
    return undefined;
  }
}

export const signed = (value, digits = 3) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);
export const percent = (chance, digits = 1) => `${(100 * chance).toFixed(digits)} %`;

/** The six customary chances in a line of a table. */
export function chances({ win, win_gammon, win_backgammon, lose_gammon, lose_backgammon }) {
  const p = (value) => (100 * value).toFixed(1);
  return [p(win), p(win_gammon), p(win_backgammon), p(1 - win), p(lose_gammon), p(lose_backgammon)];
}

/** Whether a cell is a number, perhaps with its unit or interval. */
const isNumber = (cell) => typeof cell === "string" && (cell === "" || /^[±+−-]?\d[\d.,: ]*( ?[%kM]| ±.*| of \d+)?( \/ .*)?$|^(–|none|\?)/.test(cell));

/** A table: a row of headings and rows of cells (texts or elements). Columns of numbers stand right, the first one and those of words left. */
export function table(caption, headings, rows) {
  const words = headings.map((_, i) => i > 0 && rows.some((cells) => !isNumber(cells[i] ?? "")));
  const kind = (i) => (words[i] ? "words" : null);
  const head = el("tr", {}, headings.map((text, i) => el("th", { scope: "col", class: kind(i) }, text)));
  const body = rows.map((cells) => {
    const row = el("tr", {}, cells.map((cell, i) => el(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : { class: kind(i) }, cell ?? "")));
    return row;
  });
  const made = el("table", {}, el("caption", {}, caption), el("thead", {}, head), el("tbody", {}, body));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, made);
}

/** The plays of a hint as a table. */
export function playsTable(answer, act) {
  const rows = answer.plays.map((play, i) => [
    act ? el("button", { type: "button", class: "link", onclick: () => act(play) }, `${i + 1}. ${play.play}`) : `${i + 1}. ${play.play}`,
    signed(play.equity), i === 0 ? "" : signed(-play.loss), `${play.plies}`, ...chances(play.outcomes), play.class,
  ]);
  const heads = ["play", "equity", "loss", "ply", "win %", "g", "bg", "lose %", "g", "bg", "class"];
  return table(`Best plays of ${answer.dice}, equity with the cube`, heads, rows);
}

/** A cube decision as a table. */
export function cubeTable(cube) {
  const double = cube.redouble ? "redouble" : "double";
  const mwc = cube.match_winning_chances;
  const rows = [[`no ${double}`, cube.no_double], [`${double}, take`, cube.double_take], [`${double}, pass`, cube.double_pass]]
    .map(([name, equity], i) => [name, signed(equity), signed(equity - cube.equity), ...(mwc ? [percent(mwc[i], 2)] : [])]);
  const heads = ["action", "equity", "difference", ...(mwc ? ["match won"] : [])];
  const made = table(`${cube.words[0].toUpperCase()}${cube.words.slice(1)} (${cube.plies}-ply)`, heads, rows);
  const words = el("p", { class: "small" }, `Without the cube ${signed(cube.cubeless)}; win ${percent(cube.outcomes.win)}, gammons ${percent(cube.outcomes.win_gammon)}; lose gammons ${percent(cube.outcomes.lose_gammon)}. Class ${cube.class}.`);
  return el("div", {}, made, words);
}

/** Shows rollouts in `place` while they are played; `stop` is their button. `begin(question)` ends the one before, `end()` ends it. */
export function liveRollout(place, stop) {
  let cancel = null;
  const end = () => {
    cancel?.abort();
    stop.hidden = true;
  };
  stop.addEventListener("click", end);
  const begin = async (question) => {
    cancel?.abort();
    const own = new AbortController();
    cancel = own;
    stop.hidden = false;
    place.replaceChildren(el("p", { class: "small" }, "The first games are being played…"));
    try {
      await rollout(question, (answer, done) => {
        const note = done ? `Done. The intervals leave out ${answer.stderr_leaves_out}.` : `Rolling out: ${answer.cube ? answer.games : Math.min(...answer.rollouts.map((row) => row.games))} of ${question.games} games, ${answer.seconds.toFixed(0)} s.`;
        place.replaceChildren(rolloutTable(answer), el("p", { class: "small" }, note));
      }, own.signal);
    } finally {
      if (cancel === own) stop.hidden = true;
    }
  };
  return { begin, end };
}

/** A rollout as a table, with 95 % intervals. */
export function rolloutTable(answer) {
  const half = (stderr) => (stderr === null || stderr === undefined ? "?" : (1.96 * stderr).toFixed(3));
  if (answer.cube) {
    const { cube } = answer;
    const rows = [["no double", cube.no_double], ["double, take", cube.double_take]]
      .map(([name, row]) => [name, signed(row.equity), `± ${half(row.stderr)}`]);
    rows.push(["double, pass", signed(1), ""]);
    return table(`${cube.words}; ${answer.games} games, 95 % intervals`, ["action", "equity", "interval"], rows);
  }
  const rows = answer.rollouts.map((row, i) => [
    row.play, signed(row.equity), `± ${half(row.stderr)}`,
    i === 0 ? "" : `${signed(-row.loss)} ± ${half(row.loss_stderr)}`, `${row.games}`, ...chances(row.outcomes),
  ]);
  const heads = ["play", "equity", "interval", "behind the best", "games", "win %", "g", "bg", "lose %", "g", "bg"];
  return table("Rollout, 95 % intervals", heads, rows);
}

// Dark or light: that of the system unless the person has chosen.
const THEME = "nonet-theme";
function apply(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}
apply(localStorage.getItem(THEME));

/** The head of a page: the name, the links, the switch of dark and light. */
export function pageHead(current) {
  const pages = [["/", "Board"], ["/analyse", "Analyse"], ["/position", "Position"], ["/train", "Train"], ["/bot", "Bot"], ["/api", "API"]];
  const links = pages.map(([address, name]) => el("a", { href: address, "aria-current": address === current ? "page" : null }, name));
  const theme = el("button", {
    type: "button", class: "theme", "aria-label": "Dark or light",
    onclick: () => {
      const dark = getComputedStyle(document.documentElement).colorScheme.startsWith("dark");
      localStorage.setItem(THEME, dark ? "light" : "dark");
      apply(localStorage.getItem(THEME));
    },
  }, "◐");
  document.querySelector("header").append(
    el("a", { class: "skip", href: "#main" }, "To the content"), el("a", { class: "name", href: "/" }, "nonet"),
    el("nav", { "aria-label": "Pages" }, links), theme);
}
