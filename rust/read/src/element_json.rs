//! Reader of Unstructured's elements in JSON: a list of objects with `type`, `text` and `metadata`.
//!
//! Only the few fields that matter are parsed, into borrowed strings; `metadata` may hold anything, and much of
//! it is skipped without being built. Ids of elements are read only if one names another as its parent.

use std::collections::HashMap;

use serde::Deserialize;

use super::html::{self, ParsedTable};
use super::scalar::{Scalar, Text};
use super::unstructured::{Unstructured, kind_of_type};
use chunkwright_text::elements::{Kind, Parent};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::read::Read;
use chunkwright_text::unicode::space::is_space;

/// An element as JSON, or a row of a table, has it; what else there is, is not looked at.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct RawElement<'a> {
    /// The name of its type; text if there is none.
    #[serde(borrow, default, rename = "type")]
    pub kind: Option<Text<'a>>,
    /// Its text.
    #[serde(borrow, default)]
    pub text: Option<Text<'a>>,
    /// What others call it when they say that they belong to it.
    #[serde(borrow, default, rename = "element_id")]
    pub id: Option<Scalar<'a>>,
    /// What else is known of it.
    #[serde(borrow, default)]
    pub metadata: Option<RawMetadata<'a>>,
}

/// Metadata of an element.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct RawMetadata<'a> {
    /// The page that it says it is on.
    #[serde(borrow, default)]
    pub page_number: Option<Scalar<'a>>,
    /// The HTML of a table.
    #[serde(borrow, default)]
    pub text_as_html: Option<Text<'a>>,
    /// How deep it is nested among those of its kind, from 0.
    #[serde(borrow, default)]
    pub category_depth: Option<Scalar<'a>>,
    /// The id of the element that it belongs to.
    #[serde(borrow, default)]
    pub parent_id: Option<Scalar<'a>>,
}

