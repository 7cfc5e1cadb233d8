//! LangChain's splitters: texts, plans and lengths from Python, chunks back.

mod lengths;
mod output;
mod patterns;

use chunkwright_engine::pool::Pool;
use chunkwright_parity::langchain::{
    Chunk, Depth, Limits, Mark, Measured, NoPatterns, Output, Patterns, Plan, Separator, merge,
    split, windows,
};
use chunkwright_text::document::Document;
use chunkwright_text::error::Result;
use chunkwright_text::measure::{Chars, Tokens};
use chunkwright_text::offsets::count_chars;
use chunkwright_text::pulse::Pulse;
use chunkwright_text::segment::separator::Keep;
use chunkwright_text::span::Span;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::error::{named, to_python};
use crate::gate::{attached, detached};
use crate::measure::tokenizer::Tokenizer;
use crate::strings::text::{Text, with_pairs_joined};
use lengths::{CalledLength, clamped};
use patterns::Matched;

/// Chunks, and where they begin, if that was asked for.
type Found = (Py<PyList>, Option<Py<PyList>>);

/// What to split at, made once for many texts.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct LangChainPlan {
    plan: Plan,
    /// The matchers of separators that are no literals.
    matchers: Vec<Option<Py<PyAny>>>,
    glues: Vec<Py<PyString>>,
}

/// How long chunks may be, and in what unit.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct LangChainLengths {
    limits: Limits,
    chunk_size: Py<PyAny>,
    unit: Unit,
    function: Py<PyAny>,
    warn: Py<PyAny>,
}

enum Unit {
    Chars,
    Tokens(Py<Tokenizer>),
    Function,
}

/// A unit that needs no Python.
#[derive(Clone, Copy)]
enum NativeUnit<'a> {
    Chars,
    Tokens(&'a Pool),
}

#[pymethods]
impl LangChainPlan {
    /// Each separator is a pair: a literal or an object that matches, and the glue.
    #[new]
    fn new(
        separators: Vec<(Bound<'_, PyAny>, Bound<'_, PyString>)>,
        keep: &str,
        recursive: bool,
    ) -> PyResult<Self> {
        let keep = match keep {
            "start" => Keep::Start,
            "end" => Keep::End,
            _ => Keep::Drop,
        };
        let depth = if recursive { Depth::EveryLevel } else { Depth::FirstLevel };
        let (mut all, mut matchers, mut glues) = (Vec::new(), Vec::new(), Vec::new());
        for (matcher, glue) in separators {
            let literal = matcher.extract::<String>().ok();
            let mark = literal.as_deref().map_or(Mark::Pattern, Mark::literal);
            all.push(Separator::new(mark, Text::of_code_points(&glue)?.as_str().to_owned()));
            matchers.push(literal.is_none().then(|| matcher.unbind()));
            glues.push(glue.unbind());
        }
        Ok(Self { plan: Plan::new(all, keep, depth), matchers, glues })
    }

    /// The chunks of `text`; with `starts`, the code point at which each begins, too.
    fn split(
        &self,
        source: &Bound<'_, PyString>,
        lengths: &LangChainLengths,
        starts: bool,
    ) -> PyResult<Found> {
        let py = source.py();
        let text = Text::of_code_points(source)?;
        let mut output = Output::default();
        let done = self.run(source, &text, lengths, &mut output);
        lengths.warn(py, &output)?;
        done?;
        let texts = output::texts(py, &text, &self.glues, &output)?.unbind();
        let starts = if starts {
            Some(output::chars(py, &text, output.chunks.iter().map(Chunk::start))?.unbind())
        } else {
            None
        };
        Ok((texts, starts))
    }

    /// Merges pieces that follow one another in `text`; each has so many code points.
    fn merge(
        &self,
        source: &Bound<'_, PyString>,
        n_chars: Vec<usize>,
        lengths: &LangChainLengths,
    ) -> PyResult<Py<PyList>> {
        let py = source.py();
        let text = Text::of_code_points(source)?;
        let spans = consecutive(text.as_str(), n_chars);
        let mut called = CalledLength::new(&text, lengths, &self.glues, py, Depth::FirstLevel);
        let mut output = Output::default();
        let done =
            merge(text.as_str(), spans, &self.plan, lengths.limits, &mut called, &mut output);
        lengths.warn(py, &output)?;
        done.map_err(to_python)?;
        Ok(output::texts(py, &text, &self.glues, &output)?.unbind())
    }
}

/// Spans of so many code points each, one behind the other.
fn consecutive(text: &str, n_chars: Vec<usize>) -> impl Iterator<Item = Span> {
    let mut end = 0;
    n_chars.into_iter().map(move |n| {
        let start = end;
        end = chunkwright_text::offsets::skip_chars(text, start, n);
        Span::new(start, end)
    })
}

