//! A password type that hides its text from debug output.

use std::fmt;

/// A password. `Debug` hides it, there is no `Display`, and only the login line contains it.
///
/// FIBS sends passwords in clear text: use one that you use nowhere else.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// Why a text is not a password of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Fewer than 4 characters.
    #[error("invalid password: expected at least 4 characters")]
    Short,
    /// A blank, a colon, a control or a non-ASCII character.
    #[error("invalid password: expected printable ASCII characters without blanks and colons")]
    Character,
}

impl Password {
    /// Checks and stores a password.
    ///
    /// # Errors
    /// [`PasswordError`], which does not contain the text.
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

    /// The password itself, for the login line.
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
