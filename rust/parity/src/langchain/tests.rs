//! The engine against a naive oracle that works on strings as LangChain does.

use proptest::prelude::*;

use super::{
    Chunk, Depth, JoinedPart, Limits, Mark, Measured, NoPatterns, Output, Plan, Separator, split,
};
use chunkwright_text::document::Document;
use chunkwright_text::measure::Chars;
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::segment::separator::Keep;
use chunkwright_text::unicode::space::is_space;

fn chars(text: &str) -> usize {
    text.chars().count()
}

fn pieces(text: &str, mark: &str, keep: Keep) -> Vec<String> {
    let mut pieces: Vec<String> = if mark.is_empty() {
        text.chars().map(String::from).collect()
    } else {
        text.split(mark).map(String::from).collect()
    };
    let last = pieces.len().saturating_sub(1);
    for (i, piece) in pieces.iter_mut().enumerate().filter(|_| !mark.is_empty()) {
        match keep {
            Keep::Start if i > 0 => *piece = format!("{mark}{piece}"),
            Keep::End if i < last => piece.push_str(mark),
            _ => (),
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn merge(pieces: &[String], glue: &str, size: usize, overlap: usize) -> Vec<String> {
    let glue_between = |n: usize| if n > 0 { chars(glue) } else { 0 };
    let (mut chunks, mut open, mut total) = (Vec::new(), Vec::<String>::new(), 0);
    for piece in pieces {
        if total + chars(piece) + glue_between(open.len()) > size && !open.is_empty() {
            chunks.push(open.join(glue));
            while total > overlap
                || (total + chars(piece) + glue_between(open.len()) > size && total > 0)
            {
                total -= chars(&open.remove(0)) + glue_between(open.len());
            }
        }
        total += chars(piece) + glue_between(open.len());
        open.push(piece.clone());
    }
    chunks.push(open.join(glue));
    chunks.iter().map(|chunk| chunk.trim_matches(is_space).to_owned()).collect()
}

fn naive(text: &str, marks: &[&str], keep: Keep, size: usize, overlap: usize) -> Vec<String> {
    let found = marks.iter().position(|mark| mark.is_empty() || text.contains(mark));
    let at = found.unwrap_or(marks.len() - 1);
    let later = if marks[at].is_empty() { &[] } else { &marks[at + 1..] };
    let glue = if keep == Keep::Drop { marks[at] } else { "" };
    let (mut chunks, mut small) = (Vec::new(), Vec::new());
    for piece in pieces(text, marks[at], keep) {
        if chars(&piece) < size {
            small.push(piece);
            continue;
        }
        chunks.extend(merge(&std::mem::take(&mut small), glue, size, overlap));
        if later.is_empty() {
            chunks.push(piece);
        } else {
            chunks.extend(naive(&piece, later, keep, size, overlap));
        }
    }
    chunks.extend(merge(&small, glue, size, overlap));
    chunks.retain(|chunk| !chunk.is_empty());
    chunks
}

fn engine(text: &str, marks: &[&str], keep: Keep, size: u16, overlap: u16) -> Vec<String> {
    let glue = |mark: &str| if keep == Keep::Drop { mark.to_owned() } else { String::new() };
    let separators = marks.iter().map(|mark| Separator::new(Mark::literal(mark), glue(mark)));
    let plan = Plan::new(separators.collect(), keep, Depth::EveryLevel);
    let (chunk_size, chunk_overlap) = (f64::from(size), f64::from(overlap));
    let limits = Limits { chunk_size, chunk_overlap, strip: true };
    let measure = Chars::new(Document::new(text));
    let mut sizes = Measured::new(measure, &plan, |glue: &str| Ok(chars(glue)));
    let mut output = Output::default();
    split(text, &plan, limits, &mut sizes, &mut NoPatterns, no_pulse(), &mut output).unwrap();
    output.chunks.iter().map(|chunk| string(text, &plan, chunk)).collect()
}

fn string(text: &str, plan: &Plan, chunk: &Chunk) -> String {
    let part = |part: &JoinedPart| match *part {
        JoinedPart::Text(span) => text[span.range()].to_owned(),
        JoinedPart::Glue(separator, span) => plan.glue(separator)[span.range()].to_owned(),
    };
    match chunk {
        Chunk::Slice(span) => text[span.range()].to_owned(),
        Chunk::Joined { parts, .. } => parts.iter().map(part).collect(),
    }
}

proptest! {
    #[test]
    fn the_engine_is_its_oracle(
        text in "[ab漢 ,\n\u{1c}]{0,80}",
        marks in prop::collection::vec(
            prop::sample::select(vec!["\n\n", "\n", " ", ",", "ab", "", "漢", "aa"]), 1..5,
        ),
        keep in prop::sample::select(vec![Keep::Start, Keep::End, Keep::Drop]),
        (size, overlap) in (1_u16..20).prop_flat_map(|size| (Just(size), 0..=size)),
    ) {
        let found = engine(&text, &marks, keep, size, overlap);
        prop_assert_eq!(found, naive(&text, &marks, keep, size.into(), overlap.into()));
    }
}
