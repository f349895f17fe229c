// Pages of a browser that blocks their storage.
import assert from "node:assert/strict";
import test from "node:test";

for (const name of ["localStorage", "sessionStorage"]) {
  const get = () => {
    throw new Error("blocked");
  };
  Object.defineProperty(globalThis, name, { get, configurable: true });
}
globalThis.location = new URL("http://127.0.0.1/#token=secret");
globalThis.history = { replaceState: () => {} };
globalThis.document = { documentElement: { lang: "en" }, querySelectorAll: () => [] };
assert.throws(() => localStorage);
const { ask, keepToken } = await import("../../src/assets/common/api.js");
const { choose, setting } = await import("../../src/assets/common/settings.js");

/** The token of the next request. */
async function sent() {
  let token;
  globalThis.fetch = async (_, { headers }) => (token = headers.authorization);
  await ask("/");
  return token;
}

test("pages have a storage as long as they live, and the token of their address", async () => {
  assert.equal(await sent(), "Bearer secret");
  choose("theme", "dark");
  assert.equal(setting("theme"), "dark");
  sessionStorage.setItem("a", "b");
  assert.deepEqual([sessionStorage.key(0), sessionStorage.length], ["a", 1]);
  sessionStorage.removeItem("a");
  assert.equal(sessionStorage.getItem("a"), null);
});

test("a full storage keeps no token, and the page goes on with it", async () => {
  localStorage.setItem = () => {
    throw new Error("full");
  };
  keepToken("another");
  assert.equal(await sent(), "Bearer another");
});
