// @ts-check
// The form of a new run, with what is wrong below the field that has it.
import { byId, el } from "../common/dom.js";
import { count, inLanguage, point, wholeFrom } from "../common/format.js";
import { known, t } from "../common/words.js";
import { freeName } from "./state.js";
import { architectureView, weightsOf } from "./architecture.js";
import { faultOf, faultyField, scheduleFrom } from "./faults.js";
import { hasLambda, trendOf } from "./rule.js";
import { hoursOf, testsEvery } from "./speed.js";

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
 * Says what the server has refused at the field that it is about, and goes there.
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
 * Offers the architectures with their sizes.
 *
 * @param {any[]} architectures The first one is the usual one
 */
function offerArchitectures(architectures) {
  // Their names say little about their sizes.
  const bySize = [...architectures].sort((one, other) => thousands(one) - thousands(other));
  field("preset").replaceChildren(
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
}

/**
 * Starts the run that is asked for, unless a field is wrong or the person has second thoughts.
 *
 * @param {(asked: any) => Promise<unknown>} begin Starts a run
 * @param {string[]} names Those of the runs that there are
 * @param {(asked: any) => number | undefined} speedOf Games a second of an earlier run of its kind
 */
async function submit(begin, names, speedOf) {
  forgetFaults();
  const options = asked();
  if (names.includes(options.name))
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
}

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
  offerArchitectures(architectures);
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
  form().addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    submit(begin, names(), speedOf);
  });
}
