// What the page of practice says of a card.
import assert from "node:assert/strict";
import { test } from "node:test";
import { arrowsOf, asAnalysed, decisionIn, scoreWords } from "../../src/assets/practise/verdict.js";

test("the score names both sides, and the cube where there is one", () => {
  const words = (fields, player, owner = null, cube = 1) => scoreWords({ xgid: `XGID=-b----E-C---eE---c-e----B-:${fields}`, cube, owner }, player);
  assert.equal(words("0:0:1:31:0:0:0:1:10", "you"), "Match to 1: you 0, opponent 0");
  assert.equal(words("1:1:1:31:3:2:0:7:10", "Anna", "you", 2), "Match to 7: Anna 3, opponent 2; your cube at 2");
  assert.equal(words("0:0:1:31:6:2:1:7:10", "Anna"), "Match to 7: Anna 6, opponent 2; Crawford game");
  assert.equal(words("0:0:1:31:0:0:3:0:10", "Anna"), "Money game; Jacoby rule; beavers; cube in the middle");
});

test("practice after an analysis shows its figures, each with its depth", () => {
  const plays = [["8/5 6/5", 0.309, 3], ["24/18", 0.1, 3], ["13/9", 0.05, 2], ["13/5", 0.03, 2], ["6/2", -0.3, 3]].map(([play, equity, plies]) => ({ play, equity, plies }));
  const analysis = { matches: [{ cube_plies: 2, games: [{ decisions: [{ xgid: "A", decision: { plays } }, { xgid: "B", decision: { call: "no double", right: "Double, take", no_double: 0.4, double_take: 0.5, double_pass: 1 } }] }] }] };
  const told = { answer: "13/5", best: "8/5 6/5", made: "6/2", loss: 0.3, equities: [{ decision: "8/5 6/5", equity: 0.335 }] };
  const names = (verdict) => verdict.equities.map(({ decision, plies }) => `${decision} ${plies}`);
  const shown = asAnalysed(told, decisionIn(analysis, "A"), 3);
  assert.deepEqual(names(shown), ["8/5 6/5 3", "24/18 3", "13/9 2", "13/5 2", "6/2 3"]);
  assert.equal(shown.equities[0].equity - shown.equities[3].equity, shown.loss);
  // A play that the analysis has not kept lies where its loss puts it.
  const other = asAnalysed({ ...told, answer: "13/8" }, decisionIn(analysis, "A"), 3);
  assert.deepEqual(names(other), ["8/5 6/5 3", "24/18 3", "13/9 2", "13/8 3", "6/2 3"]);
  const cube = { answer: "double", best: "Double, take", equities: ["no double", "double, take", "double, pass"].map((decision) => ({ decision, equity: 0 })) };
  const lossOf = (answer) => asAnalysed({ ...cube, answer }, decisionIn(analysis, "B"), 3).loss;
  assert.deepEqual(["double", "no double", "take", "pass"].map((answer) => Number(lossOf(answer).toFixed(6))), [0, 0.1, 0, 0.5]);
  assert.deepEqual(asAnalysed(cube, decisionIn(analysis, "B"), 3).equities.map(({ equity, plies }) => [equity, plies]), [[0.4, 2], [0.5, 2], [1, 2]]);
  // A card of another match, or another best play: the verdict as it is.
  assert.equal(decisionIn(analysis, "C"), null);
  assert.equal(asAnalysed(told, null, 3), told);
  assert.equal(asAnalysed({ ...told, best: "24/18" }, decisionIn(analysis, "A"), 3).loss, 0.3);
});

test("a right answer is drawn as a good play, a wrong one beside the best play", () => {
  const kinds = (right, answer) => arrowsOf({ right, answer, best: "8/5 6/5" }).map(({ kind }) => kind);
  assert.deepEqual([kinds(true, "8/5 6/5"), kinds(true, "24/23 13/10"), kinds(false, "13/9")], [["both"], ["both"], ["played", "best"]]);
});
