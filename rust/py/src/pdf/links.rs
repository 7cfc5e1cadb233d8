//! Links of a page of a PDF to addresses outside of it.
#![allow(unsafe_code, reason = "PDFium is a library in C")]

use std::ffi::{c_int, c_ulong};
use std::ptr;

use chunkwright_read::links::is_refused;
use chunkwright_read::pdf::links::PageLink;
use chunkwright_read::pdf::page::Area;

use super::library::{Handle, Library, Rect};
use super::upright::Upright;

/// The action that goes to an address.
const URI: c_ulong = 3;
/// So many links of a page are looked at.
const MAX_LINKS: usize = 20_000;
/// So many areas of a link are looked at.
const MAX_AREAS: c_int = 1_000;
/// An address is no longer, in bytes.
const MAX_BYTES: c_ulong = 65_536;

/// The links of a page that state an address, in the order of the file.
///
/// # Safety
/// The document and the page are open.
pub unsafe fn links_of(
    library: &Library,
    document: Handle,
    page: Handle,
    upright: Upright,
) -> Vec<PageLink> {
    let (mut links, mut at, mut link) = (Vec::new(), 0, ptr::null_mut());
    // SAFETY: by contract; a link is valid as long as its page.
    unsafe {
        for _ in 0..MAX_LINKS {
            if (library.next_link)(page, &raw mut at, &raw mut link) == 0 {
                break;
            }
            if let Some(target) = target(library, document, link) {
                links.push(PageLink { areas: areas(library, link, upright), target });
            }
        }
    }
    links
}

/// The address of a link; none if it stays in the document, or does something else.
unsafe fn target(library: &Library, document: Handle, link: Handle) -> Option<Box<str>> {
    // SAFETY: the link is of an open page.
    unsafe {
        let action = (library.link_action)(link);
        if action.is_null() || (library.action_type)(action) != URI {
            return None;
        }
        let n = (library.action_uri)(document, action, ptr::null_mut(), 0);
        if n > MAX_BYTES {
            return None;
        }
        let mut uri = vec![0_u8; usize::try_from(n).ok()?];
        (library.action_uri)(document, action, uri.as_mut_ptr().cast(), n);
        let uri = String::from_utf8_lossy(&uri);
        let uri = uri.trim_end_matches('\0').trim();
        (!uri.is_empty() && !is_refused(uri)).then(|| uri.into())
    }
}

/// The areas of a link: those of its lines if it states them.
unsafe fn areas(library: &Library, link: Handle, upright: Upright) -> Vec<Area> {
    // SAFETY: the link is of an open page.
    unsafe {
        let mut areas = Vec::new();
        for i in 0..(library.n_link_quads)(link).min(MAX_AREAS) {
            let mut corners = [0.0_f32; 8];
            if (library.link_quad)(link, i, corners.as_mut_ptr()) != 0 {
                let points = corners.chunks_exact(2).map(|point| upright.point(point[0], point[1]));
                let corners = points.map(|point| Area::of_corners(point, point));
                areas.extend(corners.reduce(Area::around));
            }
        }
        areas.retain(|area| area.size() > 0.0);
        let mut rect = Rect::default();
        if areas.is_empty() && (library.link_rect)(link, &raw mut rect) != 0 {
            let Rect { left, top, right, bottom } = rect;
            areas.push(upright.area([left, bottom, right, top].map(f64::from)));
        }
        areas
    }
}
