// @ts-check
// The address of the page: the position with depth, net and side.
import { byId } from "../common/dom.js";
import { host, query } from "../common/host.js";
import { netName } from "../common/net-name.js";
import { t } from "../common/words.js";
import { isOOnRoll, ply, xgid } from "./state.js";

/**
 * The nets that there are.
 *
 * @type {string[]}
 */
let nets = ["champion"];
/** The depth that is used unless another one is chosen. */
let usualPly = 3;

/** @param {number} n In plies */
export function setUsualPly(n) {
  usualPly = n;
}

/** @param {string[]} all That there are */
export function setNets(all) {
  nets = all;
}

/**
 * Writes the address: the position, and how it is looked at where that is not the usual way.
 *
 * @param {boolean} push
 */
export function write(push) {
  const more = new URLSearchParams();
  if (ply() !== usualPly) more.set("ply", `${ply()}`);
  if (byId("net").selectedIndex > 0) more.set("net", byId("net").value);
  if (isOOnRoll()) more.set("side", "O");
  const search = `?id=${encodeURIComponent(xgid()).replaceAll("%3A", ":").replaceAll("%3D", "=")}${more.size ? `&${more}` : ""}`;
  if (host.search() !== search) host.write(`/position${search}`, !push);
}

/** Takes depth and net from the address. */
export function chooseLook() {
  const params = query();
  for (const [name, usual] of [
    ["ply", `${usualPly}`],
    ["net", byId("net").options[0]?.value ?? ""],
  ]) {
    const wanted = params.get(name) ?? usual;
    const isThere = [...byId(name).options].some((option) => option.value === wanted);
    byId(name).value = isThere ? wanted : usual;
    if (name !== "net") continue;
    byId("net-gone").textContent = isThere
      ? ""
      : t("net.gone", { name: wanted, used: netName(usual, nets) });
    byId("net-gone").hidden = isThere;
  }
}
