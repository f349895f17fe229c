// @ts-check
// Asks for the token of a server that wants one, once a call was refused without it.
import { keepToken } from "./api.js";
import { el } from "./dom.js";
import { host } from "./host.js";
import { t } from "./words.js";

export function askForToken() {
  if (document.querySelector("dialog.token")) return;
  const input = el("input", {
    name: "token",
    required: true,
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": t("token.label"),
  });
  const form = el(
    "form",
    { method: "dialog" },
    el("h2", {}, t("token.title")),
    el("p", {}, t("token.why")),
    input,
    el("button", { class: "main" }, t("token.keep")),
  );
  const dialog = el("dialog", { class: "token" }, form);
  form.addEventListener("submit", () => {
    keepToken(input.value.trim());
    host.reload();
  });
  document.body.append(dialog);
  dialog.showModal();
}
