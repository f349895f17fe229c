//! Numbers of any number of bits in a byte string, lowest bit first.

/// Writes bits.
#[derive(Default)]
pub(super) struct BitWriter {
    pub(super) bytes: Vec<u8>,
    /// Used bits of the last byte; 0 if it is full.
    used: u32,
}

impl BitWriter {
    /// Appends the lowest `bits` bits of `value`.
    pub(super) fn put(&mut self, value: u32, bits: u32) {
        for i in 0..bits {
            if self.used == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((value >> i & 1) as u8) << self.used;
            }
            self.used = (self.used + 1) % 8;
        }
    }
}

/// Reads bits.
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl BitReader<'_> {
    pub(super) const fn new(bytes: &[u8]) -> BitReader<'_> {
        BitReader { bytes, at: 0 }
    }

    /// The next `bits` bits as a number; `None` if fewer are left.
    pub(super) fn get(&mut self, bits: u32) -> Option<u32> {
        let mut value = 0;
        for i in 0..bits {
            let byte = self.bytes.get(self.at / 8)?;
            value |= u32::from(byte >> (self.at % 8) & 1) << i;
            self.at += 1;
        }
        Some(value)
    }

    /// Whether only the padding of the last byte is left.
    pub(super) const fn is_at_end(&self) -> bool {
        self.at.div_ceil(8) == self.bytes.len()
    }
}

/// Appends a number with seven bits in each byte, the lowest first.
pub(super) fn put_number(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Removes a number from the beginning.
pub(super) fn take_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0;
    for i in 0..5 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(byte & 0x7f).checked_shl(7 * i)?;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let mut bits = BitWriter::default();
        let values = [(5, 3), (0, 0), (1, 1), (1023, 10), (0, 5), (77, 9)];
        for (value, width) in values {
            bits.put(value, width);
        }
        let mut read = BitReader::new(&bits.bytes);
        for (value, width) in values {
            assert_eq!(read.get(width), Some(value));
        }
        assert!(read.is_at_end());
        assert_eq!(read.get(8), None);
        for value in [0, 127, 128, 32767, u32::MAX] {
            let mut bytes = Vec::new();
            put_number(&mut bytes, value);
            let mut rest = bytes.as_slice();
            assert_eq!((take_number(&mut rest), rest.len()), (Some(value), 0));
        }
    }
}
