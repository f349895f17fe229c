// @ts-check
// The list of decisions, and the steps through it.
import { byId, el, empty, say } from "../common/dom.js";
import { decimal, isNothing, signed } from "../common/format.js";
import { t } from "../common/words.js";
import { chipOf } from "../common/players.js";
import { isToOne, shareOf } from "../decision/decision.js";
import { decisionName, lossShown } from "../decision/decision-words.js";
import { NO_FILTER, isOfLuck, nextWanted } from "./decisions.js";
import { filters } from "./filter-view.js";
import { badge } from "../decision/verdict-view.js";

/** @typedef {import("../decision/decision.js").Decision} Decision */
/** @typedef {import("../decision/decision.js").Entry} Entry */
/** @typedef {import("./decisions.js").Filter} Filter */

/**
 * The list; `noted` says which decisions have a note.
 *
 * @param {{
 *   list: Entry[];
 *   names: string[];
 *   games: number;
 *   noted: (entry: Entry) => boolean;
 *   show: (at: number) => void;
 *   filter: Filter;
 *   all: () => void;
 * }} given
 */
function listView({ list, names, games, noted, show, filter, all }) {
  const { order } = filter;
  if (!list.length)
    return [
      empty(
        t("analyse.noDecision"),
        el("button", { type: "button", id: "no-decision", onclick: all }, t("analyse.filter.none")),
      ),
    ];
  /** @type {any[]} */
  const found = [];
  let game = -1;
  list.forEach((entry) => {
    const { decision } = entry;
    if (order === "match" && games > 1 && entry.game !== game) {
      game = entry.game;
      found.push(
        el("p", { class: "group", role: "presentation" }, t("analyse.game", { n: game + 1 })),
      );
    }
    const where =
      order !== "match" && games > 1 ? `${entry.game + 1}:${decision.roll}` : `${decision.roll}`;
    found.push(
      el(
        "button",
        {
          type: "button",
          class: "entry",
          "data-at": entry.at,
          "aria-pressed": "false",
          onclick: () => show(entry.at),
        },
        el("span", { class: "no" }, where),
        chipOf(names, decision.player, names[decision.player]),
        el("span", { class: "unseen" }, `${names[decision.player]} `),
        el("span", { class: "what" }, decisionName(decision)),
        noted(entry) ? el("span", { class: "noted", title: t("analyse.note.has") }, "✎") : null,
        ...(isOfLuck(filter)
          ? [luckPart(decision)]
          : judgement(entry, order === "worst" && shareOf(decision) !== null)),
      ),
    );
  });
  return found;
}

/**
 * The mark of a decision and its loss, as a row ends with them; that of a rollout has an error.
 *
 * @param {Entry} entry
 * @param {boolean} isOrdered Whether the share of the match orders the rows
 */
function judgement({ decision, undecided }, isOrdered) {
  const { mark, loss, half } = /** @type {Decision & { half?: number }} */ (decision);
  const isShare = isOrdered || isToOne(decision);
  const words = !isNothing(loss) ? `−${lossShown(decision, isShare)}` : "";
  return [
    badge(mark, undecided),
    el(
      "span",
      { class: "loss" },
      words,
      words && half && !isShare ? el("small", {}, ` ± ${decimal(half, 3)}`) : null,
    ),
  ];
}

/**
 * The luck of a roll, as a row ends with it.
 *
 * @param {Decision} decision
 */
function luckPart(decision) {
  const luck = decision.decision.luck ?? 0;
  return el(
    "span",
    {
      class: luck > 0 ? "loss good" : "loss lost",
      title: t("analyse.luckOfRoll", { luck: signed(luck) }),
    },
    signed(luck),
  );
}

/**
 * Draws the filters, the list and how many decisions it has.
 *
 * @param {{
 *   all: Entry[];
 *   list: Entry[];
 *   match: any;
 *   cube: boolean;
 *   filter: Filter;
 *   noted: (entry: Entry) => boolean;
 *   show: (at: number) => void;
 *   change: (filter: Filter) => void;
 * }} given
 */
