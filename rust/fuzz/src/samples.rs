//! Marks and valid samples of texts: prose, Markdown, HTML, CSV.

/// What texts of a format are made of.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name of its reader, as [`chunkwright_read::kinds::InputKind`] has it.
    pub name: &'static str,
    /// What means something in it.
    pub marks: &'static [&'static str],
    /// Valid texts.
    pub samples: &'static [&'static str],
}

/// Text without marks: sentences, paragraphs, abbreviations.
pub const TEXT: Format = Format {
    name: "text",
    marks: &[
        ". ", "! ", "? ", "\n\n", "\n", " ", "the ", "Mr. ", "e.g. ", "1. ", "- ", "(", ")", "\"",
        "…", "。", ":\n",
    ],
    samples: &[
        "Rain fell for two days. The river rose!\n\nDr. Ayre said: \"Wait.\" Then it stopped.\n- one\n- two\n",
    ],
};

/// `CommonMark` with tables, front matter and footnotes.
pub const MARKDOWN: Format = Format {
    name: "markdown",
    marks: &[
        "# ",
        "## ",
        "###### ",
        "\n",
        "\n\n",
        "---\n",
        "===\n",
        "```",
        "~~~",
        "```rust\n",
        "    ",
        "\t",
        "> ",
        "- ",
        "* ",
        "1. ",
        "10) ",
        "| a | b |\n",
        "|---|:-:|\n",
        "|",
        "\\|",
        "[a](b)",
        "![a](b \"c\")",
        "[a]: b\n",
        "[^1]",
        "[^1]: ",
        "<div>",
        "</div>",
        "<!--",
        "-->",
        "&amp;",
        "*",
        "**",
        "_",
        "`",
        "\\",
        "---\ntitle: a\n---\n",
        "- [ ] ",
        "<b",
        "]",
        "[",
        "(",
        ")",
        "$$",
        ":\n",
    ],
    samples: &[
        "---\ntitle: Rain\n---\n\n# Rain\n\nIt fell. See [the log](log.html).\n\n| day | mm |\n|---|--:|\n| 1 | 4 |\n| 2 \
         | 7 |\n\n1. one\n   - two\n\n```py\nx = 1\n```\n\n> quoted[^1]\n\n[^1]: A note.\n\nSun\n---\n\n<div>html</div>\n",
    ],
};

/// HTML pages.
pub const HTML: Format = Format {
    name: "html",
    marks: &[
        "<html>",
        "<body>",
        "<p>",
        "</p>",
        "<h1>",
        "</h1>",
        "<h6 class=a>",
        "<ul>",
        "<ol start=3>",
        "<li>",
        "</li>",
        "</ul>",
        "<table>",
        "<tr>",
        "<td rowspan=2>",
        "<td colspan=9999>",
        "<td rowspan=0>",
        "<th>",
        "</td>",
        "</tr>",
        "</table>",
        "<thead>",
        "<tbody>",
        "<caption>",
        "<pre>",
        "</pre>",
        "<code class='language-py'>",
        "<br>",
        "<hr/>",
        "<a href='b'>",
        "</a>",
        "<img alt=\"c\" src=d>",
        "<nav>",
        "<main>",
        "<script>",
        "</script>",
        "<style>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<!DOCTYPE html>",
        "&lt;",
        "&#x10ffff;",
        "&#0;",
        "&notin",
        "<",
        ">",
        "<svg>",
        "<math>",
        "<template>",
        "<select>",
        "<option>",
        "<textarea>",
        "<title>",
        "</",
        "<div hidden>",
        "<blockquote>",
        "<figure>",
        "<figcaption>",
        "<dl><dt>",
        "<dd>",
        "<b>",
        "</b>",
        "=\"",
        "'",
    ],
    samples: &[
        "<!DOCTYPE html><html><head><title>Rain</title></head><body><nav>menu</nav><h1>Rain</h1><p>It <b>fell</b> for \
         two&nbsp;days.</p><table><caption>mm</caption><thead><tr><th>day<th>mm</thead><tr><td rowspan=2>1<td>4<tr>\
         <td>7</table><ul><li>one<ul><li>two</ul></ul><pre><code class=language-py>x = 1\n</code></pre><figure>\
         <img src=a alt=b><figcaption>A river</figcaption></figure><a href='log.html'>log</a></body></html>",
    ],
};

/// Comma-separated values.
pub const CSV: Format = Format {
    name: "csv",
    marks: &[
        ",", ";", "\t", "|", "\"", "\"\"", "\n", "\r\n", "\r", "a", "\"a,b\"", "\"a\nb\"", " ",
        "7\" nail",
    ],
    samples: &["stone,kg\nslate,7\n\"chalk, white\",3\n\"say \"\"no\"\"\",\n"],
};

/// Tab-separated values.
pub const TSV: Format =
    Format { name: "tsv", samples: &["stone\tkg\nslate\t7\n\"a\tb\"\t\"c\nd\"\n"], ..CSV };
