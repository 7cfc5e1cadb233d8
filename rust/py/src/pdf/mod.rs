//! PDF documents, read through the library `PDFium` that pypdfium2 brings.

mod drawing;
mod forms;
mod library;
mod links;
mod page;
mod recognising;
mod tags;
mod upright;

use std::ffi::c_int;

use chunkwright_read::pdf::document::document;
use chunkwright_read::pdf::forms::check_forms;
use chunkwright_read::pdf::headings::outline::{Outline, OutlineEntry};
use chunkwright_read::pdf::layout::PageLayout;
use chunkwright_read::pdf::page::PageContent;
use chunkwright_text::error::Error;
use pyo3::prelude::*;

use self::forms::Form;
use self::library::{Handle, Library};
use self::recognising::Recogniser;
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
/// levels of its outline. The text of pages that have none, or of all pages (`all_pages`), is that which `recognise` gives;
/// see [`Recogniser`].
///
/// # Errors
/// `ReadError` if a page cannot be loaded; what `recognise` or a signal raises.
#[pyfunction]
#[pyo3(signature = (addresses, handle, pages, outline, recognise=None, *, all_pages=false))]
#[allow(unsafe_code, reason = "PDFium is a library in C")]
pub fn read_pdf(
    py: Python<'_>,
    addresses: Vec<usize>,
    handle: usize,
    pages: Vec<c_int>,
    outline: Vec<(String, i64, u8)>,
    recognise: Option<Py<PyAny>>,
    all_pages: bool,
) -> PyResult<Elements> {
    // SAFETY: the caller takes the addresses from the library by the names of `Library::NAMES`.
    let library = unsafe { Library::at(&addresses)? };
    let entry = |(title, page, level)| OutlineEntry { title, page, level };
    let outline = Outline::of(outline.into_iter().map(entry));
    let recogniser = recognise.map(|recognise| Recogniser { recognise, all_pages });
    let read = detached(py, |pulse| {
        let mut layouts = Vec::with_capacity(pages.len());
        // SAFETY: the caller holds the open document and lets nobody else use it.
        let form = unsafe { Form::of(&library, handle as Handle) };
        for index in pages {
            pulse()?;
            // SAFETY: as above.
            let content = unsafe { page::read(&library, handle as Handle, &form, index) };
            let missing = || Error::read(format!("page {} is damaged", index + 1));
            let mut content = content.ok_or_else(missing)?;
            if let Some(recogniser) = &recogniser {
                recogniser.recognise(&mut content)?;
            }
            layouts.push(PageLayout::of(content, &outline));
        }
        Ok(document(&layouts, &outline))
    })?;
    Ok(Elements::of(read))
}

/// The document of pages that are pictures, each of this number, width and height in points, by what `recognise` gives
/// of it.
///
/// # Errors
/// What `recognise` or a signal raises.
#[pyfunction]
pub fn read_pictures(
    py: Python<'_>,
    pages: Vec<(i64, f32, f32)>,
    recognise: Py<PyAny>,
) -> PyResult<Elements> {
    let recogniser = Recogniser { recognise, all_pages: true };
    let outline = Outline::default();
    let read = detached(py, |pulse| {
        let mut layouts = Vec::with_capacity(pages.len());
        for (number, width, height) in pages {
            pulse()?;
            let mut content = PageContent { number, width, height, ..PageContent::default() };
            recogniser.recognise(&mut content)?;
            layouts.push(PageLayout::of(content, &outline));
        }
        Ok(document(&layouts, &outline))
    })?;
    Ok(Elements::of(read))
}
