// @ts-check
// A position: by its ID or set up by hand. Whatever changes is answered at once, and the address
// holds it.
import { Refused, get, post } from "../common/api.js";
import { attempt, byId, el, empty, say, sentence } from "../common/dom.js";
import { pageHead } from "../common/header.js";
import { host, query } from "../common/host.js";
import { learnTitles, netOptions } from "../common/net-name.js";
import { t } from "../common/words.js";
import { START as START_BOARD, flipped, fromPositionId } from "../board/position.js";
import { chooseLook, setNets, setUsualPly, write } from "./address.js";
import { later, rollOut, showInputs, showScores } from "./answers.js";
import {
  fillChoices,
  listenToPaste,
  openCube,
  prepareTools,
  showFault,
  showState,
} from "./form.js";
import { draw, drawKept, prepareBoard } from "./shown-board.js";
import { clear, hasAsked, isEditing, isOOnRoll, onBoard, put, xgid } from "./state.js";
import { fillLevels } from "./strengths-view.js";
import {
  START,
  badRoll,
  edited,
  isBeaver,
  pasted,
  readGnuId,
  readXgid,
  rollOf,
  writeXgid,
} from "./xgid.js";

/** @typedef {import("./xgid.js").Fields} Fields */

pageHead("/position");
prepareBoard(edit);

/** Counts the IDs that were read: the last one holds. */
let reading = 0;

/**
 * Whether two positions differ in the roll alone: what is set up by hand is a position of X.
 *
 * @param {Fields} one
 * @param {Fields} other
 */
const sameButRoll = (one, other) =>
  writeXgid({ ...one, dice: "11" }) === writeXgid({ ...other, dice: "11" });

/**
 * Takes a new position, draws it and asks about it.
 *
 * @param {Fields} next
 */
function take(next, push = false, ofO = isOOnRoll() && sameButRoll(next, onBoard())) {
  put(next, ofO);
  reading += 1;
  byId("beavered").hidden = true;
  draw();
  [byId("id").value, byId("dice").value] = [xgid(), onBoard().dice];
  showFault("");
  showState();
  write(push);
  later(take);
}

/**
 * Puts a checker on a point, or takes it off.
 *
 * @param {number} point
 */
function edit(point) {
  if (!isEditing() || point === 0) return;
  const what = byId("edit-take").checked ? "take" : byId("theirs").checked ? "other" : "own";
  const next = edited(onBoard().board, point, what);
  if (next) take({ ...onBoard(), board: next });
  else say(t("position.fifteen"), "error");
}

byId("state").addEventListener("change", (/** @type {any} */ event) => {
  const { id, value } = event.target;
  const number = Number(value) || 0;
  const fields = onBoard();
  const [own, other] = fields.points;
  const changes = /** @type {Record<string, Partial<Fields>>} */ ({
    length: { length: number, rules: 0 },
    "own-score": { points: [number, other] },
    "other-score": { points: [own, number] },
    cube: { cube: number },
    owner: { owner: number },
    rules: { rules: number },
  });
  if (changes[id]) take({ ...fields, ...changes[id] });
});
byId("setup").addEventListener("toggle", drawKept);
byId("board").addEventListener("click", openCube);
byId("clear").addEventListener("click", () =>
  take({ ...onBoard(), board: new Array(26).fill(0), dice: "" }),
);
byId("start").addEventListener("click", () =>
  take({ ...onBoard(), board: [...START_BOARD], dice: "" }),
);
byId("turn").addEventListener("click", () => {
  const fields = onBoard();
  take(
    {
      ...fields,
      board: flipped(fields.board),
      owner: -fields.owner || 0,
      points: [fields.points[1], fields.points[0]],
      dice: "",
      offered: false,
    },
    false,
    false,
  );
});

/**
 * Reads the roll. A wrong one stays as it was typed.
 *
 * @returns {boolean} Whether it is right
 */
function takeDice() {
  const text = byId("dice").value.trim();
  const dice = rollOf(text);
  if (dice === null) showFault(t("position.badDice", { text }));
  else if (dice !== onBoard().dice) take({ ...onBoard(), dice, offered: false }, true);
  else showFault("");
  return dice !== null;
}
byId("dice").addEventListener("change", takeDice);
for (const name of ["ply", "net"])
  byId(name).addEventListener("change", () => {
    byId("net-gone").hidden = true;
    write(false);
    later(take);
  });
for (const [name, show] of /** @type {[string, () => Promise<void>][]} */ ([
  ["inputs-part", showInputs],
  ["scores-part", showScores],
]))
  byId(name).addEventListener("toggle", () => {
    if (byId(name).open) attempt(show);
  });

/** An empty board, before anything is shown: no answer stands below an ID that cannot be read. */
function showNothing() {
  clear();
  draw();
  showState();
  byId("plays").replaceChildren(empty(t("position.unread")));
}

/**
 * Takes an ID of any kind, if the server finds it legal. An empty board is one to set up by hand.
 *
 * @param {string} text
 * @param {boolean} push
 * @param {boolean} ofO Whether O is on roll: an address has turned the ID to the player on roll
 */
async function takeId(text, push, ofO) {
  reading += 1;
  const own = reading;
  const read = readXgid(text) ?? readGnuId(text);
  if (read?.board.every((n) => n === 0)) return take(read, push);
  // The server may read its board alone: score and roll would be lost.
  if (!read && /xgid/i.test(text)) throw new Refused(400, t("position.badXgid"));
  const [evaluation] = await post("/evaluate", { ids: [text], ply: 1 });
  if (own !== reading) return;
  take(
    read ?? { .../** @type {Fields} */ (readXgid(START)), board: fromPositionId(evaluation.id) },
    push,
    read !== null && ofO,
  );
  byId("beavered").hidden = !isBeaver(text);
}

/**
 * Takes the ID of a text, where one that cannot be read stays as it was typed.
 *
 * @param {string} typed
 */
const tryText = (typed, push = true) =>
  attempt(async () => {
    const { id: text, ofO } = pasted(typed);
    try {
      await takeId(text, push, ofO);
    } catch (error) {
      const { status, message } = /** @type {import("../common/api.js").Refused} */ (error);
      if (status !== 400) throw error;
      const roll = badRoll(text);
      if (!hasAsked()) showNothing();
      byId("id").value = text;
      showFault(roll ? t("position.badRoll", { roll }) : sentence(message), "id");
    }
    return true;
  });
/** The position of the address. */
const tryAddress = () => tryText(query().get("id") ? host.search() : START, false);
byId("ask").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const isNew = byId("id").value.trim() !== xgid();
  if (isNew || takeDice()) tryText(byId("id").value);
});
byId("id").addEventListener("change", () => tryText(byId("id").value));
listenToPaste(byId("id"), tryText);
prepareTools();
byId("roll-out").addEventListener("click", () => attempt(rollOut));
addEventListener("popstate", () => {
  chooseLook();
  tryAddress();
});

fillChoices();
const server = await attempt(() => get("/server"));
const usualPly = server?.ply ?? 3;
setUsualPly(usualPly);
byId("ply").replaceChildren(
  ...[1, 2, 3, 4].map((n) =>
    el("option", { value: n, selected: n === usualPly }, t("common.ply", { n })),
  ),
);
const known = await attempt(() => get("/nets"));
fillLevels(known?.levels ?? []);
const nets = known?.nets ?? ["champion"];
setNets(nets);
await learnTitles(nets);
byId("net").replaceChildren(...netOptions(nets));
byId("net-label").hidden = (known?.nets ?? []).length < 2;
chooseLook();
if (!(await tryAddress())) take(onBoard());
