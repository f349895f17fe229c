// @ts-check
// What the analyses say about a player: PR over time, by kind of decision, by opponent.
import { get } from "../common/api.js";
import { lineChart } from "../common/chart.js";
import { attempt, byId, el } from "../common/dom.js";
import { written } from "../common/format.js";
import { opponentWords } from "../common/net-name.js";
import { KEPT, keepText } from "../common/own.js";
import { t } from "../common/words.js";
import { seatOfPerson, shownName } from "../common/players.js";
import { prCell } from "./rating.js";
import { TELLING, ratingScale } from "./rating-scale.js";

/** @typedef {import("./library.js").Owner} Owner */

/**
 * The players of analyses, the person first, then the one with the most decisions. A name is one
 * player in small and capital letters, and has the spelling of most of its matches.
 *
 * @param {any[]} rows
 * @returns {string[]}
 */
export function playersIn(rows) {
  /** @typedef {{ spellings: string[]; decisions: Map<string, number> }} Counted */
  /** @type {Map<string, Counted>} */
  const players = new Map();
  for (const { names, decisions, points, luck } of rows.flatMap((row) => row.matches)) {
    for (const [i, name] of names.entries()) {
      const one =
        players.get(name.toLowerCase()) ??
        /** @type {Counted} */ ({ spellings: [], decisions: new Map() });
      one.spellings.push(name);
      // Two analyses of a match count once; all measure its luck alike.
      const key =
        `${names} ${points} ${luck.map((/** @type {number} */ of) => of.toFixed(3))}`.toLowerCase();
      one.decisions.set(key, Math.max(one.decisions.get(key) ?? 0, decisions[i]));
      players.set(name.toLowerCase(), one);
    }
  }
  const uses = (/** @type {string[]} */ all, /** @type {string} */ name) =>
    all.filter((one) => one === name).length;
  const listed = [...players.values()].map(({ spellings, decisions }) => ({
    name: [...spellings].sort((a, b) => uses(spellings, b) - uses(spellings, a))[0],
    n: [...decisions.values()].reduce((sum, some) => sum + some, 0),
  }));
  const isOther = (/** @type {string} */ name) => Number(seatOfPerson([name]) !== "first");
  return listed
    .sort((a, b) => isOther(a.name) - isOther(b.name) || b.n - a.n)
    .map(({ name }) => name);
}

/**
 * The button by which the person says that a player is them. A name that they have played under
 * needs none.
 *
 * @param {string} name
 * @param {() => unknown} changed
 */
function showPerson(name, changed) {
  const button = byId("this-is-me");
  const isMe = localStorage.getItem(KEPT.person)?.toLowerCase() === name.toLowerCase();
  button.hidden = !isMe && seatOfPerson([name]) === "first";
  button.setAttribute("aria-pressed", `${isMe}`);
  button.onclick = () => {
    if (isMe) localStorage.removeItem(KEPT.person);
    else keepText(KEPT.person, name);
    changed();
  };
}

/**
 * The PR of a player over all matches, and what it counts.
 *
 * @param {any} player
 * @param {any[]} rows
 * @param {number} others Analyses by other nets, which do not count
 */
function showTotal(player, rows, others) {
  const total = player.total;
  byId("player-total").replaceChildren(
    prCell(total, true),
    el("br"),
    el(
      "span",
      { class: "small" },
      t("analyse.player.over", { n: total.decisions, matches: player.matches.length }),
    ),
  );
  const entries = rows
    .flatMap((row) => row.matches)
    .filter(({ names }) =>
      names.some((/** @type {string} */ name) => name.toLowerCase() === player.name.toLowerCase()),
    ).length;
  if (entries > player.matches.length)
    byId("player-total").append(el("br"), el("span", { class: "small" }, t("analyse.player.once")));
  if (others)
    byId("player-total").append(
      el("br"),
      el("span", { class: "small" }, t("analyse.player.champion")),
    );
  byId("player-rating").replaceChildren(ratingScale(total.pr, total.decisions));
}

/**
 * The PR of a player by kind of decision and by opponent.
 *
 * @param {any} player
 */
function showGroups(player) {
  byId("by-kind").replaceChildren(
    ratings(
      t("analyse.player.kinds"),
      player.kinds.filter((/** @type {any} */ one) => one.rating.decisions),
      (one) => [
        t(`analyse.group.${one.kind.replace(" ", "")}`),
        `${one.rating.decisions}`,
        prCell(one.rating, true),
      ],
      ["kind", "decisions", "pr"],
    ),
  );
  byId("by-opponent").replaceChildren(
    ratings(
      t("analyse.player.opponents"),
      player.opponents,
      (one) => [
        opponentWords(shownName(one.name), one.against),
        !one.ended
          ? t("analyse.player.noneEnded", { n: one.matches })
          : one.ended < one.matches
            ? t("analyse.player.wonOf", { won: one.won, ended: one.ended, matches: one.matches })
            : `${one.won} / ${one.matches}`,
        prCell(one.own, true),
        prCell(one.theirs, true),
      ],
      ["opponent", "won", "pr", "theirs"],
    ),
  );
}

