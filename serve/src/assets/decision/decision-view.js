// @ts-check
// What is known about a decision: its alternatives by the deepest search, and the verdict of the
// other one.
import { el } from "../common/dom.js";
import { decimal, signed } from "../common/format.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { SURE_PLY, cube } from "./cube-table.js";
import { isToOne } from "./decision.js";
import { plays } from "./plays-table.js";
import { verdict } from "./verdict-view.js";

/** @typedef {import("./decision.js").Decision} Decision */

/**
 * @param {Decision} decision
 * @param {(play: any, keep: boolean) => void} look
 * @param {Decision | null} other
 */
const alternatives = (decision, look, other) =>
  decision.decision.plays ? plays(decision, look, false, other) : cube(decision);

/**
 * What the deepest search says, and below it the verdict of the other one.
 *
 * @param {Decision} decision
 * @param {{
 *   plies: number;
 *   cubePlies: number;
 *   inMatch: boolean;
 *   deeper: { plies: number; analysed: Decision } | null;
 *   look: (play: import("./decision.js").Play | null, keep: boolean) => void;
 * }} given
 */
export function decisionView(decision, { plies: depth, cubePlies, inMatch, deeper, look }) {
  const what = decision.decision;
  const own = { plies: what.plays ? depth : cubePlies, analysed: decision };
  const [deepest, other] = deeper && deeper.plies > own.plies ? [deeper, own] : [own, deeper];
  /** @type {any[]} */
  const facts = [term(t("analyse.ofClass", { name: t(`class.${decision.class}`) }), "class")];
  if (what.plays) {
    facts.push(t("analyse.legal", { n: what.legal ?? 0 }));
    const share = 100 * (what.luck ?? 0) * (decision.unit ?? 0);
    // What is rounded to 0 has no sign: the luck in points may have the other one.
    const worth = inMatch
      ? ` (${Math.abs(share) < 0.05 ? decimal(0, 1) : signed(share, 1)} % ${t("analyse.mwc")})`
      : "";
    facts.push(
      isToOne(decision)
        ? term(t("analyse.luckOfRoll", { luck: `${signed(share, 1)} %` }), "luckMwc")
        : term(
            `${t("analyse.luckOfRoll", { luck: signed(what.luck ?? 0) })}${worth}`,
            inMatch ? "luckMwc" : "luck",
          ),
    );
  }
  return el(
    "div",
    { class: "decision" },
    el(
      "section",
      { class: deeper ? "deeper" : null },
      alternatives(deepest.analysed, look, other?.analysed ?? null),
      other
        ? el(
            "details",
            { class: "before" },
            el("summary", {}, t(other === own ? "analyse.before" : "analyse.before.less")),
            verdict({ ...other, games: null }, inMatch),
          )
        : null,
    ),
    inMatch && !what.plays && deepest.plies < SURE_PLY
      ? el("p", { class: "small" }, t("analyse.cube.shallow"))
      : null,
    el(
      "p",
      { class: "facts" },
      facts.map((fact) => el("span", {}, fact)),
    ),
  );
}
