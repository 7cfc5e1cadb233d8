//! Cuts a Markdown file at sentences and prints the three chunks that answer a question best:
//! `cargo run --package chunkwright-search --example answer -- FILE QUESTION`.

use std::error::Error;

use chunkwright_read::markdown;
use chunkwright_search::retrieve::bm25::{Bm25, Saturation};
use chunkwright_text::cut::hierarchical::{Hierarchy, hierarchical};
use chunkwright_text::document::Document;
use chunkwright_text::measure::Chars;
use chunkwright_text::measure::ruler::{CharRuler, Ruled};
use chunkwright_text::options::{Limits, OverlapAt};
use chunkwright_text::pulse::no_pulse;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = match arguments.next() {
        Some(file) => std::fs::read_to_string(file)?,
        None => {
            "# Rain\n\nIt fell for two days. The river rose.\n\n# Sun\n\nIt came out.".to_owned()
        }
    };
    let question = arguments.next().unwrap_or_else(|| "When did the river rise?".to_owned());
    let read = markdown::read(&text);
    let document = Document::new(&text).with_elements(&read.elements).written_in(read.markup);
    let measure = Ruled::new(Chars::new(document), CharRuler);
    let options = Hierarchy { merge_peers: true, repeat_headings: true, ..Hierarchy::default() };
    let limits = Limits::new(1_000, None, 0)?;
    let chunks = hierarchical(document, &measure, limits, OverlapAt::Word, options, no_pulse())?;
    let texts: Vec<_> = (0..chunks.len()).map(|i| chunks.text(i, &text)).collect();
    let texts: Vec<&str> = texts.iter().map(|chunk| &**chunk).collect();
    let index = Bm25::new(&texts, Saturation::new(1.2, 0.75)?, None, no_pulse())?;
    for hit in index.top(&question, 3, no_pulse())? {
        println!("{:.3} {}\n", hit.score, texts[hit.text]);
    }
    Ok(())
}
