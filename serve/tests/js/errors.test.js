// Errors of the server in the person's language: every code that it sends has words.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import de from "../../src/assets/words/de.js";
import en from "../../src/assets/words/en.js";

const sources = new URL("../../src/", import.meta.url);
const rust = readdirSync(sources, { recursive: true })
  .filter((name) => name.endsWith(".rs"))
  .map((name) => readFileSync(new URL(name, sources), "utf8"));

test("every code of an error has words", () => {
  const own = rust.flatMap((text) =>
    [...text.matchAll(/\.coded\("([\w-]+)"\)/g)].map(([, code]) => code),
  );
  const error = rust.find((text) => text.includes("const fn code_of(status"));
  const others = [...error.matchAll(/=> "([a-z-]+)",/g)].map(([, code]) => code);
  assert.ok(own.length > 20 && others.length > 20, `${own} ${others}`);
  assert.deepEqual(
    [...own, ...others].filter((code) => !(`error.${code}` in en)),
    [],
  );
});

test("each language names what is wrong with an ID in a sentence of its own", () => {
  const error = rust.find((text) => text.includes("const fn code_of_id("));
  const codes = [...error.matchAll(/=> "(id-[a-z]+|no-id)",/g)].map(([, code]) => code);
  assert.ok(codes.length >= 10, `${codes}`);
  for (const words of [en, de])
    for (const code of [...codes, "dice", "long-match", "player-name", "player-names"])
      assert.doesNotMatch(words[`error.${code}`], /\{detail\}/, code);
});

test("the words for a match that is too long name the points to which the equity table reaches", () => {
  const table = readFileSync(
    new URL("../../../engine/src/cube/match_equity/mod.rs", import.meta.url),
    "utf8",
  );
  const [, points] = /EXTENDED_TO: u16 = (\d+)/.exec(table);
  for (const words of [en, de])
    assert.match(words["error.long-match"], new RegExp(`\\b${points}\\b`));
});

test("a code without words is told by the server's sentence", async () => {
  globalThis.location ??= { hash: "", pathname: "/", search: "" };
  const { inWords } = await import("../../src/assets/common/api.js");
  assert.equal(inWords({ error: "it rains", code: "weather" }), "it rains");
});

test("every format of a record has a name", () => {
  const about = rust.find((text) => text.includes("impl FormatAnswer"));
  const codes = [...about.matchAll(/Format::\w+ => "([a-z-]+)"/g)].map(([, code]) => code);
  assert.equal(codes.length, 8);
  assert.deepEqual(
    codes.filter((code) => !(`format.${code}` in en)),
    [],
  );
});
