// @ts-check
// The training room: runs are started, stopped, resumed, extended and compared; the curves are
// those of their folders.
import { download, get, post } from "../common/api.js";
import { coloursBySetting, coloursOf } from "../common/chart.js";
import { attempt, byId, el, say, sentence, wholeOptions } from "../common/dom.js";
import { count, inLanguage, signed } from "../common/format.js";
import { pageHead } from "../common/header.js";
import { host, query } from "../common/host.js";
import "../common/terms.js";
import { t } from "../common/words.js";
import { architectureView } from "./architecture.js";
import {
  careButtons,
  earlierOf,
  earlierWords,
  extension,
  keepResults,
  leaveTitle,
  netWords,
  sayLacking,
  sentencesOf,
  watchTitle,
} from "./care.js";
import {
  KEPT_COLOURS,
  classCharts,
  comparison,
  haveAverages,
  keptColours,
  strengthChart,
  verdict,
} from "./charts.js";
import {
  beginWaiting,
  offerName,
  openWith,
  prepareForm,
  showExperiments,
  showFault,
  waitingRuns,
} from "./experiments.js";
import { followOpenings, showOpenings } from "./openings.js";
import {
  asItEnded,
  beyondForm,
  calledOf,
  commandOf,
  freeName,
  learned,
  lengthsOf,
  newestFirst,
  optionsOf,
  resultOf,
  ruleOf,
  settingOf,
  share,
  withDefaults,
} from "./state.js";
import { Watch } from "./watch.js";

/** @typedef {import("./state.js").Run} Run */

/** A run of some three seconds of processor time. */
const QUICK = { preset: "small", games: 4000, eval_every: 500, eval_games: 200, final_games: 1000 };
const REFRESH = 1500;

pageHead("/train");

let chosen = query().get("run");
/**
 * The run that the address named and that there is not; then none is shown until one is chosen.
 * @type {string | null}
 */
let missing = null;
/** @type {Set<string>} */
const compared = new Set(query().getAll("with"));
let drawn = "";
/** @type {Run[]} */
let runs = [];
let colours = keptColours();
const watch = new Watch();
/** Whether the experiments were opened once; whoever closes them is left in peace. */
let isInvited = false;
/** Whether averages are drawn; null: where one run is shown alone. @type {boolean | null} */
let withAverages = null;
/** From this width on the list stands beside the run. */
const WIDE = 940;

/** Gives new runs their colours, and forgets those of runs that are gone. */
function colourRuns() {
  const before = JSON.stringify([...colours]);
  colours = coloursOf(
    colours,
    runs.map(({ name }) => name),
  );
  const now = JSON.stringify([...colours]);
  if (now !== before) localStorage.setItem(KEPT_COLOURS, now);
}

/** What the address names. */
let address = query().toString();

/** Writes the address: the run, and those beside it. */
function write(push = false) {
  const search = new URLSearchParams();
  if (chosen) search.set("run", chosen);
  for (const name of compared) search.append("with", name);
  const text = search.toString();
  host.write(`/train${text ? `?${text}` : ""}`, !push);
  address = query().toString();
}

/**
 * The strength of a run: its result, before it the last test.
 *
 * @param {Run} run
 */
function strengthOf(run) {
  const result = resultOf(run);
  if (result) return t("train.listed.result", { ppg: signed(result.ppg, 2) });
  return run.ppg === null ? null : t("train.ppg", { ppg: signed(run.ppg, 2) });
}

/**
 * The rule of a run with lambda and the learning rate, in signs.
 *
 * @param {Run} run
 */
function signsOf(run) {
  const rule = ruleOf(run.command);
  if (!rule) return null;
  const begin = run.total - rule.tuned;
  const tuned =
    learned(run) <= begin
      ? "train.tuned.later"
      : (resultOf(run)?.net.games ?? Infinity) <= begin
        ? "train.tuned.after"
        : "train.tuned";
  const signs = inLanguage(
    [rule.lambda && `λ ${rule.lambda}`, `α ${rule.alpha}`].filter(Boolean).join(", "),
  );
  return [t(`train.method.${rule.method}`), signs, rule.tuned && t(tuned)]
    .filter(Boolean)
    .join(" · ");
}

/**
 * The games a second of the newest run that is like one that is asked for.
 *
 * @param {any} asked
 */
function speedOf({ preset, method }) {
  const alike = runs.filter(
    (run) => run.architecture === preset && ruleOf(run.command)?.method === method,
  );
  return (
    alike.map((run) => (run.state === "finished" ? run.rate : null)).find((rate) => rate) ??
    undefined
  );
}

