//! Readers of conversations: captions, messages in JSON and transcripts, each turn of a speaker an element.
//!
//! Captions and messages are written anew, `Name: words` a turn, since their sources are no text to be read. Of a
//! transcript the text is the source itself, and a turn is the lines that it stands on. What speaks, when, and where
//! the text names it, is in [`Read::turns`](chunkwright_text::read::Read::turns).

pub mod captions;
pub mod clock;
pub mod messages;
pub mod transcript;
mod written;
