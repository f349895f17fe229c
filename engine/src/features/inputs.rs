//! [`Inputs`]: custom inputs of a net, in place of a built-in encoding.

use std::fmt;

use super::{Encoding, Feature, SparseInputs};
use crate::backgammon::Position;

/// Custom inputs of a net, which a program adds to the built-in encodings.
///
/// A net with custom inputs is trained, tested, inspected and kept in files like any other. It is
/// slower: positions are encoded one by one, without vectors, and the first layer stays in `f32`.
/// Its work is not shared with other machines. To read its file or checkpoint, give the inputs to
/// [`read_net_with`](crate::store::read_net_with) or
/// [`read_checkpoint_with`](crate::store::read_checkpoint_with).
///
/// ```
/// use nonet_engine::backgammon::Position;
/// use nonet_engine::eval::{Evaluator, Specialists};
/// use nonet_engine::features::{Inputs, SparseInputs};
///
/// /// The pips of both sides.
/// struct Pips;
///
/// impl Inputs for Pips {
///     fn slug(&self) -> &str {
///         "pips2"
///     }
///
///     fn inputs(&self) -> usize {
///         2
///     }
///
///     fn encode(&self, position: &Position, inputs: &mut SparseInputs) {
///         inputs.push(0, f32::from(position.pips()) / 100.0);
///         inputs.push(1, f32::from(position.opponent_pips()) / 100.0);
///     }
/// }
///
/// let team = Specialists::single(&Pips, 20, 1)?;
/// assert!(team.evaluate(&Position::START).equity().abs() < 3.0);
/// # Ok::<(), nonet_engine::eval::TeamError>(())
/// ```
pub trait Inputs: Send + Sync {
    /// Their name in net files, unlike that of any built-in encoding. Other inputs need another
    /// name.
    fn slug(&self) -> &str;

    /// The number of inputs, at most [`SparseInputs::MOST_INPUTS`].
    fn inputs(&self) -> usize;

    /// Adds the inputs of an unfinished position, seen by its player on roll, to an empty list.
    ///
    /// It adds those that are not zero, at most [`SparseInputs::ROOM`]. The same position must give
    /// the same inputs.
    fn encode(&self, position: &Position, inputs: &mut SparseInputs);

    /// Name, unit and reason of each input, for reports. The default numbers them.
    fn layout(&self) -> Vec<Feature> {
        (1..=self.inputs()).map(|number| Feature::named(format!("input {number}"))).collect()
    }
}

/// The encoding of a net: a built-in one, or custom inputs.
///
/// ```
/// use nonet_engine::features::{Encoding, NetEncoding};
///
/// let contact = NetEncoding::from(Encoding::Contact);
/// assert_eq!(contact.inputs(), 393);
/// assert_eq!(NetEncoding::from_slug(contact.slug(), &[]), Some(contact));
/// ```
#[derive(Clone, Copy)]
pub enum NetEncoding {
    /// Built in.
    BuiltIn(Encoding),
    /// The program's own.
    Own(&'static dyn Inputs),
}

impl NetEncoding {
    /// The built-in encoding, if it is one.
    #[inline(always)]
    #[must_use]
    pub const fn built_in(self) -> Option<Encoding> {
        match self {
            NetEncoding::BuiltIn(encoding) => Some(encoding),
            NetEncoding::Own(_) => None,
        }
    }

    /// The encoding with this name in net files, built in or among `own`.
    #[must_use]
    pub fn from_slug(slug: &str, own: &[&'static dyn Inputs]) -> Option<NetEncoding> {
        let found = || own.iter().find(|inputs| inputs.slug() == slug);
        let built_in = Encoding::from_slug(slug).map(NetEncoding::BuiltIn);
        built_in.or_else(|| found().map(|&inputs| NetEncoding::Own(inputs)))
    }

    /// The name without the number of inputs; that in net files for a program's own inputs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            NetEncoding::BuiltIn(encoding) => encoding.name(),
            NetEncoding::Own(inputs) => inputs.slug(),
        }
    }

    /// The name in net files.
    #[must_use]
    pub fn slug(self) -> &'static str {
        match self {
            NetEncoding::BuiltIn(encoding) => encoding.slug(),
            NetEncoding::Own(inputs) => inputs.slug(),
        }
    }

    /// Whether it is for positions with contact; a program's own inputs are for all positions.
    #[inline(always)]
    #[must_use]
    pub const fn contact(self) -> bool {
        match self {
            NetEncoding::BuiltIn(encoding) => encoding.contact(),
            NetEncoding::Own(_) => true,
        }
    }

    /// Number of inputs.
    #[must_use]
    pub fn inputs(self) -> usize {
        match self {
            NetEncoding::BuiltIn(encoding) => encoding.inputs(),
            NetEncoding::Own(inputs) => inputs.inputs(),
        }
    }

    /// Every input in the order of the net's weights.
    #[must_use]
    pub fn layout(self) -> Vec<Feature> {
        match self {
            NetEncoding::BuiltIn(encoding) => encoding.layout(),
            NetEncoding::Own(inputs) => inputs.layout(),
        }
    }

    /// Writes the inputs of an unfinished position; zeros are left out.
    ///
    /// # Panics
    /// If a program's own inputs number an input that they do not have.
    pub fn encode(self, position: &Position, inputs: &mut SparseInputs) {
        match self {
            NetEncoding::BuiltIn(encoding) => encoding.encode(position, inputs),
            NetEncoding::Own(own) => {
                inputs.clear();
                own.encode(position, inputs);
                let (slug, number) = (own.slug(), own.inputs());
                let wrong = inputs.indices().iter().find(|&&input| usize::from(input) >= number);
                if let Some(wrong) = wrong {
                    panic!(
                        "the inputs '{slug}' wrote input {wrong}, but there are {number}, from 0"
                    );
                }
            }
        }
    }
}

impl From<Encoding> for NetEncoding {
    fn from(encoding: Encoding) -> NetEncoding {
        NetEncoding::BuiltIn(encoding)
    }
}

impl<I: Inputs> From<&'static I> for NetEncoding {
    fn from(inputs: &'static I) -> NetEncoding {
        NetEncoding::Own(inputs)
    }
}

impl PartialEq for NetEncoding {
    fn eq(&self, other: &NetEncoding) -> bool {
        self.slug() == other.slug()
    }
}

impl PartialEq<Encoding> for NetEncoding {
    fn eq(&self, other: &Encoding) -> bool {
        self.built_in() == Some(*other)
    }
}

impl fmt::Debug for NetEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}
