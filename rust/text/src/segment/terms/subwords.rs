//! Subwords: parts of a word that count as terms of their own, so that its inflections have one in common.
//!
//! A stemmer knows one language and is wrong in all others; the first letters of a word, or its four-grams, are
//! the same in most inflections of most languages (`McNamee` and Mayfield, *Character N-Gram Tokenization for
//! European Language Text Retrieval*, 2004), and cost no table.
//!
//! ```
//! use chunkwright_text::segment::terms::subwords::Subwords;
//! use chunkwright_text::segment::terms::{Term, TermKind};
//!
//! let parts = |kind: Subwords, text| {
//!     let (mut parts, term) = (Vec::new(), Term { text, kind: TermKind::Word });
//!     kind.of(term, &mut String::new(), |part| parts.push(part.to_owned()));
//!     parts
//! };
//! assert_eq!(parts(Subwords::Prefix, "raining"), ["raini*"]);
//! assert_eq!(parts(Subwords::FourGrams, "rains"), ["rain*", "ains*"]);
//! ```

use super::char_kind::CharKind;
use super::{Term, TermKind};

/// Ends each subword: no word has it, so no subword equals one.
pub const MARK: char = '*';

/// Kind of subwords, which are made of an alphabetic word beside the word itself.
///
/// Letters are those of the word as it is indexed, its case folded: a code point that is no mark, together
/// with the marks behind it. So `Straße` has seven (`strasse`), and a vowel sign of Devanagari none of its own.
/// An identifier has those of its parts. Numbers and pairs of scripts without spaces have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subwords {
    /// The first five letters of a word that has more.
    Prefix,
    /// Each four letters in a row of a word that has more.
    FourGrams,
}

/// How many letters a prefix has.
const PREFIX_LETTERS: usize = 5;

/// How many letters a gram has.
const GRAM_LETTERS: usize = 4;

impl Subwords {
    /// Whether `term` may have subwords: those that may not are most of a text.
    #[inline]
    pub const fn may_be_in(self, term: Term<'_>) -> bool {
        // No letter takes less than a byte.
        matches!(term.kind, TermKind::Word) && term.text.len() > self.n_letters()
    }

    /// Gives each subword of `term` to `give`, its [`MARK`] behind it; `marked` is room for one.
    pub fn of(self, term: Term<'_>, marked: &mut String, mut give: impl FnMut(&str)) {
        if !self.may_be_in(term) {
            return;
        }
        let mut starts = Starts::new(term.text);
        let Some(mut end) = starts.nth(self.n_letters()) else { return };
        let mut firsts = Starts::new(term.text);
        loop {
            let start = firsts.next().unwrap_or(end);
            marked.clear();
            marked.push_str(&term.text[start..end]);
            marked.push(MARK);
            give(marked);
            if self == Self::Prefix || end == term.text.len() {
                return;
            }
            end = starts.next().unwrap_or(term.text.len());
        }
    }

    const fn n_letters(self) -> usize {
        match self {
            Self::Prefix => PREFIX_LETTERS,
            Self::FourGrams => GRAM_LETTERS,
        }
    }
}

/// Where the letters of a word begin.
struct Starts<'w> {
    word: &'w str,
    at: usize,
}

impl<'w> Starts<'w> {
    const fn new(word: &'w str) -> Self {
        Self { word, at: 0 }
    }
}

