// @ts-check
// Two analyses beside each other: of one record at two depths decision by decision, of two matches
// by their figures.
import { differences, entriesOf } from "./decisions.js";
import { badge, decisionName } from "./decision-view.js";
import { resultOf, scoreboard } from "./summary.js";
import { el } from "../common/dom.js";
import { decimal, recordName, signed } from "../common/format.js";
import { t } from "../common/words.js";

/** A verdict that changes by less is the same, in points on a cube at 1. */
const SAME = 0.005;

/** @param {any} answer @param {number} which @param {(id: string, match: number) => void} open */
function column(answer, which, open) {
  const match = answer.matches[which];
  return el("section", { class: "card" }, el("h2", {}, `${match.names[0]} – ${match.names[1]}`), el("p", { class: "soft" }, `${resultOf(match)} · ${t("common.ply", { n: match.plies })} · ${recordName(answer.row.name)}`),
    scoreboard(match), el("p", {}, el("button", { type: "button", class: "link", onclick: () => open(answer.row.id, which) }, t("analyse.compare.open"))));
}

/**
 * @param {any} one
 * @param {any} other
 * @param {(id: string, match: number, place?: { game: number, index: number }) => void} open
 */
export function comparison(one, other, open) {
  const columns = el("div", { class: "pair" }, column(one, 0, open), column(other, 0, open));
  const { pairs, same } = differences(entriesOf(one.matches[0]), entriesOf(other.matches[0]));
  if (!same) return [columns, el("p", { class: "small" }, t("analyse.compare.different"))];
  const [left, right] = [one, other].map((answer) => t("common.ply", { n: answer.matches[0].plies }));
  const names = one.matches[0].names;
  const changed = pairs.filter(({ change, entry, twin }) => Math.abs(change) >= SAME || entry.decision.mark !== twin.decision.mark).slice(0, 60);
  const lost = (/** @type {any} */ decision) => [badge(decision.mark), decision.loss >= 0.0005 ? ` −${decimal(decision.loss, 3)}` : " 0"];
  const rows = changed.map(({ entry, twin, change }) => el("tr", {},
    el("th", { scope: "row" }, el("button", { type: "button", class: "link", onclick: () => open(other.row.id, 0, entry) }, t("analyse.turn", { game: entry.game + 1, turn: entry.decision.roll }))),
    el("td", {}, el("span", { class: `chip side${entry.decision.player}` }), names[entry.decision.player]), el("td", {}, decisionName(entry.decision)),
    el("td", { class: "n" }, lost(entry.decision)), el("td", { class: "n" }, lost(twin.decision)), el("td", { class: "n" }, signed(-change))));
  const words = el("p", {}, t("analyse.compare.summary", { n: changed.length, all: pairs.length }));
  const heads = [t("analyse.joker.when"), t("analyse.joker.who"), t("analyse.compare.decision"), left, right, t("table.difference")];
  const table = el("table", { class: "sides" }, el("caption", {}, t("analyse.compare.changed")), el("thead", {}, el("tr", {}, heads.map((head, i) => el("th", { scope: "col", class: i > 2 ? "n" : null }, head)))), el("tbody", {}, rows));
  return [columns, el("section", { class: "card" }, words, changed.length ? el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("analyse.compare.changed") }, table) : null)];
}
