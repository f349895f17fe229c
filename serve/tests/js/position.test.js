// What equities of a position are worth in its match.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.location = new URL("http://127.0.0.1/");
const { chanceOf } = await import("../../src/assets/decision/decision.js");
const { groupsOf, keepTitles, netName } = await import("../../src/assets/common/net-name.js");
const { worthOf } = await import("../../src/assets/position/cube.js");

test("match winning chances follow the equities of the cube decision, and money has none", () => {
  // 0.44 at an equity of 0, and 0.08 a point.
  const cube = {
    no_double: 0.25,
    double_take: -0.5,
    double_pass: 1,
    match_winning_chances: [0.46, 0.4, 0.52],
  };
  const at = (equity) => chanceOf(worthOf(cube), equity).toFixed(3);
  assert.deepEqual([at(0.25), at(1), at(-0.5), at(0.5)], ["0.460", "0.520", "0.400", "0.480"]);
  assert.equal(worthOf({ ...cube, match_winning_chances: null }), null);
  assert.equal(
    worthOf({ ...cube, no_double: 1, double_take: 1 }),
    null,
    "equal equities tell no slope",
  );
});

test("nets of runs stand in a group of their own, under the titles of their runs", () => {
  const nets = ["champion", "small", "first", "first/last", "second/last"];
  assert.deepEqual(groupsOf(nets), [
    ["package", ["champion", "small"]],
    ["runs", ["first", "first/last", "second/last"]],
  ]);
  assert.deepEqual(groupsOf(["champion"]), [["package", ["champion"]]]);
  const names = () => nets.slice(2).map((name) => netName(name, nets));
  assert.deepEqual(names(), ["first: best net", "first: last net", "second: last net"]);
  keepTitles([
    { name: "first", title: "My first net" },
    { name: "second", title: null },
  ]);
  assert.deepEqual(names(), [
    "My first net: best net",
    "My first net: last net",
    "second: last net",
  ]);
  assert.equal(netName("first"), "My first net");
  // The nets of a run stand together, those of the newest run first.
  keepTitles(["b", "a-2", "a"].map((name) => ({ name, title: null })));
  assert.deepEqual(groupsOf(["champion", "a", "a-2", "a-2/last", "a/last", "b/last"])[1][1], [
    "b/last",
    "a-2",
    "a-2/last",
    "a",
    "a/last",
  ]);
});
