// Calls of the HTTP API. The token, if there is one, comes with the address (#token=...) and stays in this tab.
const TOKEN = "nonet-token";
const fragment = new URLSearchParams(location.hash.slice(1));
if (fragment.has("token")) {
  sessionStorage.setItem(TOKEN, fragment.get("token"));
  history.replaceState(null, "", location.pathname + location.search);
}

/** An answer that refuses a request, in words for people. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function headers(more = {}) {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { ...more, authorization: `Bearer ${token}` } : more;
}

async function send(path, options = {}) {
  let answer;
  try {
    answer = await fetch(`/api/v1${path}`, { ...options, headers: headers(options.headers) });
  } catch {
    throw new Refused(0, "The server does not answer. Start it again with nonet serve; nothing that was saved is lost.");
  }
  if (!answer.ok) {
    let message = `the server answers ${answer.status}`;
    try {
      message = (await answer.json()).error ?? message;
    } catch { /* No JSON: the status says it. */ }
    throw new Refused(answer.status, message);
  }
  return answer;
}

export async function get(path) {
  return (await send(path)).json();
}

export async function post(path, body) {
  const options = { method: "POST" };
  if (body !== undefined) {
    options.headers = { "content-type": "application/json" };
    options.body = JSON.stringify(body);
  }
  return (await send(path, options)).json();
}

export async function remove(path) {
  await send(path, { method: "DELETE" });
}

export async function upload(path, file) {
  const options = { method: "POST", body: file, headers: { "content-type": "application/octet-stream" } };
  return (await send(path, options)).json();
}

/** Saves an answer as a file. */
export async function download(path, name) {
  const answer = await send(path);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A rollout: calls `tell(answer, done)` for each event. `signal` cancels it. */
export async function rollout(question, tell, signal) {
  const answer = await send("/rollout", {
    method: "POST", signal, body: JSON.stringify(question), headers: { "content-type": "application/json" },
  });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const lines = event.split("\n");
      const field = (name) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1).trim();
      if (field("data")) tell(JSON.parse(field("data")), field("event") === "done");
    }
  }
}
