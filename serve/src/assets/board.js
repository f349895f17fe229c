// The board page: a match against a net. The server holds the match and saves it after every decision; this page shows it.
import { get, post, download } from "./api.js";
import { attempt, byId, cubeTable, el, pageHead, percent, playsTable, say, signed, table } from "./common.js";
import { Board, boardInWords, offOf } from "./board-svg.js";
import { Roll } from "./moves.js";

pageHead("/");
const CONFIRM = "nonet-confirm";
const SHOW_BAR = "nonet-bar";
const SLOW = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 450;

let view = null; // The match as the server shows it.
let roll = null; // What is left of the person's roll.
let selected = null;
let busy = false;
let board = null;

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// ---- Beginning

/** When a match began: its name is that time on the server. */
function begun(id) {
  const [, year, month, day, hour, minute] = id.match(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)/) ?? [];
  return year ? `${year}-${month}-${day} ${hour}:${minute}` : id;
}

async function showSetup() {
  byId("game").hidden = true;
  byId("setup").hidden = false;
  document.title = "nonet: board";
  history.replaceState(null, "", "/");
  const known = await attempt(() => get("/nets"));
  if (known) {
    byId("nets").replaceChildren(...known.nets.map((name) => el("option", { value: name }, name)));
    byId("levels").replaceChildren(...known.levels.map(({ name, pr }) =>
      el("option", { value: name, selected: name === "champion" }, pr ? `${name} (PR about ${Math.round(pr)})` : name)));
  }
  const matches = (await attempt(() => get("/matches"))) ?? [];
  const rows = matches.map((row) => [
    el("a", { href: `/?match=${row.id}` }, row.over ? "Look at" : "Go on"),
    row.length ? `to ${row.length}` : "money", `${row.names[0]} ${row.score[0]}, nonet ${row.score[1]}`, row.level,
    row.over ? "over" : "open", begun(row.id),
  ]);
  byId("matches").replaceChildren(rows.length ? table("Matches of this server", ["", "match", "score", "level", "", "begun"], rows) : "None yet.");
}

byId("new").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  const text = (name) => form.get(name)?.trim() || undefined;
  const asked = {
    length: Number(form.get("length")), level: text("level"), net: text("net"), ply: Number(form.get("ply")),
    name: text("name"), position: text("position"),
  };
  if (text("seed")) asked.seed = Number(text("seed"));
  if (asked.length === 0) Object.assign(asked, { jacoby: form.has("jacoby"), beavers: form.has("beavers") });
  attempt(async () => {
    const begun = await post("/matches", asked);
    history.replaceState(null, "", `/?match=${begun.id}`);
    say("");
    open();
    await show(begun);
  });
});
byId("new").querySelector("[name=length]").addEventListener("change", (event) => {
  byId("money").hidden = event.target.value !== "0";
});

function open() {
  byId("setup").hidden = true;
  byId("game").hidden = false;
  if (!board) board = new Board(byId("board"), { point: pick, drag: take, cancel: letGo });
}

// ---- Showing the match

/** Shows what happened since the last decision, and then the decision. */
async function show(next) {
  const events = next.events;
  roll = null;
  selected = null;
  busy = true;
  byId("actions").replaceChildren();
  byId("hint").replaceChildren();
  const log = byId("log");
  for (const event of events) {
    log.prepend(el("li", { class: event.player }, event.words));
    if (event.player === "nonet" || event.what !== "plays" || events[0] !== event) {
      board.draw({
        board: event.board, off: offOf(event.board), cube: next.rules.length === 1 ? null : { ...next.cube, offered: null },
        dice: event.player === "you" ? event.dice : null, theirDice: event.player === "nonet" ? event.dice : null,
        arrows: event.steps, arrowsOwn: event.player === "you",
      });
      if (event.what === "plays" && event !== events.at(-1)) await wait(SLOW);
    }
  }
  view = next;
  busy = false;
  if (view.dice) roll = new Roll(view.board, view.dice, view.plays);
  const words = events.map(({ words: said }) => (said.endsWith(".") ? said : `${said}.`));
  words.push(question());
  say(words.join(" "));
  render();
  if (view.turn === "over") await showEnd();
  else byId("result").hidden = true;
}

function question() {
  switch (view.turn) {
    case "roll": return "Roll or double?";
    case "play": return `You roll ${view.dice.join("")}. Your play?`;
    case "answer": return `The cube is offered at ${view.cube.offered}. Take or pass?`;
    case "next-game": return "The next game?";
    default: return "";
  }
}

function theirLast() {
  const last = [...view.events].reverse().find((event) => event.player === "nonet" && event.what === "plays");
  return last ?? null;
}

