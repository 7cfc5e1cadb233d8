//! Python's `str` and `repr` of values, and its classes of characters.

use std::fmt::Write;
use std::sync::LazyLock;

use regex::Regex;

use chunkwright_read::docling::Value;
use chunkwright_text::unicode::classes::Class;

/// Whether `str.isalnum` is true of it.
pub fn is_alphanumeric(c: char) -> bool {
    let class = Class::of(c);
    class.is_letter() || class.is_number()
}

/// Whether `\w` matches it.
pub fn is_word(c: char) -> bool {
    c == '_' || is_alphanumeric(c)
}

/// `str(value)`; nothing of what is false, such as zero.
pub fn str_of_true(value: &Value) -> Option<String> {
    let is_true = match value {
        Value::Null | Value::Bool(false) | Value::Int(0) => false,
        Value::Float(number) => *number != 0.0,
        Value::Text(text) => return Some(text.clone()).filter(|text| !text.is_empty()),
        Value::List(list) => !list.is_empty(),
        Value::Members(members) => !members.is_empty(),
        Value::Bool(true) | Value::Int(_) => true,
    };
    is_true.then(|| repr(value))
}

/// `repr(value)` of what `json` makes of a value.
pub fn repr(value: &Value) -> String {
    match value {
        Value::Null => String::from("None"),
        Value::Bool(true) => String::from("True"),
        Value::Bool(false) => String::from("False"),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => repr_of_float(*number),
        Value::Text(text) => repr_of_str(text),
        Value::List(list) => {
            format!("[{}]", list.iter().map(repr).collect::<Vec<_>>().join(", "))
        }
        Value::Members(members) => {
            let member =
                |(key, value): &(String, Value)| format!("{}: {}", repr_of_str(key), repr(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The shortest digits that read back the same; with an exponent below 1e-4 and from 1e16 on.
pub fn repr_of_float(number: f64) -> String {
    if !number.is_finite() {
        return if number.is_nan() { "nan".into() } else { format!("{number}") };
    }
    let plain = format!("{number:?}");
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>() {
        Ok(exponent) if number != 0.0 && !(-4..16).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
        // Rust changes to exponents elsewhere.
        _ if plain.contains('e') => {
            let whole = format!("{number}");
            if whole.contains('.') { whole } else { whole + ".0" }
        }
        _ => plain,
    }
}

/// A string between quotes, what cannot be printed escaped.
pub fn repr_of_str(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        let code = u32::from(c);
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if c == quote => out.extend(['\\', c]),
            _ if is_printable(c) => out.push(c),
            // A string takes whatever is written.
            _ => drop(match code {
                0..=0xff => write!(out, "\\x{code:02x}"),
                0x100..=0xffff => write!(out, "\\u{code:04x}"),
                _ => write!(out, "\\U{code:08x}"),
            }),
        }
    }
    out.push(quote);
    out
}

fn is_printable(c: char) -> bool {
    static HIDDEN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[\p{C}\p{Z}]").ok());
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    let mut bytes = [0; 4];
    let c = c.encode_utf8(&mut bytes);
    HIDDEN.as_ref().is_none_or(|hidden| !hidden.is_match(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_as_python_has_them() {
        let cases = [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (123_456_789_012_345.0, "123456789012345.0"),
            (1.5e-5, "1.5e-05"),
            (0.0001, "0.0001"),
            (-0.0, "-0.0"),
            (0.997_829_020_023_346, "0.997829020023346"),
        ];
        for (number, expected) in cases {
            assert_eq!(repr_of_float(number), expected);
        }
    }

    #[test]
    fn strings_are_as_python_has_them() {
        assert_eq!(repr_of_str("it's"), "\"it's\"");
        assert_eq!(repr_of_str("it's \"so\""), "'it\\'s \"so\"'");
        assert_eq!(repr_of_str("a\\\n\u{7f}\u{a0}\u{200b}é"), "'a\\\\\\n\\x7f\\xa0\\u200bé'");
    }
}
