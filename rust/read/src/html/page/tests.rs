//! Tests of the reader of pages.

use proptest::prelude::*;

use super::*;
use crate::html::browser;
use chunkwright_text::elements::{Element, Kind};
use chunkwright_text::error::Error;
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::pulse::no_pulse;

fn page(html: &str) -> Read {
    read(html, &[], &[], no_pulse()).unwrap()
}

fn text(page: &Read) -> &str {
    page.text.as_deref().unwrap_or_default()
}

fn said<'p>(page: &'p Read, element: &Element) -> &'p str {
    &text(page)[element.span.range()]
}

#[test]
fn elements_are_read_with_their_places() {
    let html = "<title>T</title><h2>A</h2>\n b <ul><li>c</ul><table><td>d<td rowspan=0>e</table>";
    let page = page(html);
    assert_eq!((text(&page), &*page.name), ("A\n\nb\n\nc\n\nd e", "T"));
    let kinds: Vec<Kind> = page.elements.iter().map(|element| element.kind).collect();
    assert_eq!(kinds, [Kind::Heading, Kind::Paragraph, Kind::List, Kind::ListItem, Kind::Table]);
    let places: Vec<&str> = page.places.iter().map(|&[start, end]| &html[start..end]).collect();
    let table = "<table><td>d<td rowspan=0>e</table>";
    assert_eq!(places, ["<h2>A</h2>", "b", "<ul><li>c</ul>", "<li>c", table]);
    let grid = page.elements[4].grid.as_deref().unwrap();
    assert_eq!(grid.html, "<table><tr><td>d</td><td rowspan=\"0\">e</td></tr></table>");
    assert_eq!((grid.cells[1].rowspan, grid.cells[1].colspan), (None, 1));
}

#[test]
fn code_has_the_language_that_it_or_what_is_around_it_states() {
    let html = "<pre class=lang-a>1</pre><pre><code class=language-b>2</code> <code class=lang-c>\
        3</code></pre><div class='highlight-source-d x'><div><pre>4</pre></div><pre><code>5</pre>\
        <pre class=language-e>6</pre><pre>7</pre></div><pre>8</pre><code class=lang-f>9</code>";
    let page = page(html);
    let stated: Vec<(&str, &str)> = page
        .languages
        .iter()
        .map(|(i, language)| {
            assert_eq!(page.elements[*i].kind, Kind::Code);
            (said(&page, &page.elements[*i]), &**language)
        })
        .collect();
    let expected = [("1", "a"), ("2 3", "b"), ("4", "d"), ("5", "d"), ("6", "e"), ("7", "d")];
    assert_eq!(stated, expected);
}

#[test]
fn links_have_their_text_and_their_target() {
    let html = "x <a href=' a&amp;b '> in <b>one\n</b></a>, <a name=n>no</a> <a href=c>d<a href=e>f\
        </a>g<a href=h> </a><a hidden href=i>no</a>j<img src=k alt='an image'><img src=l>\
        <table><td><a href=m>cell</a><td><a href=n>n<img alt=o src=p></a></table><pre> \n\
        <a href=q> </a></pre><p>r<a href=s><p>t<p>u";
    let page = page(html);
    let found: Vec<_> = links(html, &[], no_pulse())
        .unwrap()
        .into_iter()
        .map(|link| (&text(&page)[link.span.range()], link.target.to_string(), link.is_image))
        .collect();
    let expected = [
        ("in one", "a&b", false),
        ("d", "c", false),
        ("f", "e", false),
        ("an image", "k", true),
        ("cell", "m", false),
        ("n o", "n", false),
        ("o", "p", true),
        ("t\n\nu", "s", false),
    ];
    assert_eq!(found, expected.map(|(said, target, image)| (said, target.to_owned(), image)));
}

#[test]
fn character_data_of_drawings_are_text() {
    let html = "<svg><text><![CDATA[a < b]]></text></svg> <![CDATA[c]]><math><![CDATA[d]]></math>";
    assert_eq!(text(&page(html)), "a < b d");
}

