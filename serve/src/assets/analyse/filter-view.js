// @ts-check
// The filters above the list of decisions.
import { el } from "../common/dom.js";
import { decimal, percent } from "../common/format.js";
import { t } from "../common/words.js";
import { MARKS, WORTH } from "../decision/decision.js";
import { KINDS, NO_FILTER, classesIn, filtered, isOfLuck } from "./decisions.js";

/** @typedef {import("../decision/decision.js").Entry} Entry */
/** @typedef {import("./decisions.js").Filter} Filter */

/**
 * Which decisions are shown, with the least loss of each.
 *
 * @type {[string, number][]}
 */
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
export function filters({ all, names, games, cube, filter, change, toOne }) {
  // How many decisions each choice leaves with the other filters.
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
