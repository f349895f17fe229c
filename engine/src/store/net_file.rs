//! The file format of nets: one file holds a team.
//!
//! The header lists the nets with their classes, encodings and shapes, and how the team was made.
//! The payload is the weights as little-endian f32, net after net, matrices row by row. A net is,
//! in this order:
//!
//! - `w1`: `[inputs, hidden]`.
//! - `b1`.
//! - `w_second`: `[hidden, second]`, only with a second hidden layer.
//! - `b_second`, only with a second hidden layer.
//! - `w2`: `[hidden, outputs]` (or `[second, outputs]`).
//! - `b2`.
//! - `beta`: `[hidden]`, only if the header says that it was learned.

use std::collections::BTreeMap;
use std::path::Path;

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use super::file_container::{Kind, decode, encode};
use super::{StoreError, files, write_atomic};
use crate::class::Class;
use crate::eval::{Architecture, InputChoice, Net, Specialists};
use crate::features::{Inputs, NetEncoding};
use crate::nn::{
    Activation, Activations, MAX_HIDDEN, MAX_OUTPUTS, MAX_SECOND, Mlp, Network, OutputActivation,
    Shape, Weights,
};

/// How a team was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The command that reproduces this team.
    pub command: String,
    /// The seed of its run.
    pub seed: u64,
    /// Games that it learned from.
    pub games: u64,
    /// Which of a run's teams it is: the last weights, or their moving average.
    pub weights: String,
    /// Positions learned from, by class.
    #[serde(default)]
    pub examples: BTreeMap<String, u64>,
    /// The team that training started from, if any.
    pub parent: Option<String>,
    /// The program and version that wrote it.
    pub program: String,
    /// Its score in a match on dice that had no part in choosing it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<MeasuredResult>,
}

/// The result of a match series that measured a team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredResult {
    /// The opponent.
    pub against: String,
    /// Search depth of the team, in plies.
    pub plies: u8,
    /// Games played, on duplicate dice.
    pub games: u64,
    /// Points per game.
    pub ppg: f64,
    /// Its standard error.
    pub stderr: f64,
}

/// A team with its architecture's name and its provenance.
///
/// ```
/// let file = nonet_engine::open::net("small")?;
/// assert_eq!(file.architecture_in_words(), "small");
/// assert_eq!(file.team.nets().len(), 3);
/// # Ok::<(), nonet_engine::open::OpenError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NetFile {
    /// The architecture's name.
    pub preset: String,
    /// How the team was made.
    pub provenance: Provenance,
    /// The team.
    pub team: Specialists,
}

#[derive(Serialize, Deserialize)]
struct Header {
    preset: String,
    provenance: Provenance,
    nets: Vec<NetHeader>,
}

#[derive(Serialize, Deserialize)]
struct NetHeader {
    name: String,
    classes: Vec<String>,
    encoding: String,
    activation: String,
    #[serde(default, skip_serializing_if = "is_default")]
    readout: OutputActivation,
    /// Whether the weights are followed by learned betas (see [`Weights::beta`]).
    #[serde(default, skip_serializing_if = "is_default")]
    sensitivities: bool,
    /// Whether it is taken at its word: see [`Specialists::with_all_outcomes`].
    #[serde(default, skip_serializing_if = "is_default")]
    all_outcomes: bool,
    shape: ShapeHeader,
}

/// A [`Shape`] that names its second hidden layer only if there is one: the form that files had
/// before there were any.
#[derive(Serialize, Deserialize)]
struct ShapeHeader {
    inputs: usize,
    hidden: usize,
    #[serde(default, skip_serializing_if = "is_default")]
    second: usize,
    outputs: usize,
}

impl From<Shape> for ShapeHeader {
    fn from(Shape { inputs, hidden, second, outputs }: Shape) -> ShapeHeader {
        ShapeHeader { inputs, hidden, second, outputs }
    }
}

