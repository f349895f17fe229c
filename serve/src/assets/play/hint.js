// @ts-check
// What the engine would do.
import { get } from "../common/api.js";
import { cubeWords } from "../common/cube-words.js";
import { attempt, byId, el, loading, sentence } from "../common/dom.js";
import { decimal, isNothing, percent, signed } from "../common/format.js";
import { isChampion, netName } from "../common/net-name.js";
import { byDepth } from "../decision/plays-table.js";
import { term } from "../common/terms.js";
import { t } from "../common/words.js";
import { choicesOf, explain, playLink, pointedAt, wordsLink } from "./explained.js";
import { keepHint } from "./half-made.js";
import { stepOfHint } from "./hint-steps.js";
import { hintsInSteps } from "./tutor.js";

/** @typedef {import("./views.js").MatchView} MatchView */

/**
 * Whether a gammon is worth more than a single game, to the person and to the opponent.
 *
 * @param {Pick<MatchView, "rules" | "score" | "cube">} view
 * @returns {[boolean, boolean]}
 */
export function gammonsCount({ rules, score, cube }) {
  const { length } = rules;
  if (length === null) {
    const counts = !rules.jacoby || cube.owner !== null || cube.value > 1;
    return [counts, counts];
  }
  return [length - score[0] > cube.value, length - score[1] > cube.value];
}

/**
 * The chances of the person by a hint. Whoever is asked to take sees the doubler's turned around.
 *
 * @param {MatchView} view
 * @param {any} answer
 * @returns {import("./seats.js").Judged | null}
 */
function judged({ turn, net }, answer) {
  const [best, cube] = [answer?.plays?.plays[0], answer?.cube];
  if (best) return { win: best.outcomes.win, equity: best.equity, plies: best.plies, net };
  if (!cube) return null;
  const isOther = turn === "answer";
  return {
    win: isOther ? 1 - cube.outcomes.win : cube.outcomes.win,
    equity: isOther ? -cube.equity : cube.equity,
    plies: cube.plies,
    net,
  };
}

/**
 * Shows the next step of the hint, and brings it into sight.
 *
 * @param {import("./game.js").Game} game
 */
export async function showHint(game) {
  await fillHint(game);
  byId("hint").scrollIntoView({ block: "nearest" });
}

/** @param {import("./game.js").Game} game */
async function fillHint(game) {
  const { view } = game;
  if (!view || game.busy) return;
  const place = byId("hint");
  place.replaceChildren(loading());
  const answer = await attempt(() => get(`/matches/${view.id}/hint`));
  if (game.view !== view) return;
  const step =
    answer && hintsInSteps(view) ? stepOfHint(game, answer, () => void showHint(game)) : null;
  if (step) return void place.replaceChildren(step);
  if (answer) keepHint(view.id, view.xgid);
  game.hinted = judged(view, answer);
  game.advised = answer?.plays?.plays[0].play ?? null;
  game.render();
  if (answer?.plays)
    place.replaceChildren(...playParts(game, answer.plays, view), ownNet(view), wordsLink());
  else if (answer?.cube && view.turn === "roll" && !view.may_double)
    place.replaceChildren(
      el("p", { class: "card" }, t("play.hintRoll", { win: percent(answer.cube.outcomes.win) })),
    );
  else if (answer?.cube)
    place.replaceChildren(
      cubePart(answer.cube, view),
      isChampion(view.net)
        ? ""
        : el("p", { class: "small" }, sentence(t("play.judgedBy", { net: netName(view.net) }))),
      whyButton(view, true),
      ownNet(view),
      wordsLink(),
    );
  else place.replaceChildren();
}

/**
 * What a cube decision asks the person on roll to do: "Too good to double, pass" does not say that
 * it is to roll.
 *
 * @param {{ action: string; redouble: boolean }} cube
 */
export function toDo({ action, redouble }) {
  if (action === "double") return redouble ? "redouble" : "double";
  return action === "too-good" ? "play-on" : "roll";
}

/**
 * What a play loses: of the match, or in points.
 *
 * @param {any} best
 * @param {any} play
 */
const lossOf = (best, play) =>
  typeof best.match_winning_chance === "number"
    ? best.match_winning_chance - play.match_winning_chance
    : best.equity - play.equity;

/**
 * The plays that lose nothing as it is shown, at the depth of the best one; none if it is alone.
 *
 * @param {any[]} all
 */
export function evenPlays([best, ...others]) {
  const even = others.filter((play) => play.plies === best.plies && isNothing(lossOf(best, play)));
  return even.length ? [best, ...even].map(({ play }) => play) : [];
}

/**
 * The best plays; where two are as good, that they are, and no reason why not.
 *
 * @param {import("./game.js").Game} game
 * @param {any} answer
 * @param {MatchView} view
 */
function playParts(game, answer, view) {
  const even = evenPlays(answer.plays);
  const words = even.length
    ? el("p", {}, el("b", {}, t("play.hint.even", { plays: even.join(` ${t("why.and")} `) })))
    : "";
  return [words, plays(game, answer, view), whyButton(view, answer.legal > 1 && !even.length)];
}

/**
 * A cube decision: what to do, and what each choice is worth.
 *
 * @param {any} cube
 * @param {MatchView} view
 */
