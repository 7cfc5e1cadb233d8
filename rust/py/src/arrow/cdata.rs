//! Arrow's C structures as their producer filled them, checked before anything is read through them.
//!
//! What the C data interface cannot tell stays unchecked: how large a buffer is, whether a pointer leads
//! anywhere, and which of two types with the same number of buffers was meant.
#![allow(unsafe_code, reason = "Arrow's C data interface is one of pointers")]

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_data::{BufferSpec, layout};
use arrow_schema::DataType;
use chunkwright_engine::arrow_table::checks::nested;

/// Why a structure cannot be read.
pub type Checked = Result<(), String>;

/// Types nest no deeper; Arrow's own files have the same limit.
const MAX_DEPTH: usize = 64;
/// No schema has more types, nested ones included.
const MAX_TYPES: usize = 1 << 20;
/// No buffer has more bytes: the address space ends there.
const MAX_BYTES: u64 = 1 << 48;

/// `ArrowArray` of the C data interface, whose fields arrow keeps to itself.
#[repr(C)]
struct CArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
    children: *const *const Self,
    dictionary: *const Self,
    release: *const c_void,
    private_data: *const c_void,
}

/// `ArrowSchema` of the C data interface.
#[repr(C)]
struct CSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *const *const Self,
    dictionary: *const Self,
    release: *const c_void,
    private_data: *const c_void,
}

const _: () = assert!(size_of::<CArray>() == size_of::<FFI_ArrowArray>());
const _: () = assert!(size_of::<CSchema>() == size_of::<FFI_ArrowSchema>());

/// Checks that a type can be read from `schema`.
///
/// # Errors
/// What is wrong with it.
pub fn check_schema(schema: &FFI_ArrowSchema) -> Checked {
    // SAFETY: both are the structure of the C data interface.
    let schema = unsafe { &*ptr::from_ref(schema).cast::<CSchema>() };
    schema.check(0, &mut 0)
}

/// Checks that an array can be one of type `kind`: its counts, its pointers and the ends of its offsets.
///
/// # Errors
/// What is wrong with it.
pub fn check_array(array: &FFI_ArrowArray, kind: &DataType) -> Checked {
    // SAFETY: both are the structure of the C data interface.
    let array = unsafe { &*ptr::from_ref(array).cast::<CArray>() };
    array.check(kind)
}

/// The bytes of an offset, if the first buffer holds offsets: one more than there are rows.
const fn offset_bytes(kind: &DataType) -> Option<usize> {
    match kind {
        DataType::Utf8 | DataType::Binary | DataType::List(_) | DataType::Map(..) => Some(4),
        DataType::LargeUtf8 | DataType::LargeBinary | DataType::LargeList(_) => Some(8),
        _ => None,
    }
}

/// The structures that a pointer to `n` pointers leads to.
///
/// # Safety
/// What is not null must lead somewhere.
unsafe fn each<'a, T>(pointers: *const *const T, n: i64, what: &str) -> Result<Vec<&'a T>, String> {
    let n_wanted = usize::try_from(n).map_err(|_| format!("it has {n} {what}"))?;
    if n_wanted == 0 {
        return Ok(Vec::new());
    }
    if pointers.is_null() || n_wanted > MAX_TYPES {
        return Err(format!("it has {n} {what}, but no pointer to them"));
    }
    let one = |i| {
        // SAFETY: the producer says that there are so many, and the caller that they can be read.
        let one = unsafe { ptr::read_unaligned(pointers.add(i)).as_ref() };
        one.ok_or_else(|| format!("number {i} of its {n} {what} is null"))
    };
    (0..n_wanted).map(one).collect()
}

