//! Normal form of a text for its terms: one spelling for what Unicode holds to be the same.
//!
//! It is that of NFKC: composed letters, no ligatures, one width of letters and kana. Digits of all scripts are
//! those of ASCII; what is not seen (soft hyphens, joiners, marks of direction, variation selectors) and the
//! tatweel, which only makes an Arabic word longer, are left out. Case stays, for the parts of identifiers.

use std::borrow::Cow;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::error::Result;
use crate::pulse::Beat;

/// So many bytes are read, and then counted by the beat.
const WINDOW_BYTES: usize = 1 << 14;

/// The zeros of the scripts that have digits of their own, behind which the other nine stand.
const ZEROS: [char; 69] = [
    '\u{660}',
    '\u{6f0}',
    '\u{7c0}',
    '\u{966}',
    '\u{9e6}',
    '\u{a66}',
    '\u{ae6}',
    '\u{b66}',
    '\u{be6}',
    '\u{c66}',
    '\u{ce6}',
    '\u{d66}',
    '\u{de6}',
    '\u{e50}',
    '\u{ed0}',
    '\u{f20}',
    '\u{1040}',
    '\u{1090}',
    '\u{17e0}',
    '\u{1810}',
    '\u{1946}',
    '\u{19d0}',
    '\u{1a80}',
    '\u{1a90}',
    '\u{1b50}',
    '\u{1bb0}',
    '\u{1c40}',
    '\u{1c50}',
    '\u{a620}',
    '\u{a8d0}',
    '\u{a900}',
    '\u{a9d0}',
    '\u{a9f0}',
    '\u{aa50}',
    '\u{abf0}',
    '\u{ff10}',
    '\u{104a0}',
    '\u{10d30}',
    '\u{10d40}',
    '\u{11066}',
    '\u{110f0}',
    '\u{11136}',
    '\u{111d0}',
    '\u{112f0}',
    '\u{11450}',
    '\u{114d0}',
    '\u{11650}',
    '\u{116c0}',
    '\u{116d0}',
    '\u{116da}',
    '\u{11730}',
    '\u{118e0}',
    '\u{11950}',
    '\u{11bf0}',
    '\u{11c50}',
    '\u{11d50}',
    '\u{11da0}',
    '\u{11f50}',
    '\u{16130}',
    '\u{16a60}',
    '\u{16ac0}',
    '\u{16b50}',
    '\u{16d70}',
    '\u{1ccf0}',
    '\u{1e140}',
    '\u{1e2f0}',
    '\u{1e4f0}',
    '\u{1e5f1}',
    '\u{1e950}',
];

/// The normal form of `text`, which is the text itself as long as it has it. O(n), or O(n log n) where marks
/// have to be put in order.
///
/// # Errors
/// Those of the pulse.
pub fn normal_form<'t>(text: &'t str, beat: &Beat<'_>) -> Result<Cow<'t, str>> {
    if text.is_ascii() {
        return Ok(Cow::Borrowed(text));
    }
    let (mut normal, mut copied, mut beaten) = (String::new(), 0, 0);
    let mut at = 0;
    while let Some(part) = next_part(text, at) {
        if part.end - beaten > WINDOW_BYTES {
            beat.after(part.end - beaten)?;
            beaten = part.end;
        }
        at = part.end;
        let given = &text[part.clone()];
        if has_normal_form(given) {
            continue;
        }
        normal.push_str(&text[copied..part.start]);
        // Some isolated marks of Arabic become those of a tatweel.
        let seen = given.chars().filter(|&c| !is_ignored(c)).nfkc().filter(|&c| !is_ignored(c));
        normal.extend(seen.map(ascii_digit));
        copied = part.end;
    }
    if copied == 0 {
        return Ok(Cow::Borrowed(text));
    }
    normal.push_str(&text[copied..]);
    Ok(Cow::Owned(normal))
}

/// The next part from `at` on that may not have its normal form: characters that may change, and the one before
/// them, with which they may become one.
fn next_part(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let (mut start, mut before, mut is_open) = (at, at, false);
    let bytes = text.as_bytes();
    let mut here = at;
    while here < bytes.len() {
        let n_ascii = ascii_len(&bytes[here..]);
        if n_ascii > 0 {
            if is_open {
                return Some(start..here);
            }
            here += n_ascii;
            before = here - 1;
            continue;
        }
        let Some(c) = text[here..].chars().next() else { break };
        match (is_inert(c), is_open) {
            (true, true) => return Some(start..here),
            (true, false) => before = here,
            (false, true) => {}
            (false, false) => (start, is_open) = (before, true),
        }
        here += c.len_utf8();
    }
    is_open.then_some(start..here)
}

