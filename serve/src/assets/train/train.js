// The training room: runs are started, stopped, resumed, extended and compared; the curves are those of their folders.
import { download, get, post } from "../common/api.js";
import { attempt, byId, el, say } from "../common/dom.js";
import { signed } from "../common/format.js";
import { pageHead } from "../common/header.js";
import { table } from "../common/tables.js";
import { drawBoard } from "../board/board.js";
import { fromPositionId, offOf } from "../board/position.js";
import { lineChart } from "../common/chart.js";
import { short } from "../common/scale.js";

pageHead("/train");
const compared = new Set();
let chosen = new URLSearchParams(location.search).get("run");
let drawn = "";

const half = (stderr) => 1.96 * stderr;

async function showRuns() {
  const runs = (await attempt(() => get("/runs"))) ?? [];
  const rows = runs.map((run) => [
    el("button", { type: "button", class: "link", onclick: () => choose(run.name) }, run.name),
    run.state, `${run.games} of ${run.total}`, run.ppg === null ? "" : `${signed(run.ppg)} ± ${half(run.stderr).toFixed(3)}`,
    el("label", { class: "check" }, el("input", {
      type: "checkbox", checked: compared.has(run.name), "aria-label": `Compare ${run.name}`,
      onchange: (event) => {
        if (event.target.checked) compared.add(run.name);
        else compared.delete(run.name);
        drawn = "";
        showRun();
      },
    })),
  ]);
  const text = JSON.stringify(runs);
  if (text === byId("runs").dataset.text) return runs;
  byId("runs").dataset.text = text;
  byId("runs").replaceChildren(rows.length ? table("Runs", ["name", "state", "games", "points a game", "compare"], rows) : "No run yet.");
  if (!chosen && runs.length) chosen = runs[0].name;
  return runs;
}

async function choose(name) {
  if (chosen !== name && game) {
    pause();
    game = null;
    byId("watching").hidden = true;
  }
  chosen = name;
  drawn = "";
  history.replaceState(null, "", `/train?run=${encodeURIComponent(name)}`);
  await showRun();
  byId("run").scrollIntoView({ block: "nearest" });
}

function controls(run) {
  const command = (path, body) => attempt(async () => {
    await post(`/runs/${run.name}/${path}`, body);
    drawn = "";
    await refresh();
  });
  const parts = [el("b", {}, run.state), `${run.games} of ${run.total} games`];
  if (run.state === "running") parts.push(el("button", { type: "button", onclick: () => command("stop") }, "Stop"));
  if (["stopped", "failed"].includes(run.state)) parts.push(el("button", { type: "button", class: "main", onclick: () => command("resume", {}) }, "Resume"));
  if (["finished", "stopped"].includes(run.state)) {
    const more = el("input", { inputmode: "numeric", size: 8, value: 2 * run.total, "aria-label": "Games of the longer run" });
    parts.push(more, el("button", { type: "button", onclick: () => command("resume", { games: Number(more.value) }) }, "Extend to so many games"));
  }
  parts.push(el("button", { type: "button", onclick: () => attempt(() => download(`/runs/${run.name}/report`, `${run.name}.html`)) }, "Report"));
  return parts;
}

