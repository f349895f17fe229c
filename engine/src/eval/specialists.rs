//! The team of nets: each position is evaluated by the net of its class.

use std::slice;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use super::batch;
use super::{Architecture, Evaluator, EvaluatorDescription};
use crate::backgammon::Position;
use crate::class::{ByClass, Class};
use crate::eval::{Evaluation, HEADS};
use crate::features::{ByEncoding, Encoding, NetEncoding, SparseInputs};
use crate::nn::{
    Activation, Activations, ForwardCache, MAX_HIDDEN, Mlp, Network, OutputActivation, Outputs,
    QuantizedMlp, Shape, Weights,
};
use crate::progress::Attachments;

/// One net of a team, for training ([`Mlp`]) or for play ([`QuantizedMlp`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Net<N = Mlp> {
    /// Its name within the team.
    pub name: String,
    /// The inputs it reads.
    pub encoding: NetEncoding,
    /// Its weights.
    pub mlp: N,
    /// Whether its evaluations may have outcomes that the rules exclude: see
    /// [`Specialists::with_all_outcomes`].
    pub all_outcomes: bool,
}

impl Net {
    /// An untrained net: weights uniform in -0.1..=0.1. `hidden` are the units of its first and
    /// second hidden layer; 0 stands for no such layer.
    ///
    /// # Errors
    /// [`TeamError::Shape`] if there are no nets of this size.
    pub fn random(
        name: &str,
        encoding: impl Into<NetEncoding>,
        hidden: [usize; 2],
        units: Activations,
        rng: &mut impl Rng,
    ) -> Result<Net, TeamError> {
        let (name, encoding) = (name.to_owned(), encoding.into());
        let [hidden, second] = hidden;
        let shape = Shape { inputs: encoding.inputs(), hidden, second, outputs: HEADS };
        if !shape.is_possible() {
            let (encoding, expected) = (encoding.slug(), shape.inputs);
            return Err(TeamError::Shape { name, shape, encoding, expected });
        }
        let mlp = Mlp::from_weights(&Weights::random(shape, units, rng));
        Ok(Net { name, encoding, mlp, all_outcomes: false })
    }
}

impl<N: Network> Net<N> {
    /// Evaluates an unfinished position alone.
    #[inline(never)]
    pub(super) fn evaluate_alone(
        &self,
        position: &Position,
        inputs: &mut SparseInputs,
        cache: &mut ForwardCache,
    ) -> Evaluation {
        self.encoding.encode(position, inputs);
        let value = self.evaluation(&self.mlp.forward(inputs.indices(), inputs.values(), cache));
        if self.all_outcomes { value } else { value.within(position.possible_outcomes()) }
    }

    /// Whether the average result is computed from the six outcomes instead of read from its own
    /// output.
    ///
    /// It is computed so in positions without contact, if the outcomes are a softmax. In races a
    /// single pip can change the result. Softmax outputs follow such steps, a linear output does
    /// not. Against exact bearoff values the softmax had an error of 0.017 points (root mean
    /// square), the linear output one of 0.042. With contact both are equally good, and their mean
    /// is better than either.
    #[inline(always)]
    #[must_use]
    pub fn reads_outcomes_alone(&self) -> bool {
        let softmax = self.mlp.activations().output == OutputActivation::SoftmaxFrom(1);
        softmax && !self.encoding.contact()
    }

    /// Decodes the outputs of this net into an evaluation, which may have chances that the rules
    /// exclude: learning needs to see these errors.
    #[inline(always)]
    #[must_use]
    pub fn evaluation(&self, outputs: &Outputs) -> Evaluation {
        let [a, b, c, d, e, f, g, _] = *outputs;
        let mut value = Evaluation::from_heads(&[a, b, c, d, e, f, g]);
        if self.reads_outcomes_alone() {
            value.average = value.outcome_equity();
        }
        value
    }
}

