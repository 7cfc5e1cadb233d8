//! Naive twins: obviously right and slow, for tests to hold the fast paths against.

use unicode_segmentation::UnicodeSegmentation;

use crate::measure::bpe::vocabulary::{NO_RANK, Vocabulary};
use crate::segment::space::is_space;

/// Starts of the tokens of `piece`, by joining the best pair until there is none.
pub fn token_starts(vocabulary: &Vocabulary, piece: &[u8]) -> Vec<usize> {
    if vocabulary.rank(piece) != NO_RANK {
        return vec![0];
    }
    let mut bounds: Vec<usize> = (0..=piece.len()).collect();
    loop {
        let pairs = bounds.windows(3).enumerate();
        let ranked = pairs.map(|(i, pair)| (vocabulary.rank(&piece[pair[0]..pair[2]]), i));
        match ranked.min() {
            Some((rank, i)) if rank != NO_RANK => bounds.remove(i + 1),
            _ => break,
        };
    }
    bounds.pop();
    bounds
}

/// Texts of the recursive strategy without overlap: each place is tried, the last one first.
pub fn recursive<'t>(
    text: &'t str,
    marks: &[&str],
    max: usize,
    size: impl Fn(&str) -> usize,
) -> Vec<&'t str> {
    let mut chunks = Vec::new();
    let mut rest = text.trim_matches(is_space);
    while !rest.is_empty() {
        let fits = |&cut: &usize| size(rest[..cut].trim_end_matches(is_space)) <= max;
        let places = |mark: &str| -> Vec<usize> {
            let starts = rest.char_indices().map(|(at, _)| at).skip(1);
            starts.filter(|&at| rest[at..].starts_with(mark)).collect()
        };
        let graphemes: Vec<usize> =
            rest.grapheme_indices(true).map(|(at, _)| at).skip(1).chain([rest.len()]).collect();
        let best = marks.iter().find_map(|mark| places(mark).into_iter().rfind(fits));
        let cut = Some(rest.len()).filter(fits).or(best);
        let cut = cut.or_else(|| graphemes.iter().copied().rfind(fits)).unwrap_or(graphemes[0]);
        chunks.push(rest[..cut].trim_end_matches(is_space));
        rest = rest[cut..].trim_start_matches(is_space);
    }
    chunks
}

/// The greatest end with at most `max` units, by trying all.
pub fn longest(text: &str, start: usize, max: usize, size: impl Fn(&str) -> usize) -> usize {
    let ends = text[start..].char_indices().map(|(at, _)| start + at).chain([text.len()]);
    ends.filter(|&end| size(&text[start..end]) <= max).last().unwrap_or(start)
}