impl CSchema {
    fn check(&self, depth: usize, n_types: &mut usize) -> Checked {
        *n_types += 1;
        if depth > MAX_DEPTH || *n_types > MAX_TYPES {
            return Err(format!("types are nested more than {MAX_DEPTH} deep, or too many"));
        }
        let format = c_str(self.format, "format")?.ok_or("a type has no format")?;
        c_str(self.name, "name")?;
        // SAFETY: the capsule's producer has filled the schema.
        let children = unsafe { each(self.children, self.n_children, "child types") }?;
        let n_needed = match format.get(..2).unwrap_or(format) {
            "+l" | "+L" | "+v" | "+m" | "+w" => Some(1),
            "+r" => Some(2),
            _ => None,
        };
        if let Some(n_needed) = n_needed.filter(|n| *n != children.len()) {
            let n_children = children.len();
            return Err(format!("type {format:?} has {n_needed} child types, got {n_children}"));
        }
        // SAFETY: as above.
        let dictionary = unsafe { self.dictionary.as_ref() };
        children.into_iter().chain(dictionary).try_for_each(|c| c.check(depth + 1, n_types))
    }
}

/// A string of a schema, if there is one.
fn c_str<'a>(string: *const c_char, what: &str) -> Result<Option<&'a str>, String> {
    if string.is_null() {
        return Ok(None);
    }
    // SAFETY: the capsule's producer has filled the schema.
    let string = unsafe { CStr::from_ptr(string) };
    let string = string.to_str().map_err(|_| format!("the {what} {string:?} is not UTF-8"))?;
    Ok(Some(string))
}

impl CArray {
    fn check(&self, kind: &DataType) -> Checked {
        let n_rows = self.n_rows()?;
        self.check_buffers(kind, n_rows)?;
        self.check_children(kind, n_rows)
    }

    /// Rows that the buffers must have: those in front of the array and its own.
    fn n_rows(&self) -> Result<u64, String> {
        let Self { length, offset, null_count, .. } = *self;
        let (Ok(n), Ok(start)) = (u64::try_from(length), u64::try_from(offset)) else {
            return Err(format!("it has the length {length} and the offset {offset}"));
        };
        // All null is what an array of type null says, -1 that nobody has counted.
        if !(-1..=length).contains(&null_count) {
            return Err(format!("it has {null_count} nulls in {length} rows"));
        }
        // Both are below 2^63.
        Ok(n + start)
    }

    fn check_buffers(&self, kind: &DataType, n_rows: u64) -> Checked {
        let layout = layout(if let DataType::Dictionary(key, _) = kind { key } else { kind });
        let first = usize::from(layout.can_contain_null_mask);
        let n_needed = first + layout.buffers.len() + usize::from(layout.variadic);
        let n = usize::try_from(self.n_buffers).unwrap_or(usize::MAX);
        let too_many = if layout.variadic { n > MAX_TYPES } else { n > n_needed };
        if n < n_needed || too_many {
            let n = self.n_buffers;
            return Err(format!("an array of type {kind} has {n_needed} buffers, got {n}"));
        }
        if n > 0 && self.buffers.is_null() {
            return Err(format!("it has {n} buffers, but no pointer to them"));
        }
        if first == 1 && self.null_count > 0 && self.buffer(0).is_null() {
            return Err(format!("it has {} nulls, but no validity bitmap", self.null_count));
        }
        for (i, spec) in layout.buffers.iter().enumerate() {
            let n_bytes = self.needed(kind, spec, (first, i), n_rows)?;
            self.check_buffer(first + i, n_bytes)?;
        }
        if layout.variadic { self.check_variadic(n_needed - 1, n) } else { Ok(()) }
    }

    /// The bytes that a buffer must have at least.
    fn needed(
        &self,
        kind: &DataType,
        spec: &BufferSpec,
        (first, i): (usize, usize),
        n_rows: u64,
    ) -> Result<u64, String> {
        match spec {
            BufferSpec::FixedWidth { byte_width, .. } => {
                let n_values = n_rows + u64::from(i == 0 && offset_bytes(kind).is_some());
                Ok(n_values.saturating_mul(*byte_width as u64))
            }
            BufferSpec::BitMap => Ok(n_rows.div_ceil(8)),
            // It holds what the offsets, in the buffer before, say.
            BufferSpec::VariableWidth => self.last_offset(kind, first, n_rows),
            BufferSpec::AlwaysNull => Ok(0),
        }
    }

    fn check_buffer(&self, i: usize, n_bytes: u64) -> Checked {
        if n_bytes > MAX_BYTES {
            return Err(format!("buffer {i} would have {n_bytes} bytes"));
        }
        if n_bytes > 0 && self.buffer(i).is_null() {
            return Err(format!("buffer {i} of {n_bytes} bytes is null"));
        }
        Ok(())
    }

