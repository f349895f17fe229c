// @ts-check
// The page of analyses: the library, one analysis, or two side by side. The address says which.
import { Refused, download, get, getText, post, save } from "../common/api.js";
import { attempt, byId, el, entitle, loading, say } from "../common/dom.js";
import { pageHead } from "../common/header.js";
import { host, query } from "../common/host.js";
import { learnNets, netOptions } from "../common/net-name.js";
import { keepOwn, keepText } from "../common/own.js";
import { t } from "../common/words.js";
import { fileName, placeOf, searchOf } from "./address.js";
import { prepared, withLater } from "./analysis.js";
import { comparison } from "./compare.js";
import { NO_FILTER } from "./decisions.js";
import { showLibrary } from "./library.js";
import { prepareTable, removeRow } from "./library-table.js";
import { MatchView } from "./match-view.js";
import { prepareUploads } from "./uploads.js";

/** @typedef {import("./address.js").Place} Place */

pageHead("/analyse");

let place = placeOf(host.search());
/**
 * The analysis that is shown, as the server gave it.
 *
 * @type {any}
 */
let answer = null;
let player = query().get("player");

const SECTIONS = ["library", "analysis", "beside", "gone"];
/** @param {string} name */
const showSection = (name) =>
  SECTIONS.forEach((one) => {
    byId(one).hidden = one !== name;
  });

/**
 * Writes the address. A new page of the history where one goes somewhere else, not for each step.
 *
 * @param {Place} next
 */
function write(next, push = false) {
  place = next;
  const search =
    searchOf(place) || (player && !place.id ? `?player=${encodeURIComponent(player)}` : "");
  host.write(`/analyse${search}`, !push);
}

const view = new MatchView({
  moved: (game, index) => write({ ...place, game, index }),
  filtered: (filter) => write({ ...place, filter }),
});

// What a first look does not need stays open for whoever has opened it.
const TOOLS = "nonet-analysis-tools";
const tools = byId("more-tools");
tools.open = localStorage.getItem(TOOLS) === "open";
tools.addEventListener("toggle", () => keepText(TOOLS, tools.open ? "open" : "closed"));

const owner = {
  get player() {
    return player;
  },
  /**
   * @param {string} id
   * @param {number} match
   * @param {{ game: number; index: number } | undefined} at
   */
  open(id, match = 0, at = undefined) {
    write(
      {
        id,
        match,
        game: at?.game ?? null,
        index: at?.index ?? null,
        beside: null,
        besideMatch: 0,
        filter: { ...NO_FILTER },
      },
      true,
    );
    return route();
  },
  /**
   * @param {string} one
   * @param {string} other
   * @param {number[]} places Their matches
   */
  compare(one, other, [match, besideMatch]) {
    write(
      {
        id: one,
        match,
        game: null,
        index: null,
        beside: other,
        besideMatch,
        filter: { ...NO_FILTER },
      },
      true,
    );
    return route();
  },
  /** @param {string} name */
  choosePlayer(name) {
    player = name;
    write(place);
  },
};

/**
 * An analysis as the server has it; says so if it is not there.
 *
 * @param {string} id
 */
async function found(id) {
  try {
    return await get(`/analyses/${encodeURIComponent(id)}`);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
    if (place.id !== id && place.beside !== id) return null;
    entitle(t("page.analyse"));
    showSection("gone");
    return null;
  }
}

/**
 * Waits until an analysis is done, and shows how far it is.
 *
 * @param {string} id
 */
async function done(id) {
  let isTold = false;
  for (;;) {
    const answered = await attempt(() => found(id));
    if (!answered) return null;
    const { row } = answered;
    if (row.state === "failed") {
      say(t("analyse.failed", { name: row.name, error: row.error }), "error");
      return null;
    }
    if (row.state === "done") return prepared(answered);
    if (place.id !== id && place.beside !== id) return null;
    // The library shows how far it is.
    if (!isTold) {
      isTold = true;
      showSection("library");
      showLibrary(owner);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 250);
    });
  }
}

/** Shows what the address says. */
async function route() {
  view.leave();
  say("");
  byId("gone").hidden = true;
  const { id, beside } = place;
  if (!id) {
    entitle(t("page.analyse"));
    showSection("library");
    return showLibrary(owner);
  }
  if (beside) return showBeside(id, beside);
  if (answer?.row.id !== id) {
    if (!byId("analysis").hidden) byId("title").replaceChildren(loading());
    const found = await done(id);
    if (place.id !== id || place.beside) return undefined;
    answer = found;
  }
  if (!answer) {
    if (!byId("gone").hidden) return undefined;
    write({ ...place, id: null, game: null, index: null }, false);
    showSection("library");
    return showLibrary(owner);
  }
  showSection("analysis");
  drawAgain(answer.row);
  if (answer.row.warnings.length)
    say(t("analyse.warnings", { words: answer.row.warnings.join("; ") }));
  byId("which").replaceChildren(
    ...answer.matches.map((/** @type {any} */ one, /** @type {number} */ i) =>
      el("option", { value: i }, `${i + 1}: ${one.names.join(" – ")}`),
    ),
  );
  byId("which").value = `${place.match}`;
  byId("which-label").hidden = answer.matches.length < 2;
  entitle(answer.matches[place.match]?.names.join(" – ") ?? answer.row.name);
  return view.show(answer, place);
}

