//! Annotations of old versions, moved to the metadata that took their place.
//!
//! | annotation | metadata |
//! |---|---|
//! | `classification` | `classification`, its classes as `predictions` |
//! | `description` | `description` |
//! | `molecule_data` | `molecule` |
//! | `tabular_chart_data` | `tabular_chart` |
//! | any other, such as charts of lines or bars | `docling_legacy__` and its name |

use crate::docling::value::{Members, Value};

/// What begins the names of metadata that have no field of their own.
const LEGACY: &str = "docling_legacy__";

/// The metadata with `annotations` added; the first of a sort counts, and none replaces what is there.
pub fn moved(meta: Option<Value>, annotations: Vec<Value>) -> Value {
    let mut members = match meta {
        Some(Value::Members(members)) => members,
        _ => Members::new(),
    };
    for annotation in annotations {
        let Some(kind) = annotation.get("kind").and_then(Value::text).map(str::to_owned) else {
            continue;
        };
        let field = field(&kind);
        let is_there = members.iter().any(|(name, value)| *name == field && *value != Value::Null);
        if !is_there {
            members.retain(|(name, _)| *name != field);
            members.push((field, value(&kind, annotation)));
        }
    }
    Value::Members(members)
}

/// The name of the metadata that annotations of a kind become.
fn field(kind: &str) -> String {
    match kind {
        "classification" | "description" => kind.to_owned(),
        "molecule_data" => "molecule".to_owned(),
        "tabular_chart_data" => "tabular_chart".to_owned(),
        _ => format!("{LEGACY}{kind}"),
    }
}

fn value(kind: &str, annotation: Value) -> Value {
    match kind {
        "classification" => {
            let classes = annotation.get("predicted_classes").cloned().unwrap_or(Value::Null);
            Value::Members(vec![("predictions".to_owned(), classes)])
        }
        "misc" => annotation.get("content").cloned().unwrap_or(Value::Null),
        "line_chart_data" => chart(&annotation, true, "lines", &["label", "values"]),
        "bar_chart_data" => chart(&annotation, true, "bars", &["label", "values"]),
        "stacked_bar_chart_data" => chart(&annotation, true, "stacked_bars", &["label", "values"]),
        "pie_chart_data" => chart(&annotation, false, "slices", &["label", "value"]),
        "scatter_chart_data" => chart(&annotation, true, "points", &["value"]),
        _ => annotation,
    }
}

/// The members of a chart in the order in which Docling writes them, its numbers with a fraction.
fn chart(annotation: &Value, has_axes: bool, list: &str, keys: &[&str]) -> Value {
    let axes: &[&str] = if has_axes { &["x_axis_label", "y_axis_label"] } else { &[] };
    let mut members = picked(annotation, ["kind", "title"].iter().chain(axes).copied());
    let parts = annotation.get(list).map_or(&[][..], Value::list);
    let part = |part: &Value| {
        let members = picked(part, keys.iter().copied());
        // Only stacked bars have whole numbers.
        let number = |value| if list == "stacked_bars" { value } else { with_fractions(value) };
        Value::Members(members.into_iter().map(|(key, value)| (key, number(value))).collect())
    };
    members.push((list.to_owned(), Value::List(parts.iter().map(part).collect())));
    Value::Members(members)
}

fn picked<'k>(value: &Value, keys: impl Iterator<Item = &'k str>) -> Members {
    keys.filter_map(|key| Some((key.to_owned(), value.get(key)?.clone()))).collect()
}

fn with_fractions(value: Value) -> Value {
    match value {
        Value::List(list) => Value::List(list.into_iter().map(with_fractions).collect()),
        value => value.float().map_or(value, Value::Float),
    }
}
