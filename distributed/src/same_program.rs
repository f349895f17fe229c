//! Which program this is: machines that share work must run the same one, or their results could
//! differ.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The form of the messages and the nets in them; it grows with every change.
const FORMAT: u32 = 6;

/// A build of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// The version of the program.
    pub version: String,
    /// The form of messages and nets.
    pub format: u32,
    /// The checksum of its sources.
    pub sources: String,
    /// The processor and operating system: their mathematical functions may differ in the last bit.
    pub machine: String,
}

impl Build {
    /// This program.
    #[must_use]
    pub fn own() -> Build {
        Build {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            sources: env!("NONET_SOURCES").to_owned(),
            machine: format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
        }
    }

    /// Why work cannot be shared with another build, in words; `None` if it can.
    #[must_use]
    pub fn difference(&self, other: &Build) -> Option<String> {
        let (what, own, theirs) = if self.version != other.version {
            ("version", self.version.clone(), other.version.clone())
        } else if self.format != other.format {
            ("format of messages and nets", self.format.to_string(), other.format.to_string())
        } else if self.sources != other.sources {
            ("sources", self.sources.clone(), other.sources.clone())
        } else if self.machine != other.machine {
            ("kind of machine", self.machine.clone(), other.machine.clone())
        } else {
            return None;
        };
        Some(format!("{what} {theirs} instead of {own}"))
    }

    /// A word for this build, for the names of queues.
    #[must_use]
    pub fn word(&self) -> String {
        let machine = self.machine.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let version = self.version.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        format!("{version}-{}-{}-{machine}", self.format, self.sources)
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nonet {}, sources {}, {}", self.version, self.sources, self.machine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_that_could_give_other_results_are_told_apart_in_words() {
        let own = Build::own();
        assert_eq!(own.difference(&own.clone()), None);
        let format = format!("format of messages and nets 99 instead of {FORMAT}");
        for (other, says) in [
            (Build { version: "9.9.9".into(), ..own.clone() }, "version 9.9.9 instead of"),
            (Build { format: 99, ..own.clone() }, format.as_str()),
            (Build { sources: "abc".into(), ..own.clone() }, "sources abc instead of"),
            (Build { machine: "m68k amiga".into(), ..own.clone() }, "kind of machine m68k amiga"),
        ] {
            let words = own.difference(&other).expect("they differ");
            assert!(words.contains(says), "{words}");
            assert_ne!(own.word(), other.word());
        }
        assert!(own.word().chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
    }
}
