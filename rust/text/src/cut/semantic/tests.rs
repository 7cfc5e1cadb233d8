//! The strategies against oracles, and the laws for all of them.
#![allow(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "there are few pieces, and thresholds are scores"
)]

use std::cell::Cell;

use proptest::prelude::*;

use super::testing::*;
use super::*;
use crate::markup::Markup;
use crate::measure::{Bpe, Chars, Counter, Encoder, Tokens};
use crate::options::OverlapAt;
use crate::oracle;
use crate::pulse::no_pulse;
use crate::span::Span;
use crate::unicode::space::is_space;
use crate::vectors::{Dense, Embedded, Lexical, TOLERANCE};

pub fn scorings() -> impl Strategy<Value = (Segments, Scoring)> {
    let thresholds = prop_oneof![
        Just(Threshold::Percentile(60.0)),
        Just(Threshold::StandardDeviation(0.5)),
        Just(Threshold::Interquartile(0.5)),
        Just(Threshold::Gradient(70.0)),
        (1_usize..9).prop_map(Threshold::NumberOfChunks),
    ];
    let kamradt =
        (thresholds, 0_usize..3, 0_usize..20).prop_map(|(threshold, window, min_size)| {
            (Segments::Sentences(LANGUAGE()), Scoring::Kamradt { window, threshold, min_size })
        });
    let target = (any::<bool>(), 1_usize..60)
        .prop_map(|(max, size)| if max { Target::Max(size) } else { Target::Average(size) });
    let modified = (target, 0_usize..4, 1_usize..20).prop_map(|(target, window, max)| {
        (joined(max), Scoring::KamradtModified { window, target })
    });
    let cluster = (any::<bool>(), 1_usize..20).prop_map(|(global, max)| {
        let mean = if global { Mean::Global } else { Mean::Local };
        (joined(max), Scoring::Cluster { mean })
    });
    let discontinuity = (1_usize..4)
        .prop_map(|window| (Segments::Sentences(LANGUAGE()), Scoring::Discontinuity { window }));
    prop_oneof![kamradt, modified, cluster, discontinuity]
}

