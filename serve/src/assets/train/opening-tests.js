// @ts-check
// What tests know of a net's openings. Nothing here draws.

/** @typedef {import("./state.js").Result} Result */

/**
 * The plays of theory besides one.
 *
 * @param {{ roll: string; plays: string[] }[]} established
 * @param {string} roll
 * @param {string} play
 */
const othersOf = (established, roll, play) =>
  (established.find((one) => one.roll === roll)?.plays ?? []).filter((one) => one !== play);

/**
 * The openings at a test: each roll with its play, whether theory accepts it, and since how many
 * games the net has chosen it.
 *
 * @param {{ games: number; openings: { roll: string; play: string }[] }[]} tests Those with
 *   openings, the oldest first
 * @param {{ roll: string; plays: string[] }[]} established
 * @param {number} at
 */
export function openingsAt(tests, established, at) {
  const accepted = (/** @type {string} */ roll, /** @type {string} */ play) =>
    (established.find((one) => one.roll === roll)?.plays ?? []).includes(play);
  return tests[at].openings.map(({ roll, play }, i) => {
    let since = null;
    for (let test = at; test >= 0; test -= 1) {
      const then = tests[test].openings[i];
      if (!then || then.play !== play) break;
      since = tests[test].games;
    }
    return {
      roll,
      play,
      known: accepted(roll, play),
      since,
      others: othersOf(established, roll, play),
    };
  });
}

/**
 * Tests of the history that have openings.
 *
 * @param {any} knowledge
 * @returns {any[]}
 */
export const testsWithOpenings = (knowledge) =>
  (knowledge ?? []).filter(
    (/** @type {any} */ test) => Array.isArray(test.openings) && test.openings.length,
  );

/**
 * Whether openings of a test are those of the best net.
 *
 * @param {{ games: number }} test
 * @param {boolean} isAverage Whether they are those of the moving average of the weights
 * @param {Result | null} result
 */
export const isOfBest = ({ games }, isAverage, result) =>
  result !== null && result.net.games === games && result.net.isAverage === isAverage;
