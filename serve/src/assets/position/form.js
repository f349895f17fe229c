// @ts-check
// The fields of the page: ID, roll, score and cube, and what is wrong with them.
import { copyBy } from "../common/copy.js";
import { byId, el, ended } from "../common/dom.js";
import { host } from "../common/host.js";
import { t } from "../common/words.js";
import { hasAsked, onBoard } from "./state.js";
import { isId, isPlayable, pasted } from "./xgid.js";

/** Shows the score and the cube. */
export function showState() {
  const fields = onBoard();
  const rules =
    fields.length === 0 ? ["money0", "money1", "money2", "money3"] : ["match0", "match1"];
  byId("rules").replaceChildren(
    ...rules.map((name, value) => el("option", { value }, t(`position.rules.${name}`))),
  );
  const values = {
    length: fields.length,
    "own-score": fields.points[0],
    "other-score": fields.points[1],
    cube: fields.cube,
    owner: fields.owner,
    rules: fields.rules,
  };
  for (const [id, value] of Object.entries(values)) byId(id).value = `${value}`;
  byId("owner").disabled = fields.cube === 0;
  for (const id of ["own-score", "other-score"]) byId(id).disabled = fields.length === 0;
}

/**
 * Says what is wrong with a field as it was typed.
 *
 * @param {string} text
 * @param {"dice" | "id"} field
 */
export function showFault(text, field = "dice") {
  byId("fault").textContent =
    text && field === "id" && hasAsked() ? `${ended(text)} ${t("position.stillBefore")}` : text;
  byId("fault").hidden = !text;
  allowRollout();
  for (const one of ["dice", "id"])
    byId(one).setAttribute("aria-invalid", `${Boolean(text) && one === field}`);
}

/** Nothing is rolled out while no legal position is asked about. */
export function allowRollout() {
  byId("roll-out").disabled = !isPlayable(onBoard().board) || !byId("fault").hidden;
}

/** The place for setting up, and the button that copies the address. */
export function prepareTools() {
  // Setting up stands next to the board where there is room, and else directly below it.
  const roomy = matchMedia("(min-width: 860px)");
  const placeSetup = () =>
    roomy.matches ? byId("answers").prepend(byId("setup")) : byId("facts").after(byId("setup"));
  roomy.addEventListener("change", placeSetup);
  placeSetup();
  byId("share").addEventListener("click", () => copyBy(byId("share"), host.address()));
}

/**
 * A click on the cube of the board opens its choice.
 *
 * @param {any} event
 */
export function openCube(event) {
  if (!event.target.closest(".cube-place")) return;
  byId("setup").open = true;
  byId("cube").focus();
  try {
    byId("cube").showPicker();
  } catch {
    /* A browser without it: the choice has the focus. */
  }
}

/**
 * Takes an ID that is pasted outside of the fields. A first click in the field of the ID selects
 * it.
 *
 * @param {HTMLInputElement} field
 * @param {(text: string) => unknown} take
 */
export function listenToPaste(field, take) {
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    const isElsewhere = !(
      /** @type {Element} */ (event.target).closest?.("input, textarea, dialog")
    );
    if (isElsewhere && isId(pasted(text).id)) take(text);
  });
  let had = false;
  field.addEventListener("pointerdown", () => {
    had = document.activeElement === field;
  });
  field.addEventListener("click", () => {
    if (!had && field.selectionStart === field.selectionEnd) field.select();
  });
}

/** The choices of the length and of the cube. */
export function fillChoices() {
  byId("length").replaceChildren(
    el("option", { value: "0" }, t("analyse.money")),
    ...Array.from({ length: 25 }, (_, i) =>
      el("option", { value: i + 1 }, t("position.points", { n: i + 1 })),
    ),
  );
  byId("cube").replaceChildren(
    ...Array.from({ length: 7 }, (_, i) => el("option", { value: i }, `${2 ** i}`)),
  );
}
