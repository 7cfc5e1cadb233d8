//! A cut of a changed text that keeps the chunks of the old one where the text is untouched.
//!
//! Old chunks are looked for in the new text; what stands between those that are still there is cut anew, so new
//! chunks are bounded by what was edited, whatever cuts them. The result depends on the old chunks, the new text and
//! the options alone. Who cuts asks for the windows in between and hands in what was cut:
//!
//! | step | function |
//! |---|---|
//! | which old chunks stand in the new text, and where | [`untouched`] |
//! | which of them may stay beside a cut of the whole text | [`beside`] |
//! | what is to be cut between them | [`windows`] |
//! | chunks of a window from a cut of the window, or of the whole text | [`cut_alone`], [`clipped`] |
//! | both in order, with overlaps that lie in the chunk before | [`merged`] |

mod chunk;
mod joins;
mod limit;
mod overlaps;
#[cfg(test)]
mod tests;
mod untouched;
mod version;
mod windows;

pub use chunk::Chunk;
pub use limit::Limit;
pub use overlaps::{Overlaps, merged};
pub use untouched::{Kept, untouched};
pub use version::{Version, Window};
pub use windows::{beside, clipped, cut_alone, windows};
