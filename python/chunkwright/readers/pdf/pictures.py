"""Pictures of pages of PDF documents, drawn by PDFium within a time."""

from __future__ import annotations

import math
from time import thread_time
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ReadError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_SECONDS = 10.0
"""Seconds of its thread that a page is drawn for: others wait for PDFium meanwhile."""
_WHITE = 0xFFFFFFFF


def drawn_page(page: Any, scale: float) -> NDArray[np.uint8]:
    """Return the pixels of a page, shape ``(height, width, 3)``, red before blue.

    Parameters
    ----------
    page
        A page of pypdfium2, which no other thread uses meanwhile.
    scale
        Pixels of a point.

    Raises
    ------
    ReadError
        If it cannot be drawn, or takes longer than `MOST_SECONDS`.
    """
    from pypdfium2 import PdfBitmap, raw

    width, height = (math.ceil(side * scale) for side in page.get_size())
    bitmap = PdfBitmap.new_native(width, height, format=raw.FPDFBitmap_BGR, rev_byteorder=True)
    try:
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, _WHITE)
        end = thread_time() + MOST_SECONDS
        # PDFium asks it every hundred objects or so.
        is_over = dict(raw.IFSDK_PAUSE._fields_)["NeedToPauseNow"](lambda _: thread_time() > end)
        pause = raw.IFSDK_PAUSE(version=1, NeedToPauseNow=is_over)
        flags = raw.FPDF_ANNOT | raw.FPDF_REVERSE_BYTE_ORDER
        status = raw.FPDF_RenderPageBitmap_Start(bitmap, page, 0, 0, width, height, 0, flags, pause)
        raw.FPDF_RenderPage_Close(page)
        if status == raw.FPDF_RENDER_TOBECONTINUED:
            raise ReadError(f"a page takes longer than {MOST_SECONDS:g} seconds to be drawn")
        if status != raw.FPDF_RENDER_DONE:
            raise ReadError("a page cannot be drawn")
        pixels: NDArray[np.uint8] = bitmap.to_numpy()[:, :, :3].copy()
        return pixels
    finally:
        bitmap.close()
