// The workers of the page in one file: who is asked, and what happens to what nobody waits for.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Crew } from "../../../offline/page/workers.js";

/** The workers of a crew, the quick one first. */
let workers = [];

class FakeWorker {
  constructor() {
    this.said = [];
    this.isEnded = false;
    workers.push(this);
  }

  postMessage(said) {
    this.said.push(said);
  }

  terminate() {
    this.isEnded = true;
  }

  /** The questions that it has heard. */
  get questions() {
    return this.said.filter(({ type }) => type === "ask");
  }

  tell(said) {
    this.onmessage({ data: said });
  }
}
globalThis.Worker = FakeWorker;

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

/** @param {number} processors */
function begin(processors) {
  Object.defineProperty(globalThis, "navigator", {
    value: { hardwareConcurrency: processors },
    configurable: true,
    writable: true,
  });
  workers = [];
  const crew = new Crew(null, "", { all: () => [], keep: () => {} });
  const [quick] = workers;
  /** Asks for slow work: the quick worker says that it is none of its own. */
  const ask = (address, signal, left) => {
    const question = { method: "POST", address: `/api/v1${address}`, kind: "", body: null };
    const before = quick.questions.length;
    const answer = crew.ask(question, signal, left);
    answer.catch(() => {}); // Not each test waits for it.
    if (quick.questions.length > before) {
      const { id } = quick.questions.at(-1);
      quick.tell({ type: "head", id, status: 421, kind: "", isForSlow: true });
      quick.tell({ type: "end", id });
    }
    return answer;
  };
  return { crew, quick, ask };
}

const addresses = ({ questions }) => questions.map(({ address }) => address.slice(7));

test("decks have one writer while a question of practice is at work, other work goes elsewhere", async () => {
  const { quick, ask } = begin(8);
  ask("/practice/positions");
  await turn();
  ask("/practice/answers");
  ask("/why");
  ask("/practice/matches");
  await turn();
  const [, first, second] = workers;
  assert.deepEqual(addresses(first), [
    "/practice/positions",
    "/practice/answers",
    "/practice/matches",
  ]);
  assert.deepEqual(addresses(second), ["/why"]);
  assert.ok(!addresses(quick).includes("/practice/matches"));
  // What it has changed, the others know.
  first.tell({ type: "changes", changes: ["a deck"] });
  for (const one of [quick, second])
    assert.deepEqual(one.said.at(-1), { type: "files", changes: ["a deck"] });
});

test("without a question of practice at work, any worker that is free takes the next one", async () => {
  const { ask } = begin(8);
  ask("/practice/answers");
  await turn();
  workers[1].tell({ type: "end", id: 1 });
  ask("/why");
  ask("/practice/answers");
  await turn();
  assert.deepEqual(workers.slice(1).map(addresses), [
    ["/practice/answers", "/why"],
    ["/practice/answers"],
  ]);
});

test("a worker is busy with a question that was left until it says that it has ended", async () => {
  const { ask } = begin(3);
  const own = new AbortController();
  const answer = ask("/scores", own.signal);
  await turn();
  own.abort();
  await assert.rejects(answer, { name: "AbortError" });
  assert.deepEqual(workers[1].said.at(-1), { type: "cancel", id: 1 });
  ask("/scores");
  await turn();
  assert.deepEqual(workers.slice(1).map(addresses), [["/scores"], ["/scores"]]);
  // Its late answer goes to nobody.
  workers[1].tell({ type: "head", id: 1, status: 200, kind: "", isForSlow: false });
  workers[1].tell({ type: "part", id: 1, bytes: new Uint8Array() });
  workers[1].tell({ type: "end", id: 1 });
  ask("/why");
  await turn();
  assert.deepEqual(addresses(workers[1]), ["/scores", "/why"]);
});

test("without room for another worker, one that nobody waits for is replaced", async () => {
  const { ask } = begin(2);
  const own = new AbortController();
  ask("/scores", own.signal);
  await turn();
  own.abort();
  ask("/scores");
  await turn();
  assert.deepEqual(
    workers.slice(1).map((one) => [one.isEnded, addresses(one)]),
    [
      [true, ["/scores"]],
      [false, ["/scores"]],
    ],
  );
  // Where somebody waits, work stands in line.
  ask("/why");
  await turn();
  assert.equal(workers.length, 3);
});

test("a question that was given up before it was asked is not asked", async () => {
  const { quick, crew } = begin(2);
  const question = { method: "GET", address: "/api/v1/nets", kind: "", body: null };
  await assert.rejects(crew.ask(question, AbortSignal.abort()), { name: "AbortError" });
  assert.deepEqual(quick.questions, []);
});

test("whoever leaves the page ends what tells how long work stands, and nothing else", async () => {
  const { ask } = begin(8);
  const left = new AbortController();
  const answer = ask("/practice/tests", null, left.signal);
  ask("/practice/answers", null, left.signal);
  ask("/strengths", null, left.signal);
  await turn();
  const head = { type: "head", status: 200, kind: "text/event-stream", isForSlow: false };
  workers[1].tell({ ...head, id: 1 });
  const { stream } = await answer;
  left.abort();
  assert.deepEqual(
    workers[1].said.filter(({ type }) => type === "cancel"),
    [{ type: "cancel", id: 1 }],
  );
  await assert.rejects(stream.getReader().read(), { name: "AbortError" });
  // Work that begins later is given up at once.
  workers[2].tell({ ...head, id: 1 });
  await turn();
  assert.deepEqual(workers[2].said.at(-1), { type: "cancel", id: 1 });
});

/** A worker's script with a module of which each answer has these parts. */
function script(parts) {
  const text = readFileSync(
    new URL("../../../offline/page/worker.js", import.meta.url),
    "utf8",
  ).replace("onmessage =", "return");
  const [told, changes] = [[], []];
  const made = {
    initSync() {},
    putFile() {},
    takeChanges: () =>
      changes.splice(0).map((path) => ({ path, kind: "file", bytes: [], free() {} })),
    Module: class {
      takeErrands() {
        return [];
      }

      answer(method, address) {
        const left = [...parts(address)];
        return {
          status: 200,
          kind: "",
          isForSlow: false,
          free() {},
          nextPart() {
            const part = left.shift();
            if (part) changes.push(part);
            return part;
          },
        };
      }
    },
  };
  const body = text.replace("(() => {", "return (() => {");
  const hear = new Function("wasm_bindgen", "postMessage", body)(made, (said) => {
    const what = said.changes?.map(({ path }) => path) ?? said.bytes ?? "";
    if (said.type !== "head") told.push(`${said.type} ${what}`.trim());
  });
  hear({ data: { type: "start", slow: true, module: null, files: [] } });
  return { told, hear: (data) => hear({ data }) };
}

test("the files that a part has changed are known before the part is told", async () => {
  const { told, hear } = script(() => ["a", "b"]);
  hear({ type: "ask", id: 1, method: "POST", address: "/" });
  while (told.at(-1) !== "end") await turn();
  assert.deepEqual(told, ["changes a", "part a", "changes b", "part b", "end"]);
});

test("after it was given up, an answer makes no further part", async () => {
  const { told, hear } = script(() => ["a", "b", "c", "d"]);
  hear({ type: "ask", id: 1, method: "POST", address: "/" });
  hear({ type: "cancel", id: 1 });
  while (told.at(-1) !== "end") await turn();
  assert.deepEqual(told.slice(-3), ["changes b", "part b", "end"]);
});