/// How many bytes of ASCII `bytes` begin with.
#[inline]
fn ascii_len(bytes: &[u8]) -> usize {
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    let mut at = 0;
    while let Some(word) = bytes[at..].first_chunk::<8>() {
        let beyond = u64::from_le_bytes(*word) & HIGH_BITS;
        if beyond != 0 {
            return at + beyond.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// Whether a part of a text has its normal form.
fn has_normal_form(part: &str) -> bool {
    is_nfkc_quick(part.chars()) == IsNormalized::Yes
        && part.chars().all(|c| !is_ignored(c) && ascii_digit(c) == c)
}

/// Whether `c` has its normal form wherever it stands.
#[inline]
fn is_inert(c: char) -> bool {
    is_known_inert(c) || is_inert_by_tables(c)
}

/// Characters that are known to be inert, as most are that come here: letters, and punctuation that is no part
/// of a term in any form.
const fn is_known_inert(c: char) -> bool {
    matches!(c,
        'À'..='ÿ' | 'Ā'..='ı' | 'Ђ'..='҂' | 'Έ'..='Ί' | 'Ύ'..='ώ' | 'Ա'..='Ֆ' | 'א'..='ת'
        | 'ء'..='ؿ' | 'ف'..='ي' | 'ऄ'..='ह' | 'ก'..='ะ' | 'ა'..='ჺ' | 'Ạ'..='ỹ'
        | '\u{2013}'..='\u{2014}' | '\u{2018}'..='\u{201e}' | '\u{2026}' | '、'..='。'
        | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | 'ー' | '一'..='\u{9fff}' | '가'..='힣' | '\u{ff08}'..='\u{ff09}'
        | '\u{ff0c}' | '\u{ff1a}'..='\u{ff1b}' | '\u{ff1f}')
}

fn is_inert_by_tables(c: char) -> bool {
    canonical_combining_class(c) == 0
        && is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes
        && !is_ignored(c)
        && ascii_digit(c) == c
}

/// What is not seen, and the tatweel.
const fn is_ignored(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{640}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{ffa0}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// The digit of ASCII that a digit is, or `c` itself.
fn ascii_digit(c: char) -> char {
    let zero = ZEROS.partition_point(|&zero| zero <= c).checked_sub(1).map(|i| ZEROS[i]);
    let number = zero.map(|zero| u32::from(c) - u32::from(zero));
    number.filter(|&number| number < 10).and_then(|n| char::from_digit(n, 10)).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::char_kind::CharKind;
    use super::*;
    use crate::pulse::no_pulse;

    fn normal(text: &str) -> String {
        normal_form(text, &Beat::of_bytes(no_pulse())).unwrap().into_owned()
    }

    #[test]
    fn one_spelling_for_what_is_the_same() {
        let cases: &[(&str, &str)] = &[
            ("plain text, as it is", "plain text, as it is"),
            ("cafe\u{301} Zu\u{308}rich", "café Zürich"),
            ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}", "한국"),
            ("ｶﾞｲﾄﾞ ＡＢＣ１２ ﬁn", "ガイド ABC12 fin"),
            ("co\u{ad}op\u{200b}er\u{2060}ate e\u{ad}\u{301}", "cooperate é"),
            ("كـــتاب ٢٠٢٤ २०२४ ๒๕", "كتاب 2024 2024 25"),
            ("m² 5㎏ ①", "m2 5kg 1"),
            ("e\u{323}\u{302} e\u{302}\u{323}", "ệ ệ"),
            ("\u{301}a \u{200d}b", "\u{301}a b"),
        ];
        for (text, expected) in cases {
            assert_eq!(normal(text), *expected, "{text}");
        }
    }

    #[test]
    fn what_has_its_normal_form_is_not_copied() {
        for text in ["ASCII", "café, Привет", "中文，标点。", "हिन्दी में क्षत्रिय", "שָׁלוֹם"]
        {
            let found = normal_form(text, &Beat::of_bytes(no_pulse())).unwrap();
            assert!(matches!(found, Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn the_shortcut_changes_nothing() {
        for c in (char::MIN..=char::MAX).filter(|&c| is_known_inert(c)) {
            let outside = |c: char| CharKind::of(c) == CharKind::Outside;
            let stays_outside = outside(c) && normal(&c.to_string()).chars().all(outside);
            assert!(is_inert_by_tables(c) || stays_outside, "{c} {:x}", u32::from(c));
        }
    }

    #[test]
    fn digits_are_those_of_ascii() {
        assert!(ZEROS.is_sorted());
        for c in char::MIN..=char::MAX {
            let digit = ascii_digit(c);
            assert!(digit == c || CharKind::of(c) != CharKind::Letter, "{c}");
        }
    }

    proptest! {
        #[test]
        fn forms_of_unicode_are_one(text: String) {
            // Signs between words stay as they are: `…` does not become three stops.
            let words = |text: &str| {
                let outside = |c: char| CharKind::of(c) == CharKind::Outside;
                let words = normal(text).split(outside).map(str::to_owned).collect::<Vec<_>>();
                words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>()
            };
            let expected = words(&text);
            for other in [text.nfd().collect::<String>(), text.nfc().collect(), text.nfkd().collect(), text.nfkc().collect()] {
                prop_assert_eq!(words(&other), expected.clone());
            }
        }

        #[test]
        fn a_normal_form_is_its_own(text in "[a-zé0-9가-깋\u{1100}-\u{1112}\u{1161}-\u{1175}\u{11a8}-\u{11c2}\u{300}-\u{330}ｦ-ﾟ٠-٩ـ\u{ad}ﬀ-ﬆ ]{0,20}") {
            let once = normal(&text);
            prop_assert_eq!(normal(&once), once);
        }
    }
}
