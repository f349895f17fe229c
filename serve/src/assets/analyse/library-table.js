// @ts-check
// The table of the analyses so far: it is searched, two of them are compared, one is removed.
import { remove } from "../common/api.js";
import { attempt, byId, el } from "../common/dom.js";
import { decimal, momentOf, recordName, signed, written } from "../common/format.js";
import { judgeName, opponentWords } from "../common/net-name.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { isHelpIn } from "../play/half-made.js";
import { shownName } from "../common/players.js";
import { TELLING } from "./rating-scale.js";

/** @typedef {import("./library.js").Owner} Owner */

/**
 * The date of an upload, which its name begins with.
 *
 * @param {string} id
 */
const uploaded = (id) => id.replace(/^(\d{4})(\d\d)(\d\d).*/, "$1-$2-$3");

/**
 * Which analyses are chosen to be compared, each with its match.
 *
 * @type {Map<string, number>}
 */
const chosen = new Map();

/**
 * How deep a record was analysed, and by which net if it is not the champion; empty where nothing
 * is known.
 *
 * @param {any} row
 */
export const howOf = (row) =>
  [row.plies ? t("common.ply", { n: row.plies }) : "", judgeName(row.net)]
    .filter(Boolean)
    .join(" · ");

/** From this number of analyses on, the list has a search field. */
export const MANY = 8;

/** Leaves the rows of the list that have the text in the name of a player or of the file. */
export function find() {
  const field = byId("find");
  const text = field.hidden ? "" : field.value.trim().toLowerCase();
  const rows = [...byId("list").querySelectorAll("tbody tr")];
  for (const row of rows)
    row.hidden = !row.querySelector("[data-names]").dataset.names.toLowerCase().includes(text);
  byId("list").querySelector(".none-found")?.remove();
  if (rows.length && rows.every((row) => row.hidden))
    byId("list").append(
      el(
        "p",
        { class: "empty none-found", role: "status" },
        t("analyse.noneFound", { text: field.value.trim() }),
      ),
    );
}

/**
 * Removes a record and its analysis, if the person is sure.
 *
 * @param {any} row
 * @param {() => unknown} removed
 */
export const removeRow = (row, removed) =>
  attempt(async () => {
    if (
      !confirm(
        t(row.matches.length > 1 ? "analyse.remove.sure.all" : "analyse.remove.sure", {
          name: recordName(row.name),
          n: row.matches.length,
        }),
      )
    )
      return;
    await remove(`/analyses/${row.id}`);
    chosen.delete(row.id);
    await removed();
  });

/**
 * Lets the person search the table, and compare two analyses.
 *
 * @param {Owner} owner
 */
export function prepareTable(owner) {
  byId("find").addEventListener("input", find);
  byId("compare").addEventListener("click", () => {
    const [one, other] = [...chosen];
    if (other) owner.compare(one[0], other[0], [one[1], other[1]]);
  });
}

/**
 * The line of a match, or of a record that has none.
 *
 * @param {any} row
 * @param {any} one The match
 * @param {number} place Its place in the record
 * @param {Owner} owner
 * @param {() => unknown} removed
 */
