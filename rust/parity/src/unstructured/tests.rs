//! Chunks against a restatement on owned strings, each joined and measured anew.

use proptest::prelude::*;

use super::*;
use crate::testing::{CalledRuler, TokenRuler};
use crate::unstructured::fragments::tests::naive_all;
use chunkwright_read::unstructured::SEPARATOR;
use chunkwright_text::elements::Kind;
use chunkwright_text::measure::ruler::CharRuler;
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::unicode::space::is_space;

type Item = (Kind, String, bool);

struct Naive<'a> {
    items: &'a [Item],
    packing: Packing,
    ruler: &'a dyn Ruler,
}

#[derive(Clone, Debug)]
struct NaivePreChunk {
    elements: Range<usize>,
    prefix: String,
}

fn n_chars(text: &str) -> usize {
    text.chars().count()
}

fn words(text: &str) -> String {
    text.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

impl Naive<'_> {
    fn is_alone(&self, i: usize) -> bool {
        self.packing.isolate_tables && self.items[i].0 == Kind::Table
    }

    fn segments(&self, held: &NaivePreChunk) -> Vec<String> {
        let texts = held.elements.clone().map(|i| self.items[i].1.clone());
        std::iter::once(held.prefix.clone()).chain(texts).filter(|text| !text.is_empty()).collect()
    }

    fn fits(&self, held: &NaivePreChunk, i: usize) -> bool {
        if held.elements.is_empty() {
            return true;
        }
        if self.is_alone(i) || held.elements.clone().any(|i| self.is_alone(i)) {
            return false;
        }
        let (size, max) = (|text: &str| self.ruler.size(text).unwrap(), self.packing.hard_max);
        let mut segments = self.segments(held);
        if size(&segments.join(SEPARATOR)) > self.packing.soft_max {
            return false;
        }
        let given = &self.items[i].1;
        if self.ruler.counts_chars() {
            let held: usize = segments.iter().map(|text| n_chars(text) + 2).sum();
            return held + n_chars(given) <= max;
        }
        if !given.is_empty() {
            segments.push(given.clone());
        }
        size(&segments.join(SEPARATOR)) <= max
    }

    fn text(&self, pre_chunk: &NaivePreChunk) -> String {
        let texts = pre_chunk.elements.clone().map(|i| match &self.items[i] {
            (Kind::Code, text, _) => text.clone(),
            (_, text, _) => words(text),
        });
        let prefix = std::iter::once(pre_chunk.prefix.clone());
        let texts: Vec<String> = prefix.chain(texts).filter(|text| !text.is_empty()).collect();
        texts.join(SEPARATOR)
    }

    fn pre_chunks(&self) -> Vec<NaivePreChunk> {
        let Packing { overlap, overlap_all, overlap_over_boundaries, .. } = self.packing;
        let (mut all, mut held) =
            (Vec::new(), NaivePreChunk { elements: 0..0, prefix: String::new() });
        for i in 0..self.items.len() {
            if i > 0 && (self.items[i].2 || !self.fits(&held, i)) {
                let text: Vec<char> = self.text(&held).chars().collect();
                let tail: String = text[text.len().saturating_sub(overlap)..].iter().collect();
                let is_table = held.elements.len() == 1 && self.is_alone(held.elements.start);
                let is_over = self.items[i].2 && !overlap_over_boundaries;
                let repeats = overlap_all && !is_table && !is_over;
                let prefix =
                    if repeats { tail.trim_matches(is_space).to_owned() } else { String::new() };
                all.push(std::mem::replace(&mut held, NaivePreChunk { elements: i..i, prefix }));
            }
            if held.elements.is_empty() && self.is_alone(i) {
                held.prefix.clear();
            }
            held.elements.end = i + 1;
        }
        if !held.elements.is_empty() {
            all.push(held);
        }
        all
    }

    fn combined(&self) -> Vec<NaivePreChunk> {
        let mut all: Vec<NaivePreChunk> = Vec::new();
        for next in self.pre_chunks() {
            let joined = all.last().map(|last| NaivePreChunk {
                elements: last.elements.start..next.elements.end,
                prefix: last.prefix.clone(),
            });
            match (all.last_mut(), joined) {
                (Some(last), Some(joined))
                    if !joined.elements.clone().any(|i| self.is_alone(i))
                        && self.size(last) < self.packing.combine_under
                        && self.size(&joined) <= self.packing.hard_max =>
                {
                    *last = joined;
                }
                _ => all.push(next),
            }
        }
        all
    }

    fn size(&self, pre_chunk: &NaivePreChunk) -> usize {
        self.ruler.size(&self.text(pre_chunk)).unwrap()
    }

    /// Kind, elements, and text of each chunk.
    fn chunks(&self) -> Vec<(ChunkKind, Range<usize>, String)> {
        let mut chunks = Vec::new();
        for pre_chunk in self.combined() {
            let mut kind = ChunkKind::Composite;
            let mut text = self.text(&pre_chunk);
            let (first, own, _) = &self.items[pre_chunk.elements.start];
            if pre_chunk.elements.len() == 1 && *first == Kind::Table {
                let own = own.trim_matches(is_space);
                if self.packing.skip_tables {
                    chunks.push((ChunkKind::Untouched, pre_chunk.elements, words(own)));
                    continue;
                }
                let separator = if pre_chunk.prefix.is_empty() { "" } else { "\n" };
                text = [&pre_chunk.prefix, separator, own].concat();
                let fits = self.ruler.size(&text).unwrap() <= self.packing.hard_max;
                kind = if fits { ChunkKind::Table } else { ChunkKind::TablePart };
                text = if own.is_empty() { String::new() } else { text };
            }
            for text in naive_all(&text, self.packing.hard_max, self.packing.overlap, self.ruler) {
                chunks.push((kind, pre_chunk.elements.clone(), text));
            }
        }
        chunks
    }
}

