//! Separators and marks, read off the values of options.

use chunkwright_text::error::{Error, Result};
use chunkwright_text::segment::separator::{Keep, Separator};
use serde::Deserialize;
use serde_json::Value;

use crate::options::shown;

/// A separator as options have it: its text, or more than that.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given<'s> {
    pattern: &'s str,
    #[serde(default)]
    regex: bool,
    #[serde(default)]
    keep: Keep,
}

/// The separator that a value of `option` is, one that is a text with `keep`; none if it is empty.
///
/// # Errors
/// [`Error::Option`] if it is none.
pub fn separator_of(option: &str, value: &Value, keep: Keep) -> Result<Option<Separator>> {
    let given = match value {
        Value::String(text) => Given { pattern: text, regex: false, keep },
        other => Given::deserialize(other).map_err(|_| {
            let message = format!("a separator must be a str, got {}", shown(other));
            Error::option(option, message)
        })?,
    };
    if given.pattern.is_empty() {
        return Ok(None);
    }
    separator(option, given.pattern, given.regex, given.keep).map(Some)
}

/// The separator of a text or a pattern.
///
/// # Errors
/// [`Error::Option`] for a pattern that is none.
pub fn separator(option: &str, mark: &str, is_regex: bool, keep: Keep) -> Result<Separator> {
    let make = if is_regex { Separator::pattern } else { Separator::literal };
    make(mark, keep).map_err(|error| Error::option(option, error.to_string()))
}

/// The marks of the option `split_at`: one, or several.
///
/// # Errors
/// [`Error::Option`] if one is no separator, or there is none.
pub fn marks_of(value: &Value, keep: Keep) -> Result<Vec<Separator>> {
    let option = "split_at";
    let given = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    let marks = given.iter().map(|mark| separator_of(option, mark, keep)).collect::<Result<_>>()?;
    let marks: Option<Vec<_>> = marks;
    marks.filter(|marks| !marks.is_empty()).ok_or_else(|| {
        let message =
            format!("split_at must be a non-empty mark, or several of them, got {}", shown(value));
        Error::option(option, message)
    })
}
