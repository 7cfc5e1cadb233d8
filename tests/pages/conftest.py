"""What tests of pages share: one headless browser for each of their files."""

from collections.abc import Iterator

import pytest

from tests.pages.browser import CHROMIUM, NO_CHROMIUM, PATIENCE, Browser

# Pages are opened by each of these; the other tests with a browser are slow together.
ALWAYS = {"test_mounting.py", "test_keys.py"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what opens a browser, so that a run can have these tests alone, or all others."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            if item.path.name not in ALWAYS:
                item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless browser; without playwright and Chromium the test is skipped."""
    playwright_api = pytest.importorskip(
        "playwright.sync_api", reason="pages are looked at with playwright"
    )
    if not CHROMIUM.exists():
        pytest.skip(NO_CHROMIUM)
    with playwright_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=str(CHROMIUM),
            args=["--no-sandbox", "--disable-dev-shm-usage"],
            timeout=PATIENCE,
        )
        yield found
        found.close()