function cubePart(cube, view) {
  const answers = view.turn === "answer";
  const action = toDo(cube);
  const doubles = action === "double" || action === "redouble";
  const words = answers
    ? `${cubeWords(cube.words.split(", ").at(-1))}.`
    : [
        t(`play.hint.do.${action}`),
        doubles
          ? ` ${t(`play.hint.then.${cube.double_take < cube.double_pass ? "take" : "pass"}`)}`
          : "",
      ];
  const choices = choicesOf(cube, answers);
  const inMatch = choices[0].match !== null;
  const value = (/** @type {{ equity: number; match: number | null }} */ one) =>
    inMatch ? (one.match ?? 0) : one.equity;
  const best = Math.max(...choices.map(value));
  const rows = choices.map((one) => {
    const loss = best - value(one);
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, t(`play.${one.name}`)),
      el("td", {}, inMatch ? percent(value(one)) : signed(one.equity)),
      el("td", {}, isNothing(loss) ? "" : inMatch ? percent(loss) : decimal(loss, 3)),
    );
  });
  const { win, win_gammon: won, lose_gammon: lost } = cube.outcomes;
  const chances = answers
    ? { equity: -cube.cubeless, win: 1 - win, won: lost, lost: won }
    : { equity: cube.cubeless, win, won, lost };
  const [before, after] = t("cube.without", {
    equity: "\n",
    win: percent(chances.win),
    gammons: percent(chances.won),
    lost: percent(chances.lost),
  }).split("\n");
  return el(
    "div",
    {},
    el("p", {}, el("b", {}, words)),
    el(
      "table",
      { class: "plays" },
      el("caption", {}, t("play.hint.choices", { plies: cube.plies })),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          heads(t("play.hint.action"), inMatch).map((head) => el("th", { scope: "col" }, head)),
        ),
      ),
      el("tbody", {}, rows),
    ),
    el(
      "p",
      { class: "small" },
      term(before.trim(), "cubeless"),
      ` ${signed(chances.equity)}`,
      after,
    ),
  );
}

/**
 * The heads of a table of choices.
 *
 * @param {string} first
 * @param {boolean} inMatch
 */
const heads = (first, inMatch) => [
  first,
  inMatch ? term(t("play.hint.match"), "mwc") : term(t("play.hint.equity"), "equity"),
  term(t("play.hint.loss"), inMatch ? "lossShare" : "loss"),
];

/**
 * Where another net than the champion judges: that it does, and the way to the champion.
 *
 * @param {MatchView} view
 */
function ownNet(view) {
  if (isChampion(view.net)) return "";
  return el(
    "p",
    { class: "small" },
    t("play.hint.own", { net: netName(view.net) }),
    " ",
    el(
      "a",
      { target: "_blank", href: `/position?id=${encodeURIComponent(view.xgid)}` },
      t("play.hint.champion"),
    ),
  );
}

/**
 * A button that says why the best decision is the best one.
 *
 * @param {MatchView} view
 * @param {boolean} isChoice
 */
function whyButton(view, isChoice) {
  if (!isChoice) return "";
  const place = el("div", {});
  const isPlay = view.turn === "play";
  place.append(
    el(
      "button",
      {
        type: "button",
        onclick: () => void attempt(() => explain(place, view, { xgid: view.xgid, isPlay })),
      },
      t("play.hint.why"),
    ),
  );
  return place;
}

/**
 * The best plays in a narrow column: each with its worth and its loss, and its chances below. In a
 * match the worth is the chance to win it.
 *
 * @param {import("./game.js").Game} game
 * @param {any} answer
 * @param {MatchView} view
 */
function plays(game, answer, view) {
  const counts = gammonsCount(view);
  const [best] = answer.plays;
  const inMatch = typeof best.match_winning_chance === "number";
  // To one point the game is the match: its chance stands above.
  const isLast = view.rules.length === 1;
  // One depth of all plays stands once, above the table.
  const all = byDepth(/** @type {any[]} */ (answer.plays));
  const isOne = all.every(({ plies }) => plies === best.plies);
  const depth = (/** @type {number} */ plies) => term(t("play.hintPlies", { plies }), "ply");
  const chances = (/** @type {any} */ { outcomes }) =>
    [
      isLast ? "" : t("play.hintWins", { win: percent(outcomes.win) }),
      counts[0] ? t("play.hintGammons", { n: percent(outcomes.win_gammon) }) : "",
      counts[1] ? t("play.hintLost", { n: percent(outcomes.lose_gammon) }) : "",
    ]
      .filter(Boolean)
      .flatMap((words, i, all) => [el("span", {}, i < all.length - 1 ? `${words},` : words), " "]);
  // Of two depths the difference is about right.
  const about = (/** @type {any} */ play) => (play.plies < best.plies ? "≈ " : "");
  const worth = (/** @type {any} */ play) => [
    inMatch ? percent(play.match_winning_chance) : signed(play.equity),
    about(play) + (inMatch ? percent(lossOf(best, play)) : decimal(lossOf(best, play), 3)),
  ];
  const rows = all.flatMap((play, i) => {
    const more = chances(play);
    return [
      ...(i && play.plies < all[i - 1].plies
        ? [
            el(
              "tr",
              { class: "rule" },
              el("td", { colspan: 3 }, t("analyse.shallow.rule", { n: play.plies })),
            ),
          ]
        : []),
      el(
        "tr",
        pointedAt(game, play.play),
        el("th", { scope: "row" }, playLink(game, play.play)),
        worth(play).map((text, i) =>
          el(
            "td",
            {},
            text,
            i || isOne ? "" : [" ", el("small", { class: "soft" }, depth(play.plies))],
          ),
        ),
      ),
      ...(more.length ? [el("tr", { class: "chances" }, el("td", { colspan: 3 }, more))] : []),
    ];
  });
  return el(
    "table",
    { class: "plays" },
    el(
      "caption",
      {},
      t("play.hintTitle", { dice: answer.dice }),
      isOne ? [" (", depth(best.plies), ")"] : "",
      isChampion(view.net) ? "" : `, ${t("play.judgedBy", { net: netName(view.net) })}`,
    ),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        heads(t("play.hint.play"), inMatch).map((head) => el("th", { scope: "col" }, head)),
      ),
    ),
    el("tbody", {}, rows),
  );
}
