//! Kinds of texts that are told by content: Docling's and Unstructured's JSON, HTML pages, Markdown, reStructuredText.
//!
//! A name may be missing or wrong; a content seldom is. So what can be told for certain by content is told by
//! content: JSON by its fields, parsed only as far as needed, HTML by how it begins. Markdown has no such mark,
//! as any text is Markdown: it is told only of texts without a name. reStructuredText has some, of which two are
//! asked for.
//!
//! ```
//! use chunkwright_read::told::{looks_like_elements, looks_like_html, looks_like_markdown};
//!
//! assert!(looks_like_html("<!-- saved -->\n<!doctype html><p>Rain"));
//! assert!(!looks_like_html("<p>Rain")); // a fragment could be anything
//! assert!(looks_like_elements(r#"[{"type": "Title", "text": "Rain"}]"#));
//! assert!(looks_like_markdown("# Rain\n\nIt fell.") && !looks_like_markdown("# a comment\nx = 1"));
//! ```

use std::fmt;

use memchr::memmem;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::rst::markers::{adornment, simple_name};
use super::scalar::{Scalar, Text};
use chunkwright_text::unicode::space::is_space;

/// So many code points of a text tell what it is.
const HEAD_CHARS: usize = 4096;
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Whether `text` is the JSON of a `DoclingDocument`: an object whose `schema_name` says so. O(n).
pub fn looks_like_docling(text: &str) -> bool {
    let is_blank = |c| is_space(c) || c == BYTE_ORDER_MARK;
    let object = text.trim_start_matches(is_blank);
    if !object.starts_with('{') || memmem::find(object.as_bytes(), b"DoclingDocument").is_none() {
        return false;
    }
    // Docling writes it first. Elsewhere it may stand in an object inside.
    let inner = object[1..].trim_start_matches(is_space);
    let value = inner.strip_prefix("\"schema_name\"").map(|rest| rest.trim_start_matches(is_space));
    let value = value.and_then(|rest| rest.strip_prefix(':'));
    let is_first = value
        .is_some_and(|rest| rest.trim_start_matches(is_space).starts_with("\"DoclingDocument\""));
    is_first || serde_json::from_str::<Schema>(object).is_ok_and(|schema| schema.is_docling)
}

/// What an object says that it is.
struct Schema {
    is_docling: bool,
}

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SchemaName)
    }
}

struct SchemaName;

impl<'de> Visitor<'de> for SchemaName {
    type Value = Schema;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Schema, A::Error> {
        let mut is_docling = false;
        while let Some(name) = fields.next_key::<Text<'de>>()? {
            if &*name == "schema_name" {
                is_docling = matches!(fields.next_value()?, Scalar::Text(name) if &*name == "DoclingDocument");
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Schema { is_docling })
    }
}

/// Whether `text` is a JSON list of elements: its first item has a type and a text, or there is none. O(n) in
/// that item.
pub fn looks_like_elements(text: &str) -> bool {
    let is_blank = |c| is_space(c) || c == BYTE_ORDER_MARK;
    let Some(list) = text.trim_start_matches(is_blank).strip_prefix('[') else { return false };
    let list = list.trim_start_matches(is_blank);
    if let Some(behind) = list.strip_prefix(']') {
        return behind.chars().all(is_space);
    }
    let mut items = serde_json::Deserializer::from_str(list).into_iter::<Item>();
    items.next().is_some_and(|first| first.is_ok_and(|first| first.has_kind && first.has_text))
}

/// Which fields an item has.
#[derive(Default)]
struct Item {
    has_kind: bool,
    has_text: bool,
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Item;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Item, A::Error> {
        let mut item = Item::default();
        while let Some((name, IgnoredAny)) = fields.next_entry::<Text<'de>, IgnoredAny>()? {
            item.has_kind |= &*name == "type";
            item.has_text |= &*name == "text";
        }
        Ok(item)
    }
}

