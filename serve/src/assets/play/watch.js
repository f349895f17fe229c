// @ts-check
// A match of two levels against each other, to watch: score, pips, cube and chances are those of
// the turn that is shown, and what is still to come stays hidden.
import { get, post, upload } from "../common/api.js";
import { hasCube } from "../common/cube-words.js";
import { attempt, byId, el, entitle, loading } from "../common/dom.js";
import { decimal, percent } from "../common/format.js";
import { host, query } from "../common/host.js";
import { keepOwn } from "../common/own.js";
import { moveTime } from "../common/settings.js";
import { t } from "../common/words.js";
import { Board } from "../board/board.js";
import { Motion } from "../board/motion.js";
import { matOf, stepsOf } from "../board/notation.js";
import { START, flipped, offOf, pipsOf } from "../board/position.js";
import { askWhy } from "../analyse/panel.js";
import { markOf } from "../analyse/verdicts.js";
import { writeXgid } from "../position/xgid.js";
import { lossWords } from "./explained.js";
import { kindWords } from "./result.js";
import { paintBar } from "./seats.js";
import { levelOptions } from "./setup.js";

/** @typedef {"light" | "dark"} Side */
/**
 * @typedef {{
 *   game: number;
 *   player: Side;
 *   what: string;
 *   dice: [number, number] | null;
 *   play: string | null;
 *   points: number | null;
 *   steps: [number, number][];
 *   board: number[];
 *   cube: number;
 *   owner: Side | null;
 *   offered: number | null;
 *   score: [number, number];
 *   crawford: boolean;
 *   win: number;
 * }} Event
 *
 * @typedef {{ seed: number; levels: [string, string]; length: number; events: Event[] }} Watched
 */

const LENGTHS = [1, 3, 5, 7];
/** Who is watched unless somebody else is chosen: mistakes are to be seen. */
const FIRST = { light: "newcomer", dark: "champion" };
/** Milliseconds after the dice, after a play, and after what is told alone. */
const SPEEDS = /** @type {Record<string, [number, number, number]>} */ ({
  slow: [1200, 2200, 2600],
  normal: [500, 800, 1300],
  fast: [60, 150, 500],
});
/** The speed, for all matches until the page is loaded again. */
let speed = "normal";
/** Depth of the players: what there is to watch begins at once. */
const PLY = 1;

/** Counts what is watched: an older one stops. */
let watched = 0;

export function stopWatching() {
  watched += 1;
}

const randomSeed = () => 1 + Math.floor(Math.random() * 1e9);

/**
 * What the address asks for.
 *
 * @param {number | null} seed
 */
function askedFor(seed) {
  const wanted = query();
  // Older addresses have the levels as the server names them.
  const level = (/** @type {string} */ place, /** @type {Side} */ side) =>
    wanted.get(place) || (wanted.get(side) ?? FIRST[side]);
  return {
    seed: seed ?? randomSeed(),
    light: level("below", "light"),
    dark: level("above", "dark"),
    length: Number(wanted.get("length")) || 3,
    ply: PLY,
  };
}

/** @param {ReturnType<typeof askedFor>} asked */
const addressOf = ({ seed, light, dark, length }) =>
  `/?${new URLSearchParams({ watch: `${seed}`, below: light, above: dark, length: `${length}` })}`;

/**
 * Whether an event is one of a turn: others are told with what follows.
 *
 * @param {Event} event
 */
const isTurn = ({ what }) => what !== "opens";

/**
 * A form for both levels and the length. While a match is on, another choice says when it holds.
 *
 * @param {ReturnType<typeof askedFor>} asked
 * @param {any[]} levels
 * @param {(address: string) => void} go
 * @param {boolean} isOn
 */
function choices(asked, levels, go, isOn) {
  const select = (/** @type {Side} */ side) =>
    el(
      "label",
      {},
      t(`watch.${side}Level`),
      el("select", { name: side }, levelOptions(levels, asked[side], false)),
    );
  const length = el(
    "label",
    {},
    t("play.length"),
    el(
      "select",
      { name: "length" },
      LENGTHS.map((n) =>
        el("option", { value: n, selected: n === asked.length }, t("play.toPoints", { n })),
      ),
    ),
  );
  const button = el(
    "button",
    { type: "submit", class: isOn ? "" : "main" },
    t(isOn ? "watch.again" : "watch.start"),
  );
  const form = el(
    "form",
    { class: "watch-choices", autocomplete: "off" },
    select("light"),
    select("dark"),
    length,
    button,
  );
  form.addEventListener("change", () => {
    if (isOn) [button.className, button.textContent] = ["main", t("watch.chosen")];
  });
  form.addEventListener("submit", (/** @type {globalThis.Event} */ event) => {
    event.preventDefault();
    const chosen = new FormData(form);
    go(
      addressOf({
        ...asked,
        seed: randomSeed(),
        light: `${chosen.get("light")}`,
        dark: `${chosen.get("dark")}`,
        length: Number(chosen.get("length")),
      }),
    );
  });
  return form;
}

