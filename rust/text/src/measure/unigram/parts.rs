//! Parts of a Unigram tokenizer, as `tokenizer.json` names them.

use super::charsmap::Charsmap;
use crate::measure::AddedToken;

/// The parts of a tokenizer whose model is Unigram.
#[derive(Clone, Debug)]
pub struct UnigramParts {
    /// Its name, for messages.
    pub name: String,
    /// Pieces and their scores, in the order of their ids.
    pub pieces: Vec<(String, f64)>,
    /// The id of what has no piece.
    pub unk_id: u32,
    /// Whether what has no piece is written in the pieces of its bytes, `<0xE2>`.
    pub byte_fallback: bool,
    /// The steps of normalisation, in order.
    pub normalizer: Vec<Step>,
    /// How a normalised text is cut into words.
    pub words: Words,
    /// Tokens that are found in a text before it is cut into words.
    pub added_tokens: Vec<AddedToken>,
    /// How tokens become text again; none joins them with blanks.
    pub decoder: Option<MetaspaceDecoder>,
}

/// A step of a normaliser.
#[derive(Clone, Debug)]
pub enum Step {
    /// `SentencePiece`'s own table of what grapheme clusters become.
    Precompiled(Charsmap),
    /// Canonical composition.
    Nfc,
    /// Canonical decomposition.
    Nfd,
    /// Compatible composition.
    Nfkc,
    /// Compatible decomposition.
    Nfkd,
    /// Lower case.
    Lowercase,
    /// Combining marks are removed.
    StripAccents,
    /// Control characters are removed, and what parts words becomes a blank.
    Nmt,
    /// Whitespace at the ends of a text is removed.
    Strip {
        /// That at its start.
        left: bool,
        /// That at its end.
        right: bool,
    },
    /// This is put before a text that is not empty.
    Prepend(String),
    /// One string is written for another.
    Replace {
        /// What is looked for, which is not empty.
        pattern: String,
        /// What is written.
        content: String,
    },
    /// One string is written for each run of at least so many blanks.
    ReplaceBlanks {
        /// The least length of a run: 1 or 2.
        least: usize,
        /// What is written.
        content: String,
    },
}

/// How a normalised text is cut into words, each of which is encoded by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// Whether it is cut at whitespace first, which is left out.
    pub at_whitespace: bool,
    /// The rule for blanks; without, the text stays as it is, one word.
    pub metaspace: Option<Metaspace>,
}

/// The `Metaspace` pre-tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metaspace {
    /// The character that is written for a blank.
    pub replacement: char,
    /// Where it is put before a part of the text that does not begin with it.
    pub prepend: Prepend,
    /// Whether a word ends before each of them.
    pub split: bool,
}

/// Where a [`Metaspace`] puts its character before a part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prepend {
    /// Before each.
    Always,
    /// Before the one that the text begins with.
    First,
    /// Before none.
    Never,
}

/// The `Metaspace` decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetaspaceDecoder {
    /// The character that becomes a blank.
    pub replacement: char,
    /// Whether it is left out of the first token.
    pub drops_first: bool,
}
