//! Marks and valid samples of objects: JSON, YAML, documents of other libraries, PDF.

use crate::samples::Format;

/// Marks that all JSON is made of.
const JSON_MARKS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u0041",
    "\\ud800",
    "\\ud83d\\ude00",
    "true",
    "false",
    "null",
    "-0",
    "1e9",
    "1E400",
    "0.1",
    "\"a\"",
    "\"a\": ",
    " ",
    "\n",
    "[]",
    "{}",
    "\"\"",
    "01",
    "NaN",
    "[[",
    "]]",
    "{\"a\":",
    "}\n{",
];

/// JSON, and lines of it.
pub const JSON: Format = Format {
    name: "json",
    marks: JSON_MARKS,
    samples: &[
        "{\"rain\": [{\"day\": 1, \"mm\": 4.5}, {\"day\": 2, \"mm\": null}], \"river\": {\"name\": \"A\\u00e9\", \"long\": \
         [[1, 2, [3]], []]}, \"is\": true}",
        "{\"a\": 1}\n{\"a\": [1, 2]}\n\"b\"\n",
    ],
};

/// YAML.
pub const YAML: Format = Format {
    name: "yaml",
    marks: &[
        "a: ",
        "b:\n",
        "- ",
        "  ",
        "\n",
        "\n\n",
        "---\n",
        "...\n",
        "|\n",
        ">-\n",
        "|2+\n",
        "# c\n",
        "&x ",
        "*x",
        "!!str ",
        "{",
        "}",
        "[",
        "]",
        ", ",
        "'",
        "\"",
        "? ",
        ": ",
        "<<: ",
        "%YAML 1.2\n",
        "\\",
        "~",
        "null",
        "0x1f",
        "1_000",
        "\t",
        "- - - ",
    ],
    samples: &[
        "# rain\nrain:\n  - day: 1\n    mm: 4.5\n  - {day: 2, mm: ~}\nriver: &r\n  name: |\n    long\n    text\n  other: >-\n   \
         folded\nsame: *r\n\"quoted key\": 'a''b'\n",
    ],
};

/// `DoclingDocument` in JSON.
pub const DOCLING: Format = Format {
    name: "docling",
    marks: &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "null",
        "1",
        "-1",
        "9223372036854775807",
        "1e400",
        "\"$ref\": \"#/texts/0\"",
        "{\"$ref\": \"#/body\"}",
        "{\"$ref\": \"#/groups/0\"}",
        "{\"$ref\": \"#/tables/0\"}",
        "{\"$ref\": \"#/pictures/9\"}",
        "\"children\": ",
        "\"parent\": ",
        "\"label\": \"title\"",
        "\"label\": \"list_item\"",
        "\"label\": \"formula\"",
        "\"label\": \"code\"",
        "\"level\": 200",
        "\"prov\": [{\"page_no\": 3}]",
        "\"text\": \"\\ud800\"",
        "\"num_rows\": ",
        "\"num_cols\": ",
        "\"start_row_offset_idx\": ",
        "\"end_col_offset_idx\": ",
        "\"table_cells\": [",
        "\"captions\": [",
        "\"content_layer\": \"furniture\"",
        "\"version\": \"9.0.0\"",
        "\"hyperlink\": \"a b\"",
        "\"charspan\": [0, 9]",
    ],
    samples: &[
        include_str!("../samples/docling.json"),
        "{\"schema_name\": \"DoclingDocument\", \"name\": \"d\", \"body\": {\"self_ref\": \"#/body\", \"children\": \
         [{\"$ref\": \"#/texts/0\"}]}, \"texts\": [{\"self_ref\": \"#/texts/0\", \"parent\": {\"$ref\": \"#/body\"}, \
         \"label\": \"title\", \"text\": \"Rain\", \"orig\": \"Rain\"}]}",
    ],
};

/// Lists of Unstructured's elements in JSON.
pub const ELEMENTS: Format = Format {
    name: "elements",
    marks: &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "null",
        "1",
        "-1",
        "1e400",
        "9223372036854775807",
        "\"type\": \"Title\"",
        "\"type\": \"ListItem\"",
        "\"type\": \"Table\"",
        "\"type\": \"CompositeElement\"",
        "\"type\": 1",
        "\"text\": \"a\"",
        "\"text\": null",
        "\"metadata\": {",
        "\"page_number\": ",
        "\"category_depth\": ",
        "\"parent_id\": ",
        "\"element_id\": ",
        "\"text_as_html\": \"<table><tr><td>a\"",
        "\"orig_elements\": \"eJyLrlYqSa0oUbJSUKpQqo0FACgQBNA=\"",
        "\"\\ud800\"",
        "\"coordinates\": {\"points\": [[0, 1]]}",
        "\"languages\": [\"en\"]",
        "eJyLrlYqSa0oUbJSUKpQqo0FACgQBNA=",
    ],
    samples: &[
        "[{\"type\": \"Title\", \"element_id\": \"t\", \"text\": \"Rain\", \"metadata\": {\"page_number\": 1, \
         \"category_depth\": 0}}, {\"type\": \"NarrativeText\", \"text\": \"It fell.\", \"metadata\": {\"page_number\": 1, \
         \"parent_id\": \"t\", \"coordinates\": {\"points\": [[1, 2], [1, 4], [3, 4], [3, 2]], \"system\": \"PixelSpace\", \
         \"layout_width\": 600, \"layout_height\": 800}}}, {\"type\": \"Table\", \"text\": \"day mm 1 4\", \"metadata\": \
         {\"text_as_html\": \"<table><thead><tr><th>day</th><th>mm</th></tr></thead><tr><td>1</td><td>4</td></tr>\
         </table>\"}}, {\"type\": \"ListItem\", \"text\": \"one\", \"metadata\": {\"category_depth\": 1}}]",
        "eJyLrlYqSa0oUbJSUKpQqo0FACgQBNA=",
    ],
};

/// Objects of a PDF, as far as forms are looked for in them.
pub const PDF: Format = Format {
    name: "pdf",
    marks: &[
        "1 0 obj",
        "2 0 obj",
        "4294967295 0 obj",
        "<<",
        ">>",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "/",
        "%",
        "\n",
        "stream\n",
        "endstream",
        "endobj",
        "1 0 R",
        "2 0 R",
        "/X",
        "/X Do ",
        "/XObject",
        "/Resources",
        "/Subtype/Form",
        "/Length",
        "/Filter/FlateDecode",
        "/Filter/LZWDecode",
        "/Filter/A85",
        "/Filter/RL",
        "/Contents",
        "/CharProcs",
        "/First 4",
        "/DecodeParms<</Predictor 12/Columns 3>>",
        "/Predictor 2/Columns 4294967295/BitsPerComponent 16",
        " 7 ",
        "#",
    ],
    samples: &[
        "%PDF-1.7\n1 0 obj<</Type/Page/Resources<</XObject<</X 2 0 R>>>>/Contents 3 0 R>>endobj\n2 0 obj<</Subtype/Form\
         /Resources<</XObject<</X 2 0 R>>>>/Length 5>>stream\n/X Do\nendstream endobj\n3 0 obj<</Length 9/Filter\
         [/ASCIIHexDecode]>>stream\n2F5820446F>\nendstream endobj\n",
    ],
};
