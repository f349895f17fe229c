// What an OpenAPI document says about bodies.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addressOf,
  curlOf,
  exampleOf,
  fieldsOf,
  isChange,
  typeOf,
} from "../../src/assets/api/schema.js";

const document_ = {
  components: {
    schemas: {
      Place: {
        type: "object",
        required: ["game"],
        properties: { game: { type: "integer", minimum: 0, example: 1 } },
      },
      Note: {
        allOf: [
          { $ref: "#/components/schemas/Place" },
          {
            type: "object",
            required: ["text"],
            properties: {
              text: { type: "string", example: "x", maxLength: 9 },
              more: { type: ["string", "null"] },
            },
          },
        ],
      },
      Many: {
        type: "object",
        required: ["questions"],
        properties: { questions: { type: "array", items: { $ref: "#/components/schemas/Place" } } },
      },
      Name: { type: "string", maxLength: 60 },
      Named: {
        type: "object",
        required: ["name"],
        properties: { name: { $ref: "#/components/schemas/Name", description: "Its name." } },
      },
      Loop: {
        type: "object",
        required: ["next"],
        properties: { next: { $ref: "#/components/schemas/Loop" } },
      },
    },
  },
};
const of = (name) => ({ $ref: `#/components/schemas/${name}` });

test("types are written with the names of schemas", () => {
  assert.equal(typeOf(of("Place")), "Place");
  assert.equal(typeOf({ type: ["array", "null"], items: of("Place") }), "Place[] | null");
  assert.equal(typeOf({ enum: ["a", "b"] }), '"a" | "b"');
});

test("parts of a schema are joined, and what must be there comes first", () => {
  assert.deepEqual(
    fieldsOf(of("Note"), document_).map(({ name, required, limits }) => [name, required, limits]),
    [
      ["game", true, ""],
      ["text", true, "≤ 9"],
      ["more", false, ""],
    ],
  );
});

test("a field has the limits of the schema that it refers to", () => {
  assert.deepEqual(
    fieldsOf(of("Named"), document_).map(({ type, limits, meaning }) => [type, limits, meaning]),
    [["Name", "≤ 60", "Its name."]],
  );
});

test("an example has what must be there and what has an example, and ends", () => {
  assert.deepEqual(exampleOf(of("Note"), document_), { game: 1, text: "x" });
  assert.deepEqual(exampleOf(of("Many"), document_), { questions: [{ game: 1 }] });
  assert.ok(JSON.stringify(exampleOf(of("Loop"), document_)).length < 200);
});

test("addresses take their parameters, and terminals their quotes", () => {
  const parameters = [
    { name: "id", in: "path" },
    { name: "ply", in: "query" },
    { name: "name", in: "query" },
  ];
  assert.equal(
    addressOf("/a/{id}/b", parameters, { id: "x y", ply: "4", name: "" }),
    "/a/x%20y/b?ply=4",
  );
  assert.equal(
    curlOf("http://h", "POST", "/a", '{"a":"it\'s"}'),
    `curl -X POST 'http://h/a' -H 'content-type: application/json' -d '{"a":"it'\\''s"}'`,
  );
});

test("a request for a terminal sends files, and leaves the token to its owner", () => {
  assert.equal(
    curlOf("http://a", "POST", "/api/v1/analyses", null, { token: true, file: "match.mat" }),
    "curl -X POST 'http://a/api/v1/analyses' --data-binary '@match.mat' -H 'authorization: Bearer TOKEN'",
  );
});

test("what changes something asks before it is sent, a question does not", () => {
  assert.equal(isChange("post", { tags: ["positions"], operationId: "hint" }), false);
  assert.equal(isChange("get", { tags: ["matches"], operationId: "list_matches" }), false);
  assert.equal(isChange("post", { tags: ["matches"], operationId: "judge_action" }), false);
  for (const [method, tag, operationId] of [
    ["post", "matches", "act"],
    ["delete", "runs", "remove_run"],
    ["post", "analyses", "upload"],
  ]) {
    assert.equal(isChange(method, { tags: [tag], operationId }), true, operationId);
  }
});
