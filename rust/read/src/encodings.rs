//! Encodings of texts that state none, told by their bytes.
//!
//! UTF-8 is nearly never valid by chance, and UTF-16 shows by the zeros of its blanks and line ends. All others are told
//! by the detector of Firefox, which knows what letters of a language stand side by side.

use chardetng::EncodingDetector;

/// So many bytes from the first odd one on tell an encoding, with those in front of it.
const SAMPLE: usize = 1 << 18;
const BEFORE: usize = 1 << 10;
/// So many bytes tell UTF-16, and how many of its characters are common ones.
const HEAD: usize = 1 << 13;
const MIN_COMMON: f64 = 0.9;
/// So many times as many whole characters as broken ones has UTF-8 that was damaged.
const WHOLE_FOR_BROKEN: usize = 2;
/// How ISO-2022-JP says that Japanese comes.
const SWITCH: &[u8] = b"\x1b$";

/// The encoding of a text by its bytes, as the Encoding Standard names it. O(n).
///
/// ```
/// use chunkwright_read::encodings::told;
///
/// assert_eq!(told("Grüße".as_bytes()), "UTF-8");
/// assert_eq!(told(b"Gr\xfc\xdfe aus M\xfcnchen"), "windows-1252");
/// assert_eq!(told(b"R\0a\0i\0n\0\r\0\n\0"), "UTF-16LE");
/// ```
pub fn told(data: &[u8]) -> &'static str {
    if let Some(wide) = wide(data) {
        return wide;
    }
    let (mut n_whole, mut n_broken) = (0, 0);
    for chunk in data.utf8_chunks() {
        n_whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        n_broken += usize::from(!chunk.invalid().is_empty());
    }
    // Old mail from Japan is ASCII that switches to other characters.
    let switches = n_whole + n_broken == 0 && memchr::memmem::find(data, SWITCH).is_some();
    if !switches && n_whole >= WHOLE_FOR_BROKEN * n_broken {
        return "UTF-8";
    }
    let first = data.iter().position(|byte| !byte.is_ascii()).unwrap_or_default();
    let start = first.saturating_sub(BEFORE);
    let mut detector = EncodingDetector::new();
    detector.feed(&data[start..data.len().min(first + SAMPLE)], true);
    detector.guess(None, false).name()
}

/// UTF-16 that no mark tells of: its zeros stand at one side, and what it says are common characters.
fn wide(data: &[u8]) -> Option<&'static str> {
    let head = &data[..data.len().min(HEAD)];
    if !data.len().is_multiple_of(2) || !head.contains(&0) {
        return None;
    }
    let zeros = |side: usize| head.iter().skip(side).step_by(2).filter(|byte| **byte == 0).count();
    let (before, behind) = (zeros(0), zeros(1));
    // Letters of ASCII side by side, with a stray zero, would be Chinese.
    let is_letter = |byte: &u8| matches!(*byte, 0 | b'\t'..=b'\r' | b' '..=b'~');
    if head.iter().all(is_letter) && 4 * before.max(behind) < head.len() / 2 {
        return None;
    }
    let (is_little, name) = match (before, behind) {
        (before, behind) if before < behind => (true, "UTF-16LE"),
        _ => (false, "UTF-16BE"),
    };
    let units = head.chunks_exact(2).map(|pair| {
        let pair = [pair[0], pair[1]];
        if is_little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
    });
    let (mut n, mut n_common) = (0_u32, 0_u32);
    for c in char::decode_utf16(units) {
        let c = match c {
            Ok(c) => c,
            // The head may end in a pair.
            Err(_) if n > 0 && head.len() == HEAD => continue,
            Err(_) => return None,
        };
        if c.is_control() && !c.is_whitespace() {
            return None;
        }
        n += 1;
        // Signs above and below letters, and blocks of scripts that are full of them.
        let is_sign =
            matches!(c, '\u{300}'..='\u{36f}' | '\u{590}'..='\u{109f}' | '\u{3000}'..='\u{30ff}');
        let is_common = is_sign || c.is_alphanumeric() || c.is_whitespace() || c.is_ascii_graphic();
        n_common += u32::from(is_common);
    }
    (f64::from(n_common) >= MIN_COMMON * f64::from(n)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn utf_16(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn damaged_utf_8_is_none_of_another_encoding() {
        let text = "Größe über alles, schöne Grüße. ".repeat(3);
        let mut bytes = text.into_bytes();
        bytes.push(0xff);
        assert_eq!(told(&bytes), "UTF-8");
    }

    #[test]
    fn binary_data_are_no_utf_16() {
        for data in [
            &b"a\0b"[..],
            b"we have lost a \0 of it",
            b"\0\0\0\0",
            b"\x01\0\x02\0",
            b"a\0\0\xd8b\0",
            b"\0a\0b\0\x01",
        ] {
            assert_eq!(wide(data), None, "{data:?}");
        }
    }

    proptest! {
        #[test]
        fn valid_utf_8_is_utf_8(text in "[^\0]*") {
            prop_assert_eq!(told(text.as_bytes()), "UTF-8");
        }

        #[test]
        fn utf_16_of_words_is_told(words in "[a-zα-ωа-я]{1,9}( [a-zα-ωа-я]{1,9}){1,9}") {
            prop_assert_eq!(told(&utf_16(&words)), "UTF-16LE");
            let swapped: Vec<u8> = utf_16(&words).chunks(2).flat_map(|pair| [pair[1], pair[0]]).collect();
            prop_assert_eq!(told(&swapped), "UTF-16BE");
        }
    }
}
