//! Rolling captions, of which each cue repeats what the one before showed last.
//!
//! Captions that a machine makes of speech show two lines, of which the upper one was the lower one before, or grow
//! word by word. Whether captions roll is told of all of them together: who says a word twice rolls nothing.

/// Words of a cue that may be repeated, at most: no screen shows more.
const MAX_WORDS: usize = 64;
/// Captions of fewer cues do not roll.
const MIN_CUES: usize = 4;

/// For each cue how many of its first words are those that the cue before it ended with; 0 for each if the captions
/// do not roll, which they do if most cues repeat words. O(n).
pub fn repeated(cues: &[Vec<&str>]) -> Vec<usize> {
    let pairs = cues.windows(2).map(|pair| overlap(&pair[0], &pair[1]));
    let counts: Vec<usize> = std::iter::once(0).chain(pairs).take(cues.len()).collect();
    let n_repeating = counts.iter().filter(|&&n| n > 0).count();
    if cues.len() < MIN_CUES || n_repeating * 2 < cues.len() {
        return vec![0; cues.len()];
    }
    counts
}

/// How many words at the end of `before` are those that `next` begins with: two at least, or all of one of both.
fn overlap(before: &[&str], next: &[&str]) -> usize {
    let most = before.len().min(next.len()).min(MAX_WORDS);
    let is_said = |n: &usize| before[before.len() - n..] == next[..*n];
    let found = (1..=most).rev().find(is_said).unwrap_or(0);
    let is_all = found == before.len() || found == next.len();
    if found >= 2 || is_all { found } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_that_grow_or_scroll_are_told() {
        let words = |cues: &[&'static str]| -> Vec<Vec<&'static str>> {
            cues.iter().map(|cue| cue.split(' ').collect()).collect()
        };
        assert_eq!(repeated(&words(&["a", "a b", "a b c", "b c d"])), [0, 1, 2, 2]);
        assert_eq!(repeated(&words(&["a b", "c d", "c d e", "f g"])), [0; 4]);
        assert_eq!(repeated(&words(&["a", "a", "a"])), [0; 3]);
        assert_eq!(repeated(&[]), [0; 0]);
    }
}
