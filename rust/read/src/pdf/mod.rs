//! PDF documents without a model: glyphs and boxes to headings, paragraphs, lists and tables.
//!
//! A caller reads the glyphs of a page with whatever library ([`page::PageContent`]); all else is done here, in
//! steps that each can be looked at. No step guesses what the next one knows better.
//!
//! | module | from | to |
//! |---|---|---|
//! | [`fonts`] | name, flags and weight of a font | how its letters look |
//! | [`scans::recognised`] | words that were recognised in a picture | glyphs |
//! | [`scans::spacing`], [`scans::ink`] | a picture of a page, its words | where these end, and stand; how thick they are |
//! | [`scans::rulings`], [`scans::drawings`] | a picture of a page | its ruled lines |
//! | [`forms`] | a file | whether it draws within bounds |
//! | [`fields`] | values of form fields, notes | glyphs at their place |
//! | [`links`], [`tables::cell_links`] | areas that link | links in the text of blocks and cells |
//! | [`vertical`] | columns of letters below each other | lines that run down |
//! | [`turns`] | what runs in another direction | a page on which it runs to the right |
//! | [`words`] | glyphs in the order of the file | words |
//! | [`tables::grids`], [`tables::refined`], [`tables`] | ruled lines, words | tables with lines around cells |
//! | [`tables::bands`], [`tables::unruled::gutters`], [`tables::unruled`] | aligned lines | tables without |
//! | [`figures`] | pictures and drawings | figures |
//! | [`alleys`], [`lines`] | words | lines, parted by columns |
//! | [`headings::outline`] | outline, lines | lines that are titles |
//! | [`paragraphs`] | lines | blocks of text |
//! | [`headings::run_in`] | a paragraph | the title in its first line, and the rest |
//! | [`order`] | blocks of a page | the same in reading order |
//! | [`layout`] | a page | its blocks, all of the above |
//! | [`furniture`] | pages | which blocks are page headers and footers |
//! | [`headings::numbering`] | a line | the number in front of it |
//! | [`headings::bylines`] | the first page | what says who wrote it |
//! | [`headings::sections`] | pages | headings that only their numbers tell |
//! | [`headings::candidates`] | blocks of a page | which may be headings |
//! | [`headings`] | pages, outline | which blocks are headings, of which level |
//! | [`lists`] | items | how deep they are nested |
//! | [`tables::aligned`] | words of a table, lines across it | rows and columns by alignment |
//! | `tables::framed` | words, lines of one width | tables between these lines |
//! | [`document`] | pages | the document |
//! | [`quality`] | a page | how sure its text is |

pub mod alleys;
pub mod document;
pub mod fields;
pub mod figures;
pub mod fonts;
pub mod forms;
pub mod furniture;
pub mod headings;
pub mod join;
pub mod kinds;
pub mod layout;
pub mod lines;
pub mod links;
pub mod lists;
pub mod markers;
pub mod order;
pub mod page;
pub mod paragraphs;
pub mod quality;
pub mod scans;
pub mod tables;
pub mod turns;
pub mod vertical;
pub mod words;
