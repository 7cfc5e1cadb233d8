//! Header cells that span rows: their texts, repeated in the rows below.

use std::collections::BTreeMap;

use super::measured::Measured;
use chunkwright_text::error::Result;
use chunkwright_text::span::Span;

/// Texts that reach into the rows below theirs, in the order they began.
#[derive(Default)]
pub struct Standing {
    texts: Vec<(usize, Span)>,
    /// Code points and number of the texts by the last row they reach.
    expiring: BTreeMap<usize, [usize; 2]>,
    n_chars: usize,
    n_texts: usize,
    /// The size of the last row that said nothing itself, as long as nothing changes.
    unchanged: Option<usize>,
}

impl Standing {
    /// The size of what stands in `row`: what reaches into it, then its own texts.
    ///
    /// # Errors
    /// Those of the ruler.
    pub fn size(&mut self, table: &Measured<'_>, row: usize) -> Result<usize> {
        self.expire(row);
        let own = table.texts(row..row + 1);
        if table.counts_chars {
            let n_own = table.n_chars(own) + usize::from(!own.is_empty());
            return Ok((self.n_chars + self.n_texts + n_own).saturating_sub(1));
        }
        if own.is_empty()
            && let Some(size) = self.unchanged
        {
            return Ok(size);
        }
        let texts = self.texts.iter().map(|&(_, text)| text).chain([own]);
        let texts: Vec<&str> =
            texts.map(|text| table.str(text)).filter(|t| !t.is_empty()).collect();
        let size = table.ruler.size(&texts.join(" "))?;
        self.unchanged = own.is_empty().then_some(size);
        Ok(size)
    }

    fn expire(&mut self, row: usize) {
        while let Some(entry) = self.expiring.first_entry() {
            if *entry.key() >= row {
                return;
            }
            let [n_chars, n_texts] = entry.remove();
            self.n_chars -= n_chars;
            self.n_texts -= n_texts;
            self.texts.retain(|&(last, _)| last >= row);
            self.unchanged = None;
        }
    }

    /// Adds a text of `row` that reaches down to `last`.
    pub fn add(&mut self, table: &Measured<'_>, text: Span, row: usize, last: usize) {
        if last <= row {
            return;
        }
        let n_chars = table.n_chars(text);
        let [chars, texts] = self.expiring.entry(last).or_default();
        *chars += n_chars;
        *texts += 1;
        self.n_chars += n_chars;
        self.n_texts += 1;
        self.unchanged = None;
        if !table.counts_chars {
            self.texts.push((last, text));
        }
    }
}
