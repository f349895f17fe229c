//! The team of nets: every position goes to the specialist of its class.

use pulp::{Simd, WithSimd};
use rand::Rng;

use super::{Evaluator, Preset};
use crate::backgammon::{Position, View};
use crate::class::{ByClass, Class};
use crate::features::{Encoding, Inputs, Lot};
use crate::net::{Dense, Hidden, MAX_HIDDEN, Mlp, Shape, pairs};
use crate::value::{Evaluation, HEADS};

/// One net of a team.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// Its name within the team.
    pub name: String,
    /// What it reads.
    pub encoding: Encoding,
    /// Its weights.
    pub mlp: Mlp,
}

/// Nets, and which of them judges each class.
#[derive(Clone, Debug, PartialEq)]
pub struct Specialists {
    nets: Vec<Net>,
    by_class: ByClass<usize>,
}

/// Why nets make no team.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TeamError {
    /// Nobody judges a class.
    #[error("no net serves the class '{0}'")]
    Missing(&'static str),
    /// Two nets claim a class.
    #[error("the nets '{1}' and '{2}' both claim the class '{0}'")]
    Twice(&'static str, String, String),
    /// A net whose size does not fit its inputs or the seven heads, or that is too wide.
    #[error(
        "the net '{name}' is {inputs}-{hidden}-{outputs}, but {encoding} needs {wanted} inputs, at most {MAX_HIDDEN} \
         hidden units and {HEADS} outputs"
    )]
    Shape {
        /// Its name.
        name: String,
        /// Its inputs.
        inputs: usize,
        /// Its hidden units.
        hidden: usize,
        /// Its outputs.
        outputs: usize,
        /// Its encoding.
        encoding: &'static str,
        /// The number of inputs of that encoding.
        wanted: usize,
    },
}

impl Specialists {
    /// A team of nets, each with the classes that it serves.
    ///
    /// # Errors
    /// [`TeamError`] when a class is missing or claimed twice, or a net does not fit.
    pub fn new(members: Vec<(Net, Vec<Class>)>) -> Result<Specialists, TeamError> {
        let mut owner: ByClass<Option<usize>> = ByClass::default();
        for (i, (net, classes)) in members.iter().enumerate() {
            let Shape { inputs, hidden, outputs } = net.mlp.shape();
            let wanted = net.encoding.inputs();
            if inputs != wanted || outputs != HEADS {
                let (name, encoding) = (net.name.clone(), net.encoding.slug());
                return Err(TeamError::Shape { name, inputs, hidden, outputs, encoding, wanted });
            }
            for &class in classes {
                if let Some(other) = owner[class].replace(i) {
                    return Err(TeamError::Twice(
                        class.slug(),
                        members[other].0.name.clone(),
                        net.name.clone(),
                    ));
                }
            }
        }
        if let Some((class, _)) = owner.iter().find(|(_, owner)| owner.is_none()) {
            return Err(TeamError::Missing(class.slug()));
        }
        Ok(Specialists {
            nets: members.into_iter().map(|(net, _)| net).collect(),
            by_class: ByClass::new(|class| owner[class].unwrap_or_default()),
        })
    }

    /// An untrained team: the architecture of `preset`, weights uniform in -0.1..0.1.
    pub fn random(preset: &Preset, rng: &mut impl Rng) -> Specialists {
        let mut nets: Vec<Net> = Vec::new();
        let by_class = ByClass::new(|class| {
            let name = preset.net_of(class);
            nets.iter().position(|net| net.name == name).unwrap_or_else(|| {
                let encoding = preset.encoding_of(class);
                let shape = Shape {
                    inputs: encoding.inputs(),
                    hidden: preset.hidden(encoding),
                    outputs: HEADS,
                };
                let mlp = Mlp::from_dense(&Dense::random(shape, rng));
                nets.push(Net { name: name.to_owned(), encoding, mlp });
                nets.len() - 1
            })
        });
        Specialists { nets, by_class }
    }

    /// The nets in order.
    #[must_use]
    pub fn nets(&self) -> &[Net] {
        &self.nets
    }

    /// The nets, for learning: each may be changed by itself.
    pub(crate) fn nets_mut(&mut self) -> &mut [Net] {
        &mut self.nets
    }

