//! JSON as Python's `json.dumps(…, sort_keys=True)` writes it, from Python's own objects.

use std::io::Write;

use chunkwright_parity::unstructured::json::ascii;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use sha2::{Digest, Sha256};

use crate::strings::text::encoded;

/// Containers in containers that are written here; deeper ones are left to Python, which bounds them.
const DEPTH: usize = 32;

/// Bytes of the hash that an id shows, two digits each.
const ID_BYTES: usize = 16;

/// Writes values one behind the other.
#[derive(Debug, Default)]
pub struct Json {
    /// What was written: ASCII.
    pub bytes: Vec<u8>,
}

/// An entry of a dict: its key as it is compared and written, and its value.
pub type Entry<'py> = (Bound<'py, PyString>, Bound<'py, PyAny>);

impl Json {
    /// Writes a value.
    ///
    /// # Errors
    /// Python's, if it is not JSON.
    pub fn value(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.nested(value, 0)
    }

    /// Writes what is punctuation or is known to need no escapes.
    pub fn raw(&mut self, json: &str) {
        self.bytes.extend_from_slice(json.as_bytes());
    }

    /// Writes a `str`.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn str(&mut self, text: &Bound<'_, PyString>) -> PyResult<()> {
        self.bytes.push(b'"');
        match text.to_str() {
            Ok(text) => ascii::escape(&mut self.bytes, text),
            Err(_) => self.surrogates(text)?,
        }
        self.bytes.push(b'"');
        Ok(())
    }

    /// Writes an object of `entries`, sorted by key.
    ///
    /// # Errors
    /// As for [`Json::value`].
    pub fn object<'py>(
        &mut self,
        entries: &mut [Entry<'py>],
        mut write: impl FnMut(&mut Self, &str, &Bound<'py, PyAny>) -> PyResult<()>,
    ) -> PyResult<()> {
        // As code points sort, so does their UTF-8; keys with surrogates are not sorted by Python's rule.
        entries.sort_unstable_by(|(a, _), (b, _)| {
            a.to_str().unwrap_or_default().cmp(b.to_str().unwrap_or_default())
        });
        self.raw("{");
        for (i, (key, value)) in entries.iter().enumerate() {
            self.raw(if i > 0 { ", " } else { "" });
            self.str(key)?;
            self.raw(": ");
            write(self, key.to_str().unwrap_or_default(), value)?;
        }
        self.raw("}");
        Ok(())
    }

    /// Writes an id for the thing number `i`, derived from that and its text.
    pub fn id(&mut self, i: usize, text: &str) {
        let hash =
            Sha256::new().chain_update((i as u64).to_le_bytes()).chain_update(text).finalize();
        self.raw("\"");
        ascii::hexadecimal(&mut self.bytes, &hash[..ID_BYTES]);
        self.raw("\"");
    }

    fn nested(&mut self, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<()> {
        if let Ok(text) = value.cast_exact::<PyString>() {
            return self.str(text);
        }
        if value.is_none() {
            self.raw("null");
        } else if let Ok(truth) = value.cast_exact::<PyBool>() {
            self.raw(if truth.is_true() { "true" } else { "false" });
        } else if let Ok(number) = value.cast_exact::<PyInt>() {
            self.int(number)?;
        } else if let Ok(number) = value.cast_exact::<PyFloat>() {
            self.float(number.value());
        } else if depth == DEPTH {
            self.left_to_python(value)?;
        } else if let Ok(list) = value.cast_exact::<PyList>() {
            self.array(list.iter(), depth)?;
        } else if let Ok(tuple) = value.cast_exact::<PyTuple>() {
            self.array(tuple.iter(), depth)?;
        } else if let Ok(dict) = value.cast_exact::<PyDict>() {
            self.dict(dict, depth)?;
        } else if let Some(to_dict) = value.getattr_opt("to_dict")? {
            self.nested(&to_dict.call0()?, depth + 1)?;
        } else {
            self.left_to_python(value)?;
        }
        Ok(())
    }

    fn array<'py>(
        &mut self,
        items: impl Iterator<Item = Bound<'py, PyAny>>,
        depth: usize,
    ) -> PyResult<()> {
        self.raw("[");
        for (i, item) in items.enumerate() {
            self.raw(if i > 0 { ", " } else { "" });
            self.nested(&item, depth + 1)?;
        }
        self.raw("]");
        Ok(())
    }

    fn dict(&mut self, dict: &Bound<'_, PyDict>, depth: usize) -> PyResult<()> {
        match entries(dict) {
            Some(mut entries) => {
                self.object(&mut entries, |json, _, value| json.nested(value, depth + 1))
            }
            None => self.left_to_python(dict),
        }
    }

    fn int(&mut self, number: &Bound<'_, PyInt>) -> PyResult<()> {
        match number.extract::<i64>() {
            Ok(number) => {
                // Writing to memory cannot fail.
                let _ = write!(self.bytes, "{number}");
                Ok(())
            }
            Err(_) => self.left_to_python(number),
        }
    }

    /// Writes a float: Python's shortest digits, in the notation that `repr` chooses.
    pub fn float(&mut self, number: f64) {
        ascii::float(&mut self.bytes, number);
    }

    fn surrogates(&mut self, text: &Bound<'_, PyString>) -> PyResult<()> {
        let utf16 = encoded(text, "utf-16-le")?.cast_into::<PyBytes>()?;
        for unit in utf16.as_bytes().chunks_exact(2) {
            let unit = u16::from_le_bytes([unit[0], unit[1]]);
            match char::from_u32(unit.into()).filter(char::is_ascii) {
                Some(c) => ascii::escape(&mut self.bytes, c.encode_utf8(&mut [0; 4])),
                None => ascii::escape_unit(&mut self.bytes, unit),
            }
        }
        Ok(())
    }

    fn left_to_python(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        let options = PyDict::new(py);
        options.set_item("sort_keys", true)?;
        let json = py.import("json")?.call_method("dumps", (value,), Some(&options))?;
        self.raw(json.cast::<PyString>()?.to_str()?);
        Ok(())
    }
}

/// The entries of a dict, if all of its keys are plain `str`s.
pub fn entries<'py>(dict: &Bound<'py, PyDict>) -> Option<Vec<Entry<'py>>> {
    let entry = |(key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>)| {
        let key = key.cast_into_exact::<PyString>().ok()?;
        key.to_str().is_ok().then_some((key, value))
    };
    dict.iter().map(entry).collect()
}
