// @ts-check
// One operation of the API: what it takes and answers, and a request that can be changed and sent.
import { ask, hasToken } from "../common/api.js";
import { copyButton } from "../common/copy.js";
import { el } from "../common/dom.js";
import { decimal } from "../common/format.js";
import { t } from "../common/words.js";
import { addressOf, curlOf, exampleOf, fieldsOf, isChange, nameOf, typeOf } from "./schema.js";

/**
 * Bodies that show more than the document does: a position with its score, one decision.
 *
 * @type {Record<string, any>}
 */
const EXAMPLES = {
  act: { action: "roll", play: undefined },
  judge_action: { action: "play" },
  cube: { id: "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:1:0:5:10" },
};

/**
 * The start of a game with the roll 31, in the parameters of wildbg.
 *
 * @type {Record<string, string>}
 */
const WILDBG = {
  die1: "3",
  die2: "1",
  p24: "2",
  p19: "-5",
  p17: "-3",
  p13: "5",
  p12: "-5",
  p8: "3",
  p6: "5",
  p1: "-2",
};

/**
 * A text; its parts between backticks are code.
 *
 * @param {string} text
 */
export const prose = (text) =>
  text.split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));

/** The most characters of an answer that are shown. */
const MOST = 20000;

/**
 * A table of fields.
 *
 * @param {ReturnType<typeof fieldsOf>} fields
 * @param {string} caption
 */
export function fieldTable(fields, caption) {
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el(
      "table",
      { class: "fields" },
      el("caption", {}, caption),
      el(
        "tbody",
        {},
        fields.map(({ name, type, limits, required, meaning }) =>
          el(
            "tr",
            {},
            el(
              "th",
              { scope: "row" },
              el("code", {}, name),
              required ? el("span", { class: "tag" }, t("api.required")) : null,
            ),
            el("td", {}, linked(type), limits ? el("small", {}, limits) : null),
            el("td", { class: "words", lang: "en" }, prose(meaning)),
          ),
        ),
      ),
    ),
  );
}

/**
 * A type; its names lead to their schemas.
 *
 * @param {string} type
 */
function linked(type) {
  return type
    .split(/([A-Z]\w+)/)
    .map((part) => (/^[A-Z]\w+$/.test(part) ? el("a", { href: `#${part}` }, part) : part));
}

/**
 * An answer as text; JSON with indents.
 *
 * @param {string} text
 */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

/**
 * @param {Response} response
 * @param {(text: string) => void} tell
 */
async function readAll(response, tell) {
  if (!response.body) return;
  const reader = response.body
    .pipeThrough(/** @type {any} */ (new TextDecoderStream()))
    .getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
    // A line with a colon alone keeps the connection open and says nothing.
    const said = text.replace(/^:\s*\n?/gm, "");
    if (said) tell(said.slice(-MOST));
  }
  const shown = pretty(text);
  tell(shown.length > MOST ? `${shown.slice(0, MOST)}\n…` : shown);
}

/**
 * @param {{
 *   path: string;
 *   method: string;
 *   operation: any;
 *   document_: any;
 *   known: Record<string, string>;
 * }} given
 *   `known` are values of path parameters, and a name that no run has
 */