    /// The place in [`Specialists::nets`] of the net that judges `class`.
    #[must_use]
    pub fn net_of(&self, class: Class) -> usize {
        self.by_class[class]
    }

    /// The classes that the net at `place` judges.
    pub fn classes_of(&self, place: usize) -> impl Iterator<Item = Class> + '_ {
        self.by_class.iter().filter(move |(_, owner)| **owner == place).map(|(class, _)| class)
    }

    /// Weights and biases of all nets together.
    #[must_use]
    pub fn weights(&self) -> usize {
        self.nets.iter().map(|net| net.mlp.shape().weights()).sum()
    }
}

/// One batch, compiled once for each kind of vectors a processor may have.
struct Batch<'a>(&'a Specialists, &'a [Position], &'a mut Vec<Evaluation>);

impl WithSimd for Batch<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Batch(team, positions, out) = self;
        let mut bench = Bench::new(simd, team, out);
        let mut view = View::default();
        // One step more than there are positions, because the code of judging them should stand in one place.
        for position in positions.iter().map(Some).chain([None]) {
            let mut next = None;
            let mut same = false;
            if let Some(position) = position {
                same = view.move_to(position);
                next = (!view.is_finished()).then(#[inline(always)] || bench.net_of(&view));
            }
            if bench.must_judge(next) {
                bench.judge();
            }
            match (next, position) {
                (Some(place), _) => bench.add(place, &view, same),
                (None, Some(finished)) => {
                    let exact = finished.outcome().map_or(Evaluation::ZERO, Evaluation::of_outcome);
                    bench.out.push(exact);
                    bench.known = false;
                }
                (None, None) => {}
            }
        }
    }
}

/// Where positions wait until there are enough of one encoding to judge them together. Results of one roll share the
/// player on roll, unless he was hit, so what he decides alone is summed once for all of them.
struct Bench<'a, S: Simd> {
    simd: S,
    team: &'a Specialists,
    out: &'a mut Vec<Evaluation>,
    lot: Lot<S>,
    encoding: Encoding,
    /// Of each position, its net, and whether the player on roll stands as in the one before.
    waiting: [(usize, bool); 16],
    known: bool,
    /// The net for which `sums` has begun with the checkers of the player on roll.
    begun: Option<usize>,
    sums: Hidden,
    inputs: Inputs,
    half: Hidden,
    hidden: Hidden,
}

impl<'a, S: Simd> Bench<'a, S> {
    #[inline(always)]
    fn new(simd: S, team: &'a Specialists, out: &'a mut Vec<Evaluation>) -> Bench<'a, S> {
        Bench {
            simd,
            team,
            out,
            lot: Lot::new(simd, Encoding::Contact),
            encoding: Encoding::Contact,
            waiting: [(0, false); 16],
            known: false,
            begun: None,
            sums: Hidden::default(),
            inputs: Inputs::default(),
            half: Hidden::default(),
            hidden: Hidden::default(),
        }
    }

    #[inline(always)]
    fn net_of(&self, view: &View) -> usize {
        self.team.by_class[Class::of_view(view)]
    }

    /// Whether those who wait must be judged before the next one, of this net or none, can wait too.
    #[inline(always)]
    fn must_judge(&self, next: Option<usize>) -> bool {
        self.lot.len() == Lot::<S>::SIZE
            || next.is_none_or(#[inline(always)] |place| self.team.nets[place].encoding != self.encoding)
    }

    #[inline(always)]
    fn add(&mut self, place: usize, view: &View, same: bool) {
        let encoding = self.team.nets[place].encoding;
        if encoding != self.encoding {
            self.known = false;
            self.encoding = encoding;
            self.lot.clear(encoding);
        }
        self.waiting[self.lot.len() % 16] = (place, same && self.known);
        self.known = true;
        self.lot.add(view);
    }

    #[inline(always)]
    fn judge(&mut self) {
        let waiting = &self.waiting[..self.lot.len()];
        self.lot.encode(waiting.iter().any(|(_, same)| !same));
        for (lane, &(place, same)) in waiting.iter().enumerate() {
            let mlp = &self.team.nets[place].mlp;
            if !same {
                self.lot.begin(lane, &mut self.inputs);
            }
            if !same || self.begun != Some(place) {
                let (index, value) = self.inputs.begun();
                mlp.begin(self.simd, index, value, &mut self.sums);
                self.begun = Some(place);
            }
            let rest = self.lot.rest(lane, &mut self.inputs);
            let (index, value) = self.inputs.rest();
            mlp.add(self.simd, &self.sums, pairs(index, value), &mut self.half);
            mlp.add(self.simd, &self.half, rest, &mut self.hidden);
            let [a, b, c, d, e, f, g, _] = mlp.finish(self.simd, &mut self.hidden);
            self.out.push(Evaluation::from_heads(&[a, b, c, d, e, f, g]));
        }
        self.lot.clear(self.encoding);
    }
}

