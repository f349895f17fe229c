//! The version of this program.

/// The version, with the commit if the build knew it.
pub(crate) const VERSION: &str = match option_env!("NONET_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};
