//! Descriptions of evaluators, from which another machine makes the same ones, and the bytes of a
//! team of nets.

use std::cell::Cell;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_bytes::ByteBuf;

use super::specialists::{Net, QuantizedSpecialists, Specialists};
use super::{Cubeful, Evaluation, Evaluator};
use crate::backgammon::Position;
use crate::class::Class;
use crate::features::Encoding;
use crate::nn::{Activations, Mlp, Network, QuantizedMlp, Shape, Weights};
use crate::progress::{Attachments, from_bytes, to_bytes};

/// The nets of a team among the attachments of a task, by number, in the order of the team. Each
/// net is an attachment of its own, so that one that has not changed need not travel again.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamDescription(pub Vec<u32>);

/// The description of an evaluator, from which another machine makes the same evaluator.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EvaluatorDescription {
    /// A team of nets as it learns.
    Team(TeamDescription),
    /// A quantized copy of a team.
    Quantized(TeamDescription),
    /// Bearoff databases before another evaluator.
    Bearoff {
        /// The checksum of the databases.
        checksum: u32,
        /// The other evaluator.
        #[serde(deserialize_with = "nested")]
        inner: Box<EvaluatorDescription>,
    },
    /// A search.
    Search {
        /// Its depth in plies, 1..=4.
        plies: u8,
        /// Its width, as the search itself writes it.
        settings: String,
        /// The evaluator of the leaves.
        #[serde(deserialize_with = "nested")]
        inner: Box<EvaluatorDescription>,
    },
}

/// Evaluators within evaluators in a message: a search over databases over nets has two. Each is a
/// call within a call, and a message has room for more than the stack has.
const MOST_NESTED: usize = 16;

thread_local! {
    /// How many descriptions are being read around the next one.
    static NESTED: Cell<usize> = const { Cell::new(0) };
}

/// Reads the description of an inner evaluator.
fn nested<'de, D: Deserializer<'de>>(from: D) -> Result<Box<EvaluatorDescription>, D::Error> {
    let around = NESTED.get();
    if around >= MOST_NESTED {
        return Err(D::Error::custom(format!("more than {MOST_NESTED} nested evaluators")));
    }
    NESTED.set(around + 1);
    let inner = Box::<EvaluatorDescription>::deserialize(from);
    NESTED.set(around);
    inner
}

/// The bytes of each net of a team.
type Messages = Vec<Arc<[u8]>>;

/// The form of a net in messages.
#[derive(Serialize, Deserialize)]
struct NetForm {
    name: String,
    classes: Vec<Class>,
    encoding: String,
    activations: Activations,
    shape: Shape,
    all_outcomes: bool,
    /// Weights and biases in the order of [`Weights::values`], then the sensitivities; each an
    /// `f32`, its lowest byte first.
    values: ByteBuf,
}

impl<N: Network> Specialists<N> {
    /// The bytes of each net of this team in messages: every bit of every weight. `None` for a
    /// quantized team, which is made of another, and for one with inputs that other programs do not
    /// have.
    #[must_use]
    pub fn to_messages(&self) -> Option<Vec<Arc<[u8]>>> {
        let message = |(place, net): (usize, &Net<N>)| {
            let dense = net.mlp.dense()?;
            let form = NetForm {
                name: net.name.clone(),
                classes: self.classes_of(place).collect(),
                encoding: net.encoding.built_in()?.slug().to_owned(),
                activations: dense.activations,
                shape: net.mlp.shape(),
                all_outcomes: net.all_outcomes,
                values: ByteBuf::from(bytes_of(&dense)),
            };
            Some(Arc::from(to_bytes(&form)))
        };
        self.nets().iter().enumerate().map(message).collect()
    }

    /// Adds this team to what a task needs elsewhere, or `None` as [`Specialists::to_messages`]
    /// does.
    pub fn attach(&self, attachments: &mut Attachments) -> Option<TeamDescription> {
        Some(attach(&self.to_messages()?, attachments))
    }
}

fn bytes_of(net: &Weights) -> Vec<u8> {
    let beta = net.beta.as_slice().expect("a vector lies in one piece");
    let values: Vec<f32> = [&net.slices()[..], &[beta]].concat().concat();
    let mut bytes = vec![0; 4 * values.len()];
    for (bytes, value) in bytes.as_chunks_mut().0.iter_mut().zip(&values) {
        *bytes = value.to_le_bytes();
    }
    bytes
}

fn attach(nets: &[Arc<[u8]>], attachments: &mut Attachments) -> TeamDescription {
    TeamDescription(nets.iter().map(|net| attachments.add(net)).collect())
}

impl Specialists {
    /// The team of the nets that these bytes stand for.
    ///
    /// # Errors
    /// The error in the messages.
    pub fn from_messages(nets: &[Arc<[u8]>]) -> Result<Specialists, String> {
        let net = |bytes: &Arc<[u8]>| -> Result<_, String> {
            let NetForm { name, classes, encoding, activations, shape, all_outcomes, values } =
                from_bytes(bytes).map_err(|error| error.to_string())?;
            let encoding = Encoding::from_slug(&encoding)
                .ok_or_else(|| format!("the net '{name}' has an unknown encoding '{encoding}'"))?;
            let fits = shape.inputs == encoding.inputs() && shape.is_possible();
            let unfit = || format!("the weights of the net '{name}' do not fit its shape");
            let (values, rest) = values.as_chunks::<4>();
            if !fits || values.len() != shape.weights() + shape.hidden || !rest.is_empty() {
                return Err(unfit());
            }
            let mut values = values.iter().map(|&bytes| f32::from_le_bytes(bytes));
            let mut dense =
                Weights::from_values(shape, activations, &mut values).ok_or_else(unfit)?;
            for beta in &mut dense.beta {
                *beta = values.next().ok_or_else(unfit)?;
            }
            let encoding = encoding.into();
            Ok((Net { name, encoding, mlp: Mlp::from_weights(&dense), all_outcomes }, classes))
        };
        let members = nets.iter().map(net).collect::<Result<Vec<_>, String>>()?;
        Specialists::new(members).map_err(|error| error.to_string())
    }
}

