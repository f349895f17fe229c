// @ts-check
// The matches of the server in the list of the first view, with their nets and PRs.
import { SERVER, isChampion, netName } from "../common/net-name.js";
import { byId, el, empty } from "../common/dom.js";
import { decimal, momentOf } from "../common/format.js";
import { keepText } from "../common/own.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { shownName } from "../common/players.js";
import { helpIn, isHelp } from "./half-made.js";
import { levelName } from "./levels.js";

/**
 * What this browser keeps as JSON; nothing where that cannot be read.
 *
 * @param {string | null} text
 * @returns {Record<string, string>}
 */
export function readKept(text) {
  try {
    return JSON.parse(text ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** The nets of matches, by their names: the list of the server does not tell them. */
const NETS = "nonet-match-nets";

/**
 * Keeps the net of a match for the list of matches.
 *
 * @param {import("./views.js").MatchView} view
 */
export function keepNet({ id, net }) {
  const kept = readKept(localStorage.getItem(NETS));
  if (isChampion(net) === !(id in kept)) return;
  keepText(NETS, JSON.stringify({ ...kept, [id]: net }));
}

/**
 * The nets of the matches that there are.
 *
 * @param {import("./views.js").MatchRow[]} rows
 */
export function keptNets(rows) {
  const kept = readKept(localStorage.getItem(NETS));
  const there = Object.fromEntries(rows.flatMap(({ id }) => (id in kept ? [[id, kept[id]]] : [])));
  if (Object.keys(there).length < Object.keys(kept).length) keepText(NETS, JSON.stringify(there));
  return there;
}

/**
 * The opponent of a match in the list.
 *
 * @param {import("./views.js").MatchRow} row
 * @param {Record<string, string>} nets
 */
export function opponent({ id, names, level }, nets) {
  if (names[1] !== SERVER) return names[1];
  return `${names[1]}, ${nets[id] ? t("play.netWord", { net: netName(nets[id]) }) : levelName(level)}`;
}

/**
 * The score of a match, no higher than its length.
 *
 * @param {import("./views.js").MatchRow} row
 */
export const scoreOf = ({ score, length }) => ({
  own: Math.min(score[0], length ?? Infinity),
  other: Math.min(score[1], length ?? Infinity),
});

/**
 * The newest analysis of each match, and the PR of its first player.
 *
 * @typedef {Map<string, { id: string; pr: number | null }>} Analysed
 */

/**
 * The analyses of the matches of this server: the record of a match has its name.
 *
 * @param {{
 *   id: string;
 *   name: string;
 *   state: string;
 *   net: string;
 *   matches: { pr: (number | null)[] }[];
 * }[]} analyses
 *   The newest first
 * @returns {Analysed}
 */
export const analysedOf = (analyses) =>
  new Map(
    analyses
      .filter(
        ({ name, state, net }) =>
          state === "done" && isChampion(net) && momentOf(name) && name.endsWith(".mat"),
      )
      .reverse()
      .map(({ id, name, matches: [match] }) => [
        name.slice(0, -4),
        { id, pr: match?.pr[0] ?? null },
      ]),
  );

/**
 * @param {import("./views.js").MatchRow[]} rows
 * @param {Record<string, string>} nets
 * @param {Analysed} analysed
 * @param {(address: string) => void} go
 */
function matchesOf(rows, nets, analysed, go) {
  if (!rows.length) return empty(t("play.noMatches"));
  const hasAnalyses = rows.some((row) => prOf(row, analysed));
  const cells = rows.map((row) => {
    const { own, other } = scoreOf(row);
    const address = `/?match=${encodeURIComponent(row.id)}`;
    const link = el(
      "a",
      {
        href: address,
        onclick: (/** @type {MouseEvent} */ event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          go(address);
        },
      },
      t(row.over ? "play.look" : "play.goOn"),
    );
    return [
      link,
      el("span", {}, opponent(row, nets)),
      t(row.names[1] === SERVER ? "play.scoreAlone" : "play.score", {
        own: shownName(row.names[0]),
        ownPoints: own,
        otherPoints: other,
        other: row.names[1],
        length: row.length ? t("play.lengthTo", { n: row.length }) : t("play.lengthMoney"),
      }),
      el("span", {}, momentOf(row.id) ?? row.id),
      ...(hasAnalyses ? [prOf(row, analysed)] : []),
    ];
  });
  return table(
    t("play.matches"),
    [
      "",
      ...["opponent", "score", "begun"].map((name) => t(`play.column.${name}`)),
      ...(hasAnalyses ? [term(t("play.column.pr"), "pr")] : []),
    ],
    cells,
  );
}

/**
 * The PR of a match against the program, which leads to its analysis.
 *
 * @param {import("./views.js").MatchRow} row
 * @param {Analysed} analysed
 */
function prOf({ id, names }, analysed) {
  const found = names[1] === SERVER ? analysed.get(id) : null;
  return found && found.pr !== null
    ? el(
        "span",
        {},
        el("a", { href: `/analyse?id=${encodeURIComponent(found.id)}` }, decimal(found.pr, 1)),
        isHelp(helpIn(id)) ? el("small", { class: "soft" }, ` ${t("rating.withHelp")}`) : null,
      )
    : "";
}

/** Whether the list has all matches of the server, not this browser's alone. */
let showsAll = false;

/**
 * The own matches; a switch shows all of the server.
 *
 * @param {import("./views.js").MatchRow[]} rows
 * @param {import("./views.js").MatchRow[]} own
 * @param {Record<string, string>} nets
 * @param {Analysed} analysed
 * @param {(address: string) => void} go
 */
export function showMatches(rows, own, nets, analysed, go) {
  byId("matches").replaceChildren(matchesOf(showsAll ? rows : own, nets, analysed, go));
  const ended = own.filter(({ over, names }) => over && names[1] === SERVER);
  byId("won").textContent = ended.length
    ? t("play.wonOf", {
        n: ended.filter(({ score }) => score[0] > score[1]).length,
        all: ended.length,
      })
    : "";
  const all = byId("all-matches");
  all.hidden = rows.length === own.length;
  all.setAttribute("aria-pressed", `${showsAll}`);
  all.textContent = t("play.allMatches", { n: rows.length });
  all.onclick = () => {
    showsAll = !showsAll;
    showMatches(rows, own, nets, analysed, go);
  };
}
