//! The rule of the verdicts, in words.

pub(super) const RULE: &str = "\
A test makes every verdict again from the results.

| the paper says | the claim agrees | it differs |
|---|---|---|
| figures | no more of them lie outside than by chance | more do |
| one thing is above another | the 95 % interval of the difference lies above 0 | below 0 |
| two things are equal | the interval lies within the margin | outside |
| one thing takes some times as long | the interval of the ratio lies within the range | outside |
| one thing is much larger | the interval of the ratio lies above the number in the row | below it |
| a best test is above a level | in all pairs of our simulations | in none |
| a match ends with a result | our 95 % interval holds it | it does not |
| outputs or plays are so | as many are so as the row says | fewer |

An order is **too small to matter** if the interval holds 0 and lies within the margin. All else is
**undecided**. Of several comparisons one that differs is enough; to agree, all have to. So the
least significant decides that a claim agrees, the most significant that it differs. If none differs
and none is undecided, one that is too small to matter is enough.

**Figures.** Each is compared by a 95 % prediction interval (Student's t). It has room for our
scatter, for that of the paper's simulations, and for half of the last digit. The number of the
paper's simulations is known. Their scatter is taken to be that of ours.

**Outside by chance.** Our simulations are divided at random into theirs and ours, 2,000 times. Of
these counts of figures outside 97.5 % are no larger than the number given. So figures of one
simulation may move together.

**Orders.** The interval of a difference between rows is Welch's, for independent rows. Simulations
of the same number share a seed. Their results in the last quarter correlate by 0.08 to 0.25, by
the mean of all pairs of rows in eight of Wiering's experiments. That makes the interval rather too
wide than too narrow. Players of one round robin are compared within each simulation. Of fixed
players the interval is that of the games.

**What the paper's data show.** Where the paper prints its own results of an order, they are tested
first. Matches are tested by the sign test, scores of a round robin by the normal distribution,
printed means with our scatter. Where p is 0.05 or more, the verdict is **the paper's data do not
show it**. What ours alone say stands in brackets.

**The margin** is the same for all claims: 0.05 points a game, or 0.02 of a share. A second ply of
search is worth about as much to `nets/expert.nonet` (0.057), so less hardly shows in play. A share
of 0.02 is 0.05 points a game where a game is worth 1.3 points. The margin was chosen after the
runs. So was its use for orders, which equivalence tests call two one-sided tests: before, rows with
narrow intervals around 0 were undecided. A lead that is told from 0 needs no margin: 0.01 with an
error of 0.006 is real, but small. Ratings, ratios, and differences between tests have no margin.

**In the end** means the last quarter of a simulation's games, by the mean of its tests. Rows that
say so were judged by single tests at first. The measure was chosen after that.

**Above in x % of pairs** is the chance that a simulation of the first row is above one of the
second. Its 95 % interval is that of a stratified bootstrap. It needs no normal distribution.

**Simulations that would decide** a row are counted from its scatter. They tell the difference from
0, or bring the interval within the margin. Four of five such repeats decide it, if the difference
stays as it is. They are counted by the normal distribution, which
gives too few where they are below ten.

**Two readings.** \"Equity\" can be the share of points or of games. Both are computed; of best tests
and best nets the share of points alone. If both lead to different verdicts, the row is undecided.

**What no interval holds.** All rows of Wiering's share one expert, all of Mannen's one recording,
all of the server one pool. Six experts of one kind [hardly differ](../reports/experts.md). Pairs of
five simulations with five others are not independent.

**Not judged.** \"Cannot be tested\" and \"not yet run\" say why in their row. \"Left open\" has a figure
of ours for what the authors leave open. A claim with a report that is cut is judged by what was
run; the line \"Size\" of the report says what was cut.

**Rows are no independent votes.** Some contain others, such as the 30 shares of a table and its
parts. Some rest on the same simulations, where the seeds are the same. Table 3's \"against expert,
own\" is Table 4's lambda 0.6 and the first row of wiering-calibration. It is wiering-minimax's
\"expert, minimax, both sides\", too. So is Table 3's \"self-play, own\" the row \"self-play, minimax\" of
wiering-plain-selfplay. \"Offline, lambda 0.6\" of wiering-variants has the same setting, but its
nets obey the rules.

**Nets by the rules.** The authors' nets may give chances to outcomes that the rules exclude. So do
ours, but on the pages that name the rules among the differences. Nets by the rules are behind from
500 games on, by less towards the end ([wiering-minimax](wiering-minimax/report.md)).
";
