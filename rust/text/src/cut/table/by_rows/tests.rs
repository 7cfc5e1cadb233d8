//! Laws and examples of the split by rows.

use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::*;
use crate::cut::chunker::Chunker;
use crate::elements::Kind;
use crate::measure::ruler::{CharRuler, Ruler};
use crate::measure::testing::TokenRuler;
use crate::options::{Limits, OverlapAt};
use crate::pulse::no_pulse;
use crate::syntax::markdown;

fn parts(text: &str, hard_max: usize, ruler: &dyn Ruler) -> Vec<RowPart> {
    let elements = markdown::read(text).elements;
    let measure = ruler.measure(text).unwrap();
    let limits = Limits::new(hard_max, None, 0).unwrap();
    let chunker = Chunker::new(text, &*measure, limits, OverlapAt::Word, no_pulse());
    let prefixed = Prefixed { chunker: &chunker, ruler, bare: 0, limits };
    let element = elements.iter().find(|element| element.grid.is_some()).unwrap();
    let table = ByRows {
        grid: element.grid.as_deref().unwrap(),
        span: element.span,
        lead: element.span.start,
        repeat_headers: true,
        omit_header_on_overflow: true,
        prefixed,
        front: &|_, header| prefixed.prefix(header.to_vec()),
    };
    table.split().unwrap().unwrap()
}

fn texts(text: &str, parts: &[RowPart]) -> Vec<String> {
    let said = |part: &RowPart| {
        let header = part.header.iter().map(|piece| &text[piece.span.range()]);
        header.chain([&text[part.body.range()]]).collect()
    };
    parts.iter().map(said).collect()
}

#[test]
fn parts_are_tables_with_the_header() {
    let header = "> | a | b |\n> |---|---|\n";
    let text = format!("{header}> | 1 | 2 |\n> | 3 | 4 |\n> | 5 | 6 |\n");
    let parts = parts(&text, 48, &CharRuler);
    let expected = ["> | 1 | 2 |\n> | 3 | 4 |", "> | 5 | 6 |"];
    assert_eq!(texts(&text, &parts), expected.map(|rows| format!("{header}{rows}")));
    assert_eq!(parts[1].n_header_rows, 1);
}

#[test]
fn a_row_that_the_header_leaves_no_room_for_goes_without_it() {
    let row = "| long long long long |";
    let text = format!("| a |\n|---|\n{row}\n| b |\n| c |\n");
    let parts = parts(&text, 25, &CharRuler);
    assert_eq!(texts(&text, &parts), ["| a |\n|---|", row, "| a |\n|---|\n| b |\n| c |"]);
}

#[test]
fn a_row_over_the_limit_is_cut_between_its_cells() {
    let text = "|a|b|c|\n|-|-|-|\n|k|one two three four|five six seven eight|\n|m|5|6|\n";
    let parts = parts(text, 40, &CharRuler);
    let header = "|a|b|c|\n|-|-|-|\n";
    let expected = ["|k|one two three four|", "|k|five six seven eight|", "|m|5|6|"];
    let expected = expected.map(|row| format!("{header}{row}"));
    assert_eq!(texts(text, &parts), expected);
}

proptest! {
    #[test]
    fn every_row_is_in_one_part_below_the_header(
        rows in prop::collection::vec(prop::collection::vec("[ab é漢]{0,6}", 2), 1..12),
        mark in prop::sample::select(vec!["", "> ", "  "]),
        hard_max in 1..90_usize,
        counts_chars in any::<bool>(),
    ) {
        let line = |row: &Vec<String>| format!("{mark}| {} |\n", row.join(" | "));
        let header = format!("{mark}| Xx | Y |\n{mark}|---|---|\n");
        let text = header.clone() + &rows.iter().map(line).collect::<String>();
        let tokens = TokenRuler::new("cl100k_base");
        let ruler: &dyn Ruler = if counts_chars { &CharRuler } else { &tokens };
        let parts = parts(&text, hard_max, ruler);
        let (mut at, mut next) = (0, 0);
        for (i, (part, said)) in parts.iter().zip(texts(&text, &parts)).enumerate() {
            prop_assert!(text[at..part.body.start].trim().is_empty() && !part.body.is_empty());
            at = part.body.end;
            let own = &text[part.body.range()];
            prop_assert!(ruler.size(&said).unwrap() <= hard_max || own.graphemes(true).count() == 1);
            let rows = match &part.shown {
                Shown::Rows(rows, _) => rows.clone(),
                _ => next..next,
            };
            prop_assert!(next <= rows.start);
            next = rows.end;
            if part.n_header_rows > 0 || i == 0 && !rows.is_empty() {
                let read = markdown::read(&said).elements;
                prop_assert!(read[0].kind == Kind::Table || i == 0 && rows.end == 1);
            }
        }
        prop_assert!(text[at..].trim().is_empty());
    }
}