function line(row, one, place, owner, removed) {
  const luckOf = (/** @type {any} */ { luck: [one, other] }) =>
    `${signed(one, 2)}\u00a0/\u00a0${signed(other, 2)}`;
  const pr = (/** @type {number | null} */ value) => (value === null ? "–" : decimal(value, 1));
  const name = one
    ? one.names
        .map((/** @type {string} */ of) => opponentWords(shownName(of), row.against))
        .join(" – ")
    : recordName(row.name);
  const link = el(
    "a",
    {
      href: `/analyse?id=${row.id}${place ? `&match=${place}` : ""}`,
      onclick: (/** @type {any} */ event) => {
        if (event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        owner.open(row.id, place);
      },
    },
    name,
  );
  const box = el("input", {
    type: "checkbox",
    checked: chosen.get(row.id) === place,
    disabled: row.state !== "done",
    "data-of": row.id,
    "aria-label": t("analyse.choose", {
      name: row.matches.length > 1 ? `${recordName(row.name)}, ${name}` : recordName(row.name),
    }),
    onchange: () => {
      // One match of a file at a time.
      for (const other of byId("list").querySelectorAll(`[data-of="${row.id}"]`))
        if (other !== box) other.checked = false;
      if (box.checked) chosen.set(row.id, place);
      else chosen.delete(row.id);
      showChosen();
    },
  });
  return el(
    "tr",
    {},
    el("td", { class: "pick" }, box),
    el(
      "th",
      { scope: "row", "data-names": `${name} ${recordName(row.name)}` },
      link,
      el(
        "small",
        {},
        recordName(row.name),
        row.matches.length > 1
          ? ` · ${t("analyse.matchOf", { n: place + 1, all: row.matches.length })}`
          : "",
      ),
      el(
        "small",
        { class: "narrow" },
        [howOf(row), written(row.played ?? uploaded(row.id))].filter(Boolean).join(" · "),
      ),
    ),
    el(
      "td",
      {},
      one ? `${one.points[0]} : ${one.points[1]}` : (row.error ?? t(`analyse.state.${row.state}`)),
      one
        ? el("small", {}, one.length ? t("analyse.matchTo", { n: one.length }) : t("analyse.money"))
        : null,
    ),
    el(
      "td",
      { class: "n" },
      one ? el("span", {}, `${pr(one.pr[0])} / ${pr(one.pr[1])}`) : "",
      // A PR of few decisions says how many they are.
      one && Math.min(...one.decisions) < TELLING
        ? el(
            "small",
            { title: t("analyse.few.how") },
            t("analyse.few", { n: one.decisions[0], m: one.decisions[1] }),
          )
        : null,
      one && isHelpIn(row.name) ? el("small", {}, t("rating.withHelp")) : null,
      one ? el("small", { class: "narrow" }, t("analyse.head.luck"), " ", luckOf(one)) : null,
    ),
    el("td", { class: "n wide" }, one ? luckOf(one) : ""),
    el(
      "td",
      { class: "wide" },
      row.plies ? t("common.ply", { n: row.plies }) : "",
      judgeName(row.net) ? el("small", {}, judgeName(row.net)) : null,
    ),
    el(
      "td",
      { class: "wide" },
      written(row.played ?? uploaded(row.id)),
      row.name.endsWith(".mat") && momentOf(row.name)
        ? null
        : el("small", {}, t(row.played ? "analyse.date.file" : "analyse.date.upload")),
    ),
    el(
      "td",
      {},
      el(
        "button",
        {
          type: "button",
          class: "quiet",
          title: t("analyse.remove"),
          "aria-label": t("analyse.remove.of", { name: recordName(row.name) }),
          onclick: () => removeRow(row, removed),
        },
        "×",
      ),
    ),
  );
}

/** The heads of the columns, each with its class. */
const HEADS = [
  ["", ""],
  ["match", ""],
  ["result", ""],
  ["pr", "n"],
  ["luck", "n wide"],
  ["depth", "wide"],
  ["date", "wide"],
  ["", ""],
];

/**
 * The table of analyses, a line for each match.
 *
 * @param {any[]} rows
 * @param {Owner} owner
 * @param {() => unknown} removed Is called after one was removed
 */
export function analyses(rows, owner, removed) {
  const lines = rows.flatMap((row) =>
    (row.matches.length ? row.matches : [null]).map(
      (/** @type {any} */ one, /** @type {number} */ place) =>
        line(row, one, place, owner, removed),
    ),
  );
  return el(
    "table",
    { class: "rows" },
    el("caption", { class: "unseen" }, t("analyse.library")),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        HEADS.map(([key, kind]) =>
          key
            ? el(
                "th",
                { scope: "col", class: kind },
                ["pr", "luck"].includes(key)
                  ? term(t(`analyse.head.${key}`), key)
                  : t(`analyse.head.${key}`),
              )
            : el("td", {}),
        ),
      ),
    ),
    el("tbody", {}, lines),
  );
}

export function showChosen() {
  byId("compare").disabled = chosen.size !== 2;
  byId("compare").title = t("analyse.compare.how");
}
