// @ts-check
// The head of every page: the name, the links, the settings.
import "./theme.js";
import { get } from "./api.js";
import { el, entitle } from "./dom.js";
import { host } from "./host.js";
import { openSettings, reopenSettings } from "./settings-dialog.js";
import { onChange } from "./settings.js";
import { known, language, t, wanted } from "./words.js";

/** The pages in their order. */
const PAGES = [
  ["/", "play"],
  ["/analyse", "analyse"],
  ["/practise", "practise"],
  ["/position", "position"],
  ["/train", "train"],
  ["/bot", "bot"],
  ["/api", "api"],
];
/**
 * The chapter of the book that explains each page; words name those that each language has.
 *
 * @type {Record<string, string>}
 */
const CHAPTERS = { "/train": "how-it-learns", "/api": "http-api", "/book": "introduction" };
const NS = "http://www.w3.org/2000/svg";

/**
 * A small picture from its path.
 *
 * @param {string} path
 */
export function icon(path) {
  const made = document.createElementNS(NS, "svg");
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("class", "icon");
  made.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(NS, "path");
  line.setAttribute("d", path);
  made.append(line);
  return made;
}

/** The pictures that pages use. */
export const ICONS = {
  settings: "M4 7h9M17 7h3M4 12h3M11 12h9M4 17h9M17 17h3M15 5v4M9 10v4M15 15v4",
  sound: "M4 10v4h3l5 4V6L7 10zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  mute: "M4 10v4h3l5 4V6L7 10zM16 10l5 5M21 10l-5 5",
  replay: "M4 12a8 8 0 1 0 3-6.2M4 4v4h4",
  flip: "M7 4v14M7 18l-3-3M7 18l3-3M17 20V6M17 6l-3 3M17 6l3 3",
  help: "M8.5 9a3.5 3.5 0 1 1 5 3.1c-1 .5-1.5 1.1-1.5 2.4M12 18h.01",
  more: "M5 12h.01M12 12h.01M19 12h.01",
};

// Another window has chosen another language: a hidden page is drawn anew. Where work
// may be open, such as a test or a match, the words change when the page is loaded next.
const isWork = () =>
  ["/practise", "/train"].includes(location.pathname) || /[?&](match|id)=/.test(host.search());
onChange((name) => {
  if (name === "language" && document.hidden && wanted() !== language && !isWork()) host.reload();
});

/**
 * Draws the head of a page.
 *
 * @param {string} current Its address
 */
export function pageHead(current) {
  const bot = el(
    "a",
    { href: "/bot", hidden: true, "aria-current": current === "/bot" ? "page" : null },
    t("page.bot"),
  );
  const links = PAGES.filter(([address]) => host.has(address)).map(([address, name]) =>
    name === "bot"
      ? bot
      : el(
          "a",
          { href: address, "aria-current": address === current ? "page" : null },
          t(`page.${name}`),
        ),
  );
  const settings = el("button", {
    type: "button",
    class: "quiet",
    id: "settings-button",
    "aria-label": t("settings.title"),
    title: t("settings.title"),
    onclick: openSettings,
  });
  settings.append(icon(ICONS.settings));
  const page = PAGES.find(([address]) => address === current)?.[1];
  if (page && current !== "/") entitle(t(`page.${page}`));
  const own = known(`page.${page}.chapter`);
  const [chapter, about] = own
    ? [own, t("page.play.book")]
    : [CHAPTERS[current] ?? "browser", t("page.book")];
  const help = el("a", {
    class: "quiet help",
    href: `/book/${chapter}`,
    "aria-label": about,
    title: about,
    "aria-current": current === "/book" ? "page" : null,
    target: current === "/" ? "_blank" : null,
  });
  help.append(icon(ICONS.help));
  const mark = el("img", { src: host.asset("icons/icon.svg"), alt: "", width: 28, height: 28 });
  document
    .querySelector("header")
    ?.append(
      el("a", { class: "skip", href: "#main" }, t("page.skip")),
      el("a", { class: "name", href: "/" }, mark, "nonet"),
      el("nav", { "aria-label": t("page.pages") }, links),
      host.has("/book") ? help : "",
      settings,
    );
  reopenSettings();
  // A server without a bot does not offer its page.
  get("/server").then(
    (server) => {
      bot.hidden = !server.bot;
    },
    () => {},
  );
}
