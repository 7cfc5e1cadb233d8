//! Vowel signs of Arabic and Hebrew: a text may have them where the quotation has none, and the reverse.

use super::joints::{Joint, Kind};
use super::normal::Normal;
use super::quote::is_border;

/// Whether the text has the vowel signs of the quotation, but for words in which it has none at all.
///
/// The `len` bytes of the quotation at `at` are those of the text at `text_at`, and begin and end between words. O(len).
pub fn have_vowels_of(
    quote: &Normal,
    at: usize,
    text: &Normal,
    text_at: usize,
    len: usize,
) -> bool {
    let is_vowel = |joint: &&Joint| joint.is(Kind::Vowel);
    // The sign of a letter stands before the byte behind it.
    let mut vowels = quote.joints(at + 1, at + len + 1).iter().filter(is_vowel);
    let mut bare_to = 0;
    vowels.all(|vowel| {
        let there = vowel.at - at + text_at;
        let stands = text.joints(there, there + 1).iter().any(|other| other.is_same(*vowel));
        if !stands && there > bare_to {
            let start = (text_at..there).rev().find(|&at| is_border(text, at)).unwrap_or(text_at);
            let is_end = |&end: &usize| is_border(text, end);
            bare_to = (there..text_at + len).find(is_end).unwrap_or(text_at + len);
            return !text.joints(start + 1, bare_to + 1).iter().any(|joint| is_vowel(&joint));
        }
        true
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::quotes::QuoteIndex;
    use chunkwright_text::pulse::no_pulse;

    const LETTERS: [char; 4] = ['ك', 'ت', 'ש', 'ב'];
    const SIGNS: [&str; 4] = ["", "", "\u{64e}", "\u{64f}"];

    proptest! {
        #[test]
        fn signs_are_those_of_the_text_or_the_word_has_none(
            words in proptest::collection::vec(
                proptest::collection::vec((0..4_usize, 0..4_usize, 0..4_usize), 2..5), 2..5,
            ),
        ) {
            let written = |of: &dyn Fn(&(usize, usize, usize)) -> usize| {
                let word = |word: &Vec<(usize, usize, usize)>| -> String {
                    word.iter().flat_map(|each| std::iter::once(LETTERS[each.0]).chain(SIGNS[of(each)].chars())).collect()
                };
                words.iter().map(word).collect::<Vec<_>>().join(" ")
            };
            let (text, quote) = (written(&|each| each.1), written(&|each| each.2));
            let expected = words.iter().all(|word| {
                let is_bare = word.iter().all(|each| SIGNS[each.1].is_empty());
                let is_same = |each: &(usize, usize, usize)| {
                    SIGNS[each.2].is_empty() || SIGNS[each.1] == SIGNS[each.2]
                };
                is_bare || word.iter().all(is_same)
            });
            let index = QuoteIndex::new(&text, no_pulse()).unwrap();
            let found = index.find(&text, &quote, 1, no_pulse()).unwrap();
            prop_assert_eq!(!found.is_empty(), expected, "{:?} in {:?}", quote, text);
        }
    }
}
