// @ts-check
// The chances of both sides before or after a roll.
import { chancesLine } from "../decision/plays-table.js";
import { post } from "../common/api.js";
import { attempt, el } from "../common/dom.js";
import { percent, signed } from "../common/format.js";
import { isChampion } from "../common/net-name.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { shares } from "./xgid.js";

/**
 * The chances of both sides as one bar: before the roll, or after the best play of a roll.
 *
 * @param {Record<string, number>} before The chances before the roll
 * @param {number} equity Without the cube, before the roll
 * @param {number} depth In plies
 * @param {any} best The best play of a roll; null without one
 */
export function chancesPart(before, equity, depth, best = null) {
  const chances = best?.outcomes ?? before;
  const withoutCube = term(t("position.withoutCube", { equity: signed(equity) }), "cubeless");
  const caption = best
    ? [t("position.afterPlay", { play: best.play }), " · ", t("common.ply", { n: best.plies })]
    : [t("position.beforeRoll"), " · ", withoutCube, " · ", t("common.ply", { n: depth })];
  const parts = shares(chances).map((share, i) => {
    const part = el("span", {
      class: `share ${["own3", "own2", "own1", "other1", "other2", "other3"][i]}`,
    });
    part.style.width = `${100 * share}%`;
    return part;
  });
  return el(
    "div",
    { class: "chances-bar" },
    el(
      "p",
      { class: "row" },
      el("b", {}, t("position.wins", { win: percent(chances.win) })),
      el("span", { class: "soft" }, caption),
    ),
    el("div", { class: "bar-of-shares", "aria-hidden": "true" }, parts),
    chancesLine(chances),
    best
      ? el(
          "p",
          { class: "small soft" },
          t("position.beforeRoll.wins", { win: percent(before.win) }),
          " · ",
          withoutCube,
          " · ",
          t("common.ply", { n: depth }),
        )
      : null,
  );
}

/**
 * What the champion says where another net answers: its chances and its equity.
 *
 * @param {string | undefined} net
 * @param {string} id
 * @param {number} ply
 * @param {boolean} isDead Whether gammons count nothing
 * @param {boolean} isRolled Whether the answer above is one to a roll
 */
export function championPart(net, id, ply, isDead, isRolled) {
  if (!net || isChampion(net)) return "";
  const place = el("p", { class: "small" });
  attempt(async () => {
    const [{ outcomes, equity }] = await post("/evaluate", { ids: [id], ply });
    place.replaceChildren(
      t(isRolled ? "position.champion.beforeRoll" : "position.champion", {
        win: percent(outcomes.win),
        equity: signed(isDead ? 2 * outcomes.win - 1 : equity),
        plies: ply,
      }),
    );
  });
  return place;
}
