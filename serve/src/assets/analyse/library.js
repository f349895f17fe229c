// @ts-check
// The library: uploads, the analyses so far, and what they say about a player over time.
import { Refused, get, remove, upload } from "../common/api.js";
import { lineChart } from "../common/chart.js";
import { attempt, byId, el, empty, sentence } from "../common/dom.js";
import {
  decimal,
  momentOf,
  percent,
  reasonOf,
  recordName,
  signed,
  written,
} from "../common/format.js";
import { host, query } from "../common/host.js";
import { KEPT, keepOwn, ownAnalyses } from "../common/own.js";
import { term } from "../common/terms.js";
import { known, t } from "../common/words.js";
import { judgeName, netOptions, opponentWords } from "../common/net-name.js";
import { isHelpIn } from "../play/half-made.js";
import { seatOfPerson, shownName } from "./board-view.js";
import { TELLING as MANY_DECISIONS, ratingScale } from "./rating-scale.js";
import { prCell } from "./summary.js";

/**
 * The date of an upload, which its name begins with.
 *
 * @param {string} id
 */
const uploaded = (id) => id.replace(/^(\d{4})(\d\d)(\d\d).*/, "$1-$2-$3");

/** Which analyses are chosen to be compared, each with its match. @type {Map<string, number>} */
const chosen = new Map();

/**
 * @typedef {{
 *   open: (id: string, match?: number) => void;
 *   compare: (one: string, other: string, places: number[]) => void;
 *   player: string | null;
 *   choosePlayer: (name: string) => void;
 * }} Owner
 */

/**
 * The place for files: drop, choose, how deep and by which net.
 *
 * @param {any} server
 * @param {string[]} nets
 * @param {Owner} owner
 */
export function prepareUploads(server, nets, owner) {
  byId("net").replaceChildren(...netOptions(nets));
  byId("net-label").hidden = nets.length < 2;
  const wanted = query().get("net");
  if (wanted && nets.includes(wanted)) byId("net").value = wanted;
  const depth = byId("depth");
  depth.replaceChildren(
    ...[1, 2, 3, 4].map((n) =>
      el(
        "option",
        { value: n, selected: n === server.ply },
        `${t("common.ply", { n })} · ${t(`analyse.depth.${n}`)}`,
      ),
    ),
  );
  byId("formats").replaceChildren(
    ...server.formats.map((/** @type {any} */ format) =>
      el(
        "li",
        {},
        el("b", {}, format.endings.join(", ")),
        ` ${sentence(known(`format.${format.code}`) ?? format.name)}`,
      ),
    ),
  );
  byId("formats").append(
    el("li", {}, el("b", {}, ".xgp"), ` ${sentence(t("analyse.formats.position"))}`),
  );
  /** Sends a file. The page of positions opens if it is the only one and holds a position. */
  const send = async (/** @type {File} */ file, /** @type {boolean} */ isAlone) => {
    try {
      return await upload(
        `/analyses?name=${encodeURIComponent(file.name)}&ply=${depth.value}&net=${encodeURIComponent(byId("net").value)}`,
        file,
      );
    } catch (error) {
      const { position } = /** @type {import("../common/api.js").Refused} */ (error);
      if (!position || !isAlone) throw error;
      host.go(`/position?id=${encodeURIComponent(position)}`);
      return undefined;
    }
  };
  const take = async (/** @type {File[]} */ files) => {
    /** @type {[string, string, string?][]} */
    const refused = [];
    showRefused(refused, files.length);
    for (const file of files) {
      const row = await attempt(() =>
        send(file, files.length === 1).catch((error) => {
          // What the file itself is to blame for has a line of its own.
          if (!(error instanceof Refused) || [0, 401].includes(error.status)) throw error;
          refused.push([file.name, error.message, error.position]);
        }),
      );
      if (row) keepOwn("analyses", row.id);
      if (row && files.length === 1) return owner.open(row.id);
      showRefused(refused, files.length);
    }
    return showLibrary(owner);
  };
  byId("files").addEventListener("change", (/** @type {any} */ event) => {
    const files = [...event.target.files];
    // The same file may be chosen again.
    event.target.value = "";
    take(files);
  });
  const drop = byId("drop");
  for (const name of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(name, (/** @type {any} */ event) => {
      event.preventDefault();
      drop.classList.toggle("over", name === "dragover");
      if (name === "drop") take([...event.dataTransfer.files]);
    });
  }
  byId("sample").addEventListener("click", () =>
    attempt(async () => {
      const sample = (await import("./sample.js")).default;
      await take([new File([sample], t("analyse.sampleName"))]);
    }),
  );
  byId("find").addEventListener("input", find);
  byId("compare").addEventListener("click", () => {
    const [one, other] = [...chosen];
    if (other) owner.compare(one[0], other[0], [one[1], other[1]]);
  });
}

