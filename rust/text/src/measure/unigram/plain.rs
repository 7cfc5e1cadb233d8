//! Plain characters: those beside which a text can be cut without a change to what is around.
//!
//! A grapheme cluster ends between two of them, and no normal form joins them. The list holds what texts
//! are mostly made of, not all for which that is true: what it lacks costs time alone.

/// Whether `c` is a plain character.
#[inline]
pub const fn is_plain(c: char) -> bool {
    matches!(
        c,
        '!'..='~'
            | '\u{a1}'..='\u{a8}'
            | '\u{aa}'..='\u{ac}'
            | '\u{af}'..='\u{2ff}'
            | '\u{374}'..='\u{482}'
            | '\u{48a}'..='\u{52f}'
            | '\u{5d0}'..='\u{5ea}'
            | '\u{620}'..='\u{64a}'
            | '\u{671}'..='\u{6d3}'
            | '\u{904}'..='\u{939}'
            | '\u{958}'..='\u{961}'
            | '\u{964}'..='\u{970}'
            | '\u{e01}'..='\u{e30}'
            | '\u{e40}'..='\u{e46}'
            | '\u{10d0}'..='\u{10ff}'
            | '\u{1e00}'..='\u{1fff}'
            | '\u{2010}'..='\u{2027}'
            | '\u{2030}'..='\u{203b}'
            | '\u{20a0}'..='\u{20bf}'
            | '\u{3001}'..='\u{3020}'
            | '\u{3041}'..='\u{3096}'
            | '\u{30a1}'..='\u{30ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{ff01}'..='\u{ff9d}'
    )
}

/// Whether `c` is a grapheme cluster by itself between others of which that is true: a plain character, a
/// blank, or a control character of ASCII that is no carriage return, which may have a line feed after it.
#[inline]
pub const fn is_single(c: char) -> bool {
    c.is_ascii() && c != '\r' || is_plain(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization_alignments::UnicodeNormalization;
    use unicode_segmentation::UnicodeSegmentation;

    fn plain() -> impl Iterator<Item = char> {
        ('\0'..='\u{ffff}').filter(|&c| is_plain(c))
    }

    fn is_parted(left: char, right: char) -> bool {
        let pair: String = [left, right].iter().collect();
        pair.graphemes(true).next().is_some_and(|first| first.len() == left.len_utf8())
    }

    #[test]
    fn clusters_end_beside_plain_characters() {
        for c in plain() {
            for single in ['a', ' ', '\n', '\0', 'é', '漢', '가', '각', 'क', c] {
                assert!(is_parted(c, single) && is_parted(single, c), "{c:?} {single:?}");
            }
            // Not a pictograph, which a joiner before it would tie to what is before that.
            assert_eq!(format!("\u{1f600}\u{200d}{c}").graphemes(true).count(), 2, "{c:?}");
        }
    }

    #[test]
    fn no_composition_ends_in_a_plain_character() {
        for c in '\0'..=char::MAX {
            let is_composed = std::iter::once(c).nfc().eq([(c, 0)]);
            let mut parts = std::iter::once(c).nfd().map(|(part, _)| part).skip(1);
            assert!(!is_composed || !parts.any(is_plain), "{c:?}");
        }
    }
}
