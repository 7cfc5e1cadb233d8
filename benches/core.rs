//! tmp
fn main() {
    use chunkwright_core::measure::bpe::{Bpe, Encoder};
    use std::time::Instant;
    let mut text = String::new();
    for name in ["chatlogs", "finance", "pubmed", "state_of_the_union", "wikitexts"] {
        text += &std::fs::read_to_string(format!("../shared/data/chroma-report/corpora/{name}.md")).or_else(|_| std::fs::read_to_string(format!("../../../shared/data/chroma-report/corpora/{name}.md"))).unwrap();
    }
    for name in ["cl100k_base", "o200k_base"] {
        let bpe = Bpe::named(name).unwrap();
        let mut e = Encoder::new(bpe);
        for _ in 0..5 {
            let t = Instant::now();
            let n = e.count(&text, &|| Ok(())).unwrap();
            let s = t.elapsed().as_secs_f64();
            let t = Instant::now();
            let _ = e.index(&text, &|| Ok(())).unwrap();
            let s2 = t.elapsed().as_secs_f64();
            println!("{name} {n} count {:.0} MB/s index {:.0} MB/s", text.len() as f64 / s / 1e6, text.len() as f64 / s2 / 1e6);
        }
    }
}