function render() {
  if (!view) return;
  const now = roll ? roll.board : view.board;
  const last = !roll || roll.made.length === 0 ? theirLast() : null;
  const choosing = view.turn === "play" && roll && !busy;
  board.draw({
    board: now, off: roll ? offOf(now) : view.off, cube: view.rules.length === 1 ? null : view.cube, dice: view.dice, left: roll?.dice,
    theirDice: view.turn === "play" ? null : theirLast()?.dice, arrows: last && view.turn !== "over" ? last.steps : [], arrowsOwn: false,
    sources: choosing ? roll.sources() : [], selected, targets: choosing && selected !== null ? [...roll.targets(selected).keys()] : [],
  });
  renderPlayers();
  renderBar();
  renderActions();
  byId("typed").hidden = view.turn !== "play";
  byId("plays").replaceChildren(...view.plays.map((play) => el("option", { value: play.play })));
  byId("resign").disabled = !["roll", "play"].includes(view.turn);
}

function renderPlayers() {
  const { names, score, pips, rules, game, cube } = view;
  const away = (points) => (rules.length ? `${points} of ${rules.length}` : `${points} points`);
  const cubeOf = (who) => (cube.owner === who ? `, cube at ${cube.value}` : "");
  const one = (kind, name, i) => el("div", { class: `player ${kind}` },
    el("span", { class: "dot", "aria-hidden": "true" }), el("b", {}, name), el("span", {}, away(score[i])),
    el("span", { class: "small" }, `${pips[i]} pips${cubeOf(kind)}`));
  const rule = rules.length ? `match to ${rules.length}${rules.crawford ? ", Crawford game" : ""}` : ["money", rules.jacoby && "Jacoby", rules.beavers && "beavers"].filter(Boolean).join(", ");
  byId("players").replaceChildren(
    one("you", names[0], 0), one("nonet", `nonet, ${view.level}`, 1),
    el("div", { class: "small rule" }, `Game ${game}, ${rule}; ${view.plies}-ply`));
  byId("game-title").textContent = `Match: ${names[0]} ${score[0]}, nonet ${score[1]}`;
  document.title = `${names[0]} ${score[0]}, nonet ${score[1]}: nonet`;
}

function renderBar() {
  const bar = byId("bar");
  const ended = view.events.find((event) => event.what === "wins-game" || event.what === "wins-match");
  const value = view.evaluation ?? (ended ? { win: ended.player === "you" ? 1 : 0, equity: ended.player === "you" ? 1 : -1 } : null);
  bar.hidden = !byId("show-bar").checked;
  byId("bar-fill").setAttribute("data-win", value ? Math.round(100 * value.win) : 50);
  byId("bar-fill").style.setProperty("--win", value ? `${100 * value.win}%` : "50%");
  byId("bar-text").textContent = value ? percent(value.win, 0) : "";
  bar.setAttribute("aria-label", value ? `You win ${percent(value.win)} of such games, equity ${signed(value.equity)}` : "No evaluation");
}

function button(text, action, kind = "", key = null) {
  return el("button", { type: "button", class: kind, onclick: action, "aria-keyshortcuts": key, disabled: busy }, text);
}

function renderActions() {
  const buttons = [];
  const undo = () => buttons.push(button("Take back", () => act({ action: "undo" }), "", "u"));
  switch (view.turn) {
    case "roll":
      buttons.push(button("Roll", () => act({ action: "roll" }), "main", "r"));
      if (view.may_double) buttons.push(button(view.cube.value > 1 ? "Redouble" : "Double", () => act({ action: "double" }), "", "d"));
      buttons.push(button("Hint", hint, "", "h"));
      if (view.may_undo) undo();
      break;
    case "play": {
      const complete = roll.play();
      buttons.push(button("Confirm", confirm, "main", "c"));
      buttons[0].disabled = !complete;
      if (roll.made.length) buttons.push(button("Undo move", () => { roll.takeBack(); selected = null; render(); }, "", "u"));
      else if (view.may_undo) undo();
      buttons.push(button("Hint", hint, "", "h"));
      break;
    }
    case "answer":
      buttons.push(button("Take", () => act({ action: "take" }), "main", "t"), button("Pass", () => act({ action: "pass" }), "", "p"));
      if (view.may_beaver) buttons.push(button("Beaver", () => act({ action: "beaver" }), "", "v"));
      buttons.push(button("Hint", hint, "", "h"));
      if (view.may_undo) undo();
      break;
    case "next-game":
      buttons.push(button("Next game", () => act({ action: "next-game" }), "main", "n"));
      if (view.may_undo) undo();
      break;
    default:
      break;
  }
  const had = byId("actions").contains(document.activeElement);
  byId("actions").replaceChildren(...buttons);
  if (had) buttons[0]?.focus();
}

// ---- Deciding

async function act(action) {
  if (busy) return;
  busy = true;
  for (const one of byId("actions").querySelectorAll("button")) one.disabled = true;
  try {
    await show(await post(`/matches/${view.id}/actions`, { ...action, revision: view.revision }));
  } catch (error) {
    busy = false;
    say(error.message.charAt(0).toUpperCase() + error.message.slice(1), "error");
    if (error.status === 409) await load(view.id);
    else render();
  }
}

