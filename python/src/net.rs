//! `Net`: a team of nets, one for each class of positions or for several, as arrays and files.

use std::path::PathBuf;

use nonet::class::Class;
use nonet::eval::{Architecture, Net, Specialists};
use nonet::game::{StreamPurpose, stream};
use nonet::nn::{Activation, Activations, MAX_HIDDEN, MAX_SECOND, Mlp, OutputActivation, Weights};
use nonet::store::{NetFile, Provenance, write_net};
use numpy::ndarray::{Array1, Array2};
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{invalid, of_open, of_store};

/// A team of nets: which net evaluates each class of positions, and their weights.
///
/// ``Net.open(name)`` reads a net file or one of the nets in the package, ``Net.random(preset,
/// seed)`` begins with random weights. Nets are immutable: :meth:`with_arrays` makes another one.
#[pyclass(frozen, eq, module = "nonet", name = "Net")]
#[derive(PartialEq)]
pub(crate) struct PyNet(pub(crate) NetFile);

/// The arrays of one net as they come from Python.
struct Arrays<'py> {
    w1: PyReadonlyArray2<'py, f32>,
    b1: PyReadonlyArray1<'py, f32>,
    second: Option<(PyReadonlyArray2<'py, f32>, PyReadonlyArray1<'py, f32>)>,
    w2: PyReadonlyArray2<'py, f32>,
    b2: PyReadonlyArray1<'py, f32>,
    beta: Array1<f32>,
    hidden: String,
    output: String,
}

/// Something like an array as an array of `float32`.
fn floats<'py>(name: &str, key: &str, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(item.py());
    options.set_item("dtype", "float32")?;
    let numpy = item.py().import("numpy")?;
    numpy
        .call_method("ascontiguousarray", (item,), Some(&options))
        .map_err(|error| invalid(format!("{key} of '{name}' is not an array of numbers: {error}")))
}

impl<'py> Arrays<'py> {
    /// Reads the arrays of the net `name`; what is left out stays as in `old`.
    fn read(name: &str, item: &Bound<'py, PyAny>, old: &Weights) -> PyResult<Arrays<'py>> {
        let item = item.cast::<PyDict>().map_err(|_| {
            invalid(format!("the arrays of '{name}' must be a dict, as Net.arrays() gives it"))
        })?;
        const KEYS: [&str; 9] =
            ["w1", "b1", "w_second", "b_second", "w2", "b2", "beta", "hidden", "output"];
        for key in item.keys() {
            let key: String = key.extract()?;
            if !KEYS.contains(&key.as_str()) {
                let known = KEYS.join(", ");
                return Err(invalid(format!("unknown key '{key}' of '{name}': expected {known}")));
            }
        }
        let array = |key: &str| match item.get_item(key)? {
            Some(found) => floats(name, key, &found),
            None => Err(invalid(format!("{key} of '{name}' is missing"))),
        };
        let matrix = |key: &str| -> PyResult<PyReadonlyArray2<'py, f32>> {
            let found = array(key)?;
            let rows = found.extract::<PyReadonlyArray2<'py, f32>>();
            rows.map_err(|_| invalid(format!("{key} of '{name}' must have two dimensions")))
        };
        let row = |key: &str| -> PyResult<PyReadonlyArray1<'py, f32>> {
            let found = array(key)?;
            let row = found.extract::<PyReadonlyArray1<'py, f32>>();
            row.map_err(|_| invalid(format!("{key} of '{name}' must have one dimension")))
        };
        let word = |key: &str, old: String| match item.get_item(key)? {
            Some(found) => found.extract::<String>(),
            None => Ok(old),
        };
        let b1 = row("b1")?;
        let units = b1.as_array().len();
        let hidden = word("hidden", old.activations.hidden.slug().to_owned())?;
        let beta = match item.get_item("beta")? {
            Some(_) => row("beta")?.as_array().to_owned(),
            None if old.beta.len() == units => old.beta.clone(),
            None => Array1::from_elem(
                units,
                Activation::named(&hidden).map_or(1.0, Activation::initial_beta),
            ),
        };
        let has_second = item.contains("w_second")? || item.contains("b_second")?;
        let second = match has_second {
            true => Some((matrix("w_second")?, row("b_second")?)),
            false => None,
        };
        Ok(Arrays {
            w1: matrix("w1")?,
            b1,
            second,
            w2: matrix("w2")?,
            b2: row("b2")?,
            beta,
            hidden,
            output: word("output", old.activations.output.to_string())?,
        })
    }
}

