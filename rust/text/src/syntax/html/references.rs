//! Character references (`&lt;`, `&#8217;`) and line ends, as the HTML standard resolves them.
//!
//! A reference may lack its semicolon (`&lt` is `<`), and in an attribute then means less (`?a=1&lt=2` is left
//! alone); numbers of Windows-1252 are what that encoding says. Most texts have none, and are borrowed.

use std::borrow::Cow;

use markup5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// Where a text stands: references without a semicolon mean less in attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Between tags.
    Text,
    /// The value of an attribute.
    Attribute,
}

/// `raw` with its references resolved and its line ends made `\n`. O(n); free if it has neither.
pub fn resolve(raw: &str, place: Place) -> Cow<'_, str> {
    let Some(mut at) = memchr::memchr2(b'&', b'\r', raw.as_bytes()) else {
        return Cow::Borrowed(raw);
    };
    let mut out = String::with_capacity(raw.len());
    let mut done = 0;
    loop {
        out.push_str(&raw[done..at]);
        done = match raw.as_bytes()[at] {
            b'\r' => at + line_end(&raw[at..], &mut out),
            _ => at + reference(&raw[at..], place, &mut out),
        };
        match memchr::memchr2(b'&', b'\r', &raw.as_bytes()[done..]) {
            Some(next) => at = done + next,
            None => break,
        }
    }
    out.push_str(&raw[done..]);
    Cow::Owned(out)
}

/// Writes the line end that begins `raw`; the bytes it takes.
fn line_end(raw: &str, out: &mut String) -> usize {
    out.push('\n');
    if raw.starts_with("\r\n") { 2 } else { 1 }
}

/// Writes what the reference that begins `raw` means, or its `&`; the bytes it takes.
fn reference(raw: &str, place: Place, out: &mut String) -> usize {
    let body = &raw[1..];
    let found = match body.strip_prefix('#') {
        Some(number) => numeric(number, out).map(|n| n + 1),
        None => named(body, place, out),
    };
    found.map_or_else(
        || {
            out.push('&');
            1
        },
        |n| n + 1,
    )
}

/// A reference by number: the bytes behind `&#` that it takes.
fn numeric(body: &str, out: &mut String) -> Option<usize> {
    let (radix, digits) = match body.strip_prefix(['x', 'X']) {
        Some(digits) => (16, digits),
        None => (10, body),
    };
    let n_digits = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
    if n_digits == 0 {
        return None;
    }
    let value = digits[..n_digits].chars().filter_map(|c| c.to_digit(radix));
    out.push(code_point(
        value.fold(0, |all: u32, digit| all.saturating_mul(radix).saturating_add(digit)),
    ));
    let semicolon = usize::from(digits[n_digits..].starts_with(';'));
    Some(body.len() - digits.len() + n_digits + semicolon)
}

/// What a number means: Windows-1252 between U+0080 and U+009F, U+FFFD for what is no character.
fn code_point(value: u32) -> char {
    if (0x80..0xa0).contains(&value) {
        let replaced = C1_REPLACEMENTS[(value - 0x80) as usize];
        return replaced.or(char::from_u32(value)).unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    char::from_u32(value).filter(|c| *c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// A reference by name, the longest there is: the bytes behind `&` that it takes.
fn named(body: &str, place: Place, out: &mut String) -> Option<usize> {
    let mut best = None;
    for (at, byte) in body.bytes().enumerate() {
        if !byte.is_ascii_alphanumeric() && byte != b';' {
            break;
        }
        // The table holds each prefix of a name, with zeros for those that are none themselves.
        let Some(&(first, second)) = NAMED_ENTITIES.get(&body[..=at]) else { break };
        if first != 0 {
            best = Some((at + 1, first, second));
        }
    }
    let (n_bytes, first, second) = best?;
    if place == Place::Attribute && !body[..n_bytes].ends_with(';') {
        let next = body.as_bytes().get(n_bytes);
        if next.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'=') {
            return None;
        }
    }
    out.extend(char::from_u32(first));
    out.extend(char::from_u32(second).filter(|c| *c != '\0'));
    Some(n_bytes)
}
