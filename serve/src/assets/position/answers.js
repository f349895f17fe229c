// @ts-check
// What is said about a position: chances, plays or cube, the 21 rolls, what the net looks at.
import { chip } from "../analyse/board-view.js";
import { SURE_PLY, chancesLine, plays } from "../analyse/decision-view.js";
import { post } from "../common/api.js";
import { answersOf, cubeWords } from "../common/cube-words.js";
import { attempt, byId, el, loading } from "../common/dom.js";
import { decimal, isNothing, losesWords, percent, signed } from "../common/format.js";
import { host } from "../common/host.js";
import { isChampion } from "../common/net-name.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { known, t } from "../common/words.js";
import { START, pipsOf } from "../board/position.js";
import { isId, isWithoutGammons, pasted, readXgid, shares } from "./xgid.js";

/**
 * The chances of both sides as one bar: before the roll, or after the best play of a roll.
 *
 * @param {Record<string, number>} before The chances before the roll
 * @param {number} equity Without the cube, before the roll
 * @param {number} depth In plies
 * @param {any} best The best play of a roll; null without one
 */
export function chancesPart(before, equity, depth, best = null) {
  const chances = best?.outcomes ?? before;
  const withoutCube = term(t("position.withoutCube", { equity: signed(equity) }), "cubeless");
  const caption = best
    ? [t("position.afterPlay", { play: best.play }), " · ", t("common.ply", { n: best.plies })]
    : [t("position.beforeRoll"), " · ", withoutCube, " · ", t("common.ply", { n: depth })];
  const parts = shares(chances).map((share, i) => {
    const part = el("span", {
      class: `share ${["own3", "own2", "own1", "other1", "other2", "other3"][i]}`,
    });
    part.style.width = `${100 * share}%`;
    return part;
  });
  return el(
    "div",
    { class: "chances-bar" },
    el(
      "p",
      { class: "row" },
      el("b", {}, t("position.wins", { win: percent(chances.win) })),
      el("span", { class: "soft" }, caption),
    ),
    el("div", { class: "bar-of-shares", "aria-hidden": "true" }, parts),
    chancesLine(chances),
    best
      ? el(
          "p",
          { class: "small soft" },
          t("position.beforeRoll.wins", { win: percent(before.win) }),
          " · ",
          withoutCube,
          " · ",
          t("common.ply", { n: depth }),
        )
      : null,
  );
}

/**
 * What the champion says where another net answers: its chances and its equity beside those above.
 *
 * @param {string | undefined} net
 * @param {string} id
 * @param {number} ply
 * @param {boolean} isDead Whether gammons count nothing
 * @param {boolean} isRolled Whether the answer above is one to a roll
 */
export function championPart(net, id, ply, isDead, isRolled) {
  if (!net || isChampion(net)) return "";
  const place = el("p", { class: "small" });
  attempt(async () => {
    const [{ outcomes, equity }] = await post("/evaluate", { ids: [id], ply });
    place.replaceChildren(
      t(isRolled ? "position.champion.beforeRoll" : "position.champion", {
        win: percent(outcomes.win),
        equity: signed(isDead ? 2 * outcomes.win - 1 : equity),
        plies: ply,
      }),
    );
  });
  return place;
}

/**
 * The line below the board: pips, score, rules.
 *
 * @param {import("./xgid.js").Fields} fields
 * @param {number[]} shown The board as it is drawn
 */
