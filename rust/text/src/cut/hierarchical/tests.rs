//! Laws of the strategies under headings, for generated documents, options and units.

use proptest::prelude::*;

use super::units::Unit;
use super::*;
use crate::cut::elements::testing::WithRuler;
use crate::elements::{Element, Kind, Parent};
use crate::heading_paths::HeadingPaths;
use crate::measure::Chars;
use crate::measure::ruler::{CharRuler, Ruled};
use crate::measure::testing::{CalledRuler, TokenRuler};
use crate::pulse::no_pulse;
use crate::span::Role;
use crate::syntax::markdown;
use crate::unicode::space::is_space;

fn plain() -> Hierarchy {
    Hierarchy {
        merge_peers: true,
        merge_list_items: true,
        repeat_headings: true,
        always_emit_headings: false,
        repeat_headers: true,
        omit_header_on_overflow: false,
        language: Language::english(),
    }
}

/// A text of the lines, and their elements: `#` begins headings, `*` items, `^` captions.
fn read(lines: &[&str]) -> (String, Vec<Element>) {
    let (mut text, mut items) = (String::new(), Vec::new());
    for line in lines {
        let n_marks = line.len() - line.trim_start_matches('#').len();
        let kind = match line.as_bytes().first() {
            Some(b'#') => Kind::Heading,
            Some(b'*') => Kind::ListItem,
            Some(b'^') => Kind::Caption,
            _ => Kind::Paragraph,
        };
        let span = Span::new(text.len(), text.len() + line.len());
        let level = u8::try_from(n_marks).unwrap();
        items.push(Element { kind, level, span, ..Element::default() });
        text.push_str(line);
        text.push_str("\n\n");
    }
    (text, items)
}

fn cut(text: &str, items: &[Element], limits: Limits, how: Hierarchy, ruler: &dyn Ruler) -> Chunks {
    let document = Document::new(text).with_elements(items);
    let measure = ruler.measure(text).unwrap();
    let measure = WithRuler { measure: &*measure, ruler };
    hierarchical(document, &measure, limits, OverlapAt::Word, how, no_pulse()).unwrap()
}

/// Texts of the chunks of `lines` under a limit in code points.
fn texts(lines: &[&str], max: usize, min_size: usize, how: Hierarchy) -> Vec<String> {
    let (text, items) = read(lines);
    let limits = Limits::new(max, None, 0).unwrap().with_min_size(min_size).unwrap();
    let chunks = cut(&text, &items, limits, how, &CharRuler);
    (0..chunks.len()).map(|i| chunks.text(i, &text).into_owned()).collect()
}

// ------------------------------------------------------------------ units

fn units_of(lines: &[&str], how: Hierarchy, parents: &[(usize, usize)]) -> Vec<Unit> {
    let (text, mut items) = read(lines);
    for &(child, parent) in parents {
        items[child].parent = Parent::of(parent);
    }
    let document = Document::new(&text).with_elements(&items);
    let blocks = blocks(document, &text, &[], false);
    units(document, &blocks, &Headings::new(&text, &items, &blocks), how)
}

fn unit(blocks: Range<usize>, path: Option<usize>) -> Unit {
    Unit { blocks, path }
}

#[test]
fn headings_begin_the_unit_of_what_follows() {
    let lines = ["a", "# A", "## B", "b", "c", "# D"];
    let expected =
        [unit(0..1, None), unit(1..4, Some(2)), unit(4..5, Some(2)), unit(5..6, Some(5))];
    assert_eq!(units_of(&lines, plain(), &[]), expected);
    let emits = Hierarchy { always_emit_headings: true, ..plain() };
    let lines = ["# A", "## B", "# C", "c"];
    let expected = [unit(0..2, Some(1)), unit(2..4, Some(2))];
    assert_eq!(units_of(&lines, emits, &[]), expected);
    assert_eq!(units_of(&lines, plain(), &[]), [unit(0..4, Some(2))]);
}

#[test]
fn items_are_together_unless_they_are_to_be_apart() {
    let lines = ["* a", "* b", "c", "* d"];
    let expected = [unit(0..2, None), unit(2..3, None), unit(3..4, None)];
    assert_eq!(units_of(&lines, plain(), &[]), expected);
    let apart = Hierarchy { merge_list_items: false, ..plain() };
    assert_eq!(units_of(&lines, apart, &[]).len(), 4);
    // What is part of an item stays with it.
    assert_eq!(
        units_of(&lines, apart, &[(2, 1)]),
        [unit(0..1, None), unit(1..3, None), unit(3..4, None)]
    );
}

