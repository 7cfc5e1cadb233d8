//! What a reader made of a page, stored and restored.
#![allow(clippy::unwrap_used, reason = "a test may fail by panic")]

use chunkwright_read::html::page;
use chunkwright_read::{Read, links};
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::read::Links;

#[test]
fn what_was_read_of_a_page_is_stored() {
    let html = "<title>T</title><p>a <a href=b>c</a><table><tr><td>d<td>e</table><ul><li>f</ul>";
    let read = page::read(html, &[], &[], no_pulse()).unwrap();
    let text = read.text.as_deref().unwrap();
    let links = links::find(&read.links, text, html, no_pulse()).unwrap();
    let again = Read::of_bytes(&read.to_bytes(Some(&links)).unwrap(), text).unwrap();
    assert_eq!(again.links, Links::Found(links));
    let rest =
        |read: &Read| format!("{:?}", Read { text: None, links: Links::None, ..read.clone() });
    assert_eq!(rest(&again), rest(&read));
}
