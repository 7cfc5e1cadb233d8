//! JSON of ASCII, as Python's `json.dumps(…, sort_keys=True)` writes it: texts and numbers.

use std::io::Write;

/// Writes `text` as it stands in a JSON string of ASCII, without the quotation marks.
pub fn escape(json: &mut Vec<u8>, text: &str) {
    escape_some(json, text, |byte| !(b' '..=b'~').contains(&byte) | is_always_escaped(byte));
}

/// Writes `text` as it stands in a JSON string of UTF-8, without the quotation marks.
pub fn escape_least(json: &mut Vec<u8>, text: &str) {
    escape_some(json, text, |byte| (byte < b' ') | is_always_escaped(byte));
}

/// Whether JSON cannot hold a printable byte in a string as it is.
const fn is_always_escaped(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\')
}

fn escape_some(json: &mut Vec<u8>, text: &str, is_escaped: impl Fn(u8) -> bool) {
    let mut rest = text;
    loop {
        let (plain, odd) = rest.split_at(n_plain(rest.as_bytes(), &is_escaped));
        json.extend_from_slice(plain.as_bytes());
        let Some(c) = odd.chars().next() else { return };
        escape_char(json, c);
        rest = &odd[c.len_utf8()..];
    }
}

/// Bytes that are looked at together.
const AT_ONCE: usize = 32;

/// How many bytes there are before the first that is escaped.
fn n_plain(bytes: &[u8], is_escaped: impl Fn(u8) -> bool) -> usize {
    let is_plain = |part: &&[u8]| !part.iter().fold(false, |any, &byte| any | is_escaped(byte));
    let start = bytes.chunks_exact(AT_ONCE).take_while(is_plain).count() * AT_ONCE;
    let rest = &bytes[start..];
    start + rest.iter().position(|&byte| is_escaped(byte)).unwrap_or(rest.len())
}

fn escape_char(json: &mut Vec<u8>, c: char) {
    let short = match c {
        '"' => br#"\""#,
        '\\' => br"\\",
        '\n' => br"\n",
        '\r' => br"\r",
        '\t' => br"\t",
        '\u{8}' => br"\b",
        '\u{c}' => br"\f",
        _ => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                escape_unit(json, *unit);
            }
            return;
        }
    };
    json.extend_from_slice(short);
}

/// Writes a unit of UTF-16, which may be half of a character.
pub fn escape_unit(json: &mut Vec<u8>, unit: u16) {
    let [high, low] = unit.to_be_bytes();
    json.extend_from_slice(br"\u");
    hexadecimal(json, &[high, low]);
}

/// Writes bytes as two digits each.
pub fn hexadecimal(json: &mut Vec<u8>, bytes: &[u8]) {
    let digit = |half: u8| b"0123456789abcdef"[usize::from(half & 15)];
    json.extend(bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte)]));
}

/// Writes a float: Python's shortest digits, in the notation that `repr` chooses.
pub fn float(json: &mut Vec<u8>, number: f64) {
    if number.is_nan() {
        return json.extend_from_slice(b"NaN");
    }
    if number.is_infinite() {
        return json.extend_from_slice(if number > 0.0 { b"Infinity" } else { b"-Infinity" });
    }
    // Writing to memory cannot fail.
    let _ = match number.abs() {
        0.0 | 1e-4..1e16 => write!(json, "{number:?}"),
        _ => {
            let scientific = format!("{number:e}");
            let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
            let (sign, exponent) = match exponent.strip_prefix('-') {
                Some(exponent) => ('-', exponent),
                None => ('+', exponent),
            };
            write!(json, "{digits}e{sign}{exponent:0>2}")
        }
    };
}

/// Writes a finite float as Python's `round` leaves it: to the nearest decimal, of two equally near ones to the even
/// one.
pub fn rounded(json: &mut Vec<u8>, number: f64, n_digits: usize) {
    let decimal = format!("{number:.n_digits$}");
    float(json, decimal.parse().unwrap_or(number));
}