/// A team of nets, and which of them evaluates each class.
///
/// `Specialists` itself is trained and stored in files; [`QuantizedSpecialists`] is a copy for
/// play.
///
/// A team of any shape, here one net for contact and one for races:
/// ```
/// use nonet_engine::class::Class;
/// use nonet_engine::eval::{Net, Specialists};
/// use nonet_engine::features::Encoding;
/// use nonet_engine::game::{StreamPurpose, stream};
/// use nonet_engine::nn::{Activations, OutputActivation};
///
/// let units = Activations { output: OutputActivation::SoftmaxFrom(1), ..Activations::default() };
/// let mut rng = stream(1, StreamPurpose::Weights, 0);
/// let contact = Net::random("contact", Encoding::Contact, [64, 0], units, &mut rng)?;
/// let race = Net::random("race", Encoding::Race, [24, 0], units, &mut rng)?;
/// let (contacts, races) = Class::all().partition(|class| class.spec().encoding.contact());
/// let team = Specialists::new(vec![(contact, contacts), (race, races)])?;
/// assert_eq!(team.nets().len(), 2);
/// # Ok::<(), nonet_engine::eval::TeamError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Specialists<N = Mlp> {
    pub(super) nets: Vec<Net<N>>,
    pub(super) by_class: ByClass<usize>,
}

/// A team for play, made by [`Specialists::quantized`]: faster than the team that it was made from,
/// and not trainable.
pub type QuantizedSpecialists = Specialists<QuantizedMlp>;

/// Why nets do not form a team.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TeamError {
    /// No net serves a class.
    #[error("no net serves the class '{0}'")]
    Missing(&'static str),
    /// Two nets serve the same class.
    #[error("the nets '{1}' and '{2}' both serve the class '{0}'")]
    Twice(&'static str, String, String),
    /// The size of a net does not fit its encoding or the seven heads.
    #[error(
        "the net '{name}' is {shape}, but {encoding} needs {expected} inputs, at most {MAX_HIDDEN} hidden units and {HEADS} \
         outputs"
    )]
    Shape {
        /// Its name.
        name: String,
        /// Its size.
        shape: Shape,
        /// Its encoding.
        encoding: &'static str,
        /// The number of inputs of that encoding.
        expected: usize,
    },
    /// The inputs of a net that are a program's own cannot be used.
    #[error(
        "the net '{name}' cannot read the inputs '{encoding}': expected a name of no built-in encoding, 1 to {} inputs, and \
         as many in their layout; they say {expected}, their layout lists {listed}",
        SparseInputs::MOST_INPUTS
    )]
    Inputs {
        /// The net's name.
        name: String,
        /// The name of its inputs.
        encoding: &'static str,
        /// The number of inputs that they say they have.
        expected: usize,
        /// The number of inputs that their layout lists.
        listed: usize,
    },
}

