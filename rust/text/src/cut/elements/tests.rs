//! Laws of the strategies over elements, for generated documents, options and units.

use proptest::prelude::*;

use super::testing::Joined;
use super::*;
use crate::elements::Element;
use crate::measure::ruler::CharRuler;
use crate::measure::testing::{CalledRuler, TokenRuler};
use crate::options::OverlapAt;
use crate::pulse::no_pulse;
use crate::span::Role;
use crate::syntax::html::{ParsedTable, parse};
use crate::unicode::space::is_space;

type Item = (Kind, String, bool);

fn plain() -> Packing {
    Packing {
        overlap_all: false,
        overlap_over_starts: true,
        combine_under: 0,
        isolate_tables: true,
        skip_tables: false,
        repeat_headers: true,
        language: Language::english(),
    }
}

fn table(rows: &[Vec<&str>], is_headed: bool) -> String {
    let row = |(i, cells): (usize, &Vec<&str>)| {
        let tag = if i == 0 && is_headed { "th" } else { "td" };
        let cells: Vec<_> = cells.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
        let cells = cells.concat();
        format!("<tr>{cells}</tr>")
    };
    format!("<table>{}</table>", rows.iter().enumerate().map(row).collect::<String>())
}

fn read(items: &[Item]) -> (String, Vec<Element>, Vec<bool>) {
    let mut joined = Joined::default();
    for (kind, text, _) in items {
        match (kind, parse(text)) {
            (Kind::Table, ParsedTable::Grid(grid)) if !grid.texts.is_empty() => {
                joined.push_table(grid, "Seen");
            }
            (Kind::Table, ParsedTable::Grid(_)) => joined.push(*kind, "Seen", None),
            _ => joined.push(*kind, text, None),
        }
    }
    (joined.text, joined.elements, items.iter().map(|item| item.2).collect())
}

fn cut(items: &[Item], limits: Limits, packing: &Packing, ruler: &dyn Ruler) -> (String, Chunks) {
    let (text, table, starts) = read(items);
    let document = Document::new(&text).with_elements(&table);
    let chunks = {
        let measure = ruler.measure(&text).unwrap();
        let chunker = Chunker::new(&text, &*measure, limits, OverlapAt::Word, no_pulse());
        elements(document, chunker, ruler, packing, &starts).unwrap()
    };
    (text, chunks)
}

fn item() -> impl Strategy<Value = Item> {
    let cell = "[a-z]{0,6}( [a-z]{1,7}){0,4}";
    let rows = prop::collection::vec(prop::collection::vec(cell, 1..4), 1..9);
    let html = (rows, any::<bool>()).prop_map(|(rows, is_headed)| {
        let rows: Vec<Vec<&str>> =
            rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        (Kind::Table, table(&rows, is_headed))
    });
    let text = prop_oneof![
        3 => "[a-z]{1,8}( [a-z]{1,8}){0,5}",
        1 => "([ \n\t\u{a0}]{0,3}[a-zé漢🚀]{1,9}){0,6}[ \n]{0,2}",
        1 => "([A-Z][a-z]{1,6} [a-z]{1,8}\\. ){1,6}",
        1 => "[a-zA-Z0-9+/]{15,40}",
        1 => Just(String::new()),
    ];
    let kinds = prop_oneof![
        6 => Just(Kind::Paragraph), 2 => Just(Kind::Heading), 1 => Just(Kind::Table), 1 => Just(Kind::Code)
    ];
    let item = prop_oneof![4 => (kinds, text), 1 => html];
    (item, prop::bool::weighted(0.15)).prop_map(|((kind, text), starts)| (kind, text, starts))
}

fn options() -> impl Strategy<Value = (Limits, Packing)> {
    let sizes = (1_usize..120, 1_usize..120, 0_usize..60, 0_usize..90);
    (sizes, any::<[bool; 4]>()).prop_map(|((hard, soft, overlap, combine_under), flags)| {
        let soft = soft.min(hard);
        let limits = Limits::new(hard, Some(soft), overlap % soft).unwrap();
        let packing = Packing {
            overlap_all: flags[0],
            overlap_over_starts: flags[1],
            combine_under,
            isolate_tables: flags[2],
            repeat_headers: flags[3],
            ..plain()
        };
        (limits, packing)
    })
}

fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

proptest! {
    #[test]
    fn laws(items in prop::collection::vec(item(), 0..20), (limits, packing) in options(), unit in 0..3) {
        let (tokens, called) = (TokenRuler::new("o200k_base"), CalledRuler::default());
        let ruler: &dyn Ruler = [&CharRuler as &dyn Ruler, &tokens, &called][usize::try_from(unit).unwrap()];
        let (text, chunks) = cut(&items, limits, &packing, ruler);
        let mut at = 0;
        for i in 0..chunks.len() {
            let said = chunks.text(i, &text);
            prop_assert_eq!(chunks.sizes()[i], ruler.size(&said).unwrap());
            let one = unicode_segmentation::UnicodeSegmentation::graphemes(&*said, true).count() <= 1;
            prop_assert!(one || chunks.sizes()[i] <= limits.hard_max(), "{}: {:?}", i, said);
            prop_assert_eq!(chunks.is_oversize(i), chunks.sizes()[i] > limits.hard_max());
            for piece in chunks.pieces(i).iter().filter(|piece| piece.role == Role::Body) {
                prop_assert!(at <= piece.span.start && is_blank(&text[at..piece.span.start]));
                at = piece.span.end;
            }
            prop_assert!(!is_blank(&text[chunks.body(i).range()]));
        }
        prop_assert!(is_blank(&text[at..]));
        prop_assert_eq!(chunks.origins().len(), chunks.len());
        for pair in chunks.origins().windows(2) {
            let is_same = pair[0].first == pair[1].first && pair[1].part == pair[0].part + 1;
            prop_assert!(is_same || (pair[0].end <= pair[1].first && pair[1].part == 0), "{:?}", pair);
        }
    }
}

