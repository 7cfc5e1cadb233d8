"""Numbers, dates and amounts as Excel shows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.readers.office.sheets.number_formats import BUILTIN, plain, shown, shown_text

DAY = 45000  # 15 March 2023
ACCOUNTS = '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-'


@pytest.mark.parametrize(
    ("value", "code", "wanted"),
    [
        (0.125, "0.0%", "12.5%"),
        (2.675, "0.00", "2.68"),
        (0.125, "0.00", "0.13"),
        (-1234.5, '#,##0.00 "€"', "-1,234.50 €"),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
        (1234.5, '_("$"* #,##0.00_)', "$1,234.50"),
        (-1234.5, '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\)', "$(1,234.50)"),
        (-5, "0;(0)", "(5)"),
        (-5, "0;[Red]0", "5"),
        (0, '0;-0;"none"', "none"),
        (0, ACCOUNTS, "-"),
        (-3, ACCOUNTS, "-3.00"),
        (1234567, "#,##0,", "1,235"),
        (1234567, '0.0,,"M"', "1.2M"),
        (12345.678, "0.00E+00", "1.23E+04"),
        (12345.678, "##0.0E+0", "12.3E+3"),
        (0.5, "# ?/?", "1/2"),
        (2.25, "# ??/??", "2 1/4"),
        (0.99999, "# ?/?", "1"),
        (5, "000", "005"),
        (0.5, ".00", ".50"),
        (0.5, "#.##", ".5"),
        (3, "0.##", "3."),
        (0, "#", ""),
        (-0.001, "0.00", "0.00"),
        (5, 'General" kg"', "5 kg"),
        (150, '[>100]"big";"small"', "big"),
        (15, '[>100]"big";"small"', "small"),
        (5551234567, "(000) 000-0000", "(555) 123-4567"),
        (5551234, "000\\-0000", "555-1234"),
        (DAY, "m/d/yyyy", "3/15/2023"),
        (DAY, "[$-409]d\\-mmm\\-yy;@", "15-Mar-23"),
        (DAY, "dddd, mmmm d, yyyy", "Wednesday, March 15, 2023"),
        (DAY + 0.75, "yyyy-mm-dd hh:mm", "2023-03-15 18:00"),
        (DAY + 0.75, "h:mm AM/PM", "6:00 PM"),
        (DAY + 0.5208333, "mm:ss", "30:00"),
        (DAY + 0.123456, "hh:mm:ss.000", "02:57:46.598"),
        (1.5, "[h]:mm", "36:00"),
        (1, "d mmm yyyy", "1 Jan 1900"),
        (-1, "yyyy", "-1"),
        (DAY, BUILTIN[14], "2023-03-15"),
    ],
)
def test_a_format_shows_a_number(value: float, code: str, wanted: str) -> None:
    assert shown(value, code) == wanted


def test_days_of_old_macintosh_files_begin_in_1904() -> None:
    assert shown(0, "yyyy-mm-dd", from_1904=True) == "1904-01-01"


def test_texts_have_a_section_of_their_own() -> None:
    assert shown_text("oak", '0;0;0;"wood: "@') == "wood: oak"
    assert shown_text("oak", "0.00") == "oak"


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.text('0#?.,%E+-/;@[]"\\$ ymdhsGeneral_*<>=', max_size=20),
)
def test_any_format_shows_any_number_in_some_way(value: float, code: str) -> None:
    assert len(shown(value, code)) < 2000


@given(st.integers(-(10**14), 10**14))
def test_whole_numbers_lose_nothing(value: int) -> None:
    assert plain(value) == str(value)
    assert int(shown(value, "#,##0").replace(",", "")) == value