impl<N: Network> Specialists<N> {
    /// Makes a team of nets, each with the classes that it serves.
    ///
    /// # Errors
    /// [`TeamError`] if no net or more than one serves a class, or a net has the wrong size.
    pub fn new(members: Vec<(Net<N>, Vec<Class>)>) -> Result<Specialists<N>, TeamError> {
        let mut owner: ByClass<Option<usize>> = ByClass::default();
        for (i, (net, classes)) in members.iter().enumerate() {
            let shape = net.mlp.shape();
            let expected = net.encoding.inputs();
            let (name, encoding) = (net.name.clone(), net.encoding.slug());
            if shape.inputs != expected || shape.outputs != HEADS {
                return Err(TeamError::Shape { name, shape, encoding, expected });
            }
            if let NetEncoding::Own(inputs) = net.encoding {
                let listed = inputs.layout().len();
                let possible = (1..=SparseInputs::MOST_INPUTS).contains(&expected);
                if !possible || listed != expected || Encoding::from_slug(encoding).is_some() {
                    return Err(TeamError::Inputs { name, encoding, expected, listed });
                }
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
        let mut missing = None;
        let by_class = ByClass::new(|class| {
            owner[class].unwrap_or_else(|| {
                missing.get_or_insert(class);
                0
            })
        });
        match missing {
            Some(class) => Err(TeamError::Missing(class.slug())),
            None => Ok(Specialists {
                nets: members.into_iter().map(|(net, _)| net).collect(),
                by_class,
            }),
        }
    }

    /// The nets in order.
    #[must_use]
    pub fn nets(&self) -> &[Net<N>] {
        &self.nets
    }

    /// The index in [`Specialists::nets`] of the net that evaluates `class`.
    #[must_use]
    pub fn net_of(&self, class: Class) -> usize {
        self.by_class[class]
    }

    /// The classes that the net at index `place` evaluates.
    pub fn classes_of(&self, place: usize) -> impl Iterator<Item = Class> + '_ {
        self.by_class.iter().filter(move |(_, owner)| **owner == place).map(|(class, _)| class)
    }

    /// The first difference to `other` in the number, names, encodings, sizes, activations or
    /// classes of the nets, as text for an error message; `None` if at most the weights differ.
    #[must_use]
    pub fn difference_in_layout(&self, other: &Specialists<N>) -> Option<String> {
        let (own, others) = (self.nets.len(), other.nets.len());
        if own != others {
            return Some(format!("{own} nets, expected {others}"));
        }
        let describe = |team: &Specialists<N>, place: usize| {
            let Net { name, encoding, mlp, .. } = &team.nets[place];
            let shape = mlp.shape();
            let Activations { hidden: activation, output } = mlp.activations();
            let classes: Vec<&str> = team.classes_of(place).map(Class::slug).collect();
            format!(
                "the net '{name}' for {} ({}, {shape}, {}, {output})",
                classes.join(" "),
                encoding.slug(),
                activation.slug(),
            )
        };
        let pairs = (0..own).map(|place| (describe(self, place), describe(other, place)));
        let different = pairs.into_iter().find(|(own, other)| own != other);
        different.map(|(own, other)| format!("{own}, expected {other}"))
    }

    /// The number of weights and biases of all nets together.
    #[must_use]
    pub fn weights(&self) -> usize {
        self.nets.iter().map(|net| net.mlp.shape().weights()).sum()
    }
}

impl Specialists {
    /// An untrained team: weights uniform in -0.1..=0.1.
    ///
    /// # Panics
    /// If the hidden layers of the architecture are none of a net: see [`Shape::is_possible`].
    pub fn random(architecture: &Architecture, rng: &mut impl Rng) -> Specialists {
        let mut nets: Vec<Net> = Vec::new();
        let by_class = ByClass::new(|class| {
            let name = architecture.net_of(class);
            nets.iter().position(|net| net.name == name).unwrap_or_else(|| {
                let encoding = architecture.encoding_of(class);
                let shape = Shape {
                    inputs: encoding.inputs(),
                    hidden: architecture.hidden(encoding),
                    second: architecture.second(encoding),
                    outputs: HEADS,
                };
                let mut weights = Weights::random(shape, architecture.units, rng);
                if let Some(reads) = architecture.inputs.mask(encoding) {
                    let rows = weights.w1.outer_iter_mut().zip(reads);
                    rows.filter(|(_, is_read)| !**is_read).for_each(|(mut row, _)| row.fill(0.0));
                }
                let mlp = Mlp::from_weights(&weights);
                let (name, encoding) = (name.to_owned(), encoding.into());
                nets.push(Net { name, encoding, mlp, all_outcomes: false });
                nets.len() - 1
            })
        });
        Specialists { nets, by_class }
    }

    /// An untrained team of one net for all positions, with one hidden layer of sigmoid units and
    /// the outcomes as a softmax. For more nets, or other layers, see [`Net::random`] and
    /// [`Specialists::new`].
    ///
    /// # Errors
    /// [`TeamError`] if there are too many hidden units, or inputs of one's own that cannot be
    /// used.
    pub fn single(
        encoding: impl Into<NetEncoding>,
        hidden: usize,
        seed: u64,
    ) -> Result<Specialists, TeamError> {
        let units =
            Activations { hidden: Activation::Sigmoid, output: OutputActivation::SoftmaxFrom(1) };
        let mut rng = Pcg64::seed_from_u64(seed);
        let net = Net::random("all", encoding, [hidden, 0], units, &mut rng)?;
        Specialists::new(vec![(net, Class::all().collect())])
    }

    /// The same team with every weight and bias, but not the sensitivities of hidden units,
    /// multiplied by a factor.
    #[must_use]
    pub fn scaled(&self, factor: f32) -> Specialists {
        let mut scaled = self.clone();
        for net in &mut scaled.nets {
            let mut weights = net.mlp.to_weights();
            for matrix in [&mut weights.w1, &mut weights.w_second, &mut weights.w2] {
                *matrix *= factor;
            }
            for biases in [&mut weights.b1, &mut weights.b_second, &mut weights.b2] {
                *biases *= factor;
            }
            net.mlp = Mlp::from_weights(&weights);
        }
        scaled
    }

    /// The same team with this sensitivity (the papers' beta) in all units of the first layers.
    #[must_use]
    pub fn with_sensitivities(&self, beta: f32) -> Specialists {
        let mut changed = self.clone();
        for net in &mut changed.nets {
            let mut weights = net.mlp.to_weights();
            weights.beta.fill(beta);
            net.mlp = Mlp::from_weights(&weights);
        }
        changed
    }

