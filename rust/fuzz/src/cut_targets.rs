//! Each strategy on generated texts and elements, for as long as the environment says.

use crate::cutters::check;
use crate::objects::{DOCLING, ELEMENTS, JSON, YAML};
use crate::readers::check_kind;
use crate::run::run;
use crate::samples::{CODE, CSV, Format, HTML, MARKDOWN, TEXT};
use crate::specs::specs;
use crate::texts::texts;
use chunkwright_text::document::Document;
use proptest::prelude::Strategy;
use proptest::sample::select;

/// Cuts texts of some formats by a strategy: as they are, and as they are read where a format has a reader.
fn cuts(name: &'static str, formats: &[Format]) {
    let input = select(formats.to_vec()).prop_flat_map(|format| {
        let name = format.name;
        texts(&format).prop_map(move |text| (name, text))
    });
    let n_cases = run(&(specs(name), input), |(spec, (kind, source))| {
        check(&spec, Document::new(&source));
        if let Some((read, text)) = check_kind(kind, &source) {
            check(&spec, read.body(Document::new(&text)));
        }
    });
    assert!(n_cases > 0);
}

const PROSE: [Format; 3] = [TEXT, MARKDOWN, HTML];
const READ: [Format; 5] = [MARKDOWN, HTML, CSV, DOCLING, ELEMENTS];

macro_rules! targets {
    ($($name:ident: $formats:expr;)*) => {$(
        #[test]
        fn $name() {
            cuts(stringify!($name), &$formats);
        }
    )*};
}

targets! {
    recursive: PROSE;
    sentence: PROSE;
    balanced: PROSE;
    window: PROSE;
    line_based: PROSE;
    kamradt: PROSE;
    kamradt_modified: PROSE;
    cluster: PROSE;
    discontinuity: PROSE;
    llm: PROSE;
    code: [CODE, TEXT];
    json: [JSON, YAML];
    hierarchical: READ;
    hybrid: READ;
    basic: READ;
    by_title: READ;
    by_page: READ;
    by_similarity: READ;
    structural: READ;
    auto: [TEXT, MARKDOWN, HTML, CSV, DOCLING, ELEMENTS, JSON, YAML];
}

#[test]
fn every_strategy_is_a_target() {
    let source = include_str!("cut_targets.rs");
    for name in chunkwright_engine::strategies::Spec::names() {
        assert!(source.contains(&format!("\n    {name}: ")), "no target cuts by {name}");
    }
}