/**
 * A side with its level.
 *
 * @param {Side} side
 * @param {Watched} match
 */
const nameOf = (side, { levels }) =>
  t("watch.sideLevel", {
    side: t(`watch.${side}`),
    level: t(`level.${levels[side === "light" ? 0 : 1]}`),
  });

/**
 * Analyses a watched match, and goes there.
 *
 * @param {Watched} match
 */
const analyse = (match) =>
  attempt(async () => {
    const text = matOf(match, [nameOf("light", match), nameOf("dark", match)]);
    const { id } = await upload(
      `/analyses?name=${encodeURIComponent(`watched-${match.seed}.mat`)}`,
      new Blob([text]),
    );
    keepOwn("analyses", id);
    host.go(`/analyse?id=${encodeURIComponent(id)}`);
  });

/**
 * What kind of win ends a match, and how much of it counts; nothing of a single game.
 *
 * @param {Event} event
 * @param {Watched} match
 */
const kindOf = ({ player, points, score, cube, game }, match) =>
  kindWords(
    /** @type {any} */ ({
      two_people: true,
      names: [nameOf("light", match), nameOf("dark", match)],
      score,
      rules: { length: match.length },
      cube: { value: cube },
    }),
    player === "light" ? "you" : "nonet",
    points ?? match.events.findLast((one) => one.game === game && one.points !== null)?.points ?? 0,
  );

/**
 * An event in words.
 *
 * @param {Event} event
 * @param {Watched} match
 */
function inWords(event, match) {
  const { what, player, dice, play, points: n, cube, offered, score } = event;
  if (what === "wins-game" && Math.max(...score) >= match.length && kindOf(event, match))
    return `${kindOf(event, match)}.`;
  const kind =
    what === "plays" && !play ? "dances" : what === "doubles" && cube > 1 ? "redoubles" : what;
  const points = score.map((n) => Math.min(n, match.length));
  const [own, lost] = player === "light" ? points : points.reverse();
  const name = (/** @type {Side} */ side) =>
    match.levels[0] === match.levels[1] ? t(`watch.${side}`) : nameOf(side, match);
  return t(`play.event.${kind}.${kind === "opens" ? "two" : "nonet"}`, {
    name: name(player),
    dice: dice?.join("") ?? "",
    high: dice?.[0] ?? "",
    low: dice?.[1] ?? "",
    play: play ?? "",
    value: offered ?? cube,
    n: n ?? 0,
    other: kind === "opens" ? name(player === "light" ? "dark" : "light") : own,
    own: lost,
  });
}

/**
 * An event in the list: a play with the checker of its side, all else in a sentence.
 *
 * @param {Event} event
 * @param {Watched} match
 * @param {() => void} show
 */
function lineOf(event, match, show) {
  const words = inWords(event, match);
  const isPlay = event.what === "plays";
  return el(
    "button",
    { type: "button", onclick: show, "aria-label": isPlay ? words : null },
    isPlay
      ? [
          el("span", { class: `dot ${event.player}`, "aria-hidden": "true" }),
          `${event.dice?.join("")}: ${event.play || t("play.noPlay")}`,
        ]
      : event.what === "opens"
        ? `${t("watch.game", { game: event.game })}: ${words}`
        : words,
  );
}

/**
 * @typedef {{ loss: number; match_loss: number | null; best: string; cube?: Judged | null }} Judged
 *   What a decision loses, and the best one; `cube`: the double before the roll
 */

/**
 * The board before an event, seen by light.
 *
 * @param {Watched} match
 * @param {number} at The place of the event
 */
const boardBefore = ({ events }, at) =>
  events[at].game === events[at - 1]?.game ? events[at - 1].board : START;

/**
 * A play, a double or its answer against the best one, at the depth of the players; null if there
 * is nothing to say. The champion does what it takes for best.
 *
 * @param {Watched} match
 * @param {number} at The place of the event
 * @returns {Promise<Judged | null>}
 */
