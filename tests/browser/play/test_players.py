"""At a phone of 360 px players come, go and are renamed; a host lets phones only watch."""

import pytest
from playwright.sync_api import expect

from tests.browser.phones import NO_WORKER, HeldRequests
from tests.browser.sight.fits import check_fits
from tests.grids import few

pytestmark = pytest.mark.browser


def test_players_come_and_go_by_taps(opened, server):
    phone = opened(f"{server.address}?game=pig")
    phone.get_by_role("button", name="Start", exact=False).last.click()
    expect(phone.locator("#players")).to_have_count(1)
    phone.locator("#players > summary").click()
    phone.get_by_label("Who comes late").fill("Cleo")
    phone.get_by_role("button", name="Join").click()
    expect(phone.locator(".tally .score")).to_have_count(3)

    phone.evaluate("window.neverReloaded = true")
    phone.locator("#player-0 > details > summary").click()
    check_fits(phone, least=40, widths=(360,))
    phone.get_by_label("New name").first.fill("Anna")
    phone.get_by_role("button", name="Rename").first.click()
    expect(phone.locator("#prompt")).to_contain_text("Anna")

    phone.locator("#player-0").get_by_role("button", name="Leave").click()
    check_fits(phone, least=40, widths=(360,))
    phone.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(phone.locator("#why-0")).to_contain_text("Has left")

    phone.get_by_role("button", name="End the match here").click()
    expect(phone.locator("#ends")).to_contain_text("The match is over then")
    phone.get_by_role("dialog").get_by_role("button", name="End the match").click()
    expect(phone.locator("#result-title")).to_have_text("Ended early")
    assert phone.evaluate("window.neverReloaded")


END = """match => fetch(`/api/matches/${match}/moves`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ after: 0, moves: [{ move: 'EndMatch' }] }),
})"""


def without_stream(page):
    """Hold the streams of the pages that are opened on a phone."""
    page.add_init_script(NO_WORKER)
    return HeldRequests("**/api/live?*").of(page)


@pytest.mark.parametrize("late", [False, pytest.param(True, marks=pytest.mark.release)])
def test_a_host_sees_who_comes_and_says_what_each_may_do(opened, server, *, late):
    """What happens before a page is live is shown too: where *late*, streams begin after it."""
    host, guest = opened(f"{server.address}?game=pig", own=late), opened("about:blank", own=late)
    streams = [without_stream(host)] if late else []
    host.get_by_role("button", name="Start", exact=False).last.click()
    host.locator("#phones > summary").click()
    expect(host.locator("#phone-1")).to_contain_text("host")
    address = host.url.partition("?")[0].partition("#")[0]

    guest.goto(address)
    go_on(streams)
    second = host.locator("#phone-2")
    expect(second).to_contain_text("plays")  # it came while the list was open
    second.locator("summary").click()
    check_fits(host, least=40, widths=(360,))
    expect(guest.locator("#state")).to_have_text("live")
    second.get_by_role("button", name="Only watch").click()

    expect(second).to_contain_text("only watches")
    if late:
        streams.append(without_stream(guest))
        guest.goto(address)
    expect(guest.locator("#watches")).to_be_visible()
    expect(guest.locator("#bar")).to_be_hidden()
    expect(guest.locator("#prompt")).to_be_visible()
    expect(guest.locator("#entry .key:visible")).to_have_count(0)  # nothing that it may not do
    host.evaluate(END, address.rpartition("/")[2])
    expect(guest.locator("#result-title")).to_be_visible()
    expect(guest.get_by_text("take back the last step")).to_be_hidden()
    second.get_by_role("button", name="Let it play").click()
    expect(second).to_contain_text("plays")
    go_on(streams)
    expect(guest.locator("#watches")).to_have_count(0)


def go_on(streams):
    """Let the stream that was held last begin."""
    for stream in streams[-1:]:
        stream.go_on()


@pytest.mark.release
def test_the_keys_of_a_seat_go_where_another_phone_has_it(opened, server):
    host, guest = opened(f"{server.address}?game=pig"), opened("about:blank")
    host.get_by_role("button", name="Start", exact=False).last.click()
    guest.goto(host.url.partition("?")[0].partition("#")[0])
    expect(guest.locator("#state")).to_have_text("live")
    host.locator("#phones > summary").click()
    host.locator("#phone-1 summary").click()

    host.locator("#phone-1").get_by_role("button", name="Lock to a phone").click()

    expect(guest.locator("#barred")).to_contain_text("plays on another phone")
    expect(guest.locator("#entry .key:visible, #foot button, #camera-part:visible")).to_have_count(
        0
    )
    check_fits(guest, least=40, widths=(360,))
    host.locator("#entry [data-key='1']").first.click()  # ends the turn
    expect(guest.locator("#barred")).to_have_count(0)
    expect(guest.locator("#undo")).to_be_hidden()  # the last step is of the seat of another
    guest.locator("#entry [data-key='1']").first.click()
    expect(guest.locator("#barred")).to_be_visible()
    expect(guest.locator("#entry .key:visible, #foot button, #camera-part:visible")).to_have_count(
        0
    )
    expect(guest.locator("#undo")).to_be_visible()


@pytest.mark.parametrize(("game", "shown"), few([("pig", "Table 2: Cyd and Dan"), ("sum", "Cyd")]))
def test_a_phone_with_a_seat_photographs_at_its_own_table(opened, server, game, shown):
    """It began with the first table, where its player's roll was another's."""
    host, page = opened(f"{server.address}?game={game}"), opened("about:blank")
    for tournament in host.get_by_text("A tournament: two at a table").all()[:1]:
        tournament.click()
    for _ in range(2):
        host.get_by_role("button", name="Add a player").click()
    for place, name in enumerate(("Ana", "Ben", "Cyd", "Dan")):
        host.get_by_placeholder("Name").nth(place).fill(name)
    host.get_by_role("button", name="Start", exact=False).last.click()
    host.locator("#phones > summary").click()
    page.goto(host.url.partition("?")[0].partition("#")[0])
    host.locator("#phone-2 summary").click()
    host.locator("#phone-2 select").select_option("Cyd")
    with host.expect_response(lambda answer: answer.request.method == "POST"):
        host.locator("#phone-2").get_by_role("button", name="Lock to a phone").click()

    page.reload()

    expect(page.locator("#spot option:checked")).to_have_text(shown)
