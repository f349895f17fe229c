// @ts-check
// What the page is about: the position, who sits below, the play that is kept, and which question
// is the newest.
import { byId } from "../common/dom.js";
import { START, mended, readXgid, writeXgid } from "./xgid.js";

/** @typedef {import("./xgid.js").Fields} Fields */

/**
 * What is on the board.
 *
 * @type {Fields}
 */
let fields = /** @type {Fields} */ (readXgid(START));
/**
 * The chosen play: its arrows and the board after it are shown.
 *
 * @type {any}
 */
let kept = null;
/** Whether O is on roll in the XGID that was read, and whether X sits below nevertheless. */
let [isO, isTurned] = [false, false];
/** Counts the questions: the last one holds. */
let question = 0;

export const onBoard = () => fields;
export const keptPlay = () => kept;
export const isOOnRoll = () => isO;
export const isXBelow = () => isTurned;

export const xgid = () => writeXgid(fields);
export const ply = () => Number(byId("ply").value);
export const net = () => byId("net").value || undefined;
/** What is rolled out: the plays of the roll, or the cube. */
export const decision = () => (fields.dice ? { dice: fields.dice } : { cube: true });
export const isEditing = () => byId("setup").open;

/**
 * Another position is on the board.
 *
 * @param {Fields} next
 * @param {boolean} ofO
 */
export function put(next, ofO) {
  [fields, kept, isO, isTurned] = [mended(next), null, ofO, ofO && isTurned];
}

/** No checkers are on the board. */
export function clear() {
  fields = { ...fields, board: new Array(26).fill(0), dice: "" };
}

/**
 * Keeps a play, or lets it go.
 *
 * @param {any} play
 */
export function keep(play) {
  kept = play;
}

/** The other player sits below. */
export function turnBoard() {
  isTurned = !isTurned;
}

/** Whether something has been asked about a position. */
export const hasAsked = () => question > 0;

/** Whether the question of now is still the newest one later. */
export function untilNext() {
  const own = question;
  return () => own === question;
}

/** A new question: whether it is still the newest one later. */
export function newQuestion() {
  question += 1;
  return untilNext();
}
