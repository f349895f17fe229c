// @ts-check
// The first view: a board, one button, and the matches of this server.
import { SERVER, isChampion, learnTitles, netName, netOptions } from "../common/net-name.js";
import { get, post } from "../common/api.js";
import { hasCube } from "../common/cube-words.js";
import { attempt, byId, el, empty, entitle, say } from "../common/dom.js";
import { decimal, momentOf } from "../common/format.js";
import { query } from "../common/host.js";
import { keepOwn, ownOf } from "../common/own.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { SETTINGS, choose, onChange, setting } from "../common/settings.js";
import { known, t } from "../common/words.js";
import { keptName, shownName } from "../analyse/board-view.js";
import { Board } from "../board/board.js";
import { START } from "../board/position.js";
import { CLOCKS, clockWords, setClock } from "./clock.js";
import { helpIn, isHelp } from "./half-made.js";

/** Lengths in the list; a field under More takes any other. */
const LENGTHS = [1, 3, 5, 7];
/** The level to begin with. */
const FIRST_LEVEL = "newcomer";
const CHOICES = "nonet-match";
const KEPT = ["level", "length", "points", "name", "clock", "ply", "net"];

/** @type {Board | null} */
let board = null;

/**
 * A level in the person's language.
 *
 * @param {string} name
 */
export const levelName = (name) => known(`level.${name}`) ?? name;

/** The nets of matches, by their names: the list of the server does not tell them. */
const NETS = "nonet-match-nets";

/**
 * Keeps the net of a match for the list of matches.
 *
 * @param {import("./views.js").MatchView} view
 */
export function keepNet({ id, net }) {
  const kept = read(localStorage.getItem(NETS));
  if (isChampion(net) === !(id in kept)) return;
  localStorage.setItem(NETS, JSON.stringify({ ...kept, [id]: net }));
}

/**
 * The nets of the matches that there are.
 *
 * @param {import("./views.js").MatchRow[]} rows
 */
function keptNets(rows) {
  const kept = read(localStorage.getItem(NETS));
  const there = Object.fromEntries(rows.flatMap(({ id }) => (id in kept ? [[id, kept[id]]] : [])));
  if (Object.keys(there).length < Object.keys(kept).length)
    localStorage.setItem(NETS, JSON.stringify(there));
  return there;
}

/**
 * The opponent of a match in the list.
 *
 * @param {import("./views.js").MatchRow} row
 * @param {Record<string, string>} nets
 */
function opponent({ id, names, level }, nets) {
  if (names[1] !== SERVER) return names[1];
  return `${names[1]}, ${nets[id] ? t("play.netWord", { net: netName(nets[id]) }) : levelName(level)}`;
}

/**
 * The score of a match, no higher than its length.
 *
 * @param {import("./views.js").MatchRow} row
 */
const scoreOf = ({ score, length }) => ({
  own: Math.min(score[0], length ?? Infinity),
  other: Math.min(score[1], length ?? Infinity),
});

/**
 * @param {string | null} text
 * @returns {Record<string, string>}
 */
