//! Merging of small pieces into chunks that overlap by whole pieces.

use std::collections::VecDeque;

use super::plan::{Limits, Plan};
use super::{Chunk, JoinedPart, Output, Sizes};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::is_space;

/// A piece of the chunk that is being filled.
#[derive(Clone, Copy)]
struct Member {
    span: Span,
    size: f64,
    /// In the text, too, the glue and nothing else stands between it and the piece before.
    adjoins: bool,
}

/// The chunk that is being filled.
pub(super) struct Merger<'a> {
    text: &'a str,
    plan: &'a Plan,
    limits: Limits,
    separator: usize,
    /// Sizes of the separators' glue, as far as they were asked for.
    glue_sizes: Vec<Option<f64>>,
    members: VecDeque<Member>,
    /// Members after the first that do not adjoin.
    gaps: usize,
    total: f64,
}

impl<'a> Merger<'a> {
    pub(super) fn new(text: &'a str, plan: &'a Plan, limits: Limits) -> Self {
        Self {
            text,
            plan,
            limits,
            separator: 0,
            glue_sizes: vec![None; plan.len()],
            members: VecDeque::new(),
            gaps: 0,
            total: 0.0,
        }
    }

    /// Pieces that follow stood around separator number `separator`. Returns the size of its glue.
    pub(super) fn join_by(&mut self, separator: usize, sizes: &mut impl Sizes) -> Result<f64> {
        self.separator = separator;
        if let Some(size) = self.glue_sizes[separator] {
            return Ok(size);
        }
        let size = sizes.glue(separator)?;
        self.glue_sizes[separator] = Some(size);
        Ok(size)
    }

    /// Adds a piece; closes the chunk before if it would grow too large.
    #[inline]
    pub(super) fn push(
        &mut self,
        span: Span,
        size: f64,
        glue: f64,
        output: &mut Output,
    ) -> Result<()> {
        if self.exceeds(size, glue) {
            self.make_room(size, glue, output)?;
        }
        let adjoins = self.adjoins(span);
        self.gaps += usize::from(!adjoins);
        self.members.push_back(Member { span, size, adjoins });
        self.total += size + if self.members.len() > 1 { glue } else { 0.0 };
        Ok(())
    }

    /// Closes the last chunk.
    #[inline]
    pub(super) fn finish(&mut self, output: &mut Output) {
        if !self.members.is_empty() {
            output.chunks.extend(self.chunk());
            self.members.clear();
        }
        self.gaps = 0;
        self.total = 0.0;
    }

    /// Whether another piece of this size is too much.
    #[inline]
    fn exceeds(&self, size: f64, glue: f64) -> bool {
        let glue = if self.members.is_empty() { 0.0 } else { glue };
        self.total + size + glue > self.limits.chunk_size
    }

    /// Closes the chunk and keeps of it what may be repeated.
    fn make_room(&mut self, size: f64, glue: f64, output: &mut Output) -> Result<()> {
        if self.total > self.limits.chunk_size {
            output.oversizes.push(self.total);
        }
        if self.members.is_empty() {
            return Ok(());
        }
        output.chunks.extend(self.chunk());
        while self.total > self.limits.chunk_overlap
            || (self.exceeds(size, glue) && self.total > 0.0)
        {
            self.pop(glue)?;
        }
        Ok(())
    }

    /// Takes the first piece out. Fractional sizes can leave a total when no piece is left: there
    /// LangChain fails, and so does this.
    fn pop(&mut self, glue: f64) -> Result<()> {
        let Some(first) = self.members.pop_front() else {
            return Err(Error::Position("list index out of range".into()));
        };
        self.total -= first.size + if self.members.is_empty() { 0.0 } else { glue };
        if let Some(next) = self.members.front_mut()
            && !next.adjoins
        {
            next.adjoins = true;
            self.gaps -= 1;
        }
        Ok(())
    }

