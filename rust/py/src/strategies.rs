//! Strategies: each is made by a function of its name, and all are run alike.

use std::sync::Arc;

use chunkwright_core::cut::by_kind::ByKind;
use chunkwright_core::cut::elements::{ElementStrategy, Packing, Starts};
use chunkwright_core::cut::hierarchical::Hierarchy;
use chunkwright_core::cut::line_based::Lining;
use chunkwright_core::cut::recursive::Recursion;
use chunkwright_core::cut::sentence::Sentencing;
use chunkwright_core::cut::strategy::{Cutter as CoreCutter, Strategy};
use chunkwright_core::document::Document;
use chunkwright_core::elements::Element;
use chunkwright_core::markup::Markup;
use chunkwright_core::options::{Limits as CoreLimits, OverlapAt};
use chunkwright_core::segment::separator::{Keep, Separator};
use chunkwright_engine::cut::Cut;
use pyo3::prelude::*;

use crate::columns::Columns;
use crate::embedder::Embedder;
use crate::error::{named, to_python};
use crate::semantic;
use crate::sentences::known;
use crate::sources::Source;
use crate::text::Text;
use crate::unit::Unit;

/// Checked limits, and where an overlap may begin.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Limits {
    limits: CoreLimits,
    overlap_at: OverlapAt,
}

#[pymethods]
impl Limits {
    #[new]
    #[pyo3(signature = (hard_max, soft_max, overlap, overlap_at, language, min_size = 0))]
    fn new(
        hard_max: usize,
        soft_max: Option<usize>,
        overlap: usize,
        overlap_at: &str,
        language: &str,
        min_size: usize,
    ) -> PyResult<Self> {
        let limits = CoreLimits::new(hard_max, soft_max, overlap);
        let limits = limits.and_then(|limits| limits.with_min_size(min_size)).map_err(to_python)?;
        let overlap_at = match overlap_at {
            "word" => OverlapAt::Word,
            "sentence" => OverlapAt::Sentence(known(language).map_err(to_python)?),
            "any" => OverlapAt::Any,
            other => return Err(named("ConfigError", format!("unknown overlap_at {other:?}"))),
        };
        Ok(Self { limits, overlap_at })
    }
}

/// Separators, compiled: each is its text, whether that is a regular expression, and where it goes.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Separators {
    separators: Vec<Separator>,
}

#[pymethods]
impl Separators {
    #[new]
    fn new(separators: Vec<(String, bool, String)>) -> PyResult<Self> {
        let compile = |(text, is_regex, keep): (String, bool, String)| {
            let keep = match keep.as_str() {
                "start" => Keep::Start,
                "end" => Keep::End,
                "drop" => Keep::Drop,
                other => return Err(named("ConfigError", format!("unknown keep {other:?}"))),
            };
            let separator = if is_regex { Separator::pattern } else { Separator::literal };
            separator(&text, keep).map_err(to_python)
        };
        Ok(Self { separators: separators.into_iter().map(compile).collect::<PyResult<_>>()? })
    }
}

/// The number of a text that could not be cut, and why.
type Failure = (usize, Py<PyAny>);

/// A strategy with all its options, and the unit that it measures in.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Cutter {
    cutter: CoreCutter,
    unit: Py<Unit>,
}

impl Cutter {
    fn new(strategy: Strategy, unit: Py<Unit>, limits: &Limits) -> Self {
        let Limits { limits, overlap_at } = *limits;
        Self { cutter: CoreCutter { strategy, limits, overlap_at }, unit }
    }

    /// What is counted in.
    pub fn unit(&self) -> &Unit {
        self.unit.get()
    }

    /// What is done, to be measured by anybody.
    pub const fn core(&self) -> &CoreCutter {
        &self.cutter
    }

    /// Cuts one text.
    ///
    /// # Errors
    /// Those of a caller's counter, and of signals.
    pub fn cut_text(
        &self,
        py: Python<'_>,
        text: &Text<'_>,
        elements: Option<&[Element]>,
        markup: Markup,
    ) -> PyResult<Cut> {
        let document = text.document().written_in(markup);
        let document = elements.map_or(document, |elements| document.with_elements(elements));
        self.cut_document(py, text, document)
    }