function read(text) {
  try {
    return JSON.parse(text ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/**
 * @typedef {Map<string, { id: string; pr: number | null }>} Analysed The newest analysis of each
 *   match, and the PR of its first player
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
function showMatches(rows, own, nets, analysed, go) {
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

/** The net that the address asks for, as the training room writes it. */
const wantedNet = () => query().get("net");

/**
 * Fills the choices once the server has said what there is.
 *
 * @param {any} there
 */
function fill(there) {
  const kept = read(localStorage.getItem(CHOICES));
  const wanted = wantedNet();
  const isWanted = wanted !== null && there.nets.includes(wanted);
  if (isWanted)
    Object.assign(kept, {
      net: wanted,
      level: there.levels.at(-1).name,
      ply: query().get("ply") ?? kept.ply,
    });
  /**
   * @param {string} id
   * @param {[string | number, string][]} options
   * @param {string} usual
   */
  const options = (id, options, usual) => {
    const chosen = kept[byId(id).name] ?? usual;
    byId(id).replaceChildren(
      ...options.map(([value, text]) =>
        el("option", { value, selected: `${value}` === chosen }, text),
      ),
    );
  };
  byId("levels").replaceChildren(...levelOptions(there.levels, kept.level ?? FIRST_LEVEL));
  byId("nets").replaceChildren(...netOptions(there.nets, kept.net ?? "champion"));
  options(
    "lengths",
    [
      ...LENGTHS.map((n) => /** @type {[number, string]} */ ([n, t("play.toPoints", { n })])),
      [0, t("play.money")],
    ],
    "3",
  );
  options(
    "plies",
    [1, 2, 3].map((n) => [n, t("play.plies", { n })]),
    "3",
  );
  options(
    "clocks",
    CLOCKS.map((name) => [name, clockWords(name, 1)]),
    "none",
  );
  byId("tutors").replaceChildren(
    ...SETTINGS.tutor.map((value) =>
      el("option", { value, selected: value === setting("tutor") }, t(`settings.tutor.${value}`)),
    ),
  );
  if (wanted !== null && !isWanted)
    say(t("net.gone", { name: wanted, used: netName(byId("nets").value, there.nets) }));
  for (const name of ["name", "points"])
    byId("new").querySelector(`[name=${name}]`).value = kept[name] ?? "";
  shown();
}

/**
 * Whether a level errs like people.
 *
 * @param {{ name: string }} level
 */
const isLikePeople = ({ name }) => name.startsWith("human-");

/**
 * The next stronger level of the same group; the strongest one ends both.
 *
 * @param {{ name: string; pr: number | null }[]} levels
 * @param {string} name
 */
export function levelAfter(levels, name) {
  const group = levels.filter(
    (level) => level.pr === null || isLikePeople(level) === isLikePeople({ name }),
  );
  const at = group.findIndex((level) => level.name === name);
  return at < 0 ? null : (group[at + 1]?.name ?? null);
}

/**
 * The levels in the order of their strength, as the server has them.
 *
 * @param {{ name: string; pr: number | null }[]} levels
 * @param {string} chosen
 * @param {boolean} advises Whether the level to begin with says so
 */
export function levelOptions(levels, chosen, advises = true) {
  const option = (/** @type {{ name: string; pr: number | null }} */ { name, pr }) => {
    // The name of a level like people has its PR.
    const words = isLikePeople({ name })
      ? levelName(name)
      : t(pr ? "level.pr" : "level.best", { name: levelName(name), pr: Math.round(pr ?? 0) });
    return el(
      "option",
      { value: name, selected: name === chosen },
      advises && name === FIRST_LEVEL ? t("level.first", { level: words }) : words,
    );
  };
  return levels.map(option);
}

/**
 * The level to go on to: the one after that of the newest own match, if it was won against a level.
 *
 * @param {import("./views.js").MatchRow[]} own The newest first
 * @param {{ name: string; pr: number | null }[]} levels
 * @param {Record<string, string>} nets Of matches without a level
 */
export function levelToGoOn(own, levels, nets) {
  const last = own.find(({ over, names }) => over && names[1] === SERVER);
  if (!last || last.id in nets || last.score[0] <= last.score[1]) return null;
  return levelAfter(levels, last.level);
}

/**
 * A button that chooses the next level.
 *
 * @param {string | null} level
 */
function showNext(level) {
  const button = byId("next-level");
  button.hidden = level === null || byId("levels").hidden;
  if (level === null) return;
  button.textContent = t("play.nextLevel", { level: levelName(level) });
  button.onclick = () => {
    byId("levels").value = level;
    button.hidden = true;
    byId("levels").focus();
  };
}

/** The levels that the tutor is offered for. */
const TAUGHT = ["newcomer", "casual-player"];

/** Offers the tutor to newcomers. */
function offerTutor() {
  byId("tutor-offer").hidden =
    byId("levels").hidden || !TAUGHT.includes(byId("levels").value) || setting("tutor") !== "off";
}

/** The length that is chosen, 0 for money. */
const lengthChosen = () => Number(byId("points").value.trim() || byId("lengths").value);

/** What follows from the choices: another net plays as strong as it can, money has its own rules. */
function shown() {
  const net = byId("nets").value;
  const isOther = net !== "" && !isChampion(net);
  byId("levels").disabled = byId("levels").hidden = isOther;
  byId("level-label").textContent = t(isOther ? "play.opponentNet" : "play.level");
  byId("pr-words").hidden = byId("depth-words").hidden = isOther;
  byId("net-chosen").textContent = !isOther ? "" : t("play.netChosen", { net: netName(net) });
  byId("money").hidden = lengthChosen() !== 0;
  const length = lengthChosen();
  for (const option of byId("clocks").options)
    option.textContent = clockWords(option.value, length);
  byId("lengths").disabled = byId("points").value.trim() !== "";
  offerTutor();
  board?.draw({
    board: START,
    off: [0, 0],
    cube: hasCube({ length }) ? { value: 1, owner: null } : null,
    dice: [3, 1],
  });
}

/** What the form asks for. */
function asked() {
  const form = new FormData(byId("new"));
  const text = (/** @type {string} */ name) => `${form.get(name) ?? ""}`.trim() || undefined;
  /** @type {Record<string, any>} */
  const match = {
    length: lengthChosen(),
    level: text("level"),
    net: text("net"),
    ply: Number(form.get("ply")),
    name: keptName(text("name") ?? ""),
    position: text("position"),
  };
  const seed = text("seed");
  if (seed) match.seed = Number(seed);
  if (match.length === 0)
    Object.assign(match, { jacoby: form.has("jacoby"), beavers: form.has("beavers") });
  return match;
}

/** @type {(begun: any) => void} */
let openMatch = () => {};
/** @type {(address: string) => void} */
let goTo = () => {};

/** @param {boolean} two Whether two people play */
async function begin(two) {
  const match = asked();
  const form = new FormData(byId("new"));
  if (two)
    Object.assign(match, {
      name: `${form.get("name")}`.trim() || t("play.first"),
      second: `${form.get("second")}`.trim() || t("play.second"),
    });
  localStorage.setItem(
    CHOICES,
    JSON.stringify(
      Object.fromEntries(
        KEPT.map((name) => [
          name,
          `${form.get(name) ?? byId("new").querySelector(`[name=${name}]`).value}`,
        ]),
      ),
    ),
  );
  const button = byId("new").querySelector("[type=submit]");
  if (button.disabled) return;
  button.disabled = true;
  say("");
  await attempt(async () => {
    const begun = await post("/matches", match);
    if (!two) setClock(begun.id, `${form.get("clock")}`, match.length);
    keepOwn("matches", begun.id);
    openMatch(begun);
  });
  button.disabled = false;
}

byId("new").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  begin(false);
});
// A net of a run is met without search; the champion plays at its best again.
byId("nets").addEventListener("change", () => {
  if (isChampion(byId("nets").value)) byId("plies").value = "3";
});
for (const id of ["lengths", "nets", "levels"]) byId(id).addEventListener("change", shown);
byId("points").addEventListener("input", shown);
byId("tutors").addEventListener("change", () => choose("tutor", byId("tutors").value));
byId("tutor-offer").addEventListener("click", () => choose("tutor", "veryBad"));
onChange((name) => {
  if (name !== "tutor") return;
  byId("tutors").value = setting("tutor");
  offerTutor();
});
byId("two-people").addEventListener("click", () => {
  if (byId("new").reportValidity()) begin(true);
});
byId("watch-self").addEventListener("click", () => goTo("/?watch"));

/** Another view is shown: its board is the only one on the page then. */
export function hideSetup() {
  byId("welcome-board").replaceChildren();
  board = null;
}

/**
 * Shows the first view.
 *
 * @param {(address: string) => void} go
 * @param {(begun: any) => void} open
 */
export async function showSetup(go, open) {
  [goTo, openMatch] = [go, open];
  entitle(t("page.play"));
  if (!board) {
    board = new Board(byId("welcome-board"));
    shown();
  }
  const there = await attempt(() => get("/nets"));
  await learnTitles(there?.nets ?? []);
  if (there) fill(there);
  const rows = /** @type {import("./views.js").MatchRow[] | undefined} */ (
    await attempt(() => get("/matches"))
  );
  // What the browser keeps of its matches stays as it is.
  if (!rows) return;
  const nets = keptNets(rows);
  const own = ownOf("matches", rows, localStorage.getItem(CHOICES) !== null);
  showMatches(rows, own, nets, new Map(), go);
  const next = levelToGoOn(own, there?.levels ?? [], nets);
  // Whoever has chosen another level than the one that was beaten knows where to go.
  showNext(
    next !== null && levelAfter(there?.levels ?? [], byId("levels").value) === next ? next : null,
  );
  // Whoever has played knows where to begin.
  if (there && own.some(({ over }) => over))
    byId("levels").replaceChildren(...levelOptions(there.levels, byId("levels").value, false));
  const unfinished = own.find((row) => !row.over);
  byId("go-on").hidden = !unfinished;
  if (unfinished) {
    byId("go-on").href = `/?match=${encodeURIComponent(unfinished.id)}`;
    byId("go-on").textContent = t("play.goOnAt", {
      name: opponent(unfinished, nets),
      ...scoreOf(unfinished),
    });
  }
  // What the matches were worth comes last: a server may keep many analyses.
  if (rows.some(({ over }) => over))
    showMatches(rows, own, nets, analysedOf((await attempt(() => get("/analyses"))) ?? []), go);
}
