// @ts-check
// The cube decision of a position, the answer to a double, and what equities are worth in a match.
import { SURE_PLY } from "../decision/cube-table.js";
import { answersOf, cubeWords } from "../common/cube-words.js";
import { el } from "../common/dom.js";
import { isNothing, percent, signed } from "../common/format.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";

/**
 * From which chances on the opponent passes.
 *
 * @param {{ dead: number; live: number }} points
 */
function cashWords(points) {
  const [dead, live] = [percent(points.dead, 0), percent(points.live, 0)];
  return dead === live ? t("position.cashAt", { at: dead }) : t("position.cash", { dead, live });
}

/**
 * The heads of a table of actions.
 *
 * @param {any} mwc
 */
const cubeHeads = (mwc) =>
  el(
    "thead",
    {},
    el(
      "tr",
      {},
      [
        t("table.action"),
        term(t("table.equity"), "equity"),
        t("table.difference"),
        ...(mwc ? [t("table.matchWon")] : []),
      ].map((head) => el("th", { scope: "col" }, head)),
    ),
  );

/**
 * The answer to a double that is on the table, seen by the doubler, as all of the page.
 *
 * @param {any} cube
 * @param {number} value
 */
function answerPart(cube, value) {
  const mwc = cube.match_winning_chances;
  const all = answersOf(cube);
  const best = Math.min(...all.map(([, equity]) => equity));
  const rows = all.map(([name, equity, i]) =>
    el(
      "tr",
      { class: equity === best ? "top" : "" },
      el("th", { scope: "row" }, cubeWords(name)),
      el("td", {}, signed(equity)),
      el("td", {}, equity === best ? "" : signed(equity - best)),
      mwc ? el("td", {}, percent(mwc[i])) : null,
    ),
  );
  return el(
    "div",
    {},
    el(
      "h2",
      {},
      t(cube.answer === "beaver" ? "position.offered.beaver" : "position.offered", {
        value,
        answer: cubeWords(cube.answer),
      }),
    ),
    el("p", { class: "small" }, t("position.offered.how")),
    el("table", { class: "plays cube" }, cubeHeads(mwc), el("tbody", {}, rows)),
    el("p", { class: "facts" }, el("span", {}, term(t("common.ply", { n: cube.plies }), "ply"))),
  );
}

/**
 * The cube decision, or the answer to a double.
 *
 * @param {any} cube
 * @param {{ offered: number | null; isDead: boolean }} given The value of a double that is on the
 *   table; whether gammons count nothing
 */
export function cubePart(cube, { offered, isDead }) {
  if (offered) return answerPart(cube, offered);
  const kind = cube.redouble ? "redouble" : "double";
  const mwc = cube.match_winning_chances;
  const isFree = cube.action !== "not-available";
  const cubeless = isDead ? 2 * cube.outcomes.win - 1 : cube.cubeless;
  const actions = /** @type {[string, number][]} */ ([
    ["no", cube.no_double],
    ["take", cube.double_take],
    ["pass", cube.double_pass],
  ]);
  // Without the right to double there is one row.
  const rows = actions.slice(0, isFree ? 3 : 1).map(([name, equity], i) => {
    const behind = equity - cube.equity;
    const isBest = isNothing(behind);
    return el(
      "tr",
      { class: isBest ? "top" : "" },
      el(
        "th",
        { scope: "row" },
        t(`cube.${kind}.${name === "take" && cube.answer === "beaver" ? "beaver" : name}`),
      ),
      el("td", {}, signed(equity)),
      el("td", {}, isBest ? "" : signed(behind)),
      mwc ? el("td", {}, percent(mwc[i])) : null,
    );
  });
  return el(
    "div",
    {},
    el("h2", {}, t("position.cube", { words: cubeWords(cube.words) })),
    el("table", { class: "plays cube" }, cubeHeads(mwc), el("tbody", {}, rows)),
    el(
      "p",
      { class: "facts" },
      el("span", {}, term(t("common.ply", { n: cube.plies }), "ply")),
      el("span", {}, term(t("position.cubeless", { equity: signed(cubeless) }), "cubeless")),
      isFree ? el("span", {}, term(cashWords(cube.cash_points), "cash")) : null,
    ),
    mwc && isFree && cube.plies < SURE_PLY
      ? el("p", { class: "small" }, t("analyse.cube.shallow"))
      : null,
  );
}

/**
 * A position as a decision, for the match winning chances that its equities are worth; null for
 * money.
 *
 * @param {any} cube Its cube decision
 */
export function worthOf({
  match_winning_chances: chances,
  no_double: no,
  double_take: take,
  double_pass: pass,
}) {
  if (!chances) return null;
  // Of the other actions, the one that tells the slope best.
  const [equity, chance] =
    Math.abs(take - no) > Math.abs(pass - no) ? [take, chances[1]] : [pass, chances[2]];
  if (Math.abs(equity - no) < 1e-3) return null;
  const unit = (chance - chances[0]) / (equity - no);
  return /** @type {any} */ ({
    xgid: "",
    mwc_after: chance,
    unit,
    even: chances[0] - unit * no,
    decision: {},
  });
}
