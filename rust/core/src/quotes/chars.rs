//! Classes of code points in quotations, and what is left of each of them.

use unicode_normalization_alignments::UnicodeNormalization;
use unicode_normalization_alignments::char::decompose_compatible;

use crate::segment::terms::char_kind::{CharKind, push_folded};
use crate::unicode::space::is_space;

/// What a code point is in a quotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A letter or digit of a script with blanks between words.
    Word,
    /// A letter of a script without.
    Spaceless,
    /// Belongs to the letter before.
    Mark,
    /// Whitespace, and bullets of lists.
    Space,
    /// Nothing that is seen.
    Invisible,
    /// Hyphens and dashes.
    Dash,
    /// Apostrophes, and quotation marks that look like them.
    Apostrophe,
    /// Other quotation marks.
    Quotation,
    /// All else, which has to be the same.
    Other,
}

impl Sign {
    /// The sign of `c`.
    pub fn of(c: char) -> Self {
        match c {
            // Those that most texts beyond ASCII are made of.
            'à'..='ö' | 'ø'..='ÿ' | 'α'..='ω' | 'А'..='я' => Self::Word,
            '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => Self::Spaceless,
            _ if is_space(c) => Self::Space,
            '•' | '◦' | '▪' | '▫' | '‣' | '⁃' | '●' | '○' | '■' | '□' | '\u{f0b7}' => {
                Self::Space
            }
            '-' | '\u{ad}' | '‐'..='―' | '−' | '⸺' | '⸻' | '﹘' | '﹣' | '－' => {
                Self::Dash
            }
            '\'' | '`' | '´' | 'ʹ' | 'ʻ' | 'ʼ' | '‘'..='‛' | '′' | '‵' | '＇' => {
                Self::Apostrophe
            }
            '"'
            | '«'
            | '»'
            | '“'..='‟'
            | '″'
            | '‶'
            | '‹'
            | '›'
            | '「'..='』'
            | '〝'..='〟'
            | '＂' => Self::Quotation,
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => {
                Self::Invisible
            }
            // The Arabic letter mark and the stroke that makes words longer; byte order marks.
            '\u{61c}' | '\u{640}' | '\u{34f}' | '\u{feff}' => Self::Invisible,
            _ => match CharKind::of(c) {
                CharKind::Letter | CharKind::Capital | CharKind::Digit => Self::Word,
                CharKind::Spaceless => Self::Spaceless,
                CharKind::Mark => Self::Mark,
                CharKind::Ignored => Self::Invisible,
                CharKind::Outside | CharKind::Joint if c.is_control() => Self::Invisible,
                CharKind::Outside | CharKind::Joint => Self::Other,
            },
        }
    }

    /// Whether it is a part of a word.
    pub const fn is_of_word(self) -> bool {
        matches!(self, Self::Word | Self::Spaceless | Self::Mark)
    }
}

/// Dashes that are a minus sign before a number.
pub const fn may_be_minus(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑' | '–' | '−' | '﹣' | '－')
}

/// Replaces `folded` by what is left of `cluster`, a character with its marks: its compatibility decomposition, the
/// case folded.
pub fn fold(cluster: &str, folded: &mut String) {
    folded.clear();
    if cluster.starts_with(|c| is_jamo(c) || matches!(c, '\u{ac00}'..='\u{d7a3}')) {
        folded.extend(cluster.nfc().map(|(c, _)| c));
        return;
    }
    let mut chars = cluster.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => decompose_compatible(c, |part| push(part, folded)),
        _ => cluster.nfkd().for_each(|(part, _)| push(part, folded)),
    }
}

/// Appends a part of a decomposed character.
fn push(c: char, folded: &mut String) {
    match c {
        // The dot of a Turkish capital, which a folded i has anyway.
        '\u{307}' if folded.ends_with('i') => {}
        // As a fraction is typed.
        '\u{2044}' => folded.push('/'),
        ' ' => {}
        '\u{300}'..='\u{33f}' => folded.push(c),
        _ => _ = push_folded(c, folded),
    }
}

/// Whether nothing changes a code point that has no marks behind it: most of the scripts without case.
pub const fn is_plain(c: char) -> bool {
    matches!(c,
        'α'..='ω' | 'а'..='и' | 'к'..='я' | 'א'..='ת' | 'ء' | 'ا'..='غ' | 'ف'..='ي'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | 'ぁ'..='お' | '、' | '。')
        && !matches!(c, 'ς')
}

/// Parts of Hangul syllables, which are put together, for syllables are not taken apart.
pub const fn is_jamo(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}')
}

/// Whether `c` ends a quotation or begins one without being a part of it.
pub const fn is_margin(c: char) -> bool {
    matches!(
        c,
        '.' | ',' | ';' | ':' | '!' | '?' | '(' | ')' | '{' | '}' | '。' | '、' | '،' | '؟' | '؛'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortcuts_change_nothing() {
        for c in (char::MIN..=char::MAX).filter(|&c| !c.is_ascii()) {
            let kind = CharKind::of(c);
            let is_word = matches!(kind, CharKind::Letter | CharKind::Capital | CharKind::Digit);
            assert!(Sign::of(c) != Sign::Word || is_word, "{c}");
            assert!(Sign::of(c) != Sign::Spaceless || kind == CharKind::Spaceless, "{c}");
        }
    }

    #[test]
    fn what_is_plain_is_left_as_it_is() {
        let mut folded = String::new();
        for c in (char::MIN..=char::MAX).filter(|&c| is_plain(c)) {
            fold(c.encode_utf8(&mut [0; 4]), &mut folded);
            assert!(folded.chars().eq([c]), "{c} {folded}");
        }
    }
}
