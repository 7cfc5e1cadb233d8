//! Rules of the structural strategy, and its laws for generated documents, options, units and vectors.

use std::ops::Range;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::boundaries::Reason;
use crate::cut::elements::testing::WithRuler;
use crate::cut::elements::{ElementStrategy, Starts};
use crate::measure::Chars;
use crate::measure::ruler::{CharRuler, Ruled};
use crate::measure::testing::{CalledRuler, TokenRuler};
use crate::options::OverlapAt;
use crate::pulse::no_pulse;
use crate::read::Read;
use crate::segment::sentence::Language;
use crate::span::Role;
use crate::syntax::markdown;
use crate::unicode::space::is_space;
use crate::vectors::{Dense, Lexical};

fn packing() -> Packing {
    Packing {
        overlap_all: false,
        overlap_over_starts: false,
        combine_under: 0,
        isolate_tables: true,
        skip_tables: false,
        repeat_headers: true,
        language: Language::english(),
    }
}

fn alone(list_max: usize, table_max: usize) -> Structure {
    Structure { list_max, table_max, merging: None }
}

fn merging(merge_at: f64, split_above: usize) -> Structure {
    let embedder = Arc::new(Lexical::new(64).unwrap());
    let merging = Some(Merging { embedder, merge_at, split_above });
    Structure { merging, ..alone(100, 100) }
}

/// The chunks of a document, the vectors of whose pieces `vectors` makes of their texts.
fn cut_read(
    (text, read): (&str, &Read),
    limits: Limits,
    (structure, packing): (Structure, Packing),
    ruler: &dyn Ruler,
    vectors: &dyn Fn(&[&str]) -> Vec<f32>,
) -> Chunks {
    let document = Document::new(text).with_elements(&read.elements).with_captions(&read.captions);
    let strategy = ElementStrategy { starts: Starts::Structure(structure), packing };
    let measure = ruler.measure(text).unwrap();
    let measure = WithRuler { measure: &*measure, ruler };
    let pieces = strategy.pieces(document, &measure, limits, no_pulse()).unwrap();
    let texts: Vec<&str> = pieces.texts(text).collect();
    let mut dense = Dense::new(vectors(&texts), if texts.is_empty() { 0 } else { 2 }).unwrap();
    let vectors: Option<&mut dyn Vectors> = if texts.is_empty() { None } else { Some(&mut dense) };
    let chunker = Chunker::new(text, &measure, limits, OverlapAt::Word, no_pulse());
    strategy.cut(document, chunker, &pieces, vectors).unwrap()
}

/// Cats look one way, all else another.
fn cats(texts: &[&str]) -> Vec<f32> {
    texts
        .iter()
        .flat_map(|text| if text.contains("at") { [1.0, 0.0] } else { [0.0, 1.0] })
        .collect()
}

fn limits(hard: usize, soft: usize) -> Limits {
    Limits::new(hard, Some(soft), 0).unwrap()
}

/// The texts of chunks of Markdown, and why they end.
fn said(text: &str, limits: Limits, structure: Structure) -> (Vec<String>, Vec<&'static str>) {
    let read = markdown::read(text);
    let chunks = cut_read((text, &read), limits, (structure, packing()), &CharRuler, &cats);
    let ends = chunks.spans().map(|span| span.end);
    let reasons = chunks.boundaries().endings(0, ends).into_iter().map(|end| end.reason.name());
    let texts = (0..chunks.len()).map(|i| chunks.text(i, text).into_owned());
    (texts.collect(), reasons.collect())
}

fn texts(text: &str, hard: usize, structure: Structure) -> Vec<String> {
    said(text, limits(hard, hard), structure).0
}

/// A line for each item.
fn lines<T>(items: impl IntoIterator<Item = T>, line: impl Fn(T) -> String) -> String {
    let lines: Vec<String> = items.into_iter().map(|item| line(item) + "\n").collect();
    lines.concat()
}

