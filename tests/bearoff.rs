//! The bearoff databases have the same bytes as GNU Backgammon's.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use md5::{Digest, Md5};
use nonet::bearoff::gnubg;

fn md5(bytes: &[u8]) -> String {
    Md5::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The checksum in the GNU Backgammon manual's table of bearoff databases (one-sided, six points); the file of Debian's
/// package has it too.
#[test]
fn the_one_sided_database_is_gnubgs_to_the_byte() {
    assert_eq!(md5(&gnubg::one_sided()), "3dc7b833c4670849cee00479a9e21b49");
}

/// The checksums of the same table for three and six checkers a side, and that of the file for seven that `makebearoff -t 6x7`
/// of version 1.07.001 writes.
#[test]
fn two_sided_databases_are_gnubgs_to_the_byte() {
    assert_eq!(md5(&gnubg::two_sided(3)), "9d67da3db32ad4720cc38eecf9a67967");
    assert_eq!(md5(&gnubg::two_sided(6)), "44b6040b49b46cb9dd2ce8caa947044d");
    assert_eq!(md5(&gnubg::two_sided(7)), "9eb8b042d4d2ddf8d40e74a892745ad5");
}