fn elements(items: &[Item]) -> (Unstructured, Vec<bool>) {
    let mut elements = Unstructured::default();
    for (kind, text, _) in items {
        elements.push(*kind, text, None, None);
    }
    (elements, items.iter().map(|item| item.2).collect())
}

fn item() -> impl Strategy<Value = Item> {
    let kind = prop_oneof![
        6 => Just(Kind::Paragraph), 2 => Just(Kind::Heading), 1 => Just(Kind::Table), 1 => Just(Kind::Code)
    ];
    let text = prop_oneof![
        3 => "[a-z]{1,8}( [a-z]{1,8}){0,5}",
        1 => "([ \n\t\u{a0}]{0,3}[a-zé漢🚀]{1,9}){0,6}[ \n]{0,2}",
        1 => "[ ab]{0,12}",
        1 => "[a-zA-Z0-9+/]{15,40}",
        2 => Just(String::new()),
    ];
    (kind, text, prop::bool::weighted(0.15))
}

fn packing() -> impl Strategy<Value = Packing> {
    let sizes = (
        1_usize..70,
        0_usize..70,
        prop_oneof![Just(0_usize), 0_usize..70],
        prop_oneof![Just(0_usize), 0_usize..90],
    );
    (sizes, any::<[bool; 4]>()).prop_map(|((hard_max, soft_max, overlap, combine_under), flags)| {
        Packing {
            hard_max,
            soft_max: soft_max.min(hard_max),
            overlap: overlap % hard_max,
            overlap_all: flags[0],
            overlap_over_boundaries: flags[1],
            combine_under,
            isolate_tables: flags[2],
            skip_tables: flags[2] && flags[3],
            repeat_headers: true,
        }
    })
}

/// All chunks; checks what is true of each.
fn packed(
    items: &[Item],
    packing: &Packing,
    ruler: &dyn Ruler,
) -> Vec<(ChunkKind, Range<usize>, String)> {
    let (elements, begins) = elements(items);
    let chunks = pack(&elements, &begins, packing, ruler, no_pulse()).unwrap();
    for chunk in &chunks {
        let text = chunk.text.of(elements.text());
        assert_eq!(chunk.size, ruler.size(text).unwrap());
        assert!(chunk.body.end <= elements.text().len());
    }
    for pair in chunks.windows(2) {
        let is_next = pair[0].elements.end == pair[1].elements.start && pair[1].part == 0;
        let is_same = pair[0].elements == pair[1].elements && pair[1].part == pair[0].part + 1;
        assert!(is_next || is_same || pair[0].elements.end < pair[1].elements.start);
    }
    let text = |chunk: &ElementChunk| chunk.text.of(elements.text()).to_owned();
    chunks.iter().map(|chunk| (chunk.kind, chunk.elements.clone(), text(chunk))).collect()
}