proptest! {
    #[test]
    fn pieces_cover_the_text_and_fit(
        text in "([a-cA]{1,9}[ .,!。漢e\u{301}\n]{0,3}){0,30}",
        max in 1_usize..30,
        is_joined in any::<bool>(),
    ) {
        let kind = if is_joined { joined(max) } else { Segments::Sentences(LANGUAGE()) };
        let bpe = Bpe::named("cl100k_base").unwrap();
        let index = Encoder::new(bpe).index(&text, no_pulse()).unwrap();
        let (chars, tokens) = (Chars::new(Document::new(&text)), Tokens::new(&text, &index));
        for measure in [&chars as &dyn Measure, &tokens] {
            let pieces = segments::segments(&text, Markup::Unknown, measure, max, kind, no_pulse()).unwrap();
            let mut at = 0;
            for (i, span) in pieces.spans().enumerate() {
                prop_assert!(text[at..span.start].chars().all(is_space) && span.start < span.end);
                prop_assert!(measure.size(span).unwrap() <= max || pieces.is_oversize(i));
                prop_assert_eq!(text[span.range()].trim_matches(is_space), &text[span.range()]);
                at = span.end;
            }
            prop_assert!(text[at..].chars().all(is_space));
        }
    }

    #[test]
    fn kamradt_cuts_over_the_threshold(
        text in sentences_of(2..20),
        window in 0_usize..4,
        q in 0.0_f64..100.0,
        min_size in 0_usize..30,
    ) {
        let kind = Segments::Sentences(LANGUAGE());
        let case = Case::new(&text, kind, NO_LIMIT.hard);
        prop_assume!(case.len() > 1);
        let scoring =
            Scoring::Kamradt { window, threshold: Threshold::Percentile(q), min_size };
        let scored = case.scored(&Letters, kind, scoring, NO_LIMIT);
        let distances = case.distances(window);
        for (score, distance) in scored.scores.iter().zip(&distances) {
            prop_assert!((score - distance).abs() < TOLERANCE);
        }
        let mut from = 0;
        let mut expected = above(&scored.scores, scored.threshold);
        expected.retain(|&end| {
            let is_cut = case.size(from, end) >= min_size;
            if is_cut {
                from = end;
            }
            is_cut
        });
        prop_assert_eq!(ends(&scored.verdicts, Verdict::Score), expected);
    }

    #[test]
    fn windows_of_sums_are_sums(text in sentences_of(2..20), window in 0_usize..4) {
        let kind = Segments::Sentences(LANGUAGE());
        let case = Case::new(&text, kind, NO_LIMIT.hard);
        prop_assume!(case.len() > 1);
        let scoring = Scoring::KamradtModified { window, target: Target::Average(20) };
        let scored = case.scored(&Sums, kind, scoring, NO_LIMIT);
        for (i, score) in scored.scores.iter().enumerate() {
            let sum = |i| sum_of(&case.rows[case.around(i, window)]);
            prop_assert!((score - (1.0 - cosine(&sum(i), &sum(i + 1)))).abs() < TOLERANCE);
        }
    }

    #[test]
    fn the_threshold_is_that_of_the_size(
        text in sentences_of(2..20),
        window in 0_usize..3,
        size in 1_usize..80,
    ) {
        let kind = Segments::Sentences(LANGUAGE());
        let case = Case::new(&text, kind, NO_LIMIT.hard);
        prop_assume!(case.len() > 1);
        let scored = |target| {
            let scoring = Scoring::KamradtModified { window, target };
            case.scored(&Letters, kind, scoring, NO_LIMIT)
        };
        let average = scored(Target::Average(size));
        let n_cuts = case.size(0, case.len()) / size;
        let thresholds = || average.scores.iter().copied().filter(|&score| score > 0.0).chain([0.0]);
        // The lowest threshold that is exceeded by no more distances than chunks are wanted.
        let lowest = thresholds()
            .filter(|&t| average.scores.iter().filter(|&&score| score > t).count() <= n_cuts)
            .fold(f64::INFINITY, f64::min);
        prop_assert_eq!(average.threshold, lowest);
        prop_assert_eq!(ends(&average.verdicts, Verdict::Score), above(&average.scores, lowest));

        let largest = scored(Target::Max(size));
        let holds = |&t: &f64| {
            groups(&above(&largest.scores, t), case.len())
                .into_iter()
                .all(|group| group.len() == 1 || case.size(group.start, group.end) <= size)
        };
        let highest = thresholds().filter(holds).fold(0.0, f64::max);
        prop_assert_eq!(largest.threshold, highest);
        prop_assert_eq!(ends(&largest.verdicts, Verdict::Score), above(&largest.scores, highest));
    }

    #[test]
    fn no_groups_have_more_in_common(
        text in sentences_of(2..10),
        max in 10_usize..60,
        global in any::<bool>(),
        surcharge in 0_usize..9,
    ) {
        let max = max + surcharge;
        let (kind, room) = (joined(12 + surcharge), Room { soft: max / 2, hard: max });
        let case = Case::surcharged(&text, kind, max, surcharge);
        prop_assume!(case.len() > 1);
        let mean = if global { Mean::Global } else { Mean::Local };
        let scored = case.scored(&Letters, kind, Scoring::Cluster { mean }, room);
        let fits = |from: usize, to: usize| to == from + 1 || case.size(from, to) <= max;
        let pairs = (0..case.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        let counted = pairs.filter(|&(i, j)| global || fits(i, j + 1) );
        let cosines: Vec<f64> = counted.map(|(i, j)| case.cosine(i, j)).collect();
        let mean = cosines.iter().sum::<f64>() / cosines.len().max(1) as f64;
        prop_assert!((1.0 - mean - scored.threshold).abs() < TOLERANCE);
        let worth = |from: usize, to: usize| {
            let pairs = (from..to).flat_map(|j| (from..j).map(move |i| (i, j)));
            let gain = pairs.map(|(i, j)| case.cosine(i, j) - 1.0 + scored.threshold).sum();
            fits(from, to).then_some(gain)
        };
        let chosen = groups(&cuts(&scored.verdicts), case.len());
        let n_groups = chosen.len();
        let sum: f64 = chosen.iter().map(|group| worth(group.start, group.end).unwrap()).sum();
        let noise = TOLERANCE * case.len() as f64;
        let (best, _) = oracle::best_groups(0, case.len(), 0.0, &worth);
        prop_assert!((sum - best).abs() <= noise, "{sum} {best}");
        let (_, fewest) = oracle::best_groups(0, case.len(), 1e-9, &worth);
        prop_assert!(n_groups <= fewest);
        for (left, right) in chosen.iter().zip(&chosen[1..]) {
            let pairs = left.clone().flat_map(|i| right.clone().map(move |j| (i, j)));
            let gain: f64 =
                pairs.map(|(i, j)| case.cosine(i, j) - 1.0 + scored.threshold).sum();
            let is_alike = gain > TOLERANCE
                || scored.scores[left.end - 1] < scored.threshold - TOLERANCE;
            // Sums of surcharged pieces are exact, so that reach is what fits.
            let is_forced = !fits(left.start, right.end) && is_alike;
            let ends = (left.start + 1..right.end).filter(|&end| fits(left.start, end)).count();
            let expected = if is_forced { Verdict::limit(ends) } else { Verdict::Score };
            prop_assert_eq!(scored.verdicts[left.end - 1], expected);
        }
        for (i, score) in scored.scores.iter().enumerate() {
            prop_assert!((score - 1.0 + case.cosine(i, i + 1)).abs() < TOLERANCE);
        }
    }

    #[test]
    fn groups_over_the_limit_are_cut_at_the_strongest(
        text in sentences_of(2..24),
        hard in 10_usize..80,
        soft in 1_usize..80,
        q in 0.0_f64..100.0,
    ) {
        let (kind, room) = (Segments::Sentences(LANGUAGE()), Room { soft: soft.min(hard), hard });
        let case = Case::new(&text, kind, hard);
        prop_assume!(case.len() > 1);
        let threshold = Threshold::Percentile(q);
        let scoring = Scoring::Kamradt { window: 0, threshold, min_size: 0 };
        let scored = case.scored(&Letters, kind, scoring, room);
        let cuts = ends(&scored.verdicts, Verdict::Score);
        let limits = groups(&cuts, case.len()).into_iter().flat_map(|group| {
            let score = |cut: usize| scored.scores[cut - 1];
            oracle::limited(group, [room.soft, hard], &|from, to| case.size(from, to), &score)
        });
        prop_assert_eq!(ends(&scored.verdicts, LIMIT), limits.collect::<Vec<_>>());
        // Of the places that leave between both limits one was chosen, else the last that fits.
        let mut from = 0;
        for cut in super::testing::cuts(&scored.verdicts) {
            if let Verdict::Limit { n_places } = scored.verdicts[cut - 1] {
                let end = cuts.iter().copied().find(|&end| end >= cut).unwrap_or(case.len());
                let sizes = (from + 1..end).map(|to| case.size(from, to));
                let n = sizes.filter(|size| (room.soft..=hard).contains(size)).count();
                prop_assert_eq!(usize::try_from(n_places).unwrap(), n.max(1));
            }
            from = cut;
        }
    }

    #[test]
    fn peaks_are_cut_between_the_limits(
        text in sentences_of(2..24),
        window in 1_usize..4,
        hard in 10_usize..80,
        soft in 1_usize..80,
    ) {
        let (kind, room) = (Segments::Sentences(LANGUAGE()), Room { soft: soft.min(hard), hard });
        let case = Case::new(&text, kind, hard);
        prop_assume!(case.len() > 1);
        let scored = case.scored(&Letters, kind, Scoring::Discontinuity { window }, room);
        for (i, &score) in scored.scores.iter().enumerate() {
            let (before, behind) =
                ((i + 1).saturating_sub(window)..i + 1, i + 1..(i + 1 + window).min(case.len()));
            let sums = [before, behind].map(|rows| sum_of(&case.rows[rows]));
            prop_assert!((score - 1.0 + cosine(&sums[0], &sums[1])).abs() < TOLERANCE);
        }
        let scores = &scored.scores;
        let is_peak = |cut: usize| {
            let most = scores[cut - 1] + TOLERANCE;
            let before = cut < 2 || scores[cut - 2] <= most;
            before && scores.get(cut).is_none_or(|&score| score <= most)
        };
        // No distance is over 2: a peak is always higher than what is none.
        let score = |cut: usize| scores[cut - 1] + if is_peak(cut) { 4.0 } else { 0.0 };
        let size = |from, to| case.size(from, to);
        let cuts = oracle::limited(0..case.len(), [room.soft, hard], &size, &score);
        let (peaks, others): (Vec<_>, Vec<_>) = cuts.into_iter().partition(|&cut| is_peak(cut));
        prop_assert_eq!(ends(&scored.verdicts, Verdict::Score), peaks);
        prop_assert_eq!(ends(&scored.verdicts, LIMIT), others);
    }

    #[test]
    fn the_laws_hold_for_all(
        text in "([a-cA-C]{1,9}[ .,!。漢e\u{301}\n]{0,3}){0,30}",
        (segments, scoring) in scorings(),
        hard in 1_usize..60,
        soft in prop::option::of(1_usize..60),
        overlap in 0_usize..8,
        lexical in any::<bool>(),
    ) {
        let soft = soft.map(|soft| soft.min(hard));
        let limits = Limits::new(hard, soft, overlap.min(soft.unwrap_or(hard) - 1)).unwrap();
        let embedder: Arc<dyn Embedder> =
            if lexical { Arc::new(Lexical::new(64).unwrap()) } else { Arc::new(Letters) };
        let how = Semantic { segments, embedder, scoring };
        let bpe = Bpe::named("cl100k_base").unwrap();
        let index = Encoder::new(bpe).index(&text, no_pulse()).unwrap();
        let document = Document::new(&text);
        let (chars, tokens) = (Chars::new(document), Tokens::new(&text, &index));
        for measure in [&chars as &dyn Measure, &tokens] {
            let at = OverlapAt::Word;
            let chunks = semantic(document, measure, limits, at, &how, no_pulse()).unwrap();
            check(&text, measure, Some(hard), &chunks);
            // The overlap moves no cut: without it, the same room is cut alike.
            let narrow = Limits::new(hard - limits.overlap(), soft.map(|soft| soft - limits.overlap()), 0);
            let bare = semantic(document, measure, narrow.unwrap(), at, &how, no_pulse()).unwrap();
            let bodies = |chunks: &Chunks| (0..chunks.len()).map(|i| chunks.body(i)).collect::<Vec<_>>();
            prop_assert_eq!(bodies(&chunks), bodies(&bare));
        }
    }

    #[test]
    fn a_counter_that_answers_by_dice_loses_no_text(
        text in "([a-cA-C]{1,9}[ .!\n]{0,3}){0,20}",
        (segments, scoring) in scorings(),
        hard in 1_usize..30,
        overlap in 0_usize..8,
        seed in any::<u64>(),
    ) {
        let dice = Cell::new(seed);
        let roll = |span: Span| {
            dice.set(dice.get().wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
            Ok(usize::try_from(dice.get() >> 60).unwrap() * span.len() / 8)
        };
        let counter = Counter::new(&text, roll);
        let limits = Limits::new(hard, None, overlap.min(hard - 1)).unwrap();
        let how = Semantic { segments, embedder: Arc::new(Letters), scoring };
        let document = Document::new(&text);
        let chunks =
            semantic(document, &counter, limits, OverlapAt::Word, &how, no_pulse()).unwrap();
        check(&text, &counter, None, &chunks);
    }
}

#[test]
fn a_sentence_that_begins_inside_a_grapheme_is_not_cut_twice() {
    let text = "。\u{301}x。\u{301} y";
    let bytes = Counter::new(text, |span: Span| Ok(span.len()));
    for kind in [Segments::Sentences(LANGUAGE()), joined(2)] {
        let pieces =
            segments::segments(text, Markup::Unknown, &bytes, 2, kind, no_pulse()).unwrap();
        assert_eq!(texts(text, &pieces), ["。\u{301}", "x", "。\u{301}", "y"]);
    }
}

fn cut(text: &str, embedder: impl Embedder + 'static, scoring: Scoring, hard: usize) -> Chunks {
    let (document, limits) = (Document::new(text), Limits::new(hard, None, 0).unwrap());
    let segments = Segments::Sentences(LANGUAGE());
    let how = Semantic { segments, embedder: Arc::new(embedder), scoring };
    let chars = Chars::new(document);
    semantic(document, &chars, limits, OverlapAt::Word, &how, no_pulse()).unwrap()
}

pub fn texts<'t>(text: &'t str, chunks: &Chunks) -> Vec<&'t str> {
    chunks.spans().map(|span| &text[span.range()]).collect()
}

