// @ts-check
// What the page says of a run, and what a person does with it apart from training: extend it,
// title it, delete it.
import { get, post, remove } from "../common/api.js";
import { attempt, byId, el, say } from "../common/dom.js";
import { count, decimal, inLanguage, momentOf, signed, wholeFrom } from "../common/format.js";
import { keepText } from "../common/own.js";
import { language, t } from "../common/words.js";
import { half } from "./statistics.js";
import { lengthsOf } from "./commands.js";
import { experimentsWith } from "./experiments.js";
import { ruleOf, trendOf, tunedParts } from "./rule.js";
import { calledOf, learned, resultOf, stateKey } from "./state.js";

/** @typedef {import("./state.js").Run} Run */

/** This browser keeps the results of runs: one that is extended has none until its new end. */
const KEPT_RESULTS = "nonet-run-results";

/** @returns {Record<string, Kept>} */
function keptResults() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_RESULTS) ?? "{}");
    return Object.fromEntries(
      Object.entries(kept).filter(([, one]) =>
        [one?.ppg, one?.half, one?.length, one?.net?.games].every(Number.isFinite),
      ),
    );
  } catch {
    return {}; // What is no list of results is begun anew.
  }
}

/**
 * A result with the games of its run then, and the result before it.
 *
 * @typedef {import("./state.js").Result & { length: number; before?: Kept }} Kept
 */

/**
 * The results that a run had before it was extended, the first one first.
 *
 * @param {Run} run
 * @param {Record<string, Kept>} kept Results by the names of runs
 */
export function earlierResults({ name, total, command }, kept) {
  const lengths = lengthsOf(command).slice(0, -1);
  const found = [];
  for (let one = Object.hasOwn(kept, name) ? kept[name] : undefined; one; one = one.before)
    found.unshift(one);
  return found.filter(({ length }) => length < total && lengths.includes(length));
}

/**
 * A new result of a run with those before it; that of a longer run keeps them.
 *
 * @param {Kept | undefined} last The result kept so far
 * @param {Kept} result
 * @returns {Kept}
 */
export function withEarlier(last, result) {
  const before = last && last.length < result.length ? last : last?.before;
  return before ? { ...result, before } : result;
}

/**
 * Keeps the results of the runs that there are.
 *
 * @param {Run[]} runs
 */
export function keepResults(runs) {
  const kept = keptResults();
  const next = runs
    .map((run) => {
      const result = resultOf(run);
      return [
        run.name,
        result ? withEarlier(kept[run.name], { ...result, length: run.total }) : kept[run.name],
      ];
    })
    .filter(([, one]) => one);
  keepText(KEPT_RESULTS, JSON.stringify(Object.fromEntries(next)));
}

/**
 * The results of a run before it was extended.
 *
 * @param {Run} run
 */
export const earlierOf = (run) => earlierResults(run, keptResults());

/**
 * Those results in a sentence.
 *
 * @param {Kept[]} earlier
 */
export const earlierWords = (earlier) =>
  earlier.length > 0 &&
  t("train.state.earlier", {
    results: earlier
      .map(({ ppg, half: width, length }) =>
        t("train.state.earlier.one", {
          games: count(length),
          result: signed(ppg, 2),
          half: decimal(width, 2),
        }),
      )
      .join("; "),
  });

/**
 * The best net in words.
 *
 * @param {import("./state.js").Result} result
 */
export const netWords = ({ net }) =>
  t(net.isAverage ? "train.net.average" : "train.net.weights", {
    games: count(net.games),
    n: net.games,
  });

/**
 * The rule of a run, with the games of RootStrap.
 *
 * @param {Run} run
 * @param {ReturnType<typeof tunedParts>} parts
 */
function ruleWords({ command, total }, parts) {
  const { method, tuned } = ruleOf(command) ?? { method: "td", tuned: 0 };
  const rule = t(`train.method.${method}`);
  if (!parts.length) return rule;
  if (parts.length === 1 && parts[0].to === total)
    return t("train.rule.tuned", { rule, n: count(tuned) });
  return t("train.rule.parts", {
    rule,
    parts: new Intl.ListFormat(language).format(
      parts.map(({ from, to }) => `${count(from)}–${count(to)}`),
    ),
  });
}

/**
 * What a run does, in sentences.
 *
 * @param {Run} run
 * @param {import("./state.js").Result | null} result
 * @param {any[]} tests
 */
export function sentencesOf(run, result, tests) {
  const parts = tunedParts(run, tests);
  const lengths = lengthsOf(run.command);
  const extended =
    trendOf(ruleOf(run.command)?.alpha ?? "") < 0
      ? "train.state.extended.rate"
      : "train.state.extended";
  return [
    sentenceOf(run, result, parts),
    result &&
      parts.length &&
      result.net.games < parts[parts.length - 1].from &&
      t("train.state.before", { n: parts.length }),
    lengths.length > 1 && t(extended, { lengths: lengths.map(count).join(" → ") }),
  ];
}

/**
 * @param {Run} run
 * @param {import("./state.js").Result | null} result
 * @param {ReturnType<typeof tunedParts>} parts
 */
