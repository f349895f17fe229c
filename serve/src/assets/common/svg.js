// @ts-check
// Elements of SVG.

const NS = "http://www.w3.org/2000/svg";

/**
 * An element of SVG.
 *
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {(Node | string)[]} children
 */
export function svg(name, attributes, ...children) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes ?? {}))
    if (value !== null) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
