//! Laws of cuts of changed texts, with a cutter that fills chunks with words.

use proptest::prelude::*;

use super::*;
use chunkwright_text::document::Document;
use chunkwright_text::elements::{Element, Kind, Parent};
use chunkwright_text::error::Result;
use chunkwright_text::measure::ruler::CharRuler;
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::span::{Piece, Role, Span};
use chunkwright_text::unicode::space::is_space;

const LIMIT: Limit<'static> = Limit { most: 12, ruler: &CharRuler };
const NO_OVERLAPS: Overlaps = Overlaps { most: 0, is_added: false };

/// Chunks of as many words as fit; none goes over the end of a line.
fn cut(text: &str) -> Vec<Chunk> {
    let mut spans: Vec<Span> = Vec::new();
    let mut at = 0;
    for word in text.split_inclusive(is_space) {
        let span = Span::new(at, at + word.trim_end_matches(is_space).len());
        at += word.len();
        match spans.last_mut() {
            _ if span.is_empty() => {}
            Some(last)
                if !text[last.end..span.start].contains('\n')
                    && text[last.start..span.end].chars().count() <= LIMIT.most =>
            {
                last.end = span.end;
            }
            _ => spans.push(span),
        }
    }
    let chunk = |span: Span| {
        let size = text[span.range()].chars().count();
        let is_oversize = size > LIMIT.most;
        Chunk { is_oversize, ..Chunk::new(vec![Piece::body(span)], size) }
    };
    spans.into_iter().map(chunk).collect()
}

type Resynced = Vec<(Chunk, Option<usize>)>;

fn resynced(
    before: Version<'_>,
    text: Version<'_>,
    old: &[Chunk],
    is_whole: bool,
    overlaps: Overlaps,
) -> Result<Resynced> {
    let versions = [before, text];
    let mut kept = untouched(versions, old, &LIMIT, false, no_pulse())?;
    let whole = cut(text.text());
    if is_whole {
        kept = beside(kept, &whole);
    }
    let (kept, windows) = windows(kept, versions, &LIMIT, old.len())?;
    let mut fresh = Vec::new();
    for window in windows {
        fresh.extend(if is_whole {
            clipped(window, text, &whole, &LIMIT)?
        } else {
            cut_alone(window, text, cut(text.part(window.span)), &LIMIT)?
        });
    }
    merged(kept, fresh, text, &LIMIT, overlaps)
}

fn version(text: &str) -> Version<'_> {
    Version::new(Document::new(text))
}

fn words(text: &str) -> Vec<&str> {
    text.split(is_space).filter(|word| !word.is_empty()).collect()
}

fn texts() -> impl Strategy<Value = (String, String)> {
    let line = proptest::collection::vec("(rain|sun|漢字|a|naïve|snow,|[a-z]{14})", 1..9);
    let lines = proptest::collection::vec(line.prop_map(|words| words.join(" ")), 0..9);
    let orders = proptest::collection::vec((0_usize..12, "( |\n|  |\n\n)"), 0..12);
    (lines, orders).prop_map(|(lines, orders)| {
        let said = |i: usize| lines.get(i).map_or("new words", |line| line);
        let changed = orders.iter().map(|(i, blank)| format!("{}{blank}", said(*i)));
        (lines.join("\n"), changed.collect())
    })
}

