//! Quotations looked for in texts, word for word.
//!
//! A person or a language model copies a sentence; a reader made the text of a page. Between the two these change
//! without a word being another, and are the same here:
//! - **Whitespace**, line and page breaks: all are one blank. Between letters of scripts that put no space between
//!   words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) and Hangul, and beside punctuation, no blank counts.
//! - **Case**: folded; `ß` is `ss`, a final `ς` is `σ`. Turkish `ı`, `I`, `i` and `İ` are one letter, so that a
//!   quotation in capitals is found whichever way these were made.
//! - **Forms** of one character: ligatures, full width, superscripts, composed and decomposed letters (NFKD). Accents
//!   and other marks count. The stroke that makes Arabic words longer does not.
//! - **Hyphens and dashes**: all are alike. Where one text has one, the other may have none, a blank or another; so
//!   `co-⏎ordinate` is `coordinate` and `co-ordinate`. A minus sign directly before a number is kept.
//! - **Quotation marks** and brackets are ignored as hyphens are, apostrophes within words are alike; an ellipsis is
//!   three dots.
//! - **Invisible** characters: zero width, soft hyphens, marks of direction, control characters.
//! - **Markdown**: emphasis, backticks, signs of headings, bullets and quotations at line starts, bars between cells,
//!   rules, targets of links, backslashes before punctuation. A `*` or `_` between letters, and an asterisk between
//!   blanks, are kept.
//!
//! All other characters must be the same. Punctuation at the ends of a quotation does not count, and it begins and
//! ends between words, where the script shows these.
//!
//! # Bounds
//!
//! To normalise a text and to look for a quotation take linear time. After 65,536 places in a text that have the
//! letters but not the blanks, as in one letter repeated, its search ends. [`compare`] looks for parts
//! of a quotation some dozens of times.

mod chars;
mod compare;
mod index;
mod nearest;
mod normal;
mod quote;
mod reader;
#[cfg(test)]
mod tests;

pub use compare::{Comparison, Place, Verdict, compare};
pub use index::{QuoteIndex, Source};
pub use nearest::Nearest;
pub use quote::MIN_QUOTE_CHARS;
