//! Form of a PDF: the values of its fields, and notes that stand on its pages. No script of it runs.
#![allow(unsafe_code, reason = "PDFium is a library in C")]

use std::ffi::{CStr, c_int, c_ulong};
use std::ptr;

use chunkwright_read::pdf::fields::{CHOSEN, Field, NOT_CHOSEN};

use super::library::{Handle, Library, Rect};
use super::upright::Upright;

const FREE_TEXT: c_int = 3;
const WIDGET: c_int = 20;
const CHECK_BOX: c_int = 2;
const RADIO_BUTTON: c_int = 3;
const COMBO_BOX: c_int = 4;
const LIST_BOX: c_int = 5;
const TEXT: c_int = 6;
/// The annotation's flags for what is not seen: invisible, hidden, no view.
const UNSEEN: c_int = 1 | 1 << 1 | 1 << 5;
/// The field's flag for several lines.
const MULTILINE: c_int = 1 << 12;
/// The field's flag for a text that is not shown.
const PASSWORD: c_int = 1 << 13;
/// So many annotations of a page are looked at.
const MAX_ANNOTATIONS: c_int = 20_000;
/// So many options of a field are looked at.
const MAX_OPTIONS: c_int = 20_000;
/// So many bytes the values of a page have.
const MAX_BYTES: usize = 8_000_000;

/// What the library wants to be told of a program that fills in forms: nothing, in the second version.
#[repr(C, align(16))]
struct Info([usize; 64]);

/// The form of an open document; closed when it goes.
pub struct Form<'l> {
    library: &'l Library,
    /// None if there is no form.
    handle: Handle,
    /// The library keeps its address.
    _info: Box<Info>,
}

impl Drop for Form<'_> {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: it is open, and no page of it is.
            unsafe { (self.library.close_form)(self.handle) }
        }
    }
}

impl<'l> Form<'l> {
    /// That of a document.
    ///
    /// # Safety
    /// The document is open as long as the form, and nobody else uses it.
    pub unsafe fn of(library: &'l Library, document: Handle) -> Self {
        let mut info = Box::new(Info([0; 64]));
        info.0[0] = 2;
        // SAFETY: by contract; without functions to call back, nothing is called.
        let handle = unsafe {
            if (library.form_type)(document) == 0 {
                ptr::null_mut()
            } else {
                (library.open_form)(document, (&raw mut *info).cast())
            }
        };
        Self { library, handle, _info: info }
    }

    /// The fields and notes of a page that have a text, and can be seen.
    ///
    /// # Safety
    /// The page is open.
    pub unsafe fn fields(&self, page: Handle, upright: Upright) -> Vec<Field> {
        let library = self.library;
        let (mut fields, mut left) = (Vec::new(), MAX_BYTES);
        // SAFETY: by contract; annotations are closed before the page is.
        unsafe {
            for i in 0..(library.n_annotations)(page).min(MAX_ANNOTATIONS) {
                let annotation = (library.annotation)(page, i);
                if annotation.is_null() {
                    continue;
                }
                let field = self.field(annotation, upright);
                (library.close_annotation)(annotation);
                if let Some(field) = field {
                    left = left.saturating_sub(field.text.len());
                    if left == 0 {
                        break;
                    }
                    fields.push(field);
                }
            }
        }
        fields
    }

    unsafe fn field(&self, annotation: Handle, upright: Upright) -> Option<Field> {
        let library = self.library;
        // SAFETY: the annotation is open.
        unsafe {
            let kind = (library.annotation_type)(annotation);
            if !matches!(kind, FREE_TEXT | WIDGET)
                || (library.annotation_flags)(annotation) & UNSEEN != 0
            {
                return None;
            }
            let mut rect = Rect::default();
            if (library.annotation_rect)(annotation, &raw mut rect) == 0 {
                return None;
            }
            let Rect { left, top, right, bottom } = rect;
            let area = upright.area([left, bottom, right, top].map(f64::from));
            if kind == FREE_TEXT {
                let text = self.said(annotation, c"Contents");
                let size = font_size(&self.said(annotation, c"DA"));
                return Some(Field { area, text, size, is_wrapped: true });
            }
            let (text, is_wrapped) = self.value(annotation)?;
            let mut size = 0.0;
            (library.field_font_size)(self.handle, annotation, &raw mut size);
            Some(Field { area, text, size, is_wrapped })
        }
    }

    /// What a field shows, and whether it may have several lines; none if it is a button, or a signature.
    unsafe fn value(&self, annotation: Handle) -> Option<(String, bool)> {
        let (library, form) = (self.library, self.handle);
        let mark = |is_chosen| String::from(if is_chosen { CHOSEN } else { NOT_CHOSEN });
        // SAFETY: the annotation is open.
        unsafe {
            let kind = (library.field_type)(form, annotation);
            let flags = (library.field_flags)(form, annotation);
            let value = || wide(|text, n| (library.field_value)(form, annotation, text, n));
            Some(match kind {
                CHECK_BOX | RADIO_BUTTON => {
                    let state = self.said(annotation, c"AS");
                    (mark(!matches!(&*state, "" | "Off")), false)
                }
                COMBO_BOX | LIST_BOX => {
                    let chosen = self.chosen(annotation);
                    let text = if chosen.is_empty() { value() } else { chosen.join("\n") };
                    (text, kind == LIST_BOX)
                }
                TEXT if flags & PASSWORD == 0 => (value(), flags & MULTILINE != 0),
                // No form knows this one.
                ..0 => match &*self.said(annotation, c"FT") {
                    "Tx" | "Ch" => (self.said(annotation, c"V"), false),
                    _ => return None,
                },
                _ => return None,
            })
        }
    }

    /// The labels of the options that are chosen.
    unsafe fn chosen(&self, annotation: Handle) -> Vec<String> {
        let (library, form) = (self.library, self.handle);
        // SAFETY: the annotation is open.
        unsafe {
            let n = (library.n_options)(form, annotation).min(MAX_OPTIONS);
            (0..n)
                .filter(|&i| (library.option_is_selected)(form, annotation, i) == 1)
                .map(|i| wide(|text, n| (library.option_label)(form, annotation, i, text, n)))
                .collect()
        }
    }

    /// What an annotation says by a name; empty if nothing.
    unsafe fn said(&self, annotation: Handle, name: &CStr) -> String {
        // SAFETY: the annotation is open.
        wide(|text, n| unsafe {
            (self.library.annotation_value)(annotation, name.as_ptr(), text, n)
        })
    }
}

/// The text that a function writes to a buffer of so many bytes, of which it returns how many it needs.
fn wide(write: impl Fn(*mut u16, c_ulong) -> c_ulong) -> String {
    let n_bytes = write(ptr::null_mut(), 0);
    let n = usize::try_from(n_bytes).unwrap_or(0) / 2;
    if !(2..=MAX_BYTES).contains(&n) {
        return String::new();
    }
    let mut text = vec![0; n];
    write(text.as_mut_ptr(), n_bytes);
    String::from_utf16_lossy(&text).trim_matches('\0').to_owned()
}

/// The size in a string as `/Helv 12 Tf 0 g`; 0 if there is none.
fn font_size(appearance: &str) -> f32 {
    let words: Vec<&str> = appearance.split_ascii_whitespace().collect();
    let font = words.iter().position(|word| *word == "Tf");
    let size = font.and_then(|at| words.get(at.checked_sub(1)?)?.parse().ok());
    size.filter(|size: &f32| size.is_finite() && *size > 0.0).unwrap_or(0.0)
}
