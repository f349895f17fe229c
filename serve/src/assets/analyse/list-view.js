// @ts-check
// The list of decisions with its filters.
import { KINDS, NO_FILTER, WORTH, classesIn } from "./decisions.js";
import { badge, decisionName } from "./decision-view.js";
import { el, empty } from "../common/dom.js";
import { decimal } from "../common/format.js";
import { t } from "../common/words.js";
import { MARKS } from "./verdicts.js";

/** @typedef {import("./decisions.js").Entry} Entry */
/** @typedef {import("./decisions.js").Decision} Decision */
/** @typedef {import("./decisions.js").Filter} Filter */

/** Which decisions are shown, with the least loss of each. @type {[string, number][]} */
const LEAST = [["all", 0], ["worth", WORTH], ["mistakes", MARKS[2][0]], ["blunders", MARKS[0][0]]];

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
  const made = el("select", { id: `filter-${name}`, "aria-label": label, title: label, onchange: () => change(made.value) },
    options.map(([key, text]) => el("option", { value: key, selected: key === value }, text)));
  return made;
}

/**
 * The filters; `cube` says whether doubles can occur.
 * @param {{ all: Entry[], names: string[], games: number, cube: boolean, filter: Filter, change: (filter: Filter) => void }} given
 */
export function filters({ all, names, games, cube, filter, change }) {
  const set = (/** @type {keyof Filter} */ key) => (/** @type {string} */ value) => change({ ...filter, [key]: value });
  const thresholds = ["doubtful", "bad", "veryBad"].map((one, i) => `${MARKS[2 - i][1]} ${t(`analyse.mark.${one}`)}`).join(", ");
  const segments = el("div", { class: "segments", role: "group", "aria-label": t("analyse.filter.show") }, LEAST.map(([one, least]) => el("button", {
    type: "button", id: `show-${one}`, "aria-pressed": `${filter.show === one}`, title: thresholds, onclick: () => change({ ...filter, show: one }),
  }, t(`analyse.filter.${one}`), least ? el("small", {}, ` ≥ ${decimal(least, 2)}`) : null)));
  const kinds = /** @type {[string, string][]} */ ([["all", t("analyse.filter.anyKind")], ["plays", t("analyse.filter.plays")],
    ...KINDS.filter((kind) => cube || kind !== "cube").map((kind) => [kind, t(`analyse.group.${kind.replace(" ", "")}`)]), ...(cube ? CUBE : []).map((kind) => [kind, t(`analyse.kind.${kind}`)]),
    ...ROLLS.map((kind) => [kind, t(`analyse.filter.${kind}`)])]);
  const parts = [
    select("player", t("analyse.filter.player"), [["all", t("analyse.filter.both")], ["0", names[0]], ["1", names[1]]], filter.player, set("player")),
    select("kind", t("analyse.filter.kind"), kinds, filter.kind, set("kind")),
    select("class", t("analyse.filter.class"), [["all", t("analyse.filter.anyClass")], ...classesIn(all).map((one) => /** @type {[string, string]} */ ([one, t(`class.${one}`)]))], filter.class, set("class")),
    games > 1 ? select("game", t("analyse.filter.game"), [["all", t("analyse.filter.allGames")], ...Array.from({ length: games }, (_, i) => /** @type {[string, string]} */ ([`${i}`, t("analyse.game", { n: i + 1 })]))], filter.game, set("game")) : null,
    select("order", t("analyse.filter.order"), [["match", t("analyse.filter.inOrder")], ["worst", t("analyse.filter.worst")]], filter.order, set("order")),
  ];
  const isOn = Object.entries(filter).some(([key, value]) => value !== NO_FILTER[/** @type {keyof Filter} */ (key)]);
  return el("div", { class: "filters" }, segments, el("div", { class: "selects" }, parts,
    isOn ? el("button", { type: "button", class: "link", id: "no-filter", onclick: () => change({ ...NO_FILTER }) }, t("analyse.filter.none")) : null));
}

/**
 * The list; `noted` says which decisions have a note, `judged` what the deepest answer says.
 * @param {{ list: Entry[], names: string[], games: number, noted: (entry: Entry) => boolean, judged: (entry: Entry) => Decision, show: (at: number) => void, order: string, all: () => void }} given
 */
export function listView({ list, names, games, noted, judged, show, order, all }) {
  if (!list.length) return [empty(t("analyse.noDecision"), el("button", { type: "button", id: "no-decision", onclick: all }, t("analyse.filter.none")))];
  /** @type {any[]} */
  const found = [];
  let game = -1;
  list.forEach((entry) => {
    const { decision } = entry;
    if (order === "match" && games > 1 && entry.game !== game) {
      game = entry.game;
      found.push(el("p", { class: "group", role: "presentation" }, t("analyse.game", { n: game + 1 })));
    }
    const where = order !== "match" && games > 1 ? `${entry.game + 1}.${decision.roll}` : `${decision.roll}`;
    found.push(el("button", { type: "button", class: "entry", "data-at": entry.at, "aria-pressed": "false", onclick: () => show(entry.at) },
      el("span", { class: "no" }, where), el("span", { class: `chip side${decision.player}`, title: names[decision.player] }),
      el("span", { class: "unseen" }, `${names[decision.player]} `), el("span", { class: "what" }, decisionName(decision)), noted(entry) ? el("span", { class: "noted", title: t("analyse.note.has") }, "✎") : null,
      ...judgement(judged(entry))));
  });
  return found;
}

/** The mark of a decision and its loss, as a row ends with them. @param {Decision} decision */
const judgement = (decision) => [badge(decision.mark), el("span", { class: "loss" }, decision.loss >= 0.0005 ? `−${decimal(decision.loss, 3)}` : "")];

/**
 * Puts another judgement into the row of a decision, if the list has one.
 * @param {HTMLElement} list @param {Entry} entry @param {Decision} decision
 */
export function judge(list, entry, decision) {
  const row = list.querySelector(`[data-at="${entry.at}"]`);
  for (const old of row?.querySelectorAll(".badge, .loss") ?? []) old.remove();
  row?.append(...judgement(decision).filter((part) => part !== null));
}

/** Room for the name of a game, which stays above its decisions. */
const HEAD = 30;

/**
 * Scrolls a list, and nothing around it, until its chosen row is seen.
 * @param {HTMLElement} list
 */
export function reveal(list) {
  const row = list.querySelector("[aria-pressed=true][data-at]");
  if (!row || !list.clientHeight) return;
  const [room, own] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  if (own.top < room.top + HEAD) list.scrollTop -= room.top + HEAD - own.top;
  else if (own.bottom > room.bottom - 8) list.scrollTop += own.bottom - room.bottom + 8;
}
