//! Near-duplicates among texts for Python.

use chunkwright_search::contradiction::{self as core, Assertions, Kind};
use chunkwright_search::minhash::{
    N_HASHES, Shingles, Signature, candidates, near_duplicates as links,
};
use chunkwright_text::error::Error;
use chunkwright_text::pulse::Beat;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::error::to_python;
use crate::gate::detached;
use crate::strings::text::Utf8;

/// Bytes of a hash.
const HASH_BYTES: usize = 4;

/// The signature of each text, 512 bytes each; those of texts that contradict each other agree in nothing if they
/// are to be kept apart.
#[pyfunction]
#[pyo3(signature = (texts, *, keeps_apart=false))]
pub fn minhash_signatures(
    py: Python<'_>,
    texts: Vec<Py<PyString>>,
    keeps_apart: bool,
) -> PyResult<Vec<Bound<'_, PyBytes>>> {
    let texts = borrowed(py, &texts)?;
    let signatures: Vec<Vec<u8>> = detached(py, |pulse| {
        let beat = Beat::of_bytes(pulse);
        let signature = |text: &Utf8<'_>| {
            let text = text.document().text();
            let salt = if keeps_apart { Assertions::of(text, &beat)?.fingerprint() } else { 0 };
            let signature = Shingles::of(text, &beat)?.salted(salt).signature();
            Ok(signature.iter().flat_map(|hash| hash.to_le_bytes()).collect())
        };
        texts.iter().map(signature).collect()
    })?;
    Ok(signatures.iter().map(|bytes| PyBytes::new(py, bytes)).collect())
}

/// Pairs of signatures whose texts may be alike, the second one from `first_new` on.
#[pyfunction]
pub fn minhash_candidates(
    py: Python<'_>,
    signatures: Vec<Bound<'_, PyBytes>>,
    threshold: f64,
    first_new: usize,
) -> PyResult<Vec<(usize, usize)>> {
    let read: Result<Vec<Signature>, Error> = signatures
        .iter()
        .enumerate()
        .map(|(i, bytes)| {
            signature_of(bytes.as_bytes()).ok_or_else(|| {
                let (wanted, got) = (N_HASHES * HASH_BYTES, bytes.as_bytes().len());
                let message = format!("signature {i} must have {wanted} bytes, got {got}");
                Error::option("signatures", message)
            })
        })
        .collect();
    let signatures = read.map_err(to_python)?;
    detached(py, |pulse| candidates(&signatures, threshold, first_new, pulse))
}

/// Links between texts that are alike: numbers of both, and the similarity.
#[pyfunction]
pub fn near_duplicates(
    py: Python<'_>,
    texts: Vec<Py<PyString>>,
    threshold: f64,
) -> PyResult<Vec<(usize, usize, f64)>> {
    let texts = borrowed(py, &texts)?;
    detached(py, |pulse| {
        let texts: Vec<&str> = texts.iter().map(|text| text.document().text()).collect();
        let links = links(&texts, threshold, pulse)?;
        Ok(links.into_iter().map(|link| (link.first, link.second, link.similarity)).collect())
    })
}

/// How alike two texts are.
#[pyfunction]
pub fn jaccard_similarity(py: Python<'_>, a: Py<PyString>, b: Py<PyString>) -> PyResult<f64> {
    let (a, b) = (Utf8::of(py, &a)?, Utf8::of(py, &b)?);
    detached(py, |pulse| {
        let beat = Beat::of_bytes(pulse);
        let a = Shingles::of(a.document().text(), &beat)?;
        Ok(a.similarity(&Shingles::of(b.document().text(), &beat)?))
    })
}

/// What two texts that are alike differ in so that one may not stand for the other; nothing if it may.
#[pyfunction]
pub fn contradiction(
    py: Python<'_>,
    a: Py<PyString>,
    b: Py<PyString>,
) -> PyResult<Option<&'static str>> {
    let (a, b) = (Utf8::of(py, &a)?, Utf8::of(py, &b)?);
    detached(py, |pulse| {
        let beat = Beat::of_bytes(pulse);
        let a = Assertions::of(a.document().text(), &beat)?;
        let b = Assertions::of(b.document().text(), &beat)?;
        Ok(a.contradiction(&b).map(Kind::name))
    })
}

/// The abbreviations before numbers that are spelt as negations.
#[pyfunction]
pub fn numberings(py: Python<'_>, text: Py<PyString>) -> PyResult<Vec<String>> {
    let text = Utf8::of(py, &text)?;
    detached(py, |_| Ok(core::numberings(text.document().text())))
}

fn borrowed<'a>(py: Python<'_>, texts: &'a [Py<PyString>]) -> PyResult<Vec<Utf8<'a>>> {
    texts.iter().map(|text| Utf8::of(py, text)).collect()
}

fn signature_of(bytes: &[u8]) -> Option<Signature> {
    let hashes: Option<Vec<u32>> =
        bytes.chunks(HASH_BYTES).map(|hash| hash.try_into().ok().map(u32::from_le_bytes)).collect();
    hashes?.try_into().ok()
}
