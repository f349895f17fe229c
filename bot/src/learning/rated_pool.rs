//! Players of a practice server. Their ratings fit their results from the start.

use fibs::rating::chance;

use nonet_engine::engine::Engine;
use nonet_engine::game::{SeriesConfig, SeriesRules, play_series};
use nonet_engine::progress::Progress;

/// A player of the pool.
pub struct PoolMember {
    /// Its account's name.
    pub name: String,
    /// It plays with this engine.
    pub engine: Engine,
    /// Its rating when the server opens.
    pub rating: f64,
}

/// Players with fixed nets.
pub struct RatedPool(Vec<PoolMember>);

/// The mean rating of a pool: that of a new account.
pub const POOL_MEAN: f64 = 1500.0;

impl RatedPool {
    /// Lets every two of these players play `games` matches of one point with duplicate dice. By
    /// the formula of FIBS, their ratings then predict these results. The mean of the ratings is
    /// [`POOL_MEAN`]. `None` if it was stopped.
    ///
    /// The ratings are those of greatest likelihood. Each player of a pair has one more win and one
    /// more loss, so that a player without a win has a finite rating.
    #[must_use]
    pub fn of(
        players: Vec<(String, Engine)>,
        games: u64,
        seed: u64,
        progress: &Progress,
    ) -> Option<RatedPool> {
        let mut shares = vec![vec![0.5; players.len()]; players.len()];
        for (i, (_, first)) in players.iter().enumerate() {
            for (j, (_, second)) in players.iter().enumerate().skip(i + 1) {
                let share = share(first, second, games, seed, progress)?;
                (shares[i][j], shares[j][i]) = (share, 1.0 - share);
            }
        }
        let ratings = ratings(&shares);
        let members = players.into_iter().zip(ratings);
        Some(RatedPool(
            members.map(|((name, engine), rating)| PoolMember { name, engine, rating }).collect(),
        ))
    }

    /// Rates `engine` by `games` matches against each player of the pool, as the pool was rated.
    /// `None` if it was stopped.
    #[must_use]
    pub fn rating_of(
        &self,
        engine: &Engine,
        games: u64,
        seed: u64,
        progress: &Progress,
    ) -> Option<f64> {
        let share = |member: &PoolMember| share(engine, &member.engine, games, seed, progress);
        let shares = self.0.iter().map(share).collect::<Option<Vec<f64>>>()?;
        let others: Vec<f64> = self.0.iter().map(|member| member.rating).collect();
        let mut rating = POOL_MEAN;
        (0..ROUNDS).for_each(|_| rating += step(rating, &others, &shares));
        Some(rating)
    }

    /// The players, in the order in which they came.
    #[must_use]
    pub fn members(&self) -> &[PoolMember] {
        &self.0
    }
}

/// The share of matches of one point that the first player wins, with one more won and one more
/// lost.
fn share(
    first: &Engine,
    second: &Engine,
    games: u64,
    seed: u64,
    progress: &Progress,
) -> Option<f64> {
    let rules = SeriesRules::Match(1.try_into().expect("a length in the table"));
    let config = SeriesConfig { rules, ..SeriesConfig::new(games, seed) };
    let [first, second] = [first, second].map(Engine::player);
    let series = play_series(first.as_ref(), second.as_ref(), &config, &progress.part()).ok()?;
    let matches = series.matches.expect("a series of matches counts them");
    Some((matches.won as f64 + 1.0) / (matches.played as f64 + 2.0))
}

/// Steps towards the greatest likelihood; each shrinks what is left by a factor.
const ROUNDS: usize = 10_000;

/// A step of Newton's method towards the rating at which the formula expects these shares of many
/// matches against players with the ratings `others`.
fn step(rating: f64, others: &[f64], shares: &[f64]) -> f64 {
    /// The derivative of the log odds by the rating.
    const SLOPE: f64 = std::f64::consts::LN_10 / 2000.0;
    /// A step beyond this many points would leave the range in which the slope tells anything.
    const LONGEST: f64 = 200.0;
    let (mut surplus, mut slope) = (0.0, 0.0);
    for (other, share) in others.iter().zip(shares) {
        let expected = chance(rating, *other, 1);
        surplus += share - expected;
        slope += SLOPE * expected * (1.0 - expected);
    }
    if slope > 0.0 { (surplus / slope).clamp(-LONGEST, LONGEST) } else { 0.0 }
}

/// The ratings of greatest likelihood, [`POOL_MEAN`] on average.
///
/// With them the formula expects, as far as ratings can, that player `i` wins the share
/// `shares[i][j]` of many matches against `j`.
fn ratings(shares: &[Vec<f64>]) -> Vec<f64> {
    let mut ratings = vec![POOL_MEAN; shares.len()];
    for _ in 0..ROUNDS {
        for i in 0..ratings.len() {
            let others = |all: &[f64]| [&all[..i], &all[i + 1..]].concat();
            ratings[i] += step(ratings[i], &others(&ratings), &others(&shares[i]));
        }
    }
    let mean = ratings.iter().sum::<f64>() / ratings.len().max(1) as f64;
    ratings.iter().map(|rating| rating - mean + POOL_MEAN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_found_again_from_the_results_that_they_lead_to() {
        let known = [300.0, 1200.0, 1480.0, 1700.0, 2820.0];
        let shares = known.map(|one| known.map(|other| chance(one, other, 1)).to_vec());
        for (found, known) in ratings(&shares).iter().zip(known) {
            assert!((found - known).abs() < 0.01, "{found} {known}");
        }
    }
}