    /// The same team with weights and biases of 0 at its outcome outputs: with linear outputs, the
    /// average alone says something.
    #[must_use]
    pub fn without_outcomes(&self) -> Specialists {
        let mut changed = self.clone();
        for net in &mut changed.nets {
            let mut weights = net.mlp.to_weights();
            let hidden = net.mlp.shape().hidden > 0;
            let last = if hidden { &mut weights.w2 } else { &mut weights.w1 };
            last.columns_mut().into_iter().skip(1).for_each(|mut outcome| outcome.fill(0.0));
            weights.b2.iter_mut().skip(1).for_each(|bias| *bias = 0.0);
            net.mlp = Mlp::from_weights(&weights);
        }
        changed
    }

    /// The same team with wider nets: each gets at least the hidden units given for its encoding,
    /// at most [`MAX_HIDDEN`]. It evaluates positions as before (see [`Weights::widened`]). Nets
    /// with a program's own inputs keep their width.
    #[must_use]
    pub fn widened(&self, hidden: &ByEncoding<usize>, rng: &mut impl Rng) -> Specialists {
        let mut wide = self.clone();
        for net in &mut wide.nets {
            let hidden = net.encoding.built_in().map_or(0, |encoding| hidden[encoding]);
            let hidden = hidden.min(MAX_HIDDEN);
            net.mlp = Mlp::from_weights(&net.mlp.to_weights().widened(hidden, rng));
        }
        wide
    }

    /// The same team with a net for each class: classes that share a net each get a copy of it. It
    /// evaluates positions as before.
    #[must_use]
    pub fn specialized(&self) -> Specialists {
        let of = |class: Class| self.nets[self.by_class[class]].clone();
        let nets = Class::all().map(|class| Net { name: class.slug().to_owned(), ..of(class) });
        let mut places = 0..;
        let by_class = ByClass::new(|_| places.next().expect("they do not end"));
        Specialists { nets: nets.collect(), by_class }
    }

    /// The same team, taken at its word: its evaluations may have outcomes that the rules exclude.
    /// The papers' programs learn and play so; for anything else such evaluations are worse.
    #[must_use]
    pub fn with_all_outcomes(mut self) -> Specialists {
        for net in &mut self.nets {
            net.all_outcomes = true;
        }
        self
    }

    /// A copy for play (see [`QuantizedMlp`]). All quantized nets are made here.
    #[must_use]
    pub fn quantized(&self) -> QuantizedSpecialists {
        let quantized = |net: &Net| Net {
            name: net.name.clone(),
            encoding: net.encoding,
            mlp: match net.encoding {
                NetEncoding::BuiltIn(_) => QuantizedMlp::from(&net.mlp),
                NetEncoding::Own(_) => QuantizedMlp::unquantized(&net.mlp),
            },
            all_outcomes: net.all_outcomes,
        };
        Specialists { nets: self.nets.iter().map(quantized).collect(), by_class: self.by_class }
    }

