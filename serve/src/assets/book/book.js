// @ts-check
// The documentation: the page that is open is marked in the contents, and tables and charts scroll
// by themselves. On a phone the contents stand below the text, and a link leads there. A file of the
// repository is no page: its name stands behind the words that mention it.
import { byId, el, wholeOptions } from "../common/dom.js";
import { pageHead } from "../common/header.js";
import { language, t } from "../common/words.js";

pageHead("/book");

const contents = byId("contents");
for (const link of contents.querySelectorAll("a")) {
  if (link.getAttribute("href") !== location.pathname) continue;
  link.setAttribute("aria-current", "page");
  // The contents scroll, not the page.
  contents.scrollTop = link.getBoundingClientRect().top - contents.getBoundingClientRect().top - contents.clientHeight / 2;
}
/** The page before or after this one, in the order of the contents. @param {number} step @param {string} words */
function neighbour(step, words) {
  const links = [...contents.querySelectorAll("a")];
  const here = links.findIndex((link) => link.hasAttribute("aria-current"));
  const other = here < 0 ? null : links[here + step];
  return other ? el("a", { href: other.getAttribute("href"), rel: step < 0 ? "prev" : "next" }, el("small", { lang: language }, t(words)), ` ${other.textContent}`) : el("span", {});
}
document.querySelector("article")?.append(el("p", { class: "neighbours" }, neighbour(-1, "book.previous"), neighbour(1, "book.next")));
document.querySelector("article")?.prepend(el("p", { class: "to-contents", lang: language }, el("a", { href: "#contents" }, t("book.contents"))));
// A chapter in another language than that of the page says so.
const chapter = /** @type {HTMLElement | null} */ (document.querySelector("article > [lang]:not(.to-contents)"))?.lang ?? "en";
if (chapter !== language) document.querySelector("article")?.prepend(el("p", { class: "small", lang: language }, t("book.otherLanguage")));
for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("article .elsewhere"))) {
  const path = one.title;
  one.removeAttribute("title");
  if (one.textContent?.trim() === path) one.replaceChildren(el("code", {}, path));
  else one.append(" [", el("code", {}, path), "]");
}
for (const one of document.querySelectorAll("article table, article pre, article img[src$='.svg']")) {
  const label = one.getAttribute("alt") ?? one.closest("article")?.querySelector("h1")?.textContent ?? "";
  const room = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label });
  one.replaceWith(room);
  room.append(one);
  // On a phone a picture is as wide as the page, and a button shows it wider.
  if (one.tagName === "IMG") {
    const wider = el("button", { type: "button", class: "quiet wider", lang: language, "aria-pressed": "false", onclick: () => {
      wider.setAttribute("aria-pressed", `${room.classList.toggle("wide")}`);
      wider.textContent = t(room.classList.contains("wide") ? "book.narrower" : "book.wider");
    } }, t("book.wider"));
    room.after(wider);
  }
}
for (const code of document.querySelectorAll("article :not(pre) > code")) code.replaceChildren(...wholeOptions(code.textContent ?? ""));