/** What the server says about a file that is no match. */
const UNKNOWN_FORMAT = "unknown record format";

/**
 * The files of an upload that are not analysed, each with its reason, until the next upload.
 *
 * @param {[string, string, string?][]} refused Names, messages, and the position of a file that
 *   holds one
 * @param {number} all Files of the upload
 */
function showRefused(refused, all) {
  const place = byId("refused");
  place.hidden = refused.length === 0;
  const close = el(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": t("common.close"),
      title: t("common.close"),
      onclick: () => {
        place.hidden = true;
      },
    },
    "×",
  );
  const reason = (/** @type {string} */ name, /** @type {string} */ message) =>
    message.includes(UNKNOWN_FORMAT) ? t("analyse.unknownFormat") : reasonOf(name, message);
  const link = (/** @type {string | undefined} */ position) =>
    position
      ? el("a", { href: `/position?id=${encodeURIComponent(position)}` }, t("analyse.openPosition"))
      : null;
  // A position is no fault: it has a page of its own.
  const positions = refused.filter(([, , position]) => position);
  const faults = refused.filter(([, , position]) => !position);
  const [first] = faults;
  place.classList.toggle("refused", faults.length > 0);
  const ofPositions = positions.map(([name, , position]) =>
    el("p", {}, el("b", {}, name), ": ", t("analyse.holdsPosition"), " ", link(position)),
  );
  if (!first)
    return place.replaceChildren(el("div", { class: "row" }, el("div", {}, ofPositions), close));
  place.replaceChildren(
    el(
      "div",
      { class: "row" },
      el(
        "b",
        {},
        all === 1
          ? t("analyse.refused.one", { name: first[0] })
          : t("analyse.refused", { n: faults.length, all }),
      ),
      close,
    ),
    all === 1
      ? el("p", {}, sentence(reason(first[0], first[1])))
      : el(
          "ul",
          {},
          faults.map(([name, message]) =>
            el("li", {}, el("b", {}, name), ": ", reason(name, message)),
          ),
        ),
    ...ofPositions,
  );
}

/**
 * When and how far each analysis at work was first seen. @type {Map<string, { at: number, done:
 * number }>}
 */
const firstSeen = new Map();

/** From such a share on, its progress tells how long an analysis takes. */
const TELLING = 0.05;

/**
 * About how long an analysis still takes, in words; nothing while too little is known.
 *
 * @param {any} row
 */
function leftOf({ id, done, total }) {
  const now = performance.now();
  const first = firstSeen.get(id) ?? { at: now, done };
  firstSeen.set(id, first);
  if (done - first.done < TELLING * total) return "";
  const seconds = ((now - first.at) / 1000) * ((total - done) / (done - first.done));
  return ` · ${seconds < 90 ? t("analyse.left.seconds", { n: Math.max(1, Math.round(seconds)) }) : t("analyse.left.minutes", { n: Math.round(seconds / 60) })}`;
}

/**
 * How deep a record was analysed, and by which net if it is not the champion; empty where nothing
 * is known.
 *
 * @param {any} row
 */
const howOf = (row) =>
  [row.plies ? t("common.ply", { n: row.plies }) : "", judgeName(row.net)]
    .filter(Boolean)
    .join(" · ");

/** @param {any} row */
const progressOf = (row) =>
  el(
    "div",
    { class: "card job" },
    el(
      "p",
      {},
      el("b", {}, recordName(row.name)),
      ` · ${row.done ? t("analyse.working", { percent: percent(row.done / Math.max(1, row.total), 0) }) : t("analyse.waits")}${leftOf(row)}${howOf(row) ? ` · ${howOf(row)}` : ""}`,
    ),
    el("progress", { max: row.total, value: row.done, "aria-label": recordName(row.name) }),
  );

/** From this number of analyses on, the list has a search field. */
const MANY = 8;