async function judge(match, at) {
  const made = match.events[at];
  const { what, play } = made;
  if (
    !["plays", "doubles", "takes", "passes"].includes(what) ||
    match.levels[made.player === "light" ? 0 : 1] === "champion"
  )
    return null;
  // An answer is judged with its double, by the side that has doubled.
  const id = idBefore(match, what === "takes" || what === "passes" ? at - 1 : at, what === "plays");
  if (what !== "plays") return ofCube(await post("/cube", { id, ply: PLY }), what);
  const missed = mayDouble(match, at)
    ? ofCube(await post("/cube", { id: idBefore(match, at, false), ply: PLY }), "plays")
    : null;
  const cube = missed && markOf(missed.loss) ? missed : null;
  if (!play) return cube && { loss: 0, match_loss: 0, best: "", cube };
  const { plays } = await post("/hint", { id, ply: PLY, plays: MOST });
  const [best] = plays;
  const own = plays.find((/** @type {any} */ one) => one.play === play);
  return own
    ? {
        loss: Math.max(0, best.equity - own.equity),
        match_loss: Math.max(0, best.match_winning_chance - own.match_winning_chance),
        best: best.play,
        cube,
      }
    : null;
}

/**
 * Whether who plays could have doubled before: not in the first turn, nor after their own double.
 *
 * @param {Watched} match
 * @param {number} at
 */
const mayDouble = ({ events, length }, at) =>
  hasCube({ length, crawford: events[at].crawford }) &&
  [null, events[at].player].includes(events[at].owner) &&
  !["opens", "takes"].includes(events[at - 1]?.what ?? "opens");

/**
 * The position before an event as XGID.
 *
 * @param {Watched} match
 * @param {number} asked The place of the event
 * @param {boolean} isRolled
 */
function idBefore(match, asked, isRolled) {
  const { player, dice, cube, owner, crawford } = match.events[asked];
  // The last play of a game has the score after it.
  const score = match.events[asked - 1]?.score ?? [0, 0];
  const side = player === "light" ? 0 : 1;
  const before = boardBefore(match, asked);
  return writeXgid({
    board: [...(side ? flipped(before) : before)],
    cube: Math.log2(cube),
    owner: owner === null ? 0 : owner === player ? 1 : -1,
    dice: isRolled ? (dice?.join("") ?? "") : "",
    points: side ? [score[1], score[0]] : score,
    rules: Number(crawford),
    length: match.length,
    most: 10,
  });
}

/**
 * What a double, its answer, or a play without a double loses. The numbers are those of the side
 * that doubles.
 *
 * @param {{
 *   no_double: number;
 *   double_take: number;
 *   double_pass: number;
 *   match_winning_chances?: number[] | null;
 * }} cube
 * @param {string} what
 * @returns {Judged}
 */
export function ofCube(
  { no_double: no, double_take: take, double_pass: pass, match_winning_chances: chances },
  what,
) {
  const loss = (
    /** @type {number} */ wait,
    /** @type {number} */ taken,
    /** @type {number} */ passed,
  ) => {
    const doubled = Math.min(taken, passed);
    if (what === "plays") return Math.max(0, doubled - wait);
    return what === "doubles"
      ? Math.max(0, wait - doubled)
      : (what === "takes" ? taken : passed) - doubled;
  };
  return {
    loss: loss(no, take, pass),
    match_loss: chances ? loss(chances[0], chances[1], chances[2]) : null,
    best: t(
      what === "plays"
        ? "play.tutor.better.double"
        : what === "doubles"
          ? "play.tutor.better.roll"
          : what === "takes"
            ? "watch.pass"
            : "watch.take",
    ),
  };
}

/**
 * Why a mistake was one, at the depth of its mark.
 *
 * @param {Watched} match
 * @param {number} at The place of the event
 */
function whyOf(match, at) {
  const { what, play, dice } = match.events[at];
  const isPlay = what === "plays" && play !== null;
  const xgid = idBefore(match, what === "takes" || what === "passes" ? at - 1 : at, isPlay);
  return askWhy(
    /** @type {any} */ ({
      xgid,
      decision: isPlay ? { dice: dice?.join(""), played: play, plays: [] } : {},
    }),
    PLY,
    new AbortController().signal,
  );
}

/** Plays that are asked for: more than a roll has. */
const MOST = 1000;

/**
 * A board with light below: no checkers are the person's.
 *
 * @param {Element} place
 */
function boardOf(place) {
  const board = new Board(place);
  board.give("light");
  return board;
}

