//! Tests of the reader: what becomes of each block, and what holds of any text.

use chunkwright_text::elements::Kind;
use chunkwright_text::read::Read;
use proptest::prelude::*;

use super::{links, read, words};

/// Kind, level and text of each element.
fn said(text: &str) -> Vec<(Kind, u8, &str)> {
    let elements = read(text).elements;
    elements.iter().map(|of| (of.kind, of.level, &text[of.span.range()])).collect()
}

fn kinds(text: &str) -> Vec<(Kind, String)> {
    said(text).into_iter().map(|(kind, _, said)| (kind, said.to_owned())).collect()
}

#[test]
fn headings_have_levels_by_their_adornments() {
    let text =
        "====\nRain\n====\n\nCold\n====\n\nSnow\n----\n\nWarm\n====\n\na\n-\n\n...\n\n----\n\nb\n";
    let headings: Vec<(u8, &str)> = said(text)
        .into_iter()
        .filter(|(kind, ..)| *kind == Kind::Heading)
        .map(|(_, level, said)| (level, said))
        .collect();
    let expected = [
        (1, "====\nRain\n===="),
        (2, "Cold\n===="),
        (3, "Snow\n----"),
        (2, "Warm\n===="),
        (3, "a\n-"),
    ];
    assert_eq!(headings, expected);
    let read = read(text);
    let titles: Vec<&str> = read.titles.iter().map(|(_, span)| &text[span.range()]).collect();
    assert_eq!(titles, ["Rain", "Cold", "Snow", "Warm", "a"]);
}

#[test]
fn what_looks_like_a_heading_may_be_text() {
    // An underline that is too short, one in an item, and a line of signs alone.
    for text in ["Rain falls\n--\n", "- Rain\n  ----\n", "Rain\nfalls\n=====\n", "  Rain\n  ====\n"]
    {
        assert!(said(text).iter().all(|(kind, ..)| *kind != Kind::Heading), "{text}");
    }
    assert_eq!(said("::\n\n  a\n")[0].0, Kind::Code);
}

