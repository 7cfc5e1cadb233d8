//! Values of JSON: parsed with lone surrogates replaced, and asked for by key.

use std::borrow::Cow;

use chunkwright_text::error::{Error, Result};
use serde_json::Value;

use crate::talks::clock::iso_seconds;

/// The value of a JSON text; a lone surrogate, which UTF-8 cannot say, is U+FFFD.
///
/// # Errors
/// [`Error::Read`] if it is no JSON.
pub fn parsed(text: &str) -> Result<Value> {
    let text = text.trim_start_matches('\u{feff}');
    let wrong = |error| Error::read(format!("no messages: {error}")).shortened();
    serde_json::from_str(&repaired(text)).map_err(wrong)
}

/// A JSON text whose escaped lone surrogates are those of U+FFFD. O(n).
fn repaired(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let (mut repaired, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = memchr::memchr(b'\\', &bytes[at..]).map(|found| at + found) {
        let is_half = |at: usize, of: [u8; 4]| {
            let own = bytes.get(at..at + 6).filter(|own| own.starts_with(b"\\u"));
            own.is_some_and(|own| {
                own[2].eq_ignore_ascii_case(&b'd') && of.contains(&own[3].to_ascii_lowercase())
            })
        };
        let (high, low) = (is_half(found, *b"89ab"), is_half(found, *b"cdef"));
        if high && is_half(found + 6, *b"cdef") {
            at = found + 12;
        } else if high || low {
            repaired.push_str(&text[copied..found]);
            repaired.push_str("\\ufffd");
            (at, copied) = (found + 6, found + 6);
        } else {
            at = found + 2;
        }
        if at >= bytes.len() {
            break;
        }
    }
    if repaired.is_empty() {
        return Cow::Borrowed(text);
    }
    repaired.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(repaired)
}

/// The text of a key; empty if there is none.
pub fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The list of a key, or the value itself if it is one.
pub fn list<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v Vec<Value>> {
    let of_key = keys.iter().find_map(|key| value.get(key).and_then(Value::as_array));
    value.as_array().or(of_key).filter(|items| !items.is_empty())
}

/// Seconds that a key names: a number, one in a text, or a time in ISO 8601.
pub fn seconds(value: &Value, key: &str) -> Option<f64> {
    let found = match value.get(key)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().or_else(|| iso_seconds(text.trim())),
        _ => None,
    };
    found.filter(|seconds: &f64| seconds.is_finite())
}

/// Whether most of some items are of a form: one that is not does not undo the others.
pub fn are_most(items: &[Value], is_one: impl Fn(&Value) -> bool) -> bool {
    let n = items.iter().filter(|item| is_one(item)).count();
    n > 0 && n * 2 >= items.len()
}

/// The texts of some keys of each item of a list, such as the names of files, a line each; those of the first key that
/// an item has.
pub fn named_in(value: &Value, list: &str, keys: &[&str]) -> Vec<String> {
    let items = value.get(list).and_then(Value::as_array);
    let name = |item: &Value| {
        keys.iter().map(|key| text(item, key)).find(|name| !name.is_empty()).map(str::to_owned)
    };
    items.into_iter().flatten().filter_map(name).collect()
}

/// Texts one under the other, without those of which nothing is left.
pub fn lines(texts: impl IntoIterator<Item = String>) -> String {
    let said = texts.into_iter().filter(|text| !text.trim().is_empty());
    said.collect::<Vec<_>>().join("\n")
}

/// The conversations of a list, of which most items have one; none else.
pub fn several<T>(items: &[Value], of: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    let found: Vec<T> = items.iter().filter_map(of).collect();
    (!found.is_empty() && found.len() * 2 >= items.len()).then_some(found)
}