    fn cut_document(
        &self,
        py: Python<'_>,
        text: &Text<'_>,
        document: Document<'_>,
    ) -> PyResult<Cut> {
        self.unit().with_measure(py, text, |measure, pulse| {
            Ok(Cut::new(document, self.cutter.cut(document, measure, pulse)?))
        })
    }

    /// The chunks of a source.
    ///
    /// # Errors
    /// As [`Self::cut_text`].
    pub fn cut_source(&self, py: Python<'_>, source: &Source) -> PyResult<Cut> {
        let text = source.text(py)?;
        self.cut_document(py, &text, source.complete(text.document()))
    }
}

#[pymethods]
impl Cutter {
    /// Whether a caller's embedder or model is asked: better about many texts at once.
    #[getter]
    fn calls_back(&self) -> bool {
        self.cutter.calls_back()
    }

    /// Cuts at the strongest separator within reach; what the `markup` has is kept together. Documents that are
    /// known to be Markdown are cut at those of `markdown`, if they are given.
    #[staticmethod]
    fn recursive(
        unit: Py<Unit>,
        limits: &Limits,
        separators: &Separators,
        markup: &str,
        repeat_headers: bool,
        markdown: Option<&Separators>,
    ) -> PyResult<Self> {
        let markup = match markup {
            "text" => Markup::Unknown,
            "markdown" => Markup::Markdown,
            "rst" => Markup::Rst,
            "code" => Markup::Code,
            other => return Err(named("ConfigError", format!("unknown markup {other:?}"))),
        };
        let separators = separators.separators.clone();
        let markdown = markdown.map(|own| own.separators.clone());
        let options = Recursion { separators, markdown, markup, repeat_headers };
        Ok(Self::new(Strategy::Recursive(options), unit, limits))
    }

    /// Cuts between sentences: as many to a chunk as fit, or `sentences`, with `window` more on each side.
    #[staticmethod]
    fn sentence(
        unit: Py<Unit>,
        limits: &Limits,
        language: &str,
        sentences: Option<usize>,
        window: usize,
    ) -> PyResult<Self> {
        let language = known(language).map_err(to_python)?;
        let strategy = Strategy::Sentence(Sentencing { language, sentences, window });
        Ok(Self::new(strategy, unit, limits))
    }

    /// Cuts into chunks of even sizes at strong boundaries.
    #[staticmethod]
    fn balanced(
        unit: Py<Unit>,
        limits: &Limits,
        language: &str,
        repeat_headers: bool,
    ) -> PyResult<Self> {
        let language = known(language).map_err(to_python)?;
        Ok(Self::new(Strategy::Balanced { language, repeat_headers }, unit, limits))
    }