impl Evaluator for Specialists {
    fn evaluate_batch(&self, positions: &[Position], out: &mut Vec<Evaluation>) {
        out.clear();
        pulp::Arch::new().dispatch(Batch(self, positions, out));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Dice, Outcome, Results};
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    fn team(preset: &str) -> Specialists {
        Specialists::random(Preset::named(preset).expect("known"), &mut Pcg64::seed_from_u64(1))
    }

    #[test]
    fn presets_are_the_papers_architectures() {
        let large = team("large");
        assert_eq!(large.nets().len(), 9);
        let hidden: Vec<usize> = large.nets().iter().map(|net| net.mlp.shape().hidden).collect();
        assert_eq!(hidden, [20, 20, 40, 40, 40, 40, 40, 40, 40]);
        assert_eq!(team("small").nets().len(), 3);
        assert_eq!(team("hidden80").nets()[2].mlp.shape().hidden, 80);
        assert_eq!(team("single").nets().len(), 1);
        assert!(
            team("single")
                .evaluate(&Position::from_sides(&[(3, 2)], &[(4, 1)]).expect("legal"))
                .average
                .is_finite()
        );
    }

    #[test]
    fn a_finished_game_is_exact_whoever_judges() {
        let lost = Position::from_sides(&[(24, 15)], &[]).expect("legal");
        assert_eq!(team("large").evaluate(&lost), Evaluation::of_outcome(Outcome::LoseBackgammon));
        assert_eq!(
            team("large").evaluate(&lost.flipped()),
            Evaluation::of_outcome(Outcome::WinBackgammon)
        );
    }

    #[test]
    fn a_batch_is_judged_as_its_positions_one_by_one() {
        let large = team("large");
        // Twice the start, hits and no hits, contact and races, finished games: neighbours share much or nothing.
        let mut positions = vec![Position::START; 2];
        let (mut results, mut at) = (Results::default(), Position::START);
        for turn in 0..400 {
            let found = results.of(&at, Dice::ALL[turn * 8 % 21]);
            positions.extend(found);
            at = found[turn * 5 % found.len()];
            at = if at.outcome().is_some() { Position::START } else { at };
        }
        let mut out = vec![Evaluation::ZERO; 9];
        large.evaluate_batch(&positions, &mut out);
        assert_eq!(out.len(), positions.len());
        for (position, value) in positions.iter().zip(&out) {
            assert_eq!(*value, large.evaluate(position));
        }
    }

    #[test]
    fn the_fast_way_agrees_with_plain_matrices() {
        let large = team("large");
        let net = &large.nets()[large.net_of(Class::Default)];
        let mut inputs = Inputs::default();
        net.encoding.encode(&Position::START, &mut inputs);
        let slow =
            net.mlp.to_dense().forward(ndarray::aview1(&inputs.dense(net.encoding.inputs())));
        let fast = large.evaluate(&Position::START).heads();
        assert!(
            fast.iter().zip(&slow).all(|(a, b)| (f64::from(*a) - b).abs() < 1e-5),
            "{fast:?} {slow:?}"
        );
    }

    #[test]
    fn a_team_without_a_class_is_refused_by_name() {
        let net = team("small").nets()[2].clone();
        let refused = Specialists::new(vec![(net, vec![Class::Default])]);
        assert_eq!(refused, Err(TeamError::Missing("endgame")));
    }
}