#[test]
fn items_have_their_first_paragraph() {
    let text = "* rain\n  falls\n\n  and stops\n\n  1. cold\n  #. warm\n* snow\n\n(a) b\n\n- c\n";
    let read = read(text);
    let found: Vec<_> = read
        .elements
        .iter()
        .map(|of| (of.kind, of.level, of.begins_list, of.parent.get(), &text[of.span.range()]))
        .collect();
    let expected = [
        (Kind::ListItem, 1, true, None, "* rain\n  falls"),
        (Kind::Paragraph, 0, false, Some(0), "and stops"),
        (Kind::ListItem, 2, true, Some(0), "1. cold"),
        (Kind::ListItem, 2, false, Some(0), "#. warm"),
        (Kind::ListItem, 1, false, None, "* snow"),
        (Kind::ListItem, 1, true, None, "(a) b"),
        (Kind::ListItem, 1, true, None, "- c"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn terms_fields_and_options_are_items() {
    let text = "rain\n   water that falls\n\n   in drops\n\n:Author: me\n:Date:\n   today\n\n-a         all\n--long=WORD\n           a word\n";
    let expected = [
        (Kind::ListItem, "rain\n   water that falls".to_owned()),
        (Kind::Paragraph, "in drops".into()),
        (Kind::ListItem, ":Author: me".into()),
        (Kind::ListItem, ":Date:\n   today".into()),
        (Kind::ListItem, "-a         all".into()),
        (Kind::ListItem, "--long=WORD\n           a word".into()),
    ];
    assert_eq!(kinds(text), expected);
}

#[test]
fn numbers_that_lead_no_list_are_text() {
    let text = "Since\n\n1. May rain\nfell.\n\nmild) days\n";
    assert!(said(text).iter().all(|(kind, ..)| *kind == Kind::Paragraph));
}

#[test]
fn a_list_of_roman_numbers_may_begin_behind_a_letter() {
    let begin = |text: &str| -> Vec<bool> {
        read(text).elements.iter().map(|of| of.begins_list && of.kind == Kind::ListItem).collect()
    };
    let text = "h. eight\ni. one\nii. two\niii. three\n";
    assert_eq!(said(text).len(), 4);
    assert_eq!(begin(text), [true, true, false, false]);
    assert_eq!(begin("h. eight\ni. nine\nj. ten\n"), [true, false, false]);
    assert_eq!(begin("h. eight\n\ni. nine\n"), [true, false]);
}

#[test]
fn code_is_told_by_its_marks() {
    let text = "Run::\n\n  rain --more\n\n  snow\n\nIt says ::\n\n> wet\n> cold\n\n>>> 1 + 1\n2\n\n.. code-block:: sh\n   :linenos:\n\n   rain\n\n.. highlight:: c\n\n::\n\n   drop();\n";
    let read = read(text);
    let code: Vec<(&str, Option<&str>)> = (0..read.elements.len())
        .filter(|&i| read.elements[i].kind == Kind::Code)
        .map(|i| {
            let language = read.languages.iter().find(|(of, _)| *of == i);
            (&text[read.elements[i].span.range()], language.map(|(_, of)| &**of))
        })
        .collect();
    let expected = [
        ("  rain --more\n\n  snow", None),
        ("> wet\n> cold", None),
        (">>> 1 + 1\n2", Some("pycon")),
        (".. code-block:: sh\n   :linenos:\n\n   rain", Some("sh")),
        ("::\n\n   drop();", Some("c")),
    ];
    assert_eq!(code, expected);
}

#[test]
fn directives_hold_what_their_names_say() {
    let text = ".. note::\n   :class: wet\n\n   Rain\n   fell.\n\n   - twice\n\n.. warning:: Cold.\n\n.. versionadded:: 3.5\n   More rain.\n\n.. math:: E = mc^2\n\n.. epigraph::\n\n   Rain.\n\n.. index:: rain\n\n.. toctree::\n   :maxdepth: 2\n\n   snow\n\n.. only:: html\n\n   Shown.\n\n.. odd:: title\n\n   Text.\n";
    let expected = [
        (Kind::Paragraph, ".. note::\n   :class: wet\n\n   Rain\n   fell.".to_owned()),
        (Kind::ListItem, "- twice".into()),
        (Kind::Paragraph, ".. warning:: Cold.".into()),
        (Kind::Paragraph, ".. versionadded:: 3.5\n   More rain.".into()),
        (Kind::Formula, ".. math:: E = mc^2".into()),
        (Kind::Quote, ".. epigraph::\n\n   Rain.".into()),
        (Kind::Paragraph, ".. toctree::\n   :maxdepth: 2\n\n   snow".into()),
        (Kind::Paragraph, "Shown.".into()),
        (Kind::Paragraph, ".. odd:: title\n\n   Text.".into()),
    ];
    assert_eq!(kinds(text), expected);
    assert_eq!(read(text).elements[1].parent.get(), Some(0));
}

#[test]
fn objects_are_items_with_what_is_said_of_them() {
    let text = ".. py:class:: Rain(drops)\n              Rain()\n\n   Falls.\n\n   .. method:: stop()\n      :async:\n\n      Stops.\n\n      Now.\n\n.. function:: snow()\n";
    let read = read(text);
    let found: Vec<_> = read
        .elements
        .iter()
        .map(|of| (of.kind, of.level, of.begins_list, of.parent.get(), &text[of.span.range()]))
        .collect();
    let expected = [
        (
            Kind::ListItem,
            1,
            true,
            None,
            ".. py:class:: Rain(drops)\n              Rain()\n\n   Falls.",
        ),
        (Kind::ListItem, 2, true, Some(0), ".. method:: stop()\n      :async:\n\n      Stops."),
        (Kind::Paragraph, 0, false, Some(1), "Now."),
        (Kind::ListItem, 1, false, None, ".. function:: snow()"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn figures_and_tables_have_captions() {
    let text = ".. figure:: map.png\n   :alt: a map\n\n   The *map*.\n\n   More of it.\n\n.. table:: Weights\n\n   ===== ==\n   stone kg\n   ===== ==\n   slate 7\n   ===== ==\n\n.. image:: log.png\n";
    let expected = [
        (Kind::Figure, ".. figure:: map.png\n   :alt: a map".to_owned()),
        (Kind::Caption, "The *map*.".into()),
        (Kind::Paragraph, "More of it.".into()),
        (Kind::Caption, ".. table:: Weights".into()),
        (Kind::Table, "===== ==\n   stone kg\n   ===== ==\n   slate 7\n   ===== ==".into()),
        (Kind::Figure, ".. image:: log.png".into()),
    ];
    assert_eq!(kinds(text), expected);
    assert_eq!(read(text).captions, [(1, 0), (3, 4)]);
}

/// Header rows, and the cells of each row, of the only table.
fn table(text: &str) -> (usize, Vec<Vec<String>>) {
    let read = read(text);
    let table = read.elements.iter().find(|of| of.kind == Kind::Table).expect(text);
    let grid = table.grid.as_ref().unwrap();
    let all = words(text, table.span);
    let word = |cell: usize| {
        let own = || {
            let said = text[grid.cells[cell].text.range()].split_whitespace();
            said.collect::<Vec<_>>().join(" ")
        };
        all.as_ref().map_or_else(own, |all| all[cell].clone())
    };
    let rows = grid.rows.iter().map(|row| row.cells.range().map(word).collect());
    (grid.n_header_rows(), rows.collect())
}

#[test]
fn tables_have_rows_and_headers() {
    let expected: Vec<Vec<String>> = [["stone", "kg"], ["slate", "7, grey"], ["chalk", ""]]
        .map(|row| row.map(str::to_owned).to_vec())
        .to_vec();
    for text in [
        "===== ==\nstone kg\n===== ==\nslate 7,\n      grey\nchalk\n===== ==\n",
        "+--------+------+\n| stone  | kg   |\n+========+======+\n| slate  | 7,   |\n|        | grey |\n+--------+------+\n| chalk  |      |\n+--------+------+\n",
        ".. csv-table:: Weights\n   :header: stone, kg\n\n   slate, \"7, grey\"\n   chalk,\n",
        ".. csv-table::\n   :header-rows: 1\n   :delim: ;\n\n   stone;kg\n   slate;7, grey\n   chalk;\n",
        ".. list-table::\n   :header-rows: 1\n\n   * - stone\n     - kg\n   * - slate\n     - 7,\n       grey\n   * - chalk\n     -\n",
    ] {
        assert_eq!(table(text), (1, expected.clone()), "{text}");
    }
    assert!(
        kinds(".. list-table::\n\n   * no list\n").iter().all(|(kind, _)| *kind != Kind::Table)
    );
}

#[test]
fn what_is_not_shown_is_no_element() {
    let text = ".. A comment\n   on rain\n\n.. _label:\n\nRain\n====\n\n..\n\n  quoted\n\n.. _log: log.html\n.. _map: map.png\n\n.. [1] A note.\n\n   More.\n\n.. |sun| image:: sun.png\n";
    let expected = [
        (Kind::Heading, "Rain\n====".to_owned()),
        (Kind::Quote, "quoted".into()),
        (Kind::Paragraph, ".. _log: log.html\n.. _map: map.png".into()),
        (Kind::Footnote, ".. [1] A note.".into()),
        (Kind::Footnote, "More.".into()),
        (Kind::Paragraph, ".. |sun| image:: sun.png".into()),
    ];
    assert_eq!(kinds(text), expected);
}

#[test]
fn links_lead_where_their_targets_do() {
    let text = "A `page <http://a.b>`_, a name_, `two words`_, one__ and Title_; again page_.\n\
                ``no_`` *no_* :ref:`no` [1]_ a_b x_ \\no_ http://c.d/e_f. :pep:`8`, m@n.org\n\n\
                .. _name: `two words`_\n.. _two words: x.html\n__ y.html\n\n\
                .. image:: i.png\n   :target: name_\n\nTitle\n=====\n";
    let found: Vec<(String, String, bool)> = links(text)
        .into_iter()
        .map(|of| (text[of.span.range()].to_owned(), of.target.to_string(), of.is_image))
        .collect();
    let image = ".. image:: i.png\n   :target: name_";
    let expected = [
        ("`page <http://a.b>`_", "http://a.b", false),
        ("name_", "x.html", false),
        ("`two words`_", "x.html", false),
        ("one__", "y.html", false),
        ("Title_", "#title", false),
        ("page_", "http://a.b", false),
        ("http://c.d/e_f", "http://c.d/e_f", false),
        (":pep:`8`", "https://peps.python.org/pep-0008", false),
        ("m@n.org", "mailto:m@n.org", false),
        (image, "i.png", true),
        (image, "x.html", false),
    ];
    assert_eq!(found, expected.map(|(said, to, image)| (said.to_owned(), to.to_owned(), image)));
}

/// Whether all spans are in order, and what was read can be stored.
fn check(text: &str) {
    let read = read(text);
    let bytes = read.to_bytes(None).unwrap();
    Read::of_bytes(&bytes, text).unwrap();
    for element in &read.elements {
        let said = &text[element.span.range()];
        assert!(element.grid.is_none() || element.kind == Kind::Table);
        assert!(!said.trim().is_empty(), "{text:?}: {element:?}");
    }
    for link in links(text) {
        assert!(text.get(link.span.range()).is_some());
    }
}

/// A line of anything that begins a block.
fn line() -> impl Strategy<Value = String> {
    let marks = [
        "",
        "a",
        "- b",
        "2. c",
        "::",
        ".. note::",
        ".. note:: d",
        ".. code::",
        ".. _e:",
        ".. _f: g",
        ".. [1] h",
        "..",
        ".. i",
        ":j: k",
        "-l  m",
        ">>> n",
        "| o",
        "===",
        "-----",
        "== ==",
        "p  q",
        "+--+--+",
        "|r | s|",
        ".. list-table:: t",
        "* - u",
        ".. csv-table::",
        "\"v,w",
        ".. figure:: x",
        ":y: z",
        ".. |a| image:: b",
        "__ c",
        ".. class:: D",
        "`e <f>`_ g_",
        "\u{77f3}\t\u{e9}",
        ".. table:: h",
        ".. only:: i",
        ".. math::",
        "a::",
    ];
    ("(|  |   |    |\t)", prop::sample::select(marks.to_vec()))
        .prop_map(|(indent, said)| format!("{indent}{said}"))
}

proptest! {
    #[test]
    fn elements_stand_in_order(lines in prop::collection::vec(line(), 0..24), feed in "(\n|\r\n|\n\n)") {
        check(&lines.join(&feed));
    }

    #[test]
    fn any_text_is_read(text in "[-=+*|`_.:<>#\\[\\] \t\n\ra1\u{e9}\u{77f3}]{0,80}") {
        check(&text);
    }

    /// Without comments, labels and what else is not shown, every word is in an element.
    #[test]
    fn no_word_is_lost(lines in prop::collection::vec(line(), 0..24)) {
        let hides = |line: &String| {
            [".. _e:", "..", ".. i", ".. only:: i", ".. _f: g"].contains(&line.trim())
        };
        let text = lines.into_iter().filter(|line| !hides(line)).collect::<Vec<_>>().join("\n");
        let read = read(&text);
        let mut end = 0;
        let spans = read.elements.iter().map(|of| (of.span.start, of.span.end));
        for (start, stop) in spans.chain([(text.len(), text.len())]) {
            prop_assert!(!text[end..start].contains(char::is_alphanumeric), "{text:?} at {end}");
            end = stop;
        }
    }
}

#[test]
fn hostile_texts_take_linear_time() {
    let n = 20_000;
    for part in [
        "- ",
        " ",
        "a\n ",
        "* a\n",
        "== ==\n",
        "== ==\na b\n",
        "+--+\n",
        "| a\n",
        ".. a::\n",
        ".. a::\n ",
        "::\n",
        ">",
        "`a ",
        "``a ",
        "*a ",
        "|a ",
        "_`a ",
        "a-",
        "a_b-",
        "`a <",
        "a@",
        "a:",
        "\\",
        "(1) ",
        ":a",
        ".. _a: b_\n",
        ".. csv-table::\n\n \"",
        ".. list-table::\n\n * - ",
        "a\n=\n\n",
        "=\n",
        "i. ",
        "-a, ",
        "http://",
        "__ a\n",
        "a__ ",
        "a\n===\n",
        ".. [1] ",
        "1. a\n",
        "\"a\"\",",
    ] {
        let text = part.repeat(n);
        read(&text);
        links(&text);
    }
    let mut deep = String::new();
    for depth in 0..400 {
        deep.push_str(&" ".repeat(depth));
        deep.push_str("a\n");
    }
    check(&deep.repeat(4));
    check(&format!(".. csv-table::\n\n   {}", "\"a\"\"b,".repeat(n)));
}
