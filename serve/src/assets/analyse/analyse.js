// Uploaded matches: a library, and the analysis of each decision on the board.
import { download, get, post, remove, upload } from "../common/api.js";
import { attempt, byId, el, say } from "../common/dom.js";
import { percent, signed } from "../common/format.js";
import { pageHead } from "../common/header.js";
import { liveRollout } from "../common/rollout.js";
import { chances, table } from "../common/tables.js";
import { drawBoard } from "../board/board.js";
import { flipped, fromPositionId, offOf } from "../board/position.js";
import { lineChart } from "../common/chart.js";

pageHead("/analyse");
let answer = null; // The analysis that is shown.
let match = null; // One of its matches.
let all = []; // All decisions: { game, index, decision, at }.
let shown = []; // Those of the list.
let current = 0;
const live = liveRollout(byId("rollout"), byId("stop"));

// ---- The library

async function showLibrary() {
  live.end();
  byId("analysis").hidden = true;
  byId("library").hidden = false;
  history.replaceState(null, "", "/analyse");
  const rows = (await attempt(() => get("/analyses"))) ?? [];
  const working = rows.filter((row) => row.state === "working");
  byId("jobs").replaceChildren(...working.map((row) => el("p", {},
    `${row.name}: ${row.done} of ${row.total} decisions `, el("progress", { max: row.total, value: row.done, "aria-label": row.name }))));
  const pr = (value) => (value === null ? "none" : value.toFixed(1));
  const cells = rows.filter((row) => row.state !== "working").flatMap((row) => (row.matches.length ? row.matches : [null]).map((one) => [
    el("a", { href: `/analyse?id=${row.id}` }, row.name),
    one ? `${one.names[0]} ${one.points[0]}, ${one.names[1]} ${one.points[1]}` : (row.error ?? row.state),
    one ? (one.length ? `to ${one.length}` : "money") : "",
    one ? `${pr(one.pr[0])} / ${pr(one.pr[1])}` : "", one ? `${signed(one.luck[0])} / ${signed(one.luck[1])}` : "", row.id.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d).*/, "$1-$2-$3 $4:$5"),
  ]));
  byId("list").replaceChildren(cells.length ? table("Analysed matches, the newest first", ["file", "result", "match", "PR", "luck", "uploaded"], cells) : "Nothing is analysed yet.");
  showOverTime(rows);
  if (working.length) setTimeout(() => { if (!byId("library").hidden) showLibrary(); }, 400);
}

function showOverTime(rows) {
  const by = new Map();
  for (const row of [...rows].reverse()) {
    for (const one of row.matches) one.names.forEach((name, i) => {
      if (one.pr[i] !== null) by.set(name, [...(by.get(name) ?? []), one.pr[i]]);
    });
  }
  const series = [...by].filter(([, prs]) => prs.length > 1).sort((a, b) => b[1].length - a[1].length).slice(0, 4)
    .map(([name, prs]) => ({ name, points: prs.map((pr, i) => [i + 1, pr]), dots: true }));
  byId("over-time").replaceChildren(...(series.length ? [lineChart({ title: "PR over time", x: "matches", whole: true, y: "PR (500 × mean loss)", series, zero: true })] : []));
}

async function take(files) {
  for (const file of files) {
    const row = await attempt(() => upload(`/analyses?name=${encodeURIComponent(file.name)}`, file));
    if (row && files.length === 1) return open(row.id);
  }
  return showLibrary();
}

byId("files").addEventListener("change", (event) => take([...event.target.files]));
for (const name of ["dragover", "dragleave", "drop"]) {
  byId("drop").addEventListener(name, (event) => {
    event.preventDefault();
    byId("drop").classList.toggle("over", name === "dragover");
    if (name === "drop") take([...event.dataTransfer.files]);
  });
}

// ---- One analysis

