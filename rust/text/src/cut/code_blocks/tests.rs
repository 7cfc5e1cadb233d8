//! Laws and examples of fenced code in parts.

use proptest::prelude::*;

use crate::cut::recursive::Recursion;
use crate::cut::strategy::{Cutter, Strategy};
use crate::document::Document;
use crate::markup::Markup;
use crate::measure::Chars;
use crate::measure::ruler::{CharRuler, Ruled};
use crate::options::{Limits, OverlapAt};
use crate::pulse::no_pulse;
use crate::segment::fence::Fences;
use crate::segment::separator::{Keep, Separator};

/// The chunks of `text` and their own texts.
fn cut(text: &str, max: usize, overlap: usize) -> (Vec<String>, Vec<String>) {
    let marks = ["\n\n", "\n", " "].map(|mark| Separator::literal(mark, Keep::Start).unwrap());
    let strategy = Strategy::Recursive(Recursion {
        language: None,
        separators: marks.to_vec(),
        by_markup: Vec::new(),
        markup: Markup::Markdown,
        repeat_headers: true,
    });
    let limits = Limits::new(max, None, overlap).unwrap();
    let cutter = Cutter { strategy, limits, overlap_at: OverlapAt::Word };
    let document = Document::new(text);
    let measure = Ruled::new(Chars::new(document), CharRuler);
    let chunks = cutter.cut(document, &measure, no_pulse()).unwrap();
    let texts: Vec<String> = (0..chunks.len()).map(|i| chunks.text(i, text).into_owned()).collect();
    for (i, text) in texts.iter().enumerate() {
        assert_eq!(text.chars().count(), chunks.sizes()[i]);
        assert!(chunks.sizes()[i] <= max || chunks.is_oversize(i), "{text:?}");
    }
    let own = (0..chunks.len()).map(|i| text[chunks.body(i).range()].to_owned()).collect();
    (texts, own)
}

fn texts(text: &str, max: usize) -> Vec<String> {
    cut(text, max, 0).0
}

#[test]
fn each_part_opens_and_closes() {
    let text = "```py\na = 1\nb = 2\nif c:\n    d = 3\n```\n\nAfter.\n";
    assert_eq!(
        texts(text, 23),
        ["```py\na = 1\nb = 2\n```", "```py\nif c:\n```", "```py\n    d = 3\n```", "After.",]
    );
    assert_eq!(texts(text, 30)[1..], ["```py\nif c:\n    d = 3\n```", "After."]);
    // Fences that take more than half of the limit are left as they are.
    assert_eq!(texts(text, 16)[0], "```py\na = 1");
}

#[test]
fn fences_are_those_of_the_block() {
    let tildes = "~~~~ sh\none two\nthree 4\n```\nfive 55\n~~~~";
    assert_eq!(texts(tildes, 28)[1], "~~~~ sh\n```\nfive 55\n~~~~");
    let quote = "> ```sh\n> one two\n> three 4\n> five 55\n> ```\n";
    assert_eq!(
        texts(quote, 34),
        ["> ```sh\n> one two\n> three 4\n> ```", "> ```sh\n> five 55\n> ```",]
    );
    let item = "- ```sh\n  one two\n  three 4\n  five 55\n  ```\n";
    assert_eq!(
        texts(item, 34),
        ["- ```sh\n  one two\n  three 4\n  ```", "```sh\n  five 55\n  ```",]
    );
    let open = "```sh\none two\nthree 4\nfive 55";
    assert_eq!(texts(open, 26), ["```sh\none two\nthree 4\n```", "```sh\nfive 55"]);
}

#[test]
fn a_line_over_the_limit_is_cut_at_a_word() {
    let text = "```\naa bb cc dd ee ff gg hh\n```";
    assert_eq!(texts(text, 20), ["```\naa bb cc dd\n```", "```\nee ff gg hh\n```"]);
}

#[test]
fn an_overlap_opens_what_it_repeats_the_end_of() {
    let text = "```\naa bb\n```\n\nThe text behind it goes on and on.";
    let (texts, _) = cut(text, 36, 12);
    for text in texts {
        assert_eq!(text.matches("```").count() % 2, 0, "{text:?}");
    }
}

