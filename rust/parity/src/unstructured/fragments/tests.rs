//! Splits against a restatement on owned strings, each rest joined anew.

use proptest::prelude::*;

use super::*;
use crate::testing::TokenRuler;
use chunkwright_text::measure::ruler::CharRuler;
use chunkwright_text::unicode::space::is_space;

/// One cut of `text`: the fragment and the rest.
pub fn naive(text: &str, max: usize, overlap: usize, ruler: &dyn Ruler) -> (String, String) {
    if ruler.size(text).unwrap() <= max {
        return (text.to_owned(), String::new());
    }
    if ruler.counts_chars() {
        by_chars(text, max, overlap)
    } else {
        by_units(text, max, overlap, ruler)
    }
}

fn string(chars: &[char]) -> String {
    chars.iter().collect()
}

fn stripped(text: &str) -> &str {
    text.trim_matches(is_space)
}

fn by_chars(text: &str, max: usize, overlap: usize) -> (String, String) {
    let chars: Vec<char> = text.chars().collect();
    for separator in ['\n', ' '] {
        let Some(at) = (overlap + 1..=max).rev().find(|&at| chars[at] == separator) else {
            continue;
        };
        let fragment = string(&chars[..at]).trim_end_matches(is_space).to_owned();
        let mut rest = string(&chars[at + 1..]).trim_start_matches(is_space).to_owned();
        if overlap > 1 {
            let n_chars = fragment.chars().count();
            let tail: String = fragment.chars().skip(n_chars.saturating_sub(overlap - 1)).collect();
            rest = format!("{} {rest}", tail.trim_start_matches(is_space));
        }
        if !fragment.is_empty() && rest.chars().count() < chars.len() {
            return (fragment, rest.trim_start_matches(is_space).to_owned());
        }
    }
    let rest = string(&chars[max - overlap..]);
    let fragment = string(&chars[..max]);
    let fragment = fragment.trim_end_matches(is_space);
    (fragment.to_owned(), rest.trim_start_matches(is_space).to_owned())
}

/// What a cut behind `n` code points leaves in front.
fn emitted(chars: &[char], n: usize) -> String {
    let whole = string(&chars[..n]);
    match whole.trim_end_matches(is_space) {
        "" => whole,
        trimmed => trimmed.to_owned(),
    }
}

