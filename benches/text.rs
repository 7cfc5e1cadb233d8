//! Speed of the core on one thread: `cargo bench -p chunkwright-text`.
//!
//! Reads the text files given in `CHUNKWRIGHT_BENCH_FILES` (separated by `:`), else the README.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use chunkwright_text::cut::recursive::Recursion;
use chunkwright_text::cut::sentence::Sentencing;
use chunkwright_text::cut::strategy::{Cutter, Strategy};
use chunkwright_text::document::Document;
use chunkwright_text::markup::Markup;
use chunkwright_text::measure::{Bpe, Chars, Encoder, Measure, Tokens};
use chunkwright_text::options::{Limits, OverlapAt};
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::segment::sentence::Language;
use chunkwright_text::segment::separator::{Keep, Separator};

const RUNS: usize = 9;

fn main() -> Result<(), Box<dyn Error>> {
    let text = text()?;
    let document = Document::new(&text);
    let report = |name: &str, seconds: f64| {
        println!("{name:<40} {:>8.0} MB/s", mega(text.len()) / seconds);
    };
    for name in ["cl100k_base", "o200k_base"] {
        let bpe = Bpe::named(name).ok_or("unknown vocabulary")?;
        let mut encoder = Encoder::new(bpe);
        report(&format!("count {name}"), best(|| encoder.count(&text, no_pulse()))?);
        report(&format!("index {name}"), best(|| encoder.index(&text, no_pulse()))?);
        let index = encoder.index(&text, no_pulse())?;
        let tokens = Tokens::new(&text, &index);
        strategies(document, &tokens, Limits::new(512, None, 64)?, name, &report)?;
    }
    let chars = Chars::new(document);
    strategies(document, &chars, Limits::new(1000, None, 100)?, "chars", &report)
}

fn strategies(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    name: &str,
    report: &impl Fn(&str, f64),
) -> Result<(), Box<dyn Error>> {
    let marks = ["\n\n", "\n", " "].map(|mark| Separator::literal(mark, Keep::Start));
    let separators = marks.into_iter().collect::<Result<Vec<_>, _>>()?;
    let language = Language::english();
    let sentencing = Sentencing { language, sentences: None, window: 0, repeat_headers: true };
    let recursion = Recursion {
        language: None,
        separators,
        markup: Markup::Unknown,
        by_markup: Vec::new(),
        repeat_headers: true,
    };
    let strategies = [
        ("recursive", Strategy::Recursive(recursion)),
        ("sentence", Strategy::Sentence(sentencing)),
        ("balanced", Strategy::Balanced { language, repeat_headers: true }),
        ("window", Strategy::Window),
    ];
    for (strategy_name, strategy) in strategies {
        let cutter = Cutter { strategy, limits, overlap_at: OverlapAt::Word };
        let seconds = best(|| cutter.cut(document, measure, no_pulse()))?;
        report(&format!("{strategy_name} {name} {}", limits.hard_max()), seconds);
    }
    Ok(())
}

fn text() -> Result<String, Box<dyn Error>> {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let files = std::env::var("CHUNKWRIGHT_BENCH_FILES").unwrap_or_else(|_| readme.into());
    let texts: Result<Vec<_>, _> = files.split(':').map(std::fs::read_to_string).collect();
    Ok(texts?.concat())
}

/// Seconds of the fastest of several runs.
fn best<T, E>(mut work: impl FnMut() -> Result<T, E>) -> Result<f64, E> {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        black_box(work()?);
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}

#[allow(clippy::cast_precision_loss, reason = "a size in megabytes")]
fn mega(n: usize) -> f64 {
    n as f64 / 1e6
}
