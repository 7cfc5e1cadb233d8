//! Filters of streams, undone within a limit.

use std::ops::ControlFlow;

use flate2::{Decompress, FlushDecompress, Status};

/// How a stream was packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Deflate with the header of zlib.
    Flate(Predictor),
    /// LZW with codes of up to twelve bits.
    Lzw {
        /// Whether codes grow one early.
        is_early: bool,
        /// What was done before.
        predictor: Predictor,
    },
    /// Five letters for four bytes.
    Ascii85,
    /// Two digits for a byte.
    AsciiHex,
    /// Runs of one byte.
    RunLength,
}

/// What was done to rows of samples before they were packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Predictor {
    /// 2: differences within the row, as in TIFF; from 10: as in PNG; else nothing.
    pub kind: u32,
    /// Samples of a pixel.
    pub colours: u32,
    /// Bits of a sample.
    pub bits: u32,
    /// Pixels of a row.
    pub columns: u32,
}

/// More bytes than allowed.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLong;

impl Filter {
    /// What was packed, up to the first damage.
    ///
    /// # Errors
    /// If it is longer than `limit`.
    pub fn undone(self, packed: &[u8], limit: usize) -> Result<Vec<u8>, TooLong> {
        let bytes = match self {
            Self::Flate(_) => inflated(packed, limit)?,
            Self::Lzw { is_early, .. } => from_lzw(packed, is_early, limit)?,
            Self::Ascii85 => from_ascii85(packed, limit),
            Self::AsciiHex => from_hex(packed),
            Self::RunLength => from_runs(packed, limit),
        };
        if bytes.len() > limit {
            return Err(TooLong);
        }
        Ok(match self {
            Self::Flate(predictor) | Self::Lzw { predictor, .. } => predictor.undone(bytes),
            _ => bytes,
        })
    }
}

fn inflated(packed: &[u8], limit: usize) -> Result<Vec<u8>, TooLong> {
    let mut stream = Decompress::new(true);
    let mut bytes = Vec::with_capacity(packed.len().saturating_mul(4).clamp(64, 1 << 16));
    loop {
        let n_read = usize::try_from(stream.total_in()).unwrap_or(packed.len());
        let before = (n_read, bytes.len());
        let left = packed.get(n_read..).unwrap_or_default();
        let status = stream.decompress_vec(left, &mut bytes, FlushDecompress::None);
        if bytes.len() > limit {
            return Err(TooLong);
        }
        let n_read = usize::try_from(stream.total_in()).unwrap_or(packed.len());
        let is_stuck = before == (n_read, bytes.len()) && bytes.len() < bytes.capacity();
        if is_stuck || !matches!(status, Ok(Status::Ok | Status::BufError)) {
            return Ok(bytes);
        }
        if bytes.len() == bytes.capacity() {
            bytes.reserve(bytes.len());
        }
    }
}

