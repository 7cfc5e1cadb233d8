//! Texts of a format: its marks in any order, and valid samples that were damaged.

use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use proptest::prop_oneof;
use proptest::sample::{Index, select};
use proptest::strategy::BoxedStrategy;

use crate::samples::Format;

/// Letters, blanks and signs that have broken readers before: combining, wide, right to left, unassigned.
const ODD: [&str; 24] = [
    "a",
    "Word",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\u{0}",
    "\u{1b}",
    "\u{a0}",
    "\u{ad}",
    "\u{200d}",
    "\u{301}",
    "é",
    "ß",
    "。",
    "日本",
    "👩‍👩‍👧",
    "\u{202e}",
    "\u{2028}",
    "\u{feff}",
    "\u{fffe}",
    "\u{10ffff}",
];
/// Marks that stand one behind the other at most: what is nested is nested so deep.
const MOST_REPEATED: usize = 300;
/// Marks of a text at most.
const MOST_MARKS: usize = 60;
/// Damages of a sample at most.
const MOST_EDITS: usize = 8;

/// One damage.
#[derive(Clone, Debug)]
enum Edit {
    /// A mark is put in.
    Insert(Index, String),
    /// A part is taken out.
    Remove(Index, Index),
    /// A part comes twice.
    Repeat(Index, Index),
    /// A part is put elsewhere.
    Move(Index, Index, Index),
}

/// Texts of a format.
pub fn texts(format: &Format) -> BoxedStrategy<String> {
    let piece = piece(format.marks);
    let made = vec(piece.clone(), 0..MOST_MARKS).prop_map(|pieces| pieces.concat());
    let edits = vec(edit(piece), 0..MOST_EDITS);
    let damaged =
        (select(format.samples.to_vec()), edits).prop_map(|(sample, edits)| damaged(sample, edits));
    prop_oneof![1 => made, 1 => damaged].boxed()
}

/// A mark, a mark that is repeated, or any text.
fn piece(marks: &'static [&'static str]) -> BoxedStrategy<String> {
    let mark = || select(marks).prop_map(str::to_owned);
    let repeated = (select(marks), 2..MOST_REPEATED).prop_map(|(mark, n)| mark.repeat(n));
    let number = any::<i64>().prop_map(|number| number.to_string());
    prop_oneof![
        16 => mark(),
        8 => select(&ODD[..]).prop_map(str::to_owned),
        1 => repeated,
        1 => "\\PC{0,12}",
        1 => number,
    ]
    .boxed()
}

fn edit(piece: BoxedStrategy<String>) -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        (at(), piece).prop_map(|(at, piece)| Edit::Insert(at, piece)),
        (at(), at()).prop_map(|(start, end)| Edit::Remove(start, end)),
        (at(), at()).prop_map(|(start, end)| Edit::Repeat(start, end)),
        (at(), at(), at()).prop_map(|(start, end, to)| Edit::Move(start, end, to)),
    ]
}

fn damaged(sample: &str, edits: Vec<Edit>) -> String {
    let mut text = sample.to_owned();
    for edit in edits {
        match edit {
            Edit::Insert(at, piece) => text.insert_str(place(&text, at), &piece),
            Edit::Remove(start, end) => {
                let (start, end) = part(&text, start, end);
                text.replace_range(start..end, "");
            }
            Edit::Repeat(start, end) => {
                let (start, end) = part(&text, start, end);
                let copy = text[start..end].to_owned();
                text.insert_str(end, &copy);
            }
            Edit::Move(start, end, to) => {
                let (start, end) = part(&text, start, end);
                let taken = text[start..end].to_owned();
                text.replace_range(start..end, "");
                text.insert_str(place(&text, to), &taken);
            }
        }
    }
    text
}

/// A place between two code points.
fn place(text: &str, at: Index) -> usize {
    let mut at = at.index(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A part that is short enough to leave most of a sample as it is.
fn part(text: &str, start: Index, end: Index) -> (usize, usize) {
    let start = place(text, start);
    let mut end = (start + end.index(40)).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    (start, end)
}
