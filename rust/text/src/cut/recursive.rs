//! Recursive strategy: chunks that end at the strongest separator within reach.
//!
//! A chunk ends at the last place of the first separator in the list that has one. So paragraphs stay
//! together as long as they fit, then lines, then words, and where no separator is left, graphemes.
//!
//! A heading goes with what follows it, and in Markdown and reStructuredText a code block stays whole where it
//! fits, unless the text is taken as [`Markup::Code`]. In code whose language is known, what stands above a line stays
//! with it: comments, decorators, annotations and attributes.
//!
//! # Why the last place of the strongest separator
//!
//! Splitting top down, at every paragraph and then what is too long at every line, makes pieces that have to be
//! merged again, and measures each piece several times. Here the text is walked once: the measure says how far a
//! chunk may reach, and each separator is asked for its last place before that. So a chunk is as full as its
//! strongest boundary allows, and nothing is merged.
//!
//! The price is that a chunk's end depends on where it starts, so an edit moves the cuts behind it until a strong
//! boundary is a cut of both texts; [`balanced`](super::balanced) chooses cuts that do not.

use std::borrow::Cow;

use super::chunker::Chunker;
use super::structure::{Next, Structure};
use super::table::in_text::{add_all, tables};
use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::Result;
use crate::markup::Markup;
use crate::measure::Measure;
use crate::options::{Limits, OverlapAt};
use crate::pulse::Pulse;
use crate::segment::separator::{Places, Separator};
use crate::syntax::code::languages::CodeLanguage;
use crate::unicode::line_ends::unified;

/// Options of the recursive strategy.
#[derive(Clone, Debug)]
pub struct Recursion {
    /// Where chunks may end, the strongest first.
    pub separators: Vec<Separator>,
    /// The same in documents that are known to be in a markup, for each that has its own; empty if all are cut alike.
    pub by_markup: Vec<(Markup, Vec<Separator>)>,
    /// The markup of the text, by which headings and code blocks are told and kept together.
    pub markup: Markup,
    /// The language of code, by which what stands above a line is kept with it.
    pub language: Option<&'static CodeLanguage>,
    /// Whether the parts of a table repeat its header.
    pub repeat_headers: bool,
}

impl Recursion {
    /// The separators that a document is cut at, and the markup that it is taken as.
    fn of(&self, document: Document<'_>) -> (&[Separator], Markup) {
        let own = self.by_markup.iter().find(|(markup, _)| *markup == document.markup());
        own.map_or((&self.separators, self.markup), |(markup, separators)| (separators, *markup))
    }

    /// The markup that a document is cut by.
    pub(super) fn markup_of(&self, document: Document<'_>) -> Markup {
        self.of(document).1
    }
}

/// Cuts a document at separators; a table over the limit, with the headings above it, between its rows.
///
/// O(n) in the text's length for each separator. An empty text, and one of whitespace only, has no
/// chunks.
///
/// The crate's documentation begins with an example. Patterns are separators too, and a chunk may keep the text
/// of one at its start, at its end, or not at all:
///
/// ```
/// use chunkwright_text::cut::recursive::{Recursion, recursive};
/// use chunkwright_text::document::Document;
/// use chunkwright_text::markup::Markup;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::options::{Limits, OverlapAt};
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_text::segment::separator::{Keep, Separator};
///
/// let document = Document::new("09:00 start 09:05 stop 09:10 start");
/// let options = Recursion {
///     separators: vec![Separator::pattern(r"\d\d:\d\d", Keep::Start)?],
///     by_markup: Vec::new(),
///     markup: Markup::Code,
///     language: None,
///     repeat_headers: false,
/// };
/// let limits = Limits::new(25, None, 0)?;
/// let (chars, at) = (Chars::new(document), OverlapAt::Any);
/// let chunks = recursive(document, &chars, limits, at, &options, no_pulse())?;
/// let texts: Vec<_> = chunks.spans().map(|span| &document.text()[span.range()]).collect();
/// assert_eq!(texts, ["09:00 start 09:05 stop", "09:10 start"]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn recursive(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    overlap_at: OverlapAt,
    options: &Recursion,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let lines = unified(document.text());
    let text = &*lines;
    let (separators, markup) = options.of(document);
    // What is the text itself has no line ends but line feeds.
    let has_pages = matches!(&lines, Cow::Owned(same) if same.contains('\x0c'));
    let pages = if has_pages { Some(Separator::paragraphs()?) } else { None };
    let places = |separator| -> Places<'_, '_> {
        match (separator, &pages) {
            (separator, _) if !Separator::is_of_lines(separator) => {
                separator.places(document.text())
            }
            (separator, Some(pages)) if separator.is_blank_line() => pages.places(text),
            (separator, _) => separator.places(text),
        }
    };
    let mut levels: Vec<Places<'_, '_>> = separators.iter().map(places).collect();
    let chunker = Chunker::new(text, measure, limits, overlap_at, pulse);
    let mut chunker = chunker.of_source(document.text());
    chunker.structure = match options.language {
        Some(language) if markup == Markup::Code => {
            Some(Structure::of_code(text, language, measure, limits))
        }
        _ => Structure::of(text, markup, Next::Paragraph, measure, limits),
    };
    let tables = tables(document, markup);
    add_all(&mut chunker, &mut levels, tables, options.repeat_headers)?;
    Ok(chunker.chunks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Bpe, Chars, Encoder, Tokens};
    use crate::oracle;
    use crate::pulse::no_pulse;
    use crate::segment::separator::Keep;
    use proptest::prelude::*;

    const MARKS: [&str; 3] = ["\n\n", "\n", " "];

    fn texts<'t>(document: Document<'t>, measure: &dyn Measure, max: usize) -> Vec<&'t str> {
        let limits = Limits::new(max, None, 0).unwrap();
        let marks = MARKS.map(|mark| Separator::literal(mark, Keep::Start).unwrap());
        let options = Recursion {
            separators: marks.to_vec(),
            by_markup: Vec::new(),
            markup: Markup::Unknown,
            language: None,
            repeat_headers: true,
        };
        let at = OverlapAt::Word;
        let chunks = recursive(document, measure, limits, at, &options, no_pulse()).unwrap();
        chunks.spans().map(|span| &document.text()[span.range()]).collect()
    }

    proptest! {
        #[test]
        fn chunks_are_those_of_the_oracle(
            text in prop_oneof![
                "[a-c.,漢e\u{301}\n ]{0,80}",
                "((# |== |Title\n===\n|```\n)?[a-c漢]{2,6}[.,]?( |\n|\n\n)){0,20}",
                "((- |1\\. |# )?[a-c漢]{1,6}[.:]?( |\n|\n  |\n\n)){0,20}",
            ],
            max in 1_usize..30,
        ) {
            let document = Document::new(&text);
            let chars = oracle::recursive(&text, &MARKS, max, |part| part.chars().count());
            prop_assert_eq!(texts(document, &Chars::new(document), max), chars);
            for name in ["cl100k_base", "o200k_base"] {
                let bpe = Bpe::named(name).unwrap();
                let count = |part: &str| Encoder::new(bpe.clone()).count(part, no_pulse()).unwrap();
                let index = Encoder::new(bpe.clone()).index(&text, no_pulse()).unwrap();
                let tokens = oracle::recursive(&text, &MARKS, max, count);
                prop_assert_eq!(texts(document, &Tokens::new(&text, &index), max), tokens);
            }
        }
    }
}