/// Each code but the first after a reset adds a string: the one before it and its own first byte, which stand
/// side by side in what is written.
fn from_lzw(packed: &[u8], is_early: bool, limit: usize) -> Result<Vec<u8>, TooLong> {
    let (mut bytes, mut strings) = (Vec::new(), Vec::<(usize, usize)>::new());
    let mut last: Option<(usize, usize)> = None;
    let (mut bits, mut n_bits, mut width) = (0_u32, 0, 9);
    for &byte in packed {
        (bits, n_bits) = ((bits << 8) | u32::from(byte), n_bits + 8);
        if n_bits < width {
            continue;
        }
        n_bits -= width;
        let code = (bits >> n_bits) & ((1 << width) - 1);
        if code == 256 {
            strings.clear();
            (last, width) = (None, 9);
            continue;
        }
        let start = bytes.len();
        let string = string_of(code, &strings, last);
        let ControlFlow::Continue((from, n)) = string else { break };
        match u8::try_from(code) {
            Ok(byte) => bytes.push(byte),
            Err(_) => (from..from + n).for_each(|at| bytes.extend(bytes.get(at).copied())),
        }
        if bytes.len() > limit {
            return Err(TooLong);
        }
        if let Some((from, n)) =
            last.filter(|_| strings.len() + 258 + usize::from(is_early) <= 4094)
        {
            strings.push((from, n + 1));
        }
        width = match strings.len() + 258 + usize::from(is_early) {
            ..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
        last = Some((start, n));
    }
    Ok(bytes)
}

/// Where the string of a code stands and how long it is; breaks at the end and at a code without one.
fn string_of(
    code: u32,
    strings: &[(usize, usize)],
    last: Option<(usize, usize)>,
) -> ControlFlow<(), (usize, usize)> {
    let string = match code {
        ..256 => Some((0, 1)),
        256..258 => None,
        _ => {
            let known = strings.get(code as usize - 258).copied();
            last.and_then(|(from, n)| known.or(Some((from, n + 1))))
        }
    };
    string.map_or(ControlFlow::Break(()), ControlFlow::Continue)
}

fn from_ascii85(packed: &[u8], limit: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(packed.len());
    let (mut group, mut n) = (0_u32, 0);
    for &byte in packed {
        match byte {
            b'z' if n == 0 => bytes.extend([0; 4]),
            b'!'..=b'u' => {
                group = group.wrapping_mul(85).wrapping_add(u32::from(byte - b'!'));
                n += 1;
            }
            b'\t' | b'\n' | b'\r' | b' ' | 0 => {}
            _ => break,
        }
        if bytes.len() > limit {
            break;
        }
        if n == 5 {
            bytes.extend(group.to_be_bytes());
            (group, n) = (0, 0);
        }
    }
    if n > 1 {
        let rest = (n..5).fold(group, |group, _| group.wrapping_mul(85).wrapping_add(84));
        bytes.extend(&rest.to_be_bytes()[..n - 1]);
    }
    bytes
}

fn from_hex(packed: &[u8]) -> Vec<u8> {
    let digits = packed.iter().take_while(|&&byte| byte != b'>');
    let mut values = digits.filter_map(|&byte| char::from(byte).to_digit(16));
    let mut bytes = Vec::with_capacity(packed.len() / 2);
    while let Some(high) = values.next() {
        bytes.extend(u8::try_from(16 * high + values.next().unwrap_or(0)));
    }
    bytes
}

fn from_runs(packed: &[u8], limit: usize) -> Vec<u8> {
    let (mut bytes, mut left) = (Vec::with_capacity(packed.len()), packed);
    while let Some((&n, rest)) = left.split_first() {
        let n = usize::from(n);
        match n {
            128 => break,
            _ if bytes.len() > limit => break,
            ..128 => {
                let (run, rest) = rest.split_at((n + 1).min(rest.len()));
                bytes.extend_from_slice(run);
                left = rest;
            }
            _ => {
                let Some((&byte, rest)) = rest.split_first() else { break };
                bytes.extend(std::iter::repeat_n(byte, 257 - n));
                left = rest;
            }
        }
    }
    bytes
}

impl Predictor {
    fn undone(self, bytes: Vec<u8>) -> Vec<u8> {
        let bits = self.bits.saturating_mul(self.colours);
        let width = (bits.saturating_mul(self.columns) as usize).div_ceil(8);
        match self.kind {
            _ if width == 0 => bytes,
            2 => self.undone_in_rows(bytes, width),
            10.. => undone_as_png(&bytes, width, (bits as usize).div_ceil(8)),
            _ => bytes,
        }
    }

    fn undone_in_rows(self, mut bytes: Vec<u8>, width: usize) -> Vec<u8> {
        let pixel = self.bits.saturating_mul(self.colours) as usize / 8;
        for row in bytes.chunks_mut(width) {
            match self.bits {
                1 => {
                    let bit = |row: &[u8], at: usize| (row[at / 8] >> (7 - at % 8)) & 1;
                    for at in 1..8 * row.len() {
                        row[at / 8] ^= bit(row, at - 1) << (7 - at % 8);
                    }
                }
                16 => {
                    for at in (pixel..row.len().saturating_sub(1)).step_by(2) {
                        let sample = |at: usize| u16::from_be_bytes([row[at], row[at + 1]]);
                        let sum = sample(at).wrapping_add(sample(at - pixel));
                        row[at..at + 2].copy_from_slice(&sum.to_be_bytes());
                    }
                }
                _ => (pixel..row.len())
                    .for_each(|at| row[at] = row[at].wrapping_add(row[at - pixel])),
            }
        }
        bytes
    }
}

fn undone_as_png(bytes: &[u8], width: usize, pixel: usize) -> Vec<u8> {
    let mut undone: Vec<u8> = Vec::with_capacity(bytes.len());
    for row in bytes.chunks(width.saturating_add(1)) {
        let Some((kind, row)) = row.split_first() else { break };
        let start = undone.len();
        for (at, &byte) in row.iter().enumerate() {
            let above = |at: usize| start.checked_sub(width).map_or(0, |start| undone[start + at]);
            let (left, corner) = match at.checked_sub(pixel) {
                Some(left) => (undone[start + left], above(left)),
                None => (0, 0),
            };
            let guess = match kind {
                1 => left,
                2 => above(at),
                3 => left.midpoint(above(at)),
                4 => nearest(left, above(at), corner),
                _ => 0,
            };
            undone.push(byte.wrapping_add(guess));
        }
    }
    undone
}

/// The predictor of Paeth.
fn nearest(left: u8, above: u8, corner: u8) -> u8 {
    let sum = i16::from(left) + i16::from(above) - i16::from(corner);
    let distance = |byte: u8| (sum - i16::from(byte)).abs();
    if distance(left) <= distance(above) && distance(left) <= distance(corner) {
        left
    } else if distance(above) <= distance(corner) {
        above
    } else {
        corner
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn deflated(bytes: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn deflate_is_read_up_to_its_damage_and_its_limit() {
        let text: Vec<u8> =
            (0..90_000_u32).map(|i| (i.wrapping_mul(i) >> 7).to_le_bytes()[0]).collect();
        let packed = deflated(&text);
        let flate = Filter::Flate(Predictor::default());
        assert_eq!(flate.undone(&packed, text.len()).unwrap(), text);
        assert_eq!(flate.undone(&packed, text.len() - 1), Err(TooLong));
        let cut = flate.undone(&packed[..packed.len() / 2], text.len()).unwrap();
        assert!(cut.len() > 8_000 && text.starts_with(&cut));
        let mut damaged = packed.clone();
        damaged.truncate(packed.len() - 4);
        damaged.extend([1, 2, 3, 4]);
        assert_eq!(flate.undone(&damaged, text.len()).unwrap(), text);
        assert_eq!(flate.undone(b"no deflate", 9).unwrap(), b"");
        let bomb = deflated(&vec![0; 10_000_000]);
        assert_eq!(flate.undone(&bomb, 9_999_999), Err(TooLong));
    }

    #[test]
    fn the_standards_examples_are_read() {
        let lzw = Filter::Lzw { is_early: true, predictor: Predictor::default() };
        let packed = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01];
        let text = [45, 45, 45, 45, 45, 65, 45, 45, 45, 66];
        assert_eq!(lzw.undone(&packed, 99).unwrap(), text);
        assert_eq!(lzw.undone(&packed, 9), Err(TooLong));
        assert_eq!(Filter::AsciiHex.undone(b"2F 5\n8 2>41", 9).unwrap(), b"/X ");
        assert_eq!(
            Filter::Ascii85.undone(b"9jqo^ BlbD-BleB1z~>z", 99).unwrap(),
            *b"Man is disti\0\0\0\0"
        );
        assert_eq!(Filter::Ascii85.undone(b"9jqo^Bl~>", 99).unwrap(), b"Man i");
        assert_eq!(Filter::RunLength.undone(b"\x01ab\xfec\x80d", 99).unwrap(), b"abccc");
        assert_eq!(Filter::RunLength.undone(b"\x09a", 99).unwrap(), b"a");
    }

    #[test]
    fn codes_of_lzw_grow() {
        // All codes written as single bytes, their width as the number of strings asks for.
        for is_early in [false, true] {
            let text: Vec<u8> = (0..3000_u32).map(|i| ((i * 7) >> 3).to_le_bytes()[0]).collect();
            let (mut bits, mut packed) = (Vec::new(), Vec::new());
            for (i, &byte) in text.iter().enumerate() {
                let n = i.saturating_sub(1) + 258 + usize::from(is_early);
                let width = if n < 512 {
                    9
                } else if n < 1024 {
                    10
                } else if n < 2048 {
                    11
                } else {
                    12
                };
                bits.extend((0..width).rev().map(|bit| (u32::from(byte) >> bit) & 1));
            }
            bits.extend([0; 7]);
            packed.extend(
                bits.chunks_exact(8)
                    .map(|bits| bits.iter().fold(0, |a, b| 2 * a + b).to_le_bytes()[0]),
            );
            let lzw = Filter::Lzw { is_early, predictor: Predictor::default() };
            assert_eq!(lzw.undone(&packed, 9999).unwrap()[..3000], text);
        }
    }

    #[test]
    fn predictors_are_undone() {
        let undone = |kind, colours, bits, rows: &[u8]| {
            Predictor { kind, colours, bits, columns: 3 }.undone(rows.to_vec())
        };
        let rows = [1, 5, 1, 1, 2, 1, 1, 1, 3, 2, 2, 2, 4, 9, 0, 0, 0, 7, 8, 9];
        let read = [5, 6, 7, 6, 7, 8, 5, 8, 10, 14, 14, 14, 7, 8, 9];
        assert_eq!(undone(12, 1, 8, &rows), read);
        assert_eq!(undone(2, 1, 8, &[5, 1, 1, 7, 1]), [5, 6, 7, 7, 8]);
        assert_eq!(undone(2, 1, 16, &[0, 255, 0, 1, 0, 1]), [0, 255, 1, 0, 1, 1]);
        assert_eq!(
            undone(2, 8, 1, &[0b1010_0000, 0b1000_0000, 0])[..2],
            [0b1100_0000, 0b1111_1111]
        );
        assert_eq!(undone(1, 1, 8, &[1, 2]), [1, 2]);
        assert_eq!(undone(15, 0, 8, &[1, 2]), [1, 2]);
    }
}
