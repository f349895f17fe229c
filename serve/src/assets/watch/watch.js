// @ts-check
// Two levels play a match against each other: the choices before it, and the match to watch.
import { get, post } from "../common/api.js";
import { attempt, byId, el, entitle, loading } from "../common/dom.js";
import { host } from "../common/host.js";
import { t } from "../common/words.js";
import { START } from "../board/position.js";
import { addressOf, askedFor, choices } from "./choices.js";
import { Showing } from "./showing.js";
import { boardOf, stageOf } from "./stage.js";

/** Counts what is watched: an older one stops. */
let watched = 0;

export function stopWatching() {
  watched += 1;
}

/**
 * @param {number | null} seed
 * @param {(address: string) => void} go
 */
export async function showWatch(seed, go) {
  watched += 1;
  const own = watched;
  entitle(t("watch.title"));
  const place = byId("watching");
  const asked = askedFor(seed);
  const title = el("h1", { id: "watch-title" }, t("watch.title"));
  const back = el(
    "p",
    { class: "tools" },
    el("button", { type: "button", onclick: () => go("/") }, t("watch.back")),
  );
  place.replaceChildren(title, loading());
  if (seed === null) {
    const there = await attempt(() => get("/nets"));
    if (own !== watched) return;
    const still = el("div", { class: "board-place watch-stage", "aria-hidden": "true" });
    place.replaceChildren(
      title,
      choices(asked, there?.levels ?? [], go, false),
      still,
      el("p", { class: "small" }, t("watch.lead")),
      back,
    );
    boardOf(still).draw({ board: START, off: [0, 0], cube: null });
    return;
  }
  host.write(addressOf(asked), true);
  const [there, match] = /** @type {[any, import("./match.js").Watched | undefined]} */ (
    await Promise.all([attempt(() => get("/nets")), attempt(() => post("/watched-match", asked))])
  );
  if (own !== watched) return;
  if (!match)
    return void place.replaceChildren(
      title,
      el("p", {}, el("a", { href: "/?watch" }, t("watch.again"))),
    );
  const stage = stageOf(match, go);
  place.replaceChildren(
    el("div", { class: "watch-head" }, title, stage.tools),
    stage.room,
    el("p", { class: "small" }, t("watch.lead"), " ", t("train.watch.side")),
    choices(asked, there?.levels ?? [], go, true),
    back,
  );
  const showing = new Showing(match, stage, () => own === watched);
  showing.draw();
  await showing.run();
}