/// A quantized team that knows the team it was made from, so that another machine can make it, too.
#[derive(Clone)]
pub struct PlayingTeam {
    team: Arc<Specialists>,
    quantized: Arc<QuantizedSpecialists>,
    /// The bytes of the team's nets, once they were asked for.
    messages: Arc<OnceLock<Option<Messages>>>,
}

impl PlayingTeam {
    /// A quantized copy of this team.
    #[must_use]
    pub fn new(team: Arc<Specialists>) -> PlayingTeam {
        let quantized = Arc::new(team.quantized());
        PlayingTeam { team, quantized, messages: Arc::default() }
    }

    /// The team that the quantized nets were made from.
    #[must_use]
    pub const fn specialists(&self) -> &Arc<Specialists> {
        &self.team
    }

    /// The quantized nets in order.
    #[must_use]
    pub fn nets(&self) -> &[Net<QuantizedMlp>] {
        self.quantized.nets()
    }

    /// The index in [`PlayingTeam::nets`] of the net that evaluates `class`.
    #[must_use]
    pub fn net_of(&self, class: Class) -> usize {
        self.quantized.net_of(class)
    }
}

impl fmt::Debug for PlayingTeam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayingTeam({} nets)", self.team.nets().len())
    }
}

impl Evaluator for PlayingTeam {
    fn evaluate(&self, position: &Position) -> Evaluation {
        self.quantized.evaluate(position)
    }

    fn evaluate_batch(&self, positions: &[Position], out: &mut [Evaluation]) {
        self.quantized.evaluate_batch(positions, out);
    }

    fn cubeful(&self, position: &Position) -> Option<Cubeful> {
        self.quantized.cubeful(position)
    }

    fn solved_cubeful(&self, position: &Position) -> Option<Cubeful> {
        self.quantized.solved_cubeful(position)
    }

    fn all_outcomes(&self) -> bool {
        self.quantized.all_outcomes()
    }

    fn applies_rules(&self) -> bool {
        self.quantized.applies_rules()
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<EvaluatorDescription> {
        let nets = self.messages.get_or_init(|| self.team.to_messages()).as_ref()?;
        Some(EvaluatorDescription::Quantized(attach(nets, attachments)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Architecture;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    #[test]
    fn every_architecture_survives_a_message_bit_for_bit() {
        for architecture in Architecture::ALL {
            let team = Specialists::random(architecture, &mut Pcg64::seed_from_u64(5));
            assert_eq!(Specialists::from_messages(&team.to_messages().expect("whole")), Ok(team));
        }
    }

    #[test]
    fn a_message_with_other_weights_than_its_shape_needs_is_refused() {
        let team = Specialists::random(&Architecture::ALL[0], &mut Pcg64::seed_from_u64(5));
        let mut nets = team.to_messages().expect("whole");
        let mut form: NetForm = from_bytes(&nets[2]).expect("whole");
        let kept = form.values.len() - 4;
        form.values.truncate(kept);
        nets[2] = Arc::from(to_bytes(&form));
        let error = Specialists::from_messages(&nets).expect_err("refused");
        assert!(error.contains("do not fit its shape"), "{error}");
        assert!(Specialists::from_messages(&nets[..2]).is_err_and(|e| e.contains("no net")));
    }

    #[test]
    fn evaluators_in_a_message_are_not_nested_without_end() {
        let searches = |number: usize| {
            let nets = EvaluatorDescription::Team(TeamDescription(vec![0]));
            (0..number).fold(nets, |inner, _| {
                let (plies, settings, inner) = (1, String::new(), Box::new(inner));
                EvaluatorDescription::Search { plies, settings, inner }
            })
        };
        let read = |bytes: &[u8]| from_bytes::<EvaluatorDescription>(bytes);
        let most = searches(MOST_NESTED);
        assert!(read(&to_bytes(&searches(MOST_NESTED + 1))).is_err());
        assert_eq!(read(&to_bytes(&most)), Ok(most), "also after one that was refused");
        // Databases before databases, a million bytes of them.
        let inner = Box::new(searches(0));
        let bytes = to_bytes(&EvaluatorDescription::Bearoff { checksum: 0, inner });
        let endless = bytes[..2].repeat(500_000);
        assert!(read(&endless).is_err_and(|error| error.to_string().contains("nested")));
    }

    #[test]
    fn a_playing_team_is_attached_once_however_often_it_is_described() {
        let team = Specialists::random(&Architecture::ALL[0], &mut Pcg64::seed_from_u64(5));
        let team_size = team.nets().len() as u32;
        let playing = PlayingTeam::new(Arc::new(team));
        let mut attachments = Attachments::default();
        let both = [(); 2].map(|()| playing.describe(&mut attachments));
        let numbers = (0..team_size).collect();
        let expected = Some(EvaluatorDescription::Quantized(TeamDescription(numbers)));
        assert_eq!(both, [expected.clone(), expected]);
        assert_eq!(attachments.pieces().len(), team_size as usize);
        assert_eq!(playing.quantized.describe(&mut attachments), None, "a lossy copy");
    }
}
