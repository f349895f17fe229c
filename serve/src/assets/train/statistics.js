// @ts-check
// Results with their intervals: which is ahead, and means over seeds. Nothing here draws.

/**
 * Half the width of a 95 % interval.
 *
 * @param {number} stderr
 */
export const half = (stderr) => 1.96 * stderr;

/**
 * Which of two results is ahead, by how much, and whether chance alone explains it.
 *
 * @param {{ ppg: number; half: number }} one
 * @param {{ ppg: number; half: number }} other
 */
export function compared(one, other) {
  const by = Math.abs(one.ppg - other.ppg);
  const half = Math.hypot(one.half, other.half);
  return { isFirst: one.ppg >= other.ppg, by, half, isClear: by > half };
}

/** @typedef {{ games: number; ppg: number; stderr: number }} Test */

/**
 * The last tests of runs after the same number of games; null where there are none. Tests after
 * different numbers of games would only say which run is further.
 *
 * @param {Test[][]} histories
 * @returns {Test[] | null}
 */
export function sharedTests(...histories) {
  const [first, ...others] = histories;
  for (const test of [...first].reverse()) {
    const all = [test, ...others.map((tests) => tests.find(({ games }) => games === test.games))];
    if (all.every((one) => one !== undefined)) return all;
  }
  return null;
}

/**
 * The 97.5 % quantiles of Student's t for 1, 2, 3 ... degrees of freedom; the last one for more,
 * too.
 */
const STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

/**
 * The mean of a value over seeds, and half of its 95 % t interval.
 *
 * @param {number[]} values Two or more
 */
export function meanOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance =
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return {
    mean,
    half:
      STUDENT[Math.min(STUDENT.length, values.length - 1) - 1] *
      Math.sqrt(variance / values.length),
  };
}