proptest! {
    #[test]
    fn own_texts_are_disjoint_and_hold_every_word(
        (old_text, new_text) in texts(), is_whole: bool, most in 0_usize..8,
    ) {
        let old = cut(&old_text);
        let overlaps = Overlaps { most, is_added: true };
        let (before, text) = (version(&old_text), version(&new_text));
        let chunks = resynced(before, text, &old, is_whole, overlaps).unwrap();
        let mut at = 0;
        let mut said = Vec::new();
        for (chunk, ordinal) in &chunks {
            let body = chunk.body();
            prop_assert!(at <= body.start && body.start < body.end);
            at = body.end;
            said.extend(words(text.part(body)));
            prop_assert!(chunk.size <= LIMIT.most || chunk.is_oversize);
            prop_assert_eq!(chunk.size, LIMIT.size_of(chunk, text).unwrap());
            if let Some(ordinal) = *ordinal {
                prop_assert_eq!(words(before.part(old[ordinal].body())), words(text.part(body)));
            }
        }
        prop_assert_eq!(said, words(&new_text));
        for pair in chunks.windows(2) {
            let own = pair[0].0.body();
            for piece in pair[1].0.repeated() {
                prop_assert!(own.start <= piece.span.start && piece.span.end <= pair[1].0.body().start);
                prop_assert!(text.part(piece.span).chars().count() <= most);
            }
        }
        let mut ordinals: Vec<_> = chunks.iter().filter_map(|(_, ordinal)| *ordinal).collect();
        ordinals.sort_unstable();
        prop_assert!(ordinals.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn a_text_that_has_not_changed_keeps_all((text, _) in texts(), is_whole: bool) {
        let old = cut(&text);
        let text = version(&text);
        let chunks = resynced(text, text, &old, is_whole, NO_OVERLAPS).unwrap();
        let expected: Vec<_> = old.into_iter().enumerate().map(|(i, chunk)| (chunk, Some(i))).collect();
        prop_assert_eq!(chunks, expected);
    }

    #[test]
    fn other_whitespace_keeps_all_that_fits((old_text, _) in texts()) {
        let old = cut(&old_text);
        let new_text = old_text.replace('\n', "\n\n ");
        let (before, text) = (version(&old_text), version(&new_text));
        let chunks = resynced(before, text, &old, false, NO_OVERLAPS).unwrap();
        prop_assert_eq!(chunks.len(), old.len());
        prop_assert!(chunks.iter().all(|(_, ordinal)| ordinal.is_some()));
    }
}

#[test]
fn a_few_words_join_the_chunk_before_them() {
    let (before, text) = (version("rain fell\nsun shone"), version("rain fell a\nsun shone"));
    let old = cut(before.text());
    let chunks = resynced(before, text, &old, false, NO_OVERLAPS).unwrap();
    let shown: Vec<_> =
        chunks.iter().map(|(chunk, ordinal)| (text.part(chunk.body()), *ordinal)).collect();
    assert_eq!(shown, [("rain fell a", None), ("sun shone", Some(1))]);
}

#[test]
fn a_heading_that_stands_no_more_is_repeated_no_more() {
    let heading = |end| Element {
        kind: Kind::Heading,
        level: 1,
        begins_list: false,
        parent: Parent::default(),
        span: Span::new(0, end),
        page: None,
        grid: None,
    };
    let before = [heading(4)];
    let repeats = |text, elements| Version::new(Document::new(text).with_elements(elements));
    let old = [Chunk::new(
        vec![Piece { role: Role::Heading, span: Span::new(0, 4) }, Piece::body(Span::new(5, 9))],
        8,
    )];
    let keeps = |text, elements| {
        let versions = [repeats("Rain fell", &before), repeats(text, elements)];
        untouched(versions, &old, &LIMIT, false, no_pulse()).unwrap()
    };
    assert_eq!(keeps("Rain\nnew\nfell", &before)[0].chunk.pieces[0].span, Span::new(0, 4));
    assert!(keeps("Rain\nnew\nfell", &[]).is_empty());
    assert!(keeps("Snow\nnew\nfell", &before).is_empty());
}

#[test]
fn tables_are_kept_or_cut_as_a_whole() {
    let text = version("rain fell\nsun shone");
    let kept = untouched([text; 2], &cut(text.text()), &LIMIT, false, no_pulse()).unwrap();
    let mut table = Chunk::new(vec![Piece::body(Span::new(0, 12))], 12);
    table.content = chunkwright_text::chunks::Content::Table;
    assert!(beside(kept.clone(), std::slice::from_ref(&table)).is_empty());
    table.pieces = vec![Piece::body(Span::new(0, 9))];
    assert_eq!(beside(kept.clone(), &[table]), kept);
}
