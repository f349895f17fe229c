// @ts-check
// Shapes as elements of the page.

const NS = "http://www.w3.org/2000/svg";

/**
 * A shape as an element.
 *
 * @param {import("./draw.js").Shape} shape
 * @returns {SVGElement}
 */
export function made({ name, attributes, children }) {
  const one = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== undefined && value !== false) one.setAttribute(key, `${value}`);
  one.append(...children.map((child) => (typeof child === "string" ? child : made(child))));
  return /** @type {SVGElement} */ (one);
}
