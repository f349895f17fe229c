// @ts-check
// What stands in place of a question, such as the work of a round that is over.
import { byId, el, sentence } from "../common/dom.js";
import { dayOf } from "../common/format.js";
import { t } from "../common/words.js";

/**
 * The answers of a round: first ones, and those to cards wrong before.
 *
 * @param {import("./round.js").Round["done"]} told
 */
export function roundWords({ answers, right, again, rightAgain }) {
  const repeats = again ? t("practise.end.again", { again, right: rightAgain }) : "";
  const parts = [answers ? t("practise.end.first", { answers, right }) : "", repeats]
    .filter(Boolean)
    .join(", ");
  return parts && `${sentence(parts)}. ${t("practise.end.kept")}`;
}

/**
 * The work of a round, and what is due.
 *
 * @param {import("./round.js").Round["done"]} told
 * @param {any} overview
 * @param {number} due How many cards a round has to ask, those that come again with them
 */
export function endPart(told, { next_due: next }, due) {
  const words = [
    roundWords(told),
    told.skipped ? t("practise.skipped", { n: told.skipped }) : "",
    due ? t("practise.due", { n: due }) : next ? t("practise.nextDue", { day: dayOf(next) }) : "",
  ];
  return [
    el(
      "h2",
      {},
      t(
        told.answers || told.again || told.skipped
          ? "practise.doneForNow"
          : due
            ? "practise.begin"
            : "practise.nothingDue",
      ),
    ),
    el("p", {}, words.filter(Boolean).join(" ")),
  ];
}

/**
 * The way back to where one came from.
 *
 * @param {string | null} from An analysis
 */
export const backLink = (from) =>
  el(
    "a",
    { class: "button", href: from ? `/analyse?id=${encodeURIComponent(from)}` : "/analyse" },
    t(from ? "practise.toMatch" : "practise.toMatches"),
  );

/**
 * What stands in place of a question.
 *
 * @param {any[]} parts
 */
export function showEnd(...parts) {
  byId("standing").before(byId("end"));
  byId("end").replaceChildren(...parts);
  byId("end").hidden = false;
}
