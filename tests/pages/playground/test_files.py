"""The playground in a browser: files that are dropped, opened and saved."""

from base64 import b64encode
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

import chunkwright as cw
from tests.pages.browser import Browser
from tests.pages.playground.opening import Playground, body_of, cut, playing
from tests.server.running import Running

WORDS = "One two three. Four five six. Seven eight nine. Ten eleven twelve."


@pytest.fixture
def playground(browser: Browser, service: Running) -> Iterator[Playground]:
    """The page, cutting at twenty characters."""
    with playing(browser, service) as found:
        found.open(a="recursive", **{"a.max_chars": 20})
        yield found


def expected(name: str, data: bytes) -> list[str]:
    """Return the texts of the chunks of a file."""
    return cw.chunk(cw.read(data, name=name), "recursive", max_chars=20).texts()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("notes.md", f"# Rain\n\n{WORDS}\n".encode()),
        ("page.html", f"<h1>Rain &amp; sun</h1><p>{WORDS}</p>".encode()),
        ("table.csv", b"stone,kg\nslate,7\nmarble,9\n"),
        ("emoji.txt", "🌞🌞 one. 北京 two 𠀀. three four five.".encode()),
        ("lines.txt", b"One two.\r\nThree four.\r\n\r\nFive six seven.\r\n"),
        ("marked.txt", b"\xef\xbb\xbfOne two three four five."),
    ],
)
def test_a_text_that_is_dropped_can_be_edited(
    playground: Playground, name: str, data: bytes
) -> None:
    playground.drop(name, data)
    shown = [text.replace("\ufeff", "") for text in playground.texts]
    assert shown == [
        text.replace("\r\n", "\n").replace("\ufeff", "") for text in expected(name, data)
    ]
    assert name in playground.page.inner_text("#pg-facts")
    assert playground.page.is_visible("#pg-text")
    assert f'cw.read("{name}")' in playground.call("python")


@pytest.fixture
def slow_files(playground: Playground) -> None:
    """Reading takes so many milliseconds as the name of the file says."""
    playground.page.evaluate(
        """() => {
          const read = File.prototype.arrayBuffer;
          File.prototype.arrayBuffer = async function () {
            await new Promise((done) => setTimeout(done, parseInt(this.name)));
            return read.call(this);
          };
        }"""
    )


@pytest.mark.usefixtures("slow_files")
def test_a_file_is_awaited_while_it_is_read(playground: Playground) -> None:
    playground.drop("300.txt", b"One two.")
    assert playground.texts == ["One two."]


@pytest.mark.usefixtures("slow_files")
def test_what_was_brought_last_is_shown(playground: Playground) -> None:
    playground.drop("300.txt", b"Dropped first.")
    playground.drop("100.txt", b"Dropped last.")
    assert playground.texts == ["Dropped last."]
    playground.drop("300.txt", b"Dropped.")
    playground.put("Typed.")
    playground.page.wait_for_timeout(400)
    assert playground.texts == ["Typed."]


def test_bytes_of_a_file_are_sent_as_they_are(playground: Playground) -> None:
    data = b"\xef\xbb\xbfOne two.\r\nThree four.\r\n"
    with playground.page.expect_request("**/v1/preview") as asked:
        playground.drop("lines.txt", data)
    assert body_of(asked.value)["data"] == b64encode(data).decode()


def test_a_file_without_text_is_read_by_the_service(playground: Playground) -> None:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="needs reportlab")
    file = BytesIO()
    drawn = canvas.Canvas(file)
    drawn.drawString(72, 700, WORDS)
    drawn.save()
    playground.drop("paper.pdf", file.getvalue())
    assert playground.texts == expected("paper.pdf", file.getvalue())
    assert playground.page.is_hidden("#pg-text")
    assert "paper.pdf" in playground.page.inner_text("#pg-card")
    playground.page.click("#pg-clear")
    assert playground.texts == []
    assert playground.page.is_visible("#pg-text")


def test_a_file_that_is_opened_is_shown(playground: Playground, tmp_path: Path) -> None:
    file = tmp_path / "opened.md"
    file.write_text(WORDS)
    with playground.page.expect_file_chooser() as chosen:
        playground.page.click("#pg-open")
    chosen.value.set_files(file)
    playground.page.wait_for_selector("#pg-facts:has-text('opened.md')")
    assert playground.texts == cut(WORDS, "recursive", max_chars=20)
    # The same file may have changed, and is opened again.
    file.write_text("Another text.")
    with playground.page.expect_file_chooser() as chosen:
        playground.page.click("#pg-open")
    chosen.value.set_files(file)
    playground.page.wait_for_selector("#pg-facts:has-text('13 characters')")
    assert playground.texts == ["Another text."]


