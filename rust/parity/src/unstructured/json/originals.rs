//! Original elements of a chunk as JSON, before they are compressed.

use super::ascii;
use super::elements::JsonElement;
use super::ids::uuid;
use super::value::{Value, write_ascii, write_object};

/// A part of an element's JSON.
enum Part<'v> {
    Text(&'v str),
    Id(usize),
    Checked(bool),
    Metadata,
}

/// Writes a JSON array of `elements`, the first of which is number `first`; those without an id get one of `seed`.
pub fn write(json: &mut Vec<u8>, elements: &[JsonElement<'_>], first: usize, seed: &[u8]) {
    json.push(b'[');
    for (n, element) in elements.iter().enumerate() {
        json.extend_from_slice(if n > 0 { b", " } else { b"" });
        let id = element.id.as_deref().map_or(Part::Id(first + n), Part::Text);
        let mut parts = vec![
            ("element_id", id),
            ("metadata", Part::Metadata),
            ("text", Part::Text(&element.text)),
            ("type", Part::Text(element.category)),
        ];
        parts.extend(element.checked.map(|checked| ("checked", Part::Checked(checked))));
        write_object(json, parts, |json, _, part| match part {
            Part::Text(text) => write_ascii(json, text),
            Part::Id(i) => write_ascii(json, &uuid(seed, b"element", i)),
            Part::Checked(checked) => Value::Bool(checked).write_ascii(json),
            Part::Metadata => write_metadata(json, element),
        });
    }
    json.push(b']');
}

fn write_metadata(json: &mut Vec<u8>, element: &JsonElement<'_>) {
    let members = element.metadata.iter().map(|(name, _, value)| (&**name, value));
    let members = members.filter(|(name, _)| !name.starts_with('_')).collect();
    write_object(json, members, |json, name, value| match (name, value) {
        ("coordinates", Value::Members(members)) => write_coordinates(json, members),
        ("detection_class_prob", value) => write_rounded(json, value, 5),
        (_, value) => value.write_ascii(json),
    });
}

/// Whole and half pixels say enough.
fn write_coordinates(json: &mut Vec<u8>, members: &[(std::borrow::Cow<'_, str>, Value<'_>)]) {
    let is_pixels = |(name, value): &(_, Value<'_>)| {
        *name == "system" && value.text().is_some_and(|system| system == "PixelSpace")
    };
    let n_digits = if members.iter().any(is_pixels) { 1 } else { 2 };
    let members = members.iter().map(|(name, value)| (&**name, value)).collect();
    write_object(json, members, |json, name, value| match (name, value) {
        ("points", Value::List(points)) => {
            json.push(b'[');
            for (n, point) in points.iter().enumerate() {
                json.extend_from_slice(if n > 0 { b", [" } else { b"[" });
                let numbers = if let Value::List(numbers) = point { &**numbers } else { &[] };
                for (n, number) in numbers.iter().enumerate() {
                    json.extend_from_slice(if n > 0 { b", " } else { b"" });
                    write_rounded(json, number, n_digits);
                }
                json.push(b']');
            }
            json.push(b']');
        }
        (_, value) => value.write_ascii(json),
    });
}

fn write_rounded(json: &mut Vec<u8>, value: &Value<'_>, n_digits: usize) {
    match value {
        Value::Float(number) => ascii::rounded(json, *number, n_digits),
        value => value.write_ascii(json),
    }
}
