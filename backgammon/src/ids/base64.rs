//! Little-endian bit strings in the base64 letters of GNU Backgammon.

use super::IdError;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bits of `text`, the lowest first. `bits` is their expected number: a multiple of 8, at most
/// 128.
///
/// Bit i of the result is bit i % 8 of byte i / 8; the bytes then form ordinary base64 without
/// padding.
pub(super) fn decode(what: &'static str, text: &str, bits: usize) -> Result<u128, IdError> {
    let (found, wanted) = (text.chars().count(), bits.div_ceil(6));
    if found != wanted {
        return Err(IdError::Length { what, found, wanted });
    }
    let mut bytes = [0u8; 16];
    let (mut filled, mut window, mut held) = (0, 0u32, 0);
    for (place, found) in text.chars().enumerate() {
        let digit = ALPHABET.iter().position(|&letter| char::from(letter) == found);
        let digit = digit.ok_or(IdError::Character { what, found, place: place + 1 })?;
        window = window << 6 | digit as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes[filled] = (window >> held) as u8;
            window &= (1 << held) - 1;
            filled += 1;
        }
    }
    if window != 0 {
        return Err(IdError::Leftover { what });
    }
    Ok(u128::from_le_bytes(bytes))
}

/// The inverse of [`decode`]: the lowest `bits` bits of `value`.
pub(super) fn encode(value: u128, bits: usize) -> String {
    let bytes = value.to_le_bytes();
    let mut text = String::with_capacity(bits.div_ceil(6));
    for chunk in bytes[..bits / 8].chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let window = byte(0) << 16 | byte(1) << 8 | byte(2);
        for letter in 0..=chunk.len() {
            text.push(char::from(ALPHABET[(window >> (18 - 6 * letter) & 63) as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_bit_of_a_byte_comes_first_and_the_bytes_are_plain_base64() {
        assert_eq!(encode(u128::from_le_bytes(*b"Man\0\0\0\0\0\0\0\0\0\0\0\0\0"), 24), "TWFu");
        assert_eq!(decode("test", "TWFu", 24).map(|bits| bits as u8), Ok(b'M'));
        assert_eq!(encode(1, 80), "AQAAAAAAAAAAAA");
        assert_eq!(decode("test", "+/+/", 24), Ok(0xbf_ff_fb));
    }

    #[test]
    fn bits_beyond_the_last_byte_must_be_clear() {
        assert_eq!(decode("test", "AAAAAAAAAAAAAQ", 80), Ok(1 << 72));
        let leftover = Err(IdError::Leftover { what: "test" });
        assert_eq!(decode("test", "AAAAAAAAAAAAAP", 80), leftover);
    }

    #[test]
    fn length_counts_characters_not_bytes() {
        let wrong = Err(IdError::Character { what: "test", found: 'ä', place: 2 });
        assert_eq!(decode("test", "AäAA", 24), wrong);
        assert!(matches!(decode("test", "", 24), Err(IdError::Length { found: 0, wanted: 4, .. })));
    }
}
