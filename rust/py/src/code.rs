//! Outlines of source code, by the grammars that packages of Python bring.
#![allow(unsafe_code, reason = "a capsule holds a pointer that its maker vouches for")]

use std::ffi::CStr;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use chunkwright_code::{Grammar, Grammars};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;
use chunkwright_text::syntax::code::outline::{Outline as CoreOutline, Outliner};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};

use crate::error::to_python;
use crate::gate::detached;
use crate::strings::text::Text;

/// The name that packages of grammars give their capsules.
const LANGUAGE: &CStr = c"tree_sitter.Language";

static GRAMMARS: RwLock<Option<Arc<Grammars>>> = RwLock::new(None);
/// The capsules, which keep alive what is behind their pointers.
static CAPSULES: Mutex<Vec<Py<PyCapsule>>> = Mutex::new(Vec::new());

/// The grammars that there are by now.
pub fn grammars() -> Arc<Grammars> {
    GRAMMARS.read().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default()
}

/// The outlines that the grammars give which there are when a text is cut.
#[derive(Debug)]
pub struct Installed;

impl Outliner for Installed {
    fn outline(&self, text: &str, language: &str, pulse: Pulse<'_>) -> Result<Option<CoreOutline>> {
        grammars().outline(text, language, pulse)
    }
}

/// Takes the grammar of `language` (a name of chunkwright's) from a capsule, and returns the kinds of nodes that the
/// rules of the language name and the grammar lacks.
#[pyfunction]
pub fn add_grammar(language: &str, capsule: &Bound<'_, PyAny>) -> PyResult<Vec<&'static str>> {
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(LANGUAGE))?.as_ptr().cast_const().cast();
    // SAFETY: capsules of that name hold a `TSLanguage`, a constant of a library, as py-tree-sitter relies on, too.
    // Python never unloads the library of a module, and the capsule lives on below.
    let grammar = unsafe { Grammar::of_pointer(language, pointer) }
        .map_err(|error| to_python(Error::Config(error.to_string())))?;
    let unknown = grammar.unknown_kinds().to_vec();
    CAPSULES.lock().unwrap_or_else(PoisonError::into_inner).push(capsule.clone().unbind());
    let mut all = GRAMMARS.write().unwrap_or_else(PoisonError::into_inner);
    Arc::make_mut(all.get_or_insert_default()).add(language, grammar);
    Ok(unknown)
}

/// Start, end, start and end of the head, name, symbol and number of the parent; places in UTF-8.
type Definition = (usize, usize, usize, usize, String, &'static str, Option<usize>);
/// Definitions, and what has several lines and is a whole.
type Outline = (Vec<Definition>, Vec<(usize, usize)>);

/// The outline of a text, if there is a grammar of its language and it parses.
#[pyfunction]
pub fn outline(
    py: Python<'_>,
    text: &Bound<'_, PyString>,
    language: &str,
) -> PyResult<Option<Outline>> {
    let text = Text::of(text)?;
    let utf8 = text.as_str();
    let grammars = grammars();
    let outline = detached(py, |pulse| grammars.outline(utf8, language, pulse))?;
    Ok(outline.map(|outline| {
        let definitions = outline.definitions.into_iter().map(|of| {
            let (span, head) = (of.span, of.head);
            (
                span.start,
                span.end,
                head.start,
                head.end,
                of.name.into(),
                of.symbol.name(),
                of.parent,
            )
        });
        let wholes =
            outline.wholes.into_iter().map(Into::into).map(|(start, n)| (start, start + n));
        (definitions.collect(), wholes.collect())
    }))
}