/**
 * The choice of another depth, or of another net at the same depth, for the same match.
 *
 * @param {any} row
 */
function drawAgain(row) {
  const [first] = byId("again").options;
  const how = (/** @type {number} */ ply, /** @type {string} */ net) =>
    `ply=${ply}&net=${encodeURIComponent(net)}`;
  const depths = [1, 2, 3, 4].map((n) =>
    el(
      "option",
      { value: how(n, row.net) },
      `${t("common.ply", { n })} · ${t(`analyse.depth.${n}`)}`,
    ),
  );
  const list = el("select", {}, netOptions(nets));
  for (const option of [...list.options]) {
    if (option.value === row.net) option.remove();
    else option.value = how(row.plies ?? server.ply, option.value);
  }
  // Groups stand in no other group: a list of one kind gets its heading here.
  const groups = list.querySelector("optgroup")
    ? [...list.children]
    : [el("optgroup", { label: t("analyse.again.nets") }, [...list.children])];
  byId("again").replaceChildren(
    first,
    ...(list.options.length
      ? [el("optgroup", { label: t("position.depth") }, depths), ...groups]
      : depths),
  );
  // An option that was chosen in the other list is chosen here, too.
  byId("again").value = "";
}

/**
 * @param {string} one
 * @param {string} other
 */
async function showBeside(one, other) {
  const first = await done(one);
  const both = [first, first && (await done(other))];
  if (place.id !== one || place.beside !== other || !byId("gone").hidden) return;
  if (!both[0] || !both[1]) return void owner.open(one);
  showSection("beside");
  byId("beside-parts").replaceChildren(
    ...comparison(both[0], both[1], [place.match, place.besideMatch ?? 0], owner.open),
  );
}

addEventListener("popstate", () => {
  place = placeOf(host.search());
  player = query().get("player");
  route();
});
byId("which").addEventListener("change", (/** @type {any} */ event) => {
  write(
    {
      ...place,
      match: Number(event.target.value),
      game: null,
      index: null,
      filter: { ...NO_FILTER },
    },
    true,
  );
  route();
});
for (const id of ["back", "beside-back", "gone-back"])
  byId(id).addEventListener("click", () => {
    write(
      {
        ...place,
        id: null,
        match: 0,
        beside: null,
        besideMatch: 0,
        game: null,
        index: null,
        filter: { ...NO_FILTER },
      },
      true,
    );
    route();
  });
byId("again").addEventListener("change", () =>
  attempt(async () => {
    const how = byId("again").value;
    byId("again").value = "";
    if (!how) return;
    const row = await post(`/analyses/${place.id}/again?${how}`);
    keepOwn("analyses", row.id);
    await owner.compare(place.id ?? "", row.id, [place.match, place.match]);
  }),
);
byId("remove").addEventListener("click", () =>
  removeRow(answer.row, () => {
    answer = null;
    write({ ...place, id: null, game: null, index: null });
    return route();
  }),
);
for (const button of /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll("[data-file]")
)) {
  button.addEventListener("click", () =>
    attempt(async () => {
      const { row, matches } = answer;
      const file = button.dataset.file ?? "";
      const name = fileName(matches[place.match] ?? matches[0], row.name, file);
      const path = `/analyses/${row.id}`;
      if (file === "page.html") return save(new Blob([view.page()], { type: "text/html" }), name);
      if (file !== "analysis.json") return download(`${path}/${file}`, name);
      const [text, now] = await Promise.all([getText(`${path}/${file}`), get(path)]);
      return save(
        new Blob([withLater(text, now, view.decision.rollouts.known)], {
          type: "application/x-ndjson",
        }),
        name,
      );
    }),
  );
}
const menu = byId("export");
document.addEventListener("click", ({ target }) => {
  // After a choice, and where one clicks elsewhere.
  if (!menu.querySelector("summary").contains(target)) menu.open = false;
});
menu.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.key !== "Escape" || !menu.open) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

const server = (await attempt(() => get("/server"))) ?? { ply: 3, formats: [] };
const nets = await learnNets();
prepareUploads(server, nets, owner);
prepareTable(owner);
await route();
