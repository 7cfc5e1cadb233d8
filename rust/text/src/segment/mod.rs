//! Segmentation of a text: words, clauses, sentences, graphemes, separators.
//!
//! Each module answers where something begins or ends, near a place or one after another; none knows a size or a
//! limit, so whatever a chunk may hold, segments are the same. They are found when they are asked for: a strategy
//! reads as much of a text as its limit reaches.
//!
//! | module | finds | by |
//! |---|---|---|
//! | [`grapheme`] | characters as readers see them | UAX #29, extended grapheme clusters |
//! | [`word`] | starts of words | whitespace; UAX #29 where a script has none |
//! | [`clause`] | starts of clauses | commas, dashes, brackets |
//! | [`sentence`] | sentences | rules for 62 languages, and abbreviations of 48 |
//! | [`heading`], [`lead_in`] | lines that lead to what follows | their marks, or that they stand alone |
//! | [`fence`] | code blocks | `CommonMark`, reStructuredText |
//! | [`separator`] | places of a literal or a pattern | a search that is linear in the text |
//! | [`terms`] | words to compare and search texts by | scripts, case, identifiers |

pub mod clause;
pub mod fence;
pub mod grapheme;
pub mod heading;
pub mod lead_in;
pub(crate) mod line;
mod literal;
pub mod nearby;
pub mod sentence;
pub mod separator;
pub mod starts;
pub mod terms;
pub mod word;