/** Counts the questions: an answer that is older than the last question is dropped. */
let round = 0;

/**
 * The figures of a player, who is chosen once and kept by the browser; else of the first of those
 * in the list.
 *
 * @param {Owner} owner
 * @param {string[]} listed
 * @param {any[]} rows
 * @param {number} others Analyses by other nets, which do not count
 * @param {() => unknown} changed Is called where the person says who they are
 */
export async function showPlayer(owner, listed, rows, others, changed) {
  const wanted = owner.player ?? localStorage.getItem(KEPT.player) ?? listed[0];
  round += 1;
  const own = round;
  const answer = await attempt(() =>
    get(`/library${wanted ? `?player=${encodeURIComponent(wanted)}` : ""}`),
  );
  if (!answer) return;
  const { player } = answer.player || !wanted ? answer : await get("/library");
  // Another player was chosen meanwhile.
  if (own !== round) return;
  byId("player").hidden = !player;
  if (!player) return;
  const who = byId("who");
  const same = (/** @type {string} */ one, /** @type {string} */ other) =>
    one.toLowerCase() === other.toLowerCase();
  const players = [
    ...listed,
    ...(listed.some((name) => same(name, player.name)) ? [] : [player.name]),
  ];
  const matchesOf = (/** @type {string} */ name) =>
    answer.players.find((/** @type {any} */ one) => same(one.name, name))?.matches ?? 0;
  who.replaceChildren(
    ...players.map((name) =>
      el(
        "option",
        { value: name, selected: same(name, player.name) },
        `${shownName(name)} (${matchesOf(name)})`,
      ),
    ),
  );
  showPerson(player.name, changed);
  who.onchange = () => {
    keepText(KEPT.player, who.value);
    owner.choosePlayer(who.value);
    showPlayer(owner, listed, rows, others, changed);
  };
  showTotal(player, rows, others);
  byId("over-time").replaceChildren(overTime(player));
  showGroups(player);
}

/**
 * @param {string} caption
 * @param {any[]} rows
 * @param {(row: any) => any[]} cells
 * @param {string[]} heads
 */
const ratings = (caption, rows, cells, heads) =>
  el(
    "table",
    { class: "sides" },
    el("caption", {}, caption),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        heads.map((key) => el("th", { scope: "col" }, t(`analyse.head.${key}`))),
      ),
    ),
    el(
      "tbody",
      {},
      rows.map((row) =>
        el(
          "tr",
          {},
          cells(row).map((cell, i) => el(i ? "td" : "th", i ? {} : { scope: "row" }, cell)),
        ),
      ),
    ),
  );

/**
 * PR over dates, with the band of the last ten matches.
 *
 * @param {any} player
 */
function overTime(player) {
  const known = player.matches.filter((/** @type {any} */ one) => one.rating.pr !== null);
  if (known.length < 2) return el("p", { class: "small" }, t("analyse.player.few"));
  // Matches of one day stand side by side.
  const seconds = known.map((/** @type {any} */ one) => Date.parse(one.date) / 1000);
  const sameDay =
    seconds.every((/** @type {number} */ at) => at === seconds[0]) || seconds.some(Number.isNaN);
  const per = new Map();
  const at = known.map((/** @type {any} */ _, /** @type {number} */ i) => {
    if (sameDay) return i + 1;
    const n = per.get(seconds[i]) ?? 0;
    per.set(seconds[i], n + 1);
    return seconds[i] + n * 3600;
  });
  const single = known.map((/** @type {any} */ one, /** @type {number} */ i) => [
    at[i],
    one.rating.pr,
  ]);
  const enough = (/** @type {any} */ one) =>
    one.recent.decisions >= TELLING && one.recent.pr !== null;
  const recent = known
    .map((/** @type {any} */ one, /** @type {number} */ i) =>
      enough(one)
        ? [at[i], one.recent.pr, one.recent.interval ? one.recent.interval[1] - one.recent.pr : 0]
        : null,
    )
    .filter(Boolean);
  const lines = [
    { name: t("analyse.player.last"), points: recent, colour: 0 },
    { name: t("analyse.player.each"), points: single, dots: true, line: false, colour: 1 },
  ].filter(({ points }) => points.length > 0);
  return lineChart({
    title: recent.length
      ? t("analyse.player.overTime")
      : t("analyse.player.overTime.few", { n: TELLING }),
    x: !sameDay
      ? t("analyse.player.dates")
      : Number.isNaN(seconds[0])
        ? t("analyse.player.matches")
        : t("analyse.player.matchesOn", { date: written(known[0].date) }),
    y: "PR",
    dated: !sameDay,
    whole: sameDay,
    zero: true,
    series: lines,
    wide: Math.max(280, byId("over-time").clientWidth || 640),
  });
}