    /// The nets in order, to be changed by training.
    pub fn nets_mut(&mut self) -> &mut [Net] {
        &mut self.nets
    }
}

/// Evaluates with teams of each kind of net. An implementation generic over the kind would compile
/// the batch, the largest code of this crate, again in each crate that evaluates.
macro_rules! evaluates {
    ($($net:ty),*) => {$(
        impl Evaluator for Specialists<$net> {
            fn evaluate(&self, position: &Position) -> Evaluation {
                let mut value = Evaluation::ZERO;
                batch::evaluate(self, slice::from_ref(position), slice::from_mut(&mut value));
                value
            }

            fn evaluate_batch(&self, positions: &[Position], out: &mut [Evaluation]) {
                batch::evaluate(self, positions, out);
            }

            fn all_outcomes(&self) -> bool {
                self.nets.iter().any(|net| net.all_outcomes)
            }

            fn applies_rules(&self) -> bool {
                true
            }

            fn describe(&self, attachments: &mut Attachments) -> Option<EvaluatorDescription> {
                Some(EvaluatorDescription::Team(self.attach(attachments)?))
            }
        }
    )*};
}

evaluates!(Mlp, QuantizedMlp);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Dice, Outcome, Results};
    use crate::features::SparseInputs;

    fn team(architecture: &str) -> Specialists {
        Specialists::random(
            &Architecture::named(architecture).expect("known"),
            &mut Pcg64::seed_from_u64(1),
        )
    }

    #[test]
    fn presets_have_the_sizes_of_the_papers_architectures() {
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
    fn softmax_nets_evaluate_races_by_their_outcomes_alone() {
        let race = Position::from_sides(&[(3, 2), (14, 1)], &[(4, 1)]).expect("legal");
        for (name, position, alone) in [
            ("40/64/128", race, true),
            ("40/64/128", Position::START, false),
            ("large", race, false),
        ] {
            let value = team(name).evaluate(&position);
            let same = value.average.to_bits() == value.outcome_equity().to_bits();
            assert_eq!(same, alone, "{name}: {value:?} of\n{position}");
        }
    }

    #[test]
    fn race_and_contact_nets_are_widened_separately() {
        let hidden = ByEncoding::new(|encoding| if encoding.contact() { 0 } else { 24 });
        let wide = team("large").widened(&hidden, &mut Pcg64::seed_from_u64(2));
        let hidden: Vec<usize> = wide.nets().iter().map(|net| net.mlp.shape().hidden).collect();
        assert_eq!(hidden, [24, 24, 40, 40, 40, 40, 40, 40, 40]);
        let race = Position::from_sides(&[(3, 2), (14, 1)], &[(4, 1)]).expect("legal");
        assert_eq!(wide.evaluate(&race), team("large").evaluate(&race));
    }

    #[test]
    fn a_finished_game_is_evaluated_exactly() {
        let lost = Position::from_sides(&[(24, 15)], &[]).expect("legal");
        assert_eq!(team("large").evaluate(&lost), Evaluation::of_outcome(Outcome::LoseBackgammon));
        assert_eq!(
            team("large").evaluate(&lost.flipped()),
            Evaluation::of_outcome(Outcome::WinBackgammon)
        );
    }

    #[test]
    fn a_batch_gives_the_same_evaluations_as_single_positions() {
        assert_batch_equals_single_evaluations(&team("large"));
        assert_batch_equals_single_evaluations(&team("40/64/128").quantized());
        assert_batch_equals_single_evaluations(&team("128-16/128-16/256-32"));
        assert_batch_equals_single_evaluations(&team("128-16/128-16/256-32").quantized());
    }

    fn assert_batch_equals_single_evaluations(team: &dyn Evaluator) {
        // The start twice, hits and no hits, contact and races, finished games: some neighbours can
        // share an accumulator.
        let mut positions = vec![Position::START; 2];
        let (mut results, mut at) = (Results::default(), Position::START);
        for turn in 0..400 {
            let found = results.of(&at, Dice::ALL[turn * 8 % 21]);
            positions.extend(found);
            at = found[turn * 5 % found.len()];
            at = if at.outcome().is_some() { Position::START } else { at };
        }
        let mut out = vec![Evaluation::ZERO; 9];
        team.evaluate_into(&positions, &mut out);
        assert_eq!(out.len(), positions.len());
        for (position, value) in positions.iter().zip(&out) {
            assert_eq!(*value, team.evaluate(position));
        }
    }

    #[test]
    fn the_simd_evaluation_agrees_with_plain_matrices() {
        let large = team("large");
        let net = &large.nets()[large.net_of(Class::Default)];
        let mut inputs = SparseInputs::default();
        net.encoding.encode(&Position::START, &mut inputs);
        let slow =
            net.mlp.to_weights().forward(ndarray::aview1(&inputs.dense(net.encoding.inputs())));
        let fast = large.evaluate(&Position::START).heads();
        assert!(
            fast.iter().zip(&slow).all(|(a, b)| (f64::from(*a) - b).abs() < 1e-5),
            "{fast:?} {slow:?}"
        );
    }

    #[test]
    fn a_specialized_team_has_nine_nets_and_evaluates_as_before() {
        let shared = team("small");
        let own = shared.specialized();
        assert_eq!((shared.nets().len(), own.nets().len()), (3, 9));
        let found = own.architecture(crate::eval::InputChoice::All).expect("a shape");
        assert_eq!(found.to_string(), "large");
        assert_eq!(own.evaluate(&Position::START), shared.evaluate(&Position::START));
        assert_eq!(own.specialized(), own);
    }

    #[test]
    fn the_error_for_a_class_without_a_net_names_the_class() {
        let net = team("small").nets()[2].clone();
        let refused = Specialists::new(vec![(net, vec![Class::Default])]);
        assert_eq!(refused, Err(TeamError::Missing("endgame")));
    }
}
