//! What a WordPiece tokenizer is made of, as `tokenizer.json` names it.

/// The parts of a tokenizer whose pre-tokenizer is BERT's.
#[derive(Clone, Debug)]
pub struct WordPieceParts {
    /// What errors call it.
    pub name: String,
    /// Tokens and their ids; of two with the same text, the later one holds.
    pub vocab: Vec<(String, u32)>,
    /// The token of what has none, which the vocabulary must hold.
    pub unk_token: String,
    /// What a token that continues a word begins with, `##` as a rule.
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

/// What BERT's normaliser does to each code point.
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

/// A token that is found in a text as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "the file's own properties")]
pub struct AddedToken {
    /// Its id in the file. Tokens that the vocabulary lacks are numbered in order behind it, as the peer
    /// does, which gives the same ids unless the file was edited.
    pub id: u32,
    /// Its text.
    pub content: String,
    /// Whether decoding may leave it out.
    pub special: bool,
    /// Whether it is found only where no letter or digit is next to it.
    pub single_word: bool,
    /// Whether it takes the whitespace before it.
    pub lstrip: bool,
    /// Whether it takes the whitespace after it.
    pub rstrip: bool,
    /// Whether it is looked for in the normalised text.
    pub normalized: bool,
}

/// The `WordPiece` decoder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordPieceDecoder {
    /// What marks a token as continuing the one before it.
    pub prefix: String,
    /// Whether blanks before punctuation and in contractions are taken out.
    pub cleanup: bool,
}