proptest! {
    #[test]
    fn nothing_is_lost_and_fences_are_even(
        text in "((```|````|~~~|> ```|- ```|# )?[a-c ]{0,9}\n|```\n|  ```\n|> ```\n|\n|~~~\n){0,24}",
        max in 12_usize..60,
        overlap in 0_usize..9,
    ) {
        let (_, own) = cut(&text, max, overlap);
        let letters = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(letters(&own.concat()), letters(&text));
    }

    #[test]
    fn parts_of_code_at_the_margin_are_blocks(
        lines in prop::collection::vec("[a-c]{0,9}( [a-c]{1,4}){0,3}", 1..20),
        max in 20_usize..60,
    ) {
        let text = format!("Text.\n\n```py\n{}\n```\n\nMore.", lines.join("\n"));
        for part in texts(&text, max) {
            let open = Fences::new(&part, Markup::Markdown);
            let n_marks = part.matches("```").count();
            prop_assert_eq!(n_marks, 2 * open.blocks().len(), "{:?}", part);
        }
    }
}

#[test]
fn a_block_begins_a_part_with_what_leads_to_it() {
    let code = "```py\none = 1\ntwo = 2\n\nthree = 3\nfour = 4\n```";
    let lead = format!("Words stand here before the code.\n\nSo:\n\n{code}");
    let parts = ["So:\n\n```py\none = 1\ntwo = 2\n```", "```py\nthree = 3\nfour = 4\n```"];
    assert_eq!(texts(&lead, 36)[1..3], parts);
}

/// Places of the parts whose own text lies within `block`, from where it begins.
fn inside(text: &str, block: &str, max: usize) -> Vec<(usize, String)> {
    let start = text.find(block).unwrap();
    let (texts, own) = cut(text, max, 0);
    let mut at = 0;
    let places = own.iter().zip(texts).filter_map(|(own, said)| {
        let place = at + text[at..].find(own).unwrap();
        at = place + own.len();
        (place > start && at < start + block.len()).then(|| (place - start, said))
    });
    places.collect()
}

proptest! {
    #[test]
    fn what_stands_before_blocks_moves_no_part_inside(
        before in prop::collection::vec("[a-c]{3,7}( [a-c]{3,7}){4,9}\\.", 1..4),
        between in prop::collection::vec("[a-c]{3,7}( [a-c]{3,7}){4,9}\\.", 1..3),
        blocks in prop::collection::vec(
            prop::collection::vec("[a-c]{0,9}( [a-c]{1,4}){0,3}", 4..20), 2),
        lead in prop::sample::select(vec!["", "So:\n\n", "# Ab\n\n", "# Ab\n\nSo:\n\n"]),
        max in 40_usize..80,
        sentence in "[d-f]{3,7}( [d-f]{3,7}){1,9}\\. ",
        at in 0_usize..4,
    ) {
        let block = |i: usize, mark: &str| format!("```{mark}\n{}\nz\n```", blocks[i].join("\n"));
        let blocks = [block(0, "one"), block(1, "two")];
        let text = |before: &[String]| format!(
            "{}\n\n{lead}{}\n\n{}\n\n{lead}{}\n\nThe end.\n",
            before.join("\n\n"), blocks[0], between.join("\n\n"), blocks[1],
        );
        let mut after = before.clone();
        let at = at % after.len();
        after[at].insert_str(0, &sentence);
        let (before, after) = (text(&before), text(&after));
        for block in &blocks {
            // What fits is whole, and moves as text does.
            if block.chars().count() > max {
                prop_assert_eq!(inside(&before, block, max), inside(&after, block, max));
            }
        }
    }
}

#[test]
fn hostile_blocks_take_linear_time() {
    for text in [
        format!("```\n{}", "a\n".repeat(100_000)),
        format!("```\n{}\n```", "a".repeat(200_000)),
        "```\na\n```\n".repeat(20_000),
        "> ```\n> a\n".repeat(20_000),
    ] {
        assert!(!texts(&text, 40).is_empty());
    }
}
