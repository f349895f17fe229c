// @ts-check
// The documentation: the page that is open is marked in the contents, and tables and charts scroll
// by themselves. On a phone the contents stand below the text, and a link leads there. A file of
// the repository is no page: the words that mention it tell its name while one points at them.
import { copyButton } from "../common/copy.js";
import { attempt, byId, el, wholeOptions } from "../common/dom.js";
import { typographic } from "../common/format.js";
import { pageHead } from "../common/header.js";
import { term } from "../common/terms.js";
import { START } from "../board/position.js";
import { known, language, t } from "../common/words.js";
import { commandsIn, formOf } from "../train/commands.js";

pageHead("/book");

const contents = byId("contents");
/** The part of the contents with the chapters in German, and the chapters in both languages. */
const GERMAN = "auf-deutsch";
const BOTH = [
  ["first-match", "erstes-match"],
  ["practise", "ueben"],
];

for (const heading of contents.querySelectorAll("h1"))
  heading.textContent = known(`book.part.${heading.id}`) ?? heading.textContent;
contents.lang = language;
for (const link of contents.querySelectorAll("a")) link.lang = "en";
const german = contents.querySelector(`h1#${GERMAN}`);
const germanLinks = [...(german?.nextElementSibling?.querySelectorAll("a") ?? [])];
for (const link of germanLinks) link.lang = "de";
// Whoever reads German finds the German chapters first.
if (german && language === "de")
  contents.querySelector("p")?.after(german, german.nextElementSibling ?? "");

const links = [...contents.querySelectorAll("a")];
const current = links.find((link) => link.getAttribute("href") === location.pathname);
if (current) {
  current.setAttribute("aria-current", "page");
  // The contents scroll, not the page.
  contents.scrollTop =
    current.getBoundingClientRect().top -
    contents.getBoundingClientRect().top -
    contents.clientHeight / 2;
}
/**
 * The chapter before or after this one, of those in its language.
 *
 * @param {number} step
 * @param {string} words
 */
function neighbour(step, words) {
  const same = links.filter((link) => link.lang === current?.lang);
  const other = current ? same[same.indexOf(current) + step] : null;
  return other
    ? el(
        "a",
        { href: other.getAttribute("href"), lang: other.lang, rel: step < 0 ? "prev" : "next" },
        el("small", { lang: language }, t(words)),
        ` ${other.textContent}`,
      )
    : el("span", {});
}
/**
 * A heading of a chapter, and the text below it.
 *
 * @typedef {{ address: string; title: string; text: string; lang: string }} Section
 */

/**
 * The sections of a chapter.
 *
 * @param {HTMLAnchorElement} link
 * @returns {Promise<Section[]>}
 */
async function sectionsOf(link) {
  const page = new DOMParser().parseFromString(await (await fetch(link.href)).text(), "text/html");
  const body = page.querySelector("article") ?? page.body;
  /** @type {Section[]} */
  const sections = [];
  const nodes = page.createTreeWalker(body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (node instanceof Element) {
      if (!/^H[1-3]$/.test(node.tagName)) continue;
      const [title, isFirst] = [typographic(node.textContent ?? ""), node.tagName === "H1"];
      sections.push({
        address: isFirst ? link.pathname : `${link.pathname}#${node.id}`,
        title: isFirst ? title : `${link.textContent}: ${title}`,
        text: "",
        lang: link.lang,
      });
    } else if (sections.length && !node.parentElement?.closest("h1, h2, h3"))
      sections[sections.length - 1].text += ` ${node.textContent}`;
  }
  return sections;
}

/** The most results that are shown, and the letters before and after a found text. */
const [MOST, AROUND] = [12, 60];
/**
 * All sections of the book, once the person searches.
 *
 * @type {Promise<Section[]> | null}
 */
