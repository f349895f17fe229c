//! Names of users: which can be registered, and which user an abbreviated name means.

use super::server_state::{ConnectionPhase, ServerState};
use super::words::is_server_word;

impl ServerState {
    /// Why a name cannot be registered, in the server's words.
    pub(super) fn name_refusal(&self, name: &str) -> Option<String> {
        let shown: String = name.chars().take(40).collect();
        if !name.chars().all(|c| c.is_ascii_alphabetic() || c == '_') {
            return Some(
                "** Your name may only contain letters and the underscore character _ .".to_owned(),
            );
        }
        if name.len() > 20 {
            return Some("** Please use a name with at most 20 characters.".to_owned());
        }
        if name.len() < 3 {
            return Some("** Please use a name with at least 3 characters.".to_owned());
        }
        if is_server_word(name) {
            return Some(format!("** Please use another name. '{shown}' is a word of the server."));
        }
        // Names that differ in upper and lower case alone look the same to people.
        let taken = self.accounts.keys().any(|known| known.eq_ignore_ascii_case(name));
        taken.then(|| {
            format!("** Please use another name. '{shown}' is already used by someone else.")
        })
    }

    /// The logged-in user with the name `word`, or with a name that begins with it; `word` itself
    /// if there is none.
    ///
    /// # Errors
    /// The server's sentence about a beginning of several names.
    pub(super) fn who_is_meant(&self, word: &str) -> Result<String, String> {
        if self.accounts.contains_key(word) {
            return Ok(word.to_owned());
        }
        let begins = |name: &str| {
            name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        let online = self.connections.values().filter(|c| c.phase == ConnectionPhase::Online);
        let mut names: Vec<&str> =
            online.map(|c| c.name.as_str()).filter(|name| begins(name)).collect();
        names.sort_unstable();
        match names.as_slice() {
            [] => Ok(word.to_owned()),
            [name] => Ok((*name).to_owned()),
            names => Err(format!("** Ambiguous name: Try one of: {}.", names.join(", "))),
        }
    }
}
