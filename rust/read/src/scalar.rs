//! Scalars of JSON whose types nobody promised: strings, integers, and what else stands in their place.
//!
//! Programs write `"page_number": "3"` or `3.0` where an integer is meant, and Python's JSON writes halves of
//! surrogate pairs, which no UTF-8 has. A file is not refused for that; what cannot be kept is told by its type.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A string; a lone surrogate, which UTF-8 cannot say, is U+FFFD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text<'a>(pub Cow<'a, str>);

/// A value that should be a string or a number.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<'a> {
    /// An integer of 64 bits; false is 0 and true is 1.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    Text(Text<'a>),
    /// A list or an object.
    Other,
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As bytes, serde_json gives surrogates, too.
        deserializer.deserialize_bytes(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Text(Cow::Borrowed(text))),
            Err(_) => self.visit_bytes(bytes),
        }
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        let mut bytes = bytes.to_vec();
        if std::str::from_utf8(&bytes).is_err() {
            replace_surrogates(&mut bytes);
        }
        String::from_utf8(bytes).map(|text| Text(Cow::Owned(text))).map_err(E::custom)
    }
}

/// Replaces what would be the UTF-8 of surrogates by that of U+FFFD, which is as long.
fn replace_surrogates(bytes: &mut [u8]) {
    for i in 0..bytes.len().saturating_sub(2) {
        if bytes[i] == 0xed && bytes[i + 1] >= 0xa0 {
            bytes[i..i + 3].copy_from_slice("\u{fffd}".as_bytes());
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Scalar<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string or a number")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Scalar::Integer(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Scalar::Integer(value))
    }

    #[allow(clippy::cast_precision_loss, reason = "a number that large is compared only")]
    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(i64::try_from(value).map_or(Scalar::Float(value as f64), Scalar::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Scalar::Float(value))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Text(Cow::Borrowed(value))))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Text(Cow::Owned(value.to_owned()))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other)
    }
}
