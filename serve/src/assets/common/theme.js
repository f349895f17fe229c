// @ts-check
// Dark or light: that of the system unless the person has chosen; and what else the style sheets
// know.
import { onChange, setting } from "./settings.js";

function apply() {
  const theme = setting("theme");
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.home = setting("home");
}
apply();
onChange(apply);
