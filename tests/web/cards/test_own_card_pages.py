"""What stands on the page of a card of one's own."""

from tests.web.cast import Ledger, Reader


def test_a_card_of_one_s_own_leads_to_the_next(guest: Reader) -> None:
    form = guest.open("/cards/new").form("/cards/own", "记下来")
    page = guest.submit(form, "记下来", front="折损", back="越靠后越少")
    assert page.main.one("a", href="/cards/new").text == "再写一张"


def test_a_card_that_another_tab_has_changed_is_not_overwritten_unseen(guest: Reader, ledger: Ledger) -> None:
    form = guest.open("/cards/new").form("/cards/own", "记下来")
    guest.submit(form, "记下来", front="折损", back="越靠后越少", tags="常考")
    [first_tab, second_tab] = [guest.open("/cards/own-1/edit").form("/cards/own-1/edit") for _ in range(2)]
    guest.submit(first_tab, "记下来", back="越靠后越不算数", tags="第三课")
    guest.submit(first_tab, "记下来", back="越靠后越不算数", tags="第三课")  # a double click
    page = guest.submit(second_tab, "先看看", back="名次越后越少")
    second_tab = page.form("/cards/own-1/edit")
    page = guest.submit(second_tab, "记下来", status=422)
    assert "刚才在别处改过" in page.by_id("own-error").text
    assert page.by_id("back").text == "名次越后越少"
    stored_card = page.main.one("article").text
    assert "越靠后越不算数" in stored_card
    assert "第三课" in stored_card
    assert ledger.rows("SELECT back, tags FROM own_card") == [("越靠后越不算数", "第三课")]
    guest.submit(page.form("/cards/own-1/edit"), "记下来")
    assert ledger.rows("SELECT back, tags FROM own_card") == [("名次越后越少", "常考")]


def test_a_form_that_says_not_what_it_was_opened_with_is_kept(guest: Reader, ledger: Ledger) -> None:
    form = guest.open("/cards/new").form("/cards/own", "记下来")
    guest.submit(form, "记下来", front="折损", back="越靠后越少")
    guest.post("/cards/own-1/edit", [("front", "折损"), ("back", "少")])
    assert ledger.rows("SELECT back FROM own_card") == [("少",)]
