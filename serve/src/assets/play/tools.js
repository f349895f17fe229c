// @ts-check
// The buttons next to the board, and the keys.
import { download } from "../common/api.js";
import { copy } from "../common/copy.js";
import { attempt, byId, el, say } from "../common/dom.js";
import { percent } from "../common/format.js";
import { ICONS, icon } from "../common/header.js";
import { keepText } from "../common/own.js";
import { choose, setting } from "../common/settings.js";
import { t } from "../common/words.js";
import { questionOf } from "./shown.js";
import { boardInWords } from "../board/spoken.js";
import { WORTH, endsMatch, stakesOf } from "./resignation.js";
import { valueOf } from "./seats.js";

/** @typedef {import("./game.js").Game} Game */

const TIP = "nonet-tip";

/**
 * @param {string} key
 * @param {() => void} action
 * @param {string | null} shortcut
 * @param {string | null} picture
 */
function button(key, action, shortcut = null, picture = null, disabled = false) {
  const made = el(
    "button",
    {
      type: "button",
      onclick: action,
      "aria-keyshortcuts": shortcut,
      disabled,
      ...(picture ? { "aria-label": t(key), title: t(key), class: "quiet" } : {}),
    },
    picture ? null : t(key),
  );
  if (picture) made.append(icon(picture));
  return made;
}

/** @param {Game} game */
export function showTools(game) {
  const { view } = game;
  const mute = () => {
    choose("sound", setting("sound") === "on" ? "off" : "on");
    showTools(game);
  };
  const sound = button(
    "play.mute",
    mute,
    "m",
    setting("sound") === "on" ? ICONS.sound : ICONS.mute,
  );
  sound.setAttribute("aria-pressed", `${setting("sound") === "on"}`);
  const decides = view !== null && ["roll", "play", "answer"].includes(view.turn);
  const place = byId("helpers");
  const had = place.contains(document.activeElement)
    ? [...place.children].indexOf(/** @type {Element} */ (document.activeElement))
    : -1;
  place.replaceChildren(
    button("play.hint", () => game.hint(), "h", null, !decides),
    button(
      "play.takeBack",
      () => game.act({ action: "undo" }),
      "z",
      null,
      !view?.may_undo || view.turn === "over",
    ),
    button("play.replay", () => game.again(), "a", ICONS.replay, game.seen.length === 0),
    sound,
  );
  if (had >= 0) /** @type {HTMLElement} */ (place.children[had])?.focus();
  if (byId("tools").children.length) {
    byId("resign").disabled = !["roll", "play"].includes(view?.turn ?? "");
    return;
  }
  const resign = button("play.resign", () => {
    if (!game.view) return;
    const stakes = stakesOf(game.view);
    for (const one of byId("resigning").querySelectorAll("[data-stake]")) {
      const stake = /** @type {import("./resignation.js").Stake} */ (one.value);
      one.hidden = !stakes.includes(stake);
      const n = game.view.cube.value * { single: 1, gammon: 2, backgammon: 3 }[stake];
      one.textContent = t("play.stake", {
        stake: t(stakes.length > 1 ? `play.${stake}` : "play.resignNow"),
        n,
      });
    }
    // Whoever sees the bar hears what it says of giving up.
    const win = setting("evaluation") === "no" ? 0 : (valueOf(game)?.win ?? 0);
    const ends = endsMatch(game.view) ? t("play.resignEnds") : "";
    byId("resigning-warns").textContent = [
      ends,
      win < WORTH ? "" : t("play.resignWarns", { win: percent(win, 0) }),
    ]
      .filter(Boolean)
      .join(" ");
    byId("resigning").showModal();
  });
  resign.id = "resign";
  byId("tools").append(
    button(
      "play.read",
      () => {
        if (game.view) say(`${boardInWords(game.view)} ${questionOf(game.view)}`);
      },
      "b",
    ),
    button("play.copy", () => {
      const { xgid } = game.view ?? {};
      if (xgid) void copy(xgid, () => say(t("play.copied", { xgid })));
    }),
    button(
      "play.save",
      () =>
        void attempt(() => download(`/matches/${game.view?.id}/record`, `${game.view?.id}.mat`)),
    ),
    resign,
    button("play.leave", () => game.go("/")),
  );
}

/** Whoever has made a play knows what the tip says. */
export function knowTip() {
  keepText(TIP, "known");
  byId("tip").hidden = true;
}

/**
 * The keys of the page, and the forms that they belong to.
 *
 * @param {Game} game
 */
export function watchKeys(game) {
  byId("typed").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = byId("play").value.trim();
    if (!text) return;
    byId("play").value = "";
    game.act({ action: "play", play: text });
  });
  byId("resigning").addEventListener("close", () => {
    const stake = byId("resigning").returnValue;
    byId("resigning").returnValue = "";
    if (stake) game.act({ action: "resign", stake });
  });
  byId("tip").hidden = localStorage.getItem(TIP) !== null;
  byId("tip-known").addEventListener("click", knowTip);
  document.addEventListener("keydown", (event) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !game.view ||
      byId("game").hidden ||
      document.querySelector("dialog[open]")
    )
      return;
    const at = /** @type {Element} */ (event.target);
    if (at.closest("input, select, textarea")) return;
    if (game.busy && !game.moving) {
      game.motion.hurry();
      return;
    }
    const key = event.key.toLowerCase();
    if (game.busy) {
      // A key that is faster than the checkers holds for the board as it will be.
      void game.whenStill(() => pressed(key));
      return;
    }
    if ((key === "enter" || key === " ") && !at.closest("button, a, summary, [data-point]")) {
      event.preventDefault();
      pressed("enter");
    } else if (key === "w" && !byId("typed").hidden) {
      event.preventDefault();
      byId("play").focus();
    } else pressed(key);
  });
}

/**
 * Clicks the button of a key.
 *
 * @param {string} key
 */
function pressed(key) {
  const own =
    key === "enter" || key === " "
      ? "#result:not([hidden]) .main, #actions .main:not(:disabled)"
      : key === "u" && document.querySelector("#actions [aria-keyshortcuts=u]") === null
        ? "#helpers [aria-keyshortcuts=z]:not(:disabled)"
        : `#game [aria-keyshortcuts="${CSS.escape(key)}"]:not(:disabled)`;
  /** @type {HTMLElement | null} */ (document.querySelector(own))?.click();
}
