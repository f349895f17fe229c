// @ts-check
// What begins runs: the form of a new run, with what is wrong beside the field that has it, and the
// experiments of the course.
import { get, post } from "../common/api.js";
import { attempt, byId, el } from "../common/dom.js";
import { count, inLanguage, point, wholeFrom } from "../common/format.js";
import { host } from "../common/host.js";
import { known, language, t } from "../common/words.js";
import { architectureView, weightsOf } from "./architecture.js";
import {
  EXPERIMENTS,
  calledOf,
  differenceOf,
  experimentOf,
  faultOf,
  faultyField,
  freeName,
  hasLambda,
  hoursOf,
  inCourse,
  runsOf,
  scheduleFrom,
  seeded,
  testsEvery,
  trendOf,
} from "./state.js";

/** Fields that are whole numbers. */
const WHOLE = ["games", "seed", "eval_every", "eval_games", "final_games"];
/** Fields with decimals, which are written as in the language of the page. */
const DECIMALS = ["alpha", "lambda"];

/**
 * What a field says, as the server reads it.
 *
 * @param {string} key
 * @param {unknown} value
 */
const plain = (key, value) =>
  DECIMALS.includes(key) ? scheduleFrom(`${value}`.trim(), point) : `${value}`.trim();

const form = () => /** @type {any} */ (byId("form"));
/**
 * @param {string} name
 * @returns {any}
 */
const field = (name) => form().elements[name];

/** Whether the name is that of the person, who may also be about to write one. */
let isOwnName = false;

/**
 * Offers a free name, unless the person writes one.
 *
 * @param {string[]} names
 */
export function offerName(names) {
  const name = field("name");
  if (isOwnName || document.activeElement === name) return;
  if (!name.value || names.includes(name.value)) name.value = freeName(names);
}

/** From this number of games on, a run can end with fine-tuning. */
const TUNED_FROM = 5000;
/** One game in this number is fine-tuning, as `nonet train` has it. */
const TUNED_PART = 50;
/**
 * Whether the run is to end with fine-tuning, where it can; null does what `nonet train` does.
 * @type {boolean | null}
 */
let wantsTuning = null;

/** The usual learning rate of the chosen architecture, which an empty field means. */
const usualRate = () => plain("alpha", field("alpha").placeholder);
/** A net without a hidden layer diverges at the rate of the others. */
const [STEEP, FLAT] = ["0.1..0.001", "0.01..0.001"];
/** The games in the form; NaN where they are no number. */
const games = () => wholeFrom(field("games").value);

/** Whether a run of the form can end with fine-tuning. */
const canTune = () => field("method").value === "td" && games() >= TUNED_FROM;
/** Whether `nonet train` fine-tunes by itself: at the usual rate alone. */
const tunesBySelf = () =>
  usualRate() === STEEP && ["", STEEP].includes(plain("alpha", field("alpha").value));

function showTuning() {
  const tick = byId("fine-tune");
  tick.disabled = !canTune();
  tick.checked = (wantsTuning ?? tunesBySelf()) && !tick.disabled;
  byId("fine-tune-part").hidden = field("method").value !== "td";
}

/** Removes the messages about fields. */
function forgetFaults() {
  for (const said of form().querySelectorAll(".fault")) said.remove();
  for (const one of form().elements) one.setCustomValidity("");
  for (const one of form().querySelectorAll("[aria-invalid]")) {
    one.removeAttribute("aria-invalid");
    one.removeAttribute("aria-errormessage");
  }
}

/**
 * Says what the server has refused beside the field that it is about, and goes there.
 *
 * @param {string} message
 * @returns {boolean} Whether there is such a field
 */
export function showFault(message) {
  forgetFaults();
  const key = faultyField(
    message,
    Object.fromEntries(
      [...new FormData(form())].map(([name, value]) => [name, plain(name, value)]),
    ),
  );
  if (!key) return false;
  const fault = faultOf(message);
  const values = Object.entries(fault?.values ?? {}).map(([name, value]) => [
    name,
    inLanguage(value),
  ]);
  const kind = fault?.key === "schedule" && key === "lambda" ? "lambda" : fault?.key;
  sayFault(
    key,
    fault ? t(`train.fault.${kind}`, Object.fromEntries(values)) : message.replaceAll("`", ""),
  );
  return true;
}

/**
 * Says what is wrong below a field, and goes there.
 *
 * @param {string} key
 * @param {string} text
 */
