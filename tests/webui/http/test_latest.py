"""A step is told to every phone, but made into a page once."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor

from tests.conftest import AGREE
from webui.http import fragment_cache
from webui.http.fragment_cache import Latest
from webui.pages.match import match as pages


def test_many_phones_that_ask_at_once_get_one_and_the_same():
    latest, made, together = Latest(), [], threading.Barrier(8)

    def ask(_phone):
        together.wait()
        return latest.get("address", 1, lambda: made.append(None) or "text")

    with ThreadPoolExecutor(8) as phones:
        assert list(phones.map(ask, range(8))) == ["text"] * 8
    assert len(made) == 1


def test_the_next_step_and_another_address_are_made_anew():
    latest = Latest()

    assert latest.get("a", 1, lambda: "one") == "one"
    assert latest.get("a", 2, lambda: "two") == "two"
    assert latest.get("b", 2, lambda: "other") == "other"
    assert latest.get("a", 2, lambda: "not made") == "two"


def test_a_bounded_number_is_kept(monkeypatch):
    monkeypatch.setattr(fragment_cache, "MOST", 2)
    latest = Latest()
    for address in "abc":
        latest.get(address, 1, lambda: "text")

    assert latest.get("a", 1, lambda: "made again") == "made again"
    assert latest.get("c", 1, lambda: "not made") == "text"


def test_what_could_not_be_made_is_made_for_the_next_who_asks(client, match, monkeypatch):
    path = f"/m/{match['id']}/tally"
    with monkeypatch.context() as broken:
        broken.setattr(pages, "_shown", lambda _now: 1 / 0)
        assert client.get(path).status_code == 500

    assert client.get(path).status_code == 200


def test_every_phone_gets_the_newest_tally_with_forms_of_its_own(client, match, post):
    def fetched() -> tuple[str, str]:
        page = client.get(f"/m/{match['id']}/tally").get_data(as_text=True)
        (seq,) = re.findall(r"&#34;seq&#34;: (\d+)", page)
        requests = set(re.findall(r'name="request" value="([^"]+)"', page))
        assert len(requests) <= 1
        return seq, requests.pop() if requests else ""

    assert [fetched()[0] for _ in range(2)] == ["1", "1"]
    post("undo", {"after": 1})
    first, second = fetched(), fetched()
    assert first[0] == second[0] == "2"
    assert first[1] != second[1]
    post("moves", {"after": 2, "moves": [AGREE]})
    assert fetched()[0] == "3"
