// Errors of the server in the person's language: every code that it sends has words.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import en from "../../src/assets/words/en.js";

const sources = new URL("../../src/", import.meta.url);
const rust = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith(".rs")).map((name) => readFileSync(new URL(name, sources), "utf8"));

test("every code of an error has words", () => {
  const own = rust.flatMap((text) => [...text.matchAll(/\.coded\("([\w-]+)"\)/g)].map(([, code]) => code));
  const error = rust.find((text) => text.includes("const fn code_of(status"));
  const others = [...error.matchAll(/=> "([a-z-]+)",/g)].map(([, code]) => code);
  assert.ok(own.length > 5 && others.length > 10, `${own} ${others}`);
  assert.deepEqual([...own, ...others].filter((code) => !(`error.${code}` in en)), []);
});

test("every format of a record has a name", () => {
  const about = rust.find((text) => text.includes("impl FormatAnswer"));
  const codes = [...about.matchAll(/Format::\w+ => "([a-z-]+)"/g)].map(([, code]) => code);
  assert.equal(codes.length, 8);
  assert.deepEqual(codes.filter((code) => !(`format.${code}` in en)), []);
});
