//! Both phases: vectors and starts that are given, and chunks that are the same as without.

use std::sync::Arc;

use proptest::prelude::*;

use super::testing::*;
use super::tests::{scorings, texts};
use super::*;
use crate::boundaries::Reason;
use crate::cut::pieces::{Asked, Given};
use crate::cut::strategy::{Cutter, Strategy as Row};
use crate::measure::Chars;
use crate::options::OverlapAt;
use crate::pulse::no_pulse;
use crate::span::Span;

/// Says that chunks begin with what begins with a capital `A`, and nothing of texts with a `!`.
#[derive(Debug)]
struct Capitals;

impl Asked for Capitals {
    fn starts(&self, texts: &[Vec<&str>], _: Pulse<'_>) -> Result<Vec<Result<Vec<usize>>>> {
        let starts = |pieces: &Vec<&str>| {
            assert!(pieces.len() > 1);
            if pieces.iter().any(|piece| piece.contains('!')) {
                return Err(Error::Model("refused".into()));
            }
            Ok((0..pieces.len()).filter(|&i| pieces[i].starts_with('A')).collect())
        };
        Ok(texts.iter().map(starts).collect())
    }
}

fn given(segments: Segments) -> Row {
    Row::Given { segments, asked: Arc::new(Capitals) }
}

proptest! {
    #[test]
    fn given_starts_are_cuts_and_the_limit_holds(
        text in "([a-cA-C]{1,9}[ .,!。漢e\u{301}\n]{0,3}){0,30}",
        max in 1_usize..20,
        hard in 1_usize..60,
        soft in prop::option::of(1_usize..60),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let limits = Limits::new(hard, soft.map(|soft| soft.min(hard)), 0).unwrap();
        let cutter =
            Cutter { strategy: given(joined(max)), limits, overlap_at: OverlapAt::Any };
        let document = Document::new(&text);
        let chars = Chars::new(document);
        let pieces = cutter.pieces(document, &chars, no_pulse()).unwrap();
        let n = pieces.len();
        prop_assert_eq!(pieces.n_texts(), if n > 1 { n } else { 0 });
        let starts: Vec<usize> =
            if n == 0 { vec![] } else { picks.iter().map(|pick| pick.index(n)).collect() };
        let cut = |given| cutter.cut_given(document, &chars, &pieces, given, no_pulse());
        let chunks = cut(Given::Starts(&starts)).unwrap();
        check(&text, &chars, Some(hard), &chunks);
        // Each piece that was named begins a chunk, for the reason that it was named.
        let begins: Vec<usize> = (0..chunks.len()).map(|i| chunks.body(i).start).collect();
        for &start in starts.iter().filter(|&&start| start > 0) {
            prop_assert!(begins.contains(&pieces.spans()[start].start));
        }
        let verdicts = chunks.boundaries().verdicts();
        for (i, verdict) in (0..n.saturating_sub(1)).zip(verdicts) {
            prop_assert_eq!(*verdict == Verdict::Given, starts.contains(&(i + 1)));
        }
        // The limit adds a cut only where two chunks would not have been one.
        for (i, ending) in chunks.boundaries().endings(0, chunks.spans().map(|span| span.end)).iter().enumerate() {
            prop_assert!(ending.score.is_none());
            if ending.reason == Reason::Limit {
                let both = Span::new(chunks.body(i).start, chunks.body(i + 1).end);
                let end = verdicts.iter().zip(chunks.boundaries().ats());
                let mut given = end.filter(|(v, _)| **v == Verdict::Given).map(|(_, at)| *at);
                let group = given.find(|&at| at > both.start).unwrap_or(text.len());
                prop_assert!(chars.size(Span::new(both.start, group)).unwrap() > hard);
            }
        }
        prop_assert!(cut(Given::Starts(&[n.max(1)])).is_err());
    }

    #[test]
    fn vectors_of_many_texts_cut_each_alike(
        texts in prop::collection::vec("([a-cA]{1,9}[ .!\n]{1,3}){0,12}", 1..5),
        (segments, scoring) in scorings(),
        hard in 5_usize..60,
        sums in any::<bool>(),
    ) {
        let embedder: Arc<dyn Embedder> = if sums { Arc::new(Sums) } else { Arc::new(Letters) };
        let strategy = Row::Semantic(Semantic { segments, embedder, scoring });
        let limits = Limits::new(hard, None, 0).unwrap();
        let cutter = Cutter { strategy, limits, overlap_at: OverlapAt::Any };
        let documents: Vec<_> = texts.iter().map(|text| Document::new(text)).collect();
        let pieces: Vec<_> = documents
            .iter()
            .map(|&text| cutter.pieces(text, &Chars::new(text), no_pulse()).unwrap())
            .collect();
        let all: Vec<&str> =
            pieces.iter().zip(&texts).flat_map(|(pieces, text)| pieces.texts(text)).collect();
        let n_bytes: usize = all.iter().map(|text| text.len()).sum();
        prop_assert_eq!(pieces.iter().map(Pieces::n_bytes).sum::<usize>(), n_bytes);
        let vectors = cutter.embedder().unwrap().embed(&all, no_pulse()).unwrap();
        let mut first = 0;
        for (&document, pieces) in documents.iter().zip(&pieces) {
            let chars = Chars::new(document);
            let rows: Vec<usize> = (first..first + pieces.n_texts()).collect();
            first += rows.len();
            let mut own = vectors.rows(&rows).unwrap();
            let given = Given::Vectors(&mut *own);
            let given = cutter.cut_given(document, &chars, pieces, given, no_pulse());
            let alone = cutter.cut(document, &chars, no_pulse()).unwrap();
            // Thresholds may be NaN.
            prop_assert_eq!(format!("{:?}", given.unwrap()), format!("{alone:?}"));
        }
    }
}

