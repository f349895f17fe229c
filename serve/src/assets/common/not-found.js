// @ts-check
// The page of an address that leads nowhere.
import { byId, entitle } from "./dom.js";
import { pageHead } from "./header.js";
import { t } from "./words.js";
import { drawBoard } from "../board/board.js";

pageHead("");
entitle(t("missing.title"));
if (/^\/book(\/|$)/.test(location.pathname)) {
  byId("way").textContent = t("missing.book");
  byId("way").href = "/book/introduction";
}
// Everybody dances on the bar.
drawBoard(byId("board"), {
  board: [0, 0, 0, 0, 0, 0, 4, 0, 3, 0, 0, 0, 0, 4, 0, 0, 0, -2, -1, -2, -2, -2, -2, -2, -2, 4],
  dice: [4, 4],
  off: [0, 0],
});
