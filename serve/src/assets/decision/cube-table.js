// @ts-check
// The cube actions of a decision as a table.
import { el } from "../common/dom.js";
import { isNothing, percent, signed } from "../common/format.js";
import { t } from "../common/words.js";
import { isAnswer, isRedouble } from "./board-view.js";
import { chanceOf, isBeavered } from "./decision.js";
import { chancesLine } from "./plays-table.js";

/** @typedef {import("./decision.js").Decision} Decision */

/** From which depth on cube decisions of a match are told without a warning. */
export const SURE_PLY = 3;

/**
 * The cube actions.
 *
 * @param {Decision} decision
 */
export function cube(decision) {
  const what = decision.decision;
  const inMatch = chanceOf(decision, 0) !== null;
  const answers = isAnswer(decision);
  const turned = answers ? "says" : isRedouble(decision) ? "redouble" : "double";
  const actions = /** @type {[string, number][]} */ ([
    [`cube.${turned}.no`, what.no_double],
    [
      `cube.${turned}.${isBeavered(decision, what.double_take ?? 0) ? "beaver" : "take"}`,
      what.double_take,
    ],
    [`cube.${turned}.pass`, what.double_pass],
  ]);
  const doubled = Math.min(what.double_take ?? 0, what.double_pass ?? 0);
  const best = answers ? doubled : Math.max(what.no_double ?? 0, doubled);
  // Whoever is doubled has two actions left.
  const rows = actions.slice(answers ? 1 : 0).map(([name, equity]) => {
    const chance = chanceOf(decision, equity);
    const behind = equity - best;
    return el(
      "tr",
      { class: isNothing(behind) ? "top" : "" },
      el("th", { scope: "row" }, t(name)),
      el("td", {}, signed(equity)),
      el("td", {}, isNothing(behind) ? "" : signed(behind)),
      inMatch ? el("td", {}, chance === null ? "" : percent(chance)) : null,
    );
  });
  return el(
    "div",
    {},
    el(
      "table",
      { class: "plays cube" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, t("table.action")),
          el("th", { scope: "col" }, t("table.equity")),
          el("th", { scope: "col" }, t("table.difference")),
          inMatch ? el("th", { scope: "col" }, t("table.matchWon")) : null,
        ),
      ),
      el("tbody", {}, rows),
    ),
    what.outcomes ? chancesLine(what.outcomes) : null,
    el("p", { class: "small" }, t(answers ? "analyse.seenByDoubler" : "analyse.seenByRoller")),
  );
}
