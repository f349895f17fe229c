// @ts-check
// The levels of the opponent: their names and their order.
import { SERVER } from "../common/net-name.js";
import { el } from "../common/dom.js";
import { known, t } from "../common/words.js";

/** The level to begin with. */
export const FIRST_LEVEL = "newcomer";

/**
 * A level in the person's language.
 *
 * @param {string} name
 */
export const levelName = (name) => known(`level.${name}`) ?? name;

/**
 * Whether a level errs like people.
 *
 * @param {{ name: string }} level
 */
const isLikePeople = ({ name }) => name.startsWith("human-");

/**
 * The next stronger level of the same group; the strongest one ends both.
 *
 * @param {{ name: string; pr: number | null }[]} levels
 * @param {string} name
 */
export function levelAfter(levels, name) {
  const group = levels.filter(
    (level) => level.pr === null || isLikePeople(level) === isLikePeople({ name }),
  );
  const at = group.findIndex((level) => level.name === name);
  return at < 0 ? null : (group[at + 1]?.name ?? null);
}

/**
 * The levels in the order of their strength, as the server has them.
 *
 * @param {{ name: string; pr: number | null }[]} levels
 * @param {string} chosen
 * @param {boolean} advises Whether the level to begin with says so
 */
export function levelOptions(levels, chosen, advises = true) {
  const option = (/** @type {{ name: string; pr: number | null }} */ { name, pr }) => {
    // The name of a level like people has its PR.
    const words = isLikePeople({ name })
      ? levelName(name)
      : t(pr ? "level.pr" : "level.best", { name: levelName(name), pr: Math.round(pr ?? 0) });
    return el(
      "option",
      { value: name, selected: name === chosen },
      advises && name === FIRST_LEVEL ? t("level.first", { level: words }) : words,
    );
  };
  return levels.map(option);
}

/**
 * The level to go on to: the one after that of the newest own match, if it was won against a level.
 *
 * @param {import("./views.js").MatchRow[]} own The newest first
 * @param {{ name: string; pr: number | null }[]} levels
 * @param {Record<string, string>} nets Of matches without a level
 */
export function levelToGoOn(own, levels, nets) {
  const last = own.find(({ over, names }) => over && names[1] === SERVER);
  if (!last || last.id in nets || last.score[0] <= last.score[1]) return null;
  return levelAfter(levels, last.level);
}