const CLUSTER: Scoring = Scoring::Cluster { mean: Mean::Global };
const DISCONTINUITY: Scoring = Scoring::Discontinuity { window: 1 };
const KAMRADT: Scoring =
    Scoring::Kamradt { window: 0, threshold: Threshold::Percentile(95.0), min_size: 0 };

#[test]
fn a_counter_for_which_long_texts_are_more_than_their_parts_is_not_asked_in_vain() {
    let n_bytes = |n_sentences: usize| {
        let text = "Aa. ".repeat(n_sentences);
        let n_bytes = Cell::new(0);
        let size = |span: Span| {
            n_bytes.set(n_bytes.get() + span.len());
            Ok(if span.len() < 100 { 1 } else { 1_000_000 })
        };
        let counter = Counter::new(&text, size);
        let limits = Limits::new(100_000, None, 0).unwrap();
        let segments = Segments::Sentences(LANGUAGE());
        let how = Semantic { segments, embedder: Arc::new(Letters), scoring: KAMRADT };
        let document = Document::new(&text);
        let chunks = semantic(document, &counter, limits, OverlapAt::Any, &how, no_pulse());
        check(&text, &counter, Some(100_000), &chunks.unwrap());
        n_bytes.get() / text.len()
    };
    assert!(n_bytes(2000) < 2 * n_bytes(500));
}