#[test]
fn parts_of_a_group_are_even_or_end_with_a_paragraph() {
    let cut = |text: &str, starts: &[usize]| {
        let (document, limits) = (Document::new(text), Limits::new(12, None, 0).unwrap());
        let strategy = given(Segments::Sentences(LANGUAGE()));
        let cutter = Cutter { strategy, limits, overlap_at: OverlapAt::Any };
        let chars = Chars::new(document);
        let pieces = cutter.pieces(document, &chars, no_pulse()).unwrap();
        let given = Given::Starts(starts);
        let chunks = cutter.cut_given(document, &chars, &pieces, given, no_pulse()).unwrap();
        texts(text, &chunks).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(cut("Aa. Bb. Cc. Dd.", &[]), ["Aa. Bb.", "Cc. Dd."]);
    assert_eq!(cut("Aa. Bb. Cc. Dd.", &[1]), ["Aa.", "Bb. Cc. Dd."]);
    assert_eq!(cut("Aa. Bb. Cc.\n\nDd.", &[0]), ["Aa. Bb. Cc.", "Dd."]);
}

#[test]
fn a_text_is_cut_where_whoever_is_asked_says() {
    let cut = |text: &str| {
        let (document, limits) = (Document::new(text), Limits::new(20, None, 0).unwrap());
        let strategy = given(Segments::Sentences(LANGUAGE()));
        let cutter = Cutter { strategy, limits, overlap_at: OverlapAt::Any };
        assert!(cutter.calls_back());
        let chunks = cutter.cut(document, &Chars::new(document), no_pulse())?;
        Ok(texts(text, &chunks).into_iter().map(str::to_owned).collect::<Vec<_>>())
    };
    let cut = |text| cut(text).map_err(|error: Error| error.to_string());
    assert_eq!(cut("Bb. Aa. Bb. Aa.").unwrap(), ["Bb.", "Aa. Bb.", "Aa."]);
    assert_eq!(cut("Bb. Aa!").unwrap_err(), "refused");
    // Nobody is asked about one piece.
    assert_eq!(cut("Aa!").unwrap(), ["Aa!"]);
    assert!(cut("").unwrap().is_empty());
}

#[test]
fn an_answer_is_needed_for_each_text() {
    #[derive(Debug)]
    struct Two;
    impl Asked for Two {
        fn starts(&self, _: &[Vec<&str>], _: Pulse<'_>) -> Result<Vec<Result<Vec<usize>>>> {
            Ok(vec![Ok(vec![1]), Ok(vec![1])])
        }
    }
    let (document, limits) = (Document::new("Aa. Bb."), Limits::new(9, None, 0).unwrap());
    let segments = Segments::Sentences(LANGUAGE());
    let strategy = Row::Given { segments, asked: Arc::new(Two) };
    let cutter = Cutter { strategy, limits, overlap_at: OverlapAt::Any };
    let error = cutter.cut(document, &Chars::new(document), no_pulse()).unwrap_err();
    assert_eq!(error.to_string(), "there are 2 answers for 1 texts");
}

#[test]
fn what_is_asked_for_is_given() {
    let (document, limits) = (Document::new("Aa. Bb."), Limits::new(9, None, 0).unwrap());
    let cutter = Cutter { strategy: Row::Window, limits, overlap_at: OverlapAt::Any };
    let chars = Chars::new(document);
    let pieces = cutter.pieces(document, &chars, no_pulse()).unwrap();
    let given = Given::Starts(&[0]);
    let error = cutter.cut_given(document, &chars, &pieces, given, no_pulse()).unwrap_err();
    assert!(matches!(error, Error::Config(_)), "{error}");
}