const sentenceOf = (run, result, parts) =>
  t(result ? "train.state.result" : stateKey(run), {
    rule: ruleWords(run, parts),
    ...(result && {
      result: signed(result.ppg, 2),
      resultHalf: decimal(result.half, 2),
      played: count(result.games),
      net: netWords(result),
    }),
    games: count(learned(run)),
    all: count(run.total),
    n: run.total,
    ppg: run.ppg === null ? "–" : signed(run.ppg, 2),
    half: decimal(half(run.stderr ?? 0), 2),
    why: run.messages.at(-1) ?? "",
  });

/**
 * What extending a run changes.
 *
 * @param {Run} run
 * @param {number} games
 * @param {import("./state.js").Result | null} result
 * @param {Run[]} runs
 */
function extensionWords(run, games, result, runs) {
  const { alpha = "", tuned = 0 } = ruleOf(run.command) ?? {};
  return [
    t("train.extend.sure", { name: calledOf(run), games: count(games) }),
    result && t("train.extend.anew", { result: signed(result.ppg, 2), games: count(run.total) }),
    trendOf(alpha) < 0 && t("train.extend.how", { alpha: inLanguage(alpha) }),
    tuned > 0 && t("train.extend.tuned", { n: count(tuned), games: count(games) }),
    ...experimentsWith(run, runs).map((key) =>
      t("train.extend.experiment", { experiment: t(`train.try.${key}`) }),
    ),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/**
 * The button that extends a run, with its number of games.
 *
 * @param {Run} run
 * @param {import("./state.js").Result | null} result
 * @param {() => Run[]} runs Those that there are
 * @param {(games: number) => unknown} extend
 */
export function extension(run, result, runs, extend) {
  const more = el("input", {
    inputmode: "numeric",
    size: 8,
    value: 2 * run.total,
    "aria-label": t("train.extend.label"),
    oninput: () => more.setCustomValidity(""),
  });
  const ask = () => {
    const games = wholeFrom(more.value);
    more.setCustomValidity(
      games > run.total ? "" : t("train.extend.more", { n: count(run.total) }),
    );
    if (more.reportValidity() && confirm(extensionWords(run, games, result, runs()))) extend(games);
  };
  return el(
    "span",
    { class: "extension" },
    el("button", { type: "button", onclick: ask }, t("train.extend")),
    more,
    el("span", { class: "small" }, t("train.extend.games")),
  );
}

/**
 * The runs that are said not to be there.
 *
 * @type {string[]}
 */
let saidLacking = [];

/**
 * Says which runs are not there, until one of them is.
 *
 * @param {string[]} lacking
 * @param {(name: string) => boolean} isThere
 */
export function sayLacking(lacking, isThere) {
  if (lacking.length) say(lacking.map((name) => t("train.unknown", { name })).join(" "), "error");
  else if (saidLacking.some(isThere)) say("");
  else return;
  saidLacking = lacking;
}

/**
 * The run of the open title form.
 *
 * @type {Run | null}
 */
let written = null;

/** Closes the title form. */
export function leaveTitle() {
  written = null;
  byId("title-form").hidden = true;
}

/** @param {Run} run */
function writeTitle(run) {
  written = run;
  byId("title-form").hidden = false;
  byId("title").value = calledOf(run);
  byId("title").select();
}

/**
 * An open match that plays with a net of a run: its net must stay.
 *
 * @param {Run} run
 */
async function openMatch({ name }) {
  for (const { id, over } of await get("/matches")) {
    if (over) continue;
    const view = await get(`/matches/${encodeURIComponent(id)}`);
    if (view.net.split("/")[0] === name) return view;
  }
  return null;
}

/**
 * The buttons of a run.
 *
 * @param {Run} run
 * @param {() => unknown} removed
 */
export function careButtons(run, removed) {
  const away = () =>
    attempt(async () => {
      const match = await openMatch(run);
      if (match) {
        say(
          t("train.remove.match", {
            name: calledOf(run),
            score: match.score.join(" : "),
            begun: momentOf(match.id) ?? match.id,
          }),
          "error",
        );
        byId("says").append(
          " ",
          el("a", { href: `/?match=${encodeURIComponent(match.id)}` }, t("train.remove.finish")),
        );
        return;
      }
      if (!confirm(t("train.remove.sure", { name: calledOf(run) }))) return;
      await remove(`/runs/${encodeURIComponent(run.name)}`);
      await removed();
      say(t("train.removed", { name: calledOf(run) }));
    });
  return [
    el(
      "button",
      { type: "button", class: "quiet", onclick: () => writeTitle(run) },
      t("train.title"),
    ),
    // The server does not delete a run while a process works on it.
    run.state === "running"
      ? null
      : el(
          "button",
          { type: "button", class: "quiet", id: "remove-run", onclick: away },
          t("train.remove"),
        ),
  ].filter((one) => one !== null);
}

/**
 * Listens to the form of the title.
 *
 * @param {() => unknown} changed
 */
export function watchTitle(changed) {
  byId("title-form").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const run = written;
    if (run)
      attempt(async () => {
        await post(`/runs/${encodeURIComponent(run.name)}/title`, {
          title: byId("title").value.trim() === run.name ? "" : byId("title").value,
        });
        leaveTitle();
        await changed();
      });
  });
  byId("title-cancel").addEventListener("click", leaveTitle);
  byId("title").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") leaveTitle();
  });
}
