//! A password that cannot be printed by accident.

use std::fmt;

/// A password. Its `Debug` form hides it, it has no `Display`, and only the login line takes it out.
///
/// FIBS sends passwords in clear text over the net: use one that nothing else uses.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// Why words cannot be a password on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Fewer than 4 characters.
    #[error("a password has at least 4 characters")]
    Short,
    /// A blank, a colon, a control or a non-ASCII character.
    #[error("a password has no blanks, no colons and nothing but plain ASCII characters")]
    Character,
}

impl Password {
    /// Takes a password.
    ///
    /// # Errors
    /// [`PasswordError`], which does not repeat it.
    pub fn new(text: impl Into<String>) -> Result<Password, PasswordError> {
        let text = text.into();
        if text.chars().count() < 4 {
            return Err(PasswordError::Short);
        }
        if !text.chars().all(|c| c.is_ascii_graphic() && c != ':') {
            return Err(PasswordError::Character);
        }
        Ok(Password(text))
    }

    /// The password itself, for the line that has to hold it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_does_not_show_it() {
        let password = Password::new("Zanzibar7").expect("good");
        assert_eq!(format!("{password:?}"), "Password(..)");
        assert_eq!(Password::new("a:bcd"), Err(PasswordError::Character));
        assert_eq!(Password::new("abc"), Err(PasswordError::Short));
        assert!(!format!("{:?}", Password::new("Zanz ibar")).contains("Zanz"));
    }
}
