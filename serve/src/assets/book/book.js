// @ts-check
// The documentation: the page that is open is marked in the contents, and tables and charts scroll
// by themselves. On a phone the contents stand below the text, and a link leads there.
import { byId, el } from "../common/dom.js";
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
document.querySelector("article")?.prepend(el("p", { class: "to-contents", lang: language }, el("a", { href: "#contents" }, t("book.contents"))));
for (const one of document.querySelectorAll("article table, article pre, article img[src$='.svg']")) {
  const label = one.getAttribute("alt") ?? one.closest("article")?.querySelector("h1")?.textContent ?? "";
  const room = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label });
  one.replaceWith(room);
  room.append(one);
}