export function operationCard({ path, method, operation, document_, known }) {
  const id = operation.operationId;
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const schema = /** @type {any} */ (content)?.schema;
  const isJson = type === "application/json";
  /** @type {any[]} */
  const parameters = operation.parameters ?? [];
  // What every operation of a kind refuses stands below, once.
  const answers = Object.entries(operation.responses).filter(([, answer]) => !answer.$ref);
  const shared = Object.entries(operation.responses)
    .filter(([, answer]) => answer.$ref)
    .map(([status]) => status);
  const isWildbg = operation.tags?.[0] === "wildbg";
  const offered = isWildbg
    ? parameters
        .filter(({ name }) => name in WILDBG)
        .sort(
          (one, other) =>
            Object.keys(WILDBG).indexOf(one.name) - Object.keys(WILDBG).indexOf(other.name),
        )
    : parameters.slice(0, 4);
  const inputs = new Map(
    offered.map((one) => {
      const value = isWildbg
        ? WILDBG[one.name]
        : one.in === "path"
          ? (known[
              path.includes("/matches/") ? "match" : path.includes("/runs/") ? "run" : "analysis"
            ] ?? "")
          : "";
      const made = el("input", {
        value: one.name === "file" ? "page.html" : value,
        placeholder: `${exampleOf(one.schema, document_) ?? ""}`,
        spellcheck: "false",
        size: isWildbg ? 3 : 14,
      });
      return [one.name, made];
    }),
  );
  const example = isJson
    ? JSON.stringify(
        {
          ...exampleOf(schema, document_),
          ...EXAMPLES[id],
          ...(id === "begin_run" ? { name: known.newRun } : {}),
        },
        null,
        1,
      )
    : "";
  const body = schema
    ? el(
        "textarea",
        {
          rows: isJson ? Math.min(9, example.split("\n").length) : 3,
          spellcheck: "false",
          "aria-label": t("api.body"),
        },
        isJson
          ? example
          : " 3 point match\n\n Game 1\n ann : 0                bob : 0\n  1) 31: 8/5 6/5         62: 24/18 13/11\n",
      )
    : null;
  const shown = el("pre", { class: "answer", tabindex: "0", hidden: true });
  const said = el("span", { class: "small", role: "status" });
  const curl = el("code", {});
  const address = () =>
    addressOf(
      path,
      parameters,
      Object.fromEntries([...inputs].map(([name, input]) => [name, input.value.trim()])),
    );
  const compact = () => {
    if (!body || !isJson) return null;
    try {
      return JSON.stringify(JSON.parse(body.value));
    } catch {
      return body.value;
    }
  };
  const showCurl = () => {
    curl.textContent = curlOf(location.origin, method.toUpperCase(), address(), compact(), {
      token: hasToken(),
      file: body && !isJson ? "match.mat" : null,
    });
  };
  let isRunning = false;
  // What the path names must be there: without it, the address would be another one.
  const lacking = () =>
    parameters
      .filter((one) => one.in === "path" && !inputs.get(one.name)?.value.trim())
      .map((one) => one.name);
  const showSend = () => {
    const names = lacking();
    send.disabled = isRunning || names.length > 0;
    lacks.textContent = names.length ? t("api.lacks", { names: names.join(", ") }) : "";
    // An answer to another request says nothing here.
    if (names.length) [said.textContent, shown.hidden] = ["", true];
  };
  const lacks = el("span", { class: "small" });
  for (const input of [...inputs.values(), ...(body ? [body] : [])]) {
    input.addEventListener("input", showCurl);
    input.addEventListener("input", () => showSend());
  }
  showCurl();
  const send = el(
    "button",
    {
      type: "button",
      class: method === "delete" ? "danger" : "main",
      onclick: async () => {
        if (
          isChange(method, operation) &&
          !confirm(
            t(method === "delete" ? "api.sure" : "api.sureChange", {
              request: `${method.toUpperCase()} ${address()}`,
            }),
          )
        )
          return;
        isRunning = send.disabled = true;
        const began = performance.now();
        const abort = new AbortController();
        stop.hidden = false;
        stop.onclick = () => abort.abort();
        const running = () => {
          said.textContent = t("api.running", {
            seconds: decimal((performance.now() - began) / 1000, 0),
          });
        };
        const clock = setInterval(running, 1000);
        running();
        try {
          const response = await ask(address(), {
            signal: abort.signal,
            method: method.toUpperCase(),
            ...(body ? { body: body.value, headers: { "content-type": `${type}` } } : {}),
          });
          shown.hidden = true;
          await readAll(response, (text) => {
            shown.hidden = false;
            shown.textContent = text;
          });
          said.textContent = t("api.answered", {
            status: response.status,
            time: decimal(performance.now() - began, 0),
          });
        } catch {
          said.textContent = t(abort.signal.aborted ? "api.stopped" : "common.noServer");
        } finally {
          clearInterval(clock);
          stop.hidden = true;
          isRunning = false;
          showSend();
        }
      },
    },
    t("api.send"),
  );
  const stop = el("button", { type: "button", hidden: true }, t("api.stop"));
  showSend();
  const copy = copyButton(t("api.copy"), () => curl.textContent ?? "");
  const labels = [...inputs].map(([name, input]) =>
    el("label", { class: "small" }, `${name} `, input),
  );
  const queryFields = parameters.length
    ? fieldTable(
        parameters.map((one) => ({
          name: one.name,
          type: typeOf(one.schema),
          limits: "",
          required: Boolean(one.required),
          meaning: one.description ?? "",
        })),
        t("api.parameters"),
      )
    : null;
  return el(
    "section",
    { class: "card operation", id, "aria-labelledby": `${id}-title` },
    el(
      "h3",
      { id: `${id}-title` },
      el("span", { class: `method ${method}` }, method.toUpperCase()),
      " ",
      el("code", {}, path),
    ),
    el(
      "p",
      { lang: "en" },
      prose(operation.summary ?? ""),
      operation.description && operation.description !== operation.summary
        ? [" ", ...prose(operation.description)]
        : null,
    ),
    el(
      "details",
      { class: "what" },
      el("summary", {}, t("api.what")),
      parameters.length > 4 ? el("p", { class: "small" }, t("api.many")) : queryFields,
      isJson
        ? fieldTable(fieldsOf(schema, document_), `${t("api.body")}: ${nameOf(schema) ?? ""}`)
        : schema
          ? el(
              "p",
              { class: "small" },
              `${t("api.body")}: ${type}. `,
              el("span", { lang: "en" }, operation.requestBody?.description ?? ""),
            )
          : null,
      el(
        "ul",
        { class: "answers", lang: "en" },
        answers.map(([status, answer]) => {
          const of = /** @type {any} */ (Object.values(answer.content ?? {})[0])?.schema;
          return el(
            "li",
            {},
            el("b", {}, status),
            " ",
            answer.description,
            of ? [" ", el("code", {}, linked(typeOf(of)))] : null,
          );
        }),
      ),
      shared.length
        ? el(
            "p",
            { class: "small" },
            el("b", {}, shared.join(", ")),
            ": ",
            el("a", { href: "#refusals" }, t("api.refusals")),
          )
        : null,
    ),
    labels.length ? el("p", { class: "tools" }, labels) : null,
    body,
    el("p", { class: "tools" }, send, stop, copy, lacks, said),
    el("p", { class: "curl" }, curl),
    shown,
  );
}