async function open(id) {
  history.replaceState(null, "", `/analyse?id=${encodeURIComponent(id)}`);
  for (;;) {
    answer = await attempt(() => get(`/analyses/${encodeURIComponent(id)}`));
    if (!answer) return showLibrary();
    const { row } = answer;
    if (row.state === "failed") {
      say(`${row.name} cannot be analysed: ${row.error}`, "error");
      return showLibrary();
    }
    if (row.state === "done") break;
    byId("jobs").replaceChildren(el("p", {}, `${row.name}: ${row.done} of ${row.total} decisions `, el("progress", { max: row.total, value: row.done, "aria-label": row.name })));
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  say(answer.row.warnings.length ? `Warnings: ${answer.row.warnings.join("; ")}` : "");
  byId("library").hidden = true;
  byId("analysis").hidden = false;
  byId("which").replaceChildren(...answer.matches.map((one, i) => el("option", { value: i }, `${i + 1}: ${one.names.join(" and ")}`)));
  byId("which").parentElement.hidden = answer.matches.length < 2;
  return showMatch(0);
}

function showMatch(index) {
  match = answer.matches[index];
  const { names, points, length, winner, luck_adjusted: adjusted } = match;
  byId("title").textContent = `${names[0]} and ${names[1]}`;
  const result = winner === null ? `${names[0]} ${points[0]}, ${names[1]} ${points[1]}` : `${names[winner]} wins, ${points[winner]} to ${points[1 - winner]}`;
  const skill = adjusted === null ? "" : length ? ` Without luck ${names[0]} wins ${percent(adjusted)}.` : ` Without luck ${names[0]} wins ${signed(adjusted, 1)} points.`;
  byId("result").textContent = `${length ? `Match to ${length}` : "Money"}: ${result}.${skill} ${match.plies}-ply, cube ${match.cube_plies}-ply.`;
  const rows = match.summary.map((one, i) => [
    names[i], one.pr === null ? "none" : one.pr.toFixed(1), one.rating ?? "", `${one.plays + one.calls}`,
    `${one.doubtful}`, `${one.bad}`, `${one.very_bad}`, signed(one.luck),
  ]);
  byId("summary").replaceChildren(table("Errors and luck", ["", "PR", "", "decisions", "?!", "?", "??", "luck"], rows));
  all = [];
  for (const [game, one] of match.games.entries()) {
    for (const decision of one.decisions) if (decision.decision.plays || decision.counts) all.push({ game, decision, at: all.length });
  }
  list();
}

function list() {
  const worst = byId("only").checked;
  shown = worst ? all.filter(({ decision }) => decision.mark).sort((a, b) => b.decision.loss - a.decision.loss) : all;
  const buttons = shown.map((one, i) => {
    const { decision } = one;
    const what = decision.decision.plays ? `${decision.decision.dice}: ${decision.decision.played}` : decision.decision.call;
    return el("button", { type: "button", onclick: () => show(i), "aria-pressed": "false" },
      `G${one.game + 1}.${decision.roll} ${match.names[decision.player]} ${what} `, el("span", { class: "mark" }, decision.mark), decision.loss >= 0.0005 ? ` −${decision.loss.toFixed(3)}` : "");
  });
  byId("decisions").replaceChildren(...(buttons.length ? buttons : ["No decision lost 0.04 points or more."]));
  if (shown.length) show(0);
  else {
    byId("board").replaceChildren();
    byId("decision").replaceChildren();
    byId("decision-title").textContent = "No mistakes";
    byId("seats").textContent = "";
    drawCourse(null);
  }
}

/** Chances or points of the first player over the match. */
function drawCourse(now) {
  const chancesKnown = all.some(({ decision }) => decision.mwc_after !== null);
  const points = [];
  for (const { decision, at } of all) {
    let value = decision.mwc_after;
    if (!chancesKnown) {
      const of = decision.decision.plays ? decision.decision.plays.find((play) => play.play === decision.decision.played)?.equity : decision.decision.no_double;
      value = decision.player === 0 ? of : -of;
    }
    if (Number.isFinite(value)) points.push([at + 1, chancesKnown ? 100 * value : value]);
  }
  const y = chancesKnown ? `match won by ${match.names[0]} (%)` : `equity of ${match.names[0]} (points)`;
  byId("course").replaceChildren(lineChart({
    title: "Course of the match", x: "decisions", y, series: [{ name: y, points }], now: now === null ? null : now + 1,
    pick: (x) => {
      byId("only").checked = false;
      list();
      show(Math.max(0, Math.min(all.length - 1, Math.round(x) - 1)));
    },
  }));
}

function show(i) {
  live.end();
  current = i;
  const { game, decision, at } = shown[i];
  const pressed = byId("decisions").querySelectorAll("button");
  pressed.forEach((button, j) => button.setAttribute("aria-pressed", j === i));
  pressed[i]?.scrollIntoView({ block: "nearest" });
  byId("previous").disabled = i === 0;
  byId("next").disabled = i === shown.length - 1;
  const what = decision.decision;
  const board = fromPositionId(decision.id);
  const xgid = decision.xgid.split("=").at(-1).split(":");
  const cube = { value: 2 ** Number(xgid[1]), owner: { 1: "you", 0: null, "-1": "nonet" }[xgid[2]], offered: null };
  const picture = (state) => {
    byId("board").replaceChildren();
    drawBoard(byId("board"), { cube, ...state });
  };
  picture({ board, off: offOf(board), dice: what.plays ? [Number(what.dice[0]), Number(what.dice[1])] : null });
  const cost = decision.cost > 0 && match.length ? ` (${percent(decision.cost, 2)} of the match)` : "";
  byId("decision-title").textContent = `Game ${game + 1}, turn ${decision.roll}: ${match.names[decision.player]} ${what.plays ? `plays ${what.dice}: ${what.played}` : what.call} ${decision.mark}`;
  const points = (n) => `${n} point${Number(n) === 1 ? "" : "s"}`;
  byId("seats").textContent = `Light: ${match.names[decision.player]}, ${points(xgid[5])}. Dark: ${match.names[1 - decision.player]}, ${points(xgid[6])}.${match.length && xgid[7] === "1" ? " Crawford game." : ""}`;
  const said = decision.loss >= 0.0005 ? el("p", {}, `Loses ${decision.loss.toFixed(3)}${cost}.`) : el("p", {}, "The best decision.");
  if (what.plays) {
    const rows = what.plays.map((play) => {
      const row = [
        el("button", { type: "button", class: "link", onclick: () => {
          const after = flipped(fromPositionId(play.after));
          picture({ board: after, off: offOf(after) });
        } }, play.play), signed(play.equity), signed(play.equity - what.plays[0].equity), `${play.plies}`, ...chances(play.outcomes)];
      return row;
    });
    const made = table("Plays; click one to see it on the board", ["play", "equity", "loss", "ply", "win %", "g", "bg", "lose %", "g", "bg"], rows);
    [...made.querySelectorAll("tbody tr")].forEach((row, j) => { if (what.plays[j].play === what.played) row.setAttribute("aria-current", "true"); });
    byId("decision").replaceChildren(said, made, el("p", { class: "small" }, `Luck of the roll ${signed(what.luck)}. Class ${decision.class}.`));
  } else {
    const rows = [["no double", what.no_double], ["double, take", what.double_take], ["double, pass", what.double_pass]].map(([name, value]) => [name, signed(value)]);
    byId("decision").replaceChildren(said, table(`Right: ${what.right}`, ["action", "equity"], rows));
  }
  byId("rollout").replaceChildren();
  byId("open-position").href = `/position?id=${encodeURIComponent(decision.xgid)}`;
  drawCourse(at);
}

byId("roll-out").addEventListener("click", () => attempt(async () => {
  const { decision } = shown[current];
  const cube = !decision.decision.plays;
  // Without its mark of an offered double: both sides of it are rolled out.
  const parts = decision.xgid.split(":");
  if (cube) parts[4] = "00";
  const asked = { id: parts.join(":"), cube, games: 1296, plays: 3 };
  if (!cube) asked.dice = decision.decision.dice;
  await live.begin(asked);
}));
byId("previous").addEventListener("click", () => show(current - 1));
byId("next").addEventListener("click", () => show(current + 1));
byId("only").addEventListener("change", list);
byId("which").addEventListener("change", (event) => showMatch(Number(event.target.value)));
byId("back").addEventListener("click", showLibrary);
byId("copy").addEventListener("click", () => attempt(async () => {
  await navigator.clipboard.writeText(shown[current].decision.xgid);
  say(`Copied ${shown[current].decision.xgid}`);
}));
byId("remove").addEventListener("click", () => attempt(async () => {
  if (!confirm(`Remove ${answer.row.name} and its analysis?`)) return;
  await remove(`/analyses/${answer.row.id}`);
  await showLibrary();
}));
for (const button of document.querySelectorAll("[data-file]")) {
  button.addEventListener("click", () => attempt(() => download(`/analyses/${answer.row.id}/${button.dataset.file}`, `${answer.row.id}-${button.dataset.file}`)));
}
document.addEventListener("keydown", (event) => {
  if (byId("analysis").hidden || event.target.closest?.("input, select")) return;
  if (event.key === "ArrowLeft" && current > 0) show(current - 1);
  if (event.key === "ArrowRight" && current < shown.length - 1) show(current + 1);
});

const wanted = new URLSearchParams(location.search).get("id");
if (wanted) open(wanted);
else showLibrary();
