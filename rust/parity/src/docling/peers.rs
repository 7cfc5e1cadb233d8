//! Merge of neighbouring chunks below the same headings, as Docling's `merge_peers` does it.

use super::parts::{Context, HybridChunk, Made, Part};
use super::scale::Scale;
use super::windows::Growth;
use chunkwright_text::error::Result;

/// Merges each chunk with as many of the next ones below the same headings as fit.
pub fn merge_peers(scale: Scale<'_>, growth: Growth, parts: Vec<Part>) -> Result<Vec<Part>> {
    let mut merged = Vec::with_capacity(parts.len());
    let mut rest = parts.into_iter();
    while let Some(first) = rest.as_slice().first() {
        let headings = &first.chunk.headings;
        let n_peers =
            rest.as_slice().iter().take_while(|part| part.chunk.headings == *headings).count();
        let context = Context::new(scale, headings)?;
        let mut peers: Vec<Part> = rest.by_ref().take(n_peers).collect();
        let sizes: Vec<usize> = peers.iter().map(|part| part.size).collect();
        let mut start = 0;
        while start < n_peers {
            let window = &peers[start..];
            let exact = |n: usize| {
                let texts = window[..n].iter().map(|part| part.chunk.text.as_str());
                context.total_of(scale, &sizes[start..start + n], texts)
            };
            let overhead = window[0].total.cast_signed() - window[0].size.cast_signed();
            let n = growth.reach(&sizes[start..], overhead, true, exact)?;
            merged.push(joined(&mut peers[start..start + n]));
            start += n;
        }
    }
    Ok(merged)
}

/// One chunk of several, which are taken.
fn joined(parts: &mut [Part]) -> Part {
    let texts: Vec<String> =
        parts.iter_mut().map(|part| std::mem::take(&mut part.chunk.text)).collect();
    let last = &parts[parts.len() - 1].chunk;
    let chunk = HybridChunk {
        text: texts.join("\n"),
        items: parts.iter().flat_map(|part| part.chunk.items.iter().copied()).collect(),
        headings: parts[0].chunk.headings.clone(),
        has_origin: last.has_origin,
        made: if parts.len() == 1 { last.made } else { Made::OfItems },
    };
    Part { chunk, size: 0, total: 0 }
}