function sayFault(key, text) {
  const wrong = field(key);
  wrong.after(el("span", { class: "fault", id: "fault", role: "alert" }, text));
  wrong.setAttribute("aria-invalid", "true");
  wrong.setAttribute("aria-errormessage", "fault");
  // It may stand in a folded part.
  for (let part = wrong.closest("details"); part; part = part.parentElement?.closest("details"))
    part.open = true;
  wrong.focus();
  wrong.scrollIntoView({ block: "center" });
}

/** What is asked for. */
function asked() {
  /** @type {Record<string, any>} */
  const options = {};
  for (const [key, value] of new FormData(form())) {
    const text = plain(key, value);
    if (text || key === "eval_every")
      options[key] = WHOLE.includes(key)
        ? wholeFrom(text || field("eval_every").placeholder)
        : text;
  }
  if (canTune())
    options.fine_tune = byId("fine-tune").checked ? Math.floor(games() / TUNED_PART) : 0;
  if (!hasLambda(options.method)) delete options.lambda;
  return options;
}

const showEvery = () => {
  field("eval_every").placeholder = games() > 0 ? count(testsEvery(games())) : "";
};
function showMethod() {
  byId("method-words").textContent = t(`train.method.${field("method").value}.words`);
  field("lambda").closest("label").hidden = !hasLambda(field("method").value);
}

/**
 * Opens the form with the options of a run, under its name if that is free. A learning rate without
 * fine-tuning leaves that out.
 *
 * @param {Record<string, string>} options
 * @param {string[]} names
 */
export function openWith(options, names) {
  forgetFaults();
  for (const one of [...form().elements]) {
    if (!one.name || one.name === "name") continue;
    const isChoice = one.tagName === "SELECT";
    const usual = isChoice
      ? ([...one.options].find(({ defaultSelected }) => defaultSelected)?.value ??
        one.options[0]?.value)
      : one.defaultValue;
    const wanted =
      isChoice && ![...one.options].some(({ value }) => value === options[one.name])
        ? usual
        : (options[one.name] ?? usual);
    one.value = DECIMALS.includes(one.name) ? inLanguage(wanted) : wanted;
  }
  isOwnName = false;
  wantsTuning = "fine_tune" in options ? options.fine_tune !== "0" : !("alpha" in options);
  field("name").value = freeName(names, options.name);
  for (const one of [field("preset"), field("method"), field("games")])
    one.dispatchEvent(new Event(one.tagName === "SELECT" ? "change" : "input"));
  if (options.alpha === usualRate()) field("alpha").value = "";
  showTuning();
  byId("new").open = true;
  field("alpha").closest("details").open = true;
  form().querySelector("[type=submit]").focus({ preventScroll: true });
  byId("new").scrollIntoView();
}

/**
 * The weights of an architecture, to the next thousand.
 *
 * @param {any} architecture
 */
const thousands = (architecture) =>
  Math.round(
    architecture.nets.reduce(
      (/** @type {number} */ sum, /** @type {any} */ net) => sum + weightsOf(net),
      0,
    ) / 1000,
  );

/**
 * Fills the form and listens to it.
 *
 * @param {any[]} architectures The first one is the usual one
 * @param {(asked: any) => Promise<unknown>} begin Starts a run
 * @param {() => string[]} names Those of the runs that there are
 * @param {(asked: any) => number | undefined} speedOf Games a second of an earlier run of its kind
 */
