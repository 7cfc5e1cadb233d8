//! Reads a file of any kind that is text, and prints its elements:
//! `cargo run --package chunkwright-read --example elements -- FILE`.

use std::error::Error;
use std::path::Path;

use chunkwright_read::kinds::{InputKind, refuse};
use chunkwright_text::pulse::no_pulse;

fn main() -> Result<(), Box<dyn Error>> {
    let (source, suffix) = match std::env::args().nth(1) {
        Some(file) => {
            let suffix = Path::new(&file).extension().and_then(|suffix| suffix.to_str());
            (std::fs::read_to_string(&file)?, suffix.map(|suffix| format!(".{suffix}")))
        }
        None => ("<h1>Rain</h1><p>It fell.<ul><li>for two days</ul>".to_owned(), None),
    };
    refuse(&source)?;
    let kind = InputKind::told(&source, suffix.as_deref());
    let Some(read) = kind.read(&source, no_pulse())? else {
        println!("{}: no elements", kind.name);
        return Ok(());
    };
    let text = read.text.as_deref().unwrap_or(&source);
    for element in &read.elements {
        println!("{:?} {}: {:?}", element.kind, element.level, &text[element.span.range()]);
    }
    Ok(())
}
