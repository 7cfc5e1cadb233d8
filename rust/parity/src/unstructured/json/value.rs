//! Value of JSON whose texts are borrowed, and of which nothing is lost.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::ascii;

/// A value of JSON that Python reads, and writes in two ways, as it is done here.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number without a fraction, of 64 bits.
    Int(i128),
    /// Any other number, of a size that all write without an exponent.
    Float(f64),
    /// A string.
    Text(Cow<'a, str>),
    /// An array.
    List(Vec<Self>),
    /// An object: its members in order, no two of the same name.
    Members(Vec<(Cow<'a, str>, Self)>),
}

/// Arrays and objects in one another, at most.
const MAX_DEPTH: usize = 24;

/// Members of an object, at most: each is compared with all others.
const MAX_MEMBERS: usize = 64;

impl Value<'_> {
    /// Its string.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Whether it is an empty array or object.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::List(list) => list.is_empty(),
            Self::Members(members) => members.is_empty(),
            _ => false,
        }
    }

    /// What Python's `len` says.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.chars().count(),
            Self::List(list) => list.len(),
            Self::Members(members) => members.len(),
            _ => 0,
        }
    }

    /// Writes it as Python does: in ASCII, names sorted, with blanks.
    pub fn write_ascii(&self, json: &mut Vec<u8>) {
        match self {
            Self::Text(text) => write_ascii(json, text),
            Self::List(list) => {
                json.push(b'[');
                for (n, value) in list.iter().enumerate() {
                    json.extend_from_slice(if n > 0 { b", " } else { b"" });
                    value.write_ascii(json);
                }
                json.push(b']');
            }
            Self::Members(members) => {
                let members = members.iter().map(|(name, value)| (&**name, value)).collect();
                write_object(json, members, |json, _, value| value.write_ascii(json));
            }
            plain => plain.write_plain(json),
        }
    }

    /// Writes it without blanks, in UTF-8.
    pub fn write(&self, json: &mut Vec<u8>) {
        match self {
            Self::Text(text) => write_text(json, text),
            Self::List(list) => write_list(json, list),
            Self::Members(members) => {
                json.push(b'{');
                for (n, (name, value)) in members.iter().enumerate() {
                    json.extend_from_slice(if n > 0 { b"," } else { b"" });
                    write_text(json, name);
                    json.push(b':');
                    value.write(json);
                }
                json.push(b'}');
            }
            plain => plain.write_plain(json),
        }
    }

    /// Writes what has no parts.
    fn write_plain(&self, json: &mut Vec<u8>) {
        match self {
            Self::Bool(true) => json.extend_from_slice(b"true"),
            Self::Bool(false) => json.extend_from_slice(b"false"),
            Self::Int(number) => json.extend_from_slice(number.to_string().as_bytes()),
            Self::Float(number) => ascii::float(json, *number),
            _ => json.extend_from_slice(b"null"),
        }
    }
}

/// Writes an object of `members`, sorted by name, as Python does.
pub fn write_object<T>(
    json: &mut Vec<u8>,
    mut members: Vec<(&str, T)>,
    mut write: impl FnMut(&mut Vec<u8>, &str, T),
) {
    members.sort_unstable_by_key(|(name, _)| *name);
    json.push(b'{');
    for (n, (name, value)) in members.into_iter().enumerate() {
        json.extend_from_slice(if n > 0 { b", " } else { b"" });
        write_ascii(json, name);
        json.extend_from_slice(b": ");
        write(json, name, value);
    }
    json.push(b'}');
}

/// Writes a string in ASCII.
pub fn write_ascii(json: &mut Vec<u8>, text: &str) {
    json.push(b'"');
    ascii::escape(json, text);
    json.push(b'"');
}

/// Writes a string in UTF-8.
pub fn write_text(json: &mut Vec<u8>, text: &str) {
    json.push(b'"');
    ascii::escape_least(json, text);
    json.push(b'"');
}

/// Writes an array without blanks, in UTF-8.
pub fn write_list<'v, 'a: 'v>(json: &mut Vec<u8>, list: impl IntoIterator<Item = &'v Value<'a>>) {
    json.push(b'[');
    for (n, value) in list.into_iter().enumerate() {
        json.extend_from_slice(if n > 0 { b"," } else { b"" });
        value.write(json);
    }
    json.push(b']');
}

impl<'de: 'a, 'a> Deserialize<'de> for Value<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        of_json(<&RawValue>::deserialize(deserializer)?.get(), MAX_DEPTH).map_err(D::Error::custom)
    }
}

/// The value of valid JSON. O(its length), for each level of what is nested.
fn of_json<'a>(json: &'a str, depth: usize) -> serde_json::Result<Value<'a>> {
    let within = |json: &'a str| match depth.checked_sub(1) {
        Some(depth) => of_json(json, depth),
        None => Err(Error::custom("nested too deep")),
    };
    Ok(match json.as_bytes() {
        [b'"', inner @ .., b'"'] if !inner.contains(&b'\\') => {
            Value::Text(Cow::Borrowed(&json[1..json.len() - 1]))
        }
        [b'"', ..] => Value::Text(serde_json::from_str::<Str<'_>>(json)?.0),
        [b'{', ..] => {
            let RawMembers(members) = serde_json::from_str(json)?;
            let member = |(name, raw): (_, &'a RawValue)| Ok((name, within(raw.get())?));
            Value::Members(members.into_iter().map(member).collect::<serde_json::Result<_>>()?)
        }
        [b'[', ..] => {
            let list: Vec<&RawValue> = serde_json::from_str(json)?;
            let list = list.into_iter().map(|raw| within(raw.get()));
            Value::List(list.collect::<serde_json::Result<_>>()?)
        }
        b"null" => Value::Null,
        b"true" => Value::Bool(true),
        b"false" => Value::Bool(false),
        _ => number(json).ok_or_else(|| Error::custom("a number of another size"))?,
    })
}

/// A number, if all that read and write it agree about it.
fn number<'a>(json: &str) -> Option<Value<'a>> {
    if json.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        let (signed, unsigned) = (json.parse::<i64>(), json.parse::<u64>());
        return signed.map(i128::from).or(unsigned.map(i128::from)).ok().map(Value::Int);
    }
    let number = json.parse::<f64>().ok()?;
    (number == 0.0 || (1e-4..1e16).contains(&number.abs())).then_some(Value::Float(number))
}

/// A string, borrowed if it has no escapes.
pub struct Str<'a>(pub Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Str<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfText;
        impl<'de> Visitor<'de> for OfText {
            type Value = Str<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Str<'de>, E> {
                Ok(Str(Cow::Borrowed(text)))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Str<'de>, E> {
                Ok(Str(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(OfText)
    }
}

/// The members of an object in order, as they are written.
struct RawMembers<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for RawMembers<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfMembers;
        impl<'de> Visitor<'de> for OfMembers {
            type Value = RawMembers<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members: Vec<(Cow<'de, str>, _)> = Vec::new();
                while let Some((Str(name), value)) = map.next_entry()? {
                    if members.len() == MAX_MEMBERS || members.iter().any(|(of, _)| *of == name) {
                        return Err(A::Error::custom("a name twice, or too many of them"));
                    }
                    members.push((name, value));
                }
                Ok(RawMembers(members))
            }
        }
        deserializer.deserialize_map(OfMembers)
    }
}