export function factsOf(fields, shown) {
  const { points, length, rules } = fields;
  const pips = pipsOf(shown);
  const match = length
    ? `${t("position.match", { n: length, own: points[0], other: points[1] })} (${t("position.away", { own: length - points[0], other: length - points[1] })})${rules === 1 ? `, ${t("analyse.crawford")}` : ""}`
    : t(`position.rules.money${rules}`);
  return [
    t("position.pips", { own: pips[0], other: pips[1] }),
    match,
    isWithoutGammons(fields) ? t("position.noGammons") : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Lines about both players where O is on roll in the XGID: who sits where, and which player's
 * figures they are.
 *
 * @param {boolean} isO
 * @param {boolean} turned Whether X sits below
 * @param {(() => void) | null} turn Puts the other player below
 */
export function drawSides(isO, turned, turn) {
  const line = (/** @type {"X" | "O"} */ who) => [
    el(
      "span",
      { class: "who" },
      chip(who === "X" ? "own" : "other"),
      who === "O" ? t("position.side.roll") : who,
    ),
    who === "O"
      ? el("span", { class: "soft" }, t("position.side.figures"))
      : turn
        ? el(
            "button",
            {
              type: "button",
              class: "link",
              id: "turn-board",
              onclick: () => {
                turn();
                byId("turn-board").focus();
              },
            },
            t("position.side.turn"),
          )
        : "",
  ];
  for (const [id, who] of /** @type {["side-other" | "side-own", "X" | "O"][]} */ ([
    ["side-other", turned ? "O" : "X"],
    ["side-own", turned ? "X" : "O"],
  ])) {
    byId(id).hidden = !isO;
    byId(id).replaceChildren(...(isO ? line(who) : []));
  }
}

/** The place for setting up, and the button that copies the address. */
export function prepareTools() {
  // Setting up stands beside the board where there is room, and else directly below it.
  const roomy = matchMedia("(min-width: 860px)");
  const placeSetup = () =>
    roomy.matches ? byId("answers").prepend(byId("setup")) : byId("facts").after(byId("setup"));
  roomy.addEventListener("change", placeSetup);
  placeSetup();
  byId("share").addEventListener("click", () =>
    attempt(async () => {
      await navigator.clipboard.writeText(host.address());
      byId("share").textContent = t("position.shared");
      setTimeout(() => {
        byId("share").textContent = t("position.share");
      }, 2000);
    }),
  );
}

/**
 * A click on the cube of the board opens its choice.
 *
 * @param {any} event
 */
export function openCube(event) {
  if (!event.target.closest(".cube-place")) return;
  byId("setup").open = true;
  byId("cube").focus();
  try {
    byId("cube").showPicker();
  } catch {
    /* A browser without it: the choice has the focus. */
  }
}

/**
 * A position as a decision, for the match winning chances that its equities are worth; null for
 * money.
 *
 * @param {any} cube Its cube decision
 */
export function worthOf({
  match_winning_chances: chances,
  no_double: no,
  double_take: take,
  double_pass: pass,
}) {
  if (!chances) return null;
  // Of the other actions, the one that tells the slope best.
  const [equity, chance] =
    Math.abs(take - no) > Math.abs(pass - no) ? [take, chances[1]] : [pass, chances[2]];
  if (Math.abs(equity - no) < 1e-3) return null;
  const unit = (chance - chances[0]) / (equity - no);
  return /** @type {any} */ ({
    xgid: "",
    mwc_after: chance,
    unit,
    even: chances[0] - unit * no,
    decision: {},
  });
}

/**
 * Takes an ID that is pasted outside of the fields. A first click in the field of the ID selects
 * it.
 *
 * @param {HTMLInputElement} field
 * @param {(text: string) => unknown} take
 */
export function listenToPaste(field, take) {
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    const isElsewhere = !(
      /** @type {Element} */ (event.target).closest?.("input, textarea, dialog")
    );
    if (isElsewhere && isId(pasted(text).id)) take(text);
  });
  let had = false;
  field.addEventListener("pointerdown", () => {
    had = document.activeElement === field;
  });
  field.addEventListener("click", () => {
    if (!had && field.selectionStart === field.selectionEnd) field.select();
  });
}

/** From this width of their card on, in pixels, plays have a column of match winning chances. */
const WIDE = 480;

/**
 * The best play of a roll; null where nothing can move.
 *
 * @param {any} hint
 */
export const bestOf = (hint) =>
  hint?.plays.length && !hint.plays[0].play.startsWith("(") ? hint.plays[0] : null;

/**
 * The plays of a roll.
 *
 * @param {any} hint
 * @param {(play: any, keep: boolean) => void} look
 * @param {string} xgid
 */
export function playsPart(hint, look, xgid) {
  if (!bestOf(hint)) return el("p", { class: "empty" }, t("position.noPlay", { dice: hint.dice }));
  const all = hint.plays.map((/** @type {any} */ play) => ({ ...play, after: play.id }));
  const decision = /** @type {any} */ ({
    xgid,
    mwc_after: null,
    decision: { dice: hint.dice, plays: all },
  });
  return el(
    "div",
    {},
    el("h2", {}, t("position.playsOf", { dice: hint.dice })),
    plays(decision, look, byId("plays").clientWidth >= WIDE),
    el(
      "p",
      { class: "facts" },
      el("span", {}, term(t("common.ply", { n: hint.plies }), "ply")),
      el(
        "span",
        {},
        all.length < hint.legal
          ? t("position.bestOf", { n: all.length, all: hint.legal })
          : t("analyse.legal", { n: hint.legal }),
      ),
    ),
  );
}