#[test]
fn nobody_is_asked_about_one_piece() {
    for scoring in [CLUSTER, DISCONTINUITY, KAMRADT] {
        for text in ["", " \n ", "One piece.", " One piece. "] {
            let chunks = cut(text, Nobody, scoring, 20);
            assert_eq!(chunks.len(), usize::from(!text.trim().is_empty()));
            assert_eq!(chunks.boundaries().text_ends(), [0]);
            assert!(chunks.boundaries().thresholds()[0].is_nan());
        }
    }
}

#[test]
fn a_vector_for_each_text_is_wanted() {
    #[derive(Debug)]
    struct Few;
    impl Embedder for Few {
        fn embed<'t>(&self, _: &[&'t str], _: Pulse<'_>) -> Result<Embedded<'t>> {
            Ok(Box::new(Dense::new(vec![1.0_f32; 4], 1)?))
        }
    }
    let document = Document::new("Aaa. Bbb. Ccc. Aaa. Bbb.");
    let (chars, limits) = (Chars::new(document), Limits::new(9, None, 0).unwrap());
    let segments = Segments::Sentences(LANGUAGE());
    let how = Semantic { segments, embedder: Arc::new(Few), scoring: CLUSTER };
    let wrong = semantic(document, &chars, limits, OverlapAt::Any, &how, no_pulse());
    assert_eq!(wrong.unwrap_err().to_string(), "the embedder gave 4 vectors for 5 texts");
}

#[test]
fn what_is_alike_is_cut_by_the_limit_only() {
    let text = "Aaa. Aaa. Aaa. Aaa. Aaa.";
    let pairs = ["Aaa. Aaa.", "Aaa. Aaa.", "Aaa."];
    for scoring in [CLUSTER, KAMRADT] {
        assert_eq!(texts(text, &cut(text, Letters, scoring, 10)), pairs);
    }
    for scoring in [CLUSTER, DISCONTINUITY, KAMRADT] {
        assert_eq!(texts(text, &cut(text, Letters, scoring, 99)), [text]);
        // No vector says anything.
        let letterless = "Xx. Yy. Zz.";
        assert_eq!(texts(letterless, &cut(letterless, Letters, scoring, 99)), [letterless]);
    }
}

#[test]
fn topics_are_told_apart() {
    let text = "Caa aca. Aac. Caaa. Bbc. Cbbb bb. Bcb.";
    let topics = ["Caa aca. Aac. Caaa.", "Bbc. Cbbb bb. Bcb."];
    for scoring in [CLUSTER, DISCONTINUITY, KAMRADT] {
        assert_eq!(texts(text, &cut(text, Letters, scoring, 37)), topics);
    }
}