#[test]
fn captions_are_with_what_they_belong_to() {
    let lines = ["a", "t", "^ of t", "b"];
    assert_eq!(units_of(&lines, plain(), &[(2, 1)])[1], unit(1..3, None));
    assert_eq!(units_of(&lines, plain(), &[]).len(), 4);
}

// ------------------------------------------------------------------ headings

#[test]
fn the_innermost_headings_are_kept_where_room_is_short() {
    let (text, items) = read(&["# A", "## Bb", "c"]);
    let document = Document::new(&text).with_elements(&items);
    let blocks = blocks(document, &text, &[], false);
    let headings = Headings::new(&text, &items, &blocks);
    let above = |path, at, most| -> Vec<&str> {
        let pieces = headings.above(path, at, most, |span| Ok(span.len())).unwrap();
        assert!(pieces.iter().all(|piece| piece.role == Role::Heading));
        pieces.iter().map(|piece| &text[piece.span.range()]).collect()
    };
    let at = items[2].span.start;
    assert_eq!(above(Some(1), at, 99), ["# A\n\n", "## Bb\n\n"]);
    assert_eq!(above(Some(1), at, 11), ["## Bb\n\n"]);
    assert_eq!(above(Some(1), at, 6), [""; 0]);
    // No heading is repeated before what it begins itself.
    assert_eq!(above(Some(1), items[1].span.start, 99), ["# A\n\n"]);
    assert_eq!(above(None, at, 99), [""; 0]);
    assert_eq!((headings.of(2), headings.of(1), headings.parent(1)), (Some(1), Some(1), Some(0)));
    assert!(headings.is_above(0, Some(1)) && !headings.is_above(1, Some(0)));
}

#[test]
fn an_underline_goes_with_its_heading_and_a_text_does_not() {
    let text = "A\n===\n\nbody";
    let item =
        |kind, start, end| Element { kind, span: Span::new(start, end), ..Element::default() };
    let items = [item(Kind::Heading, 0, 1), item(Kind::Paragraph, 7, 11)];
    let of = |items: &[Element]| {
        let document = Document::new(text).with_elements(items);
        let blocks = blocks(document, text, &[], false);
        let headings = Headings::new(text, items, &blocks);
        headings.above(Some(0), text.len(), 99, |span| Ok(span.len())).unwrap()[0].span
    };
    assert_eq!(of(&items), Span::new(0, 7));
    assert_eq!(of(&items[..1]), Span::new(0, 2));
}

#[test]
fn deep_headings_are_repeated_64_at_most() {
    let lines: Vec<String> = (1..=100_usize).map(|n| format!("{} h", "#".repeat(n))).collect();
    let mut lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    lines.extend(["one two", "three"]);
    let (text, items) = read(&lines);
    let limits = Limits::new(text.len() - 3, None, 0).unwrap();
    let apart = Hierarchy { merge_peers: false, ..plain() };
    let chunks = cut(&text, &items, limits, apart, &CharRuler);
    assert_eq!(chunks.len(), 2);
    let n_headings = chunks.pieces(1).iter().filter(|piece| piece.role == Role::Heading).count();
    assert_eq!(n_headings, 64);
}

// ------------------------------------------------------------------ split and groups

#[test]
fn a_long_text_is_split_behind_its_headings() {
    let found = texts(&["# A", "One two. Three four. Five."], 18, 0, plain());
    assert_eq!(found, ["# A\n\nOne two.", "# A\n\nThree four.", "# A\n\nFive."]);
    let bare = Hierarchy { repeat_headings: false, ..plain() };
    let found = texts(&["# A", "One two. Three four. Five."], 18, 0, bare);
    assert_eq!(found, ["# A\n\nOne two.", "Three four. Five."]);
}

#[test]
fn a_line_is_no_part_by_itself_where_sentences_follow() {
    let text = "Fig 1\nOne two three four. Five six seven eight. Nine ten.";
    let found = texts(&["# A", text], 40, 0, plain());
    assert_eq!(found[0], "# A\n\nFig 1\nOne two three four.");
    assert_eq!(found.len(), 2);
    // Between words it is not cut for that.
    let words = "Fig 1\none two three four five six seven eight nine";
    assert_eq!(texts(&["# A", words], 40, 0, plain())[0], "# A\n\nFig 1");
}