function confirm() {
  const play = roll?.play();
  if (play) act({ action: "play", play: play.play });
}

/** A click, a key or a drop on a point. */
function pick(point) {
  if (!view || busy || view.turn !== "play") return;
  if (selected !== null) {
    const path = roll.targets(selected).get(point);
    if (path) return move(path);
  }
  if (selected === point) return letGo();
  if (!roll.sources().includes(point)) {
    letGo();
    return undefined;
  }
  const targets = roll.targets(point);
  if (targets.size === 1) return move([...targets.values()][0]);
  selected = point;
  say(`Point ${point}: to ${[...targets.keys()].map((to) => (to === 0 ? "off" : to)).join(", ")}.`);
  return render();
}

/** A drag begins. */
function take(point) {
  if (!view || busy || view.turn !== "play" || !roll.sources().includes(point)) return false;
  selected = point;
  render();
  return true;
}

function letGo() {
  selected = null;
  render();
}

function move(path) {
  roll.make(path);
  selected = null;
  const complete = roll.play();
  const moved = path.map(({ from, to }) => `${from === 25 ? "bar" : from} to ${to === 0 ? "off" : to}`).join(", ");
  say(`${moved}.${complete ? " Confirm?" : ""}`);
  render();
  if (complete && !byId("confirm").checked) confirm();
}

async function hint() {
  await attempt(async () => {
    const answer = await get(`/matches/${view.id}/hint`);
    const place = byId("hint");
    if (answer.plays) place.replaceChildren(playsTable(answer.plays, (play) => act({ action: "play", play: play.play === "(no legal play)" ? "" : play.play })));
    else if (answer.cube) place.replaceChildren(cubeTable(answer.cube));
  });
}

async function showEnd() {
  const place = byId("result");
  place.hidden = false;
  const won = view.winner === "you";
  const analyse = async () => {
    const row = await attempt(() => post(`/matches/${view.id}/analysis`));
    if (row) location.href = `/analyse?id=${row.id}`;
  };
  place.replaceChildren(el("div", { class: "card" },
    el("h2", {}, won ? "You win the match." : "nonet wins the match."),
    el("div", { id: "review" }, "The match is being analysed…"),
    el("p", {}, el("button", { type: "button", class: "main", onclick: analyse }, "Analyse every decision"), " ",
      el("button", { type: "button", onclick: showSetup }, "Another match"))));
  const review = await attempt(() => get(`/matches/${view.id}/review`));
  if (!review || !byId("review")) return;
  const rows = review.players.map((one) => [
    one.name, one.pr === null ? "none" : one.pr.toFixed(1), one.rating ?? "", `${one.decisions}`, ...one.mistakes.map(String), signed(one.luck),
  ]);
  byId("review").replaceChildren(
    table(`Errors and luck, judged at ${review.plies}-ply`, ["", "PR", "", "decisions", "?!", "?", "??", "luck"], rows));
}

// ---- Tools and keys

byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("play").value.trim();
  if (!text) return;
  byId("play").value = "";
  act({ action: "play", play: text });
});
byId("read").addEventListener("click", () => say(`${boardInWords(view)} ${question()}`));
byId("copy").addEventListener("click", () => attempt(async () => {
  await navigator.clipboard.writeText(view.xgid);
  say(`Copied ${view.xgid}`);
}));
byId("save").addEventListener("click", () => attempt(() => download(`/matches/${view.id}/record`, `${view.id}.mat`)));
byId("leave").addEventListener("click", showSetup);
byId("resign").addEventListener("click", () => byId("resigning").showModal());
byId("resigning").addEventListener("close", () => {
  const stake = byId("resigning").returnValue;
  byId("resigning").returnValue = "";
  if (stake) act({ action: "resign", stake });
});
for (const [id, name] of [["confirm", CONFIRM], ["show-bar", SHOW_BAR]]) {
  byId(id).checked = localStorage.getItem(name) !== "no";
  byId(id).addEventListener("change", () => {
    localStorage.setItem(name, byId(id).checked ? "yes" : "no");
    render();
  });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !view || byId("game").hidden || byId("resigning").open) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const key = event.key.toLowerCase();
  if (key === "enter" && !event.target.closest?.("button, a, summary, [data-point]")) {
    event.preventDefault();
    byId("actions").querySelector(".main:not(:disabled)")?.click();
  } else if (key === "b") byId("read").click();
  else if (key === "w" && !byId("typed").hidden) {
    event.preventDefault();
    byId("play").focus();
  } else byId("actions").querySelector(`[aria-keyshortcuts="${CSS.escape(key)}"]:not(:disabled)`)?.click();
});

async function load(id) {
  const found = await attempt(() => get(`/matches/${encodeURIComponent(id)}`));
  if (!found) return showSetup();
  open();
  return show(found);
}

const wanted = new URLSearchParams(location.search).get("match");
if (wanted) load(wanted);
else showSetup();
