// @ts-check
// The bot's page: what it does now and has done, from its match logs.
import { get } from "../common/api.js";
import { hasCube } from "../common/cube-words.js";
import { copyButton } from "../common/copy.js";
import { attempt, byId, el, empty } from "../common/dom.js";
import { decimal, signed } from "../common/format.js";
import { pageHead } from "../common/header.js";
import { language, t } from "../common/words.js";
import { Board, drawBoard } from "../board/board.js";
import { START, offOf } from "../board/position.js";
import { lineChart } from "../common/chart.js";
import { table } from "../common/tables.js";

pageHead("/bot");
/** The board of a match that is on, where there is no bot. */
const EXAMPLE = { board: START, dice: [3, 1] };
let shown = "";
const REFRESH = 5000;
const board = new Board(byId("board"));
const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
/**
 * Unix seconds as people write them.
 *
 * @param {number} seconds
 */
const when = (seconds) => moment.format(new Date(1000 * seconds));
/**
 * @param {number | null} value
 * @param {number} digits
 */
const figure = (value, digits) => (value === null ? "" : decimal(value, digits));

// The figures of the program that tell of incidents, in the order of the page.
const INCIDENTS = [
  "hangs_total",
  "reconnects_total",
  "unknown_lines_total",
  "refused_boards_total",
  "unanswered_commands_total",
  "refused_commands_total",
  "warnings_total",
];

/**
 * A duration in words.
 *
 * @param {number} seconds
 */
function duration(seconds) {
  const units = /** @type {[number, string][]} */ ([
    [86400, "day"],
    [3600, "hour"],
    [60, "minute"],
    [1, "second"],
  ]);
  const [size, name] = units.find(([unit]) => seconds >= unit) ?? units[3];
  return t(`bot.${name}s`, { n: Math.floor(seconds / size) });
}

/**
 * What the bot's program has counted, and whether it runs.
 *
 * @param {any} program
 */
function showProgram(program) {
  byId("program").hidden = !program;
  if (!program) return;
  const { running, written, missing, figures } = program;
  const value = (/** @type {string} */ name) =>
    figures.find((/** @type {any} */ one) => one.name === name)?.value;
  const words = [];
  byId("running").title = missing ?? "";
  if (missing) words.push(t("bot.missing"));
  else {
    words.push(
      running
        ? t("bot.runsFor", { time: duration(value("uptime_seconds") ?? 0) })
        : t("bot.lastFigures", { time: when(written) }),
    );
    if (value("rating") !== undefined)
      words.push(
        t("bot.toldRating", {
          rating: decimal(value("rating"), 2),
          experience: value("experience_points") ?? "?",
        }),
      );
  }
  const state = t(running ? "bot.running" : missing ? "bot.noFigures" : "bot.notRunning");
  byId("running").replaceChildren(
    el("span", { class: running ? "state good" : "state" }, state),
    ` ${words.join(" ")}`,
  );
  const rows = INCIDENTS.map((name) =>
    figures.find((/** @type {any} */ one) => one.name === name),
  ).filter(Boolean);
  byId("figures").replaceChildren(
    ...(rows.length
      ? [
          table(
            t("bot.since"),
            [t("bot.what"), t("bot.count")],
            rows.map((one) => [t(`bot.incident.${one.name}`), `${one.value}`]),
          ),
        ]
      : []),
  );
}

/** What stands here on a server without a bot: how to begin, and an example of its board. */
function noBot() {
  const place = el("div", { class: "static" });
  drawBoard(place, { ...EXAMPLE, off: offOf(EXAMPLE.board) });
  return el(
    "section",
    { class: "card split" },
    el(
      "div",
      {},
      el("p", { class: "lead" }, t("bot.none")),
      el("p", {}, t("bot.none.what")),
      el("p", {}, t("bot.none.begin")),
      ...["nonet fibs demo 3 --records runs/demo", "nonet serve --bot runs/demo"].map(command),
      el(
        "p",
        { class: "tools" },
        el("a", { class: "button main", href: "/book/fibs" }, t("bot.chapter")),
        el("a", { class: "button", href: "/?watch" }, t("play.watch")),
      ),
    ),
    el("figure", {}, place, el("figcaption", { class: "small" }, t("bot.none.example"))),
  );
}

/**
 * A command with a button that copies it.
 *
 * @param {string} text
 */
function command(text) {
  const copy = copyButton(t("book.copy"), () => text);
  return el("div", { class: "command" }, el("pre", { tabindex: "0" }, text), copy);
}

/**
 * The last roll of a match and its play, in words; the play is empty where none is legal.
 *
 * @param {any} match
 * @param {string} own The name of the bot
 */
function lastPlay({ last_play: play, own_roll: isOwn, dice, opponent }, own) {
  if (!dice) return t("bot.noRoll");
  return t(play ? "bot.rolls" : "bot.dances", {
    name: isOwn ? own : opponent,
    dice: dice.join(""),
    play,
  });
}

/**
 * The match that is on, or the last one.
 *
 * @param {any} bot
 */
