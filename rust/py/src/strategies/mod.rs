//! Cutters: strategies made of their specs, and all run alike.

pub mod batch;
mod boundary_callable;
pub mod options;
mod spec;

use std::sync::Arc;

use chunkwright_engine::cut::Cut;
use chunkwright_engine::strategies::Parts;
use chunkwright_text::cut::pieces::{Given, Pieces as CorePieces};
use chunkwright_text::cut::strategy::Cutter as CoreCutter;
use chunkwright_text::document::Document;
use chunkwright_text::elements::Element;
use chunkwright_text::markup::Markup;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use self::boundary_callable::BoundaryCallable;
use self::spec::{of_spec, spec_of};
use crate::code::Installed;
use crate::columns::Columns;
use crate::embedder::Embedder;
use crate::error::to_python;
use crate::measure::unit::Unit;
use crate::numbers::floats::Rows;
use crate::strings::sources::Source;
use crate::strings::text::Text;

/// The number of a text that could not be cut, and why.
type Failure = (usize, Py<PyAny>);

/// A strategy with all its options, and the unit that it measures in.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Cutter {
    cutter: CoreCutter,
    unit: Py<Unit>,
}

impl Cutter {
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
        self.unit().with_measure(py, text, document, |measure, pulse| {
            Ok(Cut::new(document, self.cutter.cut(document, measure, pulse)?))
        })
    }

    /// The pieces of a source.
    ///
    /// # Errors
    /// As [`Self::cut_text`].
    pub fn pieces_of_source(&self, py: Python<'_>, source: &Source) -> PyResult<CorePieces> {
        let text = source.text(py)?;
        let document = source.complete(text.document());
        self.unit().with_measure(py, &text, document, |measure, pulse| {
            self.cutter.pieces(document, measure, pulse)
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
    /// A strategy by its spec, and what stands beside that.
    ///
    /// `asked` is a callable from a list of texts, each a list of the texts of its pieces, to a list with one
    /// item for each: the numbers of the pieces that chunks begin with, ascending or not, or an exception that
    /// says why nobody knows. It is never called for no texts, nor for a text of one piece. `told` has the specs
    /// of what cuts documents that are told to be of a kind, by its number. `special_tokens` is how many a model
    /// adds to each text.
    #[new]
    #[pyo3(signature = (unit, spec, *, embedder = None, asked = None, told = Vec::new(), special_tokens = 0))]
    fn new(
        unit: Py<Unit>,
        spec: &Bound<'_, PyDict>,
        embedder: Option<&Embedder>,
        asked: Option<Py<PyAny>>,
        told: Vec<Bound<'_, PyDict>>,
        special_tokens: usize,
    ) -> PyResult<Self> {
        let grammars = || Parts { outliner: Some(Arc::new(Installed)), ..Parts::default() };
        let of_kind = |spec| spec_of(spec)?.cutter(&grammars()).map_err(to_python);
        let parts = Parts {
            embedder: embedder.map(|embedder| Arc::clone(embedder.core())),
            asked: asked.map(|asked| Arc::new(BoundaryCallable::new(asked)) as _),
            told: told.iter().map(of_kind).collect::<PyResult<_>>()?,
            special_tokens,
            ..grammars()
        };
        let cutter = spec_of(spec)?.cutter(&parts).map_err(|error| of_spec(spec, error))?;
        Ok(Self { cutter, unit })
    }

    /// Whether a caller's embedder or model is asked: better about many texts at once.
    #[getter]
    fn calls_back(&self) -> bool {
        self.cutter.calls_back()
    }

    /// The size that no chunk exceeds.
    #[getter]
    const fn hard_max(&self) -> usize {
        self.cutter.limits.hard_max()
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.cutter)
    }

    /// Phase one: the pieces of each of `sources`, of whose texts something has to be known before it is cut.
    fn pieces(
        &self,
        py: Python<'_>,
        sources: Vec<Source>,
        workers: usize,
    ) -> PyResult<Vec<Pieces>> {
        let pieces = self.pieces_of(py, &sources, workers)?;
        let both = sources.into_iter().zip(pieces);
        both.map(|(source, pieces)| Ok(Pieces { source, pieces: pieces? })).collect()
    }

    /// Phase two: the chunks of a text by what the caller knows of its `pieces`: `vectors` of their texts, or
    /// the numbers of those that chunks begin with.
    #[pyo3(signature = (pieces, *, vectors = None, starts = None))]
    fn cut_given(
        &self,
        py: Python<'_>,
        pieces: &Pieces,
        vectors: Option<&Bound<'_, PyAny>>,
        starts: Option<Vec<usize>>,
    ) -> PyResult<Columns> {
        let rows = vectors.map(Rows::of).transpose().map_err(to_python)?;
        let mut vectors = rows.map(Rows::into_vectors).transpose().map_err(to_python)?;
        let Pieces { source, pieces } = pieces;
        let text = source.text(py)?;
        let document = source.complete(text.document());
        let cut = self.unit().with_measure(py, &text, document, |measure, pulse| {
            let given = match (&mut vectors, &starts) {
                (Some(vectors), _) => Given::Vectors(&mut **vectors),
                (None, Some(starts)) => Given::Starts(starts),
                (None, None) => Given::Nothing,
            };
            let chunks = self.cutter.cut_given(document, measure, pieces, given, pulse)?;
            Ok(Cut::new(document, chunks))
        })?;
        Columns::new(py, source.clone_ref(py), cut)
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

/// Pieces of a text, between which it is cut once their texts have vectors, or are judged by a model.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Pieces {
    source: Source,
    pieces: CorePieces,
}

#[pymethods]
impl Pieces {
    /// How many there are.
    fn __len__(&self) -> usize {
        self.pieces.len()
    }

    /// The texts that something has to be known of: one a piece, or none where nobody is asked.
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyString>>> {
        let text = self.source.text(py)?;
        Ok(self.pieces.texts(text.as_str()).map(|piece| PyString::new(py, piece)).collect())
    }
}