impl From<ShapeHeader> for Shape {
    fn from(ShapeHeader { inputs, hidden, second, outputs }: ShapeHeader) -> Shape {
        Shape { inputs, hidden, second, outputs }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The betas of a net if any of them differs from its initial value.
fn learned_betas(dense: &Weights) -> Option<&Array1<f32>> {
    let first = dense.activations.hidden.initial_beta();
    Some(&dense.beta).filter(|beta| beta.iter().any(|&b| b != first))
}

impl NetFile {
    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let team = &self.team;
        let dense: Vec<Weights> = team.nets().iter().map(|net| net.mlp.to_weights()).collect();
        let nets = team.nets().iter().zip(&dense).enumerate().map(|(i, (net, dense))| NetHeader {
            name: net.name.clone(),
            classes: team.classes_of(i).map(|class| class.slug().to_owned()).collect(),
            encoding: net.encoding.slug().to_owned(),
            activation: dense.activations.hidden.slug().to_owned(),
            readout: dense.activations.output,
            sensitivities: learned_betas(dense).is_some(),
            all_outcomes: net.all_outcomes,
            shape: net.mlp.shape().into(),
        });
        let header = Header {
            preset: self.preset.clone(),
            provenance: self.provenance.clone(),
            nets: nets.collect(),
        };
        #[allow(clippy::expect_used, reason = "a bug is the only cause")]
        let header =
            serde_json::to_vec(&header).expect("strings and numbers always have a JSON form");
        let mut payload = Vec::with_capacity(4 * team.weights());
        for dense in &dense {
            let beta = learned_betas(dense).into_iter().flatten().copied();
            payload.extend(dense.values().chain(beta).flat_map(f32::to_le_bytes));
        }
        encode(Kind::Nets, &header, &payload)
    }

    /// Decodes the bytes of a file; `path` appears in the errors.
    ///
    /// # Errors
    /// [`StoreError`] if they are no complete net file, or if an encoding, class, activation or
    /// shape is unknown or does not match.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<NetFile, StoreError> {
        NetFile::from_bytes_with(bytes, path, &[])
    }

    /// The same for nets that may read inputs of one's own.
    ///
    /// # Errors
    /// As [`NetFile::from_bytes`].
    pub fn from_bytes_with(
        bytes: &[u8],
        path: &Path,
        own: &[&'static dyn Inputs],
    ) -> Result<NetFile, StoreError> {
        let (header, payload) = decode(bytes, Kind::Nets, path)?;
        let wrong = |reason: String| StoreError::Header { path: path.to_owned(), reason };
        let header: Header =
            serde_json::from_slice(header).map_err(|error| wrong(error.to_string()))?;
        let mut members = Vec::with_capacity(header.nets.len());
        let (numbers, odd) = payload.as_chunks::<4>();
        let mut values = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes));
        let unfit =
            || wrong("the shapes of the nets do not match the number of weights".to_owned());
        for header in header.nets {
            let NetHeader { name, classes, encoding, activation, readout, .. } = header;
            let (sensitivities, all_outcomes) = (header.sensitivities, header.all_outcomes);
            let shape = Shape::from(header.shape);
            let known = NetEncoding::from_slug(&encoding, own).ok_or_else(|| {
                wrong(format!(
                    "the net '{name}' has an unknown encoding '{encoding}': inputs of a program's own must be given to the \
                     function that reads the file"
                ))
            })?;
            let activation = Activation::named(&activation).ok_or_else(|| {
                wrong(format!("the net '{name}' has an unknown activation '{activation}'"))
            })?;
            if shape.inputs != known.inputs() || !shape.is_possible() {
                return Err(wrong(format!(
                    "the net '{name}' has an invalid shape: expected {} inputs, at most {MAX_HIDDEN} hidden units, at most \
                     {MAX_SECOND} in a second layer, which needs a first one, and at most {MAX_OUTPUTS} outputs",
                    known.inputs()
                )));
            }
            let class = |slug: &String| {
                Class::from_slug(slug)
                    .ok_or_else(|| wrong(format!("the net '{name}' has an unknown class '{slug}'")))
            };
            let classes = classes.iter().map(class).collect::<Result<Vec<Class>, StoreError>>()?;
            let activations = Activations { hidden: activation, output: readout };
            let mut dense =
                Weights::from_values(shape, activations, &mut values).ok_or_else(unfit)?;
            if sensitivities {
                for beta in &mut dense.beta {
                    *beta = values.next().ok_or_else(unfit)?;
                }
            }
            let mlp = Mlp::from_weights(&dense);
            members.push((Net { name, encoding: known, mlp, all_outcomes }, classes));
        }
        if values.next().is_some() || !odd.is_empty() {
            return Err(unfit());
        }
        let team = Specialists::new(members)
            .map_err(|cause| StoreError::Team { path: path.to_owned(), cause })?;
        Ok(NetFile { preset: header.preset, provenance: header.provenance, team })
    }
}

impl NetFile {
    /// The architecture that is there, whatever the file says: nets that were widened have the name
    /// of what they were. `None` if no shape denotes it.
    #[must_use]
    pub fn architecture(&self) -> Option<Architecture> {
        let named = Architecture::named(&self.preset);
        self.team.architecture(named.map_or(InputChoice::All, |named| named.inputs))
    }

    /// The architecture in words, as the file calls it if no shape denotes it.
    #[must_use]
    pub fn architecture_in_words(&self) -> String {
        self.architecture().map_or_else(|| self.preset.clone(), |found| found.to_string())
    }
}