/** Leaves the rows of the list that have the text in the name of a player or of the file. */
function find() {
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

/** Counts the questions: an answer that is older than the last question is dropped. */
const round = { list: 0, player: 0 };

/** Whether the list has all analyses of the server, not this browser's alone. */
let showsAll = false;

/**
 * Draws everything, and again while an analysis is at work.
 *
 * @param {Owner} owner
 */
export async function showLibrary(owner) {
  round.list += 1;
  const own = round.list;
  const found = await attempt(() => get("/analyses"));
  if (!found || own !== round.list) return;
  const mine = ownAnalyses(found);
  const rows = showsAll ? found : mine;
  showSwitch(found.length, mine.length, owner);
  const working = rows.filter((/** @type {any} */ row) => row.state === "working");
  // Of many files, those that wait are a number.
  const waiting = working.filter((/** @type {any} */ row) => !row.done).slice(1);
  byId("jobs").replaceChildren(
    ...working.filter((/** @type {any} */ row) => !waiting.includes(row)).map(progressOf),
    ...(waiting.length
      ? [
          el(
            "p",
            {
              class: "small",
              title: waiting.map((/** @type {any} */ row) => recordName(row.name)).join(", "),
            },
            t("analyse.waiting", { n: waiting.length }),
          ),
        ]
      : []),
  );
  const done = rows.filter((/** @type {any} */ row) => row.state !== "working");
  byId("list").replaceChildren(
    ...(done.length
      ? [analyses(done, owner)]
      : found.length && !rows.length
        ? [empty(t("analyse.noOwn"))]
        : []),
  );
  byId("list-head").hidden = !done.length && found.length === rows.length;
  byId("find").hidden = done.length < MANY;
  find();
  byId("first").hidden = rows.length > 0;
  showChosen();
  // The figures of another net are no measure of play.
  const rated = done.filter((/** @type {any} */ row) => !judgeName(row.net));
  if (rated.length) await showPlayer(owner, playersIn(rated), rated, done.length - rated.length);
  else byId("player").hidden = true;
  if (working.length)
    setTimeout(() => {
      if (!byId("library").hidden && own === round.list) showLibrary(owner);
    }, 500);
}

/**
 * The switch between this browser's analyses and all of the server.
 *
 * @param {number} all
 * @param {number} own
 * @param {Owner} owner
 */
function showSwitch(all, own, owner) {
  const button = byId("all-analyses");
  button.hidden = all === own;
  button.setAttribute("aria-pressed", `${showsAll}`);
  button.textContent = t("analyse.all", { n: all });
  button.onclick = () => {
    showsAll = !showsAll;
    showLibrary(owner);
  };
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

/** A PR of fewer decisions says how many they are. */
const FEW = MANY_DECISIONS;

/**
 * @param {any[]} rows
 * @param {Owner} owner
 */
function analyses(rows, owner) {
  const luckOf = (/** @type {any} */ { luck: [one, other] }) =>
    `${signed(one, 2)}\u00a0/\u00a0${signed(other, 2)}`;
  const pr = (/** @type {number | null} */ value) => (value === null ? "–" : decimal(value, 1));
  const lines = rows.flatMap((row) =>
    (row.matches.length ? row.matches : [null]).map(
      (/** @type {any} */ one, /** @type {number} */ place) => {
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
            name:
              row.matches.length > 1 ? `${recordName(row.name)}, ${name}` : recordName(row.name),
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
            one
              ? `${one.points[0]} : ${one.points[1]}`
              : (row.error ?? t(`analyse.state.${row.state}`)),
            one
              ? el(
                  "small",
                  {},
                  one.length ? t("analyse.matchTo", { n: one.length }) : t("analyse.money"),
                )
              : null,
          ),
          el(
            "td",
            { class: "n" },
            one ? el("span", {}, `${pr(one.pr[0])} / ${pr(one.pr[1])}`) : "",
            one && Math.min(...one.decisions) < FEW
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
                onclick: () => removeRow(row, () => showLibrary(owner)),
              },
              "×",
            ),
          ),
        );
      },
    ),
  );
  const heads = [
    ["", ""],
    ["match", ""],
    ["result", ""],
    ["pr", "n"],
    ["luck", "n wide"],
    ["depth", "wide"],
    ["date", "wide"],
    ["", ""],
  ];
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
        heads.map(([key, kind]) =>
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

function showChosen() {
  byId("compare").disabled = chosen.size !== 2;
  byId("compare").title = t("analyse.compare.how");
}

/**
 * The players of analyses, the person first, then the one with the most decisions. A name is one
 * player in small and capital letters, and has the spelling of most of its matches.
 *
 * @param {any[]} rows
 * @returns {string[]}
 */
export function playersIn(rows) {
  /**
   * @typedef {{ spellings: string[]; decisions: Map<string, number> }} Counted @type {Map<string,
   *   Counted>}
   */
  const players = new Map();
  for (const { names, decisions, points, luck } of rows.flatMap((row) => row.matches)) {
    for (const [i, name] of names.entries()) {
      const one =
        players.get(name.toLowerCase()) ??
        /** @type {Counted} */ ({ spellings: [], decisions: new Map() });
      one.spellings.push(name);
      // Two analyses of a match count once; all measure its luck alike.
      const key =
        `${names} ${points} ${luck.map((/** @type {number} */ of) => of.toFixed(3))}`.toLowerCase();
      one.decisions.set(key, Math.max(one.decisions.get(key) ?? 0, decisions[i]));
      players.set(name.toLowerCase(), one);
    }
  }
  const uses = (/** @type {string[]} */ all, /** @type {string} */ name) =>
    all.filter((one) => one === name).length;
  const listed = [...players.values()].map(({ spellings, decisions }) => ({
    name: [...spellings].sort((a, b) => uses(spellings, b) - uses(spellings, a))[0],
    n: [...decisions.values()].reduce((sum, some) => sum + some, 0),
  }));
  const isOther = (/** @type {string} */ name) => Number(seatOfPerson([name]) !== "first");
  return listed
    .sort((a, b) => isOther(a.name) - isOther(b.name) || b.n - a.n)
    .map(({ name }) => name);
}

/**
 * The button by which the person says that a player is them. A name that they have played under
 * needs none.
 *
 * @param {string} name
 * @param {() => unknown} changed
 */
function showPerson(name, changed) {
  const button = byId("this-is-me");
  const isMe = localStorage.getItem(KEPT.person)?.toLowerCase() === name.toLowerCase();
  button.hidden = !isMe && seatOfPerson([name]) === "first";
  button.setAttribute("aria-pressed", `${isMe}`);
  button.onclick = () => {
    if (isMe) localStorage.removeItem(KEPT.person);
    else localStorage.setItem(KEPT.person, name);
    changed();
  };
}

/**
 * The figures of a player, who is chosen once and kept by the browser; else of the first of those
 * in the list.
 *
 * @param {Owner} owner
 * @param {string[]} listed
 * @param {any[]} rows
 * @param {number} others Analyses by other nets, which do not count
 */
async function showPlayer(owner, listed, rows, others) {
  const wanted = owner.player ?? localStorage.getItem(KEPT.player) ?? listed[0];
  round.player += 1;
  const own = round.player;
  const answer = await attempt(() =>
    get(`/library${wanted ? `?player=${encodeURIComponent(wanted)}` : ""}`),
  );
  if (!answer) return;
  const { player } = answer.player || !wanted ? answer : await get("/library");
  // Somebody else was chosen meanwhile.
  if (own !== round.player) return;
  byId("player").hidden = !player;
  if (!player) return;
  const who = byId("who");
  const same = (/** @type {string} */ one, /** @type {string} */ other) =>
    one.toLowerCase() === other.toLowerCase();
  const players = [
    ...listed,
    ...(listed.some((name) => same(name, player.name)) ? [] : [player.name]),
  ];
  const matchesOf = (/** @type {string} */ name) =>
    answer.players.find((/** @type {any} */ one) => same(one.name, name))?.matches ?? 0;
  who.replaceChildren(
    ...players.map((name) =>
      el(
        "option",
        { value: name, selected: same(name, player.name) },
        `${shownName(name)} (${matchesOf(name)})`,
      ),
    ),
  );
  showPerson(player.name, () => showLibrary(owner));
  who.onchange = () => {
    localStorage.setItem(KEPT.player, who.value);
    owner.choosePlayer(who.value);
    showPlayer(owner, listed, rows, others);
  };
  const total = player.total;
  byId("player-total").replaceChildren(
    prCell(total, true),
    el("br"),
    el(
      "span",
      { class: "small" },
      t("analyse.player.over", { n: total.decisions, matches: player.matches.length }),
    ),
  );
  const entries = rows
    .flatMap((row) => row.matches)
    .filter(({ names }) =>
      names.some((/** @type {string} */ name) => name.toLowerCase() === player.name.toLowerCase()),
    ).length;
  if (entries > player.matches.length)
    byId("player-total").append(el("br"), el("span", { class: "small" }, t("analyse.player.once")));
  if (others)
    byId("player-total").append(
      el("br"),
      el("span", { class: "small" }, t("analyse.player.champion")),
    );
  byId("player-rating").replaceChildren(ratingScale(total.pr, total.decisions));
  byId("over-time").replaceChildren(overTime(player));
  byId("by-kind").replaceChildren(
    ratings(
      t("analyse.player.kinds"),
      player.kinds.filter((/** @type {any} */ one) => one.rating.decisions),
      (one) => [
        t(`analyse.group.${one.kind.replace(" ", "")}`),
        `${one.rating.decisions}`,
        prCell(one.rating, true),
      ],
      ["kind", "decisions", "pr"],
    ),
  );
  byId("by-opponent").replaceChildren(
    ratings(
      t("analyse.player.opponents"),
      player.opponents,
      (one) => [
        opponentWords(shownName(one.name), one.against),
        !one.ended
          ? t("analyse.player.noneEnded", { n: one.matches })
          : one.ended < one.matches
            ? t("analyse.player.wonOf", { won: one.won, ended: one.ended, matches: one.matches })
            : `${one.won} / ${one.matches}`,
        prCell(one.own, true),
        prCell(one.theirs, true),
      ],
      ["opponent", "won", "pr", "theirs"],
    ),
  );
}

/**
 * @param {string} caption
 * @param {any[]} rows
 * @param {(row: any) => any[]} cells
 * @param {string[]} heads
 */
const ratings = (caption, rows, cells, heads) =>
  el(
    "table",
    { class: "sides" },
    el("caption", {}, caption),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        heads.map((key) => el("th", { scope: "col" }, t(`analyse.head.${key}`))),
      ),
    ),
    el(
      "tbody",
      {},
      rows.map((row) =>
        el(
          "tr",
          {},
          cells(row).map((cell, i) => el(i ? "td" : "th", i ? {} : { scope: "row" }, cell)),
        ),
      ),
    ),
  );