let book = null;
const results = el("div", { id: "results" });
const search = el("input", {
  type: "search",
  "aria-label": t("book.search"),
  placeholder: t("book.search"),
  autocomplete: "off",
  oninput: () =>
    void attempt(async () => {
      const asked = search.value.trim().toLowerCase();
      contents.classList.toggle("searching", asked.length > 1);
      if (asked.length < 2) return void results.replaceChildren();
      book ??= Promise.all(links.map(sectionsOf))
        .then((all) => all.flat())
        .catch((error) => {
          book = null;
          throw error;
        });
      const all = await book;
      if (search.value.trim().toLowerCase() !== asked) return;
      // Words that begin like those asked for.
      const words = asked
        .split(/\s+/)
        .map(
          (word) =>
            new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}`, "iu"),
        );
      // Whoever reads German gets German chapters first, and English ones, too: most have no twin.
      const found = all.filter(
        ({ title, text, lang }) =>
          (lang === language || lang === "en") &&
          words.every((word) => word.test(`${title} ${text}`)),
      );
      // A title that is asked for comes first.
      const inTitle = (/** @type {Section} */ { title, lang }) =>
        2 * Number(lang === language) + Number(words.every((word) => word.test(title)));
      found.sort((one, other) => inTitle(other) - inTitle(one));
      results.replaceChildren(
        ...found.slice(0, MOST).map(({ address, title, text }) => {
          const plain = text.replace(/\s+/g, " ");
          const at = Math.max(0, plain.search(words[0]) - AROUND);
          // Words that are cut off at either end are left out.
          return el(
            "p",
            {},
            el("a", { href: address }, title),
            el(
              "small",
              {},
              `${at ? "…" : ""}${plain
                .slice(at, at + 2 * AROUND)
                .replace(at ? /^\S*\s/ : "", "")
                .replace(/\s\S*$/, "")
                .trim()}…`,
            ),
          );
        }),
        found.length ? "" : el("p", { class: "small" }, t("book.noneFound", { text: asked })),
      );
    }),
});
contents.prepend(search, results);

const article = document.querySelector("article");
article?.append(
  el("p", { class: "neighbours" }, neighbour(-1, "book.previous"), neighbour(1, "book.next")),
);
article?.prepend(
  el(
    "p",
    { class: "to-contents", lang: language },
    el("a", { href: "#contents" }, t("book.contents")),
  ),
);
// A chapter in another language than that of the page says so, and leads to its twin.
const chapter = current?.lang ?? "en";
if (article) article.lang = chapter;
if (chapter !== language) {
  const twin = BOTH.flatMap((pair) =>
    pair.some((name) => location.pathname === `/book/${name}`)
      ? links.filter((link) =>
          pair.some((name) => link !== current && link.getAttribute("href") === `/book/${name}`),
        )
      : [],
  )[0];
  article?.prepend(
    el(
      "p",
      { class: "small", lang: language },
      t("book.otherLanguage"),
      twin ? [" ", el("a", { href: twin.getAttribute("href") }, `${twin.textContent}`)] : "",
    ),
  );
}
// The numbers of the points are seen on a board.
const numbered = document.querySelector("#how-plays-are-written, #wie-züge-geschrieben-werden");
if (numbered) {
  const { Board } = await import("../board/board.js");
  const place = el("div", { class: "board-place numbered" });
  numbered.nextElementSibling?.after(place);
  new Board(place).draw({ board: START, off: [0, 0], cube: null });
}
for (const one of /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll("article .elsewhere")
)) {
  const path = one.title;
  one.removeAttribute("title");
  if (one.textContent?.trim() === path) one.replaceChildren(el("code", {}, path));
  else one.replaceWith(term(one.textContent ?? "", "file", { path }));
}
for (const one of document.querySelectorAll(
  "article table, article pre, article img[src$='.svg']",
)) {
  const label =
    one.getAttribute("alt") ?? one.closest("article")?.querySelector("h1")?.textContent ?? "";
  const room = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label });
  one.replaceWith(room);
  room.append(one);
  // On a phone a picture is as wide as the page, and a button shows it wider.
  if (one.tagName === "IMG") {
    const wider = el(
      "button",
      {
        type: "button",
        class: "quiet wider",
        lang: language,
        "aria-pressed": "false",
        onclick: () => {
          wider.setAttribute("aria-pressed", `${room.classList.toggle("wide")}`);
          wider.textContent = t(room.classList.contains("wide") ? "book.narrower" : "book.wider");
        },
      },
      t("book.wider"),
    );
    room.after(wider);
  }
}
// A command can be copied; a run that the training room can begin has a link to its form.
for (const code of /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll("article pre > code")
)) {
  const text = code.textContent ?? "";
  const copy = copyButton(t("book.copy"), () => text);
  const runs = commandsIn(text)
    .map(formOf)
    .filter((options) => options !== null);
  const inRoom = runs.length
    ? el(
        "span",
        {},
        t("book.train"),
        " ",
        runs.flatMap((options) => [
          el("a", { href: `/train?${new URLSearchParams(options)}` }, options.name),
          " ",
        ]),
      )
    : "";
  code.closest(".scroll")?.after(el("p", { class: "small command", lang: language }, inRoom, copy));
}
for (const code of document.querySelectorAll("article :not(pre) > code"))
  code.replaceChildren(...wholeOptions(code.textContent ?? ""));
// The text is written in plain ASCII; what is no code has the signs of print.
const prose = document.createTreeWalker(byId("main"), NodeFilter.SHOW_TEXT, (node) =>
  node.parentElement?.closest("code") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
);
while (prose.nextNode())
  prose.currentNode.textContent = typographic(prose.currentNode.textContent ?? "");
