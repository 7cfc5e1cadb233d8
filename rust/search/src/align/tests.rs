//! Places of blocks, compared with those found by trying all.

use proptest::prelude::*;

use super::*;
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::unicode::space::is_space;

/// The words of a text with one blank between them, and where each byte is from.
fn collapsed(text: &str) -> (String, Vec<usize>) {
    let (mut out, mut sources) = (String::new(), Vec::new());
    for (at, c) in text.char_indices() {
        let follows_space = text[..at].ends_with(is_space);
        if is_space(c) {
            continue;
        }
        if follows_space && !out.is_empty() {
            out.push(' ');
            sources.push(at - 1);
        }
        out.push(c);
        sources.extend(at..at + c.len_utf8());
    }
    (out, sources)
}

/// The places of blocks by trying all of them.
struct Naive {
    text: String,
    sources: Vec<usize>,
    /// Lengths, and where each block occurs.
    blocks: Vec<(usize, Vec<usize>)>,
}

impl Naive {
    fn new(text: &str, blocks: &[Block<'_>]) -> Self {
        let (text, sources) = collapsed(text);
        let occurrences = |block: &Block<'_>| {
            let (own, _) = collapsed(block.text);
            let stands = |&at: &usize| {
                let end = at + own.len();
                text.is_char_boundary(at)
                    && text[at..].starts_with(&own)
                    && (block.starts_inside_word || !is_inside_word(&text, at))
                    && (block.ends_inside_word || !is_inside_word(&text, end))
            };
            let places = (0..text.len()).filter(|_| !own.is_empty()).filter(stands).collect();
            (own.len(), places)
        };
        let blocks = blocks.iter().map(occurrences).collect();
        Self { text, sources, blocks }
    }

    /// All chains of blocks from `block` on, at `at` or behind it: start, block and length of each place.
    fn chains(&self, block: usize, at: usize) -> Vec<Vec<(usize, usize, usize)>> {
        let Some((len, starts)) = self.blocks.get(block) else { return vec![Vec::new()] };
        let mut chains = self.chains(block + 1, at);
        for &start in starts.iter().filter(|&&start| start >= at) {
            for mut chain in self.chains(block + 1, start + len) {
                chain.insert(0, (start, block, *len));
                chains.push(chain);
            }
        }
        chains
    }

    fn places(&self) -> Vec<Option<Span>> {
        let total =
            |chain: &Vec<(usize, usize, usize)>| chain.iter().map(|place| place.2).sum::<usize>();
        let chains = self.chains(0, 0);
        let best = chains.iter().map(total).max().unwrap();
        let chain = chains.into_iter().filter(|chain| total(chain) == best).min().unwrap();
        let mut places = vec![None; self.blocks.len()];
        for (start, block, len) in chain {
            places[block] = Some(Span::new(start, start + len));
        }
        for (block, (len, starts)) in self.blocks.iter().enumerate() {
            let is_free = |&start: &usize| {
                let taken = |place: &Span| place.start < start + len && start < place.end;
                !places.iter().flatten().any(taken)
            };
            if places[block].is_none() {
                places[block] =
                    starts.iter().copied().find(is_free).map(|at| Span::new(at, at + len));
            }
        }
        let source =
            |span: Span| Span::new(self.sources[span.start], self.sources[span.end - 1] + 1);
        places.into_iter().map(|place| place.map(source)).collect()
    }
}

fn found(text: &str, blocks: &[Block<'_>]) -> Vec<Option<Span>> {
    block_places(text, blocks, no_pulse()).unwrap()
}

proptest! {
    #[test]
    fn places_are_those_found_by_trying_all(
        text in "[ab. \n漢\u{301}]{0,24}",
        blocks in proptest::collection::vec(("[ab. \n漢\u{301}]{0,5}", any::<bool>(), any::<bool>()), 0..6),
    ) {
        let blocks: Vec<Block<'_>> = blocks.iter().map(|(text, starts, ends)| Block {
            text, starts_inside_word: *starts, ends_inside_word: *ends,
        }).collect();
        let naive = Naive::new(&text, &blocks);
        prop_assert_eq!(found(&text, &blocks), naive.places(), "in {:?}", naive.text);
    }

    #[test]
    fn blocks_of_a_text_are_found_after_edits(
        words in proptest::collection::vec("(the|rain|river|a|漢字。|go(es)?\\.|[a-z]{30,40})", 1..40),
        cuts in proptest::collection::vec(1_usize..6, 40),
        order in proptest::collection::vec(0_usize..12, 0..12),
    ) {
        let mut blocks = Vec::new();
        let mut rest = &words[..];
        for cut in cuts {
            let (own, others) = rest.split_at(cut.min(rest.len()));
            if own.is_empty() {
                break;
            }
            blocks.push(own.join("  "));
            rest = others;
        }
        let blocks: Vec<Block<'_>> = blocks.iter().take(7).map(|text| Block::new(text)).collect();
        let texts = order.iter().map(|&i| blocks.get(i).map_or("new", |block| block.text));
        let text = texts.collect::<Vec<_>>().join("\n");
        prop_assert_eq!(found(&text, &blocks), Naive::new(&text, &blocks).places());
    }
}

/// Blocks of a text by the ends of their code points; each is cut where it is.
fn cut(text: &str, n_chars: usize) -> Vec<Block<'_>> {
    let starts = text.char_indices().map(|(at, _)| at).step_by(n_chars);
    let bounds: Vec<usize> = starts.chain([text.len()]).collect();
    bounds.windows(2).map(|bounds| Block::of(text, Span::new(bounds[0], bounds[1]))).collect()
}

#[test]
fn all_blocks_of_an_unchanged_text_stand_where_they_were() {
    let dashes = "-".repeat(5_000);
    let letters = "a".repeat(5_000);
    let words = "a ".repeat(5_000);
    let rows = "| 1 | 2 |\n".repeat(900);
    for text in [&dashes, &letters, &words, &rows] {
        for n_chars in [7, 10, 130] {
            let blocks = cut(text, n_chars);
            for (block, place) in blocks.iter().zip(found(text, &blocks)) {
                let start = block.text.as_ptr() as usize - text.as_ptr() as usize;
                let span = Span::new(start, start + block.text.len());
                assert_eq!(place, (!span.is_empty()).then_some(span));
            }
        }
    }
}

#[test]
fn blocks_that_repeat_are_found_around_an_edit() {
    let row = "| x | y |\n";
    let old = row.repeat(500);
    let new = format!("{}| new | y |\n{}", row.repeat(200), row.repeat(300));
    let blocks = cut(&old, row.len());
    let places = found(&new, &blocks);
    let n_found = places.iter().flatten().count();
    assert_eq!(n_found, 500);
    assert!(places.is_sorted());
}

#[test]
fn a_text_of_one_letter_and_blocks_that_almost_occur_take_little_time() {
    let text = "a".repeat(200_000);
    let mut blocks: Vec<String> = (40..400).map(|n| "a".repeat(n) + "b").collect();
    blocks.push("c".into());
    let blocks: Vec<Block<'_>> = blocks.iter().map(|text| Block::new(text)).collect();
    let places = found(&format!("{text} c"), &blocks);
    assert_eq!(places.iter().flatten().count(), 1);
}

#[test]
fn the_pulse_stops_it() {
    let stop = || Err(chunkwright_text::error::Error::Interrupted);
    assert!(block_places("a", &[Block::new("a")], &stop).is_err());
}
