//! The net that is compiled into the library, so that an engine needs no file.

use std::path::Path;

use crate::store::NetFile;

/// The bytes of `nets/champion.nonet`: the strongest net of this version.
pub const BUILT_IN_NET: &[u8] = nonet_nets::CHAMPION;

/// The built-in net with its provenance, its weights as they were trained.
///
/// # Panics
/// Never: a test reads the bytes.
#[must_use]
#[allow(clippy::expect_used, reason = "the bytes are part of the program and a test reads them")]
pub fn built_in_net() -> NetFile {
    NetFile::from_bytes(BUILT_IN_NET, Path::new("the built-in net"))
        .expect("the built-in net is a valid net file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_net_is_a_valid_net_file() {
        assert!(built_in_net().to_bytes() == BUILT_IN_NET);
    }
}
