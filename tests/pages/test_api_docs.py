"""Page of the service's description in Chromium: it shows all routes, within its policy."""

import pytest

from tests.pages.browser import Browser, watched
from tests.server.running import serving


def test_the_description_is_shown_and_a_route_is_tried(browser: Browser) -> None:
    pytest.importorskip("fastapi_offline", reason="has the files of Swagger UI")
    with serving() as service:
        address = f"http://127.0.0.1:{service.port}/"
        with watched(browser, allowed=(address, "data:")) as seen:
            page = seen.page
            page.goto(f"{address}docs")
            operation = page.locator("#operations-default-version_version_get")
            operation.locator("button").first.click()
            operation.get_by_role("button", name="Try it out").click()
            operation.get_by_role("button", name="Execute").click()
            operation.locator(".live-responses-table").get_by_text('"version"').first.wait_for()
            assert page.get_by_role("button", name="Authorize").first.is_visible()
            seen.check()