async function showRun() {
  if (!chosen) return;
  const answer = await attempt(() => get(`/runs/${encodeURIComponent(chosen)}`));
  if (!answer) {
    chosen = null;
    return;
  }
  const others = [];
  for (const name of compared) if (name !== chosen) others.push(await attempt(() => get(`/runs/${encodeURIComponent(name)}`)));
  const text = JSON.stringify([answer, others]);
  if (text === drawn) return;
  drawn = text;
  const { run, history: tests, classes } = answer;
  byId("run").hidden = false;
  byId("run-title").textContent = `Run ${run.name}`;
  byId("run").dataset.state = run.state;
  // Only what has changed: somebody may be typing there.
  if (byId("controls").dataset.text !== JSON.stringify(run)) {
    byId("controls").dataset.text = JSON.stringify(run);
    byId("controls").replaceChildren(...controls(run));
  }
  byId("command").textContent = [run.command, run.state === "failed" || run.state === "running" ? run.messages.at(-1) : ""].filter(Boolean).join(" · ");
  const halved = (one, ppg, stderr) => one.history.filter((test) => test[ppg] !== null).map((test) => [test.games, test[ppg], half(test[stderr])]);
  const curves = (one) => [
    { name: one.run.name, points: halved(one, "ppg", "stderr"), dots: one.history.length < 25 },
    { name: `${one.run.name}, moving average of the weights`, points: halved(one, "average_ppg", "average_stderr"), dots: one.history.length < 25 },
  ].filter((curve) => curve.points.length);
  const x = "games learned from";
  const wide = chartWidth();
  const known = [answer, ...others.filter(Boolean)];
  const charts = [lineChart({ title: "Equity against the opponent of the tests, with 95 % intervals", x, y: "equity (points a game)", series: known.flatMap(curves), logX: true, level: 0, wide })];
  const byClass = (of) => classes.map((name, i) => ({ name, colour: i, points: tests.map((test) => [test.games, of(test, i)]).filter(([, value]) => value !== null && Number.isFinite(value)) })).filter((one) => one.points.length);
  const sum = (test) => test.examples.reduce((a, b) => a + b, 0) || 1;
  charts.push(lineChart({ title: "Positions by class", x, y: "share of the positions (%)", series: byClass((test, i) => (100 * test.examples[i]) / sum(test)), zero: true, logX: true, wide }));
  charts.push(lineChart({ title: "Temporal differences by class", x, y: "TD error (points a game)", series: byClass((test, i) => test.td_error[i]), logX: true, logY: true, wide }));
  byId("charts").replaceChildren(...charts);
  if (known.length > 1) byId("charts").append(comparison(known));
  showOpenings(answer);
  if (run.state === "finished") say(`The run ${run.name} is finished.`);
}

/** The room of a chart: a column of the grid. */
function chartWidth() {
  const room = byId("charts").clientWidth || 720;
  return room >= 944 ? Math.floor((room - 24) / 2) : room;
}

/** Runs beside each other: their commands and their last tests. */
function comparison(runs) {
  const rows = runs.map(({ run, history: tests }) => {
    const last = tests.at(-1);
    const value = (ppg, stderr) => (ppg === null || ppg === undefined ? "" : `${signed(ppg)} ± ${half(stderr).toFixed(3)}`);
    return [run.name, `${run.games} of ${run.total}`, value(last?.ppg, last?.stderr), value(last?.average_ppg, last?.average_stderr), el("code", {}, run.command)];
  });
  return table("Runs compared, at their last tests", ["run", "games", "points a game", "moving average", "command"], rows);
}

/** Opening plays over games: a column for some of the tests, at equal distances on a logarithmic scale. */
function showOpenings({ knowledge, established }) {
  const known = (knowledge ?? []).filter((test) => Array.isArray(test.openings) && test.openings.length);
  if (!known.length) {
    byId("openings").replaceChildren();
    return;
  }
  const most = 8;
  let few = known;
  if (known.length > most) {
    const log = (test) => Math.log(Math.max(1, test.games));
    const [first, step] = [log(known[0]), (log(known.at(-1)) - log(known[0])) / (most - 1)];
    const nearest = (wanted) => known.reduce((a, b) => (Math.abs(log(b) - wanted) < Math.abs(log(a) - wanted) ? b : a));
    few = [...new Set(Array.from({ length: most }, (_, i) => nearest(first + step * i)))];
  }
  const accepted = (roll, play) => (established.find((one) => one.roll === roll)?.plays ?? []).includes(play);
  const rows = known.at(-1).openings.map(({ roll }, i) => {
    let since = null;
    for (const test of [...known].reverse()) {
      if (!accepted(roll, test.openings[i]?.play)) break;
      since = test.games;
    }
    return [roll, ...few.map((test) => test.openings[i]?.play ?? ""), since === null ? "–" : short(since)];
  });
  const counts = few.map((test) => `${test.openings.filter(({ roll, play }) => accepted(roll, play)).length} of ${test.openings.length}`);
  rows.push(["accepted", ...counts, ""]);
  const made = table("Opening plays over games: the best play at 1-ply after so many games", ["roll", ...few.map((test) => short(test.games)), "for good from"], rows);
  [...made.querySelectorAll("tbody tr")].slice(0, -1).forEach((row, i) => {
    const { roll } = known.at(-1).openings[i];
    few.forEach((test, j) => {
      if (accepted(roll, test.openings[i]?.play)) row.children[j + 1].classList.add("yes");
    });
  });
  byId("openings").replaceChildren(made, el("p", { class: "small" }, "Coloured and bold: a play that opening theory accepts."));
}