export function prepareForm(architectures, begin, names, speedOf) {
  const preset = field("preset");
  for (const key of DECIMALS) field(key).placeholder = inLanguage(field(key).placeholder);
  for (const key of ["eval_games", "final_games"])
    field(key).placeholder = count(wholeFrom(field(key).placeholder));
  // Their names say little about their sizes.
  const bySize = [...architectures].sort((one, other) => thousands(one) - thousands(other));
  preset.replaceChildren(
    ...bySize.map((one) =>
      el(
        "option",
        { value: one.name, selected: one === architectures[0] },
        [
          t("train.preset.option", { name: one.name, weights: count(1000 * thousands(one)) }),
          known(`train.preset.${one.name}.why`),
        ]
          .filter(Boolean)
          .join(" "),
      ),
    ),
  );
  const showArchitecture = () => {
    const found = architectures.find((one) => one.name === preset.value);
    byId("architecture").replaceChildren(...(found ? [architectureView(found)] : []));
    const isFlat = found?.nets.some((/** @type {any} */ { hidden }) => !hidden.length);
    field("alpha").placeholder = inLanguage(isFlat ? FLAT : STEEP);
    byId("preset-words").textContent = found ? t(`train.preset.${found.name}`) : "";
  };
  for (const [name, event, show] of /** @type {[string, string, () => void][]} */ ([
    ["games", "input", showEvery],
    ["method", "change", showMethod],
    ["preset", "change", showArchitecture],
  ])) {
    field(name).addEventListener(event, show);
    show();
  }
  form().addEventListener("input", showTuning);
  form().addEventListener("change", showTuning);
  showTuning();
  byId("fine-tune").addEventListener("click", () => {
    wantsTuning = byId("fine-tune").checked;
  });
  // What the browser says of a field is in its own language.
  form().addEventListener(
    "invalid",
    (/** @type {any} */ { target }) => {
      target.setCustomValidity(target.title);
      target.closest("details").open = true;
    },
    { capture: true },
  );
  field("name").addEventListener("input", (/** @type {any} */ { target }) => {
    isOwnName = target.value !== "";
    // A name becomes a folder: it has no spaces.
    if (/\s/.test(target.value)) target.value = target.value.replaceAll(/\s/g, "-");
  });
  form().addEventListener("input", forgetFaults);
  form().addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    forgetFaults();
    const options = asked();
    if (names().includes(options.name))
      return sayFault("name", t("train.fault.taken", { name: options.name }));
    if (options.eval_every > options.games)
      return sayFault(
        "eval_every",
        t("train.fault.noTest", { games: count(options.games), n: options.games }),
      );
    if (
      trendOf(`${options.alpha ?? ""}`) > 0 &&
      !confirm(t("train.rising", { alpha: inLanguage(options.alpha) }))
    )
      return;
    const hours = hoursOf(options, speedOf(options));
    if (
      hours > 1 &&
      !confirm(
        t("train.long", {
          games: count(options.games),
          hours: count(Math.round(hours)),
          n: Math.round(hours),
        }),
      )
    )
      return;
    if (await begin(options)) isOwnName = false;
  });
}

/** The least width in pixels at which the words of the picture can be read. */
const READABLE = 600;

/**
 * Shows a curve of the course beside the offer of a first run, where there is the course: its words
 * are English.
 */
function showExample() {
  if (!host.has("/book") || language !== "en" || innerWidth < READABLE) return;
  byId("example").replaceChildren(
    el(
      "a",
      { href: inCourse("A first run") },
      el("img", {
        loading: "lazy",
        src: "/book/how-it-learns/td.svg",
        width: 1600,
        height: 1205,
        alt: t("train.hero.curve"),
      }),
    ),
    el("figcaption", { class: "small" }, t("train.hero.example")),
  );
  byId("example").hidden = false;
}

// Experiments: runs that differ in one thing, begun by one click and shown beside each other.

/** This browser keeps the runs that wait until the server has room for them. */
const QUEUE = "nonet-waiting-runs";

/** @typedef {import("./state.js").Options} Options */
/** @typedef {import("./state.js").Run} Run */

/**
 * What the runs of an experiment show, once all are over; null where it is not among the runs.
 *
 * @param {Run[]} runs
 */
export function explanationOf(runs) {
  const experiment = experimentOf(runs);
  if (!experiment) return null;
  const { key, course, seed, found } = experiment;
  const others = found.flatMap((run, i) => {
    if (run.name === seeded(experiment.runs[i].name, seed)) return [];
    const { option, values } = differenceOf(experiment.runs);
    return [
      " ",
      t("train.try.same", {
        run: calledOf(run),
        option: t(`train.head.${option === "preset" ? "architecture" : option}`),
        value: inLanguage(values[i]),
      }),
    ];
  });
  return el(
    "p",
    { class: "prose" },
    t(`train.try.${key}.after`),
    others,
    host.has("/book")
      ? [" ", el("a", { href: inCourse(course) }, t("train.try.course", { heading: course }))]
      : null,
  );
}

/**
 * The runs that wait, the next one first.
 *
 * @returns {Options[]}
 */
export function waitingRuns() {
  try {
    const kept = JSON.parse(localStorage.getItem(QUEUE) ?? "[]");
    return kept.filter((/** @type {any} */ one) => typeof one?.name === "string");
  } catch {
    return []; // What is no list of runs is begun anew.
  }
}

