//! Payloads of chunks in dicts: the elements that they are made of, as JSON, compressed, in base64.

use std::iter::once;
use std::mem::take;

use chunkwright_parity::unstructured::json::payload::{Deflater, WINDOW};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::element_json::Writer;
use crate::gate::detached;

/// Makes the payloads of one chunk after another. They are compressed many at once, without the GIL: so other
/// threads go on in most of the time that writing dicts takes.
pub struct Payloads<'py> {
    py: Python<'py>,
    writer: Writer<'py>,
    /// Where the JSON of each payload ends that is not compressed yet.
    ends: Vec<usize>,
    /// The metadata that waits for a payload, and for which.
    holders: Vec<(usize, Bound<'py, PyDict>)>,
    deflater: Deflater,
}

impl<'py> Payloads<'py> {
    /// Has made nothing yet.
    pub fn new(py: Python<'py>) -> Self {
        let (ends, holders) = (Vec::new(), Vec::new());
        Self { py, writer: Writer::new(py), ends, holders, deflater: Deflater::default() }
    }

    /// Begins the payload of a chunk that is made of `items`: dicts, or objects.
    ///
    /// # Errors
    /// If one of them is not JSON, and those of signals.
    pub fn begin<'a>(
        &mut self,
        items: impl Iterator<Item = (usize, &'a Bound<'py, PyAny>, &'a Bound<'py, PyDict>)>,
        are_dicts: bool,
    ) -> PyResult<()>
    where
        'py: 'a,
    {
        if self.writer.json.bytes.len() >= WINDOW {
            self.finish()?;
        }
        self.writer.array(items, are_dicts)?;
        self.ends.push(self.writer.json.bytes.len());
        Ok(())
    }

    /// Has the payload that was begun last put into `fields`, where its place is kept.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn keep(&mut self, fields: &Bound<'py, PyDict>) -> PyResult<()> {
        fields.set_item(pyo3::intern!(self.py, "orig_elements"), self.py.None())?;
        self.holders.push((self.ends.len() - 1, fields.clone()));
        Ok(())
    }

    /// Compresses what was begun, and puts it where it is kept.
    ///
    /// # Errors
    /// Those of signals.
    pub fn finish(&mut self) -> PyResult<()> {
        let (json, ends, deflater) = (&self.writer.json.bytes, &self.ends, &mut self.deflater);
        let payloads = detached(self.py, |pulse| {
            let starts = once(0).chain(ends.iter().copied());
            starts
                .zip(ends)
                .map(|(start, &end)| {
                    let mut payload = String::new();
                    deflater.add(&mut payload, &json[start..end], pulse)?;
                    Ok(payload)
                })
                .collect()
        });
        let payloads: Vec<String> = payloads?;
        let payloads: Vec<_> = payloads.iter().map(|text| PyString::new(self.py, text)).collect();
        for (payload, fields) in take(&mut self.holders) {
            fields.set_item(pyo3::intern!(self.py, "orig_elements"), &payloads[payload])?;
        }
        self.writer.json.bytes.clear();
        self.ends.clear();
        Ok(())
    }
}
