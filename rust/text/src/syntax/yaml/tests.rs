//! Places of entries, by their texts.

use super::EntryKind::{Collection, Double, Opaque, Plain, Single};
use super::*;
use crate::pulse::no_pulse;

/// What stands from each entry on its line, with the number of those that it is in, and its kind.
fn read(text: &str) -> Vec<(usize, String, EntryKind)> {
    let found = entries(text, no_pulse()).unwrap();
    let depth = |entry: &Entry| {
        let mut n = 0;
        let mut parent = entry.parent;
        while let Some(i) = parent {
            n += 1;
            parent = found[i].parent;
        }
        n
    };
    found
        .iter()
        .map(|entry| {
            let line = text[entry.own..].lines().next().unwrap_or("");
            (depth(entry), line.to_owned(), entry.kind)
        })
        .collect()
}

#[test]
fn entries_have_their_places() {
    let text = "a: &x # said\n  # of b\n  b: |+\n    1\n\n  é: [2]\n- ".trim_end_matches("- ");
    let found = read(text);
    let expected = [
        (0, "a: &x # said", EntryKind::Collection),
        (1, "a: &x # said", EntryKind::Collection),
        (2, "b: |+", EntryKind::Block),
        (2, "é: [2]", EntryKind::Opaque),
    ];
    assert_eq!(found, expected.map(|(depth, line, kind)| (depth, line.to_owned(), kind)));
    let places = entries(text, no_pulse()).unwrap();
    assert_eq!(&text[places[2].start..places[3].start], "  # of b\n  b: |+\n    1\n\n");
    assert_eq!(&text[places[2].value.range()], "|+\n    1\n\n");
}

#[test]
fn dashes_and_marked_keys_are_entries() {
    let text =
        "---\n- - x: 'y'\n    z: \"w\"\n  -\n? [k]\n".replace("? [k]\n", "- ? k\n  : - v\n  p:\n");
    let kinds: Vec<_> = read(&text).into_iter().map(|(depth, _, kind)| (depth, kind)).collect();
    let expected = [
        (0, Collection),
        (1, Collection),
        (2, Collection),
        (3, Single),
        (3, Double),
        (2, Plain),
        (1, Collection),
        (2, Opaque),
        (2, Plain),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn documents_are_entries() {
    let text = "\u{feff}%YAML 1.2\n--- !m\na: 1\n...\n# c\n--- text\n---\n- 1\n";
    let found = entries(text, no_pulse()).unwrap();
    let documents: Vec<_> = found.iter().filter(|entry| entry.parent.is_none()).collect();
    let starts = documents.iter().map(|entry| text[entry.start..].lines().next().unwrap());
    assert_eq!(starts.collect::<Vec<_>>(), ["%YAML 1.2", "# c", "---"]);
    assert_eq!(
        documents.iter().map(|entry| entry.has_head).collect::<Vec<_>>(),
        [true, false, false]
    );
}

#[test]
fn what_is_no_yaml_is_an_error_with_its_place() {
    for (text, place) in
        [("a: b: c", "line 1, column 5"), ("\u{feff}a:\n\t- b\n  - c: [", "line 2")]
    {
        let error = entries(text, no_pulse()).unwrap_err().to_string();
        assert!(error.starts_with("invalid YAML at ") && error.contains(place), "{error}");
    }
}
