// The bot's page: what it does now and has done, from its match logs.
import { get } from "../common/api.js";
import { attempt, byId, el } from "../common/dom.js";
import { pageHead } from "../common/header.js";
import { table } from "../common/tables.js";
import { drawBoard } from "../board/board.js";
import { offOf } from "../board/position.js";
import { lineChart } from "../common/chart.js";

pageHead("/bot");
let shown = "";
const figure = (value, digits, signed) => (value === null ? "" : `${signed && value >= 0 ? "+" : ""}${value.toFixed(digits)}`.replace("-", "−"));
const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;
const when = (seconds) => new Date(1000 * seconds).toISOString().replace("T", " ").slice(0, 16);

// The figures of the program that tell of incidents, in the order of the page.
const INCIDENTS = ["hangs_total", "reconnects_total", "unknown_lines_total", "refused_boards_total", "unanswered_commands_total", "refused_commands_total", "warnings_total"];

/** A duration in words. */
function duration(seconds) {
  const units = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  const [size, name] = units.find(([unit]) => seconds >= unit) ?? units.at(-1);
  return count(Math.floor(seconds / size), name, `${name}s`);
}

/** What the bot's program has counted, and whether it runs. */
function showProgram(program) {
  byId("program").hidden = !program;
  if (!program) return;
  const { running, written, missing, figures } = program;
  const value = (name) => figures.find((one) => one.name === name)?.value;
  const words = [];
  if (missing) words.push(`${missing.charAt(0).toUpperCase()}${missing.slice(1)}.`);
  else {
    const uptime = value("uptime_seconds");
    words.push(running ? `It has run for ${duration(uptime ?? 0)}.` : `It is not running; its last figures are of ${when(written)} UTC.`);
    if (value("rating") !== undefined) words.push(`Rating ${value("rating").toFixed(2)}, experience ${value("experience_points") ?? "unknown"}, as the server last told them.`);
  }
  byId("running").replaceChildren(el("span", { class: running ? "state good" : "state" }, running ? "running" : missing ? "no figures" : "not running"), ` ${words.join(" ")}`);
  const rows = INCIDENTS.map((name) => figures.find((one) => one.name === name)).filter(Boolean);
  byId("figures").replaceChildren(...(rows.length ? [table("Since the program began", ["what", "count"], rows.map((one) => [one.meaning.replace(/\.$/, ""), `${one.value}`]))] : []));
}

async function show() {
  let why = "";
  const bot = await attempt(async () => {
    try {
      return await get("/bot");
    } catch (error) {
      if (error.status !== 404) throw error;
      why = error.message; // A server without a bot: no fault.
      return null;
    }
  });
  if (!bot) {
    if (shown) return true; // A server that is started again: what it showed stays.
    byId("summary").textContent = why ? `${why.charAt(0).toUpperCase()}${why.slice(1)}.` : "No bot is shown.";
    for (const part of document.querySelectorAll("main .split, main h2")) part.hidden = true;
    return false;
  }
  if (JSON.stringify(bot) === shown) return true;
  shown = JSON.stringify(bot);
  byId("summary").textContent = bot.matches.length === 0 ? "The folder has no match yet." : `${bot.name}: ${count(bot.won, "match", "matches")} won, ${bot.lost} lost, ${bot.open} open, ${bot.unknown} unknown; ${count(bot.games, "game", "games")}, ${count(bot.points[0], "point", "points")} won and ${bot.points[1]} lost.`;
  showProgram(bot.program);
  const current = bot.matches.find((match) => match.open) ?? bot.matches[0];
  byId("board").replaceChildren();
  if (current) {
    byId("current-title").textContent = `${current.open ? "Open" : "Last"} match, against ${current.opponent}`;
    const { cube, dice, own_roll: own } = current;
    const owner = cube.own === null ? null : cube.own ? "you" : "nonet";
    const shownCube = current.length === 1 ? null : { value: cube.value, owner, offered: cube.offered };
    if (current.board) drawBoard(byId("board"), { board: current.board, off: offOf(current.board), cube: shownCube, dice: own ? dice : null, theirDice: own ? null : dice });
    byId("last").textContent = `${current.board ? `Light is ${bot.name}. ` : ""}${current.last_play ? `${current.last_play}.` : "No roll yet."}${cube.offered ? ` A double to ${cube.offered} is on the table.` : ""} Score ${current.score.join(" to ")}${current.length ? ` in a match to ${current.length}` : ""}; last event ${when(current.last)} UTC.`;
  }
  byId("rating").replaceChildren(bot.rating.length === 0 ? el("p", { class: "small" }, "The rating is drawn once a match has ended whose players' ratings are known.") : lineChart({ title: "Rating, by the server's formula", x: "end of the match (UTC)", y: "rating (points)", dated: true, series: [{ name: "rating", points: bot.rating, dots: bot.rating.length < 60 }] }));
  byId("opponents").replaceChildren(bot.opponents.length === 0 ? "Nobody yet." : table("Results", ["opponent", "won", "lost", "open", "unknown", "departures"],
    bot.opponents.map((row) => [row.name, ...[row.won, row.lost, row.open, row.unknown, row.departures].map(String)])));
  byId("matches").replaceChildren(bot.matches.length === 0 ? "None yet." : table("The last 50", ["begun (UTC)", "opponent", "length", "score", "result", "luck", "PR", "opponent PR", "incidents"],
    bot.matches.map((row) => [when(row.began), row.opponent, row.length ? `${row.length}` : "unlimited", row.score.join(" : "),
      row.open ? "open" : row.won === null ? "unknown" : row.won ? "won" : "lost",
      figure(row.luck, 3, true), figure(row.pr, 1), figure(row.opponent_pr, 1),
      [row.interruptions ? `${row.interruptions} interruption${row.interruptions === 1 ? "" : "s"}` : "", row.incomplete ?? ""].filter(Boolean).join("; ")])));
  return true;
}

if (await show()) setInterval(() => { if (!document.hidden) show(); }, 5000);
