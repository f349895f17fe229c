// Runs that wait for room: what fails for a while costs none of them.
import assert from "node:assert/strict";
import test from "node:test";
import { refused, serveBy } from "./fake-page.js";
import { beginWaiting, keepWaiting, waitingRuns } from "../../src/assets/train/queue.js";

const names = () => waitingRuns().map(({ name }) => name);

test("a run that the server cannot take now waits on", async () => {
  keepWaiting([{ name: "a" }, { name: "b" }]);
  for (const how of [
    async () => {
      throw new TypeError("no network");
    },
    ...[401, 500, 503, 504].map((status) => async () => refused(status)),
  ]) {
    serveBy(how);
    await assert.rejects(beginWaiting([]));
    assert.deepEqual(names(), ["a", "b"]);
  }
});

test("a run that is wrong waits no longer, nor one that has begun", async () => {
  keepWaiting([{ name: "a" }, { name: "b" }]);
  serveBy(async () => refused(400));
  await assert.rejects(beginWaiting([]));
  assert.deepEqual(names(), ["b"]);
  serveBy(async () => ({}));
  await beginWaiting([]);
  assert.deepEqual(names(), []);
});
