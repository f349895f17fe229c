// The page of the API, from its OpenAPI document.
import { get } from "../common/api.js";
import { attempt, byId, el } from "../common/dom.js";
import { pageHead } from "../common/header.js";
import { table } from "../common/tables.js";

pageHead("/api");

const nameOf = (schema) => {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.oneOf) return schema.oneOf.map(nameOf).join(" or ");
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "any");
  if (type.includes("array")) return `list of ${nameOf(schema.items)}${type.includes("null") ? " or null" : ""}`;
  return schema.enum ? schema.enum.join(" | ") : type;
};

/** A text whose parts between backticks are code. */
const prose = (text) => text.split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));

attempt(async () => {
  const document_ = await get("/openapi.json");
  const parts = [];
  for (const [path, methods] of Object.entries(document_.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
      // What every operation of a kind refuses stands below, once.
      const answers = Object.entries(operation.responses).filter(([, answer]) => !answer.$ref).map(([status, answer]) => [
        status, nameOf(Object.values(answer.content ?? {})[0]?.schema), answer.description,
      ]);
      parts.push(el("section", { class: "card" },
        el("h2", {}, `${method.toUpperCase()} ${path}`),
        el("p", {}, prose(operation.description ?? operation.summary ?? "")),
        body ? el("p", { class: "small" }, `Body: ${nameOf(body)}`) : null,
        table("Answers", ["status", "body", "meaning"], answers)));
    }
  }
  const shared = new Map();
  for (const methods of Object.values(document_.paths)) {
    for (const operation of Object.values(methods)) {
      for (const [status, { $ref }] of Object.entries(operation.responses)) if ($ref) shared.set($ref.split("/").at(-1), status);
    }
  }
  const refused = [...shared].sort((a, b) => a[1].localeCompare(b[1])).map(([name, status]) => {
    const answer = document_.components.responses[name];
    return [status, nameOf(Object.values(answer.content ?? {})[0]?.schema), answer.description];
  });
  parts.push(el("section", { class: "card" }, el("h2", {}, "Answers of all operations"), table("Besides those above", ["status", "body", "meaning"], refused)));
  const schemas = Object.entries(document_.components.schemas).map(([name, schema]) => {
    const rows = Object.entries(schema.properties ?? {}).map(([key, value]) => [
      key, nameOf(value), (schema.required ?? []).includes(key) ? "" : "may be absent", el("span", {}, prose(value.description ?? "")),
    ]);
    return el("details", {}, el("summary", {}, name), el("p", { class: "small" }, prose(schema.description ?? "")),
      rows.length ? table(name, ["key", "type", "", "meaning"], rows) : el("p", {}, nameOf(schema)));
  });
  byId("api").replaceChildren(...parts, el("h2", {}, "Objects"), ...schemas);
});
