//! Checks of what readers give: what holds for it, whatever was read.

use chunkwright_read::Read;
use chunkwright_read::html::{self, page};
use chunkwright_read::json::{Json, pointers};
use chunkwright_read::kinds::{InputKind, refuse, refuse_binary};
use chunkwright_read::links;
use chunkwright_read::yaml;
use chunkwright_text::cut::table::row_starts;
use chunkwright_text::document::Document;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::heading_paths::HeadingPaths;

use crate::run::pulse;

/// A message of a reader is not longer, in bytes: it may name what it read, but not repeat it.
const MOST_MESSAGE: usize = 2000;

/// Reads a text by the reader of a kind, and returns what it found, with its text.
///
/// # Panics
/// If what was read does not stand in its text, or an error is none of a reader.
pub fn check_kind(name: &str, source: &str) -> Option<(Read, String)> {
    let mut read = if name == "html" {
        accepted(page::read(source, &[], &[], &pulse))?
    } else {
        accepted(InputKind::named(name)?.read(source, &pulse))??
    };
    let text = read.text.take().unwrap_or_else(|| source.to_owned());
    check(&read, &text, source);
    Some((read, text))
}

/// Tells of which kind a text is, and reads it as that.
///
/// # Panics
/// As [`check_kind`].
pub fn check_told(source: &str) {
    let told = InputKind::told(source, None).name;
    assert_eq!(told, InputKind::told(source, None).name);
    accepted(refuse(source).and_then(|()| refuse_binary(source)));
    check_kind(told, source);
}

/// Checks JSON and YAML, whose readers find places in the text as it is.
///
/// # Panics
/// If a place lies elsewhere.
pub fn check_data(source: &str) {
    if let Some(json) = accepted(Json::check(source, &pulse)) {
        let places: Vec<usize> = source.char_indices().map(|(at, _)| at).step_by(7).collect();
        // Behind the last value there is none that a place could stand in.
        assert!(pointers(&json, &places).len() <= places.len());
    }
    accepted(yaml::entries(source, &pulse));
}

/// Checks a table in HTML, as it is written and as browsers see it.
///
/// # Panics
/// If a cell lies outside the table.
pub fn check_table(source: &str) {
    for table in [html::parse(source), html::parse_written(source), html::recover(source)] {
        let _ = format!("{table:?}");
    }
}

/// What holds for what was read.
///
/// # Panics
/// If it does not.
pub fn check(read: &Read, text: &str, source: &str) {
    let stored = read.to_bytes(None);
    let loaded = stored.and_then(|bytes| Read::of_bytes(&bytes, text));
    assert!(loaded.is_ok(), "{loaded:?} of {read:?}");
    let n_chars = source.chars().count();
    for (i, place) in read.places.iter().enumerate() {
        assert!(
            place[0] <= place[1] && place[1] <= n_chars,
            "element {i} stands at {place:?} of {n_chars}"
        );
    }
    let body = read.body(Document::new(text));
    assert!(body.text().len() <= text.len());
    let paths = HeadingPaths::of(read.body_elements());
    for i in 0..read.body_elements().len() {
        assert!(paths.up(paths.above(i)).all(|heading| heading < i));
        assert!(!read.pages_of(i).contains(&i64::MIN));
    }
    for link in accepted(links::find(&read.links, text, source, &pulse)).unwrap_or_default() {
        assert!(text.get(link.span.range()).is_some(), "{link:?}");
    }
    for element in &read.elements {
        let Some(grid) = &element.grid else { continue };
        if let Some(starts) = row_starts(text, grid, element.span) {
            assert!(
                starts.is_sorted() && starts.iter().all(|&at| text.is_char_boundary(at)),
                "{starts:?}"
            );
        }
    }
}

/// The value, none where the input was refused.
///
/// # Panics
/// If the error is none of a reader, or is as long as what was read.
pub fn accepted<T>(read: Result<T>) -> Option<T> {
    match read {
        Ok(value) => Some(value),
        Err(Error::Read(message)) => {
            let message = message.to_string();
            assert!(!message.is_empty() && message.len() <= MOST_MESSAGE, "{message}");
            None
        }
        Err(other) => {
            let is_of_a_reader = false;
            assert!(is_of_a_reader, "{other:?}");
            None
        }
    }
}