    #[inline]
    fn adjoins(&self, span: Span) -> bool {
        let Some(last) = self.members.back() else { return true };
        let glue = self.plan.glue(self.separator);
        if glue.is_empty() {
            return last.span.end == span.start;
        }
        let between = self.text.as_bytes().get(last.span.end..span.start);
        // U+FFFD may stand for a lone surrogate of the caller's text: equal here, not there.
        between == Some(glue.as_bytes()) && !glue.contains('\u{fffd}')
    }

    /// The members as a chunk, unless nothing is left of them.
    fn chunk(&self) -> Option<Chunk> {
        let (first, last) = (self.members.front()?, self.members.back()?);
        if self.gaps > 0 {
            return self.joined();
        }
        let span = Span::new(first.span.start, last.span.end);
        let span = if self.limits.strip { trim(self.text, span) } else { span };
        (!span.is_empty()).then_some(Chunk::Slice(span))
    }

    fn joined(&self) -> Option<Chunk> {
        let mut parts = self.parts();
        let mut start = self.members.front()?.span.start;
        if self.limits.strip {
            start = self.strip_start(&mut parts)?;
            self.strip_end(&mut parts);
        }
        match parts[..] {
            [JoinedPart::Text(span)] => Some(Chunk::Slice(span)),
            _ => Some(Chunk::Joined { start, parts }),
        }
    }

    fn parts(&self) -> Vec<JoinedPart> {
        let mut parts: Vec<JoinedPart> = Vec::with_capacity(2 * self.gaps + 1);
        let glue = Span::new(0, self.plan.glue(self.separator).len());
        for (i, member) in self.members.iter().enumerate() {
            match parts.last_mut() {
                Some(JoinedPart::Text(span)) if member.adjoins => span.end = member.span.end,
                _ => {
                    if i > 0 && !glue.is_empty() {
                        parts.push(JoinedPart::Glue(self.separator, glue));
                    }
                    parts.push(JoinedPart::Text(member.span));
                }
            }
        }
        parts
    }

    /// Strips the start; returns where in the text the rest begins, if there is one.
    fn strip_start(&self, parts: &mut Vec<JoinedPart>) -> Option<usize> {
        let first = parts.iter().position(|&part| !self.trimmed(part).is_empty())?;
        let start = match self.trimmed(parts[first]) {
            JoinedPart::Text(span) => span.start,
            // Glue stands for the separator behind the piece that was stripped away.
            JoinedPart::Glue(_, span) => match (parts[first - 1], parts[first + 1]) {
                (JoinedPart::Text(before), JoinedPart::Text(after))
                    if before.end <= after.start =>
                {
                    after.start.min(before.end + span.start)
                }
                (_, JoinedPart::Text(after)) => after.start,
                _ => return None,
            },
        };
        parts.drain(..first);
        parts[0] =
            self.trimmed_by(parts[0], |text, span| Span::new(trim(text, span).start, span.end));
        Some(start)
    }

    fn strip_end(&self, parts: &mut Vec<JoinedPart>) {
        while parts.last().is_some_and(|&part| self.trimmed(part).is_empty()) {
            parts.pop();
        }
        if let Some(last) = parts.last_mut() {
            *last =
                self.trimmed_by(*last, |text, span| Span::new(span.start, trim(text, span).end));
        }
    }

    fn trimmed(&self, part: JoinedPart) -> JoinedPart {
        self.trimmed_by(part, trim)
    }

    fn trimmed_by(&self, part: JoinedPart, by: impl Fn(&str, Span) -> Span) -> JoinedPart {
        match part {
            JoinedPart::Text(span) => JoinedPart::Text(by(self.text, span)),
            JoinedPart::Glue(separator, span) => {
                JoinedPart::Glue(separator, by(self.plan.glue(separator), span))
            }
        }
    }
}

impl JoinedPart {
    const fn is_empty(self) -> bool {
        match self {
            Self::Text(span) | Self::Glue(_, span) => span.is_empty(),
        }
    }
}

/// `span` without the whitespace at both ends.
fn trim(text: &str, span: Span) -> Span {
    let rest = text[span.range()].trim_start_matches(is_space);
    let start = span.end - rest.len();
    Span::new(start, start + rest.trim_end_matches(is_space).len())
}
