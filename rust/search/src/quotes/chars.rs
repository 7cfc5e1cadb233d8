//! Classes of code points in quotations, and what is left of each of them.

use unicode_normalization_alignments::UnicodeNormalization;
use unicode_normalization_alignments::char::{decompose_canonical, decompose_compatible};

use chunkwright_text::segment::terms::char_kind::{CharKind, push_folded};
use chunkwright_text::unicode::space::is_space;

/// What a code point is in a quotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A letter or digit of a script with blanks between words.
    Word,
    /// A letter of a script without.
    Spaceless,
    /// Belongs to the letter before.
    Mark,
    /// Whitespace.
    Space,
    /// Nothing that is seen.
    Invisible,
    /// Hyphens and dashes.
    Dash,
    /// Bullets of lists.
    Bullet,
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
                Self::Bullet
            }
            '-' | '‐'..='―' | '−' | '⸺' | '⸻' | '﹘' | '﹣' | '－' => Self::Dash,
            '\'' | '`' | '´' | 'ʹ' | 'ʻ' | 'ʼ' | '‘'..='‛' | '′' | '‵' | '＇' | '׳' => {
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
            | '＂'
            | '״' => Self::Quotation,
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

/// Hyphens that part a word at the end of a line.
pub const fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{ad}' | '‐')
}

/// Superscript digits, as ASCII.
pub fn superscript(c: char) -> Option<char> {
    let digit = match c {
        '¹' => 1,
        '²' => 2,
        '³' => 3,
        '⁰' | '⁴'..='⁹' => c as u32 - '⁰' as u32,
        _ => return None,
    };
    char::from_digit(digit, 10)
}

/// Vowel signs and accents of Arabic and Hebrew, which most texts leave out.
pub const fn is_vowel_sign(c: char) -> bool {
    matches!(c,
        '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{652}' | '\u{656}'..='\u{65f}' | '\u{670}'
        | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}' | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}'
        | '\u{8d3}'..='\u{8ff}')
}

/// Replaces `folded` by what is left of `cluster`, a character with its marks: one form of each character, the case
/// folded.
pub fn fold(cluster: &str, folded: &mut String) {
    folded.clear();
    if cluster.starts_with(|c| is_jamo(c) || matches!(c, '\u{ac00}'..='\u{d7a3}')) {
        folded.extend(cluster.nfc().map(|(c, _)| c));
        return;
    }
    let mut parts = String::new();
    for c in cluster.chars() {
        if is_form(c) {
            decompose_compatible(c, |part| parts.push(part));
        } else {
            decompose_canonical(c, |part| parts.push(part));
        }
    }
    parts.nfd().for_each(|(part, _)| push(part, folded));
}

/// Whether a code point is another one in a form of its own, as ligatures and letters of another width are.
///
/// Exponents, fractions, numbers in circles and letters of formulas are not: they say something.
const fn is_form(c: char) -> bool {
    matches!(c,
        // Ligatures and digraphs; dots of an ellipsis; the sign of a millionth; the long s.
        '\u{132}' | '\u{133}' | '\u{149}' | '\u{17f}' | '\u{1c4}'..='\u{1cc}' | '\u{1f1}'..='\u{1f3}'
        | '\u{587}' | '\u{fb00}'..='\u{fb4f}' | '\u{2024}'..='\u{2026}' | '\u{b5}'
        // Letters of Arabic by their places in words.
        | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        // Vowels of Thai and Lao that are two, ligatures of Lao.
        | '\u{e33}' | '\u{eb3}' | '\u{edc}' | '\u{edd}'
        // Radicals; letters of Korean; upright, small, full and half width forms.
        | '\u{2e80}'..='\u{2fd5}' | '\u{3131}'..='\u{318e}' | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff01}'..='\u{ffee}')
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

/// The sign of ASCII that one of full width is, of those that are no bytes.
pub const fn ascii_sign(c: char) -> Option<char> {
    match c {
        '［' => Some('['),
        '］' => Some(']'),
        '＊' => Some('*'),
        '＋' => Some('+'),
        '＃' => Some('#'),
        '＞' => Some('>'),
        _ => None,
    }
}

/// Whether a line ends at `c`.
pub const fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\x0b' | '\x0c' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether `c` is whitespace within a line.
pub fn is_blank(c: char) -> bool {
    is_space(c) && !ends_line(c)
}

/// One past the character at `start` and the marks behind it.
pub fn cluster_end(source: &str, start: usize) -> usize {
    let mut chars = source[start..].char_indices();
    let is_of_syllable = chars.next().is_some_and(|(_, c)| is_jamo(c));
    let goes_on =
        |c: char| !c.is_ascii() && (Sign::of(c) == Sign::Mark || is_of_syllable && is_jamo(c));
    chars.find(|&(_, c)| !goes_on(c)).map_or(source.len(), |(at, _)| start + at)
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
