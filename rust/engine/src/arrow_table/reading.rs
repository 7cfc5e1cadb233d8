//! Reading of the texts of a column: as plain texts, as one kind of documents, or each as what it looks like.

use chunkwright_core::error::{Error, Result};
use chunkwright_core::pulse::no_pulse;
use chunkwright_core::read::Read;
use chunkwright_core::read::element_json::read_json;
use chunkwright_core::read::html::page;
use chunkwright_core::read::markdown;
use chunkwright_core::read::told::{looks_like_elements, looks_like_html, looks_like_markdown};
use chunkwright_core::unicode::space::is_space;

/// Bytes of a text among which a NUL says that it is none.
const HEAD_BYTES: usize = 8192;
const BYTE_ORDER_MARK: char = '\u{feff}';

/// What the texts of a column are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// Documents without elements.
    #[default]
    Plain,
    /// Each of the kind that it looks like.
    Told,
    /// Elements as JSON.
    Elements,
    /// HTML pages.
    Html,
    /// Markdown.
    Markdown,
    /// Of this kind, which the caller reads.
    Foreign(String),
}

/// A text that the caller reads.
#[derive(Clone, Copy, Debug)]
pub struct ForeignText<'a> {
    /// Its kind, if that was named.
    pub kind: Option<&'a str>,
    /// The text.
    pub text: &'a str,
    /// The number of its row, for messages.
    pub row: usize,
}

/// The caller's reader; it reads nothing of a plain text.
pub type Reader<'a> = dyn Fn(ForeignText<'_>) -> Result<Option<Read>> + Sync + 'a;

impl Reading {
    /// The reading of that name; without one each text is what it looks like if `is_told`, else plain.
    pub fn named(kind: Option<&str>, is_told: bool) -> Self {
        match kind {
            None if is_told => Self::Told,
            None | Some("text") => Self::Plain,
            Some("elements") => Self::Elements,
            Some("html") => Self::Html,
            Some("markdown") => Self::Markdown,
            Some(other) => Self::Foreign(other.to_owned()),
        }
    }

    /// Whether a column may hold lists of structs in place of texts.
    pub const fn takes_lists(&self) -> bool {
        matches!(self, Self::Told | Self::Elements)
    }

    /// Whether documents have elements.
    pub fn has_elements(&self) -> bool {
        *self != Self::Plain
    }

    /// Reads a text that is read here; nothing of a plain one. O(n), but for tables.
    ///
    /// # Errors
    /// [`Error::Read`] if it is not of its kind, or only the caller can read it.
    pub fn read(&self, text: &str) -> Result<Option<Read>> {
        if text.chars().all(is_space) {
            return Ok(Some(Read::default()));
        }
        let unmarked = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        Ok(Some(match self.native(text) {
            None => return Err(Error::Read("nothing reads a text of its kind".into())),
            Some(Native::Text) => return Ok(None),
            Some(Native::Markdown) => markdown::read(text),
            Some(Native::Elements) => read_json(unmarked, no_pulse())?,
            Some(Native::Html) => page::read(unmarked, &[], &[], no_pulse())?,
        }))
    }

    /// Whether only the caller can read a text.
    pub fn is_foreign(&self, text: &str) -> bool {
        self.native(text).is_none()
    }

    /// The kind of a text, if it is one that is read here.
    fn native(&self, text: &str) -> Option<Native> {
        match self {
            Self::Plain => Some(Native::Text),
            Self::Html => Some(Native::Html),
            Self::Markdown => Some(Native::Markdown),
            // What is no list may still be one that is packed, as `orig_elements` are.
            Self::Elements => begins_with(text, '[').then_some(Native::Elements),
            Self::Foreign(_) => None,
            Self::Told => told(text),
        }
    }
}

/// A kind of texts that is read here.
#[derive(Clone, Copy)]
enum Native {
    Text,
    Markdown,
    Html,
    Elements,
}

/// The kind that a text looks like; none of what must be looked at by the caller: another kind of JSON, or no
/// text at all.
fn told(text: &str) -> Option<Native> {
    let head = &text.as_bytes()[..text.len().min(HEAD_BYTES)];
    if head.contains(&0) || head.starts_with(b"%PDF-") {
        return None;
    }
    match text.trim_start_matches(is_blank).chars().next() {
        Some('[') if looks_like_elements(text) => Some(Native::Elements),
        Some('{') if text.contains("DoclingDocument") => None,
        _ if looks_like_html(text) => Some(Native::Html),
        _ if looks_like_markdown(text) => Some(Native::Markdown),
        _ => Some(Native::Text),
    }
}

fn is_blank(c: char) -> bool {
    is_space(c) || c == BYTE_ORDER_MARK
}

fn begins_with(text: &str, first: char) -> bool {
    text.trim_start_matches(is_blank).starts_with(first)
}
