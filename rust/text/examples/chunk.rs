//! Cuts a text file into chunks of at most 256 tokens, and prints where each stands and how many it has:
//! `cargo run --package chunkwright-text --example chunk -- FILE`.

use std::error::Error;

use chunkwright_text::cut::recursive::{Recursion, recursive};
use chunkwright_text::document::Document;
use chunkwright_text::markup::Markup;
use chunkwright_text::measure::{Bpe, Encoder, Tokens};
use chunkwright_text::options::{Limits, OverlapAt};
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::segment::separator::{Keep, Separator};

fn main() -> Result<(), Box<dyn Error>> {
    let text = match std::env::args().nth(1) {
        Some(file) => std::fs::read_to_string(file)?,
        None => "It rained for two days.\n\nThen the river rose.".to_owned(),
    };
    let mut encoder = Encoder::new(Bpe::named("o200k_base").ok_or("no such vocabulary")?);
    let index = encoder.index(&text, no_pulse())?;
    let marks = ["\n\n", "\n", " "].map(|mark| Separator::literal(mark, Keep::Start));
    let separators = marks.into_iter().collect::<Result<_, _>>()?;
    let options = Recursion {
        language: None,
        separators,
        by_markup: Vec::new(),
        markup: Markup::Unknown,
        repeat_headers: true,
    };
    let chunks = recursive(
        Document::new(&text),
        &Tokens::new(&text, &index),
        Limits::new(256, None, 0)?,
        OverlapAt::Word,
        &options,
        no_pulse(),
    )?;
    for (span, n_tokens) in chunks.spans().zip(chunks.sizes()) {
        println!("{:>9}..{:<9} {n_tokens:>4} tokens", span.start, span.end);
    }
    Ok(())
}
