//! Lone surrogates in JSON, whose escapes stand for no text, replaced by U+FFFD.

use std::borrow::Cow;

use memchr::memchr;

/// The escape of U+FFFD, which is as long as that of a surrogate: places in the JSON stay what they are.
const REPLACEMENT: &[u8] = b"\\ufffd";

#[derive(PartialEq, Eq)]
enum Surrogate {
    High,
    Low,
}

/// `json` with U+FFFD for each escape of a lone surrogate. O(bytes).
pub fn replaced(json: &[u8]) -> Cow<'_, [u8]> {
    let mut replaced = Cow::Borrowed(json);
    let mut at = 0;
    while let Some(next) = json.get(at..).and_then(|rest| memchr(b'\\', rest)) {
        at += next;
        let length = REPLACEMENT.len();
        at += match (surrogate(json, at), surrogate(json, at + length)) {
            (None, _) => 2,
            (Some(Surrogate::High), Some(Surrogate::Low)) => 2 * length,
            (Some(_), _) => {
                replaced.to_mut()[at..at + length].copy_from_slice(REPLACEMENT);
                length
            }
        };
    }
    replaced
}

/// The surrogate whose escape is at that place, if there is one.
fn surrogate(json: &[u8], at: usize) -> Option<Surrogate> {
    let escape = json.get(at..at + REPLACEMENT.len())?;
    let &[b'\\', b'u', b'd' | b'D', third, fourth, fifth] = escape else { return None };
    if !(fourth.is_ascii_hexdigit() && fifth.is_ascii_hexdigit()) {
        return None;
    }
    match third {
        b'8' | b'9' | b'a' | b'b' | b'A' | b'B' => Some(Surrogate::High),
        b'c'..=b'f' | b'C'..=b'F' => Some(Surrogate::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_are_replaced_and_pairs_kept() {
        for (json, expected) in [
            (r#""a""#, r#""a""#),
            (r#""\ud800""#, r#""\ufffd""#),
            (r#""\uDC00\uD800""#, r#""\ufffd\ufffd""#),
            (r#""\ud83d\ude80""#, r#""\ud83d\ude80""#),
            (r#""\ud83d\ud83d\ude80""#, r#""\ufffd\ud83d\ude80""#),
            (r#""\\ud800 \\\udfff""#, r#""\\ud800 \\\ufffd""#),
            (r#""\ud7ff \ue000 \ud8""#, r#""\ud7ff \ue000 \ud8""#),
            (r#""\ud80g""#, r#""\ud80g""#),
            (r"\", r"\"),
        ] {
            assert_eq!(replaced(json.as_bytes()), expected.as_bytes(), "{json}");
        }
    }

    #[test]
    fn nothing_is_copied_without_a_reason() {
        assert!(matches!(replaced(br#"{"a": "\ud83d\ude80 \n"}"#), Cow::Borrowed(_)));
    }
}
