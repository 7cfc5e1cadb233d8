//! Metadata of a chunk, made from those of its elements.

use std::borrow::Cow;

use chunkwright_text::unicode::space::is_space;

use super::super::ElementChunk;
use super::super::fields::{FIELDS, FILE_DIRECTORY, FILENAME, Field, N_KEPT, Rule, rule};
use super::Odd;
use super::elements::JsonElement;
use super::value::{Value, write_list, write_text};

/// A value of a chunk's metadata.
#[derive(Clone, Debug)]
pub enum Said<'v> {
    /// As an element has it.
    Value(&'v Value<'v>),
    /// What lists hold.
    List(Vec<&'v Value<'v>>),
    /// A text.
    Text(Cow<'v, str>),
    /// A number.
    Number(usize),
    /// Yes.
    True,
    /// The originals, which stand elsewhere.
    Payload,
}

impl Said<'_> {
    /// Its string.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Value(value) => value.text(),
            _ => None,
        }
    }

    /// Its number, as an element has it.
    pub const fn number(&self) -> Option<i128> {
        if let Self::Value(Value::Int(number)) = self { Some(*number) } else { None }
    }

    fn write(&self, json: &mut Vec<u8>, payload: &str) {
        match self {
            Self::Value(value) => value.write(json),
            Self::List(list) => write_list(json, list.iter().copied()),
            Self::Text(text) => write_text(json, text),
            Self::Number(number) => json.extend_from_slice(number.to_string().as_bytes()),
            Self::True => json.extend_from_slice(b"true"),
            Self::Payload => {
                // Base64 has nothing that is escaped.
                json.push(b'"');
                json.extend_from_slice(payload.as_bytes());
                json.push(b'"');
            }
        }
    }
}

/// The metadata of a chunk, in order, no two of the same name.
#[derive(Clone, Debug, Default)]
pub struct ChunkFields<'v> {
    all: Vec<(&'v str, Said<'v>)>,
}

/// What an answer of the unstructured-api leaves out.
const TAKEN_OUT: [&str; 3] = ["last_modified", "file_directory", "detection_class_prob"];

impl<'v> ChunkFields<'v> {
    /// The value under `name`.
    pub fn get(&self, name: &str) -> Option<&Said<'v>> {
        self.all.iter().find(|(of, _)| *of == name).map(|(_, value)| value)
    }

    /// Says `value` under `name`: where that stood, else behind all others.
    pub fn set(&mut self, name: &'v str, value: Said<'v>) {
        match self.all.iter_mut().find(|(of, _)| *of == name) {
            Some((_, place)) => *place = value,
            None => self.all.push((name, value)),
        }
    }

    /// Writes them as a JSON object; the originals are `payload`.
    pub fn write(&self, json: &mut Vec<u8>, payload: &str) {
        json.push(b'{');
        let all = self.all.iter().filter(|(name, _)| !TAKEN_OUT.contains(name));
        for (n, (name, value)) in all.enumerate() {
            json.extend_from_slice(if n > 0 { b"," } else { b"" });
            write_text(json, name);
            json.push(b':');
            value.write(json, payload);
        }
        json.push(b'}');
    }

    /// Those of a table, of which `chunk` is a part: without what is dropped or says nothing, with its own HTML.
    pub fn of_table(element: &'v JsonElement<'v>, chunk: &'v ElementChunk) -> Self {
        let mut fields = Self::default();
        for (name, field, value) in &element.metadata {
            if field.is_some_and(|field| rule(field) == Rule::Drop) || name.starts_with('_') {
                continue;
            }
            let value = match (&**name, &chunk.html) {
                ("text_as_html", None) => continue,
                ("text_as_html", Some(html)) => Said::Text(Cow::Borrowed(html)),
                _ => Said::Value(value),
            };
            fields.all.push((name, value));
        }
        fields
    }

    /// Those of elements that became one chunk.
    ///
    /// # Errors
    /// [`Odd`], if they are of types that are none of theirs.
    pub fn of_composite(elements: &'v [JsonElement<'v>]) -> Result<Self, Odd> {
        let mut values: [Vec<&'v Value<'v>>; N_KEPT] = std::array::from_fn(|_| Vec::new());
        for (_, field, value) in elements.iter().flat_map(|element| &element.metadata) {
            let Some(field) = *field else { continue };
            let rule = rule(field);
            if rule != Rule::Drop && (rule != Rule::First || values[field].is_empty()) {
                values[field].push(value);
            }
        }
        let mut fields = Self::default();
        for (field, values) in values.iter().enumerate().filter(|(_, values)| !values.is_empty()) {
            if let Some(value) = one(field, values)? {
                fields.all.push((FIELDS[field].0, value));
            }
        }
        Ok(fields)
    }
}

/// What the `values` of a field become, if that is not empty.
fn one<'v>(field: Field, values: &[&'v Value<'v>]) -> Result<Option<Said<'v>>, Odd> {
    Ok(match rule(field) {
        Rule::First => {
            let text = values[0].text().unwrap_or_default();
            match field {
                FILENAME | FILE_DIRECTORY if text.is_empty() => None,
                // A path is taken apart as the system of the service does it.
                FILENAME if text.contains(['/', '\\', ':']) => return Err(Odd::Unsaid),
                _ => Some(Said::Value(values[0])),
            }
        }
        Rule::Concatenate => Some(Said::List(items(values)?)),
        Rule::Union => {
            let mut kept: Vec<&Value<'_>> = Vec::new();
            for item in items(values)? {
                item.text().ok_or(Odd::Unsaid)?;
                if kept.len() == MAX_UNION {
                    return Err(Odd::Unsaid);
                }
                if !kept.contains(&item) {
                    kept.push(item);
                }
            }
            Some(Said::List(kept))
        }
        Rule::Join => {
            let texts =
                values.iter().map(|value| value.text().map(|text| text.trim_matches(is_space)));
            let texts = texts.collect::<Option<Vec<_>>>().ok_or(Odd::Unsaid)?;
            Some(Said::Text(Cow::Owned(texts.join(" "))))
        }
        Rule::Merge | Rule::Drop => return Err(Odd::Unsaid),
    })
}

/// Items of a union, at most: each is compared with all others.
const MAX_UNION: usize = 64;

/// The items of lists, one behind the other.
fn items<'v>(lists: &[&'v Value<'v>]) -> Result<Vec<&'v Value<'v>>, Odd> {
    let mut all = Vec::new();
    for list in lists {
        let Value::List(list) = list else { return Err(Odd::Unsaid) };
        all.extend(list);
    }
    Ok(all)
}
