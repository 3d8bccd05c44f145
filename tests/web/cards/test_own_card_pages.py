"""What stands on the page of a card of one's own."""

from tests.web.cast import Reader


def test_a_card_of_one_s_own_leads_to_the_next(guest: Reader) -> None:
    form = guest.open("/cards/new").form("/cards/own", "记下来")
    page = guest.submit(form, "记下来", front="折损", back="越靠后越少")
    assert page.main.one("a", href="/cards/new").text == "再写一张"
