//! Metadata of a chunk, made from those of its elements.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySet, PyString, PyTuple};

use super::fields::Names;
use chunkwright_parity::unstructured::fields::{
    FILE_DIRECTORY, FILENAME, Field, N_KEPT, Rule, rule,
};

/// The values of the fields of a chunk's metadata, in their order; those that it lacks are missing.
pub type Values<'py> = Vec<(Field, Bound<'py, PyAny>)>;

/// Collects the metadata of one chunk after another.
pub struct Consolidator<'py> {
    py: Python<'py>,
    names: &'static Names,
    /// For each field that is kept: its values, or the first one only.
    values: [Vec<Bound<'py, PyAny>>; N_KEPT],
    /// What the last file name became: many elements have the same.
    last_file: Option<File<'py>>,
}

/// A file's directory and name as given, and as they are kept.
struct File<'py> {
    given: [Option<Bound<'py, PyAny>>; 2],
    kept: [Option<Bound<'py, PyAny>>; 2],
}

impl<'py> Consolidator<'py> {
    /// Nothing is collected yet.
    pub fn new(py: Python<'py>) -> Self {
        let values = std::array::from_fn(|_| Vec::new());
        Self { py, names: Names::get(py), values, last_file: None }
    }

    /// The names of the fields.
    pub const fn names(&self) -> &'static Names {
        self.names
    }

    /// Adds the metadata of the next element of the chunk.
    pub fn add(&mut self, metadata: &Bound<'py, PyDict>) {
        for (name, value) in metadata {
            let Some(field) = self.names.field(&name) else { continue };
            let rule = rule(field);
            if rule == Rule::Drop || value.is_none() {
                continue;
            }
            let values = &mut self.values[field];
            if rule != Rule::First || values.is_empty() {
                values.push(value);
            }
        }
    }

    /// The metadata of the chunk; the next one begins.
    ///
    /// # Errors
    /// What Python says of values that are not of the type that their field has.
    pub fn finish(&mut self) -> PyResult<Values<'py>> {
        let mut all = Values::new();
        for field in 0..N_KEPT {
            let value = match field {
                FILE_DIRECTORY => self.file()?,
                FILENAME => {
                    self.values[FILENAME].clear();
                    self.last_file.as_ref().and_then(|file| file.kept[1].clone())
                }
                field => self.one(field)?,
            };
            all.extend(value.map(|value| (field, value)));
        }
        Ok(all)
    }

    /// The one value of `field`.
    fn one(&mut self, field: Field) -> PyResult<Option<Bound<'py, PyAny>>> {
        let values = &mut self.values[field];
        if values.is_empty() {
            return Ok(None);
        }
        let value = match rule(field) {
            Rule::Concatenate => concatenated(self.py, values),
            Rule::Union => union(self.py, values),
            Rule::Join => joined(self.py, values),
            Rule::Merge => merged(self.py, values),
            Rule::First | Rule::Drop => return Ok(values.pop()),
        };
        values.clear();
        value.map(Some)
    }

    /// The directory that is kept; the name is remembered for the next field.
    fn file(&mut self) -> PyResult<Option<Bound<'py, PyAny>>> {
        let given = [self.values[FILE_DIRECTORY].pop(), self.values[FILENAME].pop()];
        let is_last = self.last_file.as_ref().is_some_and(|last| {
            let mut pairs = last.given.iter().zip(&given);
            pairs.all(|pair| match pair {
                (Some(last), Some(given)) => last.is(given),
                (last, given) => last.is_none() && given.is_none(),
            })
        });
        if !is_last {
            let kept = file_kept(self.py, given.each_ref().map(Option::as_ref))?;
            self.last_file = Some(File { given, kept });
        }
        Ok(self.last_file.as_ref().and_then(|file| file.kept[0].clone()))
    }
}

