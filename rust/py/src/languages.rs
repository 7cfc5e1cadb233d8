//! Languages of source files, as Python asks for them.

use chunkwright_text::syntax::code::languages::{CodeLanguage, LANGUAGES, of_file};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::strings::text::Text;

/// A language: its name, what else it is called, how the names of its files end, and what these are.
type Row = (&'static str, &'static [&'static str], &'static [&'static str], &'static str);

/// The languages of source files.
#[pyfunction]
pub fn code_languages() -> Vec<Row> {
    LANGUAGES.iter().map(row).collect()
}

/// The language of a file, by its name, else by the first line of `head`, where its text begins.
///
/// # Errors
/// If memory runs out.
#[pyfunction]
pub fn code_language_of(
    name: &Bound<'_, PyString>,
    head: &Bound<'_, PyString>,
) -> PyResult<Option<Row>> {
    let (name, head) = (Text::of(name)?, Text::of(head)?);
    Ok(of_file(name.as_str(), head.as_str()).map(row))
}

const fn row(language: &'static CodeLanguage) -> Row {
    (language.name, language.aliases, language.suffixes, language.files.name())
}