/// The elements of a JSON text. O(n), but for tables.
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_read::element_json::read_json;
///
/// let json = r#"[
///     {"type": "Title", "text": "Rain", "metadata": {"page_number": 1}},
///     {"type": "NarrativeText", "text": "It  fell.", "metadata": {"page_number": 2}}
/// ]"#;
/// let read = read_json(json, no_pulse())?;
/// assert_eq!(read.text.as_deref(), Some("Rain\n\nIt fell."));
/// assert_eq!(read.elements[1].page, Some(2));
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Read`] if it is no list of elements, and what `pulse` says.
pub fn read_json(json: &str, pulse: Pulse<'_>) -> Result<Read> {
    let wrong = |error| Error::read(format!("no elements: {error}")).shortened();
    let items: Vec<RawElement<'_>> = serde_json::from_str(json).map_err(wrong)?;
    read_items(&items, pulse)
}

/// The elements of `items`, the text of tables with cells being what these say. O(n), but for tables.
///
/// # Errors
/// [`Error::Read`], naming an element that has no text, and what `pulse` says.
pub fn read_items(items: &[RawElement<'_>], pulse: Pulse<'_>) -> Result<Read> {
    let (mut elements, beat) = (Unstructured::default(), Beat::of_bytes(pulse));
    let (mut pages, mut parents) = (Pages::default(), Parents::default());
    for (i, item) in items.iter().enumerate() {
        let kind = item.kind.as_deref().map_or(Kind::Paragraph, kind_of_type);
        let is_check_box = item.kind.as_deref() == Some("CheckBox");
        let text = match &item.text {
            Some(text) => text,
            None if is_check_box => "",
            None => return Err(Error::read(format!("elements[{i}]: text must be a str"))),
        };
        let metadata = item.metadata.as_ref();
        let html = metadata.and_then(|metadata| metadata.text_as_html.as_deref());
        let html = html.filter(|_| kind == Kind::Table).unwrap_or_default().trim_matches(is_space);
        beat.after(text.len() + html.len())?;
        let table = match html::parse(html) {
            _ if html.is_empty() => ParsedTable::None,
            ParsedTable::Irregular => html::recover(html),
            table => table,
        };
        let grid = match table {
            ParsedTable::Grid(grid) => Some(grid),
            ParsedTable::Irregular | ParsedTable::None => None,
        };
        let page = metadata.and_then(|metadata| metadata.page_number.as_ref());
        let page = page.map(|page| pages.number(page, i)).transpose()?;
        elements.push_with_cells(kind, text, page, grid);
        elements.nest(
            i,
            metadata.and_then(|metadata| metadata.category_depth.as_ref()).map_or(0, level),
            parents.next(item.id.as_ref(), metadata.and_then(|of| of.parent_id.as_ref()), i),
        );
    }
    Ok(elements.finish())
}

/// The level of an element, from 1, by its depth, which counts from 0; 0 if it says none.
fn level(depth: &Scalar<'_>) -> u8 {
    let Scalar::Integer(depth) = *depth else { return 0 };
    u8::try_from(depth.saturating_add(1).max(0)).unwrap_or(u8::MAX)
}

/// Numbers of pages: those that are no integers get one that no page has, equal ones the same.
#[derive(Default)]
struct Pages {
    others: HashMap<String, i64>,
}

impl Pages {
    fn number(&mut self, page: &Scalar<'_>, i: usize) -> Result<i64> {
        let key = match page {
            Scalar::Integer(page) => return Ok(*page),
            Scalar::Float(page) => match whole(*page) {
                Some(page) => return Ok(page),
                None => page.to_string(),
            },
            Scalar::Text(page) => format!("{page:?}"),
            Scalar::Other => {
                return Err(Error::read(format!("elements[{i}]: page_number must be a number")));
            }
        };
        let n_others = i64::try_from(self.others.len()).unwrap_or(i64::MAX);
        Ok(*self.others.entry(key).or_insert(i64::MIN.saturating_add(n_others)))
    }
}

/// The integer that a number equals, if there is one.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::float_cmp)]
fn whole(number: f64) -> Option<i64> {
    let integer = number as i64;
    (integer as f64 == number && integer < i64::MAX).then_some(integer)
}

/// Elements by their ids, the last of each, for those that belong to them.
#[derive(Default)]
struct Parents<'a> {
    seen: HashMap<Id<'a>, usize>,
}

#[derive(PartialEq, Eq, Hash)]
enum Id<'a> {
    Integer(i64),
    Text(&'a str),
}

impl<'a> Id<'a> {
    fn of(value: &'a Scalar<'_>) -> Option<Self> {
        match value {
            Scalar::Integer(id) => Some(Self::Integer(*id)),
            Scalar::Text(id) => Some(Self::Text(id)),
            Scalar::Float(_) | Scalar::Other => None,
        }
    }
}

impl<'a> Parents<'a> {
    /// The parent of element `i`, which has this id and says that it belongs to `above`.
    fn next(
        &mut self,
        id: Option<&'a Scalar<'_>>,
        above: Option<&'a Scalar<'_>>,
        i: usize,
    ) -> Parent {
        let parent = above.and_then(Id::of).and_then(|above| self.seen.get(&above));
        let parent = parent.map_or_else(Parent::default, |&parent| Parent::of(parent));
        if let Some(id) = id.and_then(Id::of) {
            self.seen.insert(id, i);
        }
        parent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chunkwright_text::pulse::no_pulse;

    #[test]
    fn json_is_read_as_elements() {
        let json = r#"[
            {"type": "Title", "text": "A\u00a0title", "element_id": "x"},
            {"type": "Table", "text": "of a b", "metadata": {
                "page_number": 3, "text_as_html": "<table><tr><td>a</td><td>b</td></tr></table>"}},
            {"type": "CheckBox"}
        ]"#;
        let Read { text, elements, .. } = read_json(json, no_pulse()).unwrap();
        assert_eq!(text.unwrap(), "A title\n\na b of");
        let kinds: Vec<Kind> = elements.iter().map(|element| element.kind).collect();
        assert_eq!(kinds, [Kind::Heading, Kind::Table, Kind::Paragraph]);
        assert_eq!(elements[1].page, Some(3));
        assert!(elements[1].grid.is_some());
    }

    #[test]
    fn levels_and_parents_are_read() {
        let json = r#"[
            {"type": "Title", "text": "A", "element_id": "x", "metadata": {"category_depth": 0}},
            {"type": "Title", "text": "B", "element_id": 7, "metadata": {"category_depth": 300}},
            {"text": "c", "element_id": "x", "metadata": {"parent_id": "x", "category_depth": "1"}},
            {"text": "d", "metadata": {"parent_id": 7, "category_depth": -4}},
            {"text": "e", "metadata": {"parent_id": "x", "category_depth": 1.0}},
            {"text": "f", "element_id": "f", "metadata": {"parent_id": "f", "category_depth": true}},
            {"text": "g", "element_id": [1], "metadata": {"parent_id": {"a": [2]}}}
        ]"#;
        let elements = read_json(json, no_pulse()).unwrap().elements;
        let levels: Vec<u8> = elements.iter().map(|element| element.level).collect();
        assert_eq!(levels, [1, 255, 0, 0, 0, 2, 0]);
        let parents: Vec<_> = elements.iter().map(|element| element.parent.get()).collect();
        assert_eq!(parents, [None, None, Some(0), Some(1), Some(2), None, None]);
    }

    #[test]
    fn pages_of_any_type_are_compared() {
        let json = r#"[
            {"text": "a", "metadata": {"page_number": "iv"}},
            {"text": "b", "metadata": {"page_number": "iv"}},
            {"text": "c", "metadata": {"page_number": "1"}},
            {"text": "d", "metadata": {"page_number": 1.0}},
            {"text": "e", "metadata": {"page_number": 1.5}},
            {"text": "f", "metadata": {"page_number": true}},
            {"text": "g", "metadata": {"page_number": 1180591620717411303424}}
        ]"#;
        let elements = read_json(json, no_pulse()).unwrap().elements;
        let pages: Vec<i64> = elements.iter().filter_map(|element| element.page).collect();
        let first = i64::MIN;
        assert_eq!(pages, [first, first, first + 1, 1, first + 2, 1, first + 3]);
    }

    #[test]
    fn lone_surrogates_are_replaced() {
        let json = r#"[{"text": "a\ud800b\ud83d\ude00", "element_id": "x"}]"#;
        let text = read_json(json, no_pulse()).unwrap().text.unwrap();
        assert_eq!(text, "a\u{fffd}b\u{1f600}");
    }

    #[test]
    fn what_is_no_list_of_elements_is_named() {
        for (json, message) in [
            ("{}", "no elements: invalid type: map"),
            ("[1]", "no elements: invalid type: integer"),
            ("[{\"type\": \"Text\"}]", "elements[0]: text must be a str"),
            ("[{\"text\": 3}]", "no elements: invalid type: integer"),
            (
                "[{\"text\": \"\", \"metadata\": {\"page_number\": [1]}}]",
                "elements[0]: page_number must be a number",
            ),
            ("[", "no elements: EOF"),
        ] {
            let error = read_json(json, no_pulse()).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let long = format!("[\"{}\"]", "a".repeat(10_000));
        let error = read_json(&long, no_pulse()).unwrap_err().to_string();
        assert!(error.ends_with("a…") && error.len() < 2000, "{error}");
    }
}
