//! Examples of both versions: their marks, their limits, and the work that they take.

use std::cell::Cell;

use proptest::prelude::*;

use super::level::Source;
use super::marks::Marks;
use super::runs::Runs;
use super::{Counts, v3, v4};
use crate::testing::{CalledRuler, TokenRuler};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::measure::ruler::{CharRuler, Ruler};
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::span::Span;

fn split(text: &str, size: usize, longest: Option<usize>, ruler: &dyn Ruler) -> Result<Vec<Span>> {
    v3::split(text, size, longest, &*ruler.measure(text)?, no_pulse())
}

fn chunks<'t>(text: &'t str, size: usize, ruler: &dyn Ruler) -> Vec<&'t str> {
    let spans = split(text, size, None, ruler).unwrap();
    spans.into_iter().map(|span| &text[span.range()]).collect()
}

#[test]
fn the_longest_run_of_newlines_goes_first() {
    let text = "one two\nthree\n\nfour five";
    assert_eq!(chunks(text, 14, &CharRuler), ["one two\nthree", "four five"]);
    assert_eq!(chunks(text, 9, &CharRuler), ["one two", "three", "four five"]);
}

#[test]
fn tabs_go_before_other_runs_of_whitespace() {
    assert_eq!(chunks("ab  cd\tef", 6, &CharRuler), ["ab  cd", "ef"]);
    assert_eq!(chunks("ab cd  ef", 6, &CharRuler), ["ab cd", "ef"]);
}

#[test]
fn whitespace_behind_the_best_mark_is_taken_and_the_mark_stays() {
    assert_eq!(chunks("aa, bb. cc, dd", 8, &CharRuler), ["aa, bb.", "cc, dd"]);
    assert_eq!(chunks("aa* bb; cc", 7, &CharRuler), ["aa*", "bb; cc"]);
}

#[test]
fn a_mark_goes_back_to_its_piece_or_stands_alone() {
    assert_eq!(chunks("aaa-bbb", 4, &CharRuler), ["aaa-", "bbb"]);
    assert_eq!(chunks("aaa-bbb", 3, &CharRuler), ["aaa", "-", "bbb"]);
}

#[test]
fn versions_rank_the_asterisk_differently() {
    let text = "aa*bb;cc";
    assert_eq!(chunks(text, 5, &CharRuler), ["aa*", "bb;cc"]);
    let index = CharIndex::new(text, &[]);
    let spans = v4::split(text, &index, 5.0, &Lengths::default(), no_pulse()).unwrap();
    let found: Vec<_> = spans.into_iter().map(|span| &text[span.range()]).collect();
    assert_eq!(found, ["aa*bb", ";", "cc"]);
}

#[test]
fn a_character_over_the_size_is_an_error() {
    let error = split("a 🚀", 2, None, &TokenRuler::new("cl100k_base")).unwrap_err();
    assert_eq!(error.to_string(), "\"🚀\" is over the chunk size of 2 tokens and cannot be split");
    assert!(matches!(error, Error::Endless(_)));
}

#[test]
fn a_size_without_room_is_an_error() {
    let index = CharIndex::new("..", &[]);
    let error = v4::split("..", &index, 0.0, &Lengths::default(), no_pulse()).unwrap_err();
    assert_eq!(error.to_string(), "a chunk_size of 0 leaves no room for a text");
}

#[test]
fn the_beginning_of_a_long_text_is_counted_first() {
    let text = format!("{0}\n{0}", "word ".repeat(2000));
    let (whole, prefixed) = (CalledRuler::default(), CalledRuler::default());
    let expected = split(&text, 10, None, &whole).unwrap();
    assert_eq!(split(&text, 10, Some(1), &prefixed).unwrap(), expected);
    assert!(prefixed.n_read.get() < whole.n_read.get());
}

#[test]
fn levels_without_number_take_linear_time() {
    // Runs of one length that are all different: each is a level, and all levels end at the same place.
    let run = |i: usize| (0..16).map(move |bit| if i >> bit & 1 == 0 { '\n' } else { '\r' });
    let text: String = (0..20_000).flat_map(|i| std::iter::once('a').chain(run(i))).collect();
    assert_eq!(chunks(&text, 1, &CharRuler).len(), 20_000);
}

