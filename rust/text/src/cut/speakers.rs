//! Speakers of turns: the label that a chunk repeats which goes on in the middle of a turn.

use super::prefix::Prefixed;
use crate::document::Document;
use crate::error::Result;
use crate::span::{Piece, Role};

/// The name of a speaker may take this part of the limit; a longer one is not repeated.
const SHARE: usize = 4;

/// Repeats the labels of a document's turns.
#[derive(Clone, Copy)]
pub struct Speakers<'c, 'a> {
    pub document: Document<'a>,
    pub prefixed: Prefixed<'c, 'a>,
}

impl Speakers<'_, '_> {
    /// The label of the turn in which a chunk that begins at `at` goes on, if it is to be repeated.
    ///
    /// # Errors
    /// Those of the measure.
    pub fn label(&self, at: usize) -> Result<Option<Piece>> {
        let Some(span) = self.document.speaker_label(at) else { return Ok(None) };
        let Prefixed { chunker, bare, limits, .. } = self.prefixed;
        let size = chunker.measure.size(span)?.saturating_sub(bare);
        let fits = size.saturating_mul(SHARE) <= limits.hard_max();
        Ok(fits.then_some(Piece { span, role: Role::Speaker }))
    }
}

/// Where an overlap begins that would begin at `open`, in front of `body`: not within the name of a speaker, but
/// behind it.
pub fn behind_label(document: Document<'_>, open: usize, body: usize) -> usize {
    let Some(label) = document.label_around(open) else { return open };
    label.end.min(body)
}