impl Arrays<'_> {
    /// Weights of a net with this many inputs, if the shapes fit each other.
    fn weights(&self, name: &str, inputs: usize) -> PyResult<Weights> {
        let hidden = Activation::named(&self.hidden).ok_or_else(|| {
            let (known, found) = (Activation::ALL.map(Activation::slug).join(", "), &self.hidden);
            invalid(format!("unknown activation '{found}' of '{name}': expected one of {known}"))
        })?;
        let output: OutputActivation = self.output.parse().map_err(invalid)?;
        let activations = Activations { hidden, output };
        let (w1, b1) = (self.w1.as_array().to_owned(), self.b1.as_array().to_owned());
        let (w2, b2) = (self.w2.as_array().to_owned(), self.b2.as_array().to_owned());
        let beta = self.beta.clone();
        let (w_second, b_second) = match &self.second {
            Some((weights, biases)) => {
                (weights.as_array().to_owned(), biases.as_array().to_owned())
            }
            None => (Array2::zeros((b1.len(), 0)), Array1::zeros(0)),
        };
        let (units, second, outputs) = (b1.len(), b_second.len(), b2.len());
        let last = if second == 0 { units } else { second };
        let columns = if units == 0 { outputs } else { units };
        if units > MAX_HIDDEN {
            return Err(invalid(format!(
                "{units} hidden units of '{name}' are too many: expected at most {MAX_HIDDEN}"
            )));
        }
        if second > MAX_SECOND {
            return Err(invalid(format!(
                "{second} units in the second hidden layer of '{name}' are too many: expected at most {MAX_SECOND}"
            )));
        }
        if second > 0 && units == 0 {
            return Err(invalid(format!("'{name}' has a second hidden layer, but no first one")));
        }
        let shapes = [
            ("w1", w1.shape().to_vec(), vec![inputs, columns]),
            ("w_second", w_second.shape().to_vec(), vec![units, second]),
            ("w2", w2.shape().to_vec(), vec![last, outputs]),
            ("b2", b2.shape().to_vec(), vec![nonet::eval::HEADS]),
            ("beta", beta.shape().to_vec(), vec![units]),
        ];
        for (array, found, expected) in shapes {
            if found != expected {
                return Err(invalid(format!(
                    "invalid shape {found:?} of {array} of '{name}': expected {expected:?}, with b1 of {units} hidden units"
                )));
            }
        }
        let finite = |values: &[&Array1<f32>], matrices: &[&Array2<f32>]| {
            values.iter().all(|array| array.iter().all(|v| v.is_finite()))
                && matrices.iter().all(|array| array.iter().all(|v| v.is_finite()))
        };
        if !finite(&[&b1, &b_second, &b2, &beta], &[&w1, &w_second, &w2]) {
            return Err(invalid(format!(
                "a weight of '{name}' is not a finite number: has its training diverged?"
            )));
        }
        Ok(Weights { activations, w1, b1, beta, w_second, b_second, w2, b2 })
    }
}

#[pymethods]
impl PyNet {
    /// The net of a name (``"champion"``, ``"expert"``, ``"swift"``, ``"small"``), of a file, or of
    /// the folder of a run (its best net).
    #[staticmethod]
    fn open(name: &str) -> PyResult<PyNet> {
        nonet::open::net(name).map(PyNet).map_err(of_open)
    }

    /// An untrained team of this preset, as a training run with this seed begins: weights uniform
    /// in -0.1 to 0.1.
    #[staticmethod]
    #[pyo3(signature = (preset="large", seed=1))]
    fn random(preset: &str, seed: u64) -> PyResult<PyNet> {
        let architecture: Architecture = preset.parse().map_err(invalid)?;
        let team = Specialists::random(&architecture, &mut stream(seed, StreamPurpose::Weights, 0));
        let provenance = Provenance { seed, program: program(), ..Provenance::default() };
        Ok(PyNet(NetFile { preset: architecture.to_string(), provenance, team }))
    }

