// @ts-check
// A game of the net with itself, to watch.
import { post } from "../common/api.js";
import { attempt, byId, el } from "../common/dom.js";
import { host } from "../common/host.js";
import { moveTime, setting } from "../common/settings.js";
import { t } from "../common/words.js";
import { Board } from "../board/board.js";
import { Motion } from "../board/motion.js";
import { START, offOf } from "../board/position.js";

/** @typedef {{ player: "light" | "dark", dice: [number, number], play: string, steps: [number, number][], board: number[] }} Turn */
/** @typedef {{ seed: number, turns: Turn[], winner: "light" | "dark", points: number }} Watched */

/** Counts what is watched: an older one stops. */
let watched = 0;

export function stopWatching() {
  watched += 1;
}

/** @param {number | null} seed @param {(address: string) => void} go */
export async function showWatch(seed, go) {
  watched += 1;
  const own = watched;
  document.title = `nonet: ${t("watch.title")}`;
  const place = byId("watching");
  const says = el("p", { class: "says", role: "status", "data-says": true });
  const pause = el("button", { type: "button", class: "main", id: "watch-pause" }, t("watch.pause"));
  const slider = el("input", { type: "range", min: 0, value: 0, "aria-label": t("watch.slider") });
  const [earlier, later] = [["watch.earlier", "←"], ["watch.later", "→"]].map(([key, sign]) => el("button", { type: "button", "aria-label": t(key) }, sign));
  const boardPlace = el("div", { class: "board-place" });
  place.replaceChildren(
    el("h1", { id: "watch-title" }, t("watch.title")), el("p", { class: "lead" }, t("watch.lead")), boardPlace,
    el("div", { class: "tools watch-tools", role: "group", "aria-label": t("watch.step") }, pause, earlier, slider, later),
    says,
    el("p", { class: "tools" }, el("button", { type: "button", onclick: () => go(`/?watch=${1 + Math.floor(Math.random() * 1e9)}`) }, t("watch.again")),
      el("button", { type: "button", onclick: () => go("/") }, t("watch.back"))));
  const board = new Board(boardPlace);
  const motion = new Motion(board, moveTime);
  board.draw({ board: START, off: [0, 0] });
  const chosen = seed ?? 1 + Math.floor(Math.random() * 1e9);
  host.write(`/?watch=${chosen}`, true);
  const game = /** @type {Watched | undefined} */ (await attempt(() => post("/game", { seed: chosen, ply: 1 })));
  if (!game || own !== watched) return;
  slider.max = `${game.turns.length}`;
  let [at, running] = [0, true];
  const sides = { light: t("watch.light"), dark: t("watch.dark") };
  /** Says what a turn is: the last one that was played, or the one that is being played. */
  const tell = (n = at) => {
    const turn = game.turns[n - 1];
    slider.value = `${n}`;
    if (!turn) return void (says.textContent = "");
    const values = { turn: n, all: game.turns.length, side: sides[turn.player], dice: turn.dice.join(""), play: turn.play };
    const end = at === game.turns.length ? ` ${t("watch.won", { side: sides[game.winner], n: game.points })}` : "";
    says.textContent = `${t(turn.play ? "watch.turn" : "watch.dances", values)}.${end}`;
  };
  const draw = () => {
    const turn = game.turns[at - 1];
    const now = turn?.board ?? START;
    const light = turn?.player === "light";
    board.draw({ board: now, off: offOf(now), dice: turn && light ? turn.dice : null, theirDice: turn && !light ? turn.dice : null });
    tell();
  };
  const halt = () => {
    running = false;
    pause.textContent = t("watch.go");
    motion.hurry();
  };
  const jump = (/** @type {number} */ to) => {
    halt();
    at = Math.max(0, Math.min(game.turns.length, to));
    draw();
  };
  earlier.addEventListener("click", () => jump(at - 1));
  later.addEventListener("click", () => jump(at + 1));
  slider.addEventListener("input", () => jump(Number(slider.value)));
  let playing = false;
  const run = async () => {
    if (playing) return;
    playing = true;
    while (running && own === watched && at < game.turns.length) {
      const turn = game.turns[at];
      const light = turn.player === "light";
      tell(at + 1);
      await motion.roll(turn.dice, light);
      if (motion.isStill) await new Promise((resolve) => setTimeout(resolve, 600));
      else await motion.pause({ slow: 900, normal: 400, fast: 60 }[setting("pace")] ?? 400);
      if (running) await motion.play(turn.steps, light);
      if (!running || own !== watched) break;
      at += 1;
      draw();
      await motion.pause(250);
    }
    playing = false;
    if (own === watched) draw();
    if (at >= game.turns.length) halt();
  };
  pause.addEventListener("click", () => {
    if (running) return halt();
    if (at >= game.turns.length) at = 0;
    running = true;
    motion.calm();
    pause.textContent = t("watch.pause");
    return run();
  });
  run();
}
