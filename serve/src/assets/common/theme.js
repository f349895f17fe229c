// @ts-check
// Dark or light: the theme of the system, unless the person has chosen one. The style sheets also
// know:
//
// - where the player below bears off
// - the colour of the person's checkers
// - the colours of the checkers on the chosen board
import LOOK from "../board/look.js";
import { onChange, setting } from "./settings.js";

/** The colours of a checker, in the order of a board's theme. */
const PARTS = ["lit", "body", "low", "edge"];

function apply() {
  const { dataset, style } = document.documentElement;
  const theme = setting("theme");
  if (theme === "system") delete dataset.theme;
  else dataset.theme = theme;
  [dataset.home, dataset.checkers] = [setting("home"), setting("checkers")];
  const board = LOOK.themes[/** @type {keyof typeof LOOK.themes} */ (setting("board"))];
  for (const side of /** @type {const} */ (["light", "dark"])) {
    board[side].forEach((colour, i) => style.setProperty(`--${side}-${PARTS[i]}`, colour));
    style.setProperty(`--${side}-ink`, board[`${side}Ink`]);
  }
}
apply();
onChange(apply);

/**
 * Lets the style sheets of a page without scripts know the same. An attribute `style` is against
 * the content security policy of the page that makes it; a property is not.
 *
 * @param {HTMLElement} root
 */
export function giveTheme(root) {
  root.dataset.checkers = setting("checkers");
  root.style.cssText = document.documentElement.style.cssText;
}
