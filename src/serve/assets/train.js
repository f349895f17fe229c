// The training room: runs are started, stopped, resumed, extended and compared; the curves are those of their folders.
import { download, get, post } from "./api.js";
import { attempt, byId, el, pageHead, say, signed, table } from "./common.js";
import { drawBoard, flipped, fromPositionId, offOf } from "./board-svg.js";
import { lineChart } from "./chart.js";

pageHead("/train");
const compared = new Set();
let chosen = new URLSearchParams(location.search).get("run");
let drawn = "";
let watching = 0;

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
  chosen = name;
  drawn = "";
  history.replaceState(null, "", `/train?run=${encodeURIComponent(name)}`);
  await showRun();
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
  byId("controls").replaceChildren(...controls(run));
  byId("command").textContent = [run.command, run.state === "failed" || run.state === "running" ? run.messages.at(-1) : ""].filter(Boolean).join(" · ");
  const curve = (one) => ({ name: one.run.name, points: one.history.map((test) => [test.games, test.ppg, half(test.stderr)]), dots: one.history.length < 40 });
  const charts = [lineChart({ title: "Equity against the opponent of the tests, with 95 % intervals", x: "games learned", y: "equity (points a game)", series: [curve(answer), ...others.filter(Boolean).map(curve)] })];
  const byClass = (of) => classes.map((name, i) => ({ name, colour: i, points: tests.map((test) => [test.games, of(test, i)]).filter(([, value]) => value !== null && Number.isFinite(value)) })).filter((one) => one.points.length);
  const sum = (test) => test.examples.reduce((a, b) => a + b, 0) || 1;
  charts.push(lineChart({ title: "Positions by class", x: "games learned", y: "share of the positions (%)", series: byClass((test, i) => (100 * test.examples[i]) / sum(test)), zero: true }));
  charts.push(lineChart({ title: "Temporal differences by class", x: "games learned", y: "TD error (points)", series: byClass((test, i) => test.td_error[i]), zero: true }));
  byId("charts").replaceChildren(...charts);
  showOpenings(answer.knowledge);
  if (run.state === "finished") say(`The run ${run.name} is finished.`);
}

/** Opening plays over games: a column for some of the tests. */
function showOpenings(knowledge) {
  const tests = Array.isArray(knowledge) ? knowledge : (knowledge?.tests ?? knowledge?.knowledge ?? []);
  const known = tests.filter((test) => Array.isArray(test.openings) && test.openings.length);
  if (!known.length) {
    byId("openings").replaceChildren();
    return;
  }
  const few = known.filter((_, i) => i === known.length - 1 || i % Math.ceil(known.length / 5) === 0);
  const rows = known.at(-1).openings.map(({ roll }, i) => [roll, ...few.map((test) => test.openings[i]?.play ?? "")]);
  byId("openings").replaceChildren(table("Opening plays over games", ["roll", ...few.map((test) => `${test.games} games`)], rows));
}

/** A game of the present net against itself, play by play, by the API alone. */
async function watch() {
  const own = (watching += 1);
  const net = chosen;
  let id = "4HPwATDgc/ABMA";
  let light = true;
  const die = () => 1 + Math.floor(6 * Math.random());
  for (let turn = 0; turn < 300 && own === watching; turn += 1) {
    let dice = [die(), die()];
    while (turn === 0 && dice[0] === dice[1]) dice = [die(), die()];
    const answer = await attempt(() => post("/hint", { id, dice: dice.join(""), ply: 1, plays: 1, net }));
    if (!answer) return;
    const [best] = answer.plays;
    id = best.id;
    const after = flipped(fromPositionId(id));
    const shown = light ? after : flipped(after);
    byId("board").replaceChildren();
    drawBoard(byId("board"), { board: shown, off: offOf(shown), dice: light ? dice : null, theirDice: light ? null : dice });
    byId("watched").textContent = `${light ? "Light" : "Dark"} plays ${dice.join("")}: ${best.play}; equity ${signed(best.equity)}`;
    if (offOf(after)[0] === 15) {
      byId("watched").textContent = `${light ? "Light" : "Dark"} wins.`;
      return;
    }
    light = !light;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
byId("watch").addEventListener("click", watch);

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
await refresh();
setInterval(() => { if (!document.hidden) refresh(); }, 1500);
