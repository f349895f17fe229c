//! Passwords in the state file: hashes by Argon2id, and the weak hash of older files, which the
//! next login replaces.

use std::hash::{BuildHasher, Hasher, RandomState};

use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use serde::{Deserialize, Serialize};

/// Memory of a hash in KiB.
///
/// With these settings a hash takes a few milliseconds, and less memory than OWASP advises for
/// public servers (19 MiB). There are two reasons. The protocol sends passwords in clear text
/// anyway. The server shares its machine with the bots that play on it.
const MEMORY: u32 = 4096;
/// Passes over the memory.
const PASSES: u32 = 2;
/// Lanes, which could be computed in parallel.
const LANES: u32 = 1;

/// The hash of a password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum StoredPassword {
    /// In the PHC string format, with its parameters and its salt.
    Argon2(String),
    /// The hash of older state files; its salt is a field of the account.
    Weak(u64),
}

/// Work on a password that takes too long for the server's loop.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum PasswordJob {
    /// Compare with the hash and the salt of the account of a name; `None` if there is no such
    /// account, which takes as long.
    Verify { name: String, password: String, stored: Option<(StoredPassword, u64)> },
    /// Make the hash of a new password.
    Hash { password: String },
}

/// The result of a [`PasswordJob`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PasswordAnswer {
    /// Whether the password is that of the account.
    pub(super) correct: bool,
    /// A hash to store: of a new password, or in place of a weak one.
    pub(super) hash: Option<StoredPassword>,
}

/// Hides the password.
impl std::fmt::Debug for PasswordJob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PasswordJob(..)")
    }
}

impl PasswordJob {
    /// The name of the user who logs in; `None` for the hash of a new password.
    pub(super) fn login_name(&self) -> Option<&str> {
        match self {
            PasswordJob::Verify { name, .. } => Some(name),
            PasswordJob::Hash { .. } => None,
        }
    }

    /// Does the work, in a few milliseconds.
    pub(super) fn run(self) -> PasswordAnswer {
        match self {
            PasswordJob::Hash { password } => {
                PasswordAnswer { correct: true, hash: Some(hash_password(&password)) }
            }
            PasswordJob::Verify { password, stored: None, .. } => {
                drop(hash_password(&password));
                PasswordAnswer::default()
            }
            PasswordJob::Verify {
                password,
                stored: Some((StoredPassword::Weak(hash), salt)),
                ..
            } => {
                let strong = hash_password(&password);
                let correct = weak_hash(&password, salt) == hash;
                PasswordAnswer { correct, hash: correct.then_some(strong) }
            }
            PasswordJob::Verify {
                password,
                stored: Some((StoredPassword::Argon2(hash), _)),
                ..
            } => {
                let correct = PasswordHash::new(&hash)
                    .is_ok_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok());
                PasswordAnswer { correct, hash: None }
            }
        }
    }
}

fn argon2() -> Argon2<'static> {
    let params =
        Params::new(MEMORY, PASSES, LANES, None).expect("constants within Argon2's bounds");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// The hash of a password with a fresh salt.
pub(super) fn hash_password(password: &str) -> StoredPassword {
    // A salt must differ from all others, not be secret: the standard library's hash keys come from
    // the operating system.
    let half = || RandomState::new().build_hasher().finish().to_le_bytes();
    let salt = SaltString::encode_b64(&[half(), half()].concat()).expect("16 bytes make a salt");
    let hash = argon2().hash_password(password.as_bytes(), &salt);
    StoredPassword::Argon2(hash.expect("a valid salt and valid parameters").to_string())
}

/// The hash of older state files.
fn weak_hash(password: &str, salt: u64) -> u64 {
    let mut state = salt;
    for _ in 0..1000 {
        for byte in password.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verify(password: &str, stored: &StoredPassword, salt: u64) -> PasswordAnswer {
        let stored = Some((stored.clone(), salt));
        let name = "ann".to_owned();
        PasswordJob::Verify { name, password: password.to_owned(), stored }.run()
    }

    #[test]
    fn equal_passwords_have_different_hashes_that_accept_them_alone() {
        let [one, two] = [hash_password("Zanzibar7"), hash_password("Zanzibar7")];
        assert_ne!(one, two);
        for stored in [&one, &two] {
            assert_eq!(
                verify("Zanzibar7", stored, 0),
                PasswordAnswer { correct: true, hash: None }
            );
            assert_eq!(verify("zanzibar7", stored, 0), PasswordAnswer::default());
        }
        let StoredPassword::Argon2(text) = one else { panic!("a weak hash") };
        assert!(text.starts_with("$argon2id$v=19$m=4096,t=2,p=1$"), "{text}");
    }

    #[test]
    fn a_hash_that_another_program_made_is_accepted() {
        // `echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1` of the reference implementation,
        // from its tests.
        let hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
        let stored = StoredPassword::Argon2(hash.to_owned());
        assert!(verify("password", &stored, 0).correct);
        assert!(!verify("passwort", &stored, 0).correct);
        assert!(!verify("password", &StoredPassword::Argon2("$argon2id$".to_owned()), 0).correct);
    }

    #[test]
    fn a_correct_password_replaces_a_weak_hash() {
        // The account `ann` of a state file that an older server wrote, password Zanzibar7.
        let (hash, salt) = (4_983_821_275_729_081_296, 15_492_934_433_077_865_799);
        let answer = verify("Zanzibar7", &StoredPassword::Weak(hash), salt);
        assert!(answer.correct);
        let strong = answer.hash.expect("a new hash");
        assert!(verify("Zanzibar7", &strong, 0).correct);
        assert_eq!(verify("wrong", &StoredPassword::Weak(hash), salt), PasswordAnswer::default());
    }
}
