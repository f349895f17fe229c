// @ts-check
// The colours of lines in charts: each run keeps its own, and those of one chart differ in hue.

/** The hues of the colours that lines of charts have, as in `tokens.css`, in degrees. */
const HUES = [199, 27, 140, 291, 52, 229, 4, 175, 329];
export const COLOURS = HUES.length;
/** Two hues that are less far apart are taken for one another. */
const CLOSE = 45;

/**
 * Whether two colours are close in hue.
 *
 * @param {number} one
 * @param {number} other
 */
export function areClose(one, other) {
  const apart = Math.abs(HUES[one % COLOURS] - HUES[other % COLOURS]);
  return Math.min(apart, 360 - apart) < CLOSE;
}

/**
 * The colours of runs: each keeps its own while others come and go, and a new run gets a colour
 * that the fewest have.
 *
 * @param {Map<string, number>} kept The colours so far
 * @param {string[]} names The runs that there are
 */
export function coloursOf(kept, names) {
  const colours = new Map([...kept].filter(([name]) => names.includes(name)));
  for (const name of names) {
    if (colours.has(name)) continue;
    const uses = Array.from(
      { length: COLOURS },
      (_, colour) => [...colours.values()].filter((one) => one === colour).length,
    );
    colours.set(name, uses.indexOf(Math.min(...uses)));
  }
  return colours;
}

/**
 * The colours of runs in one chart where some have one setting, and differ in the seed alone. A
 * setting has one colour, that of its first run. Where all have one, each run has its own.
 *
 * @param {Map<string, number>} kept
 * @param {string[]} names
 * @param {string[]} settings Those of the runs
 */
export function coloursBySetting(kept, names, settings) {
  const firsts = settings.map((setting) => names[settings.indexOf(setting)]);
  const shown = new Set(firsts).size > 1 ? firsts : names;
  const colours = coloursBeside(kept, [...new Set(shown)]);
  return shown.map((name) => colours[[...new Set(shown)].indexOf(name)]);
}

/**
 * The colours of runs that are shown side by side: each keeps its own, unless an older one has a
 * close one.
 *
 * @param {Map<string, number>} kept The oldest run first
 * @param {string[]} names
 */
export function coloursBeside(kept, names) {
  /** @type {Map<string, number>} */
  const used = new Map();
  const isFar = (/** @type {number} */ colour) =>
    ![...used.values()].some((one) => areClose(one, colour));
  const own = (/** @type {string} */ name) => kept.get(name) ?? 0;
  const sorted = [...new Set([...kept.keys(), ...names])].filter((name) => names.includes(name));
  for (const name of sorted) if (isFar(own(name))) used.set(name, own(name));
  for (const name of sorted) {
    if (used.has(name)) continue;
    const others = Array.from({ length: COLOURS }, (_, i) => (own(name) + i) % COLOURS);
    used.set(
      name,
      others.find(isFar) ??
        others.find((colour) => ![...used.values()].includes(colour)) ??
        own(name),
    );
  }
  return names.map((name) => used.get(name) ?? 0);
}
