//! Token windows, as LangChain's `TokenTextSplitter` has them.

use chunkwright_text::span::Span;

/// Windows of `size` tokens, each beginning `size - overlap` tokens after the one before; the last one
/// reaches the end of the text, of `n_bytes`. Tokens begin at `starts`.
///
/// The spans may end inside a code point. `overlap` must be less than `size`.
pub fn windows(
    starts: &[usize],
    n_bytes: usize,
    size: usize,
    overlap: usize,
) -> impl Iterator<Item = Span> {
    let boundary = move |token: usize| starts.get(token).copied().unwrap_or(n_bytes);
    let n_tokens = starts.len();
    let last = n_tokens.saturating_sub(size);
    let step = size.saturating_sub(overlap).max(1);
    let n_windows = if n_tokens == 0 { 0 } else { last.div_ceil(step) + 1 };
    (0..n_windows).map(move |i| {
        let start = i * step;
        Span::new(boundary(start), boundary(start.saturating_add(size)))
    })
}