/** The list of runs. */
async function showRuns() {
  // Whoever is named or has begun while the list was on its way is not in it yet.
  const [waiting, asked] = [
    new Set(waitingRuns().map(({ name }) => name)),
    new Set([chosen, ...compared]),
  ];
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
  const isThere = (/** @type {string | null} */ name) => runs.some((run) => run.name === name);
  const isUnknown = (/** @type {string} */ name) =>
    asked.has(name) && !isThere(name) && !waiting.has(name);
  const lacking = [...compared].filter(isUnknown);
  sayLacking(lacking, isThere);
  for (const name of lacking) compared.delete(name);
  if (chosen && isUnknown(chosen)) {
    [missing, chosen] = [chosen, null];
    compared.clear();
    lacking.push(missing);
  }
  // One that waits stays in the comparison.
  if (chosen && waiting.has(chosen) && !isThere(chosen)) compared.add(chosen);
  if (missing === null && asked.has(chosen) && !isThere(chosen))
    chosen = runs.find((run) => run.state === "running")?.name ?? runs[0]?.name ?? null;
  if (chosen && compared.delete(chosen)) write(); // A run is not compared with itself.
  if (lacking.length) write();
  byId("no-run").hidden = missing === null;
  byId("no-run").textContent =
    missing === null
      ? ""
      : [t("train.unknown", { name: missing }), runs.length && t("train.unknown.choose")]
          .filter(Boolean)
          .join(" ");
  showList();
  const running = runs.filter(({ state }) => state === "running").length;
  byId("running").textContent = running ? t("train.running", { n: running }) : "";
  offerName(namesOfRuns());
}

const namesOfRuns = () => runs.map(({ name }) => name);

/** On a phone the run stands above the list. */
function goToRun() {
  if (innerWidth < WIDE) byId("run").scrollIntoView();
}

/** Draws the list again where it has changed. */
function showList() {
  const text = JSON.stringify([runs, chosen, [...compared], runs.map(strengthOf)]);
  if (text === byId("runs").dataset.text) return;
  byId("runs").dataset.text = text;
  byId("to-runs").hidden = runs.length < 2;
  showPicker();
  const list = byId("runs");
  const drawn = runs.find(({ name }) => name === chosen);
  list.replaceChildren(
    ...runs.map(entry),
    runs.length > 1 && drawn
      ? el("p", { class: "small" }, t("train.compare.how", { name: calledOf(drawn) }))
      : "",
  );
}

/**
 * On a phone the list is far below: a field above the run chooses one. It changes only with its
 * words, since it may be open.
 */
function showPicker() {
  const words = (/** @type {Run} */ run) =>
    [calledOf(run), run.state === "finished" ? strengthOf(run) : t(`train.short.${run.state}`)]
      .filter(Boolean)
      .join(" · ");
  const options = [
    ...(runs.some(({ name }) => name === chosen) ? [] : [["", t("train.pick.none")]]),
    ...runs.map((run) => [run.name, words(run)]),
  ];
  const [text, field] = [JSON.stringify([options, chosen]), byId("pick")];
  byId("picker").hidden = runs.length < 2;
  if (field.dataset.text === text) return;
  field.dataset.text = text;
  field.replaceChildren(
    ...options.map(([value, shown]) => el("option", { value, selected: value === chosen }, shown)),
  );
}

/** @param {Run} run */
function entry(run) {
  const bar = el("span", { class: "done" });
  bar.style.width = `${Math.round(100 * share(run))}%`;
  const box = el("input", {
    type: "checkbox",
    checked: compared.has(run.name),
    "aria-label": t("train.compare", { name: calledOf(run) }),
    title: t("train.compare", { name: calledOf(run) }),
    onchange: () => {
      if (box.checked) compared.add(run.name);
      else compared.delete(run.name);
      write();
      refresh().then(() => {
        if (compared.size) goToRun();
      });
    },
  });
  return el(
    "div",
    { class: `run ${run.state}` },
    el(
      "button",
      {
        type: "button",
        class: "name",
        "aria-pressed": `${run.name === chosen}`,
        onclick: () => choose(run.name).then(goToRun),
      },
      el("b", {}, calledOf(run)),
      el(
        "span",
        { class: `state ${run.state === "running" ? "good" : ""}` },
        t(`train.short.${run.state === "running" && run.phase ? run.phase : run.state}`),
      ),
      el(
        "small",
        {},
        [run.title && run.name, run.architecture, strengthOf(run)].filter(Boolean).join(" · "),
        el("span", {}, signsOf(run)),
      ),
      el("span", { class: "way", "aria-hidden": "true" }, bar),
    ),
    run.name === chosen ? null : el("label", {}, box),
  );
}

