"""Small files of each format, made for the tests."""

from __future__ import annotations

import io

MARKDOWN = b"""# Rivers

The *Elbe* is a river.

## Lengths

- Elbe
  - Saale
- Oder

1. first
2. second

| river | km |
|---|---|
| Elbe | 1094 |
| Oder | 840 |

```py
length = 1094
```

![The Elbe at dawn](elbe.png)

> It flows.

$$l = 1094$$
"""

HTML = b"""<h1>Rivers</h1><p>The <b>Elbe</b> is a river.</p><h2>Lengths</h2>
<ul><li>Elbe<ul><li>Saale</li></ul></li><li>Oder</li></ul>
<table><caption>Lengths of rivers</caption><tr><th>river</th><th>km</th></tr>
<tr><td>Elbe</td><td>1094</td></tr></table><figure><img alt="dawn" src="x.png">
<figcaption>The Elbe at dawn</figcaption></figure><pre>length = 1094</pre>"""

CSV = b"river,km\nElbe,1094\nOder,840\n"
TEXT = b"The Elbe is a river.\n\nSo is the Oder.\n"


def docx() -> bytes:
    """Return a Word file."""
    from docx import Document

    document = Document()
    document.add_heading("Rivers", 1)
    document.add_paragraph("The Elbe is a river.")
    document.add_paragraph("Elbe", style="List Bullet")
    document.add_paragraph("first", style="List Number")
    table = document.add_table(2, 2)
    for i, row in enumerate((("river", "km"), ("Elbe", "1094"))):
        for j, text in enumerate(row):
            table.cell(i, j).text = text
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def pdf(n_pages: int = 2) -> bytes:
    """Return a PDF file whose pages say their numbers."""
    from reportlab.pdfgen.canvas import Canvas

    written = io.BytesIO()
    canvas = Canvas(written, pagesize=(400, 600))
    for number in range(1, n_pages + 1):
        canvas.setFont("Helvetica", 12)
        canvas.drawString(50, 500, f"The Elbe is a river, says page {number} of this file.")
        canvas.showPage()
    canvas.save()
    return written.getvalue()
