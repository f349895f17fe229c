// The page of practice while a server answers or fails, and the board of a test that is over.
import assert from "node:assert/strict";
import test from "node:test";
import { byId, made, refused, serveBy, turn } from "./fake-page.js";
import { START } from "../../src/assets/board/position.js";
import { t } from "../../src/assets/common/words.js";
import { settled } from "../../src/assets/practise/judgement.js";
import { QuestionBoard } from "../../src/assets/practise/question-board.js";
import { TestWay } from "../../src/assets/practise/test-way.js";

const xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10";

test("a round of new positions goes on without those that could not be asked for", async () => {
  let isAway = false;
  const card = { xgid, board: [...START], cube: 1, owner: null, dice: null, asks: "double" };
  serveBy(async (path) => {
    if (path === "/practice/positions") isAway = true;
    if (isAway) return refused(503);
    return path.startsWith("/practice?")
      ? { cards: [], new: [card], missed: [], players: [], overview: null, test: null }
      : [];
  });
  await import("../../src/assets/practise/practise.js");
  await turn();
  made.findLast(({ given }) => given.id === "more").listeners.click();
  await turn();
  assert.equal(byId("count").textContent, t("practise.at.new", { n: 1, of: 1 }));
  // After its last question the round ends.
  const asked = [];
  serveBy(async (path) => asked.push(path) && refused(503));
  made.findLast(({ given }) => given["aria-keyshortcuts"] === "s").listeners.click();
  await turn();
  assert.ok(asked[0]?.startsWith("/practice?"), `${asked}`);
});

test("the board of a test that is over is no question any more", () => {
  const drawn = [];
  const questionBoard = new QuestionBoard({
    reply: () => {},
    isBusy: () => false,
    player: () => "Ann",
    later: () => null,
  });
  questionBoard.board = { draw: (state) => drawn.push(state) };
  const after = [...START];
  [after[8], after[6], after[5]] = [2, 4, 2];
  const card = {
    xgid: "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10",
    board: [...START],
    cube: 1,
    owner: null,
    dice: [3, 1],
    asks: "play",
    plays: [{ play: "8/5 6/5", board: after }],
  };
  questionBoard.begin(card);
  questionBoard.draw(card, null);
  const answer = { xgid, answer: "roll", best: "double", loss: 0.1, kind: "race, wrong take" };
  const state = { answers: [answer], result: { right: 0, questions: 1, loss: 0.1, half: null } };
  const way = new TestWay(
    { overview: null, player: "Ann" },
    { questionBoard },
    {},
    { load: () => {} },
  );
  way.showReview(state);
  const before = drawn.length;
  questionBoard.picking.point(5, { second: false, key: false });
  questionBoard.picking.drag(8);
  questionBoard.picking.letGo();
  questionBoard.picking.swap();
  assert.equal(drawn.length, before);
});

test("an analysis that could not be read is asked for again, and the next one is looked at", async () => {
  const asked = [];
  let isAway = true;
  serveBy(async (path) => {
    asked.push(path);
    if (path === "/analyses")
      return ["a", "b"].map((id) => ({ id, state: "done", matches: [{ names: ["Ann", "Bob"] }] }));
    const isFailing = isAway && path === "/analyses/a";
    return isFailing ? refused(503) : { row: { name: "" }, matches: [], deeper: [] };
  });
  const told = { answer: "double", best: "double", made: "roll", equities: [], loss: 0, game: 0 };
  const ask = () => settled({ ...told, opponent: "Bob" }, { xgid }, "Ann", null);
  await ask();
  assert.deepEqual(asked, ["/analyses", "/analyses/a", "/analyses/b"]);
  isAway = false;
  asked.length = 0;
  await ask();
  assert.deepEqual(asked, ["/analyses", "/analyses/a"]);
});