#[test]
fn the_pulse_stops_a_page() {
    let stop = || Err(Error::Interrupted);
    assert!(matches!(read(&"<p>a".repeat(100_000), &[], &[], &stop), Err(Error::Interrupted)));
}

#[test]
fn an_open_element_is_small() {
    assert_eq!(size_of::<stack::Open>(), 24);
}

#[test]
fn what_hides_ends_with_what_is_around_it() {
    for (html, said) in [
        ("<p>One.</p><a href=u><span hidden>x</a> Two. <p>Three.</p>", "One.\n\nTwo.\n\nThree."),
        ("<i>a<label style='display: none'>x<cite>y</i>b", "ab"),
        ("<cite>a<span hidden>x<b>y</cite>b", "ab"),
        ("<a>a<b hidden>x</a>y</b>b", "ab"),
        ("<a hidden>x<a>b", "b"),
        ("<i><span hidden>x<i>y</i>z</i>b", "b"),
        ("<i>a<template>x</i>y</template>b", "ab"),
        ("<cite><div><span hidden>x</cite>y</span>b</div>", "b"),
        ("<a>a<table><td><span hidden>x</a>y</span>b</table>", "a\n\nb"),
    ] {
        assert_eq!(text(&page(html)), said, "{html}");
    }
}

fn kinds(page: &Read) -> Vec<(Kind, &str)> {
    page.elements.iter().map(|element| (element.kind, said(page, element))).collect()
}

#[test]
fn what_a_table_lays_out_is_read_in_its_order() {
    let html = "<table><tr><td><h2>a</h2><p>b</p><ul><li>c<li>d</td><td><h2>e</h2><pre>f  g</pre>\
        <table><th>h<td>i<tr><td>j<td>k</table></table>l";
    let page = page(html);
    let expected = [
        (Kind::Heading, "a"),
        (Kind::Paragraph, "b"),
        (Kind::List, ""),
        (Kind::ListItem, "c"),
        (Kind::ListItem, "d"),
        (Kind::Heading, "e"),
        (Kind::Code, "f  g"),
        (Kind::Table, "h i\nj k"),
        (Kind::Paragraph, "l"),
    ];
    assert_eq!(kinds(&page), expected);
    for (element, &[start, end]) in page.elements.iter().zip(&page.places).skip(1) {
        let first = said(&page, element).get(..1).unwrap_or("<ul>");
        assert!(html[start..end].contains(first), "{first} in {}", &html[start..end]);
    }
    let cells = "<table><tr style='display:none'><td>x<h1>y</h1><tr><td><h2>a</h2><td hidden>z<td>b</table>";
    assert_eq!(text(&self::page(cells)), "a\n\nb");
}

#[test]
fn links_of_headings_to_themselves_say_nothing() {
    for (html, said) in [
        ("<h2>Rain<a class=headerlink href='#rain'>\u{b6}</a></h2>", "Rain"),
        ("<h2><a href='#rain'>\u{a7}</a> Rain</h2>", "Rain"),
        (
            "<h2><a href='/page#rain'># </a>Rain <a href='#x'>\u{200b}</a>and sun</h2>",
            "Rain and sun",
        ),
        ("<h2><a href='#rain'>Rain</a> in <a href=c>C#</a></h2>", "Rain in C#"),
        ("<p>Rain<a href='#note'>*</a></p>", "Rain*"),
        ("<dl><dt>rain()<a class='x headerlink' href='#r'>\u{b6}</a></dl>", "rain()"),
        ("<h2>Rain<span class=mw-editsection>[<a href=e>edit</a>]</span></h2>", "Rain"),
        ("<h2>Rain <a href='#r'>\u{b6}</h2><p>b</a>c", "Rain \u{b6}\n\nbc"),
        ("<h2>Rain <a href='#r'>\u{b6}<a href='#s'>\u{b6}</a> b</h2>", "Rain b"),
    ] {
        assert_eq!(text(&page(html)), said, "{html}");
        assert!(links(html, &[], no_pulse()).unwrap().iter().all(|link| !link.span.is_empty()));
    }
}

