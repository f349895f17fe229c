// @ts-check
// What the net looks at: the inputs with the greatest effects.
import { el } from "../common/dom.js";
import { decimal, signed } from "../common/format.js";
import { table } from "../common/tables.js";
import { term } from "../common/terms.js";
import { known, t } from "../common/words.js";

/**
 * Words of the server about an input in the person's language; null where there are none.
 *
 * @param {string} english
 */
function inputWords(english) {
  const number = /\d+/.exec(english)?.[0] ?? "";
  return (
    known(`input.${english}`) ??
    known(`input.${english.replace(number, "{n}")}`)?.replace("{n}", number) ??
    null
  );
}

/**
 * The name of an input, such as `own point 24: 2 or more`, in the person's language.
 *
 * @param {string} english
 */
function inputName(english) {
  const [, whose, rest] = /^(own |opponent )?(.*)$/.exec(english) ?? ["", "", english];
  const parts = rest.split(": ").map(inputWords);
  const name = parts.includes(null) ? rest : parts.join(": ");
  return whose ? t(`position.input.${whose.trim()}`, { name }) : name;
}

/**
 * What the net looks at.
 *
 * @param {any} answer
 */
export function inputsPart(answer) {
  const most = Math.max(...answer.inputs.map((/** @type {any} */ input) => Math.abs(input.effect)));
  const rows = answer.inputs.map((/** @type {any} */ input) => {
    const bar = el("span", { class: input.effect < 0 ? "bar" : "bar gain" });
    bar.style.width = `${(100 * Math.abs(input.effect)) / Math.max(most, 1e-9)}%`;
    const name = el(
      "span",
      { title: inputWords(input.reason) ?? input.reason },
      inputName(input.name),
      input.unit ? el("small", { class: "unit" }, inputWords(input.unit) ?? input.unit) : null,
    );
    return [
      name,
      decimal(input.value, Number.isInteger(input.value) ? 0 : 2),
      el("span", {}, signed(input.effect), el("span", { class: "bar-room" }, bar)),
    ];
  });
  return el(
    "div",
    {},
    el(
      "p",
      { class: "small" },
      term(t("position.inputs.how", { class: t(`class.${answer.class}`) }), "class"),
    ),
    table(
      t("position.inputs.caption"),
      [t("position.input"), t("position.value"), t("position.effect")],
      rows,
    ),
  );
}
