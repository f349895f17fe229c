// @ts-check
// Where to begin in an analysis: how many mistakes there were, and a button that goes through them.
import { el } from "../common/dom.js";
import { decimal } from "../common/format.js";
import { judgeName } from "../common/net-name.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { seatOfPerson } from "../common/players.js";
import { NO_FILTER, filtered } from "./decisions.js";
import { beforeDeeper } from "./depth.js";
import { practiseButtons } from "./practise-buttons.js";
import { ratingScale } from "./rating-scale.js";
import { worthInWords } from "./scoreboard.js";

/** @typedef {import("../decision/decision.js").Entry} Entry */
/** @typedef {import("./decisions.js").Filter} Filter */
/** @typedef {import("./depth.js").Tags} Tags */

/**
 * The filter of the mistakes that one begins with: the person's own, else those of both players.
 *
 * @param {string[]} names
 * @returns {Filter}
 */
const wantedOf = (names) => ({
  ...NO_FILTER,
  show: "mistakes",
  order: "worst",
  player: { first: "0", second: "1" }[seatOfPerson(names)] ?? "all",
});

/**
 * How many mistakes there were, in a sentence.
 *
 * @param {any} match
 * @param {Entry[]} judged
 * @param {Filter} wanted
 */
function told(match, judged, wanted) {
  const mistakes = (/** @type {string} */ player) => filtered(judged, { ...wanted, player });
  // Those that a rollout does not confirm.
  const open = (/** @type {Entry[]} */ some) => {
    const n = some.filter(({ undecided }) => undecided).length;
    return n ? ` ${t("analyse.start.undecided", { n })}` : "";
  };
  if (wanted.player === "all") {
    const both = ["0", "1"].map(mistakes);
    return [
      t("analyse.start.both", {
        first: match.names[0],
        second: match.names[1],
        n: both[0].length,
        m: both[1].length,
      }),
      open(both.flat()),
    ];
  }
  const own = mistakes(wanted.player);
  const { plays, calls } = match.summary[Number(wanted.player)];
  if (!own.length) return [t("analyse.start.none", { of: plays + calls })];
  const inMatch = match.length !== null;
  const sum = (/** @type {Entry[]} */ some) =>
    some.reduce((all, { decision }) => all + (inMatch ? decision.cost : decision.loss), 0);
  const every = judged.filter(
    ({ decision }) => decision.counts && `${decision.player}` === wanted.player,
  );
  const words = (/** @type {number} */ lost) => (inMatch ? worthInWords(lost) : decimal(lost, 2));
  const lost = t("analyse.start.lost", {
    n: own.length,
    loss: inMatch ? words(sum(own)) : t("analyse.start.points", { points: words(sum(own)) }),
    all: words(sum(every)),
  });
  return [
    t("analyse.start.own", { n: own.length, of: plays + calls }),
    open(own),
    " ",
    term(lost, inMatch ? "lossShare" : "loss"),
  ];
}

/**
 * What the PR of the person means, else that of both players.
 *
 * @param {any} match
 * @param {Filter} wanted
 */
function ratings(match, wanted) {
  const isOne = wanted.player !== "all";
  const shown = isOne ? [Number(wanted.player)] : [0, 1];
  return el(
    "div",
    { class: "ratings" },
    shown.map((i) => {
      const { pr, plays, calls, before, helped } = match.summary[i];
      return el(
        "div",
        {},
        isOne ? null : el("b", {}, match.names[i]),
        ratingScale(pr, plays + calls, { isHelped: helped }),
        beforeDeeper(before?.pr, pr, 1),
      );
    }),
  );
}

/**
 * The sentence and its button: the button begins with the worst mistake, and then goes on.
 *
 * @param {{
 *   answer: any;
 *   match: any;
 *   judged: Entry[];
 *   tags: Tags;
 *   filter: Filter;
 *   list: Entry[];
 *   current: number;
 *   begin: (filter: Filter) => void;
 *   step: () => void;
 * }} given
 *   `match` has the figures of its deepest answers
 */
export function startPart({ answer, match, judged, tags, filter, list, current, begin, step }) {
  const wanted = wantedOf(match.names);
  const isBegun = JSON.stringify(wanted) === JSON.stringify(filter);
  const n = isBegun ? list.length : filtered(judged, wanted).length;
  const at = list.findIndex((entry) => entry.at === current) + 1;
  const net = judgeName(answer.row.net);
  // A card has the champion's answer.
  const practise = () =>
    net
      ? null
      : practiseButtons(
          answer.row.id,
          wanted.player === "all" ? match.people : [match.people[Number(wanted.player)]],
        );
  /** @type {HTMLElement[]} */
  const parts = [el("p", {}, told(match, judged, wanted), " ", tags.judged())];
  if (n && !isBegun)
    parts.push(
      el(
        "span",
        { class: "tools" },
        el(
          "button",
          { type: "button", class: "main", onclick: () => begin(wanted) },
          t("analyse.start.go"),
        ),
        practise(),
      ),
    );
  else if (n) {
    // After the last one: what to do with them, and the whole list again.
    const ways =
      at < n
        ? [
            el("button", { type: "button", class: "main", onclick: step }, t("analyse.start.next")),
            practise(),
          ]
        : [
            practise(),
            el(
              "button",
              { type: "button", onclick: () => begin(NO_FILTER) },
              t("analyse.start.all"),
            ),
          ];
    parts.push(
      el(
        "span",
        { class: "tools" },
        el(
          "span",
          { class: "soft" },
          t(at < n ? "analyse.start.at" : "analyse.start.last", { at, n }),
        ),
        ways,
      ),
    );
  }
  parts.push(ratings(match, wanted));
  if (net)
    parts.push(
      el(
        "details",
        { class: "small", "data-judge": "" },
        el("summary", {}, t("analyse.judge", { net })),
        t("analyse.judge.also"),
        answer.net_changed ? el("b", {}, ` ${t("analyse.judge.changed")}`) : null,
      ),
    );
  return parts;
}