impl Iterator for Starts<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let start = self.at;
        let mut rest = self.word[start..].chars();
        self.at += rest.next()?.len_utf8();
        if self.word.as_bytes().get(self.at).is_some_and(|byte| !byte.is_ascii()) {
            let clinging = rest.take_while(|&c| CharKind::of(c).clings());
            self.at += clinging.map(char::len_utf8).sum::<usize>();
        }
        Some(start)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pulse::{Beat, no_pulse};
    use crate::segment::terms::for_each_tagged_term;

    fn subwords(kind: Subwords, text: &str) -> String {
        let (mut found, mut marked) = (Vec::new(), String::new());
        for_each_tagged_term(text, &Beat::of_bytes(no_pulse()), |term| {
            kind.of(term, &mut marked, |subword| found.push(subword.to_owned()));
        })
        .unwrap();
        found.join(" ")
    }

    #[test]
    fn words_of_more_than_five_letters_have_a_prefix() {
        let cases: &[(&str, &str)] = &[
            ("The chair chairs", "chair*"),
            ("Häuser Häusern häuser", "häuse* häuse* häuse*"),
            ("Straße STRASSE Maß großes", "stras* stras* gross*"),
            ("Пакеты пакетов пакет", "пакет* пакет*"),
            ("Ёжиками", "ёжика*"),
            ("υπολογιστές ΥΠΟΛΟΓΙΣΤΗΣ ὁδός", "υπολο* υπολο*"),
            ("İstanbul'da evlerimiz ağaçları", "i\u{307}stan* evler* ağaçl*"),
            ("المكتبات مكتبة", "المكت*"),
            ("विद्यार्थियों पुस्तकालय", "विद्यार्थि* पुस्तकाल*"),
            ("ქართული ენა", "ქართუ*"),
            ("don't l'historique", "histo*"),
        ];
        for (text, expected) in cases {
            assert_eq!(subwords(Subwords::Prefix, text), *expected, "{text}");
        }
    }

    #[test]
    fn marks_belong_to_their_letters() {
        let decomposed = "Ha\u{308}user Ha\u{308}us co\u{ad}operate e\u{301}te\u{301}s";
        assert_eq!(subwords(Subwords::Prefix, decomposed), "häuse* coope*");
        assert_eq!(subwords(Subwords::FourGrams, "été\u{301}s! e\u{301}te\u{301}s"), "");
        assert_eq!(subwords(Subwords::FourGrams, "e\u{301}te\u{301}es"), "étée* tées*");
    }

    #[test]
    fn words_of_more_than_four_letters_have_grams() {
        let cases: &[(&str, &str)] = &[
            ("haus", ""),
            ("Hauses", "haus* ause* uses*"),
            ("große", "gros* ross* osse*"),
            ("домами", "дома* омам* мами*"),
        ];
        for (text, expected) in cases {
            assert_eq!(subwords(Subwords::FourGrams, text), *expected, "{text}");
        }
    }

    #[test]
    fn identifiers_have_those_of_their_parts() {
        let text = "parseHTTPRequests max_tokens_each sha256sum normalize2";
        assert_eq!(subwords(Subwords::Prefix, text), "reque* token* norma*");
    }

    #[test]
    fn what_is_not_alphabetic_has_none() {
        let text =
            "1234567890 ab12cd34ef56 漢字漢字漢字漢字 한국어문서입니다 ภาษาไทยภาษาไทย __________";
        for kind in [Subwords::Prefix, Subwords::FourGrams] {
            assert_eq!(subwords(kind, text), "");
        }
    }

    #[test]
    fn capitals_and_underscores_around_change_nothing() {
        for text in ["TOKENIZER", "Tokenizer", "_tokenizer_", "__TOKENIZER__"] {
            assert_eq!(subwords(Subwords::Prefix, text), "token*", "{text}");
        }
    }

    /// The oracle: letters as strings.
    fn naive(kind: Subwords, word: &str) -> Vec<String> {
        let mut letters: Vec<String> = Vec::new();
        for c in word.chars() {
            match letters.last_mut() {
                Some(letter) if CharKind::of(c).clings() => letter.push(c),
                _ => letters.push(c.to_string()),
            }
        }
        let n = kind.n_letters();
        if letters.len() <= n {
            return Vec::new();
        }
        let marked = |letters: &[String]| format!("{}{MARK}", letters.concat());
        match kind {
            Subwords::Prefix => vec![marked(&letters[..n])],
            Subwords::FourGrams => letters.windows(n).map(marked).collect(),
        }
    }

    proptest! {
        #[test]
        fn subwords_are_those_of_the_oracle(word in "[a-zäéжक\u{301}\u{94d}\u{93f}ß]{0,14}") {
            for kind in [Subwords::Prefix, Subwords::FourGrams] {
                let (mut found, mut marked) = (Vec::new(), String::new());
                let term = Term { text: &word, kind: TermKind::Word };
                kind.of(term, &mut marked, |subword| found.push(subword.to_owned()));
                prop_assert_eq!(found, naive(kind, &word));
            }
        }

        #[test]
        fn no_subword_equals_a_word(text: String) {
            for_each_tagged_term(&text, &Beat::of_bytes(no_pulse()), |term| assert!(!term.text.contains(MARK))).unwrap();
        }
    }
}
