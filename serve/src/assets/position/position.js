// A position: by its ID or set up by hand; plays, cube, the 21 rolls, rollouts.
import { get, post } from "../common/api.js";
import { attempt, byId, el, say } from "../common/dom.js";
import { signed } from "../common/format.js";
import { pageHead } from "../common/header.js";
import { liveRollout } from "../common/rollout.js";
import { chances, cubeTable, playsTable, table } from "../common/tables.js";
import { Board } from "../board/board.js";
import { flipped, fromPositionId, offOf } from "../board/position.js";

pageHead("/position");
const START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
let position = fromPositionId("4HPwATDgc/ABMA");
const live = liveRollout(byId("answers"), byId("stop"));
const board = new Board(byId("board"), { point: edit });

const question = () => ({ id: byId("id").value.trim(), ...(byId("dice").value.trim() ? { dice: byId("dice").value.trim() } : {}) });
const net = () => byId("net").value || undefined;
const ply = () => Number(byId("ply").value);

/** The board of the letters in an XGID: its player on roll is upper case. */
function ofLetters(letters) {
  return [...letters].map((letter) => {
    if (letter === "-") return 0;
    const own = letter < "a";
    const n = letter.toLowerCase().charCodeAt(0) - 96;
    return own ? n : -n;
  });
}

/** Draws what the server makes of the ID; a rollout of the position before ends. */
async function draw() {
  live.end();
  const { id } = question();
  const evaluated = await attempt(() => post("/evaluate", { ids: [id], ply: 1, net: net() }));
  if (!evaluated) return false;
  position = fromPositionId(evaluated[0].id);
  show(evaluated[0]);
  return true;
}

function show(evaluation) {
  const parts = byId("id").value.startsWith("XGID=") ? fields() : null;
  const dice = byId("dice").value.trim() || (parts?.[4] ?? "");
  const cube = parts && { value: 2 ** Number(parts[1]), owner: { 1: "you", "-1": "nonet" }[parts[2]] ?? null, offered: null };
  board.draw({ board: position, off: offOf(position), cube, dice: /^[1-6]{2}$/.test(dice) ? [Number(dice[0]), Number(dice[1])] : null });
  if (!evaluation) return;
  const { outcomes } = evaluation;
  byId("facts").textContent = `Position ID ${evaluation.id}. Evaluated by the specialist for ${evaluation.class} (net ${evaluation.net}): equity ${signed(evaluation.equity)} at 1-ply; win ${chances(outcomes)[0]} %, gammons ${chances(outcomes)[1]} %; lose gammons ${chances(outcomes)[4]} %.${parts && Number(parts[8]) > 0 ? ` Match to ${parts[8]}, ${parts[5]} to ${parts[6]}${parts[7] === "1" ? ", Crawford game" : ""}.` : ""}`;
}

/** Puts a checker on a point, or takes it off. */
function edit(point) {
  if (!byId("setup").open || point === 0) return;
  const theirs = byId("theirs").checked;
  const at = theirs && point === 25 ? 0 : point;
  const next = position.slice();
  const sign = theirs ? -1 : 1;
  if (byId("take").checked) next[at] -= Math.sign(next[at]);
  else if (next[at] * sign < 0) next[at] = sign;
  else next[at] += sign;
  const total = next.reduce((sum, n) => sum + (n * sign > 0 ? n * sign : 0), 0);
  if (total > 15) {
    say("Each side has at most 15 checkers.", "error");
    return;
  }
  position = next;
  toId();
}

/** Writes the board as XGID; score and cube stay. */
function toId() {
  const letter = (n) => (n === 0 ? "-" : String.fromCharCode((n > 0 ? 64 : 96) + Math.abs(n)));
  const parts = fields();
  parts[0] = position.map(letter).join("");
  byId("id").value = `XGID=${parts.join(":")}`;
  say("");
  show(null);
}

byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    say("");
    if (!(await draw())) return;
    const asked = question();
    const rolled = asked.dice || /^XGID=[^:]*:[^:]*:[^:]*:[^:]*:[1-6]{2}/.test(asked.id);
    const answers = [];
    if (rolled) answers.push(playsTable(await post("/hint", { ...asked, ply: ply(), plays: 10, net: net() })));
    else answers.push(cubeTable(await post("/cube", { id: asked.id, ply: ply(), net: net() })));
    byId("answers").replaceChildren(...answers);
  });
});

