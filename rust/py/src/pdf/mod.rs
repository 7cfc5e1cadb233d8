//! PDF documents, read through the library `PDFium` that pypdfium2 brings.

mod drawing;
mod forms;
mod library;
mod links;
mod page;
mod tags;
mod upright;

use std::ffi::c_int;

use chunkwright_read::pdf::document::document;
use chunkwright_read::pdf::forms::check_forms;
use chunkwright_read::pdf::headings::OutlineEntry;
use chunkwright_read::pdf::layout::PageLayout;
use chunkwright_text::error::Error;
use pyo3::prelude::*;

use self::forms::Form;
use self::library::{Handle, Library};
use crate::elements::Elements;
use crate::gate::detached;

/// Names of the functions of `PDFium` whose addresses [`read_pdf`] takes, in that order.
#[pyfunction]
pub fn pdfium_functions() -> &'static [&'static str] {
    Library::NAMES
}

/// Refuses a file whose pages would take all memory to draw; before `PDFium` loads a page.
///
/// # Errors
/// `ReadError` that names the object; what a signal raises.
#[pyfunction]
pub fn check_pdf(py: Python<'_>, data: &[u8]) -> PyResult<()> {
    detached(py, |pulse| check_forms(data, pulse))
}

/// The document of some pages (from 0) of an open PDF, whose handle the caller holds; titles, pages (from 1) and
/// levels of its outline.
///
/// # Errors
/// `ReadError` if a page cannot be loaded; what a signal raises.
#[pyfunction]
#[allow(unsafe_code, reason = "PDFium is a library in C")]
pub fn read_pdf(
    py: Python<'_>,
    addresses: Vec<usize>,
    handle: usize,
    pages: Vec<c_int>,
    outline: Vec<(String, i64, u8)>,
) -> PyResult<Elements> {
    // SAFETY: the caller takes the addresses from the library by the names of `Library::NAMES`.
    let library = unsafe { Library::at(&addresses)? };
    let entry = |(title, page, level)| OutlineEntry { title, page, level };
    let outline: Vec<OutlineEntry> = outline.into_iter().map(entry).collect();
    let read = detached(py, |pulse| {
        let mut layouts = Vec::with_capacity(pages.len());
        // SAFETY: the caller holds the open document and lets nobody else use it.
        let form = unsafe { Form::of(&library, handle as Handle) };
        for index in pages {
            pulse()?;
            // SAFETY: as above.
            let content = unsafe { page::read(&library, handle as Handle, &form, index) };
            let missing = || Error::read(format!("page {} is damaged", index + 1));
            layouts.push(PageLayout::of(content.ok_or_else(missing)?));
        }
        Ok(document(&layouts, &outline))
    })?;
    Ok(Elements::of(read))
}
