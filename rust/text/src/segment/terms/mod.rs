//! Terms of a text: the words, parts of identifiers and pairs of characters by which texts are compared.
//!
//! - A **word** is a run of letters, digits and underscores, its case folded; combining marks stay with
//!   their letters. Apostrophes, hyphens and dots end it: `l'homme` is `l` and `homme`.
//! - An **identifier** is a word with parts, and gives itself and them: `parseHTTPRequest2` is
//!   `parsehttprequest2`, `parse`, `http`, `request` and `2`; `max_tokens` is `max_tokens`, `max` and
//!   `tokens`; `URLs` is `urls`, `url` and `s`. Underscores around a word are none of its.
//! - **Scripts that put no space between words** (Chinese, Japanese, Thai, Lao, Khmer, Burmese), and
//!   Hangul, where particles cling to words, give each two neighbouring characters; a character that
//!   stands alone gives itself. Ideographs and Hangul syllables, many of which are words, give themselves
//!   beside their pairs: a [`TermKind::Character`].
//! - What Unicode holds to be the same is: terms are those of a text's [normal form](normal_form()).
//!
//! Of a longer term [`MAX_TERM_CHARS`] code points count, and a longer run than [`MAX_RUN_BYTES`] is
//! taken for several: so work is linear and memory constant, whatever the text.

pub mod accents;
#[doc(hidden)]
pub mod char_kind;
pub mod normal_form;
pub mod subwords;
#[cfg(test)]
mod tests;

use crate::error::Result;
use crate::pulse::Beat;
use char_kind::{CharKind, is_word_alone, push_folded};
use normal_form::normal_form;
use unicode_normalization::UnicodeNormalization;

/// Of what terms are: what was derived from those of another version has to be made anew.
pub const VERSION: u32 = 2;

/// So many code points of a term count, before its case is folded.
pub const MAX_TERM_CHARS: usize = 64;

/// A run of letters, or of characters of scripts without spaces, ends at the first code point behind so
/// many bytes.
pub const MAX_RUN_BYTES: usize = 4096;

/// So many bytes are read at once, and then counted by the beat.
const WINDOW_BYTES: usize = 1 << 14;

/// A term, and what it is.
#[derive(Clone, Copy, Debug)]
pub struct Term<'t> {
    /// Its code points, their case folded.
    pub text: &'t str,
    /// What it is.
    pub kind: TermKind,
}

/// Kind of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// Letters alone: a word, or a part of an identifier, but not one with parts.
    Word,
    /// An identifier with parts, a number, a pair of characters or a character that stands alone.
    Other,
    /// A character beside the pairs that it is in.
    Character,
}

/// Gives each term of `text` to `give`, in the order in which they begin, an identifier before its parts; but no
/// character beside its pairs.
///
/// O(n); nothing is allocated for a term.
///
/// ```
/// use chunkwright_text::pulse::{Beat, no_pulse};
/// use chunkwright_text::segment::terms::for_each_term;
///
/// let mut terms = Vec::new();
/// let beat = Beat::of_bytes(no_pulse());
/// for_each_term("parseHTTPRequest2, naïve 漢字", &beat, |term| terms.push(term.to_owned()))?;
/// assert_eq!(terms, ["parsehttprequest2", "parse", "http", "request", "2", "naïve", "漢字"]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the pulse.
pub fn for_each_term(text: &str, beat: &Beat<'_>, mut give: impl FnMut(&str)) -> Result<()> {
    for_each_tagged_term(text, beat, |term| {
        if term.kind != TermKind::Character {
            give(term.text);
        }
    })
}

