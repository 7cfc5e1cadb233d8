//! Parts of a WordPiece tokenizer, as `tokenizer.json` names them.

use crate::measure::AddedToken;

/// The parts of a tokenizer whose pre-tokenizer is BERT's.
#[derive(Clone, Debug)]
pub struct WordPieceParts {
    /// Its name, for messages.
    pub name: String,
    /// Tokens and their ids; of two with the same text, the later one holds.
    pub vocab: Vec<(String, u32)>,
    /// The token of what has none, which the vocabulary must hold.
    pub unk_token: String,
    /// The beginning of a token that continues a word, `##` as a rule.
    pub continuing_subword_prefix: String,
    /// A word of more code points than this, once normalised, is unknown.
    pub max_input_chars_per_word: usize,
    /// BERT's normaliser; none leaves texts as they are.
    pub normalizer: Option<BertNormalizer>,
    /// Tokens that are found in a text before anything else is done.
    pub added_tokens: Vec<AddedToken>,
    /// How tokens become text again; none joins them with blanks.
    pub decoder: Option<WordPieceDecoder>,
}

/// Options of BERT's normaliser, which maps each code point by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BertNormalizer {
    /// Remove control characters.
    pub clean_text: bool,
    /// Let each Chinese character be a word.
    pub handle_chinese_chars: bool,
    /// Decompose, and remove the accents; by default if `lowercase`.
    pub strip_accents: Option<bool>,
    /// Lowercase.
    pub lowercase: bool,
}

/// The `WordPiece` decoder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordPieceDecoder {
    /// The mark of a token that continues the one before it.
    pub prefix: String,
    /// Whether blanks before punctuation and in contractions are taken out.
    pub cleanup: bool,
}