/**
 * The player above or below the board.
 *
 * @param {Watched} match
 * @param {Event | undefined} event
 * @param {0 | 1} i
 */
function seat(match, event, i) {
  const { length } = match;
  const board = event?.board ?? START;
  const rule =
    i || !event?.crawford
      ? null
      : el("span", { class: "rule" }, t("play.rule.crawford", { n: length }));
  return el(
    "div",
    { class: "seat" },
    el("span", { class: `dot ${i ? "dark" : "light"}`, "aria-hidden": "true" }),
    el("b", {}, nameOf(i ? "dark" : "light", match)),
    el(
      "span",
      { class: "points" },
      t("play.pointsOf", { n: Math.min(length, event?.score[i] ?? 0), all: length }),
    ),
    el("span", { class: "pips" }, t("play.pips", { n: pipsOf(board)[i] })),
    rule,
  );
}

/**
 * The bar of the chances of light.
 *
 * @param {Event | undefined} event
 */
const drawBar = (event) =>
  paintBar(byId("watch-bar"), "light", {
    win: event?.win ?? 0.5,
    words: t(event?.what.startsWith("wins") ? "play.barOver" : "watch.barGame"),
    said: t("watch.bar", { win: percent(event?.win ?? 0.5) }),
  });

/**
 * The cube as the board draws it, seen by light.
 *
 * @param {Event | undefined} event
 * @param {number} length
 */
function cubeOf(event, length) {
  if (!hasCube({ length, crawford: event?.crawford })) return null;
  const seen = (/** @type {Side | null} */ side) =>
    side && /** @type {"you" | "nonet"} */ (side === "light" ? "you" : "nonet");
  const to = event?.offered
    ? (seen(event.player === "light" ? "dark" : "light") ?? undefined)
    : undefined;
  return {
    value: event?.cube ?? 1,
    owner: seen(event?.owner ?? null),
    offered: event?.offered ?? null,
    to,
  };
}

/**
 * @param {number | null} seed
 * @param {(address: string) => void} go
 */
