// @ts-check
// Copying to the clipboard, and what the page says of it.
import { el, say, tell } from "./dom.js";
import { t } from "./words.js";

/**
 * Whether the browser copies a text. Only pages by HTTPS and from this computer have a clipboard.
 * On the others the browser copies a selection.
 *
 * @param {string} text
 */
async function isCopied(text) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not allowed: a selection may be.
    }
  }
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const area = /** @type {HTMLTextAreaElement} */ (
    el("textarea", { class: "unseen", readonly: true })
  );
  area.value = text;
  // Outside an open dialog nothing can be selected.
  (focused?.closest("dialog") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return done;
}

/**
 * Copies a text, then calls `done`; where this is impossible, the page shows the text.
 *
 * @param {string} text
 * @param {() => void} done
 */
export async function copy(text, done) {
  if (await isCopied(text)) done();
  else say(t("common.notCopied", { text }), "error");
}

/**
 * Copies a text, and then says so on the button for a moment.
 *
 * @param {HTMLElement} button
 * @param {string} text
 * @param {string} sentence What screen readers read out
 */
export const copyBy = (button, text, sentence = t("common.copied")) =>
  copy(text, () => tell(button, t("common.copied"), sentence));

/**
 * A button that copies what `text` answers.
 *
 * @param {string} label
 * @param {() => string} text
 */
export function copyButton(label, text) {
  const button = el(
    "button",
    { type: "button", class: "quiet", onclick: () => copyBy(button, text()) },
    label,
  );
  return button;
}
