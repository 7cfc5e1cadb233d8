//! Normalisation of whitespace to single blanks while a text is written down.
//!
//! A text arrives in pieces, as tags and references interrupt it, and whitespace may stand on either side of
//! each; so a [`Run`] remembers whether a blank is due. A [`Survey`] of the bytes, one pass without branches,
//! lets most pieces be copied as they are.

use crate::unicode::space::is_space;

/// A text that arrives in pieces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run {
    /// Whether blanks at the ends count.
    keeps_edges: bool,
    has_words: bool,
    /// Whether whitespace was last.
    is_spaced: bool,
}

impl Run {
    /// A text at the beginning of an element, whose ends are trimmed.
    pub const fn trimmed() -> Self {
        Self { keeps_edges: false, has_words: false, is_spaced: false }
    }

    /// A text behind an element, of whose whitespace a blank is left at each end.
    pub const fn edged() -> Self {
        Self { keeps_edges: true, has_words: false, is_spaced: false }
    }

    /// Writes the next piece. O(n).
    pub fn push(&mut self, piece: &str, survey: Survey, sink: &mut dyn FnMut(&str)) {
        if !survey.has_odd_blanks() {
            let words = piece.trim_start_matches(' ');
            self.is_spaced |= words.len() < piece.len();
            let words_alone = words.trim_end_matches(' ');
            if !words_alone.is_empty() {
                self.push_words(words_alone, sink);
            }
            self.is_spaced |= words_alone.len() < words.len();
            return;
        }
        let mut rest = piece;
        while !rest.is_empty() {
            let words = rest.trim_start_matches(is_space);
            self.is_spaced |= words.len() < rest.len();
            let end = words.find(is_space).unwrap_or(words.len());
            if end > 0 {
                self.push_words(&words[..end], sink);
            }
            rest = &words[end..];
        }
    }

    /// Ends the text.
    pub fn finish(self, sink: &mut dyn FnMut(&str)) {
        if self.keeps_edges && self.has_words && self.is_spaced {
            sink(" ");
        }
    }

    /// Writes words with single blanks between them.
    fn push_words(&mut self, words: &str, sink: &mut dyn FnMut(&str)) {
        if self.is_spaced && (self.has_words || self.keeps_edges) {
            sink(" ");
        }
        sink(words);
        self.has_words = true;
        self.is_spaced = false;
    }
}

/// Whether `text` is certain to be empty, or words with single blanks between them. O(n).
pub fn is_normalised(text: &str) -> bool {
    !text.starts_with(' ') && !text.ends_with(' ') && !Survey::of(text).has_odd_blanks()
}

/// `text` with single blanks between its words. O(n).
pub fn normalised(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    Run::trimmed().push(text, Survey::of(text), &mut |words| out.push_str(words));
    out
}

/// Survey of the kinds of bytes in a text.
#[derive(Clone, Copy, Debug)]
pub struct Survey(u8);

/// A blank.
const BLANK: u8 = 1;
/// Two blanks in a row, or a byte that may belong to whitespace of another kind.
const ODD: u8 = 2;
/// What has to be escaped between tags, `\r` included.
const MARKUP: u8 = 4;
/// A byte that may belong to a character that XML lacks.
const LACKING: u8 = 8;

/// The kinds of each byte.
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 0x20 {
        kinds[byte] = ODD | MARKUP | LACKING;
        byte += 1;
    }
    kinds[b'\t' as usize] = ODD;
    kinds[b'\n' as usize] = ODD;
    kinds[b'\r' as usize] = ODD | MARKUP;
    kinds[b' ' as usize] = BLANK;
    kinds[b'<' as usize] = MARKUP;
    kinds[b'>' as usize] = MARKUP;
    kinds[b'&' as usize] = MARKUP;
    // The first bytes of U+0085, U+00A0, U+1680, U+2000 and those behind it, and U+3000.
    kinds[0xc2] = ODD;
    kinds[0xe1] = ODD;
    kinds[0xe2] = ODD;
    kinds[0xe3] = ODD;
    // That of U+FFFE and U+FFFF.
    kinds[0xef] = LACKING;
    kinds
};

impl Survey {
    /// Looks at each byte of `text` once.
    pub fn of(text: &str) -> Self {
        let (mut all, mut before) = (0, 0);
        for byte in text.bytes() {
            let kinds = KINDS[usize::from(byte)];
            all |= kinds | ((kinds & before & BLANK) << 1);
            before = kinds;
        }
        Self(all)
    }

    /// Whether there may be whitespace other than single blanks.
    pub const fn has_odd_blanks(self) -> bool {
        self.0 & ODD != 0
    }

    /// Whether anything has to be escaped between tags.
    pub const fn has_markup(self) -> bool {
        self.0 & MARKUP != 0
    }

    /// Whether there may be characters that XML lacks.
    pub const fn may_lack(self) -> bool {
        self.0 & LACKING != 0
    }
}
