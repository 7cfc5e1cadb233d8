//! Functions of the library `PDFium` that Python has loaded, called by their addresses.
#![allow(unsafe_code, reason = "PDFium is a library in C")]

use std::ffi::{c_char, c_int, c_uint, c_ulong, c_void};

use pyo3::prelude::*;

use crate::error::named;

/// A document, page, text or object of `PDFium`'s.
pub type Handle = *mut c_void;

/// Left, top, right and bottom edge.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Rect {
    pub left: f32,
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

/// A transformation: x' = ax + cy + e, y' = bx + dy + f.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Matrix {
    pub a: f32,
    pub b: f32,
    pub c: f32,
    pub d: f32,
    pub e: f32,
    pub f: f32,
}

macro_rules! functions {
    ($($field:ident: $name:literal ($($of:ty),*) $(-> $to:ty)?;)*) => {
        /// The functions that are called, by their types in the library's headers.
        #[derive(Clone, Copy)]
        pub struct Library {
            $(pub $field: unsafe extern "system" fn($($of),*) $(-> $to)?,)*
        }

        impl Library {
            /// The names of the functions, in the order in which their addresses are expected.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The functions at these addresses.
            ///
            /// # Errors
            /// If there are not as many as names, or one is null.
            ///
            /// # Safety
            /// Each is the address of the function of `PDFium` with the name at its place.
            pub unsafe fn at(addresses: &[usize]) -> PyResult<Self> {
                if addresses.len() != Self::NAMES.len() || addresses.contains(&0) {
                    return Err(named("ReadError", "this PDFium lacks functions".into()));
                }
                let mut left = addresses.iter();
                let mut next = || left.next().copied().unwrap_or_default();
                // SAFETY: by contract, and a pointer to a function is as wide as any other.
                Ok(Self {
                    $($field: unsafe {
                        std::mem::transmute::<usize, unsafe extern "system" fn($($of),*) $(-> $to)?>(next())
                    },)*
                })
            }
        }
    };
}

