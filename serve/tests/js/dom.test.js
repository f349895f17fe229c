// Elements: a cell of a table breaks a long name, which would take the room of other columns.
import assert from "node:assert/strict";
import { test } from "node:test";
import { el } from "../../src/assets/common/dom.js";

const text = (words) => ({ nodeName: "#text", childNodes: [], textContent: words });

/**
 * An element of a document that has no more than cells need.
 *
 * @param {string} name
 */
const element = (name) => ({
  nodeName: name.toUpperCase(),
  childNodes: [],
  classes: [],
  setAttribute() {},
  classList: { add() {} },
  append(...all) {
    this.childNodes.push(...all.map((one) => (typeof one === "string" ? text(one) : one)));
  },
});

test("a cell with a long word breaks it, and code stays whole", () => {
  const broken = [];
  globalThis.document = {
    createElement: (name) =>
      Object.assign(element(name), { classList: { add: (kind) => broken.push([name, kind]) } }),
  };
  const name = "x".repeat(90);
  el("td", {}, "Anna and ", "Bob, who play to 25 points");
  el("p", {}, name);
  el("td", {}, el("code", {}, name));
  assert.deepEqual(broken, []);
  el("th", {}, name);
  el("td", {}, "won by ", el("a", {}, name));
  delete globalThis.document;
  assert.deepEqual(broken, [
    ["th", "long"],
    ["td", "long"],
  ]);
});
