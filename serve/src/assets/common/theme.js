// @ts-check
// Dark or light: that of the system unless the person has chosen. Runs before the page is drawn.
import { onChange, setting } from "./settings.js";

function apply() {
  const theme = setting("theme");
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
apply();
onChange(apply);
