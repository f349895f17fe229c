// @ts-check
// The page where people play: which of its views is shown. The address says it, so that back,
// forward and reload work.
import { get } from "../common/api.js";
import { attempt, byId } from "../common/dom.js";
import { pageHead } from "../common/header.js";
import { host, query } from "../common/host.js";
import { learnTitles } from "../common/net-name.js";
import { Game } from "./game.js";
import { hideSetup, showSetup } from "./setup.js";
import { showWatch, stopWatching } from "../watch/watch.js";

pageHead("/");

/** @type {Game | null} */
let game = null;

/** @param {"setup" | "game" | "watching"} view */
function only(view) {
  // Another view begins at its head.
  if (byId(view).hidden) scrollTo(0, 0);
  for (const id of ["setup", "game", "watching"]) byId(id).hidden = id !== view;
  if (view !== "setup") hideSetup();
  if (view !== "watching") stopWatching();
  if (view !== "game") game?.close();
}

/**
 * Goes to an address of this page.
 *
 * @param {string} address
 */
export function go(address) {
  host.write(address);
  show();
}

/** @param {import("./views.js").MatchView | null} begun A match that has just begun */
export async function show(begun = null) {
  const wanted = query();
  const id = wanted.get("match");
  if (id) {
    const view = begun ?? (await attempt(() => get(`/matches/${encodeURIComponent(id)}`)));
    if (view) await learnTitles([view.net]);
    // The person has gone on meanwhile.
    if (query().get("match") !== id) return undefined;
    if (!view) {
      only("setup");
      return showSetup(go, open);
    }
    only("game");
    game ??= new Game(go);
    return game.open(view, begun !== null);
  }
  if (wanted.has("watch")) {
    only("watching");
    return showWatch(Number(wanted.get("watch")) || null, go);
  }
  only("setup");
  return showSetup(go, open);
}

/** @param {import("./views.js").MatchView} begun */
function open(begun) {
  host.write(`/?match=${encodeURIComponent(begun.id)}`);
  show(begun);
}

addEventListener("popstate", () => show());
show();
