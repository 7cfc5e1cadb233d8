//! WordPiece encoder: token counts and ids of one text after another.
//!
//! As in [`bpe`](crate::measure::bpe), words are looked up by their raw bytes before anything is normalised: one
//! that was met before costs neither lower case nor a walk through the vocabulary. Caches are two-way: the latest
//! word of a slot and the one before it.

use super::hidden::{HiddenRuns, LONG};
use super::index::WordIndex;
use super::letters::Letters;
use super::normalizer::Word;
use super::pass::Visitor;
use super::{Tables, WordPiece};
use crate::error::Result;
use crate::measure::bitmap::Bitmap;
use crate::measure::bpe::key::Key;
use crate::measure::word_cache::{LongWords, ShortWords, WideKey};
use crate::pulse::Pulse;
use crate::span::Span;

/// Encodes one text after another and remembers the words it met.
///
/// Memory: up to 4.5 MB, less as long as it has met little text.
#[derive(Debug)]
pub struct WordPieceEncoder {
    wordpiece: WordPiece,
    short_words: ShortWords,
    long_words: LongWords,
    word: Word,
}

impl WordPieceEncoder {
    /// An encoder that has met no text.
    pub fn new(wordpiece: WordPiece) -> Self {
        Self {
            wordpiece,
            short_words: ShortWords::new(),
            long_words: LongWords::new(),
            word: Word::default(),
        }
    }

    /// Tokens of `text`. O(n).
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn count(&mut self, text: &str, pulse: Pulse<'_>) -> Result<usize> {
        let mut total = 0;
        self.count_into(text, &mut total, pulse)?;
        Ok(total)
    }

    /// An index that counts any span of `text`. O(n).
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn index(&mut self, text: &str, pulse: Pulse<'_>) -> Result<WordIndex> {
        let wordpiece = self.wordpiece.clone();
        let mut marks = Marks {
            tables: wordpiece.tables(),
            text,
            units: Bitmap::new(text.len() + 1),
            tokens: Bitmap::new(text.len() + 1),
            added: Vec::new(),
            hidden: HiddenRuns::default(),
        };
        self.count_into(text, &mut marks, pulse)?;
        let Marks { units, tokens, added, hidden, .. } = marks;
        let (units, tokens) = (units.finish(), tokens.finish());
        Ok(WordIndex { wordpiece, units, tokens, added, hidden })
    }

    /// The ids of the tokens of `text`. O(n).
    ///
    /// # Errors
    /// Those of `pulse`.
    pub fn encode(&mut self, text: &str, pulse: Pulse<'_>) -> Result<Vec<u32>> {
        let tables = self.wordpiece.tables();
        let mut encoding = Encoding { tables, text, word: &mut self.word, ids: Vec::new() };
        tables.pass(text, &mut encoding, pulse)?;
        Ok(encoding.ids)
    }

    fn count_into(&mut self, text: &str, sink: &mut impl Sink, pulse: Pulse<'_>) -> Result<()> {
        let Self { wordpiece, short_words, long_words, word } = self;
        short_words.grow(text.len());
        long_words.grow(text.len());
        let tables = wordpiece.tables();
        let mut counts = Counts { tables, text, short_words, long_words, word, sink };
        tables.pass(text, &mut counts, pulse)
    }
}

/// Counts the tokens of each unit.
struct Counts<'a, S> {
    tables: &'a Tables,
    text: &'a str,
    short_words: &'a mut ShortWords,
    long_words: &'a mut LongWords,
    word: &'a mut Word,
    sink: &'a mut S,
}

/// Takes the number of tokens of one unit after another.
trait Sink {
    /// What stands alone, or a word of up to 15 bytes.
    fn short(&mut self, start: usize, n_tokens: u8);
    /// A longer word.
    fn long(&mut self, span: Span, n_tokens: usize);
    /// A much longer word, and what is hidden in it.
    fn giant(&mut self, span: Span, n_tokens: usize, hidden: HiddenRuns);
    /// An added token: one token.
    fn added(&mut self, span: Span);
}

impl<S: Sink> Visitor for Counts<'_, S> {
    #[inline(always)]
    fn word(&mut self, span: Span) {
        if span.len() > Key::MAX_LEN {
            self.long_word(span);
            return;
        }
        let key = Key::load(&self.text.as_bytes()[span.start..], span.len());
        let count = || self.tables.count_cached(self.text, span, self.word);
        let n_tokens = self.short_words.get(key, count);
        self.sink.short(span.start, n_tokens);
    }

    fn giant(&mut self, span: Span, hidden: HiddenRuns) {
        let n_tokens = self.tables.count_word(self.text, span, &hidden, self.word);
        self.sink.giant(span, n_tokens, hidden);
    }

    #[inline(always)]
    fn alone(&mut self, span: Span) {
        self.sink.short(span.start, 1);
    }

    fn added(&mut self, span: Span, _id: u32) {
        self.sink.added(span);
    }
}

