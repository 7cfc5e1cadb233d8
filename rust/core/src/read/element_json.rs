//! Reader of Unstructured's elements in JSON: a list of objects with `type`, `text` and `metadata`.

use std::borrow::Cow;

use serde::Deserialize;

use super::html::{self, Table};
use super::unstructured::{Unstructured, kind_of_type};
use crate::elements::Kind;
use crate::error::{Error, Result};
use crate::pulse::{Beat, Pulse};
use crate::unicode::space::is_space;

/// An element as JSON, or a row of a table, has it; what else there is, is not looked at.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct RawElement<'a> {
    /// The name of its type; text if there is none.
    #[serde(borrow, default, rename = "type")]
    pub kind: Option<Cow<'a, str>>,
    /// Its text.
    #[serde(borrow, default)]
    pub text: Option<Cow<'a, str>>,
    /// What else is known of it.
    #[serde(borrow, default)]
    pub metadata: Option<RawMetadata<'a>>,
}

/// Metadata of an element.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct RawMetadata<'a> {
    /// The page that it says it is on.
    #[serde(default)]
    pub page_number: Option<i64>,
    /// The HTML of a table.
    #[serde(borrow, default)]
    pub text_as_html: Option<Cow<'a, str>>,
}

/// The elements of a JSON text. O(n), but for tables.
///
/// # Errors
/// [`Error::Read`] if it is no list of elements, and what `pulse` says.
pub fn read_json(json: &str, pulse: Pulse<'_>) -> Result<Unstructured> {
    let items: Vec<RawElement<'_>> =
        serde_json::from_str(json).map_err(|error| Error::Read(format!("no elements: {error}")))?;
    read_items(&items, pulse)
}

/// The elements of `items`, the text of tables with cells being what these say. O(n), but for tables.
///
/// # Errors
/// [`Error::Read`], naming an element that has no text, and what `pulse` says.
pub fn read_items(items: &[RawElement<'_>], pulse: Pulse<'_>) -> Result<Unstructured> {
    let (mut elements, beat) = (Unstructured::default(), Beat::of_bytes(pulse));
    for (i, item) in items.iter().enumerate() {
        let kind = item.kind.as_deref().map_or(Kind::Paragraph, kind_of_type);
        let is_check_box = item.kind.as_deref() == Some("CheckBox");
        let text = match &item.text {
            Some(text) => text,
            None if is_check_box => "",
            None => return Err(Error::Read(format!("elements[{i}]: text must be a str"))),
        };
        let metadata = item.metadata.as_ref();
        let html = metadata.and_then(|metadata| metadata.text_as_html.as_deref());
        let html = html.filter(|_| kind == Kind::Table).unwrap_or_default().trim_matches(is_space);
        beat.after(text.len() + html.len())?;
        let table = match html::parse(html) {
            _ if html.is_empty() => Table::None,
            Table::Irregular => html::recover(html),
            table => table,
        };
        let grid = match table {
            Table::Grid(grid) => Some(grid),
            Table::Irregular | Table::None => None,
        };
        let page = metadata.and_then(|metadata| metadata.page_number);
        elements.push_with_cells(kind, text, page, grid);
    }
    Ok(elements)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pulse::no_pulse;

    #[test]
    fn json_is_read_as_elements() {
        let json = r#"[
            {"type": "Title", "text": "A\u00a0title", "element_id": "x"},
            {"type": "Table", "text": "of a b", "metadata": {
                "page_number": 3, "text_as_html": "<table><tr><td>a</td><td>b</td></tr></table>"}},
            {"type": "CheckBox"}
        ]"#;
        let (text, elements) = read_json(json, no_pulse()).unwrap().finish();
        assert_eq!(text, "A title\n\na b of");
        let kinds: Vec<Kind> = elements.iter().map(|element| element.kind).collect();
        assert_eq!(kinds, [Kind::Heading, Kind::Table, Kind::Paragraph]);
        assert_eq!(elements[1].page, Some(3));
        assert!(elements[1].grid.is_some());
    }

    #[test]
    fn what_is_no_list_of_elements_is_named() {
        for (json, message) in [
            ("{}", "no elements: invalid type: map"),
            ("[1]", "no elements: invalid type: integer"),
            ("[{\"type\": \"Text\"}]", "elements[0]: text must be a str"),
            ("[", "no elements: EOF"),
        ] {
            let error = read_json(json, no_pulse()).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
