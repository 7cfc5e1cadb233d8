//! JSON value with the order of its keys kept, for metadata of any form.
//!
//! `serde_json`'s own map sorts keys or needs a feature that all crates of a build would share; metadata are
//! written back as they came, so their order counts.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A value of JSON; an object is a list of its members in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number without a fraction.
    Int(i128),
    /// Any other number.
    Float(f64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Self>),
    /// An object.
    Members(Members),
}

/// The members of an object, in order.
pub type Members = Vec<(String, Value)>;

impl Value {
    /// The member `key` of an object; that of later ones if it is there twice.
    ///
    /// ```
    /// use chunkwright_read::docling::Value;
    ///
    /// let value: Value = serde_json::from_str(r#"{"kind": "rain", "mm": [3, 5]}"#).unwrap();
    /// assert_eq!(value.get("kind").and_then(Value::text), Some("rain"));
    /// assert_eq!(value.get("mm").map(|mm| mm.list().len()), Some(2));
    /// assert_eq!(value.members()[1].0, "mm"); // in the order of the text
    /// ```
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Members(members) = self else { return None };
        members.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Its string.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Its number.
    #[expect(clippy::cast_precision_loss, reason = "as Python does it")]
    pub const fn float(&self) -> Option<f64> {
        match self {
            Self::Float(number) => Some(*number),
            Self::Int(number) => Some(*number as f64),
            _ => None,
        }
    }

    /// The elements of an array; none of anything else.
    pub fn list(&self) -> &[Self] {
        if let Self::List(list) = self { list } else { &[] }
    }

    /// The members of an object; none of anything else.
    pub fn members(&self) -> &[(String, Self)] {
        if let Self::Members(members) = self { members } else { &[] }
    }
}

/// Arrays and objects in one another, at most.
const MAX_DEPTH: usize = 64;

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        of_json(<&RawValue>::deserialize(deserializer)?.get(), MAX_DEPTH).map_err(D::Error::custom)
    }
}

/// The value of valid JSON. O(its length), for each level of what is nested.
fn of_json(json: &str, depth: usize) -> serde_json::Result<Value> {
    let within = |raw: &RawValue| match depth.checked_sub(1) {
        Some(depth) => of_json(raw.get(), depth),
        None => Err(Error::custom("metadata are nested too deep")),
    };
    Ok(match json.as_bytes().first() {
        Some(b'{') => {
            let RawMembers(members) = serde_json::from_str(json)?;
            let member = |(name, raw)| Ok((name, within(raw)?));
            Value::Members(members.into_iter().map(member).collect::<serde_json::Result<_>>()?)
        }
        Some(b'[') => {
            let list: Vec<&RawValue> = serde_json::from_str(json)?;
            Value::List(list.into_iter().map(within).collect::<serde_json::Result<_>>()?)
        }
        Some(b'"') => Value::Text(serde_json::from_str(json)?),
        Some(b'n') => Value::Null,
        Some(b't' | b'f') => Value::Bool(serde_json::from_str(json)?),
        _ => match (json.parse::<i64>(), json.parse::<u64>()) {
            (Ok(number), _) => Value::Int(number.into()),
            (_, Ok(number)) => Value::Int(number.into()),
            _ => Value::Float(float(json).map_err(Error::custom)?),
        },
    })
}

/// A number to the last bit, as Python reads it: what the parser makes of long ones may be beside it, and must
/// stay so, since tokenizers are read by the same one.
///
/// # Errors
/// If it is no number, or too large.
pub fn float(json: &str) -> Result<f64, String> {
    let number = json.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| format!("{json} is not a number, or is too large"))
}

/// The members of an object in order, as they are written.
struct RawMembers<'de>(Vec<(String, &'de RawValue)>);

impl<'de> Deserialize<'de> for RawMembers<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OfMembers)
    }
}

struct OfMembers;

impl<'de> Visitor<'de> for OfMembers {
    type Value = RawMembers<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(RawMembers(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact_and_members_in_order() {
        let json = r#"{"b": [-1.0915488472946557, 2e0, -7, 18446744073709551615], "a": null}"#;
        let value: Value = serde_json::from_str(json).unwrap();
        let names: Vec<&str> = value.members().iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
        let numbers = [-1.091_548_847_294_655_7, 2.0].map(Value::Float);
        assert_eq!(value.get("b").unwrap().list()[..2], numbers);
        let whole = [Value::Int(-7), Value::Int(u64::MAX.into())];
        assert_eq!(value.get("b").unwrap().list()[2..], whole);
    }

    #[test]
    fn what_is_too_deep_or_too_large_is_an_error() {
        let nested = |n| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(serde_json::from_str::<Value>(&nested(MAX_DEPTH + 1)).is_ok());
        for json in [nested(MAX_DEPTH + 2), nested(100_000), "1e999".into()] {
            assert!(serde_json::from_str::<Value>(&json).is_err());
        }
    }
}
