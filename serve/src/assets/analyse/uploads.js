// @ts-check
// The place for files: they are dropped or chosen, analysed, or refused with a reason.
import { Refused, upload } from "../common/api.js";
import { attempt, byId, el, sentence } from "../common/dom.js";
import { reasonOf } from "../common/format.js";
import { host, query } from "../common/host.js";
import { netOptions } from "../common/net-name.js";
import { keepOwn } from "../common/own.js";
import { known, t } from "../common/words.js";
import { showLibrary } from "./library.js";

/** @typedef {import("./library.js").Owner} Owner */

/**
 * The choice of net and depth, and the formats.
 *
 * @param {any} server
 * @param {string[]} nets
 */
function showChoices(server, nets) {
  byId("net").replaceChildren(...netOptions(nets));
  byId("net-label").hidden = nets.length < 2;
  const wanted = query().get("net");
  if (wanted && nets.includes(wanted)) byId("net").value = wanted;
  byId("depth").replaceChildren(
    ...[1, 2, 3, 4].map((n) =>
      el(
        "option",
        { value: n, selected: n === server.ply },
        `${t("common.ply", { n })} · ${t(`analyse.depth.${n}`)}`,
      ),
    ),
  );
  byId("formats").replaceChildren(
    ...server.formats.map((/** @type {any} */ format) =>
      el(
        "li",
        {},
        el("b", {}, format.endings.join(", ")),
        ` ${sentence(known(`format.${format.code}`) ?? format.name)}`,
      ),
    ),
  );
  byId("formats").append(
    el("li", {}, el("b", {}, ".xgp"), ` ${sentence(t("analyse.formats.position"))}`),
  );
}

/**
 * The place for files: drop, choose, how deep and by which net.
 *
 * @param {any} server
 * @param {string[]} nets
 * @param {Owner} owner
 */
export function prepareUploads(server, nets, owner) {
  showChoices(server, nets);
  const depth = byId("depth");
  /** Sends a file. The page of positions opens if it is the only one and holds a position. */
  const send = async (/** @type {File} */ file, /** @type {boolean} */ isAlone) => {
    try {
      return await upload(
        `/analyses?name=${encodeURIComponent(file.name)}&ply=${depth.value}&net=${encodeURIComponent(byId("net").value)}`,
        file,
      );
    } catch (error) {
      const { position } = /** @type {import("../common/api.js").Refused} */ (error);
      if (!position || !isAlone) throw error;
      host.go(`/position?id=${encodeURIComponent(position)}`);
      return undefined;
    }
  };
  const take = async (/** @type {File[]} */ files) => {
    /** @type {[string, string, string?][]} */
    const refused = [];
    showRefused(refused, files.length);
    for (const file of files) {
      const row = await attempt(() =>
        send(file, files.length === 1).catch((error) => {
          // What the file itself is to blame for has a line of its own.
          if (!(error instanceof Refused) || [0, 401].includes(error.status)) throw error;
          refused.push([file.name, error.message, error.position]);
        }),
      );
      if (row) keepOwn("analyses", row.id);
      if (row && files.length === 1) return owner.open(row.id);
      showRefused(refused, files.length);
    }
    return showLibrary(owner);
  };
  const chooser = /** @type {HTMLInputElement} */ (byId("files"));
  const takeChosen = () => {
    const files = [...(chooser.files ?? [])];
    if (files.length === 0) return;
    // The same file may be chosen again.
    chooser.value = "";
    take(files);
  };
  chooser.addEventListener("change", takeChosen);
  takeChosen(); // Files that were chosen while the page was being made.
  const drop = byId("drop");
  for (const name of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(name, (/** @type {any} */ event) => {
      event.preventDefault();
      drop.classList.toggle("over", name === "dragover");
      if (name === "drop") take([...event.dataTransfer.files]);
    });
  }
  byId("sample").addEventListener("click", () =>
    attempt(async () => {
      const sample = (await import("./sample.js")).default;
      await take([new File([sample], t("analyse.sampleName"))]);
    }),
  );
}

/** What the server says about a file that is no match. */
const UNKNOWN_FORMAT = "unknown record format";

/**
 * The files of an upload that are not analysed, each with its reason, until the next upload.
 *
 * @param {[string, string, string?][]} refused Names, messages, and the position of a file that
 *   holds one
 * @param {number} all Files of the upload
 */
function showRefused(refused, all) {
  const place = byId("refused");
  place.hidden = refused.length === 0;
  const close = el(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": t("common.close"),
      title: t("common.close"),
      onclick: () => {
        place.hidden = true;
      },
    },
    "×",
  );
  const reason = (/** @type {string} */ name, /** @type {string} */ message) =>
    message.includes(UNKNOWN_FORMAT) ? t("analyse.unknownFormat") : reasonOf(name, message);
  const link = (/** @type {string | undefined} */ position) =>
    position
      ? el("a", { href: `/position?id=${encodeURIComponent(position)}` }, t("analyse.openPosition"))
      : null;
  // A position is no fault: it has a page of its own.
  const positions = refused.filter(([, , position]) => position);
  const faults = refused.filter(([, , position]) => !position);
  const [first] = faults;
  place.classList.toggle("refused", faults.length > 0);
  const ofPositions = positions.map(([name, , position]) =>
    el("p", {}, el("b", {}, name), ": ", t("analyse.holdsPosition"), " ", link(position)),
  );
  if (!first)
    return place.replaceChildren(el("div", { class: "row" }, el("div", {}, ofPositions), close));
  place.replaceChildren(
    el(
      "div",
      { class: "row" },
      el(
        "b",
        {},
        all === 1
          ? t("analyse.refused.one", { name: first[0] })
          : t("analyse.refused", { n: faults.length, all }),
      ),
      close,
    ),
    all === 1
      ? el("p", {}, sentence(reason(first[0], first[1])))
      : el(
          "ul",
          {},
          faults.map(([name, message]) =>
            el("li", {}, el("b", {}, name), ": ", reason(name, message)),
          ),
        ),
    ...ofPositions,
  );
}
