// @ts-check
// The page of the API, from its OpenAPI document: contents, operations with requests that can be
// sent, objects.
import { get } from "../common/api.js";
import { attempt, byId, el, loading } from "../common/dom.js";
import { pageHead } from "../common/header.js";
import { t } from "../common/words.js";
import { freeName } from "../train/state.js";
import { fieldTable, operationCard, prose } from "./operation.js";
import { fieldsOf, typeOf } from "./schema.js";

pageHead("/api");

/** The groups of operations, in the order of their use. */
const GROUPS = ["positions", "matches", "analyses", "practice", "runs", "server", "bot", "wildbg"];
/** The operation that its group begins with: the words above all groups explain its example. */
const FIRST = "hint";

/**
 * Names of a match, an analysis and a run that are there, for the examples.
 *
 * @returns {Promise<Record<string, string>>}
 */
async function knownNames() {
  const first = async (/** @type {string} */ path, /** @type {(row: any) => string} */ name) => {
    try {
      const [row] = await get(path);
      return row ? name(row) : "";
    } catch {
      return ""; // An example stays empty.
    }
  };
  const [match, analysis, runs] = await Promise.all([
    first("/matches", (row) => row.id),
    first("/analyses", (row) => row.id),
    get("/runs").catch(() => []),
  ]);
  const names = runs.map((/** @type {{ name: string }} */ { name }) => name);
  return { match, analysis, run: names[0] ?? "", newRun: freeName(names) };
}

/**
 * What all operations refuse.
 *
 * @param {any} document_
 */
function refusals(document_) {
  const shared = new Map();
  for (const methods of Object.values(document_.paths)) {
    for (const operation of Object.values(/** @type {any} */ (methods))) {
      for (const [status, { $ref }] of Object.entries(/** @type {any} */ (operation).responses))
        if ($ref) shared.set($ref.split("/").at(-1), status);
    }
  }
  const rows = [...shared].sort((a, b) => a[1].localeCompare(b[1]));
  return el(
    "section",
    { class: "card", id: "refusals" },
    el("h3", {}, t("api.refusals")),
    el(
      "ul",
      { class: "answers", lang: "en" },
      rows.map(([name, status]) =>
        el("li", {}, el("b", {}, status), " ", document_.components.responses[name].description),
      ),
    ),
  );
}

/**
 * A schema, folded.
 *
 * @param {string} name
 * @param {any} schema
 * @param {any} document_
 */
function object(name, schema, document_) {
  const fields = fieldsOf(schema, document_);
  return el(
    "details",
    { class: "object", id: name },
    el(
      "summary",
      {},
      el("code", {}, name),
      " ",
      el("span", { class: "small", lang: "en" }, prose(schema.description ?? "")),
    ),
    fields.length ? fieldTable(fields, name) : el("p", {}, el("code", {}, typeOf(schema))),
  );
}

/** Groups are open where there is room. */
const roomy = matchMedia("(min-width: 900px)").matches;

/**
 * A group, which can be folded.
 *
 * @param {string} id
 * @param {string} title
 * @param {any[]} parts
 * @param {boolean} isOpen
 */
const fold = (id, title, parts, isOpen = roomy) =>
  el(
    "details",
    { class: "group", id, open: isOpen },
    el("summary", {}, el("h2", {}, title)),
    parts,
  );

byId("api").replaceChildren(loading());
await attempt(async () => {
  const document_ = await get("/openapi.json");
  const known = await knownNames();
  /** @type {Map<string, any[]>} */
  const groups = new Map(GROUPS.map((group) => [group, []]));
  for (const [path, methods] of Object.entries(document_.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const group = operation.tags?.[0] ?? "server";
      groups.set(group, [
        ...(groups.get(group) ?? []),
        { path, method, operation, document_, known },
      ]);
    }
  }
  const parts = [];
  const contents = [];
  for (const [group, operations] of groups) {
    if (!operations.length) continue;
    operations.sort(
      (one, other) =>
        Number(other.operation.operationId === FIRST) - Number(one.operation.operationId === FIRST),
    );
    // The first request is in sight on a phone, too.
    parts.push(
      fold(
        `group-${group}`,
        t(`api.group.${group}`),
        operations.map(operationCard),
        roomy || parts.length === 0,
      ),
    );
    contents.push(
      el(
        "li",
        {},
        el("a", { href: `#group-${group}` }, el("b", {}, t(`api.group.${group}`))),
        el(
          "ul",
          {},
          operations.map(({ path, method, operation }) =>
            el(
              "li",
              {},
              el(
                "a",
                { href: `#${operation.operationId}` },
                el("span", { class: `method ${method}` }, method.toUpperCase()),
                path.replace("/api/v1", ""),
              ),
            ),
          ),
        ),
      ),
    );
  }
  contents.push(
    el("li", {}, el("a", { href: "#refusals" }, el("b", {}, t("api.refusals")))),
    el("li", {}, el("a", { href: "#objects" }, el("b", {}, t("api.objects")))),
  );
  byId("contents").replaceChildren(el("ul", {}, contents));
  byId("api").replaceChildren(
    ...parts,
    refusals(document_),
    fold(
      "objects",
      t("api.objects"),
      Object.entries(document_.components.schemas).map(([name, schema]) =>
        object(name, schema, document_),
      ),
    ),
  );
  openTarget();
});

/** Unfolds what the address names, and goes there. */
function openTarget() {
  const found = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!found) return;
  for (let one = found.closest("details"); one; one = one.parentElement?.closest("details") ?? null)
    one.open = true;
  found.scrollIntoView();
}
addEventListener("hashchange", openTarget);
