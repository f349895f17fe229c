// @ts-check
// The fields of an XGID, seen by the player on roll (its description is in GNU Backgammon's
// manual). Nothing here draws.

import { fromPositionId } from "../board/position.js";

/**
 * @typedef {{
 *   board: number[];
 *   cube: number;
 *   owner: number;
 *   dice: string;
 *   points: [number, number];
 *   rules: number;
 *   length: number;
 *   most: number;
 *   offered?: boolean;
 * }} Fields
 */

export const START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
/** Checkers of a side. */
const CHECKERS = 15;

/**
 * The board of the letters of an XGID; upper case are the checkers of the player below.
 *
 * @param {string} letters
 * @returns {number[]}
 */
const ofLetters = (letters) =>
  [...letters].map((letter) => {
    if (!/[a-oA-O]/.test(letter)) return 0;
    const n = letter.toLowerCase().charCodeAt(0) - 96;
    return letter < "a" ? n : -n;
  });

/** @param {readonly number[]} board */
const toLetters = (board) =>
  board.map((n) => (n === 0 ? "-" : String.fromCharCode((n > 0 ? 64 : 96) + Math.abs(n)))).join("");

/**
 * The XGID within a text, else the text without spaces around it. In eXtreme Gammon's clipboard,
 * the next line follows the XGID without a space.
 *
 * @param {string} text
 */
export const xgidIn = (text) =>
  /XGID=[-a-oA-O]{26}(:-?\d+){3}:\w{1,2}(:\d+){5}/i.exec(text)?.[0].replace(/^xgid/i, "XGID") ??
  text.trim();

/**
 * Whether beavers are played at the score of an XGID: for money alone.
 *
 * @param {string} xgid
 */
export function hasBeavers(xgid) {
  const [rules, length] = xgid.split(":").slice(7).map(Number);
  return length === 0 && (rules & 2) !== 0;
}

/**
 * The GNU ID within a text of gnubg, which names its Position ID and its Match ID; null without
 * them.
 *
 * @param {string} text
 */
function gnuIdIn(text) {
  const [, position, match] =
    /Position ID\s*:\s*([\w+/]{14})(?:[^]*?Match ID\s*:\s*([\w+/]{12}))?/i.exec(text) ?? [];
  return position ? [position, match].filter(Boolean).join(":") : null;
}

/**
 * The ID within a pasted text, and whether O is on roll. The text may be an address of this page,
 * as it is or percent-coded.
 *
 * @param {string} text
 * @returns {{ id: string; ofO: boolean }}
 */
export function pasted(text) {
  const [, query] = /\?(\S*\bid=\S+)/.exec(text) ?? [];
  const params = new URLSearchParams(query?.replaceAll("+", "%2B"));
  const found = xgidIn(decoded(text));
  const id = isXgid(found) ? found : (gnuIdIn(text) ?? xgidIn(params.get("id") ?? text));
  return { id, ofO: isOfO(id) || params.get("side") === "O" };
}

/**
 * A text without percent codes, if it has right ones.
 *
 * @param {string} text
 */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Length and Crawford game, as `hasCube` reads them; the rules of money are Jacoby and beavers.
 *
 * @param {Pick<Fields, "rules" | "length">} fields
 */
export const rulesOf = ({ rules, length }) => ({ length, crawford: length > 0 && rules !== 0 });

/**
 * Whether a text is an ID of a position by its form.
 *
 * @param {string} text
 */
export const isId = (text) => isXgid(text) || /^[\w+/]{14}(:[\w+/]{12})?$/.test(text);

/**
 * Whether a text is an XGID, with or without its first word.
 *
 * @param {string} text
 */
export const isXgid = (text) => /^(XGID=)?[-a-oA-O]{26}(:-?\w+){9}$/.test(text.trim());

/**
 * Whether O is on roll in an XGID: it is then seen from the other side.
 *
 * @param {string} text
 */
export const isOfO = (text) => isXgid(text) && text.split(":")[3] === "-1";

/**
 * The fields of an XGID, turned so that the player on roll is below; null if it is none.
 *
 * @param {string} text
 * @returns {Fields | null}
 */
export function readXgid(text) {
  if (!isXgid(text)) return null;
  const parts = text.trim().replace("XGID=", "").split(":");
  const number = (/** @type {number} */ i) => Number(parts[i]) || 0;
  let [board, owner, points] = [
    ofLetters(parts[0]),
    number(2),
    /** @type {[number, number]} */ ([number(5), number(6)]),
  ];
  if (isOfO(text)) {
    board = board.map((_, i) => -board[25 - i] || 0);
    [owner, points] = [-owner || 0, [points[1], points[0]]];
  }
  // D: the player on roll has doubled, and the opponent answers.
  const offered = parts[4] === "D" ? { offered: true } : {};
  return {
    board,
    cube: number(1),
    owner,
    dice: /^[1-6]{2}$/.test(parts[4]) ? parts[4] : "",
    points,
    rules: number(7),
    length: number(8),
    most: number(9),
    ...offered,
  };
}

/**
 * The fields of a GNU ID, which is a Position ID and a Match ID with a colon between. Null if the
 * text is no GNU ID. Source: gnubg's manual, "A technical description of the Match ID".
 *
 * @param {string} text
 * @returns {Fields | null}
 */