/** @param {string} name */
async function choose(name, push = true) {
  if (chosen !== name) {
    watch.close();
    followOpenings();
    leaveTitle();
  }
  // A run of the comparison comes to the front, and the others stay.
  if (compared.delete(name) && chosen) compared.add(chosen);
  [chosen, missing] = [name, null];
  say("");
  write(push);
  await refresh();
}

/** @param {Run} run */
function controls(run) {
  const command = (/** @type {string} */ path, /** @type {any} */ body = undefined) =>
    attempt(async () => {
      await post(`/runs/${run.name}/${path}`, body);
      await refresh();
    });
  const parts = [];
  if (run.state === "running")
    parts.push(
      el(
        "button",
        { type: "button", disabled: run.phase === "stopping", onclick: () => command("stop") },
        t("train.stop"),
      ),
    );
  // A run that has failed before its folder was there has nothing to go on with.
  if (run.state === "stopped" || (run.state === "failed" && run.total > 0))
    parts.push(
      el(
        "button",
        {
          type: "button",
          class: run.state === "failed" ? null : "main",
          onclick: () => command("resume", {}),
        },
        t("train.resume"),
      ),
    );
  if (run.state === "finished" || (run.state === "stopped" && run.games > 0)) {
    const net = encodeURIComponent(run.name);
    parts.push(
      el(
        "a",
        { class: run.state === "finished" ? "button main" : "button", href: `/?net=${net}&ply=1` },
        t("train.play"),
      ),
      el("a", { class: "button", href: `/position?net=${net}` }, t("train.position")),
      el("a", { class: "button", href: `/analyse?net=${net}` }, t("train.analyse")),
    );
    if (runs.length > 1)
      parts.push(
        el(
          "button",
          { type: "button", class: "to-runs", onclick: () => byId("runs").scrollIntoView() },
          t("train.compare.with"),
        ),
      );
  }
  if (["finished", "stopped"].includes(run.state)) {
    parts.push(
      extension(
        run,
        resultOf(run),
        () => runs,
        (games) => command("resume", { games }),
      ),
    );
  }
  if (run.games > 0)
    parts.push(
      el(
        "button",
        {
          type: "button",
          onclick: () => attempt(() => download(`/runs/${run.name}/report`, `${run.name}.html`)),
        },
        t("train.report"),
      ),
    );
  if (run.games > 0)
    parts.push(
      el(
        "button",
        {
          type: "button",
          onclick: () => attempt(() => download(`/runs/${run.name}/net`, `${run.name}.nonet`)),
        },
        t("train.saveNet"),
      ),
    );
  if (server.trains && run.state !== "running" && run.command) {
    // A run that has failed needs other settings.
    const again = el(
      "button",
      {
        type: "button",
        class: run.state === "failed" ? "main" : "quiet",
        id: "again",
        onclick: () => useSettings(run),
      },
      t("train.again"),
    );
    if (run.state === "failed") parts.unshift(again);
    else parts.push(again);
  }
  if (server.trains) parts.push(...careButtons(run, removed));
  return parts;
}

/**
 * Fills the form with the settings of a run.
 *
 * @param {Run} run
 */
function useSettings(run) {
  // An extended run has the games of its last command.
  const options = withDefaults({
    ...optionsOf(run.command),
    ...(run.total > 0 && { games: `${run.total}` }),
  });
  const beyond = beyondForm(
    options,
    server.architectures.map((/** @type {any} */ one) => one.name),
  );
  openWith(options, namesOfRuns());
  say(
    [
      beyond.length && t("train.again.lacks", { options: beyond.join(", ") }),
      lengthsOf(run.command).length > 1 &&
        t("train.again.extended", { name: calledOf(run), games: count(run.total) }),
    ]
      .filter(Boolean)
      .join(" "),
  );
}

/** The chosen run is gone; of a comparison the next one takes its place. */
async function removed() {
  [chosen = null] = compared;
  watch.close();
  followOpenings();
  await refresh();
  write();
}