    /// Writes the net file atomically: an existing file is replaced as a whole or not at all.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        write_net(&path, &self.0).map_err(of_store)
    }

    /// The bytes of the net file.
    fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    /// The name of the architecture.
    #[getter]
    fn preset(&self) -> String {
        self.0.architecture_in_words()
    }

    /// The names of the nets in order.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.team.nets().iter().map(|net| net.name.clone()).collect()
    }

    /// The name of the net that evaluates each class.
    #[getter]
    fn net_of_class<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let names = PyDict::new(py);
        for class in Class::all() {
            let net = &self.0.team.nets()[self.0.team.net_of(class)];
            names.set_item(class.slug(), &net.name)?;
        }
        Ok(names)
    }

    /// The encoding that each net reads.
    #[getter]
    fn encodings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let names = PyDict::new(py);
        for net in self.0.team.nets() {
            names.set_item(&net.name, net.encoding.name())?;
        }
        Ok(names)
    }

    /// Games that the net learned from, and the command that made it.
    #[getter]
    fn provenance(&self) -> (u64, &str) {
        (self.0.provenance.games, &self.0.provenance.command)
    }

    /// The weights of each net as copies: a ``dict`` by the names of the nets.
    ///
    /// Each net is a ``dict`` of:
    ///
    /// - ``w1`` ``float32[inputs, hidden]`` and ``b1`` ``[hidden]``.
    /// - ``w2`` ``[hidden, 7]`` and ``b2`` ``[7]``.
    /// - ``beta`` ``[hidden]``.
    /// - ``hidden``, the name of an activation: ``"sigmoid"``, ``"rbf"``, ``"softsign"`` or
    ///   ``"silu"``.
    /// - ``output``, the name of an activation: ``"linear"``, or ``"softmax"`` (outputs 1 to 6 add
    ///   up to 1).
    ///
    /// The outputs, :data:`nonet.HEADS`, are ``output(hidden(beta * (x @ w1 + b1)) @ w2 + b2)`` for
    /// inputs ``x`` of :func:`nonet.encode`. Without hidden units ``w1`` is ``[inputs, 7]``, and
    /// ``b1``, ``beta`` and ``w2`` are empty.
    ///
    /// A net with a second hidden layer has ``w_second`` ``[hidden, second]`` and ``b_second``
    /// ``[second]``, too, and ``w2`` is ``[second, 7]``. Its outputs are ``output(hidden(h @
    /// w_second + b_second) @ w2 + b2)``, where ``h`` are the units of the first layer.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for net in self.0.team.nets() {
            let Weights { activations, w1, b1, beta, w_second, b_second, w2, b2 } =
                net.mlp.to_weights();
            let arrays = PyDict::new(py);
            arrays.set_item("w1", w1.into_pyarray(py))?;
            arrays.set_item("b1", b1.into_pyarray(py))?;
            if !b_second.is_empty() {
                arrays.set_item("w_second", w_second.into_pyarray(py))?;
                arrays.set_item("b_second", b_second.into_pyarray(py))?;
            }
            arrays.set_item("w2", w2.into_pyarray(py))?;
            arrays.set_item("b2", b2.into_pyarray(py))?;
            arrays.set_item("beta", beta.into_pyarray(py))?;
            arrays.set_item("hidden", activations.hidden.slug())?;
            arrays.set_item("output", activations.output.to_string())?;
            all.set_item(&net.name, arrays)?;
        }
        Ok(all)
    }

    /// The same team with other weights for the nets named in ``arrays``, each a ``dict`` as
    /// :meth:`arrays` gives it.
    ///
    /// The number of hidden units may differ, up to 512, and 64 in the second layer. A net without
    /// ``w_second`` and ``b_second`` has no second layer. ``beta``, ``hidden`` and ``output`` may
    /// be left out and then stay as they are, ``beta`` if its length fits, else 1 (3 for softsign).
    ///
    /// Raises ``ValueError`` if a shape does not fit or a number is not finite.
    fn with_arrays(&self, arrays: &Bound<'_, PyDict>) -> PyResult<PyNet> {
        let nets = self.0.team.nets();
        let mut members: Vec<(Net, Vec<Class>)> = nets
            .iter()
            .enumerate()
            .map(|(place, net)| (net.clone(), self.0.team.classes_of(place).collect()))
            .collect();
        for (name, item) in arrays {
            let name: String = name.extract()?;
            let Some((net, _)) = members.iter_mut().find(|(net, _)| net.name == name) else {
                let known = self.names().join(", ");
                return Err(invalid(format!("unknown net '{name}': expected one of {known}")));
            };
            let arrays = Arrays::read(&name, &item, &net.mlp.to_weights())?;
            net.mlp = Mlp::from_weights(&arrays.weights(&name, net.encoding.inputs())?);
        }
        let team = Specialists::new(members).map_err(invalid)?;
        let parent = Some(self.0.provenance.command.clone()).filter(|command| !command.is_empty());
        let provenance = Provenance { parent, program: program(), ..Provenance::default() };
        Ok(PyNet(NetFile { preset: self.0.preset.clone(), provenance, team }))
    }

    fn __repr__(&self) -> String {
        let team = &self.0.team;
        let (nets, weights) = (team.nets().len(), team.weights());
        format!("<Net {}: {nets} nets, {weights} weights>", self.preset())
    }
}

/// What wrote a net.
fn program() -> String {
    format!("nonet {} (Python)", env!("CARGO_PKG_VERSION"))
}