export function readGnuId(text) {
  const [, position, match] = /^([\w+/]{14}):([\w+/]{12})$/.exec(text.trim()) ?? [];
  if (!match || `${position}${match}`.includes("_")) return null;
  let bits = [...atob(match)].flatMap((byte) =>
    Array.from({ length: 8 }, (_, i) => (byte.charCodeAt(0) >> i) & 1),
  );
  const take = (/** @type {number} */ n) => {
    const value = bits.slice(0, n).reduce((sum, bit, i) => sum + bit * 2 ** i, 0);
    bits = bits.slice(n);
    return value;
  };
  const [cube, owner, roll, crawford, , , doubled, , one, two, length, first, second, noJacoby] = [
    4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1,
  ].map(take);
  return {
    board: [...fromPositionId(position)],
    cube,
    owner: owner === 3 ? 0 : owner === roll ? 1 : -1,
    dice: one && two ? `${one}${two}` : "",
    points: roll ? [second, first] : [first, second],
    rules: length ? crawford : 1 - noJacoby,
    length,
    most: 10,
    ...(doubled ? { offered: true } : {}),
  };
}

/**
 * The position that the rolls are told of, without a roll. A double that is on the table is taken:
 * nothing is rolled after a pass.
 *
 * @param {Fields} fields
 * @returns {Fields}
 */
export const afterTake = (fields) => ({
  ...fields,
  dice: "",
  offered: false,
  ...(fields.offered ? { cube: fields.cube + 1, owner: -1 } : {}),
});

/** @param {Fields} fields */
export const writeXgid = ({ board, cube, owner, dice, points, rules, length, most, offered }) =>
  `XGID=${[toLetters(board), cube, owner, 1, dice || (offered ? "D" : "00"), ...points, rules, length, most].join(":")}`;

/**
 * The roll of an XGID that is none, such as `73`; null if there is nothing wrong with it.
 *
 * @param {string} text
 */
export function badRoll(text) {
  const roll = text.trim().split(":")[4];
  return isXgid(text) && !/^(00|[1-6]{2}|[DBR])$/.test(roll) ? roll : null;
}

/**
 * Whether a beaver is offered in an XGID.
 *
 * @param {string} text
 */
export const isBeaver = (text) => isXgid(text) && text.trim().split(":")[4] === "B";

/**
 * The same with impossible values put right: the score is below the length, and a cube at 1 has no
 * owner. It is the Crawford game only if exactly one player is one point away. It always is if the
 * other player has no point then: after the Crawford game that player has one.
 *
 * @param {Fields} fields
 * @returns {Fields}
 */
export function mended(fields) {
  const { length, rules } = fields;
  const most = Math.max(0, length - 1);
  const points = /** @type {[number, number]} */ (
    fields.points.map((n) => Math.max(0, Math.min(most, Math.trunc(n) || 0)))
  );
  const canBeCrawford = length > 1 && points.filter((own) => own === most).length === 1;
  const isCrawford = canBeCrawford && (rules === 1 || points.includes(0));
  return {
    ...fields,
    points,
    owner: fields.cube === 0 ? 0 : fields.owner,
    rules: length ? Number(isCrawford) : rules,
  };
}

/**
 * A board with a checker more or less on a point; null if a side would have too many.
 *
 * @param {readonly number[]} board
 * @param {number} point
 * @param {"own" | "other" | "take"} what
 */
export function edited(board, point, what) {
  const theirs = what === "other";
  const at = theirs && point === 25 ? 0 : point;
  const next = board.slice();
  const sign = theirs ? -1 : 1;
  if (what === "take") {
    // The bar holds the checkers of both.
    const from = point === 25 && next[25] === 0 ? 0 : at;
    next[from] -= Math.sign(next[from]);
  } else if (next[at] * sign < 0) next[at] = sign;
  else next[at] += sign;
  const counts = [1, -1].map((side) =>
    next.reduce((sum, n) => sum + (n * side > 0 ? Math.abs(n) : 0), 0),
  );
  return Math.max(...counts) > CHECKERS ? null : next.map((n) => n || 0);
}

/**
 * Whether no gammon counts: each side wins the match with a single game at this cube.
 *
 * @param {Fields} fields
 */
export const isWithoutGammons = ({ length, points, cube }) =>
  length > 0 && points.every((own) => length - own <= 2 ** cube);

/**
 * Whether both sides have a checker on the board: else there is nothing to ask.
 *
 * @param {readonly number[]} board
 */
export const isPlayable = (board) => board.some((n) => n > 0) && board.some((n) => n < 0);

/**
 * Chances as shares of a bar: own backgammons, gammons and single wins, then those of the other.
 *
 * @param {Record<string, number>} chances
 */
export function shares({
  win,
  win_gammon: gammon,
  win_backgammon: backgammon,
  lose_gammon: lost,
  lose_backgammon: lostTriple,
}) {
  return [
    backgammon,
    gammon - backgammon,
    win - gammon,
    1 - win - lost,
    lost - lostTriple,
    lostTriple,
  ].map((share) => Math.max(0, share));
}

/**
 * The roll that a person has typed: `31`, `3-1` or `3 1`. An empty text gives "", and a text that
 * is no roll gives null.
 *
 * @param {string} text
 */
export function rollOf(text) {
  const found = /^([1-6])[-, ]?([1-6])$/.exec(text.trim());
  return found ? found[1] + found[2] : text.trim() === "" ? "" : null;
}