#[test]
fn headings_go_with_the_block_behind_them() {
    let text = "intro\n\n# A\n\n## B\n\none\n\ntwo\n\n# C\n\n# D\n\nthree\n\n# E";
    let expected = ["intro", "# A\n\n## B\n\none", "two", "# C\n\n# D\n\nthree", "# E"];
    let (found, reasons) = said(text, limits(100, 100), alone(50, 50));
    assert_eq!(found, expected);
    assert_eq!(reasons, ["structure", "structure", "structure", "structure", "end"]);
    // More headings than half of a chunk are chunks of themselves.
    assert_eq!(texts("# Aa\n\n# Bb\n\n# Cc\n\nsome text", 20, alone(9, 9)).len(), 2);
    assert_eq!(texts("# One\n# Two\n", 100, alone(9, 9)), ["# One\n# Two"]);
    assert_eq!(texts("", 100, alone(9, 9)), [""; 0]);
}

#[test]
fn a_long_block_goes_on_behind_its_heading() {
    let text = "# A\n\nOne two three. Four five six.\n\nSeven.";
    let expected = ["# A\n\nOne two three.", "Four five six.", "Seven."];
    let (found, reasons) = said(text, limits(20, 20), alone(9, 9));
    assert_eq!(
        (found, reasons),
        (expected.map(str::to_owned).to_vec(), vec!["limit", "structure", "end"])
    );
}

#[test]
fn lists_are_whole_up_to_their_limit_and_split_between_items() {
    let list = "Rain is:\n\n- wet\n  - cold\n  - old\n- loud\n- grey\n\nover";
    assert_eq!(texts(list, 100, alone(90, 9)), [&list[..list.len() - 6], "over"]);
    let (found, reasons) = said(list, limits(100, 100), alone(34, 9));
    assert_eq!(found, ["Rain is:\n\n- wet\n  - cold\n  - old", "- loud\n- grey", "over"]);
    assert_eq!(reasons, ["limit", "structure", "end"]);
    // Items that do not fit with what is nested in them are followed by that.
    let found = texts(list, 100, alone(17, 9));
    assert_eq!(found, ["Rain is:\n\n- wet", "- cold\n  - old", "- loud\n- grey", "over"]);
    assert_eq!(texts(list, 100, alone(1, 9))[1..], ["- cold", "- old", "- loud", "- grey", "over"]);
}

#[test]
fn two_lists_are_two_blocks() {
    assert_eq!(texts("- a\n- b\n\n1. c\n2. d\n", 50, alone(50, 9)), ["- a\n- b", "1. c\n2. d"]);
}

#[test]
fn lists_nested_without_end_are_taken_apart() {
    let text = lines(0..100, |i| format!("{}- item {i}", "  ".repeat(i)));
    let found = texts(&text, 400, alone(400, 9));
    assert!(found.len() > 10 && found.iter().all(|text| text.len() <= 400));
    assert!(found[0].lines().count() > 10);
}

#[test]
fn tables_are_whole_up_to_their_limit_and_split_between_rows() {
    let rows = lines(0..6, |i| format!("| row {i} | {i} |"));
    let text = format!("# T\n\nSee:\n\n| name | n |\n|---|---|\n{rows}");
    assert_eq!(texts(&text, 200, alone(9, 200)), [text.trim_end()]);
    let (found, reasons) = said(&text, limits(200, 200), alone(9, 70));
    assert_eq!(found.len(), 3);
    assert!(found[0].starts_with("# T\n\nSee:\n\n| name"));
    assert!(found[1..].iter().all(|part| part.starts_with("| name | n |\n|---|---|\n| row")));
    assert!(found.iter().all(|part| part.len() <= 70), "{found:?}");
    assert_eq!(reasons, ["limit", "limit", "end"]);
    let found = texts(&text, 60, alone(9, 200));
    assert!(found.len() > 2 && found.iter().all(|part| part.len() <= 60), "{found:?}");
}