#[test]
fn peers_fill_a_chunk_and_sections_do_not() {
    let lines = ["# A", "one", "two", "# B", "three"];
    assert_eq!(texts(&lines, 99, 0, plain()), ["# A\n\none\n\ntwo", "# B\n\nthree"]);
    assert_eq!(texts(&lines, 9, 0, plain()), ["# A\n\none", "# A\n\ntwo", "# B\n\nthre", "e"]);
    let apart = Hierarchy { merge_peers: false, ..plain() };
    assert_eq!(texts(&lines, 99, 0, apart).len(), 3);
    assert_eq!(texts(&lines, 99, 99, apart), ["# A\n\none\n\ntwo\n\n# B\n\nthree"]);
}

#[test]
fn small_chunks_join_siblings_and_no_cousins() {
    let lines = ["# A", "## B", "one", "## C", "two", "# D", "## E", "three"];
    let joined = texts(&lines, 99, 12, plain());
    assert_eq!(joined, ["# A\n\n## B\n\none\n\n## C\n\ntwo", "# D\n\n## E\n\nthree"]);
    assert_eq!(texts(&lines, 22, 12, plain()).len(), 3);
}

#[test]
fn neighbours_share_the_element_of_which_both_hold_a_part() {
    let (text, items) = read(&["# A", "One two. Three four.", "x"]);
    let chunks = cut(&text, &items, Limits::new(17, None, 0).unwrap(), plain(), &CharRuler);
    let origins: Vec<_> = chunks.origins().iter().map(|of| (of.first..of.end, of.part)).collect();
    assert_eq!(origins, [(0..2, 0), (1..2, 1), (2..3, 0)]);
    let limits = Limits::new(22, None, 0).unwrap();
    let chunks = cut(&text, &items, limits, plain(), &CharRuler);
    let origins: Vec<_> = chunks.origins().iter().map(|of| (of.first..of.end, of.part)).collect();
    assert_eq!(origins, [(0..2, 0), (1..3, 1)]);
}

// ------------------------------------------------------------------ laws

fn documents() -> impl Strategy<Value = (String, Vec<Element>)> {
    let line = prop_oneof![
        3 => "#{1,3} [a-z]{1,9}",
        5 => "[A-Z][a-z]{1,6}( [a-zé漢]{1,8}){0,9}\\.( [A-Z][a-z]{1,9} [a-z]{1,5}\\.){0,3}",
        2 => "\\* [a-z]{1,8}( [a-z]{1,8}){0,3}",
        1 => "\\^ [a-z]{1,12}",
        1 => "[a-z]{1,9}(\n[a-z]{1,30}){1,3}",
        1 => "[a-zA-Z0-9+/]{15,60}",
    ];
    let own = prop::collection::vec(line, 0..14).prop_map(|lines| {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        read(&lines)
    });
    let table = "(# [a-z]{1,5}\n\n)?\\| [a-z]{1,9} \\| [a-z]{1,9} \\|\n\\|---\\|---\\|\n(\\| [a-z ]{1,20} \\| [a-z ]{1,9} \\|\n){0,6}";
    let made = prop_oneof![
        table.boxed(),
        "((# |## |- |> |    |```\n|)[a-z]{1,9}( [a-z.]{1,9}){0,9}\n{1,2}){0,12}".boxed(),
    ];
    prop_oneof![
        2 => own,
        1 => made.prop_map(|text| { let items = markdown::read(&text).elements; (text, items) }),
    ]
}

fn options() -> impl Strategy<Value = (Limits, Hierarchy)> {
    let sizes = (1_usize..90, 1_usize..90, 0_usize..40, 0_usize..90);
    (sizes, any::<[bool; 6]>()).prop_map(|((hard, soft, overlap, min_size), flags)| {
        let soft = soft.min(hard);
        let limits = Limits::new(hard, Some(soft), overlap % soft).unwrap();
        let how = Hierarchy {
            merge_peers: flags[0],
            merge_list_items: flags[1],
            repeat_headings: flags[2],
            always_emit_headings: flags[3],
            repeat_headers: flags[4],
            omit_header_on_overflow: flags[5],
            ..plain()
        };
        (limits.with_min_size(min_size.min(hard)).unwrap(), how)
    })
}

