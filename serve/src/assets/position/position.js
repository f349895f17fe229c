// @ts-check
// A position: by its ID or set up by hand. Whatever changes is answered at once, and the address
// holds it.
import { Refused, get, post, postWhenFree } from "../common/api.js";
import { hasCube } from "../common/cube-words.js";
import { attempt, byId, el, empty, ended, loading, say, sentence } from "../common/dom.js";
import { pageHead } from "../common/header.js";
import { host, query } from "../common/host.js";
import { learnTitles, netName, netOptions } from "../common/net-name.js";
import { t } from "../common/words.js";
import { Board } from "../board/board.js";
import { stepsOf } from "../board/notation.js";
import { START as START_BOARD, flipped, fromPositionId, offOf } from "../board/position.js";
import { turnedAround } from "../analyse/board-view.js";
import { RolloutView } from "../analyse/rollout-view.js";
import { askMatrix, failedPart } from "../analyse/panel.js";
import { deeperNote, scoresPart, scoresTitle } from "../analyse/scores-view.js";
import { whyCubePart, whyPart } from "../analyse/why-view.js";
import { lettersOf } from "../analyse/decisions.js";
import {
  beginAnswers,
  bestOf,
  championPart,
  chancesPart,
  cubePart,
  drawSides,
  factsOf,
  inputsPart,
  listenToPaste,
  openCube,
  prepareTools,
  playsPart,
  rollsPart,
  saidRoll,
  showPlays,
  showRolls,
  whyButton,
  withChampion,
  worthOf,
} from "./answers.js";
import { StrengthsView, fillLevels, levelsAsked } from "./strengths-view.js";
import {
  START,
  afterTake,
  badRoll,
  edited,
  isBeaver,
  isPlayable,
  isWithoutGammons,
  mended,
  pasted,
  readGnuId,
  readXgid,
  rollOf,
  rulesOf,
  writeXgid,
} from "./xgid.js";

/** @typedef {import("./xgid.js").Fields} Fields */

pageHead("/position");

/** What is on the board. @type {Fields} */
let fields = /** @type {Fields} */ (readXgid(START));
/** The chosen play: its arrows and the board after it are shown. @type {any} */
let kept = null;
let question = 0;
const rollouts = new RolloutView(byId("rollout"), byId("stop"));
/** What equities of the position are worth in its match, and the depth and the equity of its answer. */
let [worth, head] = [
  /** @type {any} */ (null),
  /** @type {import("../analyse/scores-view.js").Above & { equity: number }} */ ({
    plies: 0,
    equity: 0,
  }),
];
/** The letters of the plays of the position. */
let letters = lettersOf();
const strengths = new StrengthsView(
  byId("strengths"),
  () => ({ id: xgid(), net: net(), ...decision() }),
  () => letters,
);
const board = new Board(byId("board"), { point: edit });
/** Whether O is on roll in the XGID that was read, and whether X sits below nevertheless. */
let [isO, isTurned] = [false, false];

const xgid = () => writeXgid(fields);
const ply = () => Number(byId("ply").value);
const net = () => byId("net").value || undefined;
/** What is rolled out: the plays of the roll, or the cube. */
const decision = () => (fields.dice ? { dice: fields.dice } : { cube: true });
/** What comes after a play; it stands below the play that was clicked. */
const afterPart = byId("after-part");
const isEditing = () => byId("setup").open;

/**
 * Draws the board; the arrows of the play `look` are shown.
 *
 * @param {{ play: string; after?: string; dice?: string } | null} look
 */
function draw(look = null, after = false) {
  const { cube, owner, dice } = fields;
  const shownDice = look?.dice ?? dice;
  const result = after && look?.after ? flipped(fromPositionId(look.after)) : null;
  // On an empty board no checkers count as borne off.
  const isEmpty = fields.board.every((n) => n === 0);
  const state = {
    board: result ?? fields.board,
    off: isEmpty ? [0, 0] : offOf(result ?? fields.board),
    cube:
      !isEditing() && !hasCube(rulesOf(fields))
        ? null
        : {
            value: 2 ** cube,
            owner: owner > 0 ? "you" : owner < 0 ? "nonet" : null,
            offered: fields.offered ? 2 ** (cube + 1) : null,
            to: "nonet",
          },
    dice: shownDice ? [Number(shownDice[0]), Number(shownDice[1])] : null,
    left: result ? [] : null,
    arrows: look ? [{ steps: stepsOf(look.play), kind: "best" }] : [],
    sources: isEditing() ? Array.from({ length: 25 }, (_, i) => i + 1) : [],
  };
  // Whoever sets up a position sees it as the player on roll does.
  const turned = isO && isTurned && !isEditing();
  board.give(isO && !turned ? "other" : "own", turned);
  board.draw(turned ? turnedAround(state) : state);
  drawSides(
    isO,
    turned,
    isEditing()
      ? null
      : () => {
          isTurned = !isTurned;
          draw(kept, Boolean(kept));
        },
  );
  byId("board").classList.toggle("editing", isEditing());
  byId("facts").textContent = isEmpty ? "" : factsOf(fields, result ?? fields.board);
}