    /// The last offset in the buffer number `i`, which the first one does not exceed.
    fn last_offset(&self, kind: &DataType, i: usize, n_rows: u64) -> Result<u64, String> {
        let Some(n_bytes) = offset_bytes(kind).filter(|_| n_rows > 0) else { return Ok(0) };
        let offsets = self.buffer(i);
        if !offsets.addr().is_multiple_of(n_bytes) {
            return Err(format!("buffer {i}, of offsets, is not aligned to {n_bytes} bytes"));
        }
        let at = |row: u64| {
            // `check_buffer` has seen that they fit into the address space.
            let row = usize::try_from(row).unwrap_or(usize::MAX);
            // SAFETY: the producer says that there is one more than rows.
            unsafe {
                match n_bytes {
                    4 => i64::from(*offsets.cast::<i32>().add(row)),
                    _ => *offsets.cast::<i64>().add(row),
                }
            }
        };
        // The offset is not negative, and `n_rows` includes it.
        let (start, end) = (at(self.offset.cast_unsigned()), at(n_rows));
        match u64::try_from(end) {
            Ok(last) if (0..=end).contains(&start) => Ok(last),
            _ => Err(format!("its offsets lead from {start} to {end}")),
        }
    }

    /// The buffers of a column of views from `first` on, of which the last has the lengths of the others.
    fn check_variadic(&self, first: usize, n: usize) -> Checked {
        let lengths = self.buffer(n - 1);
        if n - 1 > first && (lengths.is_null() || !lengths.addr().is_multiple_of(size_of::<i64>()))
        {
            return Err(format!("buffer {}, of lengths, is null or not aligned", n - 1));
        }
        (first..n - 1).try_for_each(|i| {
            // SAFETY: there is a length for each of these buffers.
            let length = unsafe { *lengths.cast::<i64>().add(i - first) };
            let n_bytes = u64::try_from(length);
            let n_bytes = n_bytes.map_err(|_| format!("buffer {i} has the length {length}"))?;
            self.check_buffer(i, n_bytes)
        })
    }

    fn check_children(&self, kind: &DataType, n_rows: u64) -> Checked {
        // SAFETY: the producer has filled the array.
        let children = unsafe { each(self.children, self.n_children, "children") }?;
        let kinds = nested(kind);
        if children.len() != kinds.len() {
            return Err(counted(kind, children.len(), kinds.len()));
        }
        // SAFETY: as above.
        match (unsafe { self.dictionary.as_ref() }, kind) {
            (Some(values), DataType::Dictionary(_, value)) => {
                values.check(value).map_err(|error| format!("the dictionary: {error}"))?;
            }
            (None, DataType::Dictionary(..)) => return Err("its dictionary is missing".to_owned()),
            (Some(_), _) => return Err(format!("an array of type {kind} has no dictionary")),
            (None, _) => {}
        }
        let children = children.into_iter().zip(kinds).enumerate();
        for (i, (child, of_kind)) in children {
            let named = |error| match kind {
                DataType::Struct(fields) => format!("column {:?}: {error}", fields[i].name()),
                _ => format!("its child {i}: {error}"),
            };
            child.check(of_kind).map_err(named)?;
            let n_own = child.length.cast_unsigned();
            if matches!(kind, DataType::Struct(_)) && n_own < n_rows {
                return Err(named(format!("it has {n_own} rows of {n_rows}")));
            }
        }
        Ok(())
    }

    fn buffer(&self, i: usize) -> *const c_void {
        // SAFETY: `i` is below `n_buffers`, and the pointer to them is not null.
        unsafe { ptr::read_unaligned(self.buffers.add(i)) }
    }
}

/// Says that there are fewer or more children than the type has, and which columns they would be.
fn counted(kind: &DataType, n: usize, n_needed: usize) -> String {
    let DataType::Struct(fields) = kind else {
        return format!("an array of type {kind} has {n_needed} children, got {n}");
    };
    let missing = fields.get(n).map(|field| format!(": column {:?} is missing", field.name()));
    format!("there are {n} columns, {n_needed} by the schema{}", missing.unwrap_or_default())
}
