//! Stored form of chunks: bytes that hold all of them but the texts, for pickles and files.
//!
//! Integers are written in as many bytes as they need, and spans as start and length. The bytes may be of anybody:
//! whatever they say is checked against the texts before it is used.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Chunks, Content, Origin};
use crate::boundaries::{Boundaries, Verdict};
use crate::document::Document;
use crate::error::{Error, Result};
use crate::span::{Piece, Role, Span};
use crate::subject::Subject;

/// The form of the bytes; another one is refused.
const VERSION: u8 = 2;

/// Boundaries of one text as columns, and its threshold.
type Scored<'a> = (&'a [usize], &'a [f64], &'a [Verdict], f64);

/// The same, as they come back.
type StoredScores = (Vec<usize>, Vec<f64>, Vec<Verdict>, f64);

/// The chunks of one text.
#[derive(Serialize)]
struct Outgoing<'a> {
    n_pieces: Vec<usize>,
    pieces: &'a [Piece],
    sizes: &'a [usize],
    oversize: Vec<usize>,
    origins: &'a [Origin],
    /// The HTML of tables, each once, and the chunks that have it.
    htmls: Vec<&'a str>,
    html_rows: Vec<(usize, usize)>,
    /// What chunks of source code are about, each once, and the chunks that are.
    subjects: Vec<&'a Subject>,
    subject_rows: Vec<(usize, usize)>,
    boundaries: Option<Scored<'a>>,
}

/// The same, as it comes back.
#[derive(Deserialize)]
struct Incoming {
    n_pieces: Vec<usize>,
    pieces: Vec<Piece>,
    sizes: Vec<usize>,
    oversize: Vec<usize>,
    origins: Vec<Origin>,
    htmls: Vec<String>,
    html_rows: Vec<(usize, usize)>,
    subjects: Vec<Subject>,
    subject_rows: Vec<(usize, usize)>,
    boundaries: Option<StoredScores>,
}

