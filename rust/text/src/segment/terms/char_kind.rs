//! Kinds of code points in terms, and case folding.

use crate::unicode::classes::Class;

/// Kind of a code point, by its part in a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharKind {
    /// No part of a term: whitespace, punctuation, symbols.
    Outside,
    /// A letter that is no capital.
    Letter,
    Capital,
    Digit,
    /// The underscore, which joins parts.
    Joint,
    /// A character of a script that puts no space between words.
    Spaceless,
    /// Belongs to the character before it.
    Mark,
    /// Belongs to the character before it, and is not seen; no normal form has it.
    Ignored,
}

impl CharKind {
    /// What stands in [`CharKind::OF_BYTE`] for bytes that are no code points of their own.
    pub const NO_ASCII: Self = Self::Mark;

    /// The kinds of bytes.
    pub const OF_BYTE: [Self; 256] = {
        let mut kinds = [Self::Outside; 256];
        let mut byte = 0_u8;
        loop {
            kinds[byte as usize] = match byte {
                b'a'..=b'z' => Self::Letter,
                b'A'..=b'Z' => Self::Capital,
                b'0'..=b'9' => Self::Digit,
                b'_' => Self::Joint,
                0x80.. => Self::NO_ASCII,
                _ => Self::Outside,
            };
            if byte == u8::MAX {
                break kinds;
            }
            byte += 1;
        }
    };

    /// The kind of `c`.
    #[inline]
    pub fn of(c: char) -> Self {
        if c.is_ascii() { Self::OF_BYTE[c as usize] } else { Self::beyond_ascii(c) }
    }

    fn beyond_ascii(c: char) -> Self {
        let class = Class::of(c);
        if class.is_letter() {
            match c {
                _ if is_spaceless(c) => Self::Spaceless,
                _ if class.is_upper() => Self::Capital,
                _ => Self::Letter,
            }
        } else if class.is_number() {
            if matches!(c, '〇' | '〡'..='〩' | '〸'..='〺') {
                Self::Spaceless
            } else {
                Self::Digit
            }
        } else if is_ignored(c) {
            Self::Ignored
        } else if class.is_mark() {
            Self::Mark
        } else {
            Self::Outside
        }
    }

    /// Whether a word may begin with it.
    pub const fn begins_word(self) -> bool {
        matches!(self, Self::Letter | Self::Capital | Self::Digit | Self::Joint)
    }

    /// Whether a run that begins with this kind goes on with the `next` one.
    pub const fn goes_on_with(self, next: Self) -> bool {
        match self {
            Self::Spaceless => matches!(next, Self::Spaceless),
            _ => self.begins_word() && next.begins_word(),
        }
    }

    /// Whether it belongs to the character before it.
    pub const fn clings(self) -> bool {
        matches!(self, Self::Mark | Self::Ignored)
    }
}

/// Soft hyphen, joiners, variation selectors.
const fn is_ignored(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{180b}'..='\u{180f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether `c`, of a script without spaces, may be a word by itself: an ideograph or a Hangul syllable.
pub const fn is_word_alone(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Whether the letter `c` is of a script that puts no space between words, or a Hangul syllable.
const fn is_spaceless(c: char) -> bool {
    matches!(c,
        // Thai, Lao; Burmese; Khmer; Tai Le to Tai Lue; Tai Tham; more Burmese; Tai Viet.
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{1950}'..='\u{19df}' | '\u{1a20}'..='\u{1aaf}' | '\u{a9e0}'..='\u{a9ff}'
        | '\u{aa60}'..='\u{aadf}'
        // Ideographs, kana, Bopomofo, Hangul syllables and their letters.
        | '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{d7ff}'
        | '\u{3005}'..='\u{31ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        // Tangut, Khitan; kana and ideographs of the higher planes.
        | '\u{17000}'..='\u{18dff}' | '\u{1aff0}'..='\u{1b16f}' | '\u{20000}'..='\u{3ffff}')
}

/// Appends `c` without its case: the lower case of its upper case, so that `ß` is `ss` and `ς` is `σ`; whether
/// that is several code points, which may have a composed form.
#[inline]
pub fn push_folded(c: char, folded: &mut String) -> bool {
    match c {
        _ if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
        _ if is_common_lower(c) => folded.push(c),
        _ => return push_folded_by_class(c, folded),
    }
    false
}

fn push_folded_by_class(c: char, folded: &mut String) -> bool {
    let class = Class::of(c);
    if !class.is_lower() && !class.is_upper() {
        folded.push(c);
        return false;
    }
    let n_before = folded.len();
    folded.extend(c.to_uppercase().flat_map(char::to_lowercase));
    folded[n_before..].chars().nth(1).is_some()
}

/// Letters that are known to be folded, as most are that come here.
const fn is_common_lower(c: char) -> bool {
    matches!(c, 'à'..='ö' | 'ø'..='ÿ' | 'ά'..='ί' | 'α'..='ρ' | 'σ'..='ώ' | 'а'..='џ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut folded = String::new();
        text.chars().for_each(|c| _ = push_folded(c, &mut folded));
        folded
    }

    #[test]
    fn letters_lose_their_case() {
        assert_eq!(folded("Straße ÉCOLE ΟΔΥΣΣΕΥΣ Οδυσσεύς"), "strasse école οδυσσευσ οδυσσεύσ");
        assert_eq!(folded("ЁЖ ﬁ ſ ǅ 漢 ١ ß"), "ёж fi s ǆ 漢 ١ ss");
    }

    #[test]
    fn the_shortcut_changes_nothing() {
        for c in (char::MIN..=char::MAX).filter(|&c| is_common_lower(c)) {
            assert!(c.to_uppercase().flat_map(char::to_lowercase).eq([c]), "{c}");
        }
    }

    #[test]
    fn kinds_are_told_apart() {
        let kinds = |text: &str| text.chars().map(CharKind::of).collect::<Vec<_>>();
        assert!(kinds("aéжعאªक").iter().all(|&kind| kind == CharKind::Letter));
        assert!(kinds("AÉЖΣ").iter().all(|&kind| kind == CharKind::Capital));
        assert!(kinds("19²½١๕Ⅷ").iter().all(|&kind| kind == CharKind::Digit));
        assert!(kinds("漢かカーㄅ한ᄀไກမខ々〇𠀀").iter().all(|&kind| kind == CharKind::Spaceless));
        assert!(kinds("\u{301}\u{94d}\u{3099}\u{e48}").iter().all(|&kind| kind == CharKind::Mark));
        assert!(kinds("\u{200d}\u{ad}\u{fe0f}").iter().all(|&kind| kind == CharKind::Ignored));
        assert!(kinds(" .-'。、€😀\u{200b}\0").iter().all(|&kind| kind == CharKind::Outside));
    }
}