byId("rolls").addEventListener("click", () => attempt(async () => {
  if (!(await draw())) return;
  const answer = await post("/rolls", { id: question().id, ply: Math.min(ply(), 3), net: net() });
  const rows = answer.rolls.map((roll) => [roll.dice, roll.play, signed(roll.equity), signed(roll.luck), `${roll.throws} of 36`]);
  byId("answers").replaceChildren(table(`The 21 rolls at ${answer.plies}-ply; mean ${signed(answer.equity)}`, ["roll", "best play", "equity", "luck", "throws"], rows));
}));

byId("inputs").addEventListener("click", () => attempt(async () => {
  if (!(await draw())) return;
  const answer = await post("/inputs", { id: question().id, net: net() });
  const rows = answer.inputs.map((input) => [input.name, `${+input.value.toPrecision(4)}`, signed(input.effect), input.unit, input.reason]);
  byId("answers").replaceChildren(
    table(`What the net ${answer.net} sees, by importance`, ["input", "value", "effect (points)", "unit", "why it is an input"], rows),
    el("p", { class: "small" }, `Class ${answer.class}: ${answer.meaning}. The effect is the equity of the net less its equity with this input at 0 and all others as they are; inputs that say the same share it.`));
}));

byId("roll-out").addEventListener("click", () => attempt(async () => {
  if (!(await draw())) return;
  await live.begin({ ...question(), games: 5184, net: net() });
}));
// ---- The score and the cube, which are fields of the XGID (its description is in gnubg's manual).

const RULES = { match: [["0", "match"], ["1", "Crawford game"]], money: [["0", "money"], ["1", "Jacoby"], ["2", "beavers"], ["3", "Jacoby and beavers"]] };

/** The fields of the XGID, seen by the player on roll. */
function fields() {
  const parts = (byId("id").value.startsWith("XGID=") ? byId("id").value : START).replace("XGID=", "").split(":");
  if (parts[3] !== "-1") return parts;
  const other = (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase());
  parts[0] = [...parts[0]].reverse().map(other).join("");
  [parts[5], parts[6]] = [parts[6], parts[5]];
  parts[2] = `${-Number(parts[2]) || 0}`;
  parts[3] = "1";
  return parts;
}

byId("length").replaceChildren(el("option", { value: "0" }, "money"), ...Array.from({ length: 25 }, (_, i) => el("option", { value: `${i + 1}` }, `${i + 1} points`)));
byId("cube").replaceChildren(...Array.from({ length: 7 }, (_, i) => el("option", { value: `${i}` }, `${2 ** i}`)));

/** Shows the score and the cube of the XGID. */
function showState() {
  const parts = fields();
  const rules = parts[8] === "0" ? RULES.money : RULES.match;
  byId("rules").replaceChildren(...rules.map(([value, name]) => el("option", { value }, name)));
  for (const [id, part] of [["length", 8], ["own-score", 5], ["other-score", 6], ["cube", 1], ["owner", 2], ["rules", 7]]) byId(id).value = parts[part];
  byId("owner").disabled = parts[1] === "0";
}

byId("state").addEventListener("change", (event) => {
  const parts = fields();
  const { id, value } = event.target;
  parts[{ length: 8, "own-score": 5, "other-score": 6, cube: 1, owner: 2, rules: 7 }[id]] = value.trim() || "0";
  if (id === "length") parts[7] = "0";
  // Nobody has won yet, and a cube at 1 is in the middle.
  for (const part of [5, 6]) parts[part] = `${Math.max(0, Math.min(Number(parts[part]) || 0, Number(parts[8]) - 1))}`;
  if (parts[1] === "0") parts[2] = "0";
  byId("id").value = `XGID=${parts.join(":")}`;
  showState();
  draw();
});
byId("setup").addEventListener("toggle", showState);

byId("clear").addEventListener("click", () => {
  position = new Array(26).fill(0);
  toId();
});
byId("start").addEventListener("click", () => {
  position = fromPositionId("4HPwATDgc/ABMA");
  toId();
});
byId("turn").addEventListener("click", () => {
  position = flipped(position);
  toId();
});
byId("id").addEventListener("change", () => {
  const [letters] = fields();
  if (byId("id").value.startsWith("XGID=") && letters.length === 26) position = ofLetters(letters);
  showState();
  draw();
});
byId("dice").addEventListener("change", () => show(null));

const known = await attempt(() => get("/nets"));
byId("net").replaceChildren(...(known?.nets ?? ["built-in"]).map((name) => el("option", { value: name }, name)));
const wanted = new URLSearchParams(location.search).get("id");
if (wanted) byId("id").value = wanted;
if ((await draw()) && wanted) byId("ask").requestSubmit();