/// Whether `text` begins as an HTML page does: by its doctype, or by its root, comments before it left aside.
pub fn looks_like_html(text: &str) -> bool {
    let mut rest = head(text);
    loop {
        rest = rest.trim_start_matches(is_space);
        let behind = if let Some(declaration) = behind_word(rest, "<?xml") {
            declaration.split_once('>')
        } else if let Some(comment) = rest.strip_prefix("<!--") {
            comment.split_once("-->")
        } else {
            break;
        };
        let Some((_, behind)) = behind else { return false };
        rest = behind;
    }
    let doctype = behind_word(rest, "<!doctype").and_then(|behind| {
        let name = behind.trim_start_matches(is_space);
        (name.len() < behind.len()).then(|| behind_word(name, "html")).flatten()
    });
    let behind = doctype.or_else(|| behind_word(rest, "<html"));
    behind.is_some_and(|behind| behind.starts_with(|c| is_space(c) || c == '>'))
}

/// Whether `text` begins as Markdown does: by front matter, or by a heading of `#` and a blank line.
pub fn looks_like_markdown(text: &str) -> bool {
    let head = head(text);
    has_front_matter(head) || has_heading(head)
}

/// Whether `text` is reStructuredText for certain: it begins with or soon has a title that is underlined in full, and
/// a directive or a label at the margin, which no plain text has. O(1).
///
/// ```
/// use chunkwright_read::told::looks_like_rst;
///
/// assert!(looks_like_rst("Rain\n====\n\n.. note:: It fell.\n"));
/// assert!(!looks_like_rst("Rain\n====\n\nIt fell ... and fell.\n"));
/// ```
pub fn looks_like_rst(text: &str) -> bool {
    let (mut has_title, mut has_markup, mut before) = (false, false, "");
    for (line, is_whole) in Lines(head(text)).filter(|(_, is_whole)| *is_whole) {
        has_title |= is_whole && is_underline(line, before);
        has_markup |= is_explicit(line);
        before = line;
        if has_title && has_markup {
            return true;
        }
    }
    false
}

/// Whether a line underlines the one before it.
fn is_underline(line: &str, title: &str) -> bool {
    let line = line.trim_end();
    let is_words =
        title.starts_with(|c: char| !is_space(c)) && title.contains(char::is_alphanumeric);
    adornment(line).is_some() && is_words && line.len() >= title.trim_end().chars().count()
}

/// Whether a line is a directive, or a label.
fn is_explicit(line: &str) -> bool {
    let Some(rest) = line.strip_prefix(".. ") else { return false };
    if let Some(label) = rest.strip_prefix('_') {
        return label.trim_end().ends_with(':') && !label.contains(' ');
    }
    let name = simple_name(rest);
    let behind = rest[name..].strip_prefix("::");
    name > 0 && behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(' '))
}

fn has_front_matter(head: &str) -> bool {
    let is_rule = |line: &str| line.trim_end_matches([' ', '\t']) == "---";
    let mut lines = Lines(head);
    if !matches!(lines.next(), Some((line, true)) if is_rule(line)) {
        return false;
    }
    let mut last = lines.skip_while(|(line, has_end)| *has_end && !line.starts_with("---"));
    last.next().is_some_and(|(line, _)| is_rule(line))
}

fn has_heading(head: &str) -> bool {
    let text = head.trim_start_matches(is_space);
    let blank = &head[..head.len() - text.len()];
    if !blank.is_empty() && !blank.ends_with('\n') {
        return false;
    }
    let title = text.trim_start_matches('#');
    let level = text.len() - title.len();
    let said = title.trim_start_matches([' ', '\t']);
    if !(1..=6).contains(&level) || said.len() == title.len() || said.starts_with(is_space) {
        return false;
    }
    let mut lines = Lines(said);
    let is_whole = matches!(lines.next(), Some((line, true)) if !line.is_empty());
    let is_blank = |line: &str| line.trim_start_matches([' ', '\t']).is_empty();
    is_whole && matches!(lines.next(), Some((line, true)) if is_blank(line))
}

