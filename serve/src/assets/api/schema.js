// @ts-check
// What an OpenAPI document says about bodies: their types in words, their fields, and examples.
// Nothing here draws.

/** @typedef {Record<string, any>} Schema */

/**
 * A schema with its references followed, and its parts joined.
 *
 * @param {Schema | undefined} schema
 * @param {Schema} document_
 * @returns {Schema}
 */
export function resolved(schema, document_) {
  if (!schema) return {};
  if (schema.$ref)
    return resolved(document_.components.schemas[schema.$ref.split("/").at(-1)], document_);
  if (!schema.allOf) return schema;
  const parts = schema.allOf.map((/** @type {Schema} */ one) => resolved(one, document_));
  return {
    ...schema,
    type: "object",
    allOf: undefined,
    properties: Object.assign(
      {},
      ...parts.map((/** @type {Schema} */ one) => one.properties ?? {}),
    ),
    required: parts.flatMap((/** @type {Schema} */ one) => one.required ?? []),
  };
}

/**
 * The name of a schema that has one.
 *
 * @param {Schema | undefined} schema
 */
export const nameOf = (schema) => schema?.$ref?.split("/").at(-1) ?? null;

/**
 * A type in words; names of schemas stay as they are.
 *
 * @param {Schema | undefined} schema
 * @returns {string}
 */
export function typeOf(schema) {
  if (!schema) return "";
  if (schema.$ref) return nameOf(schema) ?? "";
  if (schema.oneOf) return schema.oneOf.map(typeOf).join(" | ");
  if (schema.enum)
    return schema.enum.map((/** @type {unknown} */ one) => JSON.stringify(one)).join(" | ");
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? "any"];
  return types
    .map((/** @type {string} */ type) => (type === "array" ? `${typeOf(schema.items)}[]` : type))
    .join(" | ");
}

/**
 * What values a field may have, in a few signs.
 *
 * @param {Schema} schema
 */
export function limitsOf(schema) {
  const parts = [];
  if (schema.minimum !== undefined && schema.maximum !== undefined && schema.maximum < 1e9)
    parts.push(`${schema.minimum}…${schema.maximum}`);
  if (schema.maxLength !== undefined) parts.push(`≤ ${schema.maxLength}`);
  if (schema.maxItems !== undefined) parts.push(`≤ ${schema.maxItems}`);
  if (schema.default !== undefined) parts.push(`= ${JSON.stringify(schema.default)}`);
  return parts.join(", ");
}

/**
 * The fields of an object.
 *
 * @param {Schema | undefined} schema
 * @param {Schema} document_
 * @returns {{ name: string; type: string; limits: string; required: boolean; meaning: string }[]}
 */
export function fieldsOf(schema, document_) {
  const found = resolved(schema, document_);
  const limits = (/** @type {Schema} */ one) => limitsOf({ ...resolved(one, document_), ...one });
  const fields = Object.entries(found.properties ?? {}).map(([name, one]) => ({
    name,
    type: typeOf(/** @type {Schema} */ (one)),
    limits: limits(/** @type {Schema} */ (one)),
    required: (found.required ?? []).includes(name),
    meaning: /** @type {Schema} */ (one).description ?? "",
  }));
  return fields.sort((a, b) => Number(b.required) - Number(a.required));
}

/**
 * An example of a value: what the document gives as one, else something of the right type. Of
 * objects, what must be there and what has an example.
 *
 * @param {Schema | undefined} schema
 * @param {Schema} document_
 * @returns {any}
 */
export function exampleOf(schema, document_, deep = 0) {
  if (!schema || deep > 6) return null;
  if (schema.example !== undefined) return schema.example;
  const found = resolved(schema, document_);
  if (found.example !== undefined) return found.example;
  if (found.oneOf) {
    const first = found.oneOf.find((/** @type {Schema} */ one) => one.type !== "null");
    return exampleOf(first, document_, deep + 1);
  }
  if (found.enum) return found.enum[0];
  const type = [found.type ?? []].flat().find((/** @type {string} */ one) => one !== "null");
  if (type === "object" || found.properties) {
    const wanted = Object.entries(found.properties ?? {}).filter(
      ([name, one]) =>
        (found.required ?? []).includes(name) || /** @type {Schema} */ (one).example !== undefined,
    );
    return Object.fromEntries(
      wanted.map(([name, one]) => [
        name,
        exampleOf(/** @type {Schema} */ (one), document_, deep + 1),
      ]),
    );
  }
  if (type === "array") return [exampleOf(found.items, document_, deep + 1)];
  if (found.default !== undefined) return found.default;
  return (
    /** @type {Record<string, any>} */ ({
      string: "",
      integer: found.minimum ?? 0,
      number: 0,
      boolean: false,
    })[`${type}`] ?? null
  );
}

/**
 * A path with its parameters filled in; those of the query that are empty are left out.
 *
 * @param {string} path
 * @param {{ name: string; in: string }[]} parameters
 * @param {Record<string, string>} values
 */
export function addressOf(path, parameters, values) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ""));
  const query = new URLSearchParams();
  for (const one of parameters)
    if (one.in === "query" && values[one.name]) query.set(one.name, values[one.name]);
  const text = query.toString();
  return text ? `${filled}?${text}` : filled;
}

/**
 * The same request for a terminal. A file is sent from a place to be filled in, and so is a token,
 * which is nothing to be copied around.
 *
 * @param {string} origin
 * @param {string} method
 * @param {string} address
 * @param {string | null} body
 * @param {{ token?: boolean; file?: string | null }} more
 */
export function curlOf(origin, method, address, body, { token = false, file = null } = {}) {
  const quoted = (/** @type {string} */ text) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = ["curl", ...(method === "GET" ? [] : ["-X", method]), quoted(origin + address)];
  if (body !== null) parts.push("-H", quoted("content-type: application/json"), "-d", quoted(body));
  if (file !== null) parts.push("--data-binary", quoted(`@${file}`));
  if (token) parts.push("-H", quoted("authorization: Bearer TOKEN"));
  return parts.join(" ");
}

/**
 * Operations that are sent like a change and make none. They judge a decision before it is made.
 */
const QUESTIONS = ["judge_action"];

/**
 * Whether an operation changes what the server keeps or does.
 *
 * @param {string} method
 * @param {{ tags?: string[]; operationId: string }} operation
 */
export const isChange = (method, { tags, operationId }) =>
  method !== "get" && tags?.[0] !== "positions" && !QUESTIONS.includes(operationId);
