// @ts-check
// The first view: a board, one button, and the matches of this server.
import { isChampion, learnTitles, netName, netOptions } from "../common/net-name.js";
import { get, post } from "../common/api.js";
import { hasCube } from "../common/cube-words.js";
import { attempt, byId, el, entitle, say } from "../common/dom.js";
import { query } from "../common/host.js";
import { keepOwn, keepText, ownOf } from "../common/own.js";
import { SETTINGS, choose, onChange, setting } from "../common/settings.js";
import { t } from "../common/words.js";
import { keptName } from "../common/players.js";
import { Board } from "../board/board.js";
import { START } from "../board/position.js";
import { CLOCKS, clockWords, setClock } from "./clock.js";
import { FIRST_LEVEL, levelAfter, levelName, levelOptions, levelToGoOn } from "./levels.js";
import { analysedOf, keptNets, opponent, readKept, scoreOf, showMatches } from "./matches.js";

/** Lengths in the list; a field under More takes any other. */
const LENGTHS = [1, 3, 5, 7];
const CHOICES = "nonet-match";
const KEPT = ["level", "length", "points", "name", "clock", "ply", "net"];

/** @type {Board | null} */
let board = null;

/** The net that the address asks for, as the training room writes it. */
const wantedNet = () => query().get("net");

/**
 * Fills the choices once the server has said what there is.
 *
 * @param {any} there
 */
function fill(there) {
  const kept = readKept(localStorage.getItem(CHOICES));
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

/** Shows what follows from the choices. Another net plays at its best; money has its own rules. */
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
  keepText(
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