/**
 * PR over dates, with the band of the last ten matches.
 *
 * @param {any} player
 */
function overTime(player) {
  const known = player.matches.filter((/** @type {any} */ one) => one.rating.pr !== null);
  if (known.length < 2) return el("p", { class: "small" }, t("analyse.player.few"));
  // Matches of one day stand beside each other.
  const seconds = known.map((/** @type {any} */ one) => Date.parse(one.date) / 1000);
  const sameDay =
    seconds.every((/** @type {number} */ at) => at === seconds[0]) || seconds.some(Number.isNaN);
  const per = new Map();
  const at = known.map((/** @type {any} */ _, /** @type {number} */ i) => {
    if (sameDay) return i + 1;
    const n = per.get(seconds[i]) ?? 0;
    per.set(seconds[i], n + 1);
    return seconds[i] + n * 3600;
  });
  const single = known.map((/** @type {any} */ one, /** @type {number} */ i) => [
    at[i],
    one.rating.pr,
  ]);
  const enough = (/** @type {any} */ one) => one.recent.decisions >= FEW && one.recent.pr !== null;
  const recent = known
    .map((/** @type {any} */ one, /** @type {number} */ i) =>
      enough(one)
        ? [at[i], one.recent.pr, one.recent.interval ? one.recent.interval[1] - one.recent.pr : 0]
        : null,
    )
    .filter(Boolean);
  const lines = [
    { name: t("analyse.player.last"), points: recent, colour: 0 },
    { name: t("analyse.player.each"), points: single, dots: true, line: false, colour: 1 },
  ].filter(({ points }) => points.length > 0);
  return lineChart({
    title: recent.length
      ? t("analyse.player.overTime")
      : t("analyse.player.overTime.few", { n: FEW }),
    x: !sameDay
      ? t("analyse.player.dates")
      : Number.isNaN(seconds[0])
        ? t("analyse.player.matches")
        : t("analyse.player.matchesOn", { date: written(known[0].date) }),
    y: "PR",
    dated: !sameDay,
    whole: sameDay,
    zero: true,
    series: lines,
    wide: Math.max(280, byId("over-time").clientWidth || 640),
  });
}
