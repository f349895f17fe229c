// @ts-check
// Plays as they are written: `8/5 6/5`, `bar/22*/18`, `6/off(2)`; and a match as a text of them.

/**
 * The moves of single checkers in a play: from, to; 25 is the bar, 0 off the board.
 *
 * @param {string} play
 * @returns {[number, number][]}
 */
export function stepsOf(play) {
  /** @type {[number, number][]} */
  const steps = [];
  for (const word of play.trim().split(/\s+/)) {
    const found = /^((?:bar|\d+)(?:\*?\/(?:off|\d+))+)\*?(?:\((\d)\))?\*?$/.exec(word);
    if (!found) continue;
    const points = found[1]
      .split("/")
      .map((name) => ({ bar: 25, off: 0 })[name.replace("*", "")] ?? Number.parseInt(name, 10));
    for (let n = 0; n < (Number(found[2]) || 1); n += 1) {
      for (let i = 1; i < points.length; i += 1) steps.push([points[i - 1], points[i]]);
    }
  }
  return steps;
}

/** @typedef {import("../watch/match.js").Event} Event */

/** Width of the left column, after a row's number of 5 columns: the other one begins there. */
const LEFT = 34;

/**
 * A decision as a cell; nothing for what the text does not tell.
 *
 * @param {Event} event
 */
function cellOf({ what, dice, play, offered }) {
  switch (what) {
    case "plays":
      return `${dice?.join("")}: ${play ?? ""}`;
    case "doubles":
      return ` Doubles => ${offered}`;
    case "takes":
      return " Takes";
    case "passes":
      return " Drops";
    default:
      return null;
  }
}

/**
 * The rows of a game: light on the left, dark on the right.
 *
 * @param {Event[]} events
 */
function rowsOf(events) {
  /** @type {[string, string][]} */
  const rows = [];
  let last = "dark";
  for (const event of events) {
    const cell = cellOf(event);
    if (cell === null) continue;
    if (event.player === "light") rows.push([cell, ""]);
    else if (last === "light") rows[rows.length - 1][1] = cell;
    else rows.push(["", cell]);
    last = event.player;
  }
  return rows;
}

/**
 * A watched match as a match text (.mat), which the analysis reads.
 *
 * @param {{ length: number; events: Event[] }} match
 * @param {[string, string]} names Of light and dark
 */
export function matOf({ length, events }, names) {
  const lines = [` ${length} point match`, ""];
  /**
   * The score before a game.
   *
   * @type {number[]}
   */
  let score = [0, 0];
  for (const game of new Set(events.map((event) => event.game))) {
    const all = events.filter((event) => event.game === game);
    lines.push(
      ` Game ${game}`,
      ` ${`${names[0]} : ${score[0]}`.padEnd(LEFT)}    ${names[1]} : ${score[1]}`,
    );
    const rows = rowsOf(all);
    const won = all.find(({ what }) => what === "wins-game");
    const words = won ? `Wins ${won.points} point${won.points === 1 ? "" : "s"}` : "";
    // Readers take a result below a double that was passed in the left column for one more double.
    const beside = won?.player === "dark" && all.some(({ what }) => what === "passes");
    if (beside) rows[rows.length - 1][1] = words;
    for (const [i, [left, right]] of rows.entries())
      lines.push(`${`${i + 1}`.padStart(3)}) ${left.padEnd(LEFT)}${right}`.trimEnd());
    if (won && !beside) lines.push(`${"".padEnd(won.player === "light" ? 6 : LEFT + 5)}${words}`);
    lines.push("");
    score = won?.score ?? score;
  }
  return `${lines.join("\n")}\n`;
}
