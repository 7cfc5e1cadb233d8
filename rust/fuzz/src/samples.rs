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

/// The body of a Word file.
pub const DOCX: Format = Format {
    name: "docx",
    marks: &[
        "<w:p>",
        "</w:p>",
        "<w:p><w:r><w:t>a</w:t></w:r></w:p>",
        "<w:r>",
        "</w:r>",
        "<w:t>",
        "</w:t>",
        "<w:t> b </w:t>",
        "<w:tab/>",
        "<w:br/>",
        "<w:br w:type='page'/>",
        "<w:lastRenderedPageBreak/>",
        "<w:pPr>",
        "</w:pPr>",
        "<w:pPr><w:outlineLvl w:val='1'/></w:pPr>",
        "<w:pPr><w:numPr><w:ilvl w:val='2'/><w:numId w:val='1'/></w:numPr></w:pPr>",
        "<w:pPr><w:pStyle w:val='Title'/></w:pPr>",
        "<w:pPr><w:pStyle w:val='Code'/></w:pPr>",
        "<w:pPr><w:pStyle w:val='Caption'/></w:pPr>",
        "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>",
        "<w:rPr><w:vanish/></w:rPr>",
        "<w:sym w:font='Symbol' w:char='F061'/>",
        "<w:hyperlink w:anchor='x'>",
        "</w:hyperlink>",
        "<w:ins>",
        "</w:ins>",
        "<w:fldChar w:fldCharType='begin'/>",
        "<w:fldChar w:fldCharType='separate'/>",
        "<w:fldChar w:fldCharType='end'/>",
        "<w:instrText> HYPERLINK \"x\"</w:instrText>",
        "<w:footnoteReference w:id='1'/>",
        "<w:tbl>",
        "</w:tbl>",
        "<w:tr>",
        "</w:tr>",
        "<w:tc>",
        "</w:tc>",
        "<w:tc><w:tcPr><w:gridSpan w:val='63'/><w:vMerge/></w:tcPr></w:tc>",
        "<w:trPr><w:gridBefore w:val='9'/><w:tblHeader/></w:trPr>",
        "<w:sdt><w:sdtContent>",
        "</w:sdtContent></w:sdt>",
        "<w:drawing><wp:docPr descr='a'/><pic:pic/><w:txbxContent>",
        "</w:txbxContent></w:drawing>",
        "<mc:AlternateContent><mc:Choice>",
        "</mc:Choice></mc:AlternateContent>",
        "<m:oMath>",
        "</m:oMath>",
        "<m:t>α</m:t>",
        "<m:f><m:num>",
        "</m:num><m:den/></m:f>",
        "<m:d><m:e>",
        "</m:e></m:d>",
        "<w:sectPr/>",
        "&amp;",
        "&x;",
        "&#1;",
        "<!-- -->",
        "<![CDATA[a]]>",
        "<",
    ],
    samples: &[
        "<w:p><w:pPr><w:pStyle w:val='Title'/></w:pPr><w:r><w:t>Rain</w:t></w:r></w:p><w:p><w:pPr><w:numPr><w:numId \
         w:val='1'/></w:numPr></w:pPr><w:r><w:t xml:space='preserve'>It  fell.</w:t><w:footnoteReference w:id='1'/>\
         </w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>day</w:t></w:r></w:p></w:tc><w:tc/></w:tr><w:tr><w:tc><w:p>\
         <w:r><w:lastRenderedPageBreak/><w:t>1</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p><w:pPr><w:pStyle \
         w:val='Caption'/></w:pPr><w:r><w:t>Table 1</w:t></w:r></w:p><w:p><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r>\
         </m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></w:p>",
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