fn naive_window(chars: &[char], max: usize, ruler: &dyn Ruler) -> usize {
    let fits = |n: usize| ruler.size(&emitted(chars, n)).unwrap() <= max;
    let (n, mut low, mut high) = (chars.len(), 1, 1);
    while high < n {
        high = n.min(256.max(2 * high));
        if !fits(high) {
            break;
        }
        low = high;
    }
    while low < n && high - low > 1 {
        let middle = usize::midpoint(low, high);
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

fn by_units(text: &str, max: usize, overlap: usize, ruler: &dyn Ruler) -> (String, String) {
    let size = |text: &str| ruler.size(text).unwrap();
    let is_over = |text: &str| overlap == 0 || size(text) > overlap;
    let chars: Vec<char> = text.chars().collect();
    let joined = |fragment: &str, separator: &str, rest: &str| {
        let tail = match overlap {
            0 => String::new(),
            _ => naive_tail(fragment, overlap, ruler),
        };
        let joined = if tail.is_empty() { rest.to_owned() } else { tail + separator + rest };
        (joined.chars().count() < chars.len()).then_some(joined)
    };
    let window = naive_window(&chars, max, ruler);
    for separator in ['\n', ' '] {
        for at in (0..chars.len().min(window + 17)).rev().filter(|&i| chars[i] == separator) {
            let fragment = string(&chars[..at]).trim_end_matches(is_space).to_owned();
            let rest = string(&chars[at + 1..]).trim_start_matches(is_space).to_owned();
            if !fragment.is_empty()
                && size(&fragment) <= max
                && is_over(&fragment)
                && let Some(rest) = joined(&fragment, " ", &rest)
            {
                return (fragment, rest);
            }
        }
    }
    let mut cut = (1..=window.min(chars.len() - 1))
        .rev()
        .find(|&i| is_space(chars[i]) && is_over(&emitted(&chars, i)))
        .unwrap_or(window);
    if size(&emitted(&chars, cut)) > max {
        cut = window;
    }
    let fragment = emitted(&chars, cut);
    let is_space_next = chars.get(cut).copied().is_some_and(is_space);
    let is_trimmed = fragment.chars().count() < cut;
    let rest = string(&chars[cut..]);
    let rest = match stripped(&fragment) {
        "" => &*rest,
        _ => rest.trim_start_matches(is_space),
    };
    let separator = if is_space_next || is_trimmed { " " } else { "" };
    let left = joined(&fragment, separator, rest).unwrap_or_else(|| rest.to_owned());
    (fragment, left)
}

fn naive_tail(text: &str, max: usize, ruler: &dyn Ruler) -> String {
    let chars: Vec<char> = text.chars().collect();
    let size = |from: usize| ruler.size(&string(&chars[from..])).unwrap();
    if size(0) <= max {
        return stripped(text).to_owned();
    }
    let (mut low, mut high) = (0, chars.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        if size(middle) > max { low = middle + 1 } else { high = middle }
    }
    let space = (low..chars.len()).find(|&i| is_space(chars[i])).unwrap_or(chars.len());
    let word = (space..chars.len()).find(|&i| !is_space(chars[i])).unwrap_or(chars.len());
    let from = if word < chars.len() { word } else { low };
    string(&chars[from..]).trim_start_matches(is_space).to_owned()
}

/// All fragments.
pub fn naive_all(text: &str, max: usize, overlap: usize, ruler: &dyn Ruler) -> Vec<String> {
    let (mut rest, mut fragments) = (text.to_owned(), Vec::new());
    while !rest.is_empty() {
        let (fragment, left) = naive(&rest, max, overlap, ruler);
        assert!(left.len() < rest.len());
        fragments.push(fragment);
        rest = left;
    }
    fragments
}

fn fragments(text: &str, max: usize, overlap: usize, ruler: &dyn Ruler) -> Vec<String> {
    let all = parts(text, Splitting { max, overlap }, ruler);
    all.into_iter().map(|fragment| fragment.text.of(text).to_owned()).collect()
}

/// All fragments with what is known of them.
fn parts(text: &str, splitting: Splitting, ruler: &dyn Ruler) -> Vec<Fragment> {
    let mut all = Vec::new();
    let measure = (!ruler.counts_chars()).then(|| ruler.measure(text).unwrap());
    let splitter = FragmentSplitter::new(text, measure.as_deref(), ruler, splitting);
    let whole = Rest::of(Span::new(0, text.len()));
    let take = &mut |fragment| {
        all.push(fragment);
        Ok(())
    };
    splitter.split(whole, take, &Beat::of_bytes(no_pulse())).unwrap();
    all
}

const TEXTS: &str =
    "([ \n]{0,2}([a-z]{1,9}|[a-z .,]{1,12}|[é漢한🚀\t\u{1c}]{1,6}|[0-9a-f]{1,30}|\\PC{1,4})){0,30}";
/// Newlines, and words that are too long for an overlap.
const LINES: &str = "(a|bb|ccc|\n| |  |\t|xyzxyzxyz|漢字漢字|[a-zA-Z]{20}){0,40}";

proptest! {
    #[test]
    fn fragments_of_code_points_are_those_of_the_oracle(text in prop_oneof![TEXTS, LINES], max in 1_usize..40, overlap in 0_usize..40) {
        let overlap = overlap % max;
        let expected = naive_all(&text, max, overlap, &CharRuler);
        prop_assert_eq!(fragments(&text, max, overlap, &CharRuler), expected);
    }

    #[test]
    fn fragments_of_tokens_are_those_of_the_oracle(text in prop_oneof![TEXTS, LINES], max in 1_usize..25, overlap in 0_usize..25) {
        let (ruler, overlap) = (TokenRuler::new("cl100k_base"), overlap % max);
        let expected = naive_all(&text, max, overlap, &ruler);
        prop_assert_eq!(fragments(&text, max, overlap, &ruler), expected);
    }

    #[test]
    fn first_fragments_are_those_of_the_oracle(text in prop_oneof![TEXTS, LINES], max in 1_usize..40, repeat in 1_usize..6) {
        let (ruler, text) = (TokenRuler::new("o200k_base"), text.repeat(repeat));
        for ruler in [&CharRuler as &dyn Ruler, &ruler] {
            let (fragment, rest) = first(&text, max, ruler).unwrap();
            let found = (text[fragment.range()].to_owned(), text[rest..].to_owned());
            prop_assert_eq!(found, naive(&text, max, 0, ruler));
        }
    }

    #[test]
    fn whatever_is_said_is_said_first_once(
        text in prop_oneof![TEXTS, LINES], max in 1_usize..40, overlap in 0_usize..40, in_tokens: bool,
    ) {
        let tokens = TokenRuler::new("cl100k_base");
        let ruler: &dyn Ruler = if in_tokens { &tokens } else { &CharRuler };
        let all = parts(&text, Splitting { max, overlap: overlap % max }, ruler);
        let mut end = 0;
        for Fragment { text: found, body } in &all {
            prop_assert!(text[end..body.start].chars().all(is_space), "{end} {body:?}");
            let (found, said) = (found.of(&text), &text[body.range()]);
            prop_assert!(found.trim_end_matches(is_space).ends_with(said.trim_end_matches(is_space)));
            end = body.end;
        }
        prop_assert!(text[end..].chars().all(is_space));
    }
}

#[test]
fn a_long_text_is_looked_at_in_windows() {
    for (text, max) in [("word ", 300), ("\u{a0}", 40), ("漢", 300), ("ab\n ", 700), ("=", 30)] {
        let (ruler, text) = (TokenRuler::new("o200k_base"), format!("a{}", text.repeat(1500)));
        let (fragment, rest) = first(&text, max, &ruler).unwrap();
        let found = (text[fragment.range()].to_owned(), text[rest..].to_owned());
        assert_eq!(found, naive(&text, max, 0, &ruler));
    }
}

#[test]
fn what_is_repeated_is_cut_with_what_follows() {
    let ruler = TokenRuler::new("cl100k_base");
    for (lines, word) in [("a\n", "word "), ("one two\n \nb\n", "一二三 "), ("x\n", "no\tblank ")]
    {
        let (max, overlap) = (40, 24);
        let text = lines.repeat(30) + &word.repeat(3000 / word.len());
        let found = fragments(&text, max, overlap, &ruler);
        let mut rest = text;
        for fragment in found.into_iter().take(20) {
            let (expected, left) = naive(&rest, max, overlap, &ruler);
            assert_eq!(fragment, expected);
            rest = left;
        }
    }
}

#[test]
fn a_word_over_the_limit_goes_on_behind_its_own_end() {
    let ruler = TokenRuler::new("cl100k_base");
    let text = "See https://example.com/a/very/long/path/that/goes/on";
    let found = fragments(text, 8, 3, &ruler);
    assert_eq!(found, naive_all(text, 8, 3, &ruler));
    assert!(found.len() > 2 && found.iter().all(|part| ruler.size(part).unwrap() <= 8));
}

#[test]
fn whitespace_over_the_limit_is_kept() {
    let ruler = TokenRuler::new("cl100k_base");
    for text in [" ".repeat(900) + "a b", " \t\u{a0}\n".repeat(300), "\n \n".repeat(200) + "end"] {
        for overlap in [0, 2] {
            assert_eq!(fragments(&text, 5, overlap, &ruler), naive_all(&text, 5, overlap, &ruler));
        }
    }
}
