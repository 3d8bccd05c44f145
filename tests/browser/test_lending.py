"""A browser that is lent again: whoever gets it finds nothing of who had it before."""

from playwright.sync_api import Browser

from tests.browser.lending import Lender
from tests.browser.watch import Watch

KEEP = "document.cookie = 'kept=1'; localStorage.kept = '1'; sessionStorage.kept = '1'"
WHAT_IS_THERE = "[document.cookie, localStorage.kept, sessionStorage.kept, navigator.onLine, history.length]"


def test_a_visitor_finds_nothing_of_the_one_before(browser: Browser, base_url: str) -> None:
    lender, watch = Lender(browser), Watch()
    options = {"base_url": base_url, "viewport": {"width": 360, "height": 740}}
    with lender.shared(watch, False, **options, color_scheme="dark") as page:
        page.goto("/privacy")
        context = page.context
        page.evaluate(KEEP)
        page.context.grant_permissions(["clipboard-read"])
        page.context.route("**/*", lambda route: route.abort())
        page.context.set_offline(True)
    with lender.shared(watch, False, **options) as page:
        assert page.context == context, "it is the same browser"
        page.goto("/privacy")
        assert page.evaluate(WHAT_IS_THERE) == ["", None, None, True, 1]
        assert not page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        permission = "navigator.permissions.query({ name: 'clipboard-read' }).then((one) => one.state)"
        assert page.evaluate(permission) != "granted"
        page.evaluate("console.error('糖')")
    context.close()
    assert [text for text in watch.seen if "糖" in text] == ["error: 糖 ()"]
