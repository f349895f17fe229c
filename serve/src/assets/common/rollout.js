// Rollouts, shown while they are played.
import { rollout } from "./api.js";
import { el } from "./dom.js";
import { rolloutTable } from "./tables.js";
import { t } from "./words.js";

/** Shows rollouts in `place`; `stop` is their button. `begin(question)` ends the one before, `end()` ends it. */
export function liveRollout(place, stop) {
  let cancel = null;
  const end = () => {
    cancel?.abort();
    stop.hidden = true;
  };
  stop.addEventListener("click", end);
  const begin = async (question) => {
    cancel?.abort();
    const own = new AbortController();
    cancel = own;
    stop.hidden = false;
    place.replaceChildren(el("p", { class: "small" }, t("rollout.begins")));
    try {
      await rollout(question, (answer, done) => {
        const games = answer.cube ? answer.games : Math.min(...answer.rollouts.map((row) => row.games));
        const note = done ? t("rollout.done", { leavesOut: answer.stderr_leaves_out })
          : t("rollout.running", { games, all: question.games, seconds: answer.seconds.toFixed(0) });
        place.replaceChildren(rolloutTable(answer), el("p", { class: "small" }, note));
      }, own.signal);
    } finally {
      if (cancel === own) stop.hidden = true;
    }
  };
  return { begin, end };
}