/**
 * The plays of a net; below each one of another net, what it loses by the champion, once that has
 * answered.
 *
 * @param {HTMLElement} part The plays
 * @param {string | undefined} net
 * @param {string} id
 * @param {number} ply
 */
export function withChampion(part, net, id, ply) {
  if (!net || isChampion(net)) return part;
  attempt(async () => {
    const { plays: all } = await post("/hint", { id, ply, plays: ALL });
    for (const button of part.querySelectorAll("button.play")) {
      const found = all.find((/** @type {any} */ { play }) => play === button.textContent);
      if (found)
        button
          .closest("th")
          ?.append(
            el(
              "small",
              { class: "soft by-champion" },
              found === all[0]
                ? t("position.champion.best")
                : t("position.champion.loses", { loses: losesWords(found, all[0]) }),
            ),
          );
    }
  });
  return part;
}

/** More plays than a roll has. */
const ALL = 999;

/**
 * From which chances on the opponent passes.
 *
 * @param {{ dead: number; live: number }} points
 */
function cashWords(points) {
  const [dead, live] = [percent(points.dead, 0), percent(points.live, 0)];
  return dead === live ? t("position.cashAt", { at: dead }) : t("position.cash", { dead, live });
}

/**
 * The heads of a table of actions.
 *
 * @param {any} mwc
 */
const cubeHeads = (mwc) =>
  el(
    "thead",
    {},
    el(
      "tr",
      {},
      [
        t("table.action"),
        term(t("table.equity"), "equity"),
        t("table.difference"),
        ...(mwc ? [t("table.matchWon")] : []),
      ].map((head) => el("th", { scope: "col" }, head)),
    ),
  );

/**
 * The answer to a double that is on the table, seen by the doubler, as all of the page.
 *
 * @param {any} cube
 * @param {number} value
 */
function answerPart(cube, value) {
  const mwc = cube.match_winning_chances;
  const all = answersOf(cube);
  const best = Math.min(...all.map(([, equity]) => equity));
  const rows = all.map(([name, equity, i]) =>
    el(
      "tr",
      { class: equity === best ? "top" : "" },
      el("th", { scope: "row" }, cubeWords(name)),
      el("td", {}, signed(equity)),
      el("td", {}, equity === best ? "" : signed(equity - best)),
      mwc ? el("td", {}, percent(mwc[i])) : null,
    ),
  );
  return el(
    "div",
    {},
    el(
      "h2",
      {},
      t(cube.answer === "beaver" ? "position.offered.beaver" : "position.offered", {
        value,
        answer: cubeWords(cube.answer),
      }),
    ),
    el("p", { class: "small" }, t("position.offered.how")),
    el("table", { class: "plays cube" }, cubeHeads(mwc), el("tbody", {}, rows)),
    el("p", { class: "facts" }, el("span", {}, term(t("common.ply", { n: cube.plies }), "ply"))),
  );
}

/**
 * The cube decision, or the answer to a double.
 *
 * @param {any} cube
 * @param {{ offered: number | null; isDead: boolean }} given The value of a double that is on the
 *   table; whether gammons count nothing
 */
