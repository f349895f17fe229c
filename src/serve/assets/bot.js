// The bot's page: what it does now and has done, from its match logs.
import { get } from "./api.js";
import { attempt, byId, el, pageHead, table } from "./common.js";
import { drawBoard, offOf } from "./board-svg.js";
import { lineChart } from "./chart.js";

pageHead("/bot");
const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;
const when = (seconds) => new Date(1000 * seconds).toISOString().replace("T", " ").slice(0, 16);

async function show() {
  const bot = await attempt(() => get("/bot"));
  if (!bot) {
    byId("summary").textContent = "No bot is shown.";
    return false;
  }
  byId("summary").textContent = `${bot.name ?? "The bot"}: ${count(bot.won, "match", "matches")} won, ${bot.lost} lost, ${bot.open} open, ${bot.unknown} unknown; ${count(bot.games, "game", "games")}, ${count(bot.points[0], "point", "points")} won and ${bot.points[1]} lost.`;
  const current = bot.matches.find((match) => match.open) ?? bot.matches[0];
  byId("board").replaceChildren();
  if (current) {
    byId("current-title").textContent = `${current.open ? "Open" : "Last"} match, against ${current.opponent}`;
    if (current.board) drawBoard(byId("board"), { board: current.board, off: offOf(current.board) });
    byId("last").textContent = `${current.last_play ? `${current.last_play}.` : "No roll yet."} Score ${current.score.join(" to ")}${current.length ? ` in a match to ${current.length}` : ""}; last event ${when(current.last)} UTC.`;
  }
  byId("rating").replaceChildren(lineChart({ title: "Rating, by the server's formula", x: "matches", y: "rating (points)", series: [{ name: "rating", points: bot.rating, dots: bot.rating.length < 60 }] }));
  byId("opponents").replaceChildren(table("Results", ["opponent", "won", "lost", "open", "unknown", "left"],
    bot.opponents.map((row) => [row.name, ...[row.won, row.lost, row.open, row.unknown, row.departures].map(String)])));
  byId("matches").replaceChildren(table("The last 50", ["begun (UTC)", "opponent", "length", "score", "result", "incidents"],
    bot.matches.map((row) => [when(row.began), row.opponent, row.length ? `${row.length}` : "unlimited", row.score.join(" : "),
      row.open ? "open" : row.won === null ? "unknown" : row.won ? "won" : "lost",
      [row.interruptions ? `${row.interruptions} interruption${row.interruptions === 1 ? "" : "s"}` : "", row.incomplete ?? ""].filter(Boolean).join("; ")])));
  return true;
}

if (await show()) setInterval(() => { if (!document.hidden) show(); }, 5000);