/**
 * Writes the address: the position, and how it is looked at where that is not the usual way.
 *
 * @param {boolean} push
 */
function write(push) {
  const more = new URLSearchParams();
  if (ply() !== usualPly) more.set("ply", `${ply()}`);
  if (byId("net").selectedIndex > 0) more.set("net", byId("net").value);
  if (isO) more.set("side", "O");
  const search = `?id=${encodeURIComponent(xgid()).replaceAll("%3A", ":").replaceAll("%3D", "=")}${more.size ? `&${more}` : ""}`;
  if (host.search() !== search) host.write(`/position${search}`, !push);
}

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
function take(next, push = false, ofO = isO && sameButRoll(next, fields)) {
  [fields, kept, isO, isTurned, reading] = [mended(next), null, ofO, ofO && isTurned, reading + 1];
  byId("beavered").hidden = true;
  draw();
  [byId("id").value, byId("dice").value] = [xgid(), fields.dice];
  showFault("");
  showState();
  write(push);
  later();
}

/** The nets that there are. @type {string[]} */
let nets = ["champion"];
/** The depth that is used unless another one is chosen. */
let usualPly = 3;

/** Takes depth and net from the address. */
function chooseLook() {
  const params = query();
  for (const [name, usual] of [
    ["ply", `${usualPly}`],
    ["net", byId("net").options[0]?.value ?? ""],
  ]) {
    const wanted = params.get(name) ?? usual;
    const isThere = [...byId(name).options].some((option) => option.value === wanted);
    byId(name).value = isThere ? wanted : usual;
    if (name !== "net") continue;
    byId("net-gone").textContent = isThere
      ? ""
      : t("net.gone", { name: wanted, used: netName(usual, nets) });
    byId("net-gone").hidden = isThere;
  }
}

let timer = 0;
/** Asks a moment later, so that somebody who sets up a position is not in the way of themselves. */
function later() {
  clearTimeout(timer);
  timer = setTimeout(() => attempt(ask), 200);
}

/**
 * A look at a play: its arrows; kept, the board after it.
 *
 * @param {any} play
 * @param {boolean} keep
 */
function look(play, keep) {
  if (keep) {
    kept = kept?.play === play.play ? null : play;
    for (const button of byId("plays").querySelectorAll("button.play"))
      button.setAttribute("aria-pressed", `${kept?.play === button.textContent}`);
    afterPart.replaceChildren();
    byId("after-row")?.remove();
    if (kept) showAfter(kept);
  }
  const shown = play ?? kept;
  draw(shown, Boolean(kept) && shown === kept);
}

/**
 * What comes after a play: the 21 rolls of the opponent, who keeps their colour.
 *
 * @param {any} play
 */
function showAfter(play) {
  const after = flipped(fromPositionId(play.after));
  const next = {
    ...fields,
    board: after.map((_, i) => -after[25 - i] || 0),
    owner: -fields.owner || 0,
    points: /** @type {[number, number]} */ ([fields.points[1], fields.points[0]]),
    dice: "",
  };
  afterPart.replaceChildren(loading());
  byId("plays")
    .querySelector("button.play[aria-pressed=true]")
    ?.closest("tr")
    .after(el("tr", { id: "after-row" }, el("td", { colspan: 4 }, afterPart)));
  attempt(async () => {
    const own = question;
    const answer = await post("/rolls", { id: writeXgid(next), ply: 1, net: net() });
    if (own !== question || kept !== play) return;
    const part = rollsPart(
      answer,
      () => {},
      (dice) => take({ ...next, dice }, true, !isO),
    );
    part.querySelector("h2")?.replaceChildren(t("position.answers", { play: play.play }));
    afterPart.replaceChildren(
      part,
      el(
        "p",
        {},
        el("button", { type: "button", onclick: () => take(next, true, !isO) }, t("position.goOn")),
      ),
    );
  });
}

