"""PDF documents, read by PDFium: headings, paragraphs, lists and tables with their pages and boxes."""

from __future__ import annotations

import ctypes
from chunkwright import _core
from chunkwright.document import Document
from chunkwright.elements.elements import Elements


def read_pdf(source, *, name=None, pages=None, password=None):
    import pypdfium2 as pdfium
    import pypdfium2.raw as raw

    addresses = [ctypes.cast(getattr(raw, f), ctypes.c_void_p).value for f in _core.pdfium_functions()]
    pdf = pdfium.PdfDocument(source, password=password)
    handle = ctypes.cast(pdf.raw, ctypes.c_void_p).value
    outline = []
    for b in pdf.get_toc():
        dest = b.get_dest()
        outline.append((b.get_title(), (dest.get_index() or 0) + 1 if dest else 0, b.level + 1))
    core = _core.read_pdf(addresses, handle, list(range(len(pdf))), outline)
    return Document(elements=Elements(core), name=name)
