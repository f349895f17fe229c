// @ts-check
// The list of decisions with its filters.
import { chipOf } from "./board-view.js";
import {
  KINDS,
  MARKS,
  NO_FILTER,
  WORTH,
  classesIn,
  filtered,
  isOfLuck,
  isToOne,
  nextWanted,
  shareOf,
} from "./decisions.js";
import { badge, decisionName, lossShown } from "./decision-view.js";
import { byId, el, empty, say } from "../common/dom.js";
import { decimal, isNothing, percent, signed } from "../common/format.js";
import { t } from "../common/words.js";

/** @typedef {import("./decisions.js").Entry} Entry */
/** @typedef {import("./decisions.js").Decision} Decision */
/** @typedef {import("./decisions.js").Filter} Filter */

/** Which decisions are shown, with the least loss of each. @type {[string, number][]} */
const LEAST = [
  ["all", 0],
  ["worth", WORTH],
  ["mistakes", MARKS[2][0]],
  ["blunders", MARKS[0][0]],
];

/** Filters of rolls by their luck. */
const ROLLS = ["lucky", "unlucky"];

const CUBE = ["missedDouble", "wrongDouble", "wrongTake", "wrongPass"];

/**
 * @param {string} name
 * @param {string} label
 * @param {[string, string][]} options
 * @param {string} value
 * @param {(value: string) => void} change
 */
function select(name, label, options, value, change) {
  const made = el(
    "select",
    { id: `filter-${name}`, "aria-label": label, title: label, onchange: () => change(made.value) },
    options.map(([key, text]) => el("option", { value: key, selected: key === value }, text)),
  );
  return made;
}

/**
 * The filters; `cube` says whether doubles can occur.
 *
 * @param {{
 *   all: Entry[];
 *   names: string[];
 *   games: number;
 *   cube: boolean;
 *   filter: Filter;
 *   change: (filter: Filter) => void;
 *   toOne: boolean;
 * }} given
 */
function filters({ all, names, games, cube, filter, change, toOne }) {
  // How many decisions each choice leaves, beside the other filters.
  const left = (/** @type {keyof Filter} */ key, /** @type {string} */ value) =>
    filtered(all, { ...filter, [key]: value });
  // Turns without a choice are no decisions; their rolls may be lucky.
  const count = (/** @type {keyof Filter} */ key, /** @type {string} */ value) =>
    left(key, value).filter(
      ({ decision }) => decision.counts || isOfLuck({ ...filter, [key]: value }),
    ).length;
  // What would leave nothing is no choice.
  const isChoice = (/** @type {keyof Filter} */ key, /** @type {string} */ value) =>
    value === "all" || value === filter[key] || left(key, value).length > 0;
  const counted = (/** @type {keyof Filter} */ key, /** @type {[string, string][]} */ options) =>
    options
      .filter(([value]) => isChoice(key, value))
      .map(
        ([value, text]) =>
          /** @type {[string, string]} */ ([
            value,
            value === "all" ? text : `${text} (${count(key, value)})`,
          ]),
      );
  const set = (/** @type {keyof Filter} */ key) => (/** @type {string} */ value) =>
    change({ ...filter, [key]: value });
  const thresholds = ["doubtful", "bad", "veryBad"]
    .map((one, i) => `${MARKS[2 - i][1]} ${t(`analyse.mark.${one}`)}`)
    .join(", ");
  const segments = el(
    "div",
    { class: "segments", role: "group", "aria-label": t("analyse.filter.show") },
    LEAST.map(([one, least]) =>
      el(
        "button",
        {
          type: "button",
          id: `show-${one}`,
          "aria-pressed": `${filter.show === one}`,
          title: thresholds,
          onclick: () => change({ ...filter, show: one }),
        },
        t(`analyse.filter.${one}`),
        el(
          "small",
          {},
          ` ${least ? `≥ ${toOne ? percent(least / 2, 0) : decimal(least, 2)}: ` : ""}${count("show", one)}`,
        ),
      ),
    ),
  );
  const kinds = /** @type {[string, string][]} */ ([
    ["all", t("analyse.filter.anyKind")],
    ["plays", t("analyse.filter.plays")],
    ...KINDS.filter((kind) => cube || kind !== "cube").map((kind) => [
      kind,
      t(`analyse.group.${kind.replace(" ", "")}`),
    ]),
    ...(cube ? CUBE : []).map((kind) => [kind, t(`analyse.kind.${kind}`)]),
    ...ROLLS.map((kind) => [kind, t(`analyse.filter.${kind}`)]),
  ]);
  const parts = [
    select(
      "player",
      t("analyse.filter.player"),
      counted("player", [
        ["all", t("analyse.filter.both")],
        ["0", names[0]],
        ["1", names[1]],
      ]),
      filter.player,
      set("player"),
    ),
    select("kind", t("analyse.filter.kind"), counted("kind", kinds), filter.kind, set("kind")),
    select(
      "class",
      t("analyse.filter.class"),
      counted("class", [
        ["all", t("analyse.filter.anyClass")],
        ...classesIn(all).map((one) => /** @type {[string, string]} */ ([one, t(`class.${one}`)])),
      ]),
      filter.class,
      set("class"),
    ),
    games > 1
      ? select(
          "game",
          t("analyse.filter.game"),
          counted("game", [
            ["all", t("analyse.filter.allGames")],
            ...Array.from(
              { length: games },
              (_, i) => /** @type {[string, string]} */ ([`${i}`, t("analyse.game", { n: i + 1 })]),
            ),
          ]),
          filter.game,
          set("game"),
        )
      : null,
    select(
      "order",
      t("analyse.filter.order"),
      [
        ["match", t("analyse.filter.inOrder")],
        ["worst", t("analyse.filter.worst")],
      ],
      filter.order,
      set("order"),
    ),
  ];
  const isOn = Object.entries(filter).some(
    ([key, value]) => value !== NO_FILTER[/** @type {keyof Filter} */ (key)],
  );
  return el(
    "div",
    { class: "filters" },
    segments,
    el(
      "div",
      { class: "selects" },
      parts,
      isOn
        ? el(
            "button",
            {
              type: "button",
              class: "link",
              id: "no-filter",
              onclick: () => change({ ...NO_FILTER }),
            },
            t("analyse.filter.none"),
          )
        : null,
    ),
  );
}

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