export function cubePart(cube, { offered, isDead }) {
  if (offered) return answerPart(cube, offered);
  const kind = cube.redouble ? "redouble" : "double";
  const mwc = cube.match_winning_chances;
  const isFree = cube.action !== "not-available";
  const cubeless = isDead ? 2 * cube.outcomes.win - 1 : cube.cubeless;
  const actions = /** @type {[string, number][]} */ ([
    ["no", cube.no_double],
    ["take", cube.double_take],
    ["pass", cube.double_pass],
  ]);
  // Without the right to double there is one row.
  const rows = actions.slice(0, isFree ? 3 : 1).map(([name, equity], i) => {
    const behind = equity - cube.equity;
    const isBest = isNothing(behind);
    return el(
      "tr",
      { class: isBest ? "top" : "" },
      el(
        "th",
        { scope: "row" },
        t(`cube.${kind}.${name === "take" && cube.answer === "beaver" ? "beaver" : name}`),
      ),
      el("td", {}, signed(equity)),
      el("td", {}, isBest ? "" : signed(behind)),
      mwc ? el("td", {}, percent(mwc[i])) : null,
    );
  });
  return el(
    "div",
    {},
    el("h2", {}, t("position.cube", { words: cubeWords(cube.words) })),
    el("table", { class: "plays cube" }, cubeHeads(mwc), el("tbody", {}, rows)),
    el(
      "p",
      { class: "facts" },
      el("span", {}, term(t("common.ply", { n: cube.plies }), "ply")),
      el("span", {}, term(t("position.cubeless", { equity: signed(cubeless) }), "cubeless")),
      isFree ? el("span", {}, term(cashWords(cube.cash_points), "cash")) : null,
    ),
    mwc && isFree && cube.plies < SURE_PLY
      ? el("p", { class: "small" }, t("analyse.cube.shallow"))
      : null,
  );
}

/**
 * How a roll compares with the others: -1 the worst to 1 the best. Small luck is seen, too.
 *
 * @param {number} luck
 * @param {number} most
 */
export const warmth = (luck, most) =>
  Math.sign(luck) * Math.min(1, Math.abs(luck) / Math.max(most, 1e-9)) ** 0.6;

/**
 * Whether the rolls of a position are those of an opening.
 *
 * @param {readonly number[]} board
 */
export const isOpening = (board) => board.every((n, i) => n === START[i]);

/**
 * The answers are on their way. Those to an opening begin with its rolls, which are looked for
 * there.
 *
 * @param {import("./xgid.js").Fields} fields
 */
export function beginAnswers({ board, dice }) {
  byId("answers").setAttribute("aria-busy", "true");
  byId("answers").classList.toggle("opening", isOpening(board) && !dice);
}

/** How much colour the best or worst roll has, in per cent. */
const DEEP = 70;

/**
 * How deep a colour is, in a style.
 *
 * @param {number} warm
 */
const depthOf = (warm) => `${Math.round(Math.abs(warm) * DEEP)}%`;

/**
 * What the colours of the rolls mean: the deepest ones that are there.
 *
 * @param {number[]} warmths
 */
const rollKey = (warmths) =>
  el(
    "p",
    { class: "small roll-key" },
    Object.entries({ better: Math.max(...warmths), average: 0, worse: Math.min(...warmths) }).map(
      ([key, warm]) => {
        const swatch = el("i", {});
        swatch.style.setProperty("--warm", depthOf(warm));
        return el("span", { class: key }, swatch, t(`position.key.${key}`));
      },
    ),
  );

/**
 * The best play of a roll in words.
 *
 * @param {{ play: string }} one
 */
const playWords = ({ play }) => (play.startsWith("(") ? t("analyse.cannotMove") : play);

/**
 * The 21 rolls as a triangle; looking at one shows its best play on the board, a click rolls it.
 * Those of an opening name their best plays, which people learn by heart.
 *
 * @param {any} answer
 * @param {(roll: any) => void} look
 * @param {(dice: string) => void} roll
 * @param {{ ply: number; ask: () => void } | null} deeper A greater depth, and what searches the
 *   rolls so deep
 * @param {number | null} taken The value of the cube, if a double is on the table: the rolls follow
 *   a take
 */