export async function showWatch(seed, go) {
  watched += 1;
  const own = watched;
  entitle(t("watch.title"));
  const place = byId("watching");
  const asked = askedFor(seed);
  const title = el("h1", { id: "watch-title" }, t("watch.title"));
  const back = el(
    "p",
    { class: "tools" },
    el("button", { type: "button", onclick: () => go("/") }, t("watch.back")),
  );
  place.replaceChildren(title, loading());
  if (seed === null) {
    const there = await attempt(() => get("/nets"));
    if (own !== watched) return;
    const still = el("div", { class: "board-place watch-stage", "aria-hidden": "true" });
    place.replaceChildren(
      title,
      choices(asked, there?.levels ?? [], go, false),
      still,
      el("p", { class: "small" }, t("watch.lead")),
      back,
    );
    boardOf(still).draw({ board: START, off: [0, 0], cube: null });
    return;
  }
  host.write(addressOf(asked), true);
  const [there, match] = /** @type {[any, Watched | undefined]} */ (
    await Promise.all([attempt(() => get("/nets")), attempt(() => post("/watched-match", asked))])
  );
  if (own !== watched) return;
  if (!match)
    return void place.replaceChildren(
      title,
      el("p", {}, el("a", { href: "/?watch" }, t("watch.again"))),
    );
  const { events, length } = match;
  /** What is known of plays; what is asked for is there already. @type {Map<number, Judged | null>} */
  const judged = new Map();
  const why = el("div", {});
  const says = el("p", { class: "says", role: "status", "data-says": true });
  const pause = el(
    "button",
    { type: "button", class: "main", id: "watch-pause" },
    t("watch.pause"),
  );
  const slider = el("input", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    "aria-label": t("watch.slider"),
  });
  const [earlier, later] = [
    ["watch.earlier", "←"],
    ["watch.later", "→"],
  ].map(([key, sign]) => el("button", { type: "button", "aria-label": t(key) }, sign));
  const boardPlace = el("div", { class: "board-place" });
  const [above, below] = [el("div", {}), el("div", {})];
  const bar = el(
    "div",
    { class: "bar", id: "watch-bar", role: "img" },
    el("div", { class: "fill" }),
    el("span", { class: "number" }),
    el("span", { class: "words" }),
  );
  const pace = el(
    "select",
    { "aria-label": t("watch.speed"), title: t("watch.speed") },
    Object.keys(SPEEDS).map((name) =>
      el("option", { value: name, selected: name === speed }, t(`watch.speed.${name}`)),
    ),
  );
  pace.addEventListener("change", () => {
    speed = pace.value;
  });
  const [winner, kind] = [el("h2", {}), el("p", {})];
  const end = el(
    "section",
    { class: "card watch-end", hidden: true },
    winner,
    kind,
    el(
      "p",
      { class: "tools" },
      el(
        "button",
        { type: "button", class: "main", onclick: () => analyse(match) },
        t("play.analyse"),
      ),
      el("button", { type: "button", onclick: () => go("/") }, t("watch.play")),
    ),
  );
  const list = el("ol", { class: "watch-list", "aria-label": t("watch.slider") });
  place.replaceChildren(
    el(
      "div",
      { class: "watch-head" },
      title,
      el(
        "div",
        { class: "tools watch-tools", role: "group", "aria-label": t("watch.step") },
        pause,
        earlier,
        slider,
        later,
        pace,
      ),
    ),
    el(
      "div",
      { class: "watch-room" },
      el(
        "div",
        { class: "watch-stage" },
        above,
        el("div", { class: "table" }, bar, el("div", { class: "board-frame" }, boardPlace)),
        below,
        says,
        why,
        end,
      ),
      list,
    ),
    el("p", { class: "small" }, t("watch.lead"), " ", t("train.watch.side")),
    choices(asked, there?.levels ?? [], go, true),
    back,
  );
  const board = boardOf(boardPlace);
  const motion = new Motion(board, moveTime);
  let [at, running, furthest] = [0, true, 0];
  /**
   * Marks a turn in the list, once both are there.
   *
   * @param {number} n
   */
  const markLine = (n) => {
    const line = list.querySelectorAll("button")[list.childElementCount - 1 - n];
    const found = judged.get(n);
    const marked = (/** @type {Judged | null | undefined} */ one) =>
      one && markOf(one.loss)
        ? `${markOf(one.loss)} ${one.match_loss === null ? decimal(one.loss, 3) : percent(one.match_loss)}`
        : "";
    const mark = [
      found?.cube ? `${t("play.review.cube")} ${marked(found.cube)}` : "",
      marked(found),
    ]
      .filter(Boolean)
      .join(", ");
    if (!line || !mark) return;
    line.append(" ", el("b", { class: "mark" }, mark));
    line.setAttribute(
      "aria-label",
      `${line.getAttribute("aria-label") ?? line.firstChild?.textContent} ${mark}`,
    );
  };
  /** Says what the event is that was shown last. */
  const tell = (n = at) => {
    // The slider goes as far as was seen: its end does not tell when the match ends.
    furthest = Math.max(furthest, n);
    slider.max = `${furthest}`;
    slider.value = `${n}`;
    while (list.childElementCount < furthest) {
      const i = list.childElementCount;
      list.prepend(
        el(
          "li",
          {},
          lineOf(events[i], match, () => jump(i + 1)),
        ),
      );
      markLine(i);
    }
    // The line of the turn that is shown stays in sight, and is the one that the tab key reaches.
    [...list.querySelectorAll("button")].forEach((line, i) => {
      const isShown = furthest - i === n;
      line.setAttribute("aria-current", `${isShown}`);
      line.tabIndex = isShown ? 0 : -1;
      const top = line.offsetTop - list.offsetTop;
      if (
        isShown &&
        (top < list.scrollTop || top + line.offsetHeight > list.scrollTop + list.clientHeight)
      )
        list.scrollTop = top - list.clientHeight / 2;
    });
    const event = events[n - 1];
    const words = event ? `${t("watch.game", { game: event.game })}: ${inWords(event, match)}` : "";
    const found = judged.get(n - 1);
    // A mark is given for points: they stand beside the share of the match.
    const points = (/** @type {Judged} */ { loss, match_loss: share }) =>
      share === null || length === 1 ? "" : ` (${t("play.lossPoints", { n: decimal(loss, 3) })})`;
    const mistake = (/** @type {Judged} */ one, /** @type {string} */ key) => [
      " ",
      el(
        "b",
        { class: "mark" },
        t(key, { mark: markOf(one.loss), loss: `${lossWords(one)}${points(one)}`, best: one.best }),
      ),
    ];
    const isMistake = found && (found.cube || markOf(found.loss)) && !running;
    const ask = el(
      "button",
      {
        type: "button",
        class: "link",
        onclick: () =>
          void attempt(async () => {
            const part = await whyOf(match, n - 1);
            if (own === watched && at === n) why.replaceChildren(part);
          }),
      },
      t("why"),
    );
    why.replaceChildren();
    says.replaceChildren(
      words,
      ...(found?.cube ? mistake(found.cube, "watch.missed") : []),
      ...(found && markOf(found.loss) ? mistake(found, "watch.mistake") : []),
      ...(isMistake ? [" ", ask] : []),
    );
  };
  /**
   * Asks for what a play loses, and shows it if that play is still shown.
   *
   * @param {number} n
   */
  const look = async (n) => {
    if (n < 0 || n >= events.length || judged.has(n)) return;
    judged.set(n, null);
    const found = await judge(match, n).catch(() => null);
    judged.set(n, found);
    if (own !== watched || !found) return;
    markLine(n);
    if (at === n + 1) (playing ? tell : draw)();
  };
  /**
   * The arrows of a play. Whoever pauses at a mistake sees it and the better play on the board
   * before them.
   *
   * @param {number} n
   */
  const arrowsOf = (n) => {
    const event = events[n];
    if (event?.what !== "plays") return null;
    const isLight = event.player === "light";
    const [before, found] = [boardBefore(match, n), judged.get(n)];
    if (running || !found || !markOf(found.loss))
      return {
        arrows: [
          { steps: event.steps, kind: /** @type {const} */ ("shown"), own: isLight, before },
        ],
      };
    const better = stepsOf(found.best).map(
      ([from, to]) => /** @type {[number, number]} */ (isLight ? [from, to] : [25 - from, 25 - to]),
    );
    const arrows = [
      { steps: event.steps, kind: /** @type {const} */ ("played"), own: isLight, before },
      { steps: better, kind: /** @type {const} */ ("best"), own: isLight, before },
    ];
    return { board: before, off: offOf(before), arrows };
  };
  const draw = () => {
    const event = events[at - 1];
    const now = event?.board ?? START;
    const light = event?.player === "light";
    const dice = event?.what === "plays" ? event.dice : null;
    const arrows = arrowsOf(at - 1);
    board.draw({
      board: now,
      off: offOf(now),
      cube: cubeOf(event, length),
      dice: light ? dice : null,
      theirDice: light ? null : dice,
      ...arrows,
    });
    void look(at - 1);
    // A mistake is seen on the board before it: so are pips and chances.
    const stood = arrows && "board" in arrows ? events[at - 2] : event;
    above.replaceChildren(seat(match, stood, 1));
    below.replaceChildren(seat(match, stood, 0));
    drawBar(stood);
    tell();
    // What the pause button does then, and what else can be done with the match.
    const isOver = at >= events.length;
    if (isOver && event)
      [winner.textContent, kind.textContent] = [inWords(event, match), kindOf(event, match)];
    end.hidden = !isOver;
    pause.classList.toggle("main", !isOver);
    if (!running) pause.textContent = t(isOver ? "watch.fromStart" : "watch.go");
  };
  const halt = () => {
    running = false;
    pause.textContent = t("watch.go");
    motion.hurry();
  };
  const jump = (/** @type {number} */ to, /** @type {number} */ way = 0) => {
    halt();
    at = Math.max(0, Math.min(events.length, to));
    while (way && at > 0 && at < events.length && !isTurn(events[at - 1])) at += way;
    draw();
  };
  earlier.addEventListener("click", () => jump(at - 1, -1));
  later.addEventListener("click", () => jump(at + 1, 1));
  slider.addEventListener("input", () => jump(Number(slider.value)));
  const wait = (/** @type {number} */ ms) =>
    motion.isStill
      ? new Promise((resolve) => {
          setTimeout(resolve, 600);
        })
      : motion.pause(ms);
  let playing = false;
  const run = async () => {
    if (playing) return;
    playing = true;
    while (running && own === watched && at < events.length) {
      const event = events[at];
      void look(at);
      board.draw({ ...board.state, arrows: [] });
      if (event.what === "plays" && event.dice) {
        const light = event.player === "light";
        await motion.roll(event.dice, light);
        await wait(SPEEDS[speed][0]);
        if (running) await motion.play(event.steps, light);
        if (!running || own !== watched) break;
      }
      at += 1;
      draw();
      await wait(SPEEDS[speed][event.what === "plays" ? 1 : 2]);
    }
    playing = false;
    if (at >= events.length) halt();
    if (own === watched) draw();
  };
  pause.addEventListener("click", () => {
    if (running) return halt();
    if (at >= events.length) at = 0;
    running = true;
    draw();
    motion.calm();
    pause.textContent = t("watch.pause");
    return run();
  });
  draw();
  await run();
}
