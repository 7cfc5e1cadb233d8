//! Source of the header rows that lead a table: only they are ever repeated.

use super::lexer::Attribute;
use super::write::{self, Verbatim};
use crate::span::Span;

/// Writes down rows until one is no header.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The rows, one behind the other.
    pub written: String,
    state: State,
    start: usize,
    writer: Verbatim,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// All rows so far are headers, and none is open.
    #[default]
    Between,
    Row,
    /// A row has ended; a text behind it belongs to it.
    Tail,
    /// A row was no header.
    Done,
}

impl Sources {
    /// A row begins, which [`Sources::open`] is told too.
    pub fn begin_row(&mut self) {
        if matches!(self.state, State::Between | State::Tail) {
            self.state = State::Row;
            self.start = self.written.len();
        }
    }

    /// An element begins.
    pub fn open(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        self.end_tail();
        if self.state == State::Row {
            self.writer.open(&mut self.written, name, attributes);
        }
    }

    /// An element ends.
    pub fn close(&mut self, name: &str) {
        self.end_tail();
        if self.state == State::Row {
            self.writer.close(&mut self.written, name);
        }
    }

    /// The row has ended: where it is, without the text behind it.
    pub fn end_row(&mut self, is_header: bool) -> Span {
        if self.state != State::Row {
            return Span::default();
        }
        if !is_header {
            self.state = State::Done;
            self.written.truncate(self.start);
            return Span::default();
        }
        self.state = State::Tail;
        Span::new(self.start, self.written.len())
    }

    /// A text; whether it belongs to the row that ended before it.
    pub fn text(&mut self, text: &str) -> bool {
        match self.state {
            State::Row => self.writer.text(&mut self.written, text),
            State::Tail => write::push_text(&mut self.written, text),
            State::Between | State::Done => {}
        }
        self.state == State::Tail
    }

    /// A comment.
    pub fn comment(&mut self, text: &str) {
        self.end_tail();
        if self.state == State::Row {
            self.writer.comment(&mut self.written, text);
        }
    }

    fn end_tail(&mut self) {
        if self.state == State::Tail {
            self.state = State::Between;
        }
    }
}
