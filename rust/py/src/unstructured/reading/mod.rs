//! Elements read from Python's objects and dicts, and the core's table of them.

pub mod core_table;
mod errors;
pub mod input_elements;
pub mod kinds;
pub mod nesting;
mod page_numbers;
pub mod reader;