impl Chunks {
    /// All but the texts as bytes; `row_ends` has for each text one past its last chunk. Without `elements` nothing is
    /// kept of what chunks know of these, their HTML included. O(n).
    ///
    /// ```
    /// use chunkwright_text::chunks::Chunks;
    /// use chunkwright_text::document::Document;
    ///
    /// let mut chunks = Chunks::default();
    /// chunks.push(0, 0, 4, 1);
    /// let bytes = chunks.to_bytes(&[1], true)?;
    /// assert_eq!(Chunks::of_bytes(&bytes, &[Document::new("Rain.")])?, [chunks]);
    /// assert!(Chunks::of_bytes(&bytes, &[Document::new("Sun")]).is_err()); // another text
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Read`] if memory runs out.
    pub fn to_bytes(&self, row_ends: &[usize], elements: bool) -> Result<Vec<u8>> {
        let starts = [0].into_iter().chain(row_ends.iter().copied());
        let texts = starts.zip(row_ends).enumerate();
        let texts: Vec<_> =
            texts.map(|(text, (start, &end))| self.outgoing(text, start, end, elements)).collect();
        postcard::to_extend(&texts, vec![VERSION])
            .map_err(|error| Error::read(format!("chunks cannot be stored: {error}")))
    }

    /// The chunks of each of `texts` that `bytes` hold. O(n).
    ///
    /// # Errors
    /// [`Error::Read`] if they are none of [`Chunks::to_bytes`], or of other texts.
    pub fn of_bytes(bytes: &[u8], texts: &[Document<'_>]) -> Result<Vec<Self>> {
        let stored = incoming(bytes)?;
        let n_scored = stored.iter().filter(|text| text.boundaries.is_some()).count();
        if stored.len() != texts.len() || ![0, texts.len()].contains(&n_scored) {
            return Err(wrong("belong to other texts"));
        }
        let chunks = stored.into_iter().zip(texts).map(|(chunks, document)| {
            chunks.within(Some(document.text()), document.elements().map(<[_]>::len))
        });
        chunks.collect::<Option<_>>().ok_or_else(|| wrong("do not lie in their texts"))
    }

    /// The slice of chunks that `bytes` hold, apart from its text, which has so many elements.
    ///
    /// # Errors
    /// [`Error::Read`] if they are none of [`Chunks::to_bytes`] of a [`Chunks::slice`].
    pub fn slice_of_bytes(bytes: &[u8], n_elements: Option<usize>) -> Result<Self> {
        let [stored] = <[Incoming; 1]>::try_from(incoming(bytes)?)
            .map_err(|_| wrong("belong to other texts"))?;
        stored.within(None, n_elements).ok_or_else(|| wrong("are damaged"))
    }

    fn outgoing(&self, text: usize, start: usize, end: usize, elements: bool) -> Outgoing<'_> {
        let first_piece = start.checked_sub(1).map_or(0, |i| self.piece_ends[i]);
        let last_piece = end.checked_sub(1).map_or(0, |i| self.piece_ends[i]);
        let own = |rows: &[usize]| {
            rows.partition_point(|&i| i < start)..rows.partition_point(|&i| i < end)
        };
        let oversize = self.oversize[own(&self.oversize)].iter().map(|i| i - start).collect();
        let (origins, all_htmls) =
            if elements { (&self.origins[..], &self.htmls[..]) } else { (&[][..], &[][..]) };
        let (htmls, html_rows) = shared(all_htmls, start..end);
        let (subjects, subject_rows) = shared(&self.subjects, start..end);
        Outgoing {
            n_pieces: (start..end).map(|i| self.pieces(i).len()).collect(),
            pieces: &self.pieces[first_piece..last_piece],
            sizes: &self.sizes[start..end],
            oversize,
            origins: origins.get(start..end).unwrap_or_default(),
            htmls,
            html_rows,
            subjects,
            subject_rows,
            boundaries: boundaries_of(&self.boundaries, text),
        }
    }
}

/// What the chunks `rows` have of a value that neighbours share: each value once, and for each chunk that has one its
/// number in `rows` and that of the value.
fn shared<T: ?Sized>(
    all: &[(usize, Arc<T>)],
    rows: Range<usize>,
) -> (Vec<&T>, Vec<(usize, usize)>) {
    let (mut values, mut of_rows) = (Vec::new(), Vec::new());
    let mut last: Option<&Arc<T>> = None;
    let first = all.partition_point(|(i, _)| *i < rows.start);
    for (i, value) in all[first..].iter().take_while(|(i, _)| *i < rows.end) {
        if !last.is_some_and(|last| Arc::ptr_eq(last, value)) {
            values.push(&**value);
        }
        last = Some(value);
        of_rows.push((i - rows.start, values.len() - 1));
    }
    (values, of_rows)
}

/// The same, as each chunk has it; none if a chunk has a value that is not there.
fn unshared<T: ?Sized>(
    values: &[Arc<T>],
    rows: Vec<(usize, usize)>,
) -> Option<Vec<(usize, Arc<T>)>> {
    rows.into_iter().map(|(i, at)| Some((i, Arc::clone(values.get(at)?)))).collect()
}

fn wrong(reason: &str) -> Error {
    Error::read(format!("stored chunks {reason}"))
}

fn incoming(bytes: &[u8]) -> Result<Vec<Incoming>> {
    let Some((&VERSION, bytes)) = bytes.split_first() else {
        return Err(wrong("are from another version of chunkwright: cut the documents again"));
    };
    postcard::from_bytes(bytes).map_err(|error| wrong(&format!("are damaged: {error}")))
}

impl Incoming {
    /// The chunks, which stand in `text`, if that is at hand; those of one without elements have none, and no HTML.
    fn within(self, text: Option<&str>, n_elements: Option<usize>) -> Option<Chunks> {
        let n = self.n_pieces.len();
        let is_in = |span: Span| text.is_none_or(|text| text.get(span.range()).is_some());
        let piece_ends = piece_ends(&self.n_pieces, self.pieces.len())?;
        let are_columns = self.sizes.len() == n && [0, n].contains(&self.origins.len());
        let ascend =
            |rows: &[usize]| rows.is_sorted_by(|a, b| a < b) && rows.iter().all(|&i| i < n);
        let numbers =
            |rows: &[(usize, usize)]| -> Vec<usize> { rows.iter().map(|(i, _)| *i).collect() };
        let are_rows = [&self.html_rows, &self.subject_rows].map(|rows| ascend(&numbers(rows)));
        let are_pieces = self.pieces.iter().all(|piece| is_in(piece.span));
        if !are_columns || !are_pieces || !ascend(&self.oversize) || are_rows.contains(&false) {
            return None;
        }
        let mut chunks = Chunks {
            pieces: self.pieces,
            piece_ends,
            sizes: self.sizes,
            oversize: self.oversize,
            boundaries: boundaries_within(self.boundaries, text)?,
            subjects: unshared(
                &self.subjects.into_iter().map(Arc::new).collect::<Vec<_>>(),
                self.subject_rows,
            )?,
            ..Chunks::default()
        };
        if !(0..n).all(|i| chunks.is_in_order(i)) {
            return None;
        }
        if let Some(n_elements) = n_elements {
            let origins = self.origins.into_iter().enumerate();
            chunks.origins = origins
                .map(|(i, of)| of.within(n_elements, text.map(|_| i)))
                .collect::<Option<_>>()?;
            let htmls: Vec<Arc<str>> = self.htmls.into_iter().map(Arc::from).collect();
            chunks.htmls = unshared(&htmls, self.html_rows)?;
        }
        Some(chunks)
    }
}

impl Chunks {
    /// Whether the own pieces of chunk `i` stand one behind the other.
    fn is_in_order(&self, i: usize) -> bool {
        let own = self.pieces(i).iter().filter(|piece| piece.role == Role::Body);
        own.map(|piece| piece.span).is_sorted_by(|a, b| a.end <= b.start)
    }
}

impl Origin {
    /// The origin of a chunk of a text with so many elements, of which the chunk `i` is, unless it is of a slice.
    fn within(self, n_elements: usize, i: Option<usize>) -> Option<Self> {
        let is_known = self.content != Content::TablePart || i.is_none_or(|i| self.part <= i);
        let is_sound = self.first <= self.end && is_known;
        is_sound.then(|| Self {
            first: self.first.min(n_elements),
            end: self.end.min(n_elements),
            ..self
        })
    }
}

/// For each chunk one past its last piece, of which it has one at least; they share all pieces.
fn piece_ends(n_pieces: &[usize], n: usize) -> Option<Vec<usize>> {
    let mut end = 0_usize;
    let ends = n_pieces.iter().map(|&n_own| {
        end = end.checked_add(n_own)?;
        (n_own > 0).then_some(end)
    });
    let ends: Vec<usize> = ends.collect::<Option<_>>()?;
    (end == n).then_some(ends)
}

/// The boundaries of one text, if a semantic strategy cut it.
fn boundaries_of(boundaries: &Boundaries, text: usize) -> Option<Scored<'_>> {
    let (ends, threshold) = (boundaries.text_ends(), *boundaries.thresholds().get(text)?);
    let own = text.checked_sub(1).map_or(0, |before| ends[before])..ends[text];
    let (ats, scores) = (&boundaries.ats()[own.clone()], &boundaries.scores()[own.clone()]);
    Some((ats, scores, &boundaries.verdicts()[own], threshold))
}

/// The boundaries of one text, which lie in it.
fn boundaries_within(stored: Option<StoredScores>, text: Option<&str>) -> Option<Boundaries> {
    let mut boundaries = Boundaries::default();
    let Some((ats, scores, verdicts, threshold)) = stored else { return Some(boundaries) };
    let are_columns = [scores.len(), verdicts.len()] == [ats.len(); 2];
    let is_in = |&at: &usize| text.is_some_and(|text| text.is_char_boundary(at));
    if !are_columns || !ats.is_sorted() || !ats.iter().all(is_in) {
        return None;
    }
    for ((at, score), verdict) in ats.into_iter().zip(scores).zip(verdicts) {
        boundaries.push(at, score, verdict);
    }
    boundaries.end_text(threshold);
    Some(boundaries)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::elements::Element;

    const TEXTS: [&str; 3] = ["stone kg\nslate 7\nch\u{e4}lk 3", "", "It rained. And on."];

    fn table() -> Vec<Element> {
        vec![Element { span: Span::new(0, TEXTS[0].len()), ..Element::default() }]
    }

    /// Two parts of a table, no chunk, and two scored ones.
    fn chunks() -> (Chunks, [usize; 3]) {
        let header = Piece { span: Span::new(0, 8), role: Role::Header };
        let html: Arc<str> = Arc::from("<table><tr><td>stone</table>");
        let mut chunks = Chunks::default();
        for (part, own) in [Span::new(9, 16), Span::new(17, 25)].into_iter().enumerate() {
            chunks.push_pieces(&[header, Piece::body(own)], 7);
            let content = Content::TablePart;
            chunks.set_origin(Origin { content, first: 0, end: 1, part, n_header_rows: 1 });
            chunks.set_html(Arc::clone(&html));
        }
        let mut last = Chunks::default();
        last.push(0, 0, 10, 3);
        last.push(8, 11, 18, 4);
        last.mark_oversize();
        chunks.append(&last);
        let mut boundaries = Boundaries::default();
        for (ats, threshold) in [(&[16][..], 0.5), (&[], f64::NAN), (&[3, 10], 0.25)] {
            for &at in ats {
                boundaries.push(at, 0.75, Verdict::limit(at));
            }
            boundaries.end_text(threshold);
        }
        (chunks.with_boundaries(boundaries), [2, 2, 4])
    }

    fn restored(bytes: &[u8], elements: &[Element]) -> Result<Vec<Chunks>> {
        let [first, rest @ ..] = TEXTS.map(Document::new);
        Chunks::of_bytes(bytes, &[first.with_elements(elements), rest[0], rest[1]])
    }

    #[test]
    fn chunks_come_back() {
        let (chunks, row_ends) = chunks();
        let bytes = chunks.to_bytes(&row_ends, true).unwrap();
        let mut all = Chunks::default();
        restored(&bytes, &table()).unwrap().iter().for_each(|text| all.append(text));
        assert_eq!(format!("{all:?}"), format!("{chunks:?}"));
        assert!(Arc::ptr_eq(&all.htmls[0].1, &all.htmls[1].1));
        assert_eq!(all.to_bytes(&row_ends, true).unwrap(), bytes);
        // Where the text has lost its elements, chunks have none.
        let plain = Chunks::of_bytes(&bytes, &TEXTS.map(Document::new)).unwrap();
        assert_eq!((plain[0].origins().len(), plain[0].html(0), plain[0].len()), (0, None, 2));
        let without = chunks.to_bytes(&row_ends, false).unwrap();
        let again = Chunks::of_bytes(&without, &TEXTS.map(Document::new)).unwrap();
        assert!(without.len() < bytes.len());
        assert_eq!(format!("{again:?}"), format!("{plain:?}"));
    }

    #[test]
    fn a_slice_comes_back_without_its_text() {
        let (chunks, row_ends) = chunks();
        for (text, rows, n_elements) in [(0, 1..2, Some(1)), (2, 2..4, Some(0))] {
            let slice = chunks.slice(text, rows.start, &chunks.sizes[rows.clone()]);
            let bytes = slice.to_bytes(&[rows.len()], true).unwrap();
            let again = Chunks::slice_of_bytes(&bytes, n_elements).unwrap();
            assert_eq!(
                (again.pieces(0), again.html(0)),
                (chunks.pieces(rows.start), slice.html(0))
            );
            assert_eq!(again.boundaries().thresholds().len(), 1);
            assert_eq!(again.to_bytes(&[rows.len()], true).unwrap(), bytes);
        }
        let bytes = chunks.to_bytes(&row_ends, true).unwrap();
        assert!(Chunks::slice_of_bytes(&bytes, None).is_err());
    }

    #[test]
    fn what_does_not_stand_in_the_texts_is_refused() {
        let (chunks, row_ends) = chunks();
        let bytes = chunks.to_bytes(&row_ends, true).unwrap();
        let texts = TEXTS.map(Document::new);
        let swapped = [texts[2], texts[1], texts[0]];
        let cases: [(&[u8], &[Document<'_>], &str); 6] = [
            (&[], &texts, "another version of chunkwright: cut the documents again"),
            (&[0, 1, 2], &texts, "another version"),
            (&bytes[..9], &texts, "are damaged"),
            (&bytes, &texts[..2], "other texts"),
            (&bytes, &swapped, "do not lie in their texts"),
            (&[VERSION, 255, 255, 255, 255, 15], &texts, "are damaged"),
        ];
        for (bytes, texts, reason) in cases {
            let error = Chunks::of_bytes(bytes, texts).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    /// Asks for all that chunks say.
    fn ask(chunks: &Chunks, text: &str) {
        for i in 0..chunks.len() {
            assert!(chunks.text(i, text).len() >= chunks.body(i).len().min(1) || text.is_empty());
            let _ =
                (chunks.span(i).len(), chunks.n_bytes(i), chunks.is_oversize(i), chunks.html(i));
        }
        if !chunks.boundaries().text_ends().is_empty() {
            chunks.boundaries().endings(0, chunks.spans().map(|span| span.end));
        }
    }

    proptest! {
        #[test]
        fn damage_is_an_error_or_does_no_harm(
            changes in proptest::collection::vec((1_usize..200, any::<u8>()), 1..4), cut in 0_usize..400,
        ) {
            let (chunks, row_ends) = chunks();
            let mut bytes = chunks.to_bytes(&row_ends, true).unwrap();
            let n = bytes.len();
            for (at, by) in changes {
                bytes[1 + at % (n - 1)] = by;
            }
            bytes.truncate(cut.max(1));
            if let Ok(texts) = restored(&bytes, &table()) {
                texts.iter().zip(TEXTS).for_each(|(chunks, text)| ask(chunks, text));
            }
        }

        #[test]
        fn any_bytes_are_an_error_or_chunks(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let bytes = [&[VERSION, 3][..], &bytes].concat();
            if let Ok(texts) = restored(&bytes, &table()) {
                texts.iter().zip(TEXTS).for_each(|(chunks, text)| ask(chunks, text));
            }
        }
    }
}