#[test]
fn captions_stay_with_their_table_or_figure() {
    use Kind::{Caption, Figure, Heading, Paragraph, Table};
    let found =
        |kinds: &[Kind], captions: &[(usize, usize)], empty: &[usize]| -> Vec<Range<usize>> {
            let mut text = String::new();
            let elements = kinds.iter().enumerate().map(|(i, &kind)| {
                let start = text.len();
                if !empty.contains(&i) {
                    text.push_str("word\n\n");
                }
                let end = start.max(text.trim_end().len());
                Element { kind, span: Span::new(start, end), ..Element::default() }
            });
            let elements = elements.collect();
            let read = Read { elements, captions: captions.to_vec(), ..Read::default() };
            let how = (alone(9, 9), packing());
            let chunks = cut_read((&text, &read), limits(100, 100), how, &CharRuler, &cats);
            chunks.origins().iter().map(|origin| origin.first..origin.end).collect()
        };
    assert_eq!(found(&[Paragraph, Figure, Caption, Paragraph], &[], &[]), [0..1, 1..3, 3..4]);
    assert_eq!(found(&[Paragraph, Caption, Table, Paragraph], &[], &[]), [0..1, 1..3, 3..4]);
    // Between two it is of the figure above, or the table below, unless it says so itself.
    assert_eq!(found(&[Figure, Caption, Figure, Caption], &[], &[]), [0..2, 2..4]);
    assert_eq!(found(&[Caption, Figure, Caption, Figure], &[], &[]), [0..2, 2..4]);
    assert_eq!(found(&[Caption, Table, Caption, Table], &[], &[]), [0..2, 2..4]);
    assert_eq!(found(&[Figure, Caption, Figure], &[(1, 2)], &[]), [0..1, 1..3]);
    assert_eq!(found(&[Table, Caption, Table], &[(1, 0)], &[]), [0..2, 2..3]);
    assert_eq!(found(&[Figure, Caption, Caption, Table], &[(1, 0), (2, 3)], &[]), [0..2, 2..4]);
    assert_eq!(found(&[Heading, Figure, Caption, Heading, Caption], &[], &[]), [0..3, 3..5]);
    // A figure that says nothing has its caption, not the paragraph before.
    assert_eq!(found(&[Paragraph, Figure, Caption, Paragraph], &[], &[1]), [0..1, 1..3, 3..4]);
    assert_eq!(found(&[Paragraph, Caption, Figure, Paragraph], &[], &[2]), [0..1, 1..3, 3..4]);
}

#[test]
fn a_caption_belongs_to_what_names_it_as_its_parent() {
    let text = "one\n\ntwo\n\nthree";
    let at = |kind, start, end| Element { kind, span: Span::new(start, end), ..Element::default() };
    let mut elements =
        vec![at(Kind::Figure, 0, 3), at(Kind::Caption, 5, 8), at(Kind::Figure, 10, 15)];
    elements[2].parent = crate::elements::Parent::of(1);
    let read = Read { elements, ..Read::default() };
    let how = (alone(9, 9), packing());
    let chunks = cut_read((text, &read), limits(100, 100), how, &CharRuler, &cats);
    assert_eq!(chunks.text(1, text), "two\n\nthree");
}

