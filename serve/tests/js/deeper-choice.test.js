// Only a search that looks further ahead is offered. A server that is busy or late is asked again.
import assert from "node:assert/strict";
import test from "node:test";

// The address of the page, and what it keeps, which modules read while they load.
globalThis.location = new URL("http://127.0.0.1/");
globalThis.localStorage = { getItem: () => null };
const { askDeeper, depthsBeyond } = await import("../../src/assets/decision/deeper-choice.js");

test("depths that are known are not offered", () => {
  assert.deepEqual([1, 2, 3, 4].map(depthsBeyond), [[2, 3, 4], [3, 4], [4], []]);
});

const asked = { match: 0, game: 1, decision: 2, ply: 4 };
const found = { match: 0, game: 1, decision: 2, plies: 4 };

/**
 * Asks a server with these answers, without pauses.
 *
 * @param {[number, unknown][]} answers
 */
async function asking(answers) {
  const calls = [];
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (later) => wait(later, 0);
  globalThis.fetch = async (address, { method = "GET" } = {}) => {
    calls.push(`${method} ${address}`);
    const [status, body] = answers.shift();
    return new Response(JSON.stringify(body), { status });
  };
  try {
    return { answer: await askDeeper("one", asked), calls };
  } finally {
    globalThis.setTimeout = wait;
  }
}

test("a busy server is asked again, and one that is late has the answer later", async () => {
  const [ask, look] = ["POST /api/v1/analyses/one/deeper", "GET /api/v1/analyses/one"];
  assert.deepEqual(await asking([[200, found]]), { answer: found, calls: [ask] });
  assert.deepEqual(
    await asking([
      [503, {}],
      [200, found],
    ]),
    { answer: found, calls: [ask, ask] },
  );
  const others = [
    { ...found, game: 0 },
    { ...found, plies: 2 },
  ];
  assert.deepEqual(
    await asking([
      [504, {}],
      [200, { deeper: others }],
      [200, { deeper: [...others, found] }],
    ]),
    { answer: found, calls: [ask, look, look] },
  );
  await assert.rejects(asking([[404, { error: "no such decision" }]]), /no such decision/);
});
