//! A password type that hides its text from debug output.

use std::borrow::Cow;
use std::fmt;

/// A password. `Debug` hides it, and there is no `Display`: only the login line contains it.
///
/// FIBS sends passwords in clear text: use one that you use nowhere else.
///
/// ```
/// use fibs::Password;
///
/// let password = Password::new("Zanzibar7")?;
/// assert_eq!(password.redact("login ann Zanzibar7"), "login ann ***");
/// assert!(!format!("{password:?}").contains("Zanzibar7"));
/// assert!(Password::new("abc").is_err());
/// # Ok::<(), fibs::PasswordError>(())
/// ```
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

    /// The text with stars in the place of the password, wherever it occurs: for logs of what a
    /// server says.
    #[must_use]
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if text.contains(&self.0) {
            Cow::Owned(text.replace(&self.0, "***"))
        } else {
            Cow::Borrowed(text)
        }
    }

    /// The password itself, for the line that logs in.
    #[must_use]
    pub fn reveal(&self) -> &str {
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
    fn no_text_shows_it_after_redaction() {
        let password = Password::new("Zanzibar7").expect("good");
        let said = "** Unknown command: 'Zanzibar7' (login c 1008 ann Zanzibar7)";
        let shown = "** Unknown command: '***' (login c 1008 ann ***)";
        assert_eq!(password.redact(said), shown);
        assert_eq!(password.redact("ann rolls 6 and 4."), "ann rolls 6 and 4.");
    }

    #[test]
    fn debug_output_does_not_show_it() {
        let password = Password::new("Zanzibar7").expect("good");
        assert_eq!(format!("{password:?}"), "Password(..)");
        assert_eq!(Password::new("a:bcd"), Err(PasswordError::Character));
        assert_eq!(Password::new("abc"), Err(PasswordError::Short));
        assert!(!format!("{:?}", Password::new("Zanz ibar")).contains("Zanz"));
    }
}
