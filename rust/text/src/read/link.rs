//! Links of a document: where each stands in the text, and its target.

use serde::{Deserialize, Serialize};

use crate::span::Span;

/// A link or an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Where it stands in the document's text.
    pub span: Span,
    /// Its target, as the source states it.
    pub target: Box<str>,
    /// Whether it is an image, whose target is its file.
    pub is_image: bool,
}
