//! Encodings of parts: UTF-8 and UTF-16, as packages have them, and ISO 8859-1 where one says so.

/// How far into a part its declaration is looked for.
const DECLARATION: usize = 200;

/// The text of the bytes of a part; what is wrong with them if they are none. O(n).
pub fn decoded(bytes: Vec<u8>) -> Result<String, String> {
    match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => utf_16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf_16(rest, u16::from_be_bytes),
        [b'<', 0, ..] => utf_16(&bytes, u16::from_le_bytes),
        [0, b'<', ..] => utf_16(&bytes, u16::from_be_bytes),
        _ if is_latin_1(&bytes) => Ok(bytes.into_iter().map(char::from).collect()),
        _ => String::from_utf8(bytes).map_err(|error| {
            format!("not valid UTF-8 from byte {} on", error.utf8_error().valid_up_to())
        }),
    }
}

fn utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let text = char::decode_utf16(pairs.iter().map(|&pair| unit(pair))).collect::<Result<_, _>>();
    text.ok().filter(|_| rest.is_empty()).ok_or_else(|| "no UTF-16".to_owned())
}

fn is_latin_1(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARATION)]).to_lowercase();
    let declaration = head.split_once("?>").map_or("", |(declaration, _)| declaration);
    let Some((_, behind)) = declaration.split_once("encoding") else { return false };
    let name = behind.trim_start_matches([' ', '=', '"', '\'']);
    ["iso-8859-1", "latin1", "us-ascii"]
        .iter()
        .any(|latin| name.strip_prefix(latin).is_some_and(|rest| rest.starts_with(['"', '\''])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_by_their_bytes_and_declarations() {
        let little: Vec<u8> = "<é/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "\u{feff}<é/>".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [little, big, "<é/>".into()] {
            assert_eq!(decoded(bytes).as_deref(), Ok("<é/>"));
        }
        let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><\xe9/>".to_vec();
        assert!(decoded(latin).is_ok_and(|text| text.ends_with("<é/>")));
        assert!(decoded(b"<\xe9/>".to_vec()).is_err() && decoded(vec![0xff, 0xfe, 1]).is_err());
    }
}
