//! Sizes of texts that are put together on the way, and whether they fit.

use chunkwright_text::error::Result;
use chunkwright_text::measure::ruler::Ruler;

/// What a unit says of texts that are put together.
#[derive(Clone, Copy)]
pub struct Scale<'r> {
    ruler: &'r dyn Ruler,
}

impl<'r> Scale<'r> {
    pub const fn new(ruler: &'r dyn Ruler) -> Self {
        Self { ruler }
    }

    pub const fn ruler(self) -> &'r dyn Ruler {
        self.ruler
    }

    pub fn size(self, text: &str) -> Result<usize> {
        self.ruler.size(text)
    }

    /// Size of `tail` behind `lead`, whose size is known.
    pub fn size_behind(self, lead: &str, lead_size: usize, tail: &str) -> Result<usize> {
        if lead.is_empty() {
            return self.size(tail);
        }
        if self.ruler.adds_up() && lead.ends_with('\n') {
            return Ok(lead_size + self.size(tail)?);
        }
        self.size(&[lead, tail].concat())
    }

    /// Whether the size of texts that are joined by newlines is the sum of their sizes.
    pub fn adds_up(self) -> bool {
        self.ruler.adds_up()
    }

    /// Whether `parts`, joined, have at most `max` units. Of what is far too large only the beginning is
    /// looked at, if the unit allows it: O(max).
    pub fn fits<'t>(self, parts: impl IntoIterator<Item = &'t str>, max: usize) -> Result<bool> {
        let mut text = String::new();
        let mut view = self.view(max);
        for mut part in parts {
            while text.len() + part.len() > view {
                let taken = part.floor_char_boundary(view - text.len());
                text.push_str(&part[..taken]);
                part = &part[taken..];
                if is_far_over(self.size(&text)?, max) {
                    return Ok(false);
                }
                view = view.saturating_mul(2);
            }
            text.push_str(part);
        }
        Ok(self.size(&text)? <= max)
    }

    /// Bytes that a text of more than `max` units mostly has; all if the unit wants to see the whole.
    pub fn view(self, max: usize) -> usize {
        if self.ruler.is_local() { max.saturating_mul(6).saturating_add(512) } else { usize::MAX }
    }
}

/// Whether a beginning of `size` units says that the whole has more than `max`: a token at the end may
/// become another one with what follows, but not so many.
pub const fn is_far_over(size: usize, max: usize) -> bool {
    size > max.saturating_add(max / 4).saturating_add(64)
}
