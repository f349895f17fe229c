// @ts-check
// The training room: runs are started, stopped, resumed, extended and compared; the curves are
// those of their folders.
import { get, post } from "../common/api.js";
import { coloursBySetting, coloursOf } from "../common/chart-colours.js";
import { copyBy } from "../common/copy.js";
import { attempt, byId, say, sentence } from "../common/dom.js";
import { pageHead } from "../common/header.js";
import { query } from "../common/host.js";
import { keepText } from "../common/own.js";
import "../common/terms.js";
import { t } from "../common/words.js";
import { keepResults, leaveTitle, watchTitle } from "./care.js";
import { KEPT_COLOURS, keptColours } from "./charts.js";
import { settingOf } from "./commands.js";
import { showExperiments } from "./experiments-view.js";
import { offerName, openWith, prepareForm, showFault } from "./form.js";
import { followOpenings } from "./openings.js";
import { beginWaiting, waitingRuns } from "./queue.js";
import { WIDE, showList } from "./run-list.js";
import {
  forgetCurves,
  knownOf,
  showControls,
  showCurves,
  showNets,
  showState,
} from "./run-view.js";
import { Selection } from "./selection.js";
import { speedOf } from "./speed.js";
import { asItEnded, freeName, newestFirst } from "./state.js";
import { Watch } from "./watch.js";

/** @typedef {import("./state.js").Run} Run */

/** A run of some three seconds of processor time. */
const QUICK = { preset: "small", games: 4000, eval_every: 500, eval_games: 200, final_games: 1000 };
const REFRESH = 1500;

pageHead("/train");

const selection = new Selection();
/** @type {Run[]} */
let runs = [];
let colours = keptColours();
const watch = new Watch();
/** Whether the experiments were opened once; whoever closes them is left in peace. */
let isInvited = false;
/**
 * Whether averages are drawn; null: where one run is shown alone.
 *
 * @type {boolean | null}
 */
let withAverages = null;
/**
 * What the server offers: nothing before it has answered.
 *
 * @type {{ architectures: any[]; trains: boolean }}
 */
let server = { architectures: [], trains: false };
/** Its answer, for which each refresh waits. */
const answered = attempt(() => get("/server")).then((found) => {
  server = found ?? server;
});
/**
 * What the buttons of a run need of the page.
 *
 * @type {import("./controls.js").Owner}
 */
const owner = { runs: () => runs, server: () => server, refresh, removed };

/** Gives new runs their colours, and forgets those of runs that are gone. */
function colourRuns() {
  const before = JSON.stringify([...colours]);
  colours = coloursOf(
    colours,
    runs.map(({ name }) => name),
  );
  const now = JSON.stringify([...colours]);
  if (now !== before) keepText(KEPT_COLOURS, now);
}

/** The list of runs. */
async function showRuns() {
  // Whoever is named or has begun while the list was on its way is not in it yet.
  const [waiting, asked] = [new Set(waitingRuns().map(({ name }) => name)), selection.asked()];
  const found = await attempt(() => get("/runs"));
  if (!found) return;
  // Runs that are seen at the same time for the first time keep the order of their names.
  runs = found.map(asItEnded).reverse();
  colourRuns();
  runs = newestFirst(runs, [...colours.keys()]);
  keepResults(runs);
  if (server.trains) attempt(() => beginWaiting(runs));
  byId("first-run").hidden = runs.length > 0 || !server.trains;
  byId("no-training").hidden = server.trains || runs.length > 0;
  byId("room").classList.toggle("alone", runs.length === 0);
  // After a first run the experiments are what comes next.
  if (runs.length === 1 && runs[0].state === "finished" && !isInvited && innerWidth >= WIDE)
    byId("try").open = isInvited = true;
  selection.settle(runs, asked, waiting);
  const { missing } = selection;
  byId("no-run").hidden = missing === null;
  byId("no-run").textContent =
    missing === null
      ? ""
      : [t("train.unknown", { name: missing }), runs.length && t("train.unknown.choose")]
          .filter(Boolean)
          .join(" ");
  showList(runs, selection, { choose, refresh });
  const running = runs.filter(({ state }) => state === "running").length;
  byId("running").textContent = running ? t("train.running", { n: running }) : "";
  offerName(namesOfRuns());
}

const namesOfRuns = () => runs.map(({ name }) => name);

