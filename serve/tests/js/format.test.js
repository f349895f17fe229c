// Names of records as people read them.
import assert from "node:assert/strict";
import test from "node:test";
import { momentOf, recordName } from "../../src/assets/common/format.js";

test("a match of the server is named by the moment it began, a file by its name", () => {
  assert.equal(momentOf("20261127-002433"), "2026-11-27 00:24");
  assert.equal(momentOf("20261127-002433-2"), "2026-11-27 00:24");
  assert.equal(recordName("20261127-002433.mat"), "match of 2026-11-27 00:24");
  for (const name of ["crawford.mat", "20261127-002433.xg", "20261127.mat", "5-20261127-002433.mat"]) assert.equal(recordName(name), name);
});