function showCurrent(bot) {
  const current = bot.matches.find((/** @type {any} */ match) => match.open) ?? bot.matches[0];
  byId("now").hidden = !current;
  if (!current) return;
  byId("current-title").textContent = t(current.open ? "bot.open" : "bot.last", {
    name: current.opponent,
  });
  const { cube, dice, own_roll: own } = current;
  /** @type {"you" | "nonet" | null} */
  const owner = cube.own === null ? null : cube.own ? "you" : "nonet";
  const shownCube = hasCube(current) ? { value: cube.value, owner, offered: cube.offered } : null;
  byId("board").hidden = !current.board;
  if (current.board)
    board.draw({
      board: current.board,
      off: offOf(current.board),
      cube: shownCube,
      dice: own ? dice : null,
      theirDice: own ? null : dice,
    });
  const words = [
    t("bot.below", { name: bot.name }),
    lastPlay(current, bot.name),
    cube.offered ? t("bot.offered", { value: cube.offered }) : "",
    t(current.length ? "bot.score" : "bot.scoreUnlimited", {
      own: current.score[0],
      other: current.score[1],
      n: current.length ?? 0,
    }),
    t("bot.lastEvent", { time: when(current.last) }),
  ];
  byId("last").textContent = words.filter(Boolean).join(" ");
}

/**
 * Numbers in large type.
 *
 * @param {[string, string][]} all
 */
const tiles = (all) =>
  all.map(([name, value]) =>
    el(
      "div",
      { class: "tile" },
      el("b", { class: "big" }, value),
      el("span", { class: "small" }, name),
    ),
  );

async function show() {
  let isMissing = false;
  const bot = await attempt(async () => {
    try {
      return await get("/bot");
    } catch (error) {
      if (/** @type {any} */ (error).status !== 404) throw error;
      isMissing = true; // A server without a bot: no fault.
      return null;
    }
  });
  if (!bot) {
    if (shown) return true; // A server that is started again: what it showed stays.
    byId("summary").replaceChildren(...(isMissing ? [noBot()] : []));
    return false;
  }
  if (JSON.stringify(bot) === shown) return true;
  shown = JSON.stringify(bot);
  byId("parts").hidden = false;
  byId("title").textContent = bot.name ?? t("page.bot");
  const rating = bot.rating.at(-1)?.[1];
  byId("summary").replaceChildren(
    bot.matches.length === 0
      ? empty(t("bot.empty"))
      : el(
          "div",
          { class: "tiles" },
          tiles([
            [t("bot.tile.won"), `${bot.won}`],
            [t("bot.tile.lost"), `${bot.lost}`],
            [t("bot.tile.open"), `${bot.open}`],
            [t("bot.tile.games"), `${bot.games}`],
            [t("bot.tile.points"), `${bot.points[0]} : ${bot.points[1]}`],
            ...(rating === undefined
              ? []
              : [/** @type {[string, string]} */ ([t("bot.tile.rating"), decimal(rating, 1)])]),
          ]),
        ),
  );
  showProgram(bot.program);
  showCurrent(bot);
  const wide = Math.max(280, byId("rating").clientWidth - 4);
  byId("rating").replaceChildren(
    bot.rating.length === 0
      ? el("p", { class: "small" }, t("bot.noRating"))
      : lineChart({
          title: t("bot.ratingTitle"),
          x: t("bot.ratingX"),
          y: t("bot.tile.rating"),
          dated: true,
          wide,
          series: [
            { name: t("bot.tile.rating"), points: bot.rating, dots: bot.rating.length < 60 },
          ],
        }),
  );
  byId("opponents").replaceChildren(
    bot.opponents.length === 0
      ? empty(t("bot.nobody"))
      : table(
          t("bot.results"),
          ["opponent", "won", "lost", "open", "unknown", "departures"].map((key) =>
            t(`bot.head.${key}`),
          ),
          bot.opponents.map((/** @type {any} */ row) => [
            row.name,
            ...[row.won, row.lost, row.open, row.unknown, row.departures].map(String),
          ]),
        ),
  );
  byId("matches").replaceChildren(
    bot.matches.length === 0
      ? empty(t("bot.empty"))
      : table(
          t("bot.last50"),
          [
            "begun",
            "opponent",
            "length",
            "score",
            "result",
            "luck",
            "pr",
            "theirPr",
            "incidents",
          ].map((key) => t(`bot.head.${key}`)),
          bot.matches.map((/** @type {any} */ row) => [
            when(row.began),
            row.opponent,
            row.length ? `${row.length}` : t("bot.unlimited"),
            row.score.join(" : "),
            t(
              row.open
                ? "bot.result.open"
                : row.won === null
                  ? "bot.result.unknown"
                  : row.won
                    ? "bot.result.won"
                    : "bot.result.lost",
            ),
            row.luck === null ? "" : signed(row.luck),
            figure(row.pr, 1),
            figure(row.opponent_pr, 1),
            [
              row.interruptions ? t("bot.interruptions", { n: row.interruptions }) : "",
              row.incomplete ? t("bot.incomplete") : "",
            ]
              .filter(Boolean)
              .join("; "),
          ]),
        ),
  );
  return true;
}

if (await show())
  setInterval(() => {
    if (!document.hidden) show();
  }, REFRESH);
