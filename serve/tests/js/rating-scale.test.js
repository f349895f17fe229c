// The scale of titles: parts of the server's table, and the place of a PR on it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

globalThis.location ??= /** @type {any} */ ({ hash: "", pathname: "/", search: "" });
const { partsOf } = await import("../../src/assets/analyse/rating-scale.js");

const ALL = [
  { word: "good", below: 5 },
  { word: "fair", below: 15 },
  { word: "poor", below: null },
];

test("each title has its share, and the last one that of an average title", () => {
  const { parts } = partsOf(ALL, 3);
  assert.deepEqual(
    parts.map(({ from }) => from),
    [0, 5, 15],
  );
  assert.deepEqual(
    parts.map(({ share }) => Number(share.toFixed(3))),
    [0.222, 0.444, 0.333],
  );
});

test("a PR lies in one part, where its title begins in the next one", () => {
  const here = (pr) =>
    partsOf(ALL, pr)
      .parts.filter(({ isHere }) => isHere)
      .map(({ word }) => word);
  assert.deepEqual([0, 4.99, 5, 15, 400].map(here), [
    ["good"],
    ["good"],
    ["fair"],
    ["poor"],
    ["poor"],
  ]);
  assert.deepEqual(
    [0, 22.5, 400].map((pr) => partsOf(ALL, pr).at),
    [0, 1, 1],
  );
});

test("a level has the word of its PR or that PR, but for the first one, which is weaker than the scale", async () => {
  const repository = new URL("../../../", import.meta.url);
  const source = (path) => readFileSync(new URL(path, repository), "utf8");
  const bounds = [
    ...source("engine/src/analysis/rating_words.rs").matchAll(/\(PlayerRating::(\w+), ([\d.]+)\)/g),
  ].map(([, word, below]) => ({ word: word.toLowerCase(), below: Number(below) }));
  const levels = [
    ...source("engine/src/engine/level.rs").matchAll(
      /Level::(?:with_noise|like_people)\("([\w-]+)", [\d.]+, \(([\d.]+), /g,
    ),
  ].map(([, name, pr]) => ({ name, pr: Number(pr) }));
  assert.deepEqual([bounds.length, levels.length], [7, 9]);
  for (const language of ["en", "de"]) {
    const { default: words } = await import(`../../src/assets/words/${language}.js`);
    for (const { name, pr } of levels) {
      const found = bounds.find(({ below }) => pr < below);
      // No two levels have one name, and those like people have their PR in it.
      assert.equal(
        levels.filter((other) => words[`level.${other.name}`] === words[`level.${name}`]).length,
        1,
        `${language}: ${name}`,
      );
      if (name.startsWith("human-"))
        assert.ok(words[`level.${name}`].endsWith(` · PR ${pr}`), `${language}: ${name}`);
      if (!found) {
        assert.equal(name, "newcomer");
        continue;
      }
      const word = words[`rating.${found.word === "casual" ? "casualplayer" : found.word}`];
      assert.equal(
        words[`level.${name}`].split(",")[0].toLowerCase(),
        word.toLowerCase(),
        `${language}: ${name}`,
      );
    }
  }
});
