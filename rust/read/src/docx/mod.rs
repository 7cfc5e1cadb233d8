//! Word files (DOCX): headings, lists, tables, notes and the rest in reading order.
//!
//! | module | from | to |
//! |---|---|---|
//! | `parts` | the ZIP | its parts as trees of XML, within bounds; styles, numberings, sections |
//! | `containers`, `paragraphs` | a body, a cell, a note | its paragraphs and tables, and what each is |
//! | `runs`, `fields`, `drawings`, `equations`, `symbols` | a paragraph | its pieces of text, and what is anchored in it |
//! | `line`, `texts`, `tables`, `pages` | pieces | lines with their links and pages; the grid of a table |
//! | `body`, `lists`, `notes`, `captions`, `furniture` | all of that | blocks |
//!
//! What a file may hold is bounded (its parts, their bytes and elements, how deep these are nested, the cells of a
//! table), and so are the time and the memory that it takes, whatever it says of itself.

mod body;
mod captions;
mod containers;
mod drawings;
mod equations;
mod fields;
mod furniture;
mod line;
mod lists;
mod notes;
mod pages;
mod paragraphs;
mod parts;
mod runs;
mod symbols;
mod tables;
mod texts;

use self::body::Body;
use self::furniture::furniture;
use self::pages::Pages;
use self::parts::numbering::Numbering;
use self::parts::package::{Package, Parts};
use self::parts::sections::Section;
use self::parts::styles::Styles;
use self::parts::tags::Tag;
use super::blocks;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::read::Read;

/// Blocks that are read in some milliseconds.
const BLOCKS: usize = 1000;
/// The part that holds the document where the package does not say so.
const MAIN: &str = "word/document.xml";

/// What all that is read of a document depends on.
struct Context<'a> {
    styles: Styles<'a>,
    numbering: Numbering<'a>,
    pages: Pages,
}

/// Reads a Word file. O(n), but for tables.
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_read::docx;
///
/// let error = docx::read(b"text", no_pulse()).unwrap_err();
/// assert!(error.to_string().starts_with("this is not a ZIP archive, or a damaged one: "));
/// ```
///
/// # Errors
/// [`Error::Read`] if it is no Word file, or an encrypted, damaged or too large one: names the part. Those of `pulse`.
pub fn read(data: &[u8], pulse: Pulse<'_>) -> Result<Read> {
    let package = Package::new(data)?;
    let parts = Parts::new(&package);
    let of_package = parts.relations("")?;
    let main = of_package.of_kind("officeDocument").next().map_or(MAIN, |main| &main.target);
    let root = parts.part(main)?;
    let body = root.and_then(|root| root.child(Tag::Body));
    let Some((root, body)) = root.zip(body) else {
        return Err(Error::read("this ZIP archive holds no Word document".to_owned()));
    };
    let relations = parts.relations(main)?;
    let context = Context {
        styles: Styles::new(parts.related(&relations, "styles")?),
        numbering: Numbering::new(parts.related(&relations, "numbering")?),
        pages: Pages::new(root),
    };
    let (sections, beat) = (Section::all(root), Beat::every(BLOCKS, pulse));
    let mut reader = Body::new(&parts, &context, &relations, &sections, &beat);
    reader.read(body)?;
    let mut blocks = reader.finish()?;
    let n_body = blocks.len();
    blocks.extend(furniture(&parts, &relations, &sections, &context)?);
    Ok(Read { n_body: Some(n_body), ..blocks::read(blocks) })
}
