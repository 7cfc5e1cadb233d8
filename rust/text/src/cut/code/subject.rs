//! Subject of each chunk of source code: what definition holds it.

use std::sync::Arc;

use super::lines::Lines;
use crate::chunks::Chunks;
use crate::span::Span;
use crate::subject::{Subject, Symbol};
use crate::syntax::code::languages::{CodeLanguage, GUESSED};
use crate::syntax::code::lines::{LineKind, Lines as CodeLines, is_closing};
use crate::syntax::code::outline::Outline;
use crate::unicode::space::{skip_space, trim_end};

/// Tells what chunks of one text are about.
pub(super) struct Subjects<'a> {
    pub text: &'a str,
    pub outline: &'a Outline,
    pub lines: &'a Lines,
    pub language: Option<&'static CodeLanguage>,
}

impl Subjects<'_> {
    /// Says it of each chunk. O(chunks log definitions + definitions).
    pub(super) fn tell(&self, chunks: &mut Chunks) {
        let mut subjects: Vec<Arc<Subject>> = Vec::with_capacity(chunks.len());
        for i in 0..chunks.len() {
            let body = chunks.body(i);
            let start = skip_space(self.text, body.start).min(body.end);
            let own = self.of(Span::new(start, without_closers(self.text, start, body.end)));
            let same = subjects.last().filter(|last| ***last == own).map(Arc::clone);
            subjects.push(same.unwrap_or_else(|| Arc::new(own)));
        }
        chunks.set_subjects(subjects.into_iter());
    }

    fn of(&self, body: Span) -> Subject {
        let definitions = &self.outline.definitions;
        let first = definitions.partition_point(|of| of.span.start < body.start);
        // What is brought in is no place to be in, and says little of a chunk that holds more.
        let is_place = |number: &usize| definitions[*number].symbol != Symbol::Import;
        let begun =
            first..first + definitions[first..].partition_point(|of| of.span.start < body.end);
        let begun = begun.clone().find(is_place).or((!begun.is_empty()).then_some(first));
        let holder = self.holder(body, first);
        let holder = holder.and_then(|number| self.outline.path(number).find(is_place));
        let is_function = |number: &usize| {
            matches!(definitions[*number].symbol, Symbol::Function | Symbol::Method)
        };
        let named = holder.filter(is_function).or(begun).or(holder);
        Subject {
            scope: holder.map(|number| self.outline.scope(number)).unwrap_or_default().into(),
            name: named.map(|number| definitions[number].name.clone()).unwrap_or_default(),
            symbol: named
                .map(|number| definitions[number].symbol)
                .or_else(|| self.is_comment(body).then_some(Symbol::Comment)),
            language: self.language.map_or("", |language| language.name).into(),
        }
    }

    /// Whether there is nothing but comments.
    fn is_comment(&self, body: Span) -> bool {
        let language = self.language.unwrap_or(&GUESSED);
        let is_comment =
            |kind| matches!(kind, LineKind::Blank | LineKind::Comment | LineKind::BlockComment);
        CodeLines::new(&self.text[body.range()], language).all(|line| is_comment(line.kind))
    }

    /// The innermost definition that holds all of `body` with what stands above it; `first` is the first that begins
    /// in or behind it.
    fn holder(&self, body: Span, first: usize) -> Option<usize> {
        let definitions = &self.outline.definitions;
        let holds = |number: &usize| {
            self.lines.outer(*number) <= body.start && body.end <= definitions[*number].span.end
        };
        let mut found = (first < definitions.len()).then_some(first).filter(holds);
        if let Some(outer) = found {
            // Of those that begin at one place the innermost.
            let start = definitions[outer].span.start;
            let same =
                (outer..definitions.len()).take_while(|&i| definitions[i].span.start == start);
            found = same.filter(holds).last();
        }
        found.or_else(|| self.outline.holding(body))
    }
}

/// The end of `start..end` without the lines at its end that close what is around it, such as `}` of a class behind the
/// rest of its last method; all of it, if it says nothing else.
fn without_closers(text: &str, start: usize, end: usize) -> usize {
    let mut upto = end;
    while let Some(feed) = text[start..upto].rfind('\n').map(|at| start + at) {
        if !is_closing(text[feed..upto].trim_start()) {
            return upto;
        }
        upto = trim_end(text, start, feed);
    }
    if is_closing(text[start..upto].trim_start()) { end } else { upto }
}