impl<S: Sink> Counts<'_, S> {
    #[inline(never)]
    fn long_word(&mut self, span: Span) {
        let n_tokens = if span.len() <= WideKey::MAX_LEN {
            let key = WideKey::new(&self.text.as_bytes()[span.range()]);
            let count = || self.tables.count_cached(self.text, span, self.word);
            usize::from(self.long_words.get(key, count))
        } else {
            self.tables.count_word(self.text, span, &HiddenRuns::default(), self.word)
        };
        self.sink.long(span, n_tokens);
    }
}

impl Tables {
    /// Tokens of a word that fits into a cache: no more than it has bytes.
    #[inline(never)]
    fn count_cached(&self, text: &str, span: Span, word: &mut Word) -> u8 {
        let n_tokens = self.count_word(text, span, &HiddenRuns::default(), word);
        u8::try_from(n_tokens).unwrap_or(u8::MAX)
    }

    /// Tokens of a whole word of `text`; `word` is a place to normalise it.
    fn count_word(&self, text: &str, span: Span, hidden: &HiddenRuns, word: &mut Word) -> usize {
        self.gather(text, span, hidden, word);
        self.model.count(word.letters())
    }

    /// Makes `word` a whole word of `text`, normalised.
    fn gather(&self, text: &str, span: Span, hidden: &HiddenRuns, word: &mut Word) {
        let letters = Letters::new(&self.scanner, &text[..span.end], span.start, hidden);
        word.gather(letters, self.scanner.normalizer, self.model.max_letters());
    }
}

impl Sink for usize {
    #[inline(always)]
    fn short(&mut self, _start: usize, n_tokens: u8) {
        *self += usize::from(n_tokens);
    }

    fn long(&mut self, _span: Span, n_tokens: usize) {
        *self += n_tokens;
    }

    fn giant(&mut self, _span: Span, n_tokens: usize, _hidden: HiddenRuns) {
        *self += n_tokens;
    }

    fn added(&mut self, _span: Span) {
        *self += 1;
    }
}

/// What an index is made of.
struct Marks<'a> {
    tables: &'a Tables,
    text: &'a str,
    units: Bitmap,
    tokens: Bitmap,
    added: Vec<Span>,
    hidden: HiddenRuns,
}

impl Sink for Marks<'_> {
    #[inline(always)]
    fn short(&mut self, start: usize, n_tokens: u8) {
        self.units.insert(start);
        // At most 15, as no word has more tokens than bytes.
        self.tokens.insert_bits(start, (1 << n_tokens) - 1);
    }

    fn long(&mut self, span: Span, n_tokens: usize) {
        let mut hidden = HiddenRuns::default();
        if span.len() > LONG {
            hidden.extend(&self.tables.scanner, self.text, span);
        }
        self.giant(span, n_tokens, hidden);
    }

    fn giant(&mut self, span: Span, n_tokens: usize, hidden: HiddenRuns) {
        self.units.insert(span.start);
        (0..n_tokens).for_each(|i| self.tokens.insert(span.start + i));
        self.hidden.append(hidden);
    }

    fn added(&mut self, span: Span) {
        self.units.insert(span.start);
        self.tokens.insert(span.start);
        self.added.push(span);
        if span.len() > LONG {
            self.hidden.extend(&self.tables.scanner, self.text, span);
        }
    }
}

/// Collects ids.
struct Encoding<'a> {
    tables: &'a Tables,
    text: &'a str,
    word: &'a mut Word,
    ids: Vec<u32>,
}

impl Visitor for Encoding<'_> {
    fn word(&mut self, span: Span) {
        self.giant(span, HiddenRuns::default());
    }

    fn giant(&mut self, span: Span, hidden: HiddenRuns) {
        self.tables.gather(self.text, span, &hidden, self.word);
        self.tables.model.encode(self.word.letters(), &mut self.ids);
    }

    fn alone(&mut self, span: Span) {
        self.word.clear();
        for c in self.text[span.range()].chars() {
            self.word.push(self.tables.scanner.normalizer, c);
        }
        self.tables.model.encode(self.word.letters(), &mut self.ids);
    }

    fn added(&mut self, _span: Span, id: u32) {
        self.ids.push(id);
    }
}
