//! Words without their accents: what somebody types who does not have them, or leaves them out.
//!
//! Accents are the marks of Latin, Greek and Cyrillic letters, and the vowel points of Arabic and Hebrew: those of
//! the classes in which Unicode orders them. Marks that no word is without (vowel signs and viramas of India, tones
//! of Thai, the voicing of kana) have other classes, and stay.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// Ends a word that stands for those with accents: no word has it.
pub const MARK: char = '~';

/// Puts `word`, whose case is folded, into `bare` without its accents; whether that is another word.
///
/// ```
/// use chunkwright_text::segment::terms::accents::without_accents;
///
/// let mut bare = String::new();
/// assert!(without_accents("résumé", &mut bare) && bare == "resume");
/// assert!(!without_accents("resume", &mut bare) && bare == "resume");
/// assert!(!without_accents("हिन्दी", &mut bare));
/// ```
pub fn without_accents(word: &str, bare: &mut String) -> bool {
    bare.clear();
    if word.is_ascii() {
        bare.push_str(word);
        return false;
    }
    let letters = word.nfd().filter(|&c| !is_accent(c));
    for c in letters.nfc() {
        match bare_letter(c) {
            Some(letters) => bare.push_str(letters),
            None => bare.push(c),
        }
    }
    bare != word
}

/// Overlays; points of Hebrew, Arabic and Syriac; attached to a letter, above or below it.
fn is_accent(c: char) -> bool {
    matches!(canonical_combining_class(c), 1 | 10..=36 | 202..=240)
}

/// What a letter is written as in the absence of its stroke, or of the key for it, where Unicode does not take it
/// apart.
const fn bare_letter(c: char) -> Option<&'static str> {
    Some(match c {
        'ł' => "l",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ŧ' => "t",
        'ı' => "i",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        'ٱ' => "ا",
        'ى' | 'ی' => "ي",
        'ک' => "ك",
        'ة' => "ه",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_are_left_out() {
        let cases: &[(&str, &str)] = &[
            ("façade", "facade"),
            ("łódź", "lodz"),
            ("đường", "duong"),
            ("ёлка", "елка"),
            ("άνθρωπος", "ανθρωπος"),
            ("كِتَاب", "كتاب"),
            ("أحمد", "احمد"),
            ("שָׁלוֹם", "שלום"),
            ("i\u{307}stanbul", "istanbul"),
        ];
        for (word, expected) in cases {
            let mut bare = String::new();
            assert!(without_accents(word, &mut bare), "{word}");
            assert_eq!(bare, *expected);
        }
    }

    #[test]
    fn marks_that_no_word_is_without_stay() {
        for word in ["क्षत्रिय", "ที่นี่", "ガイド", "한국어", "தமிழ்", "မြန်မာ", "слово", "word"]
        {
            assert!(!without_accents(word, &mut String::new()), "{word}");
        }
    }
}
