// The names of the classes of positions, in pages and in reports.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import en from "../../src/assets/words/en.js";

test("reports name the classes as pages do", () => {
  const names = JSON.parse(
    readFileSync(new URL("../../../report/src/class_names.json", import.meta.url), "utf8"),
  );
  const own = Object.entries(en)
    .filter(([key]) => key.startsWith("class."))
    .map(([key, name]) => [key.slice("class.".length), name]);
  assert.deepEqual(Object.fromEntries(own), names);
});