/** The run that is chosen, and those beside it. */
async function showRun() {
  byId("run").hidden = !chosen;
  if (!chosen) return;
  const names = [chosen, ...compared].filter((name) => runs.some((run) => run.name === name));
  // One that is about to begin has nothing to show yet.
  if (names[0] !== chosen) return;
  const answers = await Promise.all(
    names.map((name) => attempt(() => get(`/runs/${encodeURIComponent(name)}`))),
  );
  const [answer] = answers;
  if (!answer || answer.run.name !== chosen) return;
  const found = answers.filter(Boolean).map((one) => ({ ...one, run: asItEnded(one.run) }));
  const beside = coloursBySetting(
    colours,
    found.map((one) => one.run.name),
    found.map((one) => settingOf(one.run)),
  );
  const known = found.map((one, i) => ({
    ...one,
    colour: beside[i],
    result: resultOf(one.run),
    earlier: earlierOf(one.run),
  }));
  const [{ run }] = known;
  if (run.name !== chosen) return;
  byId("run-title").replaceChildren(
    calledOf(run),
    run.title ? el("small", { class: "soft" }, ` ${run.name}`) : "",
  );
  byId("run").dataset.state = run.state;
  byId("state-said").textContent = [
    ...sentencesOf(run, known[0].result, answer.history),
    earlierWords(known[0].earlier),
  ]
    .filter(Boolean)
    .join(" ");
  byId("way").value = share(run);
  byId("way").hidden = ["finished", "failed"].includes(run.state);
  // Only what has changed: somebody may be typing there.
  const form = JSON.stringify([
    run.name,
    run.title,
    run.state,
    run.phase,
    run.total,
    run.games > 0,
    runs.length > 1,
  ]);
  if (byId("controls").dataset.text !== form) {
    byId("controls").dataset.text = form;
    byId("controls").replaceChildren(...controls(run));
  }
  byId("command").replaceChildren(...wholeOptions(commandOf(run)));
  byId("messages").textContent = run.messages.join("\n");
  byId("messages").hidden = run.state !== "failed" && run.state !== "running";
  showNets(run);
  const averages = withAverages ?? known.length === 1;
  const state = JSON.stringify([
    known.map(({ run: one, history: tests, knowledge, result, earlier: last, colour }) => [
      one.name,
      one.title,
      tests,
      knowledge,
      result,
      last,
      colour,
    ]),
    averages,
  ]);
  if (state === drawn) return;
  drawn = state;
  const wide = (byId("strength").clientWidth || 720) - 4;
  const isTested = known.some((one) => one.history.length);
  // Of runs beside each other the table comes before the openings of one of them.
  if (known.length > 1) byId("openings-part").before(byId("charts"));
  else byId("run").append(byId("charts"));
  const open = [...byId("charts").querySelectorAll("details[open]")].map(
    (one) => /** @type {HTMLElement} */ (one).dataset.part ?? "",
  );
  byId("strength").replaceChildren(
    isTested
      ? strengthChart(known, wide, averages)
      : el("p", { class: "empty" }, t("train.firstTest")),
  );
  byId("verdict").replaceChildren(known.length > 1 ? verdict(known) : "");
  byId("averages-part").hidden = !haveAverages(known);
  byId("averages").checked = averages;
  byId("charts").replaceChildren(
    ...(known.length > 1 ? [comparison(known)] : []),
    ...(isTested ? classCharts(known, wide, open) : []),
  );
  const [{ result }] = known;
  showOpenings(answer, result, result ? netWords(result) : "");
  byId("watch-part").hidden = !answer.history.length;
}

/**
 * The nets of the chosen run, where its architecture is one that has a name.
 *
 * @param {Run} run
 */
function showNets(run) {
  const found = server.architectures.find(
    (/** @type {any} */ one) => one.name === run.architecture,
  );
  byId("nets-part").hidden = !found;
  if (!found || byId("nets").dataset.name === found.name) return;
  byId("nets").dataset.name = found.name;
  byId("nets-title").textContent = t("train.nets", { name: found.name });
  byId("nets").replaceChildren(architectureView(found));
}

async function refresh() {
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
  navigator.clipboard.writeText(byId("command").textContent ?? "").then(
    () => {
      byId("command-copied").textContent = t("common.copied");
    },
    () => {},
  ),
);
byId("quick").addEventListener("click", () => begin({ name: freeName(namesOfRuns()), ...QUICK }));
byId("watch").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const wanted = byId("seed").value.trim();
  watch.begin(
    chosen ?? "",
    wanted ? Number(wanted) : crypto.getRandomValues(new Uint32Array(1))[0],
  );
});
byId("pick").addEventListener("change", () => choose(byId("pick").value));
watchTitle(refresh);
addEventListener("popstate", () => {
  // A link to a part of this page names no other run.
  if (query().toString() === address) return;
  address = query().toString();
  leaveTitle();
  [chosen, missing] = [query().get("run"), null];
  compared.clear();
  for (const name of query().getAll("with")) compared.add(name);
  watch.close();
  followOpenings();
  refresh();
});
let width = innerWidth;
addEventListener("resize", () => {
  if (width === innerWidth) return;
  width = innerWidth;
  drawn = "";
  showRun();
});

const server = (await attempt(() => get("/server"))) ?? { architectures: [], trains: false };
prepareForm(server.architectures, (asked) => begin(asked, true), namesOfRuns, speedOf);
for (const id of ["new", "try", "to-new", "to-try"]) byId(id).hidden = !server.trains;
showExperiments(
  () => runs,
  async ([first, ...others]) => {
    compared.clear();
    for (const other of others) compared.add(other);
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
