//! Messages between machines as bytes: bincode with its usual variable-size integers.
//!
//! Both sides run the same build of the program, so the form may change with every version. Numbers
//! keep every bit.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Bytes that are not a message of the expected type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MessageError(String);

/// The most that a message may claim to hold, in bytes: what it says about its own lengths is not
/// believed beyond this.
const LIMIT: usize = 1 << 28;

/// The bytes of a value.
///
/// # Panics
/// Never: the types that are sent always have a binary form.
#[must_use]
pub fn to_bytes<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    bincode::serde::encode_to_vec(value, bincode::config::standard())
        .expect("the types that are sent always have a binary form")
}

/// The value that bytes stand for.
///
/// # Errors
/// [`MessageError`] if they are no such value, or more than one.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, MessageError> {
    let config = bincode::config::standard().with_limit::<LIMIT>();
    let (value, read) = bincode::serde::decode_from_slice(bytes, config)
        .map_err(|error| MessageError(error.to_string()))?;
    if read != bytes.len() {
        return Err(MessageError(format!("{} bytes too many", bytes.len() - read)));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_bit_for_bit() {
        let values = (vec![0.1_f32, f32::MIN_POSITIVE, -0.0], f64::NAN.to_bits(), -7_i128);
        let back: (Vec<f32>, u64, i128) = from_bytes(&to_bytes(&values)).expect("whole");
        assert_eq!(back, values);
        assert!(back.0[2].is_sign_negative());
    }

    #[test]
    fn a_position_keeps_the_checkers_of_its_game() {
        use crate::backgammon::{Position, Variant};
        for variant in Variant::ALL {
            let start = variant.start();
            let bytes = to_bytes(&start);
            assert_eq!(bytes.len(), 26);
            assert_eq!(from_bytes::<Position>(&bytes).expect("whole"), start);
        }
        // Both bars full, in a game of 15 checkers and in one of three.
        let bars = Position::from_sides(&[(25, 3)], &[(25, 3)]).expect("legal");
        for checkers in 3..=15 {
            let position = bars.in_game_of(checkers).expect("enough");
            let back: Position = from_bytes(&to_bytes(&position)).expect("whole");
            assert_eq!((back, back.checkers_at_start()), (position, checkers));
        }
        for wrong in [[-1, 0], [0, 1], [16, 0], [127, -128]] {
            let mut points = *Position::START.points();
            [points[25], points[0]] = wrong;
            assert!(from_bytes::<Position>(&to_bytes(&points)).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let bytes = to_bytes(&vec![1_u32, 2, 300]);
        assert!(from_bytes::<Vec<u32>>(&bytes[..bytes.len() - 1]).is_err());
        let mut longer = bytes.clone();
        longer.push(0);
        let error = from_bytes::<Vec<u32>>(&longer).expect_err("too long").to_string();
        assert_eq!(error, "1 bytes too many");
        // A length that no memory could hold.
        let huge = to_bytes(&u64::MAX);
        assert!(from_bytes::<Vec<u64>>(&huge).is_err());
    }
}