/// Writes a net file atomically.
///
/// ```
/// use nonet_engine::store::{read_net, write_net};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("mine.nonet");
/// let small = nonet_engine::open::net("small")?;
/// write_net(&path, &small)?;
/// assert_eq!(read_net(&path)?, small);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`StoreError::Io`].
pub fn write_net(path: &Path, file: &NetFile) -> Result<(), StoreError> {
    write_atomic(path, &file.to_bytes())
}

/// Reads a net file.
///
/// # Errors
/// [`StoreError`] if the file cannot be read or is no usable net file.
pub fn read_net(path: &Path) -> Result<NetFile, StoreError> {
    read_net_with(path, &[])
}

/// Reads a net file; its nets may have the custom inputs `own`.
///
/// # Errors
/// As [`read_net`]; the error names inputs that the file needs and `own` lacks.
pub fn read_net_with(path: &Path, own: &[&'static dyn Inputs]) -> Result<NetFile, StoreError> {
    let bytes = files::read(path).map_err(StoreError::io("read", path))?;
    NetFile::from_bytes_with(&bytes, path, own)
}

/// Reads how the team of a net file was made, and leaves out its weights.
///
/// ```
/// use nonet_engine::store::{read_provenance, write_net};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("mine.nonet");
/// let small = nonet_engine::open::net("small")?;
/// write_net(&path, &small)?;
/// assert_eq!(read_provenance(&path)?, small.provenance);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`StoreError`] if the file cannot be read or is no net file.
pub fn read_provenance(path: &Path) -> Result<Provenance, StoreError> {
    let bytes = files::read(path).map_err(StoreError::io("read", path))?;
    let (header, _) = decode(&bytes, Kind::Nets, path)?;
    let header: Header = serde_json::from_slice(header)
        .map_err(|error| StoreError::Header { path: path.to_owned(), reason: error.to_string() })?;
    Ok(header.provenance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    fn file(preset: &str) -> NetFile {
        let team = Specialists::random(
            &Architecture::named(preset).expect("known"),
            &mut Pcg64::seed_from_u64(5),
        );
        let provenance = Provenance {
            command: "nonet train".into(),
            seed: u64::MAX,
            games: 7,
            ..Provenance::default()
        };
        NetFile { preset: preset.into(), provenance, team }
    }

    #[test]
    fn a_team_is_read_back_bit_for_bit() {
        for preset in Architecture::ALL {
            let file = file(preset.name());
            let back = NetFile::from_bytes(&file.to_bytes(), Path::new("x")).expect("whole");
            assert_eq!(back, file);
        }
    }

    #[test]
    fn learned_betas_are_read_back() {
        let mut file = file("softsign");
        let mut dense = file.team.nets()[1].mlp.to_weights();
        dense.beta[3] = 2.5;
        file.team.nets_mut()[1].mlp = Mlp::from_weights(&dense);
        let back = NetFile::from_bytes(&file.to_bytes(), Path::new("x")).expect("whole");
        assert_eq!(back, file);
    }

    #[test]
    fn the_error_names_a_class_without_a_net() {
        let bytes = file("large").to_bytes();
        let (header, payload) = decode(&bytes, Kind::Nets, Path::new("x")).expect("whole");
        let without = String::from_utf8_lossy(header).replace("\"prime\"]", "]");
        let error =
            NetFile::from_bytes(&encode(Kind::Nets, without.as_bytes(), payload), Path::new("x"));
        assert_eq!(
            error.expect_err("a class is missing").to_string(),
            "x holds no usable team: no net serves the class 'prime'"
        );
    }

    #[test]
    fn the_error_names_an_unknown_encoding_class_activation_or_shape() {
        let bytes = file("large").to_bytes();
        let (header, payload) = decode(&bytes, Kind::Nets, Path::new("x")).expect("whole");
        for (from, to, says) in [
            ("race277", "race999", "unknown encoding 'race999'"),
            ("\"classes\":[\"prime\"]", "\"classes\":[\"blitz\"]", "unknown class 'blitz'"),
            ("\"hidden\":20", "\"hidden\":21", "do not match the number of weights"),
            ("\"hidden\":20", "\"hidden\":99999999999", "has an invalid shape"),
            ("sigmoid", "relu", "unknown activation 'relu'"),
        ] {
            let changed = String::from_utf8_lossy(header).replacen(from, to, 1);
            let error = NetFile::from_bytes(
                &encode(Kind::Nets, changed.as_bytes(), payload),
                Path::new("x"),
            );
            let error = error.expect_err(says).to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
