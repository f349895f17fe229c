// @ts-check
// Two analyses side by side: of one record at two depths decision by decision, of two matches
// by their figures.
import { el } from "../common/dom.js";
import { decimal, isNothing, recordName, signed } from "../common/format.js";
import { judgeName } from "../common/net-name.js";
import { t } from "../common/words.js";
import { chipOf } from "../common/players.js";
import { betterOf, decisionName } from "../decision/decision-words.js";
import { differences, entriesOf } from "./decisions.js";
import { depthTags, depthWords } from "./depth.js";
import { resultOf } from "./result.js";
import { scoreboard } from "./scoreboard.js";
import { badge } from "../decision/verdict-view.js";

/** A loss that changes by less is the same, in points on a cube at 1. */
const SAME = 0.005;

/** The most decisions that are listed. */
const MOST = 60;

/**
 * The name of a net next to that of another.
 *
 * @param {string} net
 */
const netLabel = (net) => judgeName(net) || t("analyse.champion");

/**
 * @param {any} answer
 * @param {number} which
 * @param {boolean} isNamed Whether the champion is named, too
 * @param {(id: string, match: number) => void} open
 */
function column(answer, which, isNamed, open) {
  const match = answer.matches[which];
  return el(
    "section",
    { class: "card" },
    el("h2", {}, `${match.names[0]} – ${match.names[1]}`),
    el(
      "p",
      { class: "soft" },
      [
        resultOf(match),
        depthWords(match),
        isNamed && !judgeName(match.net) && netLabel(""),
        recordName(answer.row.name),
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    scoreboard(match, entriesOf(match), depthTags(match)),
    el(
      "p",
      {},
      el(
        "button",
        { type: "button", class: "link", onclick: () => open(answer.row.id, which) },
        t("analyse.compare.open"),
      ),
    ),
  );
}

/**
 * @param {any} one
 * @param {any} other
 * @param {number[]} places Their matches
 * @param {(id: string, match: number, place?: { game: number; index: number }) => void} open
 */
export function comparison(one, other, places, open) {
  const [first, second] = [one, other].map(({ matches }, i) =>
    matches[places[i]] ? places[i] : 0,
  );
  const byNets = one.row.net !== other.row.net;
  const columns = el(
    "div",
    { class: "pair" },
    column(one, first, byNets, open),
    column(other, second, byNets, open),
  );
  const [left, right] = [one.matches[first], other.matches[second]];
  const { pairs, same } = differences(left, right);
  if (!same) return [el("p", {}, t("analyse.compare.different")), columns];
  const isOneDepth = left.plies === right.plies;
  // Of one depth and one net, such as two formats of one match, the records have the names.
  const labels = [one, other].map(({ row }, i) =>
    isOneDepth && !byNets
      ? recordName(row.name)
      : [
          byNets ? netLabel(row.net) : "",
          isOneDepth ? "" : t("common.ply", { n: [left, right][i].plies }),
        ]
          .filter(Boolean)
          .join(" · "),
  );
  const differ = pairs.filter(
    ({ change, entry, twin, once }) =>
      once || Math.abs(change) >= SAME || entry.decision.mark !== twin.decision.mark,
  );
  const shown = differ.slice(0, MOST);
  const lost = (/** @type {any} */ decision) =>
    decision.counts
      ? [
          badge(decision.mark),
          !isNothing(decision.loss) ? ` −${decimal(decision.loss, 3)}` : "0",
          el(
            "small",
            {},
            (!isNothing(decision.loss) && betterOf(decision)) || t("analyse.compare.best"),
          ),
        ]
      : el("small", {}, t("analyse.compare.uncounted"));
  const markIn = (/** @type {any} */ { decision }) => (decision.counts ? decision.mark : "");
  const isMarked = (/** @type {(typeof pairs)[number]} */ { entry, twin }) =>
    markIn(entry) !== markIn(twin);
  const rows = shown.map((pair) => {
    const { entry, twin, change } = pair;
    // The page of an analysis has only what counts there.
    const [answer, which, place] = twin.decision.counts
      ? [other, second, twin]
      : [one, first, entry];
    const [game, turn] = [entry.game + 1, entry.decision.roll];
    const link = el(
      "button",
      {
        type: "button",
        class: "link",
        "aria-label": t("analyse.turn", { game, turn }),
        onclick: () => open(answer.row.id, which, place),
      },
      el("span", { class: "wide" }, t("analyse.turn", { game, turn })),
      el("span", { class: "narrow" }, `${game}:${turn}`),
    );
    return el(
      "tr",
      { "data-marked": isMarked(pair) ? "" : null },
      el("th", { scope: "row" }, link),
      el(
        "td",
        {},
        chipOf(left.names, entry.decision.player, left.names[entry.decision.player]),
        el("span", { class: "name" }, left.names[entry.decision.player]),
      ),
      el("td", {}, decisionName(entry.decision)),
      el("td", { class: "n" }, lost(entry.decision)),
      el("td", { class: "n" }, lost(twin.decision)),
      el("td", { class: "n" }, isNothing(change) ? "0" : signed(-change)),
    );
  });
  const counted = [left, right].map(({ summary }) =>
    summary.reduce(
      (/** @type {number} */ sum, /** @type {any} */ { plays, calls }) => sum + plays + calls,
      0,
    ),
  );
  const once = pairs.filter((pair) => pair.once).length;
  const words = [
    t("analyse.compare.counts", {
      left: labels[0],
      right: labels[1],
      one: counted[0],
      other: counted[1],
    }),
    t(differ.length > once ? "analyse.compare.summary" : "analyse.compare.equal", {
      n: differ.length - once,
    }),
    once ? t("analyse.compare.once", { n: once }) : "",
    shown.length < differ.length ? t("analyse.compare.most", { n: MOST }) : "",
  ];
  const heads = [
    t("analyse.joker.when"),
    t("analyse.joker.who"),
    t("analyse.compare.decision"),
    ...labels,
    t("table.difference"),
  ];
  const kinds = ["", "who", "", "n", "n", "n"];
  const table = el(
    "table",
    { class: "sides compared" },
    el("caption", {}, t("analyse.compare.changed")),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        heads.map((head, i) => el("th", { scope: "col", class: kinds[i] }, el("span", {}, head))),
      ),
    ),
    el("tbody", {}, rows),
  );
  const marked = shown.filter(isMarked).length;
  const only = el("input", {
    type: "checkbox",
    onchange: () => {
      for (const row of rows) row.hidden = only.checked && !row.hasAttribute("data-marked");
    },
  });
  const choice =
    marked && marked < shown.length
      ? el("label", { class: "small" }, only, " ", t("analyse.compare.onlyMarks", { n: marked }))
      : null;
  return [
    columns,
    el(
      "section",
      { class: "card" },
      el("p", {}, words.filter(Boolean).join(" ")),
      differ.length
        ? el(
            "p",
            { class: "small" },
            t("analyse.compare.reading"),
            byNets ? ` ${t("analyse.compare.nets")}` : "",
          )
        : null,
      choice,
      differ.length
        ? el(
            "div",
            {
              class: "scroll",
              tabindex: "0",
              role: "region",
              "aria-label": t("analyse.compare.changed"),
            },
            table,
          )
        : null,
    ),
  ];
}
