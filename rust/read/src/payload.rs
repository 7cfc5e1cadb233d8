//! Payload of elements: JSON, compressed, in base64, decoded without trusting its size.
//!
//! A kilobyte of zlib can be a megabyte of zeros (a "zip bomb"), so the stream is decoded in steps and given up
//! when it exceeds a bound; no header is believed.

use std::io::Read as _;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::bufread::{GzDecoder, ZlibDecoder};

use chunkwright_text::error::{Error, Result};
use chunkwright_text::unicode::space::is_space;

/// What a payload may come to by default, decoded; Unstructured's own limit.
const MAX_DECODED_BYTES: u64 = 200 * 1024 * 1024;
/// How gzip begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Whether a text looks like elements in base64, as nothing else does. O(n).
pub fn is_payload(text: &str) -> bool {
    let begins = |start: &&str| text.starts_with(*start);
    let Some(start) = ["eA", "eF", "eJ", "eN", "H4sI"].iter().find(|start| begins(start)) else {
        return false;
    };
    let bare = text.trim_end_matches(is_space);
    let digits = bare.strip_suffix("==").or_else(|| bare.strip_suffix('=')).unwrap_or(bare);
    let is_digit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/') || is_space(c);
    digits.get(start.len()..).is_some_and(|digits| digits.chars().all(is_digit))
}

/// The JSON in a payload: base64 of a zlib stream, as Unstructured writes it, or of a gzip one. O(n).
///
/// ```
/// use chunkwright_read::payload::{decoded, is_payload};
///
/// let payload = "eJyLrlYqSa0oUbJSUKpQqo0FACgQBNA=";
/// assert!(is_payload(payload));
/// assert_eq!(decoded(payload)?, r#"[{"text": "x"}]"#);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Read`] if it is none, or a larger one than is allowed.
pub fn decoded(payload: &str) -> Result<String> {
    let wrong = |reason: String| Error::read(format!("orig_elements {reason}"));
    let digits: String = payload.split(is_space).collect();
    let data = STANDARD.decode(digits).map_err(|error| wrong(format!("is not base64: {error}")))?;
    let mut json = Vec::new();
    let most = MAX_DECODED_BYTES + 1;
    let read = if data.starts_with(&GZIP) {
        GzDecoder::new(&data[..]).take(most).read_to_end(&mut json)
    } else {
        ZlibDecoder::new(&data[..]).take(most).read_to_end(&mut json)
    };
    match read {
        Ok(n_bytes) if n_bytes as u64 == most => {
            let limit = format!("max_decoded_bytes={MAX_DECODED_BYTES}");
            Err(wrong(format!("decodes to more than {limit}")))
        }
        Ok(_) => String::from_utf8(json).map_err(|error| wrong(format!("holds no JSON: {error}"))),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Err(wrong("is truncated: its stream has no end".into()))
        }
        Err(error) => Err(wrong(format!("is neither zlib nor gzip: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Of `[{"text": "x"}]`.
    const ZLIB: &str = "eJyLrlYqSa0oUbJSUKpQqo0FACgQBNA=";

    #[test]
    fn payloads_are_decoded() {
        assert!(is_payload(ZLIB) && is_payload(&format!("{} \n", ZLIB.replacen('a', "a\n", 1))));
        for text in ["", "e", "eX==", "eJ,", "[1]", "eJ=A", "text"] {
            assert!(!is_payload(text), "{text}");
        }
        assert_eq!(decoded(ZLIB).unwrap(), r#"[{"text": "x"}]"#);
    }

    #[test]
    fn what_is_none_is_named() {
        for (payload, reason) in [
            ("eJ,", "is not base64"),
            ("eHh4", "is neither zlib nor gzip"),
            (&ZLIB[..16], "is truncated"),
            ("H4sI", "is truncated"),
        ] {
            let error = decoded(payload).unwrap_err().to_string();
            assert!(error.contains(reason), "{payload}: {error}");
        }
    }
}
