//! Page numbers of any type, as numbers.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Gives values that are equal the same number.
pub struct PageNumbers<'py> {
    /// Values that are no integers of 64 bits, with their numbers.
    others: Bound<'py, PyDict>,
}

impl<'py> PageNumbers<'py> {
    /// No values are known yet.
    pub fn new(py: Python<'py>) -> Self {
        Self { others: PyDict::new(py) }
    }

    /// The number of `page`: itself if it is an integer, else one that no page has.
    ///
    /// # Errors
    /// If the value cannot be compared.
    pub fn number(&self, page: &Bound<'py, PyAny>) -> PyResult<i64> {
        if let Ok(number) = page.extract::<i64>() {
            return Ok(number);
        }
        if let Some(number) = self.others.get_item(page)? {
            return number.extract();
        }
        // A float that is an integer equals it.
        let whole = page.call_method0("__index__").or_else(|_| page.call_method0("__int__"));
        let number = match whole.and_then(|whole| Ok((whole.eq(page)?, whole.extract::<i64>()?))) {
            Ok((true, number)) => number,
            _ => i64::MIN + i64::try_from(self.others.len()).unwrap_or(i64::MAX),
        };
        self.others.set_item(page, number)?;
        Ok(number)
    }
}