/// Checks what holds for all chunks of all documents.
fn hold(text: &str, items: &[Element], limits: Limits, how: Hierarchy, ruler: &dyn Ruler) {
    let chunks = cut(text, items, limits, how, ruler);
    let (paths, mut done) = (HeadingPaths::of(items), 0);
    for i in 0..chunks.len() {
        let (body, said) = (chunks.body(i), chunks.text(i, text));
        assert!(text[done..body.start].chars().all(is_space), "all is in one chunk, once");
        assert!(!text[body.range()].trim().is_empty());
        done = body.end;
        let size = ruler.size(&said).unwrap();
        assert_eq!(chunks.sizes()[i], size);
        assert_eq!(chunks.is_oversize(i), size > limits.hard_max());
        assert!(size <= limits.hard_max() || said.chars().count() <= 32);
        let mut innermost = None;
        for piece in chunks.pieces(i) {
            assert!(piece.role == Role::Body || piece.span.end <= body.start);
            if piece.role == Role::Heading {
                assert!(how.repeat_headings);
                let heading = items.iter().position(|item| item.span.start == piece.span.start);
                assert!(
                    innermost.is_none() || heading.is_some_and(|of| paths.above(of) == innermost)
                );
                innermost = heading;
            }
        }
        let origin = chunks.origins()[i];
        assert!(origin.first < origin.end || items.is_empty());
        if let Some(before) = i.checked_sub(1).map(|i| chunks.origins()[i]) {
            let goes_on = origin.part > 0;
            assert!(
                before.end <= origin.first + usize::from(goes_on) && before.first <= origin.first
            );
        }
    }
    assert!(text[done..].chars().all(is_space));
}

proptest! {
    #[test]
    fn laws_hold((text, items) in documents(), (limits, how) in options()) {
        hold(&text, &items, limits, how, &CharRuler);
        hold(&text, &items, limits, how, &CalledRuler::default());
        hold(&text, &items, limits, how, &TokenRuler::new("cl100k_base"));
    }

    #[test]
    fn units_tile_the_blocks((text, items) in documents(), flags in any::<[bool; 2]>()) {
        let how = Hierarchy { merge_list_items: flags[0], always_emit_headings: flags[1], ..plain() };
        let document = Document::new(&text).with_elements(&items);
        let blocks = blocks(document, &text, &[], false);
        let found = units(document, &blocks, &Headings::new(&text, &items, &blocks), how);
        let tiled: Vec<usize> = found.iter().flat_map(|unit| unit.blocks.clone()).collect();
        prop_assert_eq!(tiled, (0..blocks.len()).collect::<Vec<_>>());
        for unit in &found {
            // Headings come first.
            let is_heading = |i: &usize| items[blocks[*i].element].kind == Kind::Heading;
            let n_headings = unit.blocks.clone().take_while(is_heading).count();
            prop_assert_eq!(unit.blocks.clone().filter(is_heading).count(), n_headings);
        }
    }

    #[test]
    fn the_limit_alone_decides_what_is_merged(n in prop::collection::vec(1_usize..20, 1..12), max in 20_usize..60) {
        let lines: Vec<String> = n.iter().map(|&n| "x".repeat(n)).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let found = texts(&lines, max, 0, plain());
        prop_assert_eq!(found.join("\n\n"), lines.join("\n\n"));
        for pair in found.windows(2) {
            let next = pair[1].split("\n\n").next().unwrap_or_default();
            prop_assert!(pair[0].len() + 2 + next.len() > max);
        }
    }

    #[test]
    fn work_is_linear_in_the_text(n in 1_usize..6) {
        let counted = |n: usize| {
            let lines: Vec<String> =
                (0..n * 40).map(|i| if i % 5 == 0 { format!("# h{i}") } else { "word ".repeat(20) }).collect();
            let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
            let (text, items) = read(&lines);
            let ruler = CalledRuler::default();
            let limits = Limits::new(150, None, 10).unwrap();
            cut(&text, &items, limits, plain(), &ruler);
            ruler.n_read.get() / text.len()
        };
        prop_assert!(counted(4 * n) <= 2 * counted(n) + 8);
    }
}

#[test]
fn a_measure_of_spans_alone_is_an_error() {
    let (text, items) = read(&["a"]);
    let document = Document::new(&text).with_elements(&items);
    let limits = Limits::new(9, None, 0).unwrap();
    let at = OverlapAt::Word;
    let bare = Chars::new(document);
    let error = hierarchical(document, &bare, limits, at, plain(), no_pulse());
    assert!(matches!(error, Err(Error::Config(_))));
    let ruled = Ruled::new(bare, CharRuler);
    assert!(hierarchical(document, &ruled, limits, at, plain(), no_pulse()).is_ok());
}
