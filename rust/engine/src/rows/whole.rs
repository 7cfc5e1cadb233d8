//! Facts about the chunks of a slice that come from the whole document, which the slice goes without.

use chunkwright_text::boundaries::Ending;
use chunkwright_text::chunks::Chunks;
use chunkwright_text::error::{Error, Result};
use serde::{Deserialize, Serialize};

use super::facts::Places;

/// The form of the bytes; another one is refused.
const VERSION: u8 = 1;

/// What the whole document says of a slice of its chunks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Whole {
    /// The number of the first chunk among all that were cut together.
    pub row: usize,
    /// The number of the document among those.
    pub doc: usize,
    /// The number of the first chunk in the document.
    pub chunk: usize,
    /// By how much the numbers of the chunks' elements are larger in the document.
    pub element: usize,
    /// The id of the document.
    pub document_id: String,
    /// The ids of the chunks.
    pub ids: Vec<String>,
    /// Where they start and end, in code points.
    pub chars: [Vec<i64>; 2],
    /// Where the pieces of each start and end, in code points.
    pub pieces: Vec<Vec<[i64; 2]>>,
    /// Their lines and places.
    pub places: Places,
    /// How they end.
    pub endings: Vec<Ending>,
    /// For each the number of the chunk that holds the heading above it.
    pub parents: Vec<Option<usize>>,
}

impl Whole {
    /// A slice of chunks, and what the whole document says of it, as bytes.
    ///
    /// # Errors
    /// [`Error::Read`] if memory runs out.
    pub fn to_bytes(&self, chunks: &Chunks) -> Result<Vec<u8>> {
        let bytes = chunks.to_bytes(&[chunks.len()], true)?;
        postcard::to_extend(&(self, &*bytes), vec![VERSION])
            .map_err(|error| Error::read(format!("a slice of chunks cannot be stored: {error}")))
    }

    /// What `bytes` hold: a slice of `n` chunks with so many elements, and what the whole document says of it.
    ///
    /// # Errors
    /// [`Error::Read`] if they are none of [`Whole::to_bytes`], or of another slice.
    pub fn of_bytes(bytes: &[u8], n: usize, n_elements: Option<usize>) -> Result<(Self, Chunks)> {
        let wrong = |reason: &str| Error::read(format!("a stored slice of chunks {reason}"));
        let Some((&VERSION, bytes)) = bytes.split_first() else {
            return Err(wrong("is from another version of chunkwright: cut the documents again"));
        };
        let (whole, chunks): (Self, &[u8]) =
            postcard::from_bytes(bytes).map_err(|error| wrong(&format!("is damaged: {error}")))?;
        let chunks = Chunks::slice_of_bytes(chunks, n_elements)?;
        if chunks.len() == n && whole.is_of(&chunks) {
            Ok((whole, chunks))
        } else {
            Err(wrong("belongs to other texts"))
        }
    }

    /// Whether all is known of these chunks.
    fn is_of(&self, chunks: &Chunks) -> bool {
        let Self { ids, chars: [starts, ends], pieces, places, endings, .. } = self;
        let n = chunks.len();
        [starts.len(), ends.len(), ids.len(), pieces.len()] == [n; 4]
            && [places.lines.len(), places.sources.len()] == [n; 2]
            && endings.len() == if chunks.boundaries().text_ends().is_empty() { 0 } else { n }
            && pieces.iter().enumerate().all(|(i, of)| of.len() == chunks.pieces(i).len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_stored_with_what_its_document_says() {
        let mut chunks = Chunks::default();
        chunks.push(70, 75, 90, 4);
        let whole = Whole {
            row: 9,
            ids: vec!["a".into()],
            chars: [vec![60], vec![80]],
            pieces: vec![vec![[60, 65], [65, 80]]],
            places: Places { lines: vec![[3, 4]], sources: vec![None] },
            ..Whole::default()
        };
        let bytes = whole.to_bytes(&chunks).unwrap();
        assert_eq!(Whole::of_bytes(&bytes, 1, None).unwrap(), (whole, chunks));
        for (bytes, n, reason) in [
            (&bytes[..], 2, "other texts"),
            (&bytes[..20], 1, "is damaged"),
            (&[0, 1], 1, "another version"),
            (&[], 1, "another version"),
        ] {
            let error = Whole::of_bytes(bytes, n, None).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        // Whatever else is wrong is found or does no harm.
        for i in 1..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 0x15;
            drop(Whole::of_bytes(&damaged, 1, None));
        }
    }
}