export function drawList({ all, list, match, cube, filter, noted, show, change }) {
  const {
    names,
    games: { length: games },
  } = match;
  // Whoever filters by keyboard stays where they are.
  const focused = byId("filters").contains(document.activeElement)
    ? (document.activeElement?.id ?? null)
    : null;
  byId("filters").replaceChildren(
    filters({ all, names, games, cube, filter, change, toOne: match.length === 1 }),
  );
  byId("decisions").replaceChildren(
    ...listView({ list, names, games, noted, show, filter, all: () => change({ ...NO_FILTER }) }),
  );
  if (focused !== null) (byId(focused) ?? byId("show-all"))?.focus();
  // Only what counts for PR is called a decision, here as in the figures below.
  const counted = (/** @type {Entry[]} */ some) =>
    some.filter(({ decision }) => decision.counts).length;
  const [n, others] = [counted(list), list.length - counted(list)];
  byId("count").textContent = [
    list.length < all.length
      ? t("analyse.count", { n, all: counted(all) })
      : t("analyse.count.decisions", { n }),
    others ? t("analyse.count.others", { n: others }) : "",
  ]
    .filter(Boolean)
    .join(", ");
  byId("count").title = t("analyse.count.how");
}

/**
 * Marks the row of the decision that is shown, and says where one can go from it.
 *
 * @param {Entry[]} list
 * @param {Filter} filter
 * @param {number} at
 * @param {number} last
 */
export function press(list, filter, at, last) {
  for (const one of byId("decisions").querySelectorAll("[data-at]")) {
    const isNow = Number(one.dataset.at) === at;
    if (isNow !== (one.getAttribute("aria-pressed") === "true"))
      one.setAttribute("aria-pressed", `${isNow}`);
  }
  for (const [id, off] of /** @type {[string, boolean][]} */ ([
    ["first-one", at === 0],
    ["previous", at === 0],
    ["next", at === last],
    ["last-one", at === last],
    ["previous-mistake", nextWanted(list, filter, at, -1) === null],
    ["next-mistake", nextWanted(list, filter, at, 1) === null],
  ]))
    byId(id).disabled = off;
  reveal(byId("decisions"));
}

/**
 * Says that a step forward (1) or back (-1) finds nothing; the next decision has another line
 * there.
 *
 * @param {number} step
 */
export function sayEnd(step) {
  const words = t(step > 0 ? "analyse.step.none.later" : "analyse.step.none.earlier");
  byId("where").querySelector("b")?.remove();
  byId("where").append(el("b", {}, words));
  say(words, "unseen");
}

/**
 * A list with other answers, in the order that it had: whoever goes through it loses no place. The
 * decision that is shown stays in it.
 *
 * @param {Entry[]} before
 * @param {Entry[]} now
 * @param {number} shown
 * @param {Entry[]} judged All decisions as they are judged now
 */
export function inOrderOf(before, now, shown, judged) {
  const stays = before.flatMap(
    ({ at }) => (at === shown ? judged[at] : now.find((entry) => entry.at === at)) ?? [],
  );
  return [...stays, ...now.filter(({ at }) => !stays.some((entry) => entry.at === at))];
}

/** Room for the name of a game, which stays above its decisions. */
const HEAD = 30;

/**
 * Scrolls a list, and nothing around it, until its chosen row is seen.
 *
 * @param {HTMLElement} list
 */
export function reveal(list) {
  const row = list.querySelector("[aria-pressed=true][data-at]");
  if (!row || !list.clientHeight) return;
  const [room, own] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  if (own.top < room.top + HEAD) list.scrollTop -= room.top + HEAD - own.top;
  else if (own.bottom > room.bottom - 8) list.scrollTop += own.bottom - room.bottom + 8;
}
