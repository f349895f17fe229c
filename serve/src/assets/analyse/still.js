// @ts-check
// Parts of a page as they stand on a page without scripts.
import { el } from "../common/dom.js";
import { giveTheme } from "../common/theme.js";
import { t } from "../common/words.js";

/** What only a script needs. */
const LIVE = [
  "tabindex",
  "aria-live",
  "aria-pressed",
  "aria-valuemin",
  "aria-valuemax",
  "aria-valuenow",
  "aria-valuetext",
  "data-row",
  "data-column",
  "data-at",
];

/**
 * A copy without buttons and listeners, with all rows of its tables. Words of the field say their
 * meaning as a title.
 *
 * @template {Element} E
 * @param {E} live
 * @returns {E}
 */
export function still(live) {
  const copy = /** @type {E} */ (live.cloneNode(true));
  for (const gone of copy.querySelectorAll(".told, .now, .looked, [data-more]")) gone.remove();
  for (const one of copy.querySelectorAll("[data-term]")) {
    one.setAttribute(
      "title",
      t(
        `term.${one.getAttribute("data-term")}`,
        JSON.parse(one.getAttribute("data-values") ?? "{}"),
      ),
    );
    for (const name of ["data-term", "data-values"]) one.removeAttribute(name);
  }
  for (const button of copy.querySelectorAll("button")) {
    const said = button.getAttribute("aria-label");
    const text = el("span", { class: button.className.replace("link", ""), title: said });
    text.style.cssText = button.style.cssText;
    text.append(...button.childNodes);
    button.replaceWith(text);
  }
  for (const one of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of LIVE) one.removeAttribute(name);
    if (one.getAttribute("role") === "slider") one.setAttribute("role", "img");
    if (one.tagName === "TR" && one.hasAttribute("hidden")) one.removeAttribute("hidden");
  }
  return copy;
}

/** The style sheets of this page as one text. */
export const styles = () =>
  [...document.styleSheets]
    .flatMap((sheet) => {
      try {
        return [...sheet.cssRules].map((rule) => rule.cssText);
      } catch {
        return []; // That of another origin, such as of an extension of the browser.
      }
    })
    .join("\n");

/**
 * A whole document as a text.
 *
 * @param {{ title: string; language: string; style: string; main: Element }} given
 */
export function documentText({ title, language, style, main }) {
  const head = el(
    "head",
    {},
    el("meta", { charset: "utf-8" }),
    el("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    el("title", {}, title),
    el("style", {}, style),
  );
  const root = el("html", { lang: language }, head, el("body", { class: "exported" }, main));
  giveTheme(root);
  return `<!doctype html>\n${root.outerHTML}\n`;
}
