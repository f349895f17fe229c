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
| outputs or plays are so | their share is within the limit of the row | it is not |

If the interval of an order holds 0 and lies within the margin, the difference is **too small to
matter**. All else is **undecided**. A row with the result of a match is never undecided: a wide
interval agrees easily.

**Several comparisons in a row.** All have to agree, so the least significant one decides. One that
differs is enough, and the most significant one decides; its p is multiplied by their number. Else
one that is undecided leaves the row undecided. Else one that is too small to matter decides.

**Figures.** Each is compared by a 95 % prediction interval (Student's t). It has room for our
scatter, for that of the paper's simulations, and for half of the last digit. The number of the
paper's simulations is known. Their scatter is taken to be that of ours.

**Shares of points** have the error of games that are won or lost. Games are worth one to three
points, and come in pairs on the same dice. The error of points is 1.01 times this error on
average, in tests of Table 4 with a share 0.02 to 0.1 from a half.

**Outside by chance.** Our simulations are divided at random into theirs and ours, 2,000 times. Of
these counts of figures outside 97.5 % are no larger than the number given. This allows for figures
of one simulation that move together. Figures of best tests are counted as independent ones.

**Orders.** The interval of a difference between rows is Welch's, for independent rows. Simulations
of the same number share a seed. Their results in the last quarter correlate by 0.08 to 0.25, by
the mean of all pairs of rows in eight of Wiering's experiments. That makes the interval rather too
wide than too narrow. Players of one round robin are compared within each simulation. Of fixed
players the interval is that of the games.

**What the paper's data show.** Where the paper's own results can be tested for an order, that
comes first. Matches are tested by the sign test, scores of a round robin by the normal
distribution, printed means with our scatter. Where p is 0.05 or more, the verdict is **the paper's
data do not show it**. What ours alone say stands in brackets.

**The margin** is 0.05 points a game, or 0.02 of a share. Ratings, ratios, sizes of weights and
fluctuations of tests have none. A second ply of search is worth about as much to
`nets/expert.nonet` (0.057). A share of 0.02 is 0.05 points a game where a game is worth 1.3
points. The margin was chosen after the runs, and so was its use for orders. Before, rows with
narrow intervals around 0 were undecided. It makes an equivalence test of two one-sided tests at
2.5 %.

**Small leads.** An order that is told from 0 agrees or differs, even if it lies within the margin.
A lead of 0.01 with an error of 0.006 is real, but matters as little.

**In the end** means the last quarter of a simulation's games, by the mean of its tests. Rows that
say so were judged by single tests at first. The measure was chosen after that.

**Nets waver** if the steps of their tests vary by more than the games of tests explain. The steps
are those of the last quarter, and vary around the mean step of their row. Then some nets get worse
from test to test. This measure was chosen after the runs. Before, tests that fell by more than
their errors were counted, which shows little where the errors are large.

**Above in x % of pairs** is the chance that a simulation of the first row is above one of the
second. Its 95 % interval is that of a stratified bootstrap. It needs no normal distribution. Where
all pairs agree, the interval has no width and is too narrow.

**More simulations after a look.** Some rows got more simulations after their first ones had been
judged. That makes a wrong verdict likelier than 5 %. Their pages say which.

**New experiments for undecided rows.** Some rows stayed undecided in the experiment of their table.
[wiering-first](wiering-first/report.md), [wiering-steps](wiering-steps/report.md),
[wiering-large-steps](wiering-large-steps/report.md), [wiering-sources](wiering-sources/report.md),
[chinook-speed](chinook-speed/report.md) and [baxter-peak](baxter-peak/report.md) test them with
other seeds and more games. [baxter-lgammon-settled](baxter-lgammon-settled/report.md) has another
start, chosen after the results of [baxter-lgammon-raw](baxter-lgammon-raw/report.md). Their
predictions were committed first. The verdict stands on the new simulations alone.

**Simulations that would decide** a row are counted from its scatter. They tell an order from 0 or
bring it within the margin, and they tell an equality from the margin. If the difference stays as
it is, about four of five such repeats decide it; near 0 about three of five. They are counted by
the normal distribution, which gives too few where they are below ten.

**Two readings.** \"Equity\" can be the share of points or of games. Both are computed; of best
tests and best nets the share of points alone. If both lead to different verdicts, the row is
undecided.

**What no interval holds.** Nearly all rows of Wiering's share one expert. Each of Mannen's
experiments has one recording, and all rows of the server share one pool. Six experts of one kind
[hardly differ](../reports/experts.md). Pairs of five simulations with five others are not
independent.

**Not judged.** \"Cannot be tested\" and \"not yet run\" say why in their row. \"Left open\" has a
figure of ours for what the authors leave open. A claim with a report that is cut is judged by what
was run; the line \"Size\" of the report says what was cut.

**Rows are no independent votes.** Some contain others, such as the 30 shares of a table and its
parts. Some rest on the same simulations, where the seeds are the same. Table 3's \"against expert,
own\" is Table 4's lambda 0.6, the first row of wiering-calibration and the authors' setting in
wiering-grid. It is wiering-minimax's \"expert, minimax, both sides\" and wiering-variants'
\"offline, lambda 0.6\", too. So is Table 3's \"self-play, own\" the row \"self-play, minimax\" of
wiering-plain-selfplay.

**Nets by the rules.** The authors' nets may give chances to outcomes that the rules exclude. So do
ours, but on the pages that name the rules among the differences. Nets by the rules are behind from
500 games on, by less towards the end ([wiering-minimax](wiering-minimax/report.md)).
";
