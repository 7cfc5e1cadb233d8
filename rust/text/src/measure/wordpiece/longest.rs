//! Reach of so many tokens from a place in an indexed text, ahead and back.
//!
//! Counts grow from word to word, but not within one: a longer part of it may have fewer tokens. So the
//! word in which the tokens run out is cut off behind each of its letters, the last one first.
//!
//! Counts do not fall as a span grows by whole words, so the word in which the tokens run out is found by
//! `select` in the bitmap; inside it, where counts may fall, the longest beginning that fits is looked for from
//! the end back.

use super::Tables;
use super::index::{WordIndex, WordPart};
use super::letters::Letter;
use super::normalizer::Word;

impl WordIndex {
    /// The greatest end for which `text[start..end]` has at most `max_tokens` tokens.
    ///
    /// O(log n), and O(length²) of the word in which the tokens run out, which is a short one.
    pub fn longest(&self, text: &str, start: usize, max_tokens: usize) -> usize {
        let mut n_left = max_tokens;
        let mut start = start;
        if let Some(cut) = self.added_around(start) {
            for part in self.parts(text, start, cut.end) {
                match n_left.checked_sub(part.n_tokens) {
                    Some(n) => n_left = n,
                    None => return self.longest_part(&text[..cut.end], part.start, n_left),
                }
            }
            start = cut.end;
        }
        let (left, sync) = self.left_part(text, start);
        match n_left.checked_sub(left) {
            Some(n) => n_left = n,
            None => return self.longest_part(text, start, n_left),
        }
        let n_before = self.tokens.rank(sync);
        let Some(full) = self.tokens.select(n_before.saturating_add(n_left)) else {
            return text.len();
        };
        let unit = self.units.at_or_before(full).unwrap_or(full);
        self.longest_part(text, unit, n_left - (self.tokens.rank(unit) - n_before))
    }

    /// The greatest end for which the unit at `start`, which has more tokens, has at most `max_tokens`.
    fn longest_part(&self, text: &str, start: usize, max_tokens: usize) -> usize {
        if max_tokens == 0 {
            return self.letters(text, start).next().map_or(start, |letter| letter.at);
        }
        // They are few: a word with more letters than a known one may have is one token.
        let letters: Vec<Letter> = self.letters(text, start).collect();
        let Tables { scanner, model, .. } = self.wordpiece.tables();
        let mut word = Word::default();
        let mut n_letters = Vec::with_capacity(letters.len());
        for &letter in &letters {
            n_letters.push(word.letters().len());
            word.add(letter, scanner.normalizer);
        }
        let starts = model.starts(word.letters());
        let fits = |&n: &usize| {
            let n_tokens = if word.is_reordered() {
                self.count_letters(letters[..n].iter().copied())
            } else {
                model.count_first(&word.letters()[..n_letters[n]], &starts)
            };
            n_tokens <= max_tokens
        };
        (0..letters.len()).rev().find(fits).map_or(start, |n| letters[n].at)
    }

    /// A start from which `text[start..end]` has at most `max_tokens` tokens, near the least one: where a
    /// word begins, if one does near enough. O(log n), and O(length²) of a part of a short word.
    pub fn longest_back(&self, text: &str, end: usize, max_tokens: usize) -> usize {
        let mut n_left = max_tokens;
        let mut start = end;
        if let Some(cut) = self.added_around(end) {
            let parts: Vec<WordPart> = self.parts(text, cut.start, end).collect();
            for part in parts.iter().rev() {
                match n_left.checked_sub(part.n_tokens) {
                    Some(n) => (n_left, start) = (n, part.start),
                    None => return self.back_in_part(text, part.start, start, end, n_left),
                }
            }
        }
        let (unit, right) = self.right_part(text, start);
        match n_left.checked_sub(right) {
            Some(n) => (n_left, start) = (n, unit),
            None => return self.back_in_part(text, unit, start, end, n_left),
        }
        let Some(n_out) = self.tokens.rank(start).checked_sub(n_left).filter(|&n| n > 0) else {
            return 0;
        };
        let first = self.tokens.select(n_out).unwrap_or(start);
        if let Some(unit) = self.units.at_or_after(first).filter(|&unit| unit < start) {
            return unit;
        }
        let unit = self.units.at_or_before(start.saturating_sub(1)).unwrap_or(start);
        self.back_in_part(text, unit, start, end, n_left)
    }

    /// A start in the unit `unit..start`, which has more than `max_tokens` tokens, if the span ends with it;
    /// otherwise `start`, where a word begins.
    ///
    /// Letter after letter is taken up from behind as long as the tokens suffice.
    fn back_in_part(
        &self,
        text: &str,
        unit: usize,
        start: usize,
        end: usize,
        max_tokens: usize,
    ) -> usize {
        if start < end || max_tokens == 0 {
            return start;
        }
        let letters: Vec<Letter> = self.letters(&text[..start], unit).collect();
        let fits = |n: &usize| self.count_letters(letters[*n..].iter().copied()) <= max_tokens;
        let fitting = (0..letters.len()).rev().take_while(fits);
        fitting.last().map_or(start, |n| letters[n].at)
    }
}
