//! Recursive chunks of 512 tokens (`cl100k_base`): ours and chunkedrs's, on one thread, in turn.
//!
//! `cargo run --release --manifest-path benches/chunkedrs/Cargo.toml FILE …` reads the files as one text.
//! Both give strings with offsets and token counts; vocabularies are loaded before the clock starts, and each
//! run of ours begins with an encoder that has met no text.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use chunkwright_text::cut::strategy::{Cutter, Strategy};
use chunkwright_text::document::Document;
use chunkwright_text::measure::{Bpe, Encoder, Tokens};
use chunkwright_text::options::{Limits, OverlapAt};
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::segment::fence::Markup;
use chunkwright_text::segment::separator::{Keep, Separator};

const MAX_TOKENS: usize = 512;
const ENCODING: &str = "cl100k_base";
const ROUNDS: usize = 9;

/// A chunk as both give it.
struct Chunk {
    text: String,
    start: usize,
    end: usize,
    n_tokens: usize,
}

type Found = Result<Vec<Chunk>, Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let texts = std::env::args().skip(1).map(std::fs::read_to_string);
    let text = texts.collect::<Result<Vec<_>, _>>()?.join("\n\n");
    let bpe = Bpe::named(ENCODING).ok_or("no such vocabulary")?;
    let cutter = cutter()?;
    let ours = || chunks_of_ours(&bpe, &cutter, &text);
    let theirs = || -> Found { Ok(chunks_of_chunkedrs(&text)) };
    theirs()?;
    let mut best = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        let seconds = [seconds(ours)?, seconds(theirs)?];
        best = [best[0].min(seconds[0]), best[1].min(seconds[1])];
    }
    for (name, chunks, seconds) in
        [("chunkwright", ours()?, best[0]), ("chunkedrs", theirs()?, best[1])]
    {
        let count = |part: &str| Encoder::new(bpe.clone()).count(part, no_pulse());
        let sizes = chunks.iter().map(|chunk| count(&chunk.text)).collect::<Result<Vec<_>, _>>()?;
        let over = sizes.iter().filter(|&&size| size > MAX_TOKENS).count();
        let miscounted =
            chunks.iter().zip(&sizes).filter(|(chunk, size)| chunk.n_tokens != **size).count();
        let misplaced =
            chunks.iter().filter(|chunk| text[chunk.start..chunk.end] != chunk.text).count();
        println!(
            "{name:<12} {:>7.1} MB/s {:>6} chunks, {over} over the limit, {miscounted} miscounted, {misplaced} misplaced",
            megabytes(&text) / seconds,
            chunks.len(),
        );
    }
    println!("ours is {:.1} times as fast", best[1] / best[0]);
    Ok(())
}

fn cutter() -> Result<Cutter, Box<dyn Error>> {
    let marks = ["\n\n", "\n", " "].map(|mark| Separator::literal(mark, Keep::Start));
    let separators = marks.into_iter().collect::<Result<_, _>>()?;
    let strategy = Strategy::Recursive(separators, Markup::Unknown);
    Ok(Cutter { strategy, limits: Limits::new(MAX_TOKENS, None, 0)?, overlap_at: OverlapAt::Word })
}

fn chunks_of_ours(bpe: &Bpe, cutter: &Cutter, text: &str) -> Found {
    let index = Encoder::new(bpe.clone()).index(text, no_pulse())?;
    let chunks = cutter.cut(Document::new(text), &Tokens::new(text, &index), no_pulse())?;
    let sized = chunks.spans().zip(chunks.sizes());
    let chunk = |(span, &n_tokens): (chunkwright_text::span::Span, &usize)| Chunk {
        text: text[span.range()].to_owned(),
        start: span.start,
        end: span.end,
        n_tokens,
    };
    Ok(sized.map(chunk).collect())
}

fn chunks_of_chunkedrs(text: &str) -> Vec<Chunk> {
    let chunks = chunkedrs::chunk(text).max_tokens(MAX_TOKENS).encoding(ENCODING).split();
    let chunk = |chunk: chunkedrs::Chunk| {
        let (start, end) = (chunk.start_byte, chunk.end_byte);
        Chunk { text: chunk.content, start, end, n_tokens: chunk.token_count }
    };
    chunks.into_iter().map(chunk).collect()
}

fn seconds(work: impl Fn() -> Found) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    black_box(work()?);
    Ok(start.elapsed().as_secs_f64())
}

#[allow(clippy::cast_precision_loss, reason = "a size in megabytes")]
fn megabytes(text: &str) -> f64 {
    text.len() as f64 / 1e6
}
