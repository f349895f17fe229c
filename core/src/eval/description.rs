//! Descriptions of evaluators, from which another machine makes the same ones, and the bytes of a team of nets.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::specialists::{Net, QuantizedSpecialists, Specialists};
use super::{Cubeful, Evaluation, Evaluator};
use crate::backgammon::Position;
use crate::class::Class;
use crate::features::Encoding;
use crate::nn::{Activations, MAX_HIDDEN, MAX_OUTPUTS, Mlp, Network, QuantizedMlp, Shape, Weights};
use crate::progress::{Attachments, from_bytes, to_bytes};

/// What another machine needs to make the same evaluator. Nets are attachments, named by their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EvaluatorDescription {
    /// A team of nets as it learns.
    Team(u32),
    /// A quantized copy of a team.
    Quantized(u32),
    /// Bearoff databases before another evaluator.
    Bearoff {
        /// The checksum of the databases.
        checksum: u32,
        /// The other evaluator.
        inner: Box<EvaluatorDescription>,
    },
    /// A search.
    Search {
        /// Its depth in plies, 1..=4.
        plies: u8,
        /// Its width, as the search itself writes it.
        settings: String,
        /// The evaluator of the leaves.
        inner: Box<EvaluatorDescription>,
    },
}

/// The form of a net in messages.
#[derive(Serialize, Deserialize)]
struct NetForm {
    name: String,
    classes: Vec<Class>,
    encoding: String,
    activations: Activations,
    shape: Shape,
    /// Weights and biases in the order of [`Weights::values`], then the sensitivities.
    values: Vec<f32>,
}

impl<N: Network> Specialists<N> {
    /// The bytes of this team in messages: every bit of every weight. `None` for a quantized team, which is made of another.
    #[must_use]
    pub fn to_message(&self) -> Option<Vec<u8>> {
        let form = |(place, net): (usize, &Net<N>)| {
            let dense = net.mlp.dense()?;
            Some(NetForm {
                name: net.name.clone(),
                classes: self.classes_of(place).collect(),
                encoding: net.encoding.slug().to_owned(),
                activations: dense.activations,
                shape: net.mlp.shape(),
                values: dense.values().chain(dense.beta.iter().copied()).collect(),
            })
        };
        let forms: Option<Vec<NetForm>> = self.nets().iter().enumerate().map(form).collect();
        Some(to_bytes(&forms?))
    }

    /// Adds this team to what a task needs elsewhere; its number, or `None` for a quantized team.
    pub fn attach(&self, attachments: &mut Attachments) -> Option<u32> {
        Some(attachments.add(&Arc::from(self.to_message()?)))
    }
}

impl Specialists {
    /// The team that these bytes stand for.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn from_message(bytes: &[u8]) -> Result<Specialists, String> {
        let forms: Vec<NetForm> = from_bytes(bytes).map_err(|error| error.to_string())?;
        let net = |form: NetForm| -> Result<_, String> {
            let NetForm { name, classes, encoding, activations, shape, values } = form;
            let encoding = Encoding::from_slug(&encoding)
                .ok_or_else(|| format!("the net '{name}' has an unknown encoding '{encoding}'"))?;
            let fits = shape.inputs == encoding.inputs()
                && shape.hidden <= MAX_HIDDEN
                && shape.outputs <= MAX_OUTPUTS;
            let unfit = || format!("the weights of the net '{name}' do not fit its shape");
            if !fits || values.len() != shape.weights() + shape.hidden {
                return Err(unfit());
            }
            let mut values = values.into_iter();
            let mut dense =
                Weights::from_values(shape, activations, &mut values).ok_or_else(unfit)?;
            for beta in &mut dense.beta {
                *beta = values.next().ok_or_else(unfit)?;
            }
            Ok((Net { name, encoding, mlp: Mlp::from_weights(&dense) }, classes))
        };
        let members = forms.into_iter().map(net).collect::<Result<Vec<_>, String>>()?;
        Specialists::new(members).map_err(|error| error.to_string())
    }
}

/// A quantized team that knows the team it was made from, so that another machine can make it, too.
#[derive(Clone)]
pub struct PlayingTeam {
    team: Arc<Specialists>,
    quantized: Arc<QuantizedSpecialists>,
    /// The bytes of the team, once they were asked for.
    message: Arc<OnceLock<Arc<[u8]>>>,
}

impl PlayingTeam {
    /// A quantized copy of this team.
    #[must_use]
    pub fn new(team: Arc<Specialists>) -> PlayingTeam {
        let quantized = Arc::new(team.quantized());
        PlayingTeam { team, quantized, message: Arc::default() }
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
    fn evaluate_batch(&self, positions: &[Position], out: &mut Vec<Evaluation>) {
        self.quantized.evaluate_batch(positions, out);
    }

    fn cubeful(&self, position: &Position) -> Option<Cubeful> {
        self.quantized.cubeful(position)
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<EvaluatorDescription> {
        let message = || self.team.to_message().expect("a team that learns has all its weights");
        let bytes = self.message.get_or_init(|| Arc::from(message()));
        Some(EvaluatorDescription::Quantized(attachments.add(bytes)))
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
            assert_eq!(Specialists::from_message(&team.to_message().expect("whole")), Ok(team));
        }
    }

    #[test]
    fn a_message_with_other_weights_than_its_shape_needs_is_refused() {
        let team = Specialists::random(&Architecture::ALL[0], &mut Pcg64::seed_from_u64(5));
        let mut forms: Vec<NetForm> =
            from_bytes(&team.to_message().expect("whole")).expect("whole");
        forms[2].values.pop();
        let error = Specialists::from_message(&to_bytes(&forms)).expect_err("refused");
        assert!(error.contains("do not fit its shape"), "{error}");
        forms.truncate(2);
        assert!(Specialists::from_message(&to_bytes(&forms)).is_err_and(|e| e.contains("no net")));
    }

    #[test]
    fn a_playing_team_is_attached_once_however_often_it_is_described() {
        let team = Specialists::random(&Architecture::ALL[0], &mut Pcg64::seed_from_u64(5));
        let playing = PlayingTeam::new(Arc::new(team));
        let mut attachments = Attachments::default();
        let both = [(); 2].map(|()| playing.describe(&mut attachments));
        assert_eq!(both, [const { Some(EvaluatorDescription::Quantized(0)) }; 2]);
        assert_eq!(attachments.pieces().len(), 1);
        assert_eq!(playing.quantized.describe(&mut attachments), None, "a lossy copy");
    }
}
