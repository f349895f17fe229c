// @ts-check
// The keys of the page of an analysis.
import { byId } from "../common/dom.js";

/**
 * Calls what a key stands for. Keys do nothing in fields and dialogs, and where `isOn` says no.
 *
 * @param {Record<string, () => void>} acts
 * @param {() => boolean} isOn
 */
export function listenToKeys(acts, isOn) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const act = Object.hasOwn(acts, event.key) ? acts[event.key] : null;
    if (
      !act ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      target.closest?.("input, select, textarea, dialog") ||
      !isOn()
    )
      return;
    event.preventDefault();
    act();
  });
}

/** Opens the help at the keys. */
function showKeys() {
  byId("how").open = true;
  byId("how-keys").focus();
  byId("how-keys").scrollIntoView({ block: "center" });
}

/**
 * What the keys do on the page of a match.
 *
 * @param {import("./match-view.js").MatchView} view
 * @returns {Record<string, () => void>}
 */
export function keysOf(view) {
  const go = (/** @type {() => number} */ at) => () => view.goTo(at(), true);
  const [earlier, later] = [go(() => view.current - 1), go(() => view.current + 1)];
  return {
    ArrowLeft: earlier,
    ArrowUp: earlier,
    k: earlier,
    ArrowRight: later,
    ArrowDown: later,
    j: later,
    Home: go(() => 0),
    End: go(() => view.all.length - 1),
    n: () => view.wanted(1, true),
    p: () => view.wanted(-1, true),
    a: () => view.decision.toggleAfter(),
    r: () => view.decision.rollOut(),
    w: () => view.decision.why.toggle(view.entry),
    s: () => view.decision.scores.toggle(view.entry),
    d: () => view.decision.deeper.lookDeepest(),
    "?": showKeys,
  };
}
