// @ts-check
// The buttons of the person's decision, on the board.
import { byId, el, say } from "../common/dom.js";
import { setting } from "../common/settings.js";
import { t } from "../common/words.js";
import { confirm, undoMove } from "./moving.js";
import { decideAnew, isHeldBack, letStand } from "./tutor.js";

/**
 * @param {string} key
 * @param {() => void} action
 * @param {string} shortcut
 * @param {string} kind
 * @param {boolean} disabled
 */
const button = (key, action, shortcut, kind = "", disabled = false) =>
  el(
    "button",
    { type: "button", class: kind, onclick: action, "aria-keyshortcuts": shortcut, disabled },
    t(key),
  );

/** @param {import("./game.js").Game} game */
export function showActions(game) {
  const { view, roll } = game;
  const place = byId("actions");
  // While the server was asked there was no button to keep the focus.
  const had =
    place.contains(document.activeElement) ||
    (game.hadFocus && document.activeElement === document.body);
  /** @type {HTMLElement[]} */
  const buttons = [];
  place.className = `actions on-${view?.turn === "roll" ? "own" : "other"}`;
  // The tutor's question takes the place of the decision that it has stopped.
  if (isHeldBack(game)) {
    // Below the board they hide no arrow.
    place.classList.add("below");
    buttons.push(
      button("play.tutor.anew", () => decideAnew(game), "x", "main"),
      button("play.tutor.stands", () => letStand(game), "y"),
    );
  } else
    switch (view?.turn) {
      case "roll":
        buttons.push(button("play.roll", () => game.act({ action: "roll" }), "r", "main"));
        if (view.may_double)
          buttons.push(
            button(
              view.cube.value > 1 ? "play.redouble" : "play.double",
              () => game.act({ action: "double" }),
              "d",
            ),
          );
        break;
      case "play":
        buttons.push(button("play.confirm", () => confirm(game), "c", "main", !roll?.play()));
        if (roll?.made.length) buttons.push(button("play.undoMove", () => undoMove(game), "u"));
        break;
      case "answer":
        buttons.push(
          button("play.take", () => game.act({ action: "take" }), "t", "main"),
          button("play.pass", () => game.act({ action: "pass" }), "p"),
        );
        if (view.may_beaver)
          buttons.push(button("play.beaver", () => game.act({ action: "beaver" }), "v"));
        break;
      case "next-game":
        buttons.push(button("play.nextGame", () => game.act({ action: "next-game" }), "n", "main"));
        break;
      case "over":
        // The way back to the card of the end, for whoever looks at the board.
        if (byId("result").hidden && byId("result").children.length)
          buttons.push(
            button(
              "play.toResult",
              () => {
                byId("result").hidden = false;
                showActions(game);
              },
              "n",
              "main",
            ),
          );
        break;
      default:
        break;
    }
  place.replaceChildren(...buttons);
  if (buttons.length) game.hadFocus = false;
  if (had) (buttons.find((one) => one.className === "main") ?? buttons[0])?.focus();
}

/** Milliseconds to read that there was no choice. */
const READ = 1300;

/**
 * Says that there is one legal play or none, long enough to be read; whoever wants so is asked.
 *
 * @param {import("../board/motion.js").Motion} motion
 * @param {string} play
 */
export async function showForced(motion, play) {
  if (document.hidden) return;
  const place = byId("actions");
  const asks = setting("forced") === "ask";
  place.className = "actions on-other";
  const words = el(
    "span",
    { class: "note" },
    play ? t("play.onlyPlay", { play }) : t("play.noPlay"),
  );
  // A click anywhere goes on; so does each key.
  place.replaceChildren(
    words,
    ...(asks
      ? [button(play ? "play.playIt" : "play.goOnForced", () => motion.hurry(), "c", "main")]
      : []),
  );
  await motion.hold(asks ? 0 : READ);
  place.replaceChildren();
}

/**
 * Says that the board is that of an earlier turn.
 *
 * @param {number} turn
 * @param {string} words What happened then
 * @param {boolean} held Whether it stays until a click
 */
export function showPast(turn, words, held) {
  say(t("play.past", { turn, words }));
  byId("past").textContent = t("play.pastBack", { turn });
  byId("past").hidden = false;
  const { top, bottom } = byId("board").getBoundingClientRect();
  if (held && (top < 0 || bottom > innerHeight))
    byId("board").scrollIntoView({ block: "center", behavior: "smooth" });
}

/** The board is that of now. */
export function hidePast() {
  byId("past").hidden = true;
}

/**
 * A click anywhere else than on the log goes back to the game, and does nothing else on the board.
 *
 * @param {import("./log.js").Log} log
 */
export function watchPast(log) {
  addEventListener(
    "pointerdown",
    (event) => {
      const at = /** @type {Element} */ (event.target);
      if (byId("past").hidden || at.closest("#log")) return;
      if (at.closest(".board-frame")) {
        event.preventDefault();
        event.stopPropagation();
      }
      log.letGo();
    },
    true,
  );
  byId("past").addEventListener("click", () => log.letGo());
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !byId("past").hidden) log.letGo();
  });
}