/// The same, with what each term is, and with the characters of pairs.
///
/// # Errors
/// Those of the pulse.
#[inline]
pub fn for_each_tagged_term(
    text: &str,
    beat: &Beat<'_>,
    mut give: impl FnMut(Term<'_>),
) -> Result<()> {
    let normal = normal_form(text, beat)?;
    let text = &*normal;
    let (bytes, mut reader) = (text.as_bytes(), Reader::default());
    let mut at = 0;
    loop {
        let stop = bytes.len().min(at + WINDOW_BYTES);
        beat.after(stop - at)?;
        while at < stop {
            at = match CharKind::OF_BYTE[usize::from(bytes[at])] {
                CharKind::Outside => at + 1,
                CharKind::NO_ASCII => reader.run(text, at, &mut give),
                _ => reader.ascii_run(text, at, &mut give),
            };
        }
        if at == bytes.len() {
            return Ok(());
        }
    }
}

/// Reads one run after another.
#[derive(Default)]
struct Reader {
    /// The characters of a run.
    chars: Vec<Char>,
    /// Whether something clings to one of them.
    any_clings: bool,
    /// A term that is not in the text as it is.
    term: String,
}

/// A code point and what clings to it.
#[derive(Clone, Copy)]
struct Char {
    start: usize,
    end: usize,
    kind: CharKind,
}

impl Reader {
    /// Reads the word of ASCII at `start`; its end.
    #[inline]
    fn ascii_run(&mut self, text: &str, start: usize, give: &mut impl FnMut(Term<'_>)) -> usize {
        let bytes = text.as_bytes();
        let last = bytes.len().min(start + MAX_RUN_BYTES);
        let (mut end, mut only_letters) = (start, true);
        while end < last {
            match CharKind::OF_BYTE[usize::from(bytes[end])] {
                CharKind::Letter => {}
                CharKind::NO_ASCII if goes_on(&text[end..]) => return self.run(text, start, give),
                CharKind::NO_ASCII | CharKind::Outside => break,
                _ => only_letters = false,
            }
            end += 1;
        }
        if only_letters {
            let word = &text[start..end.min(start + MAX_TERM_CHARS)];
            give(Term { text: word, kind: TermKind::Word });
        } else {
            self.ascii_word(&text[start..end], give);
        }
        end
    }

    /// Gives the ASCII `word` and its parts.
    #[inline]
    fn ascii_word(&mut self, word: &str, give: &mut impl FnMut(Term<'_>)) {
        let word = word.trim_matches('_');
        let kinds = |at: usize| word.as_bytes().get(at).map(|&b| CharKind::OF_BYTE[usize::from(b)]);
        for_each_part(word.len(), kinds, |start, end, kind| {
            let end = end.min(start + MAX_TERM_CHARS);
            self.term.clear();
            self.term.push_str(&word[start..end]);
            self.term.make_ascii_lowercase();
            give(Term { text: &self.term, kind });
        });
    }

    /// Reads the run at `start`, of any script; its end.
    fn run(&mut self, text: &str, start: usize, give: &mut impl FnMut(Term<'_>)) -> usize {
        let first = first_kind(&text[start..]);
        let end = self.read(text, start, first);
        if first == CharKind::Spaceless {
            self.spaceless(text, give);
        } else if first.begins_word() {
            self.word(text, give);
        }
        end
    }

    /// Fills `chars` with the run at `start`, which begins with the kind `first`; its end.
    fn read(&mut self, text: &str, start: usize, first: CharKind) -> usize {
        self.chars.clear();
        self.any_clings = false;
        let mut end = start;
        for c in text[start..].chars() {
            let (begins, kind) = (end, CharKind::of(c));
            match self.chars.last_mut() {
                _ if begins - start >= MAX_RUN_BYTES => break,
                Some(char) if kind.clings() => {
                    char.end += c.len_utf8();
                    self.any_clings = true;
                }
                Some(_) if !first.goes_on_with(kind) => break,
                _ => self.chars.push(Char { start: begins, end: begins + c.len_utf8(), kind }),
            }
            end += c.len_utf8();
        }
        end
    }

    /// Gives the word that `chars` are, and its parts.
    fn word(&mut self, text: &str, give: &mut impl FnMut(Term<'_>)) {
        let Self { chars, any_clings, term } = self;
        let joint = |char: &Char| char.kind == CharKind::Joint;
        let first = chars.iter().position(|char| !joint(char)).unwrap_or(chars.len());
        let last = chars.iter().rposition(|char| !joint(char)).map_or(first, |last| last + 1);
        let chars = &chars[first..last];
        let kinds = |at: usize| chars.get(at).map(|char| char.kind);
        for_each_part(chars.len(), kinds, |start, end, kind| {
            let source = &text[chars[start].start..chars[end - 1].end];
            term.clear();
            let mut may_compose = *any_clings;
            for c in source.chars().take(MAX_TERM_CHARS) {
                may_compose |= push_folded(c, term);
            }
            if may_compose {
                *term = term.nfc().collect();
            }
            give(Term { text: term, kind });
        });
    }

    /// Gives each two neighbours of `chars`, and those that may be words by themselves.
    fn spaceless(&mut self, text: &str, give: &mut impl FnMut(Term<'_>)) {
        let chars = &self.chars;
        for (at, char) in chars.iter().enumerate() {
            let next = chars.get(at + 1);
            if next.is_some() || at == 0 {
                let end = next.map_or(char.end, |next| next.end);
                give(Term { text: counted(&text[char.start..end]), kind: TermKind::Other });
            }
            let own = &text[char.start..char.end];
            if chars.len() > 1 && own.chars().next().is_some_and(is_word_alone) {
                give(Term { text: counted(own), kind: TermKind::Character });
            }
        }
    }
}

/// The kind of the code point that `text` begins with.
#[inline]
fn first_kind(text: &str) -> CharKind {
    text.chars().next().map_or(CharKind::Outside, CharKind::of)
}

/// Whether a word of ASCII goes on with `rest`, which begins beyond it.
#[inline]
fn goes_on(rest: &str) -> bool {
    let kind = first_kind(rest);
    kind.begins_word() || kind.clings()
}

/// The part of `source` that counts.
fn counted(source: &str) -> &str {
    // No code point takes less than a byte.
    if source.len() <= MAX_TERM_CHARS {
        return source;
    }
    let end = source.char_indices().nth(MAX_TERM_CHARS);
    end.map_or(source, |(end, _)| &source[..end])
}

/// Calls `give` with the whole of a word of `n` characters, and if it has parts with each; and with what it is.
fn for_each_part(
    n: usize,
    kinds: impl Fn(usize) -> Option<CharKind>,
    mut give: impl FnMut(usize, usize, TermKind),
) {
    let next_part = |start: usize| (start + 1..n).find(|&at| ends_part(at, &kinds)).unwrap_or(n);
    if n == 0 {
        return;
    }
    // A part is digits, or capitals and the letters behind them.
    let kind_of = |is_whole: bool, start| match kinds(start) {
        Some(CharKind::Letter | CharKind::Capital) if is_whole => TermKind::Word,
        _ => TermKind::Other,
    };
    let mut end = next_part(0);
    give(0, n, kind_of(end == n, 0));
    if end == n {
        return;
    }
    let mut start = 0;
    while start < n {
        if kinds(start) != Some(CharKind::Joint) {
            give(start, end, kind_of(true, start));
        }
        (start, end) = (end, next_part(end));
    }
}

/// Whether a part ends before the character `at`, which is not the first one.
#[inline]
fn ends_part(at: usize, kinds: impl Fn(usize) -> Option<CharKind>) -> bool {
    let letter = |at| kinds(at) == Some(CharKind::Letter);
    match (kinds(at - 1), kinds(at)) {
        // `HTTP|Request`, but not `UR|Ls`.
        (Some(CharKind::Capital), Some(CharKind::Capital)) => letter(at + 1) && letter(at + 2),
        // `URL|s`, but not `R|equest`.
        (Some(CharKind::Capital), Some(CharKind::Letter)) => {
            at > 1 && kinds(at - 2) == Some(CharKind::Capital) && !letter(at + 1)
        }
        (before, here) => before != here,
    }
}
