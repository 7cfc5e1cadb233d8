//! Tests of the guard against forms that draw without end.

use std::cell::Cell;
use std::io::Write;

use super::*;
use chunkwright_text::pulse::no_pulse;

fn object(number: usize, value: &str) -> Vec<u8> {
    format!("{number} 0 obj\n{value}\nendobj\n").into_bytes()
}

fn stream(number: usize, entries: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("{number} 0 obj\n<<{entries}/Length {}>>\nstream\n", content.len());
    [head.as_bytes(), content, b"\nendstream\nendobj\n"].concat()
}

fn form(number: usize, names: &str, content: &str) -> Vec<u8> {
    let entries = format!("/Subtype/Form/Resources<</XObject<<{names}>>>>");
    stream(number, &entries, content.as_bytes())
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// Why a file is refused.
fn refusal(parts: &[Vec<u8>]) -> Option<String> {
    check_forms(&parts.concat(), no_pulse()).err().map(|error| error.to_string())
}

fn passes(parts: &[Vec<u8>]) -> bool {
    let refusal = refusal(parts);
    assert!(refusal.iter().all(|text| text.contains("draws")), "{refusal:?}");
    refusal.is_none()
}

/// Forms that call the next level so many times, the last the first.
fn ring(n_levels: usize, n_calls: usize) -> Vec<Vec<u8>> {
    let name = |level: usize| format!("/X {} 0 R", 1 + (level + 1) % n_levels);
    (0..n_levels).map(|level| form(level + 1, &name(level), &"/X Do\n".repeat(n_calls))).collect()
}

#[test]
fn forms_in_forms_pass_as_long_as_they_end() {
    assert!(passes(&ring(1, 1)) && passes(&ring(40, 1)));
    for (n_levels, n_calls) in [(1, 2), (2, 2), (10, 10), (3, 40)] {
        assert!(!passes(&ring(n_levels, n_calls)), "{n_levels} {n_calls}");
    }
    let mut chain = ring(42, 1);
    chain[41] = form(42, "", "0 0 m 9 9 l S");
    assert!(passes(&chain));
    let mut wide = ring(3, 40);
    wide[2] = form(3, "", "0 0 m 9 9 l S");
    assert!(passes(&wide));
    wide[2] = form(3, "", &"0 0 m 9 9 l S ".repeat(5000));
    assert!(!passes(&wide), "what they draw counts");
}

#[test]
fn the_error_names_the_object() {
    assert!(refusal(&[form(12, "/X 12 0 R", "/X Do /X Do")]).unwrap().starts_with("object 12 "));
}

#[test]
fn names_are_found_where_they_may_stand() {
    let content = b"/X Do /X Do";
    let own = |resources: &str| stream(1, &format!("/Subtype/Form/Resources {resources}"), content);
    let indirect = [own("7 0 R"), object(7, "<</XObject 8 0 R>>"), object(8, "<</X 1 0 R>>")];
    assert!(!passes(&indirect));
    let packed = deflated(b"7 0 8 18 <</XObject 8 0 R>> <</X 1 0 R>>");
    for filter in ["/Filter/FlateDecode", "/Filter[/Fl]"] {
        let packed = stream(9, &format!("/Type/ObjStm/N 2/First 9{filter}"), &packed);
        assert!(!passes(&[own("7 0 R"), packed]));
    }
    assert!(!passes(&[own("<</XObject<</#58 1 0 R>>>>")]));
    assert!(passes(&[own("<</XObject<</X 2 0 R>>>>"), stream(2, "/Subtype/Image", content)]));
    let inherited = [
        stream(1, "/Subtype/Form", content),
        object(2, "<</Type/Page/Contents 3 0 R/Resources<</XObject<</X 1 0 R>>>>>>"),
    ];
    assert!(!passes(&inherited));
}

#[test]
fn content_is_read_through_its_filters() {
    let names = "/Subtype/Form/Resources<</XObject<</X 1 0 R>>>>";
    let of = |filter: &str, content: &[u8]| stream(1, &format!("{names}{filter}"), content);
    let content = b"/X Do /X Do";
    let hex = content.map(|byte| format!("{byte:02x}")).concat();
    assert!(!passes(&[of("/Filter/FlateDecode", &deflated(content))]));
    assert!(!passes(&[of("/Filter[/AHx 5 0 R]", hex.as_bytes()), object(5, "/Crypt")]));
    assert!(!passes(&[of("/Filter[/FlateDecode/ASCIIHexDecode]", &deflated(hex.as_bytes()))]));
    let rows = deflated(b"\0/X Do \0/X Do ");
    let rows = of("/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 6>>", &rows);
    assert!(!passes(&[rows]));
    assert!(!passes(&[of("/Filter/Unknown", content)]), "as it stands, which PDFium reads then");
    assert!(passes(&[of("/Filter/FlateDecode", &deflated(b"/X Do"))]));
    let many = of(&format!("/Filter[{}]", "/Crypt".repeat(65)), content);
    assert_eq!(refusal(&[many]).unwrap(), "one of its streams has more than 64 filters: refused");
}

#[test]
fn damage_and_disguise_hide_nothing() {
    let refused = |source: &str| !passes(&[source.as_bytes().to_vec()]);
    let names = "/Subtype/Form/Resources<</XObject<</X 1 0 R>>>>";
    assert!(refused(&format!("1 0 obj<<{names}/Length 3>>stream\n/X Do /X Do")));
    assert!(refused(&format!("1 0 obj<<{names}>>stream\r\n/X Do /X Do endstream")));
    assert!(refused(&format!("1 %c\n0 %c\nobj%c\n<<{names}>>stream\n(X) Do (X) Do endstream")));
    assert!(refused(&format!("1 0 obj<<]{names}/Y(1 0 obj)>>stream\n/X %\nDo /X Do endstream")));
    let later = format!("1 0 obj<<{names}>>stream\n/X Do /X Do endstream endobj 1 0 obj 3 endobj");
    assert!(refused(&later), "another definition of the number");
    assert!(!refused("% /X Do\n1 0 obj<</Subtype/Form>>stream\nendstream"));
}

#[test]
fn pages_and_glyphs_count_what_they_call() {
    let calls = "/X Do ".repeat(30_000);
    let leaf = form(1, "", "0 0 m 9 9 l S 0 0 m 9 9 l S ".repeat(40).as_str());
    let page = |resources: &str| object(2, &format!("<</Contents[3 0 R]{resources}>>"));
    let content = stream(3, "", calls.as_bytes());
    let named = "/Resources<</XObject<</X 1 0 R>>>>";
    assert!(!passes(&[leaf.clone(), page(named), content.clone()]));
    assert!(!passes(&[
        leaf.clone(),
        page(""),
        content.clone(),
        object(4, "<</XObject<</X 1 0 R>>>>")
    ]));
    assert!(passes(&[leaf.clone(), page("/Resources<</XObject<</X 5 0 R>>>>"), content.clone()]));
    assert!(passes(&[leaf.clone(), page(named), stream(3, "", b"/X Do /X Do")]));
    let font = object(2, "<</CharProcs<</a 3 0 R>>/Resources<</XObject<</X 1 0 R>>>>>>");
    assert!(!passes(&[leaf, font, content]));
}

#[test]
fn streams_that_unpack_without_end_are_refused() {
    let bomb = deflated(&vec![b' '; (64 << 20) + 1]);
    let page = object(2, "<</Contents 3 0 R>>");
    let text = refusal(&[page, stream(3, "/Filter/FlateDecode", &bomb)]).unwrap();
    assert_eq!(text, "the stream of its object 3 holds over 64 MiB: refused");
    assert_eq!(refusal(&[stream(3, "/Filter/FlateDecode", &bomb)]), None, "an attachment");
}

/// How often it is asked whether to go on, which is once for so many steps.
fn n_beats(data: &[u8]) -> usize {
    let n = Cell::new(0);
    let pulse = || {
        n.set(n.get() + 1);
        Ok(())
    };
    let _ = check_forms(data, &pulse);
    n.get()
}

#[test]
fn steps_are_linear_in_damage() {
    let n = 1_000_000;
    let resources =
        "1 0 obj<</Subtype/Form/Resources 1 0 R/XObject 1 0 R/X 1 0 R>>stream\n/X Do endstream\n";
    for unit in [
        "1 0 obj<<",
        "1 0 obj(",
        "1 0 obj[",
        "obj  ",
        "1 0 obj<<>>",
        "[",
        "<<",
        "%",
        "Do ",
        resources,
    ] {
        let data = unit.repeat(2 * (n / unit.len()));
        let (half, whole) = (n_beats(&data.as_bytes()[..data.len() / 2]), n_beats(data.as_bytes()));
        assert!(0 < half && whole < 5 * half / 2, "{unit}: {half} {whole}");
    }
}

#[test]
fn it_stops_when_it_is_told_to() {
    let stop = || Err(Error::Interrupted);
    assert!(matches!(check_forms(&ring(1, 1).concat(), &stop), Err(Error::Interrupted)));
}