#[test]
fn boxes_are_checked_or_not() {
    for (html, said) in [
        (
            "<ul><li><input type=checkbox checked> a<li><input type='CHECKBOX'>b</ul>",
            "\u{2612} a\n\n\u{2610} b",
        ),
        ("<label>a <input type=checkbox></label>", "a \u{2610}"),
        ("<input type=checkbox id=menu><nav>a</nav><input type=radio>", "a"),
        ("<pre><input type=checkbox checked>a</pre>", "a"),
        ("<input type=checkbox hidden> a<input checked>", "a"),
        ("<table><th>a<td><input type=checkbox></table>", "a \u{2610}"),
    ] {
        assert_eq!(text(&page(html)), said, "{html}");
    }
}

#[test]
fn a_veil_over_most_of_a_page_is_lifted() {
    let icons = "<p>a<i aria-hidden=true>sign</i></p><div aria-hidden=true>b</div><p>cd ef</p>";
    assert_eq!(text(&page(icons)), "a\n\ncd ef");
    let within = "<main>a<div aria-hidden=true>bcd</div></main>";
    assert_eq!(text(&page(within)), "a");
    let dialog = "<div role=dialog>Cookies?</div><main aria-hidden=true><h1>Rain</h1>\
        <p>It <a href=x>rained</a>.<i aria-hidden=true>sign</i></p></main>";
    assert_eq!(text(&page(dialog)), "Cookies?\n\nRain\n\nIt rained.");
    assert_eq!(links(dialog, &[], no_pulse()).unwrap().len(), 1);
    assert_eq!(text(&page("<p>a</p><main hidden><h1>Rain</h1></main>")), "a");
}

#[test]
fn blanks_that_do_not_break_are_no_paragraph() {
    let page = page("<p>a</p><p>&nbsp;</p><table><tr><td>b<td>&nbsp;<td>c&nbsp;d</table>");
    assert_eq!(text(&page), "a\n\nb c d");
    assert_eq!(page.elements.len(), 2);
}

#[test]
fn what_stands_in_a_hidden_table_and_in_no_cell_is_shown() {
    for (html, said) in [
        ("<table hidden>seen<tr><td>cell</table>b", "seen\n\nb"),
        ("a<table hidden><tr>se<b>e</b>n<td>cell</table>b", "a\n\nseen\n\nb"),
        ("<table hidden><tbody><img alt=seen><tr><td>cell<tbody>too</table>", "seen\n\ntoo"),
        ("<table><th>a<td>b<table hidden>seen<td>c</table></table>", "a b seen"),
        ("<table hidden><td><table>no</table></table>", ""),
        ("<table hidden><caption>no<td>b</table>", ""),
        ("<table hidden><td>x<table><tr>no</table></table>", ""),
        ("<div hidden><table>no</table></div>", ""),
        ("<div hidden><table hidden>no</table></div>", ""),
        ("<table hidden> <tr> <td>x</td> </tr> </table>b", "b"),
    ] {
        assert_eq!(text(&page(html)), said, "{html}");
    }
}

/// Elements within lines, closed in any order; one of them is hidden at most.
fn misnested() -> impl Strategy<Value = String> {
    let names = ["a", "b", "i", "span", "cite", "label", "q-r"];
    let tags = names.iter().flat_map(|name| {
        [
            format!("<{name}>"),
            format!("<{name} hidden>"),
            format!("</{name}>"),
            format!("</{name}>"),
        ]
    });
    let mut pieces: Vec<String> = tags.collect();
    pieces.extend(["w", "w", "w", "w"].map(String::from));
    prop::collection::vec((prop::sample::select(pieces), "[a-z]"), 0..16).prop_map(|pieces| {
        let words = pieces.into_iter().map(|(piece, word)| if piece == "w" { word } else { piece });
        let html: String = words.collect();
        match html.split_once(" hidden") {
            Some((front, rest)) => format!("{front} hidden{}", rest.replace(" hidden", "")),
            None => html,
        }
    })
}

fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<table>",
        "</table>",
        "<tr>",
        "</tr>",
        "<td>",
        "</td>",
        "<thead>",
        "</thead>",
        "<caption>",
        "</caption>",
        "<ul>",
        "<li>",
        "</ul>",
        "</li>",
        "<p>",
        "</p>",
        "<h1>",
        "</h1>",
        "<div>",
        "</div>",
        "<pre>",
        "</pre>",
        "<figure>",
        "<img alt=i>",
        "<figcaption>",
        "</figure>",
        "<blockquote>",
        "</blockquote>",
        "<dl>",
        "<dd>",
        "<math>",
        "</math>",
        "<svg>",
        "</svg>",
        "<title>t</title>",
        "<b hidden>",
        "<a href=u>",
        "<a hidden href=u>",
        "</a>",
        "<img src=s alt=i>",
        "<code class=language-x>",
        "<![CDATA[",
        "]]>",
        "</b>",
        "<p hidden>",
        "<table hidden>",
        "<table role=none>",
        "<script>",
        "</script>",
        "<template>",
        "</template>",
        "<br>",
        "<hr>",
        "a",
        "b\n",
        " ",
        "é",
        "<!-- c -->",
        "<nav>",
        "</nav>",
        "<textarea>",
        "</textarea>",
        "\0",
        "&nbsp;",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]
    #[test]
    fn any_page_is_read(html in soup()) {
        let page = page(&html);
        let (text, chars, mut at) = (text(&page), CharIndex::new(&html, &[]), 0);
        for (i, (element, place)) in page.elements.iter().zip(&page.places).enumerate() {
            prop_assert!(element.span.start >= at && text.get(element.span.range()).is_some());
            prop_assert!(element.span.is_empty() || !said(&page, element).trim().is_empty());
            prop_assert_eq!(element.span.is_empty(), element.kind == Kind::List);
            prop_assert!(text[at..element.span.start].trim().is_empty());
            prop_assert!(place[0] <= place[1] && place[1] <= chars.n_chars(), "{:?}", place);
            prop_assert!(element.parent.get().is_none_or(|parent| parent < i));
            at = element.span.end;
            if let Some(grid) = &element.grid {
                let mut cell_at = element.span.start;
                for cell in grid.cells.iter().filter(|cell| !cell.text.is_empty()) {
                    prop_assert!(text[cell_at..cell.text.start].trim().is_empty());
                    cell_at = cell.text.end;
                }
                prop_assert_eq!(cell_at, at);
                let n_cells: usize = grid.rows.iter().map(|row| row.cells.len()).sum();
                prop_assert_eq!(n_cells, grid.cells.len());
            }
        }
        prop_assert_eq!(at, text.len());
    }

    #[test]
    fn what_is_shown_is_what_browsers_show(lines in misnested(), cell in misnested()) {
        for html in [
            lines.clone(),
            format!("<div>{}</div><div>.</div>", lines.replace("<a hid", "<cite hid").replace("<b hid", "<cite hid").replace("<i hid", "<cite hid")),
            format!("<table><td>{lines}</td><td>.{cell}</td></table>"),
        ] {
            let letters = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(letters(text(&page(&html))), letters(&browser::shown(&html)), "{}", html);
        }
    }

    #[test]
    fn links_are_words_of_the_text(html in soup()) {
        let (page, mut at) = (page(&html), 0);
        for link in links(&html, &[], no_pulse()).unwrap() {
            let said = text(&page).get(link.span.range()).unwrap();
            prop_assert!(!said.is_empty() && said.trim() == said, "{:?}", said);
            prop_assert!(link.span.start >= at);
            at = link.span.start;
        }
    }

    #[test]
    fn what_is_dropped_is_a_part(html in soup()) {
        let whole = page(&html).text.unwrap();
        let part = read(&html, &[], &[Landmark::Nav], no_pulse()).unwrap().text.unwrap();
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
        prop_assert!(letters(&part) <= letters(&whole));
    }
}