functions! {
    load_page: "FPDF_LoadPage" (Handle, c_int) -> Handle;
    close_page: "FPDF_ClosePage" (Handle);
    page_rect: "FPDF_GetPageBoundingBox" (Handle, *mut Rect) -> c_int;
    page_label: "FPDF_GetPageLabel" (Handle, c_int, *mut c_void, c_ulong) -> c_ulong;
    page_rotation: "FPDFPage_GetRotation" (Handle) -> c_int;
    load_text: "FPDFText_LoadPage" (Handle) -> Handle;
    close_text: "FPDFText_ClosePage" (Handle);
    n_chars: "FPDFText_CountChars" (Handle) -> c_int;
    unicode: "FPDFText_GetUnicode" (Handle, c_int) -> c_uint;
    is_generated: "FPDFText_IsGenerated" (Handle, c_int) -> c_int;
    is_unmapped: "FPDFText_HasUnicodeMapError" (Handle, c_int) -> c_int;
    char_box: "FPDFText_GetCharBox" (Handle, c_int, *mut f64, *mut f64, *mut f64, *mut f64) -> c_int;
    char_origin: "FPDFText_GetCharOrigin" (Handle, c_int, *mut f64, *mut f64) -> c_int;
    char_matrix: "FPDFText_GetMatrix" (Handle, c_int, *mut Matrix) -> c_int;
    font_size: "FPDFText_GetFontSize" (Handle, c_int) -> f64;
    text_object: "FPDFText_GetTextObject" (Handle, c_int) -> Handle;
    font: "FPDFTextObj_GetFont" (Handle) -> Handle;
    font_flags: "FPDFFont_GetFlags" (Handle) -> c_int;
    font_weight: "FPDFFont_GetWeight" (Handle) -> c_int;
    font_name: "FPDFFont_GetBaseFontName" (Handle, *mut c_char, usize) -> usize;
    n_objects: "FPDFPage_CountObjects" (Handle) -> c_int;
    object: "FPDFPage_GetObject" (Handle, c_int) -> Handle;
    object_type: "FPDFPageObj_GetType" (Handle) -> c_int;
    object_bounds: "FPDFPageObj_GetBounds" (Handle, *mut f32, *mut f32, *mut f32, *mut f32) -> c_int;
    object_matrix: "FPDFPageObj_GetMatrix" (Handle, *mut Matrix) -> c_int;
    content_id: "FPDFPageObj_GetMarkedContentID" (Handle) -> c_int;
    n_marks: "FPDFPageObj_CountMarks" (Handle) -> c_int;
    mark: "FPDFPageObj_GetMark" (Handle, c_ulong) -> Handle;
    mark_name: "FPDFPageObjMark_GetName" (Handle, *mut u16, c_ulong, *mut c_ulong) -> c_int;
    n_form_objects: "FPDFFormObj_CountObjects" (Handle) -> c_int;
    form_object: "FPDFFormObj_GetObject" (Handle, c_ulong) -> Handle;
    n_segments: "FPDFPath_CountSegments" (Handle) -> c_int;
    segment: "FPDFPath_GetPathSegment" (Handle, c_int) -> Handle;
    segment_point: "FPDFPathSegment_GetPoint" (Handle, *mut f32, *mut f32) -> c_int;
    segment_type: "FPDFPathSegment_GetType" (Handle) -> c_int;
    segment_closes: "FPDFPathSegment_GetClose" (Handle) -> c_int;
    fill_colour: "FPDFPageObj_GetFillColor" (Handle, *mut c_uint, *mut c_uint, *mut c_uint, *mut c_uint) -> c_int;
    draw_mode: "FPDFPath_GetDrawMode" (Handle, *mut c_int, *mut c_int) -> c_int;
    form_type: "FPDF_GetFormType" (Handle) -> c_int;
    open_form: "FPDFDOC_InitFormFillEnvironment" (Handle, *mut c_void) -> Handle;
    close_form: "FPDFDOC_ExitFormFillEnvironment" (Handle);
    n_annotations: "FPDFPage_GetAnnotCount" (Handle) -> c_int;
    annotation: "FPDFPage_GetAnnot" (Handle, c_int) -> Handle;
    close_annotation: "FPDFPage_CloseAnnot" (Handle);
    annotation_type: "FPDFAnnot_GetSubtype" (Handle) -> c_int;
    annotation_flags: "FPDFAnnot_GetFlags" (Handle) -> c_int;
    annotation_rect: "FPDFAnnot_GetRect" (Handle, *mut Rect) -> c_int;
    annotation_value: "FPDFAnnot_GetStringValue" (Handle, *const c_char, *mut u16, c_ulong) -> c_ulong;
    field_type: "FPDFAnnot_GetFormFieldType" (Handle, Handle) -> c_int;
    field_flags: "FPDFAnnot_GetFormFieldFlags" (Handle, Handle) -> c_int;
    field_value: "FPDFAnnot_GetFormFieldValue" (Handle, Handle, *mut u16, c_ulong) -> c_ulong;
    field_font_size: "FPDFAnnot_GetFontSize" (Handle, Handle, *mut f32) -> c_int;
    n_options: "FPDFAnnot_GetOptionCount" (Handle, Handle) -> c_int;
    option_is_selected: "FPDFAnnot_IsOptionSelected" (Handle, Handle, c_int) -> c_int;
    option_label: "FPDFAnnot_GetOptionLabel" (Handle, Handle, c_int, *mut u16, c_ulong) -> c_ulong;
    next_link: "FPDFLink_Enumerate" (Handle, *mut c_int, *mut Handle) -> c_int;
    link_rect: "FPDFLink_GetAnnotRect" (Handle, *mut Rect) -> c_int;
    n_link_quads: "FPDFLink_CountQuadPoints" (Handle) -> c_int;
    link_quad: "FPDFLink_GetQuadPoints" (Handle, c_int, *mut f32) -> c_int;
    link_action: "FPDFLink_GetAction" (Handle) -> Handle;
    action_type: "FPDFAction_GetType" (Handle) -> c_ulong;
    action_uri: "FPDFAction_GetURIPath" (Handle, Handle, *mut c_char, c_ulong) -> c_ulong;
    tree: "FPDF_StructTree_GetForPage" (Handle) -> Handle;
    close_tree: "FPDF_StructTree_Close" (Handle);
    n_roots: "FPDF_StructTree_CountChildren" (Handle) -> c_int;
    root: "FPDF_StructTree_GetChildAtIndex" (Handle, c_int) -> Handle;
    tag_type: "FPDF_StructElement_GetType" (Handle, *mut c_void, c_ulong) -> c_ulong;
    n_children: "FPDF_StructElement_CountChildren" (Handle) -> c_int;
    child: "FPDF_StructElement_GetChildAtIndex" (Handle, c_int) -> Handle;
    child_content_id: "FPDF_StructElement_GetChildMarkedContentID" (Handle, c_int) -> c_int;
}
