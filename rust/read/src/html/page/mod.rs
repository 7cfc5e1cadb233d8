//! Reader of HTML pages: their visible text, and the headings, paragraphs, lists, tables and code in it.
//!
//! One pass over the tokens of the lexer, without a tree: a stack of open elements says what a text is
//! part of, and where browsers would close an element that was left open. All work is linear in the source,
//! whatever is nested or left open; the memory is a few times its size.
//!
//! # Without a tree
//!
//! A tree has a node for each of the thousands of elements of a page, of which the reader needs none once it is
//! closed. What a browser's parser would do to tags that are left open or out of place concerns the tree; for the
//! text it is enough to know which blocks are open, and that a block ends the paragraph before it. `tags` says
//! what an element means, `stack` what is open, `runs` makes elements of the words between two boundaries,
//! and `table` a grid.

mod attributes;
mod closing;
mod inlines;
mod layout;
mod links;
mod reader;
mod runs;
mod signs;
mod stack;
mod table;
mod tables;
mod tags;
mod text;

use chunkwright_text::elements::Element;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::read::link::Link;
use chunkwright_text::read::{Links, Read, Sparse};
use chunkwright_text::source_map::SourceMap;
use chunkwright_text::span::Span;
use chunkwright_text::syntax::html::landmark::Landmark;
use chunkwright_text::syntax::html::lexer::{Dialect, Lexer};
use reader::Reader;

/// A page, read.
#[derive(Clone, Debug, Default)]
struct Page {
    /// The visible text, a blank line between two elements.
    text: String,
    /// The elements.
    elements: Vec<Element>,
    /// Where each is in the source, in bytes: with its tags, if it has some of its own.
    places: Vec<Span>,
    /// What `<title>` says, with single blanks; empty if there is none.
    title: String,
    /// The languages of code that states one, with the number of its element.
    languages: Sparse<Box<str>>,
    /// What captions are of.
    captions: Sparse<usize>,
}

/// Reads a page, of which the parts `dropped` are left out; its characters at the bytes `pairs` count twice. O(n).
///
/// ```
/// use chunkwright_text::elements::Kind;
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_read::html::landmark::Landmark;
/// use chunkwright_read::html::page::read;
///
/// let html = "<title>Weather</title><nav>Home</nav><h1>Rain</h1><p>It <b>fell</b> &amp; fell.";
/// let dropped = [Landmark::named("nav").unwrap()];
/// let page = read(html, &[], &dropped, no_pulse())?;
/// assert_eq!(page.text.as_deref(), Some("Rain\n\nIt fell & fell."));
/// assert_eq!(&*page.name, "Weather");
/// assert_eq!(page.elements[0].kind, Kind::Heading);
/// // Where the heading stands in the source, with its tags:
/// assert_eq!(&html[page.places[0][0]..page.places[0][1]], "<h1>Rain</h1>");
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of `pulse`.
pub fn read(html: &str, pairs: &[usize], dropped: &[Landmark], pulse: Pulse<'_>) -> Result<Read> {
    let page = read_by(Reader::new(html, dropped), pulse)?.finish();
    let mut captions = page.captions;
    captions.sort_unstable();
    let spans = page.elements.iter().map(|element| element.span);
    let (source, places) =
        SourceMap::of_elements(html, pairs, spans.zip(page.places.iter().copied()));
    Ok(Read {
        text: Some(page.text),
        elements: page.elements,
        name: page.title.into(),
        source,
        places,
        languages: page.languages,
        captions,
        links: Links::Page(dropped.to_vec()),
        ..Read::default()
    })
}

/// The links of the page that [`read`] gives, in the order of its text, those in others behind these. O(n).
///
/// The page is read again, so that documents whose links nobody asks for do not pay for them.
///
/// # Errors
/// Those of `pulse`.
pub fn links(html: &str, dropped: &[Landmark], pulse: Pulse<'_>) -> Result<Vec<Link>> {
    Ok(read_by(Reader::with_links(html, dropped), pulse)?.finish_with_links().1)
}

/// Reads a page, and once more where most of it is veiled.
fn read_by<'a>(reader: Reader<'a>, pulse: Pulse<'_>) -> Result<Reader<'a>> {
    let read = read_once(reader, pulse)?;
    if read.misses_most() { read_once(read.lifting_veils(), pulse) } else { Ok(read) }
}

fn read_once<'a>(mut reader: Reader<'a>, pulse: Pulse<'_>) -> Result<Reader<'a>> {
    let beat = Beat::of_bytes(pulse);
    let mut lexer = Lexer::new(reader.html, Dialect::Page);
    loop {
        let start = lexer.at();
        let Some(token) = lexer.next_of_page(|| reader.is_foreign()) else { break };
        reader.step(token, start, &mut lexer);
        beat.after(lexer.at() - start)?;
    }
    Ok(reader)
}

#[cfg(test)]
mod tests;