/** @param {Options[]} queue */
function keepWaiting(queue) {
  localStorage.setItem(QUEUE, JSON.stringify(queue));
  const names = queue.map(({ name }) => t("train.quoted", { name })).join(", ");
  byId("waiting").replaceChildren(
    ...(queue.length
      ? [
          t("train.try.waits", { names, n: queue.length }),
          " ",
          el(
            "button",
            { type: "button", class: "link", onclick: () => keepWaiting([]) },
            t("train.try.drop"),
          ),
        ]
      : []),
  );
}

/** @param {string} name */
const leaveQueue = (name) => keepWaiting(waitingRuns().filter((one) => one.name !== name));

/** This number of running runs left no room for another. */
let full = Infinity;
let isBeginning = false;

/** @param {Run[]} runs */
const running = (runs) => runs.filter(({ state }) => state === "running").length;

/**
 * Begins the runs that wait, as far as the server has room.
 *
 * @param {Run[]} runs Those that there are
 */
export async function beginWaiting(runs) {
  keepWaiting(waitingRuns());
  if (isBeginning || running(runs) >= full) return;
  isBeginning = true;
  try {
    for (const options of waitingRuns()) {
      try {
        await post("/runs", options);
      } catch (error) {
        // 409: as many runs as may be are running, or there is such a run now.
        const now = /** @type {any} */ (error).status === 409 ? await get("/runs") : [];
        if (now.length && !now.some((/** @type {Run} */ { name }) => name === options.name)) {
          full = Math.max(1, running(now));
          break;
        }
        leaveQueue(options.name);
        if (!now.length) throw error;
      }
      full = Infinity;
      leaveQueue(options.name);
    }
  } finally {
    isBeginning = false;
  }
}

/** The seed in the field of the experiments. */
function wantedSeed() {
  const field = byId("try-seed");
  // What the browser says of a field is in its own language.
  field.setCustomValidity("");
  if (!field.checkValidity()) field.setCustomValidity(field.title);
  return field.reportValidity() ? Number(field.value || 1) : null;
}

/** The seeds of the course's table. */
const SEEDS = [1, 2, 3];

/**
 * Begins the runs of an experiment with these seeds, and tells their names. A run with these
 * settings is shown, not begun again.
 *
 * @param {Options[]} wanted
 * @param {number[]} seeds
 * @param {Run[]} runs Those that there are
 */
async function beginAll(wanted, seeds, runs) {
  const all = seeds.flatMap((seed) => {
    const taken = [...runs, ...waitingRuns()].map(({ name }) => name);
    const found = runsOf(wanted, seed, runs);
    const named = wanted.map((run, i) => ({
      ...run,
      seed,
      name:
        found[i]?.name ??
        waitingRuns().find(({ name }) => name === seeded(run.name, seed))?.name ??
        freeName(taken, seeded(run.name, seed)),
    }));
    const waiting = waitingRuns();
    keepWaiting([
      ...waiting,
      ...named.filter(({ name }, i) => !found[i] && !waiting.some((one) => one.name === name)),
    ]);
    return named;
  });
  await beginWaiting(runs);
  return all.map(({ name }) => name);
}

/**
 * Draws the experiments.
 *
 * @param {() => Run[]} runs Those that there are
 * @param {(names: string[]) => Promise<void>} show Shows runs beside each other; some of them may
 *   not be there yet
 */
export function showExperiments(runs, show) {
  const begin = (/** @type {Options[]} */ wanted, /** @type {number[]} */ seeds) =>
    attempt(async () => show(await beginAll(wanted, seeds, runs())));
  showExample();
  byId("experiments").replaceChildren(
    ...EXPERIMENTS.map(({ key, seconds, runs: wanted }) =>
      el(
        "div",
        { class: "experiment" },
        el("b", {}, t(`train.try.${key}`)),
        el("p", { class: "small" }, t(`train.try.${key}.why`)),
        el(
          "p",
          { class: "small" },
          t("train.try.size", { n: wanted.length, games: count(wanted[0].games), seconds }),
        ),
        el(
          "p",
          { class: "tools" },
          el(
            "button",
            {
              type: "button",
              onclick: () => {
                const seed = wantedSeed();
                if (seed !== null) begin(wanted, [seed]);
              },
            },
            t(`train.try.begin.${wanted.length}`),
          ),
          el(
            "button",
            { type: "button", class: "link", onclick: () => begin(wanted, SEEDS) },
            t("train.try.seeds", { seeds: SEEDS.join(", ") }),
          ),
        ),
      ),
    ),
  );
}