proptest! {
    #[test]
    fn chunks_in_code_points_are_those_of_the_oracle(items in prop::collection::vec(item(), 0..25), packing in packing()) {
        let naive = Naive { items: &items, packing, ruler: &CharRuler };
        prop_assert_eq!(packed(&items, &packing, &CharRuler), naive.chunks());
    }

    #[test]
    fn chunks_in_other_units_are_those_of_the_oracle(items in prop::collection::vec(item(), 0..25), packing in packing()) {
        let tokens = TokenRuler::new("cl100k_base");
        for ruler in [&tokens as &dyn Ruler, &CalledRuler::default()] {
            let found = packed(&items, &packing, ruler);
            prop_assert_eq!(found, Naive { items: &items, packing, ruler }.chunks());
        }
    }
}

const PLAIN: Packing = Packing {
    hard_max: 500,
    soft_max: 500,
    overlap: 0,
    overlap_all: false,
    overlap_over_boundaries: true,
    combine_under: 0,
    isolate_tables: true,
    skip_tables: false,
    repeat_headers: true,
};

fn texts(items: &[(Kind, &str)], packing: &Packing, ruler: &dyn Ruler) -> Vec<String> {
    let begins = |kind: Kind| kind == Kind::Heading;
    let items: Vec<Item> =
        items.iter().map(|&(kind, text)| (kind, text.to_owned(), begins(kind))).collect();
    packed(&items, packing, ruler).into_iter().map(|(_, _, text)| text).collect()
}

#[test]
fn a_chunk_that_only_repeats_is_the_peers() {
    let items = [(Kind::Paragraph, "aaaa bbbb"), (Kind::Paragraph, "cccc dddd")];
    let packing = Packing { hard_max: 14, soft_max: 14, overlap: 4, overlap_all: true, ..PLAIN };
    let theirs = ["aaaa bbbb", "bbbb", "bbb cccc dddd"];
    assert_eq!(texts(&items, &packing, &CharRuler), theirs);

    let items = [(Kind::Paragraph, "aaaa bbbb"), (Kind::Heading, ""), (Kind::Table, "t")];
    assert_eq!(texts(&items, &packing, &CharRuler), ["aaaa bbbb", "bbbb", "t"]);
}

#[test]
fn no_text_is_measured_again_and_again() {
    let words: Vec<Item> =
        (0..3000).map(|i| (Kind::Paragraph, format!("w{i}"), i % 3 == 0)).collect();
    let odd: Vec<Item> = (0..3000).map(|i| (Kind::Paragraph, format!(" w{i}\n"), false)).collect();
    let breaks: Vec<Item> =
        (0..3000).map(|i| (Kind::Paragraph, String::new(), i % 2 == 0)).collect();
    let long =
        vec![(Kind::Code, "one two ".repeat(2000), false), (Kind::Code, "a\n".repeat(5000), false)];
    for items in [words, odd, breaks, long] {
        let n_bytes: usize = items.iter().map(|item| item.1.len() + 2).sum();
        // What is combined is measured as one text, which the limit bounds.
        for (hard_max, combine_under) in [(50, 50), (1_000_000, 0)] {
            for overlap in [10, 0] {
                let packing = Packing {
                    hard_max,
                    soft_max: hard_max,
                    overlap,
                    overlap_all: true,
                    combine_under,
                    ..PLAIN
                };
                let ruler = CalledRuler::default();
                let (elements, mut begins) = elements(&items);
                if combine_under == 0 {
                    begins.fill(false);
                }
                pack(&elements, &begins, &packing, &ruler, no_pulse()).unwrap();
                let n_read = ruler.n_read.get();
                assert!(n_read < 100 * (n_bytes + 1000), "{n_read} of {n_bytes}, {packing:?}");
            }
        }
    }
}

#[test]
fn limits_are_checked_and_the_pulse_stops_the_work() {
    let (elements, begins) = elements(&[(Kind::Paragraph, "text".to_owned(), false)]);
    let packing = Packing { overlap: 500, ..PLAIN };
    let error = pack(&elements, &begins, &packing, &CharRuler, no_pulse()).unwrap_err();
    assert_eq!(error.to_string(), "overlap must be less than the limit 500, got 500");
    let stop = || Err(chunkwright_text::error::Error::Interrupted);
    assert!(pack(&elements, &begins, &PLAIN, &CharRuler, &stop).is_err());
    assert!(
        pack(&Unstructured::default(), &[], &PLAIN, &CharRuler, no_pulse()).unwrap().is_empty()
    );
}