// ---- A game of the net with itself, which the server plays from a seed.

let game = null;
let at = 0;
let timer = 0;
const START = fromPositionId("4HPwATDgc/ABMA");

function showTurn() {
  const turn = at === 0 ? null : game.turns[at - 1];
  const board = turn?.board ?? START;
  const light = turn?.player === "light";
  byId("board").replaceChildren();
  drawBoard(byId("board"), {
    board, off: offOf(board), dice: turn && light ? turn.dice : null, theirDice: turn && !light ? turn.dice : null,
    arrows: turn ? [{ steps: turn.steps, kind: "best", own: light }] : [],
  });
  byId("turn").value = at;
  const who = (side) => (side === "light" ? "Light" : "Dark");
  const words = [`Seed ${game.seed}, turn ${at} of ${game.turns.length}.`];
  if (turn) words.push(`${who(turn.player)} rolls ${turn.dice.join("")}${turn.play ? `: ${turn.play}` : " and cannot move"}; equity ${signed(turn.equity)}.`);
  if (at === game.turns.length) words.push(`${who(game.winner)} wins ${game.points} point${game.points === 1 ? "" : "s"}.`);
  byId("watched").textContent = words.join(" ");
  byId("earlier").disabled = at === 0;
  byId("later").disabled = at === game.turns.length;
  if (at === game.turns.length) pause();
  byId("pause").textContent = timer ? "Pause" : at === game.turns.length ? "From the start" : "Go on";
}

function pause() {
  clearInterval(timer);
  timer = 0;
}

function goOn() {
  pause();
  if (at === game.turns.length) at = 0;
  timer = setInterval(() => goTo(at + 1), 900);
  showTurn();
}

function goTo(turn) {
  at = Math.max(0, Math.min(game.turns.length, turn));
  showTurn();
}

function stepTo(turn) {
  pause();
  goTo(turn);
}

byId("watch").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const wanted = byId("seed").value.trim();
    const seed = wanted ? Number(wanted) : crypto.getRandomValues(new Uint32Array(1))[0];
    pause();
    game = await post("/game", { seed, net: chosen });
    byId("seed").value = `${game.seed}`;
    byId("watching").hidden = false;
    byId("turn").max = game.turns.length;
    at = 0;
    goOn();
  });
});
byId("pause").addEventListener("click", () => {
  if (timer) {
    pause();
    showTurn();
  } else goOn();
});
byId("earlier").addEventListener("click", () => stepTo(at - 1));
byId("later").addEventListener("click", () => stepTo(at + 1));
byId("turn").addEventListener("input", () => stepTo(Number(byId("turn").value)));

byId("new").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  const asked = {};
  for (const [key, value] of form) {
    const text = value.trim();
    if (text) asked[key] = ["games", "seed", "eval_every", "eval_games", "final_games"].includes(key) ? Number(text) : text;
  }
  attempt(async () => {
    const run = await post("/runs", asked);
    say(`The run ${run.name} has started.`);
    await choose(run.name);
    await refresh();
  });
});

async function refresh() {
  await showRuns();
  await showRun();
}
// Charts are as wide as there is room.
let width = innerWidth;
addEventListener("resize", () => {
  if (width === innerWidth) return;
  width = innerWidth;
  drawn = "";
  showRun();
});

await refresh();
// A name that is free.
const names = [...document.querySelectorAll("#runs button.link")].map((button) => button.textContent);
const nameField = byId("new").elements.name;
for (let n = 2; names.includes(nameField.value); n += 1) nameField.value = `run-${n}`;
setInterval(() => { if (!document.hidden) refresh(); }, 1500);
