// @ts-check
// The score matrix: one decision at many scores. Its cells as a grid, its plays and their letters.
// Nothing here draws.

/**
 * @typedef {{
 *   letter: string;
 *   equity: number;
 *   ahead: number | null;
 *   loss: number;
 *   lossOfBest?: number;
 * }} PlayInCell
 */

/**
 * @typedef {{
 *   action: string;
 *   answer: string;
 *   words: string;
 *   no_double: number;
 *   double_take: number;
 *   ahead: number | null;
 *   answer_ahead: number | null;
 * }} CubeInCell
 */

/** @typedef {{ play: PlayInCell | null; cube: CubeInCell | null; given: boolean }} Said */

/**
 * @typedef {Said & {
 *   score: string;
 *   own_away: number | null;
 *   opponent_away: number | null;
 *   name: string | null;
 * }} ScoreCell
 */

/** @typedef {Said & { owner: string; value: number }} CubeCell */

/**
 * @typedef {{
 *   plays: { letter: string; play: string; id: string; cells: number }[];
 *   asked: string | null;
 *   above?: string;
 *   away: number;
 *   plies: number;
 *   complete: boolean;
 *   cells: ScoreCell[];
 *   cubes: CubeCell[];
 *   late?: boolean;
 * }} Matrix
 */

/** @typedef {{ away: number; crawford: boolean }} Line */

/**
 * The cells in rows by the points that the player needs, in columns by those of the opponent; the
 * Crawford game comes first. `null` is a score that cannot be, or is missing. Scores outside of the
 * grid are `apart`.
 *
 * @param {Matrix} matrix
 */
export function gridOf({ cells, away }) {
  const hasCrawford = cells.some(({ score }) => score === "crawford");
  /** @type {Line[]} */
  const lines = [
    ...(hasCrawford ? [{ away: 1, crawford: true }] : []),
    ...Array.from({ length: away }, (_, i) => ({ away: i + 1, crawford: false })),
  ];
  const at = (/** @type {Line} */ row, /** @type {Line} */ column) => {
    // The Crawford game has one side that needs a point, and it is one game for both.
    const crawford = row.crawford || column.crawford;
    if (crawford && (row.away === 1) === (column.away === 1)) return null;
    return (
      cells.find(
        (cell) =>
          cell.own_away === row.away &&
          cell.opponent_away === column.away &&
          (cell.score === "crawford") === crawford,
      ) ?? null
    );
  };
  const apart = cells.filter(
    ({ own_away: own, opponent_away: other }) =>
      own === null || other === null || Math.max(own, other) > away,
  );
  return {
    lines,
    rows: lines.map((line) => ({ line, cells: lines.map((column) => at(line, column)) })),
    apart,
  };
}

/**
 * What kind of cube decision it is; its colour and its short name follow.
 *
 * @param {CubeInCell} cube
 */
export function kindOf({ action, answer }) {
  if (action === "double") return answer === "pass" ? "double-pass" : "double-take";
  return { "no-double": "no-double", "too-good": "too-good" }[action] ?? "none";
}

/**
 * A matrix that tells the loss of a second play, too. This is the best one of the answer above,
 * which may be best in no cell. Each cell keeps the best of both searches.
 *
 * @param {Matrix} matrix
 * @param {Matrix} other The same question about that play
 * @param {string} best That play
 * @returns {Matrix}
 */
export function withBest(matrix, other, best) {
  const nameOf = (/** @type {Matrix} */ { plays }, /** @type {string} */ letter) =>
    plays.find((one) => one.letter === letter)?.play;
  const added = other.plays.filter(({ play }) => !matrix.plays.some((one) => one.play === play));
  const plays = [...matrix.plays, ...added].map((one, at) => ({
    ...one,
    letter: String.fromCharCode(65 + at),
  }));
  const letterOf = (/** @type {string | undefined} */ play) =>
    plays.find((one) => one.play === play)?.letter ?? "";
  /**
   * @template {Said} S
   * @param {S} cell
   * @param {Said | undefined} twin
   * @returns {S}
   */
  const joined = (cell, twin) => {
    const [own, theirs] = [cell.play, twin?.play];
    if (!own || !theirs) return cell;
    const [first, second] = own.equity >= theirs.equity ? [own, theirs] : [theirs, own];
    const { equity } = first;
    const [ownName, theirName] = [nameOf(matrix, own.letter), nameOf(other, theirs.letter)];
    // Each of the two searches knows a second best one.
    const behind = ownName === theirName ? second.ahead : equity - second.equity;
    const ahead =
      first.ahead === null || behind === null
        ? (first.ahead ?? behind)
        : Math.min(first.ahead, behind);
    const letter = letterOf(first === own ? ownName : theirName);
    return {
      ...cell,
      play: {
        letter,
        equity,
        ahead,
        loss: equity - own.equity + own.loss,
        lossOfBest: equity - theirs.equity + theirs.loss,
      },
    };
  };
  const isSame = (/** @type {ScoreCell} */ one) => (/** @type {ScoreCell} */ two) =>
    one.score === two.score &&
    one.own_away === two.own_away &&
    one.opponent_away === two.opponent_away;
  const cells = matrix.cells.map((cell) => joined(cell, other.cells.find(isSame(cell))));
  const cubes = matrix.cubes.map((cell) =>
    joined(
      cell,
      other.cubes.find(({ owner, value }) => owner === cell.owner && value === cell.value),
    ),
  );
  const counted = plays.map((one) => ({
    ...one,
    cells: cells.filter(({ play }) => play?.letter === one.letter).length,
  }));
  return {
    ...matrix,
    plays: counted,
    cells,
    cubes,
    asked: letterOf(nameOf(matrix, matrix.asked ?? "")),
    above: letterOf(best),
  };
}

/**
 * The plays that a matrix compares, with their losses in a cell.
 *
 * @param {Matrix} matrix
 * @param {PlayInCell} play
 * @returns {{ letter: string | null; loss: number }[]}
 */
export const lossesIn = ({ asked, above }, { loss, lossOfBest = 0 }) => [
  { letter: asked, loss },
  ...(above ? [{ letter: above, loss: lossOfBest }] : []),
];

/**
 * The matrix with the letters that the plays of its decision have elsewhere, in their order.
 *
 * @param {Matrix} matrix
 * @param {import("./decision.js").Letters} letters
 * @returns {Matrix}
 */
export function relettered(matrix, letters) {
  const to = new Map(matrix.plays.map(({ letter, play }) => [letter, letters(play).letter]));
  const named = (/** @type {string} */ letter) => to.get(letter) ?? letter;
  /**
   * @template {Said} S
   * @param {S} cell
   * @returns {S}
   */
  const ofCell = (cell) =>
    cell.play ? { ...cell, play: { ...cell.play, letter: named(cell.play.letter) } } : cell;
  const plays = matrix.plays
    .map((one) => ({ ...one, letter: named(one.letter) }))
    .sort((a, b) => (a.letter < b.letter ? -1 : 1));
  return {
    ...matrix,
    plays,
    asked: matrix.asked === null ? null : named(matrix.asked),
    above: matrix.above && named(matrix.above),
    cells: matrix.cells.map(ofCell),
    cubes: matrix.cubes.map(ofCell),
  };
}
