//! Quotations looked for in texts, letter for letter but for a written list.
//!
//! A person or a language model copies a sentence; a reader made the text of a page. Between the two these may differ,
//! and nothing else (`permitted` has cases of each):
//! - **White space**, line and page breaks: a line is broken where a page is narrow. Between letters of scripts that
//!   put no space between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) and Hangul, beside punctuation and
//!   around dashes, none counts; between words it does, and behind a sign between digits (`3, 5` is not `3,5`).
//! - **Soft hyphens and invisible characters**: nobody sees zero widths, marks of direction, the stroke that makes
//!   Arabic words longer.
//! - **Hyphens at ends of lines** between letters: who joins the lines leaves them out, or does not. All others count.
//! - **Forms of one sign**: ligatures, full and half width, composed and decomposed letters, letters of Arabic by their
//!   places, `…` for three dots, all hyphens and dashes for one another, for keyboards have one form. Exponents,
//!   fractions and numbers in circles are no forms.
//! - **Quotation marks** of all kinds, which change where words are quoted within a quotation; apostrophes are alike.
//!   Behind a digit one that closes nothing is a sign of feet, inches, minutes, and counts.
//! - **Case of words**, as of headings in capitals; `ß` is `SS`, a final `ς` is `σ`, the Turkish `ı` is `I`, but `ß` is
//!   not `ss` and `ı` is not `i`. Not that of a unit or symbol beside a number (`5 mg`, `CO2`), if the words around it
//!   have the same case.
//! - **Vowel signs** of Arabic and Hebrew that the text has and the quotation has not, and those that the quotation has
//!   in a word that has none in the text: another sign is another word.
//! - **Markdown** that is not seen where it is shown: emphasis, backticks, `~~`, `==`, dollars around a formula, signs
//!   of headings, quotations, definitions and items, numbers of items, bars of tables, rules, targets of links,
//!   attributes, backslashes. A sign that makes no pair is a sign. Brackets that are no link count. Pictures have the words that
//!   stand for them, or none; names of languages of code and targets that stand in lines of their own may be missing. The state of a task counts where the quotation has it.
//! - **HTML**: tags, comments and entities, but for those in code of Markdown; roles of reStructuredText. A tag that
//!   HTML does not have may be missing in the quotation; one of another name may not stand there.
//! - **Marks of notes** that the text has and the quotation has not: `[3]`, `[a]`, `[^1]`, superscript digits and
//!   daggers behind a word, a percent sign or a year, asterisks behind a sentence. Behind other numbers and units they
//!   are exponents; 2 and 3 behind a year are, unless they are the next of the notes.
//! - **Digits below the line** that markup puts there, which may stand on it; of those above the line 2 and 3 may that
//!   markup puts behind a unit of length or time, and negative ones behind any unit: nothing else is called `120 m2`.
//!
//! Markup between two digits counts always. Punctuation at the ends of a quotation does not, but for question
//! marks; it begins and ends between words, where the script shows these, and where numbers do not go on.
//!
//! # How
//!
//! A normalised text has the bytes of what counts always, and beside them joints: what may be missing in
//! the other text, and what has to be there. A quotation stands where the bytes are equal, and the joints are alike.
//!
//! # Bounds
//!
//! To normalise a text and to look for a quotation take linear time. After 65,536 places in a text that have the
//! letters but not the blanks, as in one letter repeated, its search ends. [`compare`] looks for parts
//! of a quotation some dozens of times. [`compare_slots`] needs no text whose [filter](QuoteFilter) says that it has
//! no part of it.

mod chars;
mod compare;
mod definitions;
mod filter;
mod index;
mod inline_marks;
mod joints;
mod lines;
mod markup;
mod nearest;
mod normal;
mod notes;
mod pairs;
#[cfg(test)]
mod permitted;
mod quote;
mod raised_notes;
mod reader;
mod scripts;
mod slots;
#[cfg(test)]
mod tests;
mod units;
mod vowels;

pub use compare::{Comparison, Outcome, Verdict, compare, compare_slots};
pub use filter::QuoteFilter;
pub use index::{Place, QuoteIndex, Source};
pub use nearest::Nearest;
pub use quote::MIN_QUOTE_BYTES;
pub use slots::Slot;