/// A file's directory and name: the name loses its own directory, which counts if none is given.
fn file_kept<'py>(
    py: Python<'py>,
    [directory, name]: [Option<&Bound<'py, PyAny>>; 2],
) -> PyResult<[Option<Bound<'py, PyAny>>; 2]> {
    let (mut of_name, mut name) = (None, name.cloned());
    if let Some(path) = name.as_ref().filter(|name| !is_bare(name)) {
        let os = py.import("os")?;
        let path = if path.is_truthy()? {
            os.call_method1("fspath", (path,))?
        } else {
            return kept(directory.cloned(), None);
        };
        let parts = os.getattr("path")?.call_method1("split", (path,))?;
        of_name = Some(parts.get_item(0)?);
        name = Some(parts.get_item(1)?);
    }
    let directory = match directory {
        Some(directory) if directory.is_truthy()? => Some(directory.clone()),
        _ => of_name,
    };
    kept(directory, name)
}

/// What of the two is not empty.
fn kept<'py>(
    directory: Option<Bound<'py, PyAny>>,
    name: Option<Bound<'py, PyAny>>,
) -> PyResult<[Option<Bound<'py, PyAny>>; 2]> {
    let unless_empty = |value: Option<Bound<'py, PyAny>>| match value {
        Some(value) if value.is_truthy()? => Ok::<_, PyErr>(Some(value)),
        _ => Ok(None),
    };
    Ok([unless_empty(directory)?, unless_empty(name)?])
}

/// Whether a file's name is a name and nothing else, on any system.
fn is_bare(name: &Bound<'_, PyAny>) -> bool {
    let name = name.cast::<PyString>().ok().and_then(|name| name.to_str().ok());
    name.is_some_and(|name| !name.is_empty() && !name.contains(['/', '\\', ':']))
}

/// The items of all lists.
fn concatenated<'py>(py: Python<'py>, lists: &[Bound<'py, PyAny>]) -> PyResult<Bound<'py, PyAny>> {
    let all = PyList::empty(py);
    for list in lists {
        let items = list.cast::<PyList>()?;
        for item in items {
            all.append(item)?;
        }
    }
    Ok(all.into_any())
}

/// The items of all lists, each once, in the order in which they come first.
fn union<'py>(py: Python<'py>, lists: &[Bound<'py, PyAny>]) -> PyResult<Bound<'py, PyAny>> {
    if let [list] = lists
        && let Ok(list) = list.cast_exact::<PyList>()
        && list.len() == 1
    {
        let item = list.get_item(0)?;
        item.hash()?;
        return Ok(PyList::new(py, [item])?.into_any());
    }
    let seen = PyDict::new(py);
    for list in lists {
        for item in list.try_iter()? {
            seen.set_item(item?, py.None())?;
        }
    }
    Ok(seen.keys().into_any())
}

/// The texts without whitespace around them, a blank between two.
fn joined<'py>(py: Python<'py>, texts: &[Bound<'py, PyAny>]) -> PyResult<Bound<'py, PyAny>> {
    let strip = pyo3::intern!(py, "strip");
    let texts: PyResult<Vec<_>> = texts.iter().map(|text| text.call_method0(strip)).collect();
    PyString::intern(py, " ").call_method1("join", (PyList::new(py, texts?)?,))
}

/// Lists of records by key: under each key those of all, each once.
fn merged<'py>(py: Python<'py>, all: &[Bound<'py, PyAny>]) -> PyResult<Bound<'py, PyAny>> {
    let (merged, seen) = (PyDict::new(py), PyDict::new(py));
    for records_by_key in all {
        for pair in records_by_key.call_method0("items")?.try_iter()? {
            let (key, records): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
            if !merged.contains(&key)? {
                merged.set_item(&key, PyList::empty(py))?;
                seen.set_item(&key, PySet::empty(py)?)?;
            }
            let (kept, known) = (merged.as_any().get_item(&key)?, seen.as_any().get_item(&key)?);
            add_new(kept.cast()?, known.cast()?, &records)?;
        }
    }
    Ok(merged.into_any())
}

/// Adds those of `records` to `kept` whose fields and values are not `known` yet.
fn add_new<'py>(
    kept: &Bound<'py, PyList>,
    known: &Bound<'py, PySet>,
    records: &Bound<'py, PyAny>,
) -> PyResult<()> {
    for record in records.try_iter()? {
        let record = record?;
        let fields = PyList::empty(kept.py());
        fields.call_method1("extend", (record.call_method0("items")?,))?;
        fields.sort()?;
        let identity = PyTuple::new(kept.py(), fields)?;
        if !known.contains(&identity)? {
            known.add(&identity)?;
            kept.append(record)?;
        }
    }
    Ok(())
}