/// The first code points of a text, without byte order marks.
fn head(text: &str) -> &str {
    let end = text.char_indices().nth(HEAD_CHARS).map_or(text.len(), |(at, _)| at);
    text[..end].trim_start_matches(BYTE_ORDER_MARK)
}

/// What stands behind `word` in `text`, which begins with it in whatever case.
fn behind_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let begin = text.get(..word.len())?;
    begin.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

/// Lines without their ends, and whether they have one: `\n` or `\r\n`. A lone `\r` ends the lines.
struct Lines<'a>(&'a str);

impl<'a> Iterator for Lines<'a> {
    type Item = (&'a str, bool);

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let at = self.0.find(['\r', '\n']).unwrap_or(self.0.len());
        let (line, end) = self.0.split_at(at);
        let Some(behind) = end.strip_prefix("\r\n").or_else(|| end.strip_prefix('\n')) else {
            return Some((std::mem::take(&mut self.0), false));
        };
        self.0 = behind;
        Some((line, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_elements_are_told() {
        for text in [
            r#"[{"type": "Title", "text": "A"}]"#,
            "\u{feff} [ {\"text\": null, \"type\": [1, {}], \"x\": \"\\ud800\"}, 3",
            "[] \n",
            " [\u{feff} ]",
        ] {
            assert!(looks_like_elements(text), "{text}");
        }
        for text in
            ["", "[", "[1]", "[{}]", r#"{"type": "Title", "text": "A"}"#, "[] x", "[link](a)"]
        {
            assert!(!looks_like_elements(text), "{text}");
        }
    }

    #[test]
    fn docling_is_told() {
        for text in [
            "\u{feff} { \"schema_name\" : \"DoclingDocument\", \"x",
            r#"{"x": {"schema_name": 1}, "schema_name": "DoclingDocument"}"#,
        ] {
            assert!(looks_like_docling(text), "{text}");
        }
        for text in [
            "",
            "{}",
            "[DoclingDocument]",
            r#"{"x": {"schema_name": "DoclingDocument"}}"#,
            r#"{"x": 1, "schema_name": "DoclingDocument""#,
            r#"{"schema_name": "Other", "x": "DoclingDocument"}"#,
        ] {
            assert!(!looks_like_docling(text), "{text}");
        }
    }

    #[test]
    fn pages_are_told() {
        for text in [
            "<!doctype html>",
            "\u{feff}\n<?xml version='1.0'?>\n<!-- a > b --><!----><HTML lang=en>",
            "<!DOCTYPE\tHTML PUBLIC>",
            "<html\n",
        ] {
            assert!(looks_like_html(text), "{text}");
        }
        let far = format!("{}<html>", " ".repeat(5000));
        for text in [
            "",
            "<html",
            "<htmlx>",
            "<!doctypehtml>",
            "<!-- <html>",
            "<!-- a --> b --><html>",
            "<p>",
            "<?xml <html",
            "a<html>",
            "<é",
            &far,
        ] {
            assert!(!looks_like_html(text), "{text}");
        }
    }

    #[test]
    fn markdown_is_told() {
        for text in [
            "# A\n\n",
            "\u{feff}###### A b\r\n \t\r\nc",
            " \n\n## A\n\nb",
            "---\ntitle: a\n---\n",
            "---  \r\na\r\n\r\n---",
            "---\n---\t\nb",
            "---\n---",
        ] {
            assert!(looks_like_markdown(text), "{text:?}");
        }
        for text in [
            "",
            "#",
            "# ",
            "#A\n\n",
            "# A",
            "# A\nb\n\n",
            "####### A\n\n",
            " # A\n\n",
            "# \n\n",
            "# A\r\r\n\n",
            "---",
            "---\na",
            "---\na\n---b\n",
            "----\na\n---\n",
            "---\na\rb\n---\n",
            "---\n---\rb",
            "a\n\n# A\n\n",
        ] {
            assert!(!looks_like_markdown(text), "{text:?}");
        }
    }
}
