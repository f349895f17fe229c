// @ts-check
// The names of kinds of mistakes and positions, and the ideas behind them.
import { t } from "../common/words.js";

/**
 * Kinds with a name that wants its meaning.
 *
 * @type {Record<string, string>}
 */
export const MEANINGS = {
  "other play": "positional",
  containment: "containment",
  "other positions": "otherContact",
  "back game": "backGame",
  "holding game": "holdingGame",
  blitz: "blitz",
  "missed anchor": "anchor",
  "broke anchor": "anchor",
  "wrong anchor": "anchor",
  "kept anchor": "keptAnchor",
  "wrong point": "wrongPoint",
  "missed slot": "slot",
  "wrong slot": "slot",
};

/** What the server calls all scores but special ones: as a part of a kind it says nothing. */
const USUAL = "other scores";

/** What a mistake is about, right or wrong; nothing of a play without an idea of its own. */
const IDEAS = /** @type {[RegExp, string][]} */ ([
  [/ hit$/, "hit"],
  [/ contact$/, "contact"],
  [/ anchor$/, "anchor"],
  [/^(missed|wrong) point$/, "point"],
  [/ slot$/, "slot"],
  [/ double$/, "double"],
  [/ (take|pass)$/, "take"],
  [/^other play$/, ""],
]);

/**
 * The kind of a new position: it names no mistake, because none was made.
 *
 * @param {string} name
 */
export const ideaName = (name) =>
  name
    .split(", ")
    .filter((part) => part !== USUAL)
    .map((part) => {
      const idea = IDEAS.find(([like]) => like.test(part));
      return idea ? idea[1] && t(`practise.idea.${idea[1]}`) : kindName(part);
    })
    .filter(Boolean)
    .join(", ");

/**
 * The words of the server for a kind, in the person's language.
 *
 * @param {string} name
 */
export const kindName = (name) =>
  name
    .split(", ")
    .filter((part) => part !== USUAL)
    .map((part) => t(`practise.kind.${part.replaceAll(/[^a-z]/g, "")}`))
    .join(", ");