export function rollsPart(answer, look, roll, deeper = null, taken = null, opens = false) {
  const most = Math.max(...answer.rolls.map((/** @type {any} */ one) => Math.abs(one.luck)));
  const of = new Map(answer.rolls.map((/** @type {any} */ one) => [one.dice, one]));
  const cells = [];
  /** The roll that the mouse points at. @type {any} */
  let pointed = null;
  for (let low = 1; low <= 6; low += 1) {
    for (let high = 1; high <= 6; high += 1) {
      const one = high >= low ? of.get(`${high}${low}`) : null;
      if (!one) {
        cells.push(el("span", { class: "no-roll", "aria-hidden": "true" }));
        continue;
      }
      const warm = warmth(one.luck, most);
      const cell = el(
        "button",
        {
          type: "button",
          class: `roll ${warm > 0 ? "good" : "bad"}`,
          "data-roll": one.dice,
          title: `${one.dice}: ${playWords(one)}`,
          "aria-label": t(opens ? "position.openingLabel" : "position.rollLabel", {
            dice: one.dice,
            play: playWords(one),
            equity: signed(one.equity, 2),
            luck: signed(one.luck, 2),
          }),
          onmousemove: (/** @type {MouseEvent} */ event) => {
            if (hasMoved(event) && pointed !== one) look((pointed = one));
          },
          onmouseleave: () => look((pointed = null)),
          onfocus: () => look(one),
          onblur: () => look(null),
          onclick: () => {
            isRolled = true;
            roll(one.dice);
          },
        },
        el("b", {}, one.dice),
        " ",
        el("small", {}, opens ? playWords(one) : signed(one.equity, 2)),
      );
      cell.style.setProperty("--warm", depthOf(warm));
      cells.push(cell);
    }
  }
  const [best, worst] = [answer.rolls[0], answer.rolls.at(-1)];
  return el(
    "div",
    {},
    el(
      "h2",
      {},
      t(opens ? "position.openings" : "position.rolls"),
      " ",
      el("span", { class: "tag" }, term(t("common.ply", { n: answer.plies }), "ply")),
    ),
    el("div", { class: opens ? "triangle with-plays" : "triangle" }, cells),
    rollKey(answer.rolls.map((/** @type {any} */ one) => warmth(one.luck, most))),
    taken ? el("p", { class: "small" }, t("position.rolls.taken", { value: taken })) : null,
    el(
      "p",
      { class: "small", id: "roll-said" },
      opens
        ? t("position.openings.how")
        : t("position.rollsSaid", {
            n: answer.plies,
            equity: signed(answer.equity),
            best: `${best.dice} (${playWords(best)})`,
            worst: `${worst.dice} (${playWords(worst)})`,
          }),
    ),
    opens
      ? el(
          "p",
          { class: "tools" },
          el("a", { class: "button", href: "/practise?ask=openings" }, t("position.openings.ask")),
        )
      : null,
    deeper
      ? el(
          "p",
          { class: "small" },
          t("position.rolls.shallow", { n: answer.plies }),
          " ",
          el(
            "button",
            { type: "button", class: "link", "data-deeper": "", onclick: deeper.ask },
            t("position.rolls.deeper", { n: deeper.ply }),
          ),
        )
      : null,
  );
}

/** Whether a roll of the table has been chosen: its plays will stand above the table. */
let isRolled = false;

/**
 * Shows the plays, and moves to them if a roll of the table asked for them.
 *
 * @param {HTMLElement} main
 */
export function showPlays(main) {
  byId("plays").replaceChildren(main);
  if (isRolled) {
    const back = () => byId("rolls").scrollIntoView();
    byId("plays")
      .querySelector("h2")
      ?.after(
        el(
          "p",
          { class: "small" },
          el("button", { type: "button", class: "link", onclick: back }, t("position.toRolls")),
        ),
      );
    byId("plays").scrollIntoView();
  }
  isRolled = false;
}

/**
 * Whether a mouse has moved: where the page moves under it, browsers tell of the mouse, too.
 *
 * @param {MouseEvent} event
 */
const hasMoved = ({ movementX, movementY }) => movementX !== 0 || movementY !== 0;

/** The greatest depth of the rolls: 3-ply takes several times as long, and says nearly the same. */
const ROLLS_PLY = 2;

/**
 * Asks for the 21 rolls at 1-ply, which are there at once, and then deeper.
 *
 * @param {HTMLElement} place
 * @param {{ id: string; net: string | undefined }} asked
 * @param {{
 *   isOn: () => boolean;
 *   taken: number | null;
 *   deepest: number;
 *   dice: string;
 *   look: (roll: any) => void;
 *   roll: (dice: string) => void;
 * }} given
 *   Whether the position is still asked about; the depth of the other answers; the roll that is
 *   chosen
 */
