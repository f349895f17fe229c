// @ts-check
// The keys of the page of an analysis.

/**
 * Calls what a key stands for. Keys do nothing in fields and dialogs, and where `isOn` says no.
 * @param {Record<string, () => void>} acts
 * @param {() => boolean} isOn
 */
export function listenToKeys(acts, isOn) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const act = Object.hasOwn(acts, event.key) ? acts[event.key] : null;
    if (!act || event.ctrlKey || event.metaKey || event.altKey || target.closest?.("input, select, textarea, dialog") || !isOn()) return;
    event.preventDefault();
    act();
  });
}
