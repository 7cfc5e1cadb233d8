//! Page chunker: a chunk for each page, or one for a document that has none.

use crate::docling::chunk::DocChunk;
use crate::docling::render::{Rendered, Renderer};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};

/// The chunks of the document that `renderer` renders, in the order of its pages.
///
/// # Errors
/// Those of [`Renderer::item`] and of the pulse.
pub fn pages(renderer: &Renderer<'_>, pulse: Pulse<'_>) -> Result<Vec<DocChunk>> {
    let document = renderer.document();
    let beat = Beat::of_bytes(pulse);
    let mut chunks = Vec::new();
    let mut push = |rendered: Rendered| {
        beat.after(rendered.text.len())?;
        if !rendered.text.is_empty() {
            chunks.push(DocChunk {
                text: rendered.text,
                items: rendered.items,
                headings: None,
                has_origin: true,
            });
        }
        Ok(())
    };
    if document.pages.is_empty() {
        push(renderer.body()?)?;
    }
    for page in renderer.pages() {
        push(renderer.page(page)?)?;
    }
    Ok(chunks)
}
