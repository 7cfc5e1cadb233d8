//! Embedders: the core's own, or a callable of the caller's.

use std::sync::Arc;

use chunkwright_engine::unit::Unit;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;
use chunkwright_text::vectors::statics::{Pooling, TokenIds};
use chunkwright_text::vectors::{
    Dense, Embedded, Embedder as CoreEmbedder, Lexical, Static, room_for,
};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::error::{ending, named, to_core, to_python};
use crate::gate::detached;
use crate::measure::tokenizer::Tokenizer;
use crate::numbers::floats::Rows;
use crate::numbers::matrix::Matrix;
use crate::strings::text::Text;

/// Whoever gives texts their vectors; any thread may ask it.
#[pyclass(frozen, module = "chunkwright._core")]
pub struct Embedder {
    core: Arc<dyn CoreEmbedder>,
}

impl Embedder {
    fn of(core: impl CoreEmbedder + 'static) -> Self {
        Self { core: Arc::new(core) }
    }

    /// The core's part.
    pub fn core(&self) -> &Arc<dyn CoreEmbedder> {
        &self.core
    }
}

#[pymethods]
impl Embedder {
    /// Hashed TF-IDF, fitted on the texts of each call, or with the weights of others. Needs no Python.
    #[staticmethod]
    #[pyo3(signature = (dimensions, weights=None))]
    fn lexical(dimensions: usize, weights: Option<Vec<f32>>) -> PyResult<Self> {
        let lexical = Lexical::new(dimensions).map_err(to_python)?;
        match weights {
            None => Ok(Self::of(lexical)),
            Some(weights) => lexical.fitted(weights).map(Self::of).map_err(to_python),
        }
    }

    /// What hashed TF-IDF weighs at each place among texts.
    #[staticmethod]
    fn lexical_weights(
        py: Python<'_>,
        dimensions: usize,
        texts: Vec<Bound<'_, PyString>>,
    ) -> PyResult<Vec<f32>> {
        let lexical = Lexical::new(dimensions).map_err(to_python)?;
        let texts: Vec<Text<'_>> = texts.iter().map(Text::of).collect::<PyResult<_>>()?;
        let texts: Vec<&str> = texts.iter().map(Text::as_str).collect();
        detached(py, |pulse| lexical.weights(&texts, pulse))
    }

    /// The means of vectors of tokens, which are rows of 32-bit floats: read where they are, so nobody must
    /// write to them. Needs no Python, unless the tokenizer is a callable from `str` to ids.
    #[staticmethod]
    #[pyo3(
        name = "static",
        signature = (
            tokenizer, vectors, *, weights, mapping, unknown, max_tokens, normalize, max_chars=None
        )
    )]
    #[allow(clippy::too_many_arguments, reason = "named in Python")]
    fn of_tokens(
        tokenizer: &Bound<'_, PyAny>,
        vectors: &Bound<'_, PyAny>,
        weights: Option<Vec<f64>>,
        mapping: Option<Vec<usize>>,
        unknown: Option<u32>,
        max_tokens: Option<usize>,
        normalize: bool,
        max_chars: Option<usize>,
    ) -> PyResult<Self> {
        let rows = match Rows::of(vectors).map_err(to_python)? {
            Rows::F32(rows) => rows,
            Rows::F64(_) => {
                let message = "vectors of tokens must be float32, got float64";
                return Err(named("ConfigError", message.into()));
            }
        };
        let [_, n_dims] = rows.shape();
        let pooling = Pooling { weights, mapping, unknown, max_chars, max_tokens, normalize };
        let embedder = if let Ok(tokenizer) = tokenizer.cast::<Tokenizer>() {
            let tokens = Tokens(tokenizer.get().native().clone());
            Static::new(tokens, rows, n_dims, pooling).map(Self::of)
        } else {
            let tokens = CalledTokens(tokenizer.clone().unbind());
            Static::new(tokens, rows, n_dims, pooling).map(Self::of)
        };
        embedder.map_err(to_python)
    }

    /// What `embed` gives, a callable from a list of `str` to a matrix with a row for each.
    ///
    /// It is asked by whatever thread needs vectors, never for no texts. The matrix is read where it is, after
    /// the call: nobody must write to it then. It may be asked by several threads at once; if it is not
    /// `concurrent`, that helps nobody.
    #[staticmethod]
    #[pyo3(signature = (embed, *, concurrent=false))]
    fn called(embed: Py<PyAny>, concurrent: bool) -> Self {
        Self::of(CalledEmbedder { embed, concurrent })
    }

    /// The vectors of texts.
    fn embed(&self, py: Python<'_>, texts: Vec<Bound<'_, PyString>>) -> PyResult<Matrix> {
        let texts: Vec<Text<'_>> = texts.iter().map(Text::of).collect::<PyResult<_>>()?;
        let texts: Vec<&str> = texts.iter().map(Text::as_str).collect();
        detached(py, |pulse| {
            let vectors = self.core.embed(&texts, pulse)?;
            let (n, n_dims) = (vectors.len(), vectors.n_dims());
            let mut values = room_for(n, n_dims)?;
            (0..n).for_each(|i| vectors.push_row(i, &mut values));
            Ok(Matrix::new(values, n_dims))
        })
    }
}

/// The tokens of a tokenizer that needs no Python.
#[derive(Debug)]
struct Tokens(Unit);

impl TokenIds for Tokens {
    fn ids(&self, text: &str, pulse: Pulse<'_>) -> Result<Vec<u32>> {
        self.0.encode(text, pulse)
    }
}

/// The ids that a callable gives.
#[derive(Debug)]
struct CalledTokens(Py<PyAny>);

impl TokenIds for CalledTokens {
    fn ids(&self, text: &str, pulse: Pulse<'_>) -> Result<Vec<u32>> {
        pulse()?;
        Python::try_attach(|py| {
            let ids = self.0.bind(py).call1((text,)).map_err(to_core)?;
            ids.extract().map_err(to_core)
        })
        .unwrap_or_else(|| Err(ending()))
    }
}

/// A callable.
#[derive(Debug)]
struct CalledEmbedder {
    embed: Py<PyAny>,
    concurrent: bool,
}

impl CoreEmbedder for CalledEmbedder {
    fn embed<'t>(&self, texts: &[&'t str], pulse: Pulse<'_>) -> Result<Embedded<'t>> {
        if texts.is_empty() {
            return Ok(Box::new(Dense::new(Vec::<f32>::new(), 0)?));
        }
        pulse()?;
        let rows =
            Python::try_attach(|py| self.call(py, texts)).unwrap_or_else(|| Err(ending()))?;
        rows.into_vectors()
    }

    fn calls_back(&self) -> bool {
        true
    }

    fn is_concurrent(&self) -> bool {
        self.concurrent
    }
}

impl CalledEmbedder {
    /// What the callable gives, a row for each text.
    fn call(&self, py: Python<'_>, texts: &[&str]) -> Result<Rows> {
        let list = PyList::new(py, texts).map_err(to_core)?;
        let given = self.embed.bind(py).call1((list,)).map_err(to_core)?;
        let rows = Rows::of(&given)?;
        let (n, [n_rows, _]) = (texts.len(), rows.shape());
        if n_rows != n {
            return Err(Error::Model(format!("the embedder gave {n_rows} vectors for {n} texts")));
        }
        Ok(rows)
    }
}
