// Every language has the same words with the same values, and every key that a page names is there.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { LANGUAGES, fill } from "../../src/assets/common/words.js";

const assets = new URL("../../src/assets/", import.meta.url);
const words = Object.fromEntries(
  await Promise.all(
    LANGUAGES.map(async (one) => [one, (await import(`${assets}words/${one}.js`)).default]),
  ),
);
/**
 * The server's own sentence, which is English: another language needs it only where it knows no
 * more.
 */
const withoutDetail = (key, values) =>
  key.startsWith("error.") ? values.filter((one) => one !== "detail") : values;
const placeholders = (text) =>
  [...text.matchAll(/\{(\w+)(:[^}]*)?\}/g)]
    .map(([, name, forms]) => name + (forms ? ":" : ""))
    .sort();

test("all languages have the same keys and values", () => {
  const { en, ...others } = words;
  for (const [language, found] of Object.entries(others)) {
    assert.deepEqual(
      Object.keys(found).filter((key) => !key.startsWith("input.")),
      Object.keys(en),
      language,
    );
    for (const key of Object.keys(en)) {
      const [theirs, own] = [found, en].map((some) =>
        withoutDetail(key, [...new Set(placeholders(some[key]))]),
      );
      assert.deepEqual(theirs, own, `${language}: ${key}`);
      assert.notEqual(found[key].trim(), "", `${language}: ${key}`);
    }
  }
});

test("each input of the nets has its name, unit and reason in every language but English, the server's", () => {
  const { en, ...others } = words;
  const source = ["contact", "race", "endgame"]
    .map((one) =>
      readFileSync(new URL(`../../../engine/src/features/${one}.rs`, import.meta.url), "utf8"),
    )
    .join("");
  const groups = [
    ...source.matchAll(
      /FeatureGroup\s*\{\s*name: "([^"]+)",\s*count: \d+,\s*unit: (?:"([^"]+)"|CHANCE),\s*reason: "([^"]+)"/g,
    ),
  ];
  assert.ok(groups.length > 60, `${groups.length} groups`);
  for (const [language, found] of Object.entries(others)) {
    for (const [, name, unit = "probability 0..1", reason] of groups) {
      const texts = [
        ...name
          .replace("{}", "{n}")
          .split(": ")
          .filter((part) => !/^\{\w+\}$/.test(part)),
        unit,
        reason,
      ];
      for (const text of texts)
        assert.ok(`input.${text.replace("{}", "{n}")}` in found, `${language}: ${text}`);
    }
  }
});

test("each architecture that the server offers has its sentence in every language", () => {
  const source = readFileSync(new URL("../../src/about.rs", import.meta.url), "utf8");
  const offered = [
    .../const OFFERED[^=]*=\s*\[([^\]]*)\]/.exec(source)[1].matchAll(/"([^"]+)"/g),
  ].map(([, name]) => name);
  assert.ok(offered.includes("medium") && offered.length > 2, offered.join(", "));
  for (const language of LANGUAGES)
    for (const name of offered)
      assert.ok(`train.preset.${name}` in words[language], `${language}: ${name}`);
});

test("no page gives a key twice", () => {
  for (const language of LANGUAGES) {
    const seen = new Map();
    for (const file of readdirSync(new URL(`words/${language}/`, assets))) {
      for (const [, key] of readFileSync(
        new URL(`words/${language}/${file}`, assets),
        "utf8",
      ).matchAll(/^ {2}"([^"]+)":/gm)) {
        assert.equal(
          seen.get(key),
          undefined,
          `${language}: ${key} is in ${seen.get(key)} and ${file}`,
        );
        seen.set(key, file);
      }
    }
  }
});

test("every key that a page or a module names has words", () => {
  const missing = [];
  for (const entry of readdirSync(assets, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|html)$/.test(entry.name)) continue;
    const path = `${entry.parentPath ?? entry.path}/${entry.name}`;
    const text = readFileSync(path, "utf8");
    for (const [, key] of text.matchAll(
      /(?:\bt\(|data-t(?:-(?:label|placeholder|title))?=)"([\w.-]+)"/g,
    ))
      if (!(key in words.en)) missing.push(`${entry.name}: ${key}`);
    for (const [, inPage, inModule] of text.matchAll(
      /\bdata-term="([\w.-]+)"|\bterm\([^\n]*?, "([\w.-]+)"\)/g,
    ))
      if (!(`term.${inPage ?? inModule}` in words.en))
        missing.push(`${entry.name}: term.${inPage ?? inModule}`);
  }
  assert.deepEqual(missing, []);
});

test("a text takes values and counts", () => {
  const rules = new Intl.PluralRules("en");
  assert.equal(
    fill("{n} {n:point|points} of {name}", { n: 1, name: "Ann" }, rules),
    "1 point of Ann",
  );
  assert.equal(fill("{n} {n:point|points}", { n: 0 }, rules), "0 points");
  assert.equal(fill("{unknown}", {}, rules), "{unknown}");
  assert.equal(
    fill("{n}-ply, {n} %", { n: 3 }, rules),
    "3\u2011ply, 3\u00a0%",
    "a number and its unit stay in one line",
  );
});

test("the meaning of a word stands below it, or above where it would cover a control", async () => {
  const { topOf } = await import("../../src/assets/common/terms.js");
  const [word, meaning] = [
    { top: 400, bottom: 420 },
    { left: 100, right: 300, height: 90 },
  ];
  const control = (top) => ({ left: 150, right: 250, top, bottom: top + 40 });
  assert.equal(topOf(word, meaning, [], 1000), 428);
  assert.equal(topOf(word, meaning, [control(440)], 1000), 302);
  assert.equal(
    topOf(word, meaning, [control(440), control(320)], 1000),
    428,
    "controls on both sides",
  );
  assert.equal(
    topOf(word, meaning, [{ ...control(440), left: 300, right: 400 }], 1000),
    428,
    "beside it",
  );
  assert.equal(topOf(word, meaning, [], 500), 302, "the window ends");
  assert.equal(topOf({ top: 40, bottom: 60 }, meaning, [control(80)], 1000), 68, "no room above");
});