/// Code points, as a caller's counter that counts its calls.
#[derive(Default)]
struct Lengths(Cell<usize>);

impl Counts for Lengths {
    #[allow(clippy::cast_precision_loss)]
    fn tokens(&self, span: Span) -> Result<f64> {
        self.0.set(self.0.get() + 1);
        Ok((span.end - span.start) as f64)
    }
}

#[test]
fn few_counts_are_asked_for() {
    let text = "the quick brown fox. ".repeat(500);
    let (counts, index) = (Lengths::default(), CharIndex::new(&text, &[]));
    let spans = v4::split(&text, &index, 100.0, &counts, no_pulse()).unwrap();
    assert!(counts.0.get() < 15 * spans.len());
}

proptest! {
    #[test]
    fn the_tournament_finds_what_a_search_finds(
        text in "[ab\u{a0}\n\r\t ]{0,40}", from in 0_usize..40, length in 0_usize..40,
    ) {
        let runs = Runs::new(&text);
        let start = text.floor_char_boundary(from.min(text.len()));
        let end = text.floor_char_boundary((start + length).min(text.len()));
        // Parts of a text that is split begin and end at the edges of runs.
        let start = start + text[start..end].len() - text[start..end].trim_start().len();
        let end = start + text[start..end].trim_end().len();
        let found: Option<Vec<Span>> = runs.longest(&text, Span::new(start, end)).map(Iterator::collect);
        prop_assert_eq!(found, searched(&text, start, end));
    }

    #[test]
    fn pieces_and_splitters_are_the_part(text in "[ab.,“\u{a0}\n ]{1,40}") {
        static MARKS: Marks = Marks::new(&['.', ',', '“']);
        let (runs, chars) = (Runs::new(&text), CharIndex::new(&text, &[]));
        let source = Source { text: &text, chars: &chars, runs: &runs, marks: &MARKS };
        let level = source.split(Span::new(0, text.len()));
        let pieces: Vec<Span> = (0..level.len()).map(|i| source.joined(&level, i, i + 1)).collect();
        let gaps = pieces.windows(2).map(|pair| &text[pair[0].end..pair[1].start]);
        prop_assert!(gaps.clone().all(|gap| Some(gap) == gaps.clone().next()));
        prop_assert_eq!(source.joined(&level, 0, level.len()), Span::new(0, text.len()));
        for (i, piece) in pieces.iter().enumerate() {
            prop_assert_eq!(source.chars_before(&level, i), text[..piece.start].chars().count());
        }
    }

    #[test]
    fn chunks_are_in_order_and_hold_all_but_whitespace(
        text in "[ab.,“漢\u{a0}\n\t -]{0,60}", size in 1_usize..20,
    ) {
        let spans = split(&text, size, None, &CharRuler).unwrap();
        prop_assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start));
        let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let kept: String = spans.iter().map(|span| bare(&text[span.range()])).collect();
        prop_assert_eq!(kept, bare(&text));
        prop_assert!(spans.iter().all(|span| text[span.range()].chars().count() <= size));
    }
}

/// The first of the longest runs of the best kind by search, and its like.
fn searched(text: &str, start: usize, end: usize) -> Option<Vec<Span>> {
    for (kind, least) in [("\n\r", 1), ("\t", 1), (" \u{a0}", 2)] {
        let mut runs: Vec<&str> = text[start..end].split(|c| !kind.contains(c)).collect();
        runs.retain(|run| run.chars().count() >= least);
        let longest = runs.iter().map(|run| run.chars().count()).max();
        let Some(run) = runs.iter().find(|run| Some(run.chars().count()) == longest) else {
            continue;
        };
        let at = |(at, found): (usize, &str)| Span::new(start + at, start + at + found.len());
        return Some(text[start..end].match_indices(run).map(at).collect());
    }
    None
}
