//! Builder of the index: texts are gathered until they make a segment, whose postings are then put in order.

use std::sync::Arc;

use super::segment::{Gathered, Segment};
use super::{Bm25, Saturation};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::segment::terms::subwords::Subwords;

/// Takes one text after another.
#[derive(Debug)]
pub struct Builder {
    saturation: Saturation,
    subwords: Option<Subwords>,
    segments: Vec<Arc<Segment>>,
    n_texts: usize,
    gathered: Gathered,
}

impl Builder {
    /// A builder of an index without texts, whose words count with `subwords` if there are any.
    pub fn new(saturation: Saturation, subwords: Option<Subwords>) -> Self {
        let (segments, gathered) = (Vec::new(), Gathered::new(subwords));
        Self { saturation, subwords, segments, n_texts: 0, gathered }
    }

    /// Adds a text; the beat counts its bytes. O(its length).
    ///
    /// ```
    /// use chunkwright_text::pulse::{Beat, no_pulse};
    /// use chunkwright_search::retrieve::bm25::{Builder, Saturation};
    ///
    /// let mut builder = Builder::new(Saturation::new(1.2, 0.75)?, None);
    /// let beat = Beat::of_bytes(no_pulse());
    /// for text in ["rain in spain", "sun in spain"] {
    ///     builder.push(text, &beat)?; // from a stream of texts that are not kept
    /// }
    /// let index = builder.finish(no_pulse())?;
    /// assert_eq!((index.n_texts(), index.n_terms()), (2, 4));
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Config`] if there are too many texts or terms; those of the pulse. The builder is of no use then.
    pub fn push(&mut self, text: &str, beat: &Beat<'_>) -> Result<()> {
        if self.n_texts >= u32::MAX as usize {
            return Err(Error::Config(format!("an index holds at most {} texts", u32::MAX)));
        }
        self.gathered.push(text, beat)?;
        self.n_texts += 1;
        if self.gathered.is_full() { self.end_segment(beat.pulse()) } else { Ok(()) }
    }

    fn end_segment(&mut self, pulse: Pulse<'_>) -> Result<()> {
        let gathered = std::mem::replace(&mut self.gathered, Gathered::new(self.subwords));
        self.segments.push(Arc::new(gathered.into_segment(pulse)?));
        Ok(())
    }

    /// The index.
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn finish(mut self, pulse: Pulse<'_>) -> Result<Bm25> {
        if self.gathered.n_texts() > 0 {
            self.end_segment(pulse)?;
        }
        Bm25::of_segments(self.segments, self.saturation, self.subwords)
    }
}