fn texts(items: &[(Kind, &str)], hard_max: usize, packing: &Packing) -> Vec<String> {
    let items: Vec<Item> =
        items.iter().map(|&(kind, text)| (kind, text.to_owned(), kind == Kind::Heading)).collect();
    let limits = Limits::new(hard_max, None, 0).unwrap();
    let (text, chunks) = cut(&items, limits, packing, &CharRuler);
    (0..chunks.len()).map(|i| chunks.text(i, &text).into_owned()).collect()
}

#[test]
fn a_part_of_a_table_is_its_header_and_its_rows() {
    let rows: Vec<Vec<&str>> = [vec!["Name", "Age"]]
        .into_iter()
        .chain((0..8).map(|_| vec!["somebody", "a hundred and one"]))
        .collect();
    let items = [(Kind::Table, table(&rows, true), false)];
    let limits = Limits::new(80, None, 0).unwrap();
    let (text, chunks) = cut(&items, limits, &plain(), &CharRuler);
    assert!(chunks.len() > 3);
    for i in 1..chunks.len() - 1 {
        let roles: Vec<Role> = chunks.pieces(i).iter().map(|piece| piece.role).collect();
        assert_eq!(roles, [Role::Header, Role::Body]);
        assert!(chunks.text(i, &text).starts_with("Name Age somebody"));
        assert!(text[chunks.span(i).range()].starts_with("somebody"));
        assert_eq!(chunks.origins()[i].content, Content::TablePart);
        assert_eq!(chunks.origins()[i].n_header_rows, 1);
        assert!(chunks.html(i).unwrap().starts_with("<table><thead>"));
    }
    // Words that no cell has stand behind the rows: in the last part if they fit, else by themselves.
    assert!(chunks.text(chunks.len() - 1, &text).ends_with("a hundred and one Seen"));
    let (text, chunks) = cut(&items, Limits::new(66, None, 0).unwrap(), &plain(), &CharRuler);
    let last = chunks.len() - 1;
    assert_eq!((chunks.text(last, &text).as_ref(), chunks.html(last)), ("Seen", None));
}

#[test]
fn what_stands_between_two_elements_belongs_to_the_first() {
    let text = "> # One\n> two\n\n* three\n";
    let at = |part: &str| {
        let start = text.find(part).unwrap();
        Span::new(start, start + part.len())
    };
    let item = |kind, part| Element { kind, span: at(part), ..Element::default() };
    let items =
        [item(Kind::Heading, "One"), item(Kind::Paragraph, "two"), item(Kind::ListItem, "three")];
    let limits = Limits::new(10, None, 0).unwrap();
    let document = Document::new(text).with_elements(&items);
    let measure = CharRuler.measure(text).unwrap();
    let chunker = Chunker::new(text, &*measure, limits, OverlapAt::Word, no_pulse());
    let chunks = elements(document, chunker, &CharRuler, &plain(), &[]).unwrap();
    let found: Vec<&str> = chunks.spans().map(|span| &text[span.range()]).collect();
    assert_eq!(found, ["> # One", "> two\n\n*", "three"]);
}

#[test]
fn small_sections_are_combined_in_the_unit() {
    let items = ["Alpha", "Beta", "Gamma", "Delta"].map(|title| (Kind::Heading, title));
    assert_eq!(texts(&items, 100, &plain()).len(), 4);
    let packing = Packing { combine_under: 9, ..plain() };
    assert_eq!(texts(&items, 100, &packing), ["Alpha\n\nBeta", "Gamma\n\nDelta"]);
    assert_eq!(texts(&items, 11, &packing), ["Alpha\n\nBeta", "Gamma", "Delta"]);
}

#[test]
fn elements_stay_whole_and_long_ones_are_split_at_sentences() {
    let items = [
        (Kind::Paragraph, "One two."),
        (Kind::Paragraph, "Three four five. Six seven eight."),
        (Kind::Paragraph, "Nine."),
    ];
    let expected = ["One two.", "Three four five.", "Six seven eight.", "Nine."];
    assert_eq!(texts(&items, 20, &plain()), expected);
    assert_eq!(texts(&items, 48, &plain()).len(), 2);
    assert_eq!(texts(&[], 50, &plain()), [""; 0]);
}

#[test]
fn the_pulse_stops_the_work() {
    let items = vec![(Kind::Paragraph, "word ".repeat(40), false); 100];
    let (text, table, _) = read(&items);
    let stop = || Err(crate::error::Error::Interrupted);
    let document = Document::new(&text).with_elements(&table);
    let (measure, limits) = (CharRuler.measure(&text).unwrap(), Limits::new(50, None, 0).unwrap());
    let chunker = Chunker::new(&text, &*measure, limits, OverlapAt::Word, &stop);
    assert!(elements(document, chunker, &CharRuler, &plain(), &[]).is_err());
}