export async function showRolls(place, asked, given) {
  const { isOn, taken, deepest, dice, look, roll } = given;
  const ply = Math.min(deepest, ROLLS_PLY);
  const opens = isOpening(readXgid(asked.id)?.board ?? []) && taken === null;
  /** @type {any} */
  let shown = null;
  const goDeeper = async () => {
    if (!isOn()) return;
    place.querySelector("[data-deeper]")?.replaceWith(loading(t("position.rolls.working")));
    try {
      draw(await post("/rolls", { ...asked, ply }));
    } catch (error) {
      draw(shown);
      throw error;
    }
  };
  const draw = (/** @type {any} */ answer) => {
    if (!isOn()) return;
    shown = answer;
    const focused = /** @type {HTMLElement | null} */ (
      place.contains(document.activeElement) ? document.activeElement : null
    )?.dataset.roll;
    place.replaceChildren(
      rollsPart(
        answer,
        look,
        roll,
        answer.plies < ply ? { ply, ask: () => attempt(goDeeper) } : null,
        taken,
        opens,
      ),
    );
    if (focused)
      /** @type {HTMLElement | null} */ (place.querySelector(`[data-roll="${focused}"]`))?.focus({
        preventScroll: true,
      });
    for (const cell of /** @type {NodeListOf<HTMLElement>} */ (
      place.querySelectorAll("[data-roll]")
    ))
      cell.setAttribute(
        "aria-pressed",
        `${dice.split("").sort().reverse().join("") === cell.dataset.roll}`,
      );
  };
  draw(await post("/rolls", { ...asked, ply: 1 }));
  // What takes too long is offered again.
  if (ply > 1) goDeeper().catch(() => {});
}

/**
 * Says what a roll is worth that is looked at, and else what all say.
 *
 * @param {any} roll
 */
export function saidRoll(roll) {
  const place = byId("roll-said");
  place.dataset.all ??= place.textContent ?? "";
  place.textContent = roll
    ? t("position.rollWords", {
        dice: roll.dice,
        play: playWords(roll),
        equity: signed(roll.equity),
        luck: signed(roll.luck),
      })
    : place.dataset.all;
}

/**
 * Words of the server about an input in the person's language; null where there are none.
 *
 * @param {string} english
 */
function inputWords(english) {
  const number = /\d+/.exec(english)?.[0] ?? "";
  return (
    known(`input.${english}`) ??
    known(`input.${english.replace(number, "{n}")}`)?.replace("{n}", number) ??
    null
  );
}

/**
 * The name of an input, such as `own point 24: 2 or more`, in the person's language.
 *
 * @param {string} english
 */
export function inputName(english) {
  const [, whose, rest] = /^(own |opponent )?(.*)$/.exec(english) ?? ["", "", english];
  const parts = rest.split(": ").map(inputWords);
  const name = parts.includes(null) ? rest : parts.join(": ");
  return whose ? t(`position.input.${whose.trim()}`, { name }) : name;
}

/**
 * What the net looks at.
 *
 * @param {any} answer
 */
export function inputsPart(answer) {
  const most = Math.max(...answer.inputs.map((/** @type {any} */ input) => Math.abs(input.effect)));
  const rows = answer.inputs.map((/** @type {any} */ input) => {
    const bar = el("span", { class: input.effect < 0 ? "bar" : "bar gain" });
    bar.style.width = `${(100 * Math.abs(input.effect)) / Math.max(most, 1e-9)}%`;
    const name = el(
      "span",
      { title: inputWords(input.reason) ?? input.reason },
      inputName(input.name),
      input.unit ? el("small", { class: "unit" }, inputWords(input.unit) ?? input.unit) : null,
    );
    return [
      name,
      decimal(input.value, Number.isInteger(input.value) ? 0 : 2),
      el("span", {}, signed(input.effect), el("span", { class: "bar-room" }, bar)),
    ];
  });
  return el(
    "div",
    {},
    el(
      "p",
      { class: "small" },
      term(t("position.inputs.how", { class: t(`class.${answer.class}`) }), "class"),
    ),
    table(
      t("position.inputs.caption"),
      [t("position.input"), t("position.value"), t("position.effect")],
      rows,
    ),
  );
}

/**
 * A button that asks why.
 *
 * @param {() => Promise<HTMLElement>} why
 * @param {() => boolean} isOn Whether the position is still asked about
 */
export function whyButton(why, isOn) {
  const place = el("div", {});
  const ask = el("button", { type: "button", "data-why": "" }, t("why"));
  ask.addEventListener("click", () =>
    attempt(async () => {
      place.replaceChildren(loading());
      try {
        const part = await why();
        if (isOn()) place.replaceChildren(part);
      } catch (error) {
        place.replaceChildren();
        throw error;
      }
    }),
  );
  return el("div", {}, el("p", {}, ask), place);
}
