// @ts-check
// What the server refuses in the form of a run: which field, and why. Nothing here draws.

/** What the server says of a name. */
const OF_NAME = /^(there is a run|invalid name) '/i;

/**
 * The field that the server has refused; null if it does not say.
 *
 * @param {string} message
 * @param {Record<string, string>} values Of the fields, by their keys
 */
export function faultyField(message, values) {
  if (OF_NAME.test(message)) return "name";
  const named = /`(\w+)`: /.exec(message)?.[1] ?? /JSON body: (\w+): /.exec(message)?.[1];
  if (named && named in values) return named;
  // A schedule is quoted without the name of its field.
  const quoted = /'([^']*)'/.exec(message)?.[1];
  return Object.keys(values).find((key) => values[key] !== "" && values[key] === quoted) ?? null;
}

/**
 * Why the server has refused a value, as the key of its words with their values; null where it says
 * something else. Its sentence may stand within one of the page's language.
 *
 * @param {string} message
 * @returns {{ key: string; values: Record<string, string> } | null}
 */
export function faultOf(message) {
  const taken = /there is a run '([^']*)'/i.exec(message);
  if (taken) return { key: "taken", values: { name: taken[1] } };
  const schedule = /invalid schedule '([^']*)'/i.exec(message);
  if (schedule) return { key: "schedule", values: { value: schedule[1] } };
  const range = /must be in (-?[\d.]+?)\.\.(-?[\d.]+)(, above 0)?, not (-?[\d.]*\d)/.exec(message);
  if (range)
    return {
      key: range[3] ? "above" : "between",
      values: { low: range[1], high: range[2], value: range[4] },
    };
  const least = /must be at least (\d+), not (\d+)/.exec(message);
  if (least) return { key: "least", values: { low: least[1], value: least[2] } };
  const even = /must be even, not (\d+)/.exec(message);
  return even && { key: "even", values: { value: even[1] } };
}

/**
 * A schedule as the server reads it, from one with decimal commas: `;` is then between steps.
 *
 * @param {string} text
 * @param {string} point The decimal point of the page's language
 */
export const scheduleFrom = (text, point) =>
  point === "," && !/\d\.\d/.test(text)
    ? text.replace(/(\d),(?=\d)/g, "$1.").replaceAll(";", ",")
    : text;