#[test]
fn neighbours_under_one_heading_are_merged_if_they_are_alike_and_fit() {
    let text = "# Cats\n\na cat\n\nthe cat\n\ndog\n\nbat\n\nhat\n\nmat\n\n# Rats\n\nrat";
    let (found, reasons) = said(text, limits(40, 24), merging(0.74, 90));
    let expected = ["# Cats\n\na cat\n\nthe cat", "dog", "bat\n\nhat\n\nmat", "# Rats\n\nrat"];
    assert_eq!(found, expected);
    assert_eq!(reasons, ["score", "score", "structure", "end"]);
    let (found, reasons) = said(text, limits(40, 15), merging(0.74, 90));
    assert_eq!(found[..2], ["# Cats\n\na cat", "the cat"]);
    assert_eq!(reasons[..2], ["limit", "score"]);
    let scores = {
        let read = markdown::read(text);
        let how = (merging(0.74, 90), packing());
        let chunks = cut_read((text, &read), limits(40, 24), how, &CharRuler, &cats);
        assert_eq!(chunks.boundaries().thresholds(), [1.0 - 0.74]);
        chunks.boundaries().scores().to_vec()
    };
    assert_eq!(scores, [0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn a_cosine_of_the_threshold_is_enough() {
    let text = "one\n\ntwo";
    let read = markdown::read(text);
    let n_chunks = |merge_at: f64| {
        let rows = |_: &[&str]| vec![1.0, 0.0, 3.0, 4.0];
        let how = (merging(merge_at, 90), packing());
        cut_read((text, &read), limits(40, 40), how, &CharRuler, &rows).len()
    };
    assert_eq!([0.59, 0.6, 0.600_000_5, 0.61].map(n_chunks), [1, 1, 1, 2]);
}

#[test]
fn parts_of_a_list_are_merged_with_each_other_alone() {
    let text = "a cat\n\n- a cat\n- a bat\n- a rat\n\na mat";
    let structure = Structure { list_max: 8, ..merging(0.5, 90) };
    let (found, _) = said(text, limits(60, 16), structure.clone());
    assert_eq!(found, ["a cat", "- a cat\n- a bat", "- a rat", "a mat"]);
    let whole = Structure { list_max: 50, ..structure };
    assert_eq!(said(text, limits(60, 60), whole).0, [text]);
}

#[test]
fn tables_stand_alone_unless_that_is_not_wanted() {
    let text = "a cat\n\n| cat |\n|---|\n| bat |\n\na rat";
    let read = markdown::read(text);
    let n_chunks = |isolate_tables: bool, table_max| {
        let packing = Packing { isolate_tables, ..packing() };
        let how = (Structure { table_max, ..merging(0.5, 90) }, packing);
        cut_read((text, &read), limits(60, 60), how, &CharRuler, &cats).len()
    };
    assert_eq!((n_chunks(true, 60), n_chunks(false, 60), n_chunks(false, 20)), (3, 1, 4));
}

#[test]
fn a_giant_block_is_split_between_unlike_sentences() {
    let text = "# A\n\nA cat sat. A bat sat. Dogs run. Dogs hum. A rat sat.\n\nA cat.";
    let (found, reasons) = said(text, limits(200, 60), merging(0.74, 50));
    let expected = ["# A\n\nA cat sat. A bat sat.", "Dogs run. Dogs hum.", "A rat sat.", "A cat."];
    assert_eq!(found, expected);
    assert_eq!(reasons, ["score", "score", "structure", "end"]);
    // A block that is not so long is never split.
    assert_eq!(said(text, limits(200, 60), merging(0.74, 70)).0.len(), 2);
    let read = markdown::read(text);
    let how = (merging(0.74, 50), packing());
    let chunks = cut_read((text, &read), limits(200, 15), how, &CharRuler, &cats);
    let parts: Vec<_> = chunks.origins().iter().map(|of| (of.first, of.end, of.part)).collect();
    let expected = [(0, 2, 0), (0, 2, 1), (0, 2, 2), (0, 2, 3), (0, 2, 4), (2, 3, 0)];
    assert_eq!(parts, expected);
    let ends = chunks.boundaries().endings(0, chunks.spans().map(|span| span.end));
    assert_eq!([ends[0].reason, ends[1].reason], [Reason::Limit, Reason::Score]);
}

#[test]
fn each_piece_needs_a_vector() {
    let text = "one\n\ntwo";
    let read = markdown::read(text);
    let document = Document::new(text).with_elements(&read.elements);
    let starts = Starts::Structure(merging(0.74, 90));
    let strategy = ElementStrategy { starts, packing: packing() };
    let measure = Ruled::new(Chars::new(document), CharRuler);
    let limits = limits(60, 60);
    let pieces = strategy.pieces(document, &measure, limits, no_pulse()).unwrap();
    let chunker = Chunker::new(text, &measure, limits, OverlapAt::Word, no_pulse());
    let mut one = Dense::new([1.0_f32], 1).unwrap();
    let error = strategy.cut(document, chunker, &pieces, Some(&mut one)).unwrap_err();
    assert_eq!(error.to_string(), "the embedder gave 1 vectors for 2 texts");
}

/// Markdown of headings, paragraphs, lists and tables.
fn document() -> impl Strategy<Value = String> {
    let words = "[a-z]{1,9}( [a-zé漢]{1,9}){0,6}[.:]?";
    let block = prop_oneof![
        2 => "#{1,3} [A-Z][a-z]{1,8}",
        4 => words,
        2 => "([A-Z][a-z]{1,6} [a-z]{1,8}\\. ){1,8}",
        2 => prop::collection::vec((0_usize..4, words), 1..7).prop_map(|items| {
            lines(items, |(depth, item)| format!("{}- {item}", "  ".repeat(depth)))
        }),
        1 => prop::collection::vec("[a-z]{1,9}", 1..7).prop_map(|cells| {
            let rows = lines(cells, |cell| format!("| {cell} | 1 |"));
            format!("| a | b |\n|---|---|\n{rows}")
        }),
        1 => Just("![x](y)".to_owned()),
        1 => Just("```\nlet x = 1;\n```".to_owned()),
    ];
    prop::collection::vec(block, 0..14).prop_map(|blocks| blocks.join("\n\n"))
}

fn options() -> impl Strategy<Value = (Limits, Structure, Packing)> {
    let sizes = prop::array::uniform6(1_usize..120);
    (sizes, any::<[bool; 4]>()).prop_map(|(sizes, flags)| {
        let [hard, soft, list_max, table_max, split_above, overlap] = sizes;
        let soft = soft.min(hard);
        let limits = Limits::new(hard, Some(soft), overlap % soft).unwrap();
        let merged = Structure { list_max, table_max, ..merging(0.5, split_above) };
        let structure = if flags[0] { merged } else { alone(list_max, table_max) };
        let [_, overlap_all, isolate_tables, repeat_headers] = flags;
        (limits, structure, Packing { overlap_all, isolate_tables, repeat_headers, ..packing() })
    })
}

fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

proptest! {
    #[test]
    fn laws(text in document(), (limits, structure, packing) in options(), unit in 0_usize..3) {
        let (tokens, called) = (TokenRuler::new("o200k_base"), CalledRuler::default());
        let ruler: &dyn Ruler = [&CharRuler as &dyn Ruler, &tokens, &called][unit];
        let read = markdown::read(&text);
        let chunks = cut_read((&text, &read), limits, (structure, packing), ruler, &cats);
        let mut at = 0;
        for i in 0..chunks.len() {
            let said = chunks.text(i, &text);
            prop_assert_eq!(chunks.sizes()[i], ruler.size(&said).unwrap());
            let one = unicode_segmentation::UnicodeSegmentation::graphemes(&*said, true).count() <= 1;
            prop_assert!(one || chunks.sizes()[i] <= limits.hard_max(), "{}: {:?}", i, said);
            for piece in chunks.pieces(i).iter().filter(|piece| piece.role == Role::Body) {
                prop_assert!(at <= piece.span.start && is_blank(&text[at..piece.span.start]));
                at = piece.span.end;
            }
        }
        prop_assert!(is_blank(&text[at..]));
        for pair in chunks.origins().windows(2) {
            let is_same = pair[0].first == pair[1].first && pair[1].part == pair[0].part + 1;
            prop_assert!(is_same || (pair[0].end <= pair[1].first && pair[1].part == 0), "{:?}", pair);
        }
        // A chunk goes over no heading, and ends with none that something stands under.
        for (i, origin) in chunks.origins().iter().enumerate() {
            let own = &read.elements[origin.first..origin.end];
            let below = own.iter().position(|item| item.kind != Kind::Heading).unwrap_or(own.len());
            prop_assert!(own[below..].iter().all(|item| item.kind != Kind::Heading), "{}", i);
        }
        let ends = chunks.boundaries().endings(0, chunks.spans().map(|span| span.end));
        prop_assert_eq!(ends.len(), chunks.len());
    }
}