def test_what_is_saved_is_what_was_typed(playground: Playground, tmp_path: Path) -> None:
    typed = "One two.\n\nThree 🌞 four. 北京"
    playground.put(typed)
    with playground.page.expect_download() as saved:
        playground.page.click("#pg-save")
    assert saved.value.suggested_filename == "text.md"
    saved.value.save_as(tmp_path / "text.md")
    assert (tmp_path / "text.md").read_bytes() == typed.encode()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("odd.txt", b"One\0two", "binary"),
        ("broken.pdf", b"%PDF-1.7 but nothing else", "PDF"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG"),
    ],
)
def test_a_file_that_cannot_be_read_is_said(
    playground: Playground, name: str, data: bytes, said: str
) -> None:
    playground.put("Words of the document before.")
    playground.wait()
    playground.drop(name, data)
    told = playground.problem_at(".pg-nothing [role=alert]")
    assert said.lower() in told.lower()
    assert name in told
    assert playground.page.locator(".cw-chunk").count() == 0
    assert playground.page.is_hidden("#pg-take")
    playground.page.click("#pg-sample")
    assert playground.texts
    assert playground.page.locator(".pg-nothing").count() == 0


def test_a_file_over_the_limit_of_the_service_is_not_sent(playground: Playground) -> None:
    playground.wait()
    asked: list[str] = []
    playground.page.on("request", lambda request: asked.append(request.url))
    playground.page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(1_600_000).fill(97)], "large.txt"));
          document.body.dispatchEvent(
            new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    said = playground.problem_at(".pg-nothing [role=alert]")
    assert said.startswith("It has 1.6 MB, and the service takes at most ")
    assert asked == []


def test_a_text_that_is_dragged_is_left_to_the_browser(playground: Playground) -> None:
    is_taken = playground.page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.setData("text/plain", "some words");
          const said = { dataTransfer: data, bubbles: true, cancelable: true };
          const event = new DragEvent("drop", said);
          document.body.dispatchEvent(event);
          return event.defaultPrevented;
        }"""
    )
    assert not is_taken


def test_an_encrypted_file_is_opened_with_its_password(playground: Playground) -> None:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="writes the file")
    pytest.importorskip("pypdfium2", reason="PDF documents are read by PDFium")
    file = BytesIO()
    drawn = canvas.Canvas(file, encrypt="millstone")
    drawn.drawString(72, 700, "Kept secret.")
    drawn.save()
    playground.drop("secret.pdf", file.getvalue())
    field = "#pg-password"
    playground.page.wait_for_selector(field)
    for password, said in (("oak", "the password is wrong"), ("millstone", "")):
        playground.page.fill(field, password)
        playground.page.keyboard.press("Enter")
        playground.wait()
        if said:
            assert said in playground.page.inner_text(".pg-nothing")
    assert playground.texts == ["Kept secret."]
    # No call repeats it.
    for form in ("python", "command", "http"):
        call = playground.call(form)
        assert "password" in call
        assert "millstone" not in call


def test_a_large_file_is_sent_without_a_copy_of_it(playground: Playground) -> None:
    text = f"{WORDS} " * 20_000
    playground.open(a="recursive", **{"a.max_chars": 200_000})
    playground.drop("long.txt", text.encode())
    playground.page.wait_for_selector(".cw-name:has-text('long.txt')")
    playground.wait()
    expected = len(cw.chunk(text, "recursive", max_chars=200_000))
    assert int(playground.page.inner_text("#pg-status").split()[0]) == expected


def test_source_code_has_a_fixed_width(playground: Playground) -> None:
    family = "getComputedStyle(document.querySelector('.cw-text')).fontFamily.includes('monospace')"
    for name, data, is_fixed in (("a.py", b"x = 1\n", True), ("a.txt", b"It rained.", False)):
        playground.drop(name, data)
        playground.page.wait_for_selector(f".cw-name:has-text('{name}')")
        assert playground.page.evaluate(family) == is_fixed