/** Asks everything about the position. */
async function ask() {
  question += 1;
  const own = question;
  const isOn = () => own === question;
  const id = xgid();
  say("");
  rollouts.end();
  afterPart.replaceChildren();
  allowRollout();
  rollouts.show(id);
  worth = null;
  strengths.reset(isPlayable(fields.board));
  if (!isPlayable(fields.board)) {
    for (const part of ["chances", "rolls"]) byId(part).replaceChildren();
    byId("plays").replaceChildren(el("p", { class: "empty" }, t("position.cannot")));
    return;
  }
  if (!byId("plays").firstChild) byId("plays").replaceChildren(loading());
  beginAnswers(fields);
  try {
    const [plain, rolled] = [{ ...fields, dice: "", offered: false }, afterTake(fields)];
    const depth = ply();
    const isDead = isWithoutGammons(fields);
    const showChances = (/** @type {any} */ { outcomes, cubeless }, /** @type {any} */ best) =>
      isOn() &&
      byId("chances").replaceChildren(
        chancesPart(outcomes, isDead ? 2 * outcomes.win - 1 : cubeless, depth, best),
        championPart(net(), id, depth, isDead, fields.dice !== ""),
      );
    // One search for the chances and the cube: another would differ in the last digit.
    const cube = post("/cube", { id: fields.dice ? writeXgid(plain) : id, ply: depth, net: net() });
    const hint = fields.dice ? post("/hint", { id, ply: depth, plays: 10, net: net() }) : null;
    const chances = Promise.all([cube, hint]).then(([answer, found]) =>
      showChances(answer, bestOf(found)),
    );
    // Whatever fails first is told below.
    chances.catch(() => {});
    const ofPlays = lettersOf((await hint)?.plays.map((/** @type {any} */ { play }) => play));
    const main = fields.dice
      ? withChampion(playsPart(await hint, look, id), net(), id, depth)
      : cubePart(await cube, { offered: fields.offered ? 2 ** (fields.cube + 1) : null, isDead });
    if (!isOn()) return;
    letters = ofPlays;
    const [answer, best] = [await cube, (await hint)?.plays[0]];
    if (!isOn()) return;
    worth = worthOf(answer);
    head = best ?? { plies: answer.plies, equity: answer.no_double, cube: answer.words };
    rollouts.show(id, worth, false);
    showPlays(main);
    if (
      fields.dice === ""
        ? (await cube).action !== "not-available"
        : main.querySelectorAll("button.play").length > 1
    )
      byId("plays").append(whyButton(why, isOn));
    await showRolls(
      byId("rolls"),
      { id: writeXgid(rolled), net: net() },
      {
        isOn,
        taken: fields.offered ? 2 ** rolled.cube : null,
        deepest: depth,
        dice: fields.dice,
        look: (roll) => {
          draw(roll ?? kept, !roll && Boolean(kept));
          saidRoll(roll);
        },
        roll: (dice) => take({ ...rolled, dice: dice === fields.dice ? "" : dice }, true),
      },
    );
    if (!isOn()) return;
    await chances;
    await Promise.all([
      byId("inputs-part").open && showInputs(),
      byId("scores-part").open && showScores(),
    ]);
  } catch (error) {
    if (!isOn()) return;
    for (const part of ["chances", "plays", "rolls"]) byId(part).replaceChildren();
    const { status, message } = /** @type {import("../common/api.js").Refused} */ (error);
    byId("plays").replaceChildren(
      status === 400
        ? el("p", { class: "empty" }, t("position.cannot"))
        : failedPart(error, () => attempt(ask)),
    );
    if (status !== 400) throw error;
    showFault(sentence(message), "id");
  } finally {
    if (isOn()) byId("answers").removeAttribute("aria-busy");
  }
}

/** Why the best play is better than the one that is kept, or than the second; or the cube. */
async function why() {
  const asked = { id: xgid(), ply: Math.min(ply(), 3), net: net() };
  // The best play of the table may be of a deeper search.
  const better = kept && kept.play !== head.play ? head.play : undefined;
  return fields.dice
    ? whyPart(await postWhenFree("/why", { ...asked, better, instead: kept?.play }), head.play)
    : whyCubePart(await postWhenFree("/why/cube", asked));
}

/** @type {AbortController | null} */
let scoring = null;
/** The decision at all scores, with the play that is kept. */
async function showScores() {
  const place = byId("scores");
  scoring?.abort();
  scoring = new AbortController();
  place.replaceChildren();
  if (!isPlayable(fields.board)) return;
  place.replaceChildren(loading(t("scores.working")));
  const own = question;
  try {
    const matrix = await askMatrix(
      { id: xgid(), ...(kept ? { play: kept.play } : {}), net: net() },
      head.play,
      ply(),
      scoring.signal,
      (words) => {
        if (own === question) place.replaceChildren(loading(words));
      },
    );
    if (own !== question) return;
    byId("scores-part")
      .querySelector("summary")
      .replaceChildren(...scoresTitle(matrix.plies));
    place.replaceChildren(
      deeperNote(matrix, head) ?? "",
      scoresPart(matrix, (play) => draw(play ?? kept, !play && Boolean(kept)), letters),
    );
  } catch (error) {
    if (own !== question) return;
    place.replaceChildren(failedPart(error, () => attempt(showScores)));
  }
}