/** @param {string} name */
async function choose(name, push = true) {
  if (selection.chosen !== name) {
    watch.close();
    followOpenings();
    leaveTitle();
  }
  selection.choose(name);
  say("");
  selection.write(push);
  await refresh();
}

/** The chosen run is gone; of a comparison the next one takes its place. */
async function removed() {
  selection.chooseNext();
  watch.close();
  followOpenings();
  await refresh();
  selection.write();
}

/** The run that is chosen, and those compared with it. */
async function showRun() {
  const { chosen, compared } = selection;
  byId("run").hidden = !chosen;
  if (!chosen) return;
  const names = [chosen, ...compared].filter((name) => runs.some((run) => run.name === name));
  // One that is about to begin has nothing to show yet.
  if (names[0] !== chosen) return;
  const answers = await Promise.all(
    names.map((name) => attempt(() => get(`/runs/${encodeURIComponent(name)}`))),
  );
  const [answer] = answers;
  if (!answer || answer.run.name !== selection.chosen) return;
  const found = answers.filter(Boolean).map((one) => ({ ...one, run: asItEnded(one.run) }));
  const beside = coloursBySetting(
    colours,
    found.map((one) => one.run.name),
    found.map((one) => settingOf(one.run)),
  );
  const known = found.map((one, i) => knownOf(one, beside[i]));
  const [{ run }] = known;
  showState(known[0]);
  showControls(run, owner);
  showNets(run, server.architectures);
  showCurves(known, answer, withAverages ?? known.length === 1);
}

async function refresh() {
  await answered;
  await showRuns();
  await showRun();
}

/**
 * Starts a run and shows it; what is wrong with a field of the form stands there.
 *
 * @param {any} asked
 * @param {boolean} isForm
 */
const begin = (asked, isForm = false) =>
  attempt(async () => {
    let run;
    try {
      run = await post("/runs", asked);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (isForm && showFault(sentence(message))) return false;
      throw error;
    }
    byId("new").open = false;
    await choose(run.name);
    byId("run").scrollIntoView();
    return true;
  });

for (const part of ["new", "try"])
  byId(`to-${part}`).addEventListener("click", () => {
    byId(part).open = true;
  });
/** Opens the part that the address names. */
function openPart() {
  const part = /#(new|try)$/.exec(location.hash)?.[1];
  if (!part || !server.trains) return;
  byId(part).open = true;
  byId(part).scrollIntoView();
}
addEventListener("hashchange", openPart);
byId("copy-command").addEventListener("click", () =>
  copyBy(byId("copy-command"), byId("command").textContent ?? ""),
);
byId("quick").addEventListener("click", () => begin({ name: freeName(namesOfRuns()), ...QUICK }));
byId("watch").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const wanted = byId("seed").value.trim();
  watch.begin(
    selection.chosen ?? "",
    wanted ? Number(wanted) : crypto.getRandomValues(new Uint32Array(1))[0],
  );
});
byId("pick").addEventListener("change", () => choose(byId("pick").value));
watchTitle(refresh);
addEventListener("popstate", () => {
  if (!selection.read()) return;
  leaveTitle();
  watch.close();
  followOpenings();
  refresh();
});
let width = innerWidth;
addEventListener("resize", () => {
  if (width === innerWidth) return;
  width = innerWidth;
  forgetCurves();
  showRun();
});

await answered;
prepareForm(
  server.architectures,
  (asked) => begin(asked, true),
  namesOfRuns,
  (asked) => speedOf(asked, runs),
);
for (const id of ["new", "try", "to-new", "to-try"]) byId(id).hidden = !server.trains;
showExperiments(
  () => runs,
  async ([first, ...others]) => {
    selection.compareWith(others);
    await choose(first);
    byId("run").scrollIntoView();
  },
);
byId("averages").addEventListener("change", () => {
  withAverages = byId("averages").checked;
  showRun();
});
// On a phone the boards would be most of the page.
byId("openings-boards").open = innerWidth >= WIDE;
await refresh();
openPart();
// A command of the course leads to the form with its settings.
const wanted = Object.fromEntries(query());
if (wanted.games && server.trains) openWith(wanted, namesOfRuns());
let isAsking = false;
setInterval(async () => {
  // A slow server is not asked again before it has answered.
  if (isAsking || (document.hidden && !waitingRuns().length)) return;
  isAsking = true;
  await refresh().finally(() => {
    isAsking = false;
  });
}, REFRESH);
