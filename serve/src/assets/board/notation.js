// @ts-check
// Plays as they are written: `8/5 6/5`, `bar/22*/18`, `6/off(2)`.

/**
 * The moves of single checkers in a play: from, to; 25 is the bar, 0 off the board.
 * @param {string} play
 * @returns {[number, number][]}
 */
export function stepsOf(play) {
  /** @type {[number, number][]} */
  const steps = [];
  for (const word of play.trim().split(/\s+/)) {
    const found = /^((?:bar|\d+)(?:\*?\/(?:off|\d+))+)\*?(?:\((\d)\))?\*?$/.exec(word);
    if (!found) continue;
    const points = found[1].split("/").map((name) => ({ bar: 25, off: 0 })[name.replace("*", "")] ?? Number.parseInt(name, 10));
    for (let n = 0; n < (Number(found[2]) || 1); n += 1) {
      for (let i = 1; i < points.length; i += 1) steps.push([points[i - 1], points[i]]);
    }
  }
  return steps;
}
