//! Metadata of an item as text: summaries, classes, charts.

use crate::docling::render::Renderer;
use crate::docling::render::markdown_table::plain_table;
use crate::docling::render::python::{repr, repr_of_float, repr_of_str, str_of_true};
use chunkwright_read::docling::{NodeId, TableData, Value};
use chunkwright_text::unicode::space::is_space;

/// The fields that metadata may have, in the order in which they are written.
const FIELDS: [&str; 10] = [
    "summary",
    "language",
    "entities",
    "keywords",
    "topics",
    "description",
    "classification",
    "molecule",
    "tabular_chart",
    "code",
];

impl Renderer<'_> {
    /// What is known about a node, a blank line between two fields; empty if nothing is.
    pub(super) fn meta(&self, id: NodeId) -> String {
        let Some(meta) = &self.document.node(id).meta else { return String::new() };
        let known = FIELDS.iter().filter_map(|name| field(name, meta.get(name)?));
        let is_custom = |(name, _): &&(String, Value)| !FIELDS.contains(&name.as_str());
        let custom = meta.members().iter().filter(is_custom);
        let custom = custom.filter_map(|(_, value)| str_of_true(value));
        let texts: Vec<String> = known.chain(custom).filter(|text| !text.is_empty()).collect();
        texts.join("\n\n")
    }
}

fn field(name: &str, value: &Value) -> Option<String> {
    if *value == Value::Null {
        return None;
    }
    let text = |key| value.get(key).and_then(Value::text).map(str::to_owned);
    match name {
        "summary" | "description" => text("text"),
        "molecule" => text("smi"),
        "keywords" | "topics" => {
            let values = value.get("values").map_or(&[][..], Value::list);
            Some(values.iter().filter_map(Value::text).collect::<Vec<_>>().join(", "))
        }
        "classification" => main_class(value).map(humanized),
        "tabular_chart" => {
            let table = plain_table(&TableData::of_value(value.get("chart_data")?));
            Some(table.trim_matches(is_space).to_owned())
        }
        "language" => Some(object(value, &[CONFIDENCE, CREATED_BY, ("code", language)], " ")),
        "entities" => Some(object(value, &[("mentions", mentions)], " ")),
        _ => Some(object(value, &[CONFIDENCE, CREATED_BY, TEXT, ("language", programming)], " ")),
    }
}

/// The class that is most likely; the first one where that is not said.
fn main_class(value: &Value) -> Option<&str> {
    let classes = value.get("predictions").map_or(&[][..], Value::list);
    let mut best: Option<(&Value, f64)> = None;
    for class in classes {
        if let Some(confidence) = class.get("confidence").and_then(Value::float)
            && best.is_none_or(|(_, most)| confidence > most)
        {
            best = Some((class, confidence));
        }
    }
    best.map(|(class, _)| class).or(classes.first())?.get("class_name")?.text()
}

/// A name in words, the first letter large.
fn humanized(name: &str) -> String {
    let words = name.replace("__", "_").replace('_', " ");
    let mut chars = words.chars();
    let mut first = chars.next().into_iter().flat_map(char::to_uppercase);
    let large = first.next();
    let rest: String = first.chain(chars).collect();
    large.into_iter().chain(rest.to_lowercase().chars()).collect()
}

/// How a field of an object of Docling's is written.
type Field = (&'static str, fn(&Value) -> String);

const CONFIDENCE: Field = ("confidence", |value| value.float().map_or_else(none, repr_of_float));
const CREATED_BY: Field = ("created_by", repr);
const TEXT: Field = ("text", repr);

fn none() -> String {
    String::from("None")
}

/// An object as pydantic prints it: its fields, and then what it has beside them.
fn object(value: &Value, fields: &[Field], separator: &str) -> String {
    let known = fields.iter().map(|(name, write)| {
        let text = match value.get(name) {
            None | Some(Value::Null) => none(),
            Some(value) => write(value),
        };
        format!("{name}={text}")
    });
    let is_custom = |(name, _): &&(String, Value)| fields.iter().all(|(field, _)| field != name);
    let custom = value.members().iter().filter(is_custom);
    let custom = custom.map(|(name, value)| format!("{name}={}", repr(value)));
    known.chain(custom).collect::<Vec<_>>().join(separator)
}

fn mentions(value: &Value) -> String {
    let fields: [Field; 6] =
        [CONFIDENCE, CREATED_BY, TEXT, ("orig", repr), ("label", repr), ("charspan", pair)];
    let mention = |value: &Value| format!("EntityMention({})", object(value, &fields, ", "));
    format!("[{}]", value.list().iter().map(mention).collect::<Vec<_>>().join(", "))
}

fn pair(value: &Value) -> String {
    format!("({})", value.list().iter().map(repr).collect::<Vec<_>>().join(", "))
}

fn language(value: &Value) -> String {
    label("HumanLanguageLabel", value)
}

fn programming(value: &Value) -> String {
    label("CodeLanguageLabel", value)
}

/// A member of an enumeration as Python prints it.
fn label(class: &str, value: &Value) -> String {
    let value = value.text().unwrap_or_default();
    let name = match value {
        "C#" => String::from("C_SHARP"),
        "C++" => String::from("C_PLUS_PLUS"),
        other => other.to_uppercase(),
    };
    format!("<{class}.{name}: {}>", repr_of_str(value))
}
