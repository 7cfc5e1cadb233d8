//! Each reader on generated inputs, for as long as the environment says.

use crate::objects::{DOCLING, ELEMENTS, JSON, PDF, YAML};
use crate::pages::pages;
use crate::readers::{accepted, check, check_data, check_kind, check_table, check_told};
use crate::run::{pulse, run};
use crate::samples::{CSV, DOCX, Format, HTML, MARKDOWN, RST, TEXT, TSV};
use crate::texts::texts;
use crate::word::word;
use chunkwright_read::docx;
use chunkwright_read::pdf::document::document;
use chunkwright_read::pdf::forms::check_forms;
use chunkwright_read::pdf::headings::outline::Outline;
use chunkwright_read::pdf::layout::PageLayout;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use proptest::prop_oneof;
use std::io::Write;

fn reads(format: &Format) {
    assert!(run(&texts(format), |text| drop(check_kind(format.name, &text))) > 0);
}

#[test]
fn markdown() {
    reads(&MARKDOWN);
}

#[test]
fn rst() {
    reads(&RST);
}

#[test]
fn html() {
    reads(&HTML);
}

#[test]
fn html_tables() {
    assert!(run(&texts(&HTML), |text| check_table(&text)) > 0);
}

#[test]
fn csv() {
    reads(&CSV);
}

#[test]
fn tsv() {
    reads(&TSV);
}

#[test]
fn docling() {
    reads(&DOCLING);
}

#[test]
fn unstructured() {
    reads(&ELEMENTS);
}

#[test]
fn json() {
    assert!(run(&texts(&JSON), |text| check_data(&text)) > 0);
}

#[test]
fn yaml() {
    assert!(run(&texts(&YAML), |text| check_data(&text)) > 0);
}

#[test]
fn any_kind() {
    let [text, markdown, rst, html, docling, elements] =
        [TEXT, MARKDOWN, RST, HTML, DOCLING, ELEMENTS].map(|format| texts(&format));
    let inputs = prop_oneof![text, markdown, rst, html, docling, elements];
    assert!(run(&inputs, |text| check_told(&text)) > 0);
}

#[test]
fn docx_bodies() {
    let n_cases = run(&(texts(&DOCX), texts(&DOCX)), |(body, notes)| {
        if let Some(mut read) = accepted(docx::read(&word(&body, &notes), &pulse)) {
            let text = read.text.take().unwrap_or_default();
            check(&read, &text, &text);
        }
    });
    assert!(n_cases > 0);
}

#[test]
fn docx_archives() {
    let whole = word(DOCX.samples[0], "");
    let edits = vec((any::<proptest::sample::Index>(), any::<u8>()), 1..9);
    let files = (edits, any::<proptest::sample::Index>(), any::<bool>());
    let n_cases = run(&files, |(edits, end, is_cut)| {
        let mut file = whole.clone();
        for (at, byte) in edits {
            let at = at.index(file.len());
            file[at] = byte;
        }
        if is_cut {
            file.truncate(end.index(file.len()));
        }
        accepted(docx::read(&file, &pulse));
    });
    assert!(n_cases > 0);
}

#[test]
fn pdf_layout() {
    let n_cases = run(&pages(), |(pages, outline)| {
        let outline = Outline::of(outline.into_iter());
        let layouts: Vec<_> =
            pages.into_iter().map(|page| PageLayout::of(page, &outline)).collect();
        let mut read = document(&layouts, &outline);
        let text = read.text.take().unwrap_or_default();
        check(&read, &text, &text);
    });
    assert!(n_cases > 0);
}

#[test]
fn pdf_forms() {
    let noise = || vec(any::<u8>(), 0..20);
    let part = prop_oneof![
        6 => texts(&PDF).prop_map(|text| text.chars().map(low_byte).collect()),
        1 => noise(),
        1 => noise().prop_map(|bytes| deflated(&bytes)),
    ];
    let files = vec(part, 1..4).prop_map(|parts| parts.concat());
    let n_cases = run(&files, |file| {
        accepted(check_forms(&file, &pulse));
    });
    assert!(n_cases > 0);
}

/// The byte that stands for a code point: most files are no UTF-8.
fn low_byte(c: char) -> u8 {
    u32::from(c).to_le_bytes()[0]
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