#[pymethods]
impl LangChainLengths {
    /// `unit` is a vocabulary, or True for code points, or None for what `function` says.
    #[new]
    fn new(
        chunk_size: Bound<'_, PyAny>,
        chunk_overlap: &Bound<'_, PyAny>,
        strip: bool,
        unit: Option<&Bound<'_, PyAny>>,
        function: Py<PyAny>,
        warn: Py<PyAny>,
    ) -> PyResult<Self> {
        let unit = match unit {
            None => Unit::Function,
            Some(unit) => unit
                .cast::<Tokenizer>()
                .map_or(Unit::Chars, |tokenizer| Unit::Tokens(tokenizer.clone().unbind())),
        };
        let (size, overlap) = (clamped(&chunk_size)?, clamped(chunk_overlap)?);
        let limits = Limits { chunk_size: size, chunk_overlap: overlap, strip };
        Ok(Self { limits, chunk_size: chunk_size.unbind(), unit, function, warn })
    }
}

impl LangChainLengths {
    /// How `source` is measured without Python, if it can be: tokens of surrogates are the function's
    /// business.
    fn native(&self, source: &Bound<'_, PyString>) -> Option<NativeUnit<'_>> {
        match &self.unit {
            Unit::Chars => Some(NativeUnit::Chars),
            Unit::Tokens(tokenizer) if source.to_str().is_ok() => {
                tokenizer.get().pool().map(NativeUnit::Tokens)
            }
            _ => None,
        }
    }

    fn warn(&self, py: Python<'_>, output: &Output) -> PyResult<()> {
        for &total in &output.oversizes {
            self.warn.call1(py, (total,))?;
        }
        Ok(())
    }
}

impl LangChainPlan {
    fn run(
        &self,
        source: &Bound<'_, PyString>,
        text: &Text<'_>,
        lengths: &LangChainLengths,
        output: &mut Output,
    ) -> PyResult<()> {
        let (py, plan, limits) = (source.py(), &self.plan, lengths.limits);
        let mut matched = Matched::new(text, &self.matchers, py);
        let Some(unit) = lengths.native(source) else {
            let mut called = CalledLength::new(text, lengths, &self.glues, py, plan.depth());
            return attached(py, |pulse| {
                split(text.as_str(), plan, limits, &mut called, &mut matched, pulse, output)
            });
        };
        let work = Native { document: text.document(), unit, limits, plan };
        if plan.has_patterns() {
            attached(py, |pulse| work.split(&mut matched, pulse, output))
        } else {
            detached(py, |pulse| work.split(&mut NoPatterns, pulse, output))
        }
    }
}

/// A text that is measured without Python.
struct Native<'a> {
    document: Document<'a>,
    unit: NativeUnit<'a>,
    limits: Limits,
    plan: &'a Plan,
}

impl Native<'_> {
    fn split(
        &self,
        patterns: &mut impl Patterns,
        pulse: Pulse<'_>,
        output: &mut Output,
    ) -> Result<()> {
        let &Self { document, unit, limits, plan } = self;
        let text = document.text();
        if let NativeUnit::Tokens(pool) = unit {
            let index = pool.with(|encoder| encoder.index(text, pulse))?;
            let count = |glue: &str| pool.with(|encoder| encoder.count(glue, pulse));
            let mut sizes = Measured::new(Tokens::new(text, &index), plan, count);
            split(text, plan, limits, &mut sizes, patterns, pulse, output)
        } else {
            let count = |glue: &str| Ok(count_chars(glue.as_bytes()));
            let mut sizes = Measured::new(Chars::new(document), plan, count);
            split(text, plan, limits, &mut sizes, patterns, pulse, output)
        }
    }
}

/// Windows of `size` tokens, `overlap` tokens repeated, as tiktoken decodes them; and the code points
/// in which they begin, unless the text has surrogates.
#[pyfunction]
pub fn langchain_windows(
    source: &Bound<'_, PyString>,
    tokenizer: &Bound<'_, Tokenizer>,
    size: usize,
    overlap: usize,
) -> PyResult<Found> {
    let py = source.py();
    let is_other = || named("ConfigError", "windows are of tokens that begin in the text".into());
    let pool = tokenizer.get().pool().ok_or_else(is_other)?;
    let has_starts = source.to_str().is_ok();
    let source = with_pairs_joined(source)?;
    let text = Text::of_code_points(&source)?;
    let utf8 = text.as_str();
    let spans: Vec<Span> = detached(py, |pulse| {
        let starts = pool.with(|encoder| encoder.token_starts(utf8, pulse))?;
        Ok(windows(&starts, utf8.len(), size, overlap).collect())
    })?;
    let starts = spans.iter().map(|span| utf8.floor_char_boundary(span.start));
    let starts = if has_starts { Some(output::chars(py, &text, starts)?.unbind()) } else { None };
    Ok((output::decoded(py, &text, &spans)?.unbind(), starts))
}
