// What the page of practice says of a card.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changeWords } from "../../src/assets/practise/test.js";
import { arrowsOf, scoreWords } from "../../src/assets/practise/verdict.js";

test("the score names both sides, and the cube where there is one", () => {
  const words = (fields, player, owner = null, cube = 1) => scoreWords({ xgid: `XGID=-b----E-C---eE---c-e----B-:${fields}`, cube, owner }, player);
  assert.equal(words("0:0:1:31:0:0:0:1:10", "you"), "Match to 1: you 0, opponent 0");
  assert.equal(words("1:1:1:31:3:2:0:7:10", "Anna", "you", 2), "Match to 7: Anna 3, opponent 2; your cube at 2");
  assert.equal(words("0:0:1:31:6:2:1:7:10", "Anna"), "Match to 7: Anna 6, opponent 2; Crawford game");
  assert.equal(words("0:0:1:31:0:0:3:0:10", "Anna"), "Money game; Jacoby rule; beavers; cube in the middle");
});

test("a difference between tests is told with its error, and as none where the error is larger", () => {
  assert.equal(changeWords([-0.031, 0.045]), "Last test less first: −0.031 ± 0.045. That is within the error: the tests do not tell a difference.");
  assert.match(changeWords([-0.05, 0.045]), /You lose less/);
  assert.match(changeWords([0.05, 0.045]), /You lose more/);
});

test("a right answer is drawn as a good play, a wrong one beside the best play", () => {
  const kinds = (right, answer) => arrowsOf({ right, answer, best: "8/5 6/5" }).map(({ kind }) => kind);
  assert.deepEqual([kinds(true, "8/5 6/5"), kinds(true, "24/23 13/10"), kinds(false, "13/9")], [["both"], ["both"], ["played", "best"]]);
});
