//! Recogniser of pages, written in Python: asked page by page for the words that it sees.

use chunkwright_read::pdf::page::PageContent;
use chunkwright_read::pdf::page::RecognisedWord;
use chunkwright_read::pdf::quality::PageQuality;
use chunkwright_read::pdf::scans::picture::Picture;
use chunkwright_text::error::Result;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::error::{ending, to_core};

/// A word: its text, its four corners in points as a reader sees the page, its confidence, and the number of its line.
type WordRow = (String, [[f32; 2]; 4], f32, usize);

/// What is given of a page: its words, and a picture of it as bytes of grey, with its width and height in pixels.
type Given = (Vec<WordRow>, PyBackedBytes, usize, usize);

/// A function that gives the words of a page and a picture of it, by its number (from 1), its width and its height.
pub struct Recogniser {
    pub recognise: Py<PyAny>,
    /// Whether it is asked for all pages, and not only for those that have no text to rely on.
    pub all_pages: bool,
}

impl Recogniser {
    /// Puts recognised words into a page, if it needs them.
    ///
    /// # Errors
    /// What the function raises, or a value that is none of words.
    pub fn recognise(&self, page: &mut PageContent) -> Result<()> {
        if !self.all_pages && !PageQuality::of(page).needs_ocr() {
            return Ok(());
        }
        let (number, width, height) = (page.number, page.width, page.height);
        let rows = Python::try_attach(|py| {
            let given = self.recognise.call1(py, (number, width, height))?;
            given.extract::<Given>(py)
        });
        let (rows, grey, width, height) = rows.ok_or_else(ending)?.map_err(to_core)?;
        let picture = Picture { grey: grey.to_vec(), width, height };
        let word =
            |(text, corners, confidence, line)| RecognisedWord { text, corners, confidence, line };
        let words: Vec<RecognisedWord> = rows.into_iter().map(word).collect();
        page.recognise(&words, &picture);
        Ok(())
    }
}