    /// Cuts between elements, of which as many as fit are one chunk.
    #[staticmethod]
    #[pyo3(signature = (
        unit, limits, *, starts, multipage = true, embedder = None, threshold = 0.0, overlap_all,
        combine_under = 0, isolate_tables, skip_tables, repeat_headers
    ))]
    #[allow(
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        reason = "named in Python"
    )]
    fn elements(
        unit: Py<Unit>,
        limits: &Limits,
        starts: &str,
        multipage: bool,
        embedder: Option<&Embedder>,
        threshold: f64,
        overlap_all: bool,
        combine_under: usize,
        isolate_tables: bool,
        skip_tables: bool,
        repeat_headers: bool,
    ) -> PyResult<Self> {
        let starts = match (starts, embedder) {
            ("nowhere", _) => Starts::Nowhere,
            ("titles", _) => Starts::Titles { multipage },
            ("pages", _) => Starts::Pages,
            ("similarity", Some(embedder)) => {
                Starts::Similarity { embedder: Arc::clone(embedder.core()), threshold }
            }
            (other, _) => return Err(named("ConfigError", format!("unknown starts {other:?}"))),
        };
        let packing = Packing {
            overlap_all,
            overlap_over_starts: matches!(starts, Starts::Nowhere | Starts::Titles { .. }),
            combine_under,
            isolate_tables,
            skip_tables,
            repeat_headers,
        };
        let strategy = Strategy::Elements(ElementStrategy { starts, packing });
        Ok(Self::new(strategy, unit, limits))
    }

    /// Cuts between elements under their headings.
    #[staticmethod]
    #[pyo3(signature = (
        unit, limits, *, merge_peers, merge_list_items, repeat_headings, always_emit_headings,
        repeat_headers, omit_header_on_overflow
    ))]
    #[allow(
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        reason = "named in Python"
    )]
    fn hierarchical(
        unit: Py<Unit>,
        limits: &Limits,
        merge_peers: bool,
        merge_list_items: bool,
        repeat_headings: bool,
        always_emit_headings: bool,
        repeat_headers: bool,
        omit_header_on_overflow: bool,
    ) -> Self {
        let strategy = Strategy::Hierarchical(Hierarchy {
            merge_peers,
            merge_list_items,
            repeat_headings,
            always_emit_headings,
            repeat_headers,
            omit_header_on_overflow,
        });
        Self::new(strategy, unit, limits)
    }

    /// Cuts JSON between items and members.
    #[staticmethod]
    fn json(unit: Py<Unit>, limits: &Limits) -> Self {
        Self::new(Strategy::Json, unit, limits)
    }

    /// Cuts YAML between the entries of its block collections.
    #[staticmethod]
    fn yaml(unit: Py<Unit>, limits: &Limits) -> Self {
        Self::new(Strategy::Yaml, unit, limits)
    }

    /// Cuts each document as its kind wants: by `elements` what has some, by `told` what is said to be of one
    /// of these, by `json` what is JSON, and by `text` all else, and what is not what it was said to be.
    #[staticmethod]
    #[pyo3(signature = (unit, limits, *, elements, json, told, text))]
    fn by_kind(
        unit: Py<Unit>,
        limits: &Limits,
        elements: &Self,
        json: &Self,
        told: Vec<Py<Self>>,
        text: &Self,
    ) -> Self {
        let told = told.iter().map(|cutter| cutter.get().cutter.clone()).collect();
        let [elements, json, text] = [elements, json, text].map(|each| each.cutter.clone());
        let kinds = ByKind { elements, json, told, text };
        Self::new(Strategy::ByKind(Box::new(kinds)), unit, limits)
    }

    /// Cuts into windows as long as the limit allows.
    #[staticmethod]
    fn window(unit: Py<Unit>, limits: &Limits) -> Self {
        Self::new(Strategy::Window, unit, limits)
    }

    /// Cuts between lines, the first of which are repeated.
    #[staticmethod]
    #[pyo3(signature = (unit, limits, *, header_lines, omit_header_on_overflow))]
    fn line_based(
        unit: Py<Unit>,
        limits: &Limits,
        header_lines: usize,
        omit_header_on_overflow: bool,
    ) -> Self {
        let lining = Lining { header_lines, omit_header_on_overflow };
        Self::new(Strategy::LineBased(lining), unit, limits)
    }

    /// Cuts where neighbouring windows of sentences differ by more than a threshold.
    #[staticmethod]
    #[pyo3(signature = (unit, limits, embedder, language, *, window, threshold, amount, min_size))]
    #[allow(clippy::too_many_arguments, reason = "named in Python")]
    fn kamradt(
        unit: Py<Unit>,
        limits: &Limits,
        embedder: &Embedder,
        language: &str,
        window: usize,
        threshold: &str,
        amount: f64,
        min_size: usize,
    ) -> PyResult<Self> {
        let threshold = (threshold, amount);
        let strategy = semantic::kamradt(embedder, language, window, threshold, min_size)?;
        Ok(Self::new(strategy, unit, limits))
    }

    /// The same between small pieces, the threshold searched for chunks of a size.
    #[staticmethod]
    #[pyo3(signature = (unit, limits, embedder, language, *, piece_max, window, target, size))]
    #[allow(clippy::too_many_arguments, reason = "named in Python")]
    fn kamradt_modified(
        unit: Py<Unit>,
        limits: &Limits,
        embedder: &Embedder,
        language: &str,
        piece_max: usize,
        window: usize,
        target: &str,
        size: usize,
    ) -> PyResult<Self> {
        let target = (target, size);
        let strategy = semantic::kamradt_modified(embedder, language, piece_max, window, target)?;
        Ok(Self::new(strategy, unit, limits))
    }

    /// Cuts into the groups of small pieces that have most in common.
    #[staticmethod]
    #[pyo3(signature = (unit, limits, embedder, language, *, piece_max, mean, parity))]
    fn cluster(
        unit: Py<Unit>,
        limits: &Limits,
        embedder: &Embedder,
        language: &str,
        piece_max: usize,
        mean: &str,
        parity: Option<usize>,
    ) -> PyResult<Self> {
        let strategy = semantic::cluster(embedder, language, piece_max, mean, parity)?;
        Ok(Self::new(strategy, unit, limits))
    }

    /// Cuts between sentences where what is before differs most from what is behind.
    #[staticmethod]
    #[pyo3(signature = (unit, limits, embedder, language, *, window))]
    fn discontinuity(
        unit: Py<Unit>,
        limits: &Limits,
        embedder: &Embedder,
        language: &str,
        window: usize,
    ) -> PyResult<Self> {
        let strategy = semantic::discontinuity(embedder, language, window)?;
        Ok(Self::new(strategy, unit, limits))
    }

    /// Cuts between small pieces where `asked` says.
    ///
    /// That is a callable from a list of texts, each a list of the texts of its pieces, to a list with one item
    /// for each: the numbers of the pieces that chunks begin with, ascending or not, or an exception that says
    /// why nobody knows. It is never called for no texts, nor for a text of one piece.
    #[staticmethod]
    #[pyo3(signature = (unit, limits, asked, language, *, piece_max, sentence_max))]
    fn given(
        unit: Py<Unit>,
        limits: &Limits,
        asked: Py<PyAny>,
        language: &str,
        piece_max: usize,
        sentence_max: usize,
    ) -> PyResult<Self> {
        let strategy = semantic::given(asked, language, piece_max, sentence_max)?;
        Ok(Self::new(strategy, unit, limits))
    }

    /// The chunks of one text, which may have elements.
    fn cut(&self, py: Python<'_>, source: Source) -> PyResult<Columns> {
        let cut = self.cut_source(py, &source)?;
        Columns::new(py, source, cut)
    }

    /// The chunks of all `sources`, and for each that failed its number and error, if these are to be
    /// collected.
    fn cut_all(
        &self,
        py: Python<'_>,
        sources: Vec<Source>,
        workers: usize,
        collects: bool,
    ) -> PyResult<(Columns, Vec<Failure>)> {
        let (mut cuts, mut errors) = (Vec::with_capacity(sources.len()), Vec::new());
        for (i, cut) in self.cuts(py, &sources, workers, collects)?.into_iter().enumerate() {
            cuts.push(match cut {
                Ok(cut) => cut,
                Err(error) if !collects => return Err(error),
                Err(error) => {
                    errors.push((i, error.into_value(py).into_any()));
                    Cut { chunks: self.cutter.nothing(), ..Cut::default() }
                }
            });
        }
        Ok((Columns::of_many(py, sources, cuts.into_iter())?, errors))
    }

    /// The chunks of each of `sources`, or its error; up to the first error unless these are to be
    /// collected.
    fn cut_each<'py>(
        &self,
        py: Python<'py>,
        sources: Vec<Source>,
        workers: usize,
        collects: bool,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut each = Vec::with_capacity(sources.len());
        let cuts = self.cuts(py, &sources, workers, collects)?;
        for (source, cut) in sources.into_iter().zip(cuts) {
            let is_last = cut.is_err() && !collects;
            each.push(match cut {
                Ok(cut) => Bound::new(py, Columns::new(py, source, cut)?)?.into_any(),
                Err(error) => error.into_value(py).into_bound(py).into_any(),
            });
            if is_last {
                break;
            }
        }
        Ok(each)
    }
}