async function showInputs() {
  const own = question;
  const answer = await post("/inputs", { id: xgid(), net: net() });
  if (own === question) byId("inputs").replaceChildren(inputsPart(answer));
}

/**
 * Puts a checker on a point, or takes it off.
 *
 * @param {number} point
 */
function edit(point) {
  if (!isEditing() || point === 0) return;
  const what = byId("edit-take").checked ? "take" : byId("theirs").checked ? "other" : "own";
  const next = edited(fields.board, point, what);
  if (next) take({ ...fields, board: next });
  else say(t("position.fifteen"), "error");
}

/** Shows the score and the cube. */
function showState() {
  const rules =
    fields.length === 0 ? ["money0", "money1", "money2", "money3"] : ["match0", "match1"];
  byId("rules").replaceChildren(
    ...rules.map((name, value) => el("option", { value }, t(`position.rules.${name}`))),
  );
  const values = {
    length: fields.length,
    "own-score": fields.points[0],
    "other-score": fields.points[1],
    cube: fields.cube,
    owner: fields.owner,
    rules: fields.rules,
  };
  for (const [id, value] of Object.entries(values)) byId(id).value = `${value}`;
  byId("owner").disabled = fields.cube === 0;
  for (const id of ["own-score", "other-score"]) byId(id).disabled = fields.length === 0;
}

byId("state").addEventListener("change", (/** @type {any} */ event) => {
  const { id, value } = event.target;
  const number = Number(value) || 0;
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
byId("setup").addEventListener("toggle", () => draw(kept, Boolean(kept)));
byId("board").addEventListener("click", openCube);
byId("clear").addEventListener("click", () =>
  take({ ...fields, board: new Array(26).fill(0), dice: "" }),
);
byId("start").addEventListener("click", () =>
  take({ ...fields, board: [...START_BOARD], dice: "" }),
);
byId("turn").addEventListener("click", () =>
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
  ),
);
/**
 * Says what is wrong with a field as it was typed.
 *
 * @param {string} text
 * @param {"dice" | "id"} field
 */
function showFault(text, field = "dice") {
  byId("fault").textContent =
    text && field === "id" && question ? `${ended(text)} ${t("position.stillBefore")}` : text;
  byId("fault").hidden = !text;
  allowRollout();
  for (const one of ["dice", "id"])
    byId(one).setAttribute("aria-invalid", `${Boolean(text) && one === field}`);
}

/** Nothing is rolled out while no legal position is asked about. */
function allowRollout() {
  byId("roll-out").disabled = !isPlayable(fields.board) || !byId("fault").hidden;
}

/**
 * Reads the roll. A wrong one stays as it was typed.
 *
 * @returns {boolean} Whether it is right
 */
function takeDice() {
  const text = byId("dice").value.trim();
  const dice = rollOf(text);
  if (dice === null) showFault(t("position.badDice", { text }));
  else if (dice !== fields.dice) take({ ...fields, dice, offered: false }, true);
  else showFault("");
  return dice !== null;
}
byId("dice").addEventListener("change", takeDice);
for (const name of ["ply", "net"])
  byId(name).addEventListener("change", () => {
    byId("net-gone").hidden = true;
    write(false);
    later();
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
  fields = { ...fields, board: new Array(26).fill(0), dice: "" };
  draw();
  showState();
  byId("plays").replaceChildren(empty(t("position.unread")));
}

/** Counts the IDs that were read: the last one holds. */
let reading = 0;

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
      if (question === 0) showNothing();
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
byId("roll-out").addEventListener("click", () =>
  attempt(async () => {
    await rollouts.begin(
      xgid(),
      { id: xgid(), games: 5184, net: net(), ...decision(), ...levelsAsked() },
      worth,
      false,
    );
  }),
);
addEventListener("popstate", () => {
  chooseLook();
  tryAddress();
});

byId("length").replaceChildren(
  el("option", { value: "0" }, t("analyse.money")),
  ...Array.from({ length: 25 }, (_, i) =>
    el("option", { value: i + 1 }, t("position.points", { n: i + 1 })),
  ),
);
byId("cube").replaceChildren(
  ...Array.from({ length: 7 }, (_, i) => el("option", { value: i }, `${2 ** i}`)),
);
const server = await attempt(() => get("/server"));
usualPly = server?.ply ?? 3;
byId("ply").replaceChildren(
  ...[1, 2, 3, 4].map((n) =>
    el("option", { value: n, selected: n === usualPly }, t("common.ply", { n })),
  ),
);
const known = await attempt(() => get("/nets"));
fillLevels(known?.levels ?? []);
await learnTitles((nets = known?.nets ?? nets));
byId("net").replaceChildren(...netOptions(nets));
byId("net-label").hidden = (known?.nets ?? []).length < 2;
chooseLook();
if (!(await tryAddress())) take(fields);
