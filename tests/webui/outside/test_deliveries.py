"""Webhooks: each event in order, signed, until it is taken; whoever delivers may die meanwhile."""

import signal
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scorer.messages import raw
from tests.webui.http.test_events import move
from tests.webui.outside.receiver import is_signed
from tests.webui.serving import serving
from webui.outside import deliveries
from webui.outside.deliveries import Deliveries
from webui.outside.post import Reach
from webui.store.log import now
from webui.store.rows import as_stored
from webui.store.tables import webhooks

LONG_AGO = timedelta(days=2)


@pytest.fixture
def pig(new_match):
    return new_match(game="pig", opening=[])


@pytest.fixture
def hook(client, services, pig, receiver):
    services.webhooks = Reach(private=True)
    made = client.post(f"/api/matches/{pig['id']}/webhooks", json={"url": receiver.url})
    return made.json


@pytest.fixture
def delivering(services, monkeypatch):
    """Return a function that begins to deliver; a look at what is due comes after each event."""
    monkeypatch.setattr(deliveries, "LOOK_S", 0.02)
    monkeypatch.setattr(webhooks, "FIRST_PAUSE", timedelta(0))
    begun = []

    def begin(**given):
        begun.append(Deliveries(services.store, Reach(**{"private": True, **given})))
        return begun[-1]

    yield begin
    for process in begun:
        process.close()


def state(client, match):
    (found,) = client.get(f"/api/matches/{match['id']}/webhooks").json["webhooks"]
    return found


def wait_until(holds):
    """Wait until something holds; a run that hangs here has failed."""
    pause = threading.Event()
    while not holds():
        pause.wait(0.01)


def roll(client, match, *pips):
    for rolled in pips:
        move(client, match, "Roll", pips=rolled)


def test_each_event_comes_in_order_and_signed(client, pig, hook, receiver, delivering):
    roll(client, pig, 2, 3)
    begun = delivering()
    roll(client, pig, 4)
    begun.hear(pig["id"], "seq", 3)

    for seq, pips in enumerate((2, 3, 4), start=1):
        headers, body = receiver.got.get(timeout=30)
        assert headers["Webhook-Id"] == f"{pig['public']}.{seq}"
        assert headers["Content-Type"] == "application/json"
        assert is_signed(hook["secret"], headers, body)
        assert not is_signed(hook["secret"], headers, body + b" ")
        assert f'"pips":{pips}' in body.decode()
    wait_until(lambda: state(client, pig)["seq"] == 3)
    assert receiver.got.empty()


def test_what_is_not_taken_comes_again_before_what_follows(client, pig, hook, receiver, delivering):
    receiver.answers.extend([500, 503])
    roll(client, pig, 2, 3)

    delivering()

    assert [receiver.next()["seq"] for _ in range(4)] == [1, 1, 1, 2]
    wait_until(lambda: state(client, pig)["seq"] == 2)
    assert (state(client, pig)["fault"], state(client, pig)["failing_since"]) == (None, None)


def test_pauses_grow_to_an_hour(client, pig, hook, services):
    roll(client, pig, 2)
    table, at, pauses = services.store.webhooks, datetime.now(UTC), []
    for _try in range(12):
        row = table.claim((pig["id"], 1), at)
        table.failed(row, raw("no"), at, gone=False)
        due = datetime.fromisoformat(table.all(pig["id"])[0].due)
        pauses.append(round((due - at).total_seconds()))
        assert table.claim((pig["id"], 1), at) is None
        at = due

    assert pauses == [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]


def test_a_receiver_that_is_slow_holds_up_no_other(client, pig, hook, receiver, delivering):
    client.post(f"/api/matches/{pig['id']}/webhooks", json={"url": receiver.url})
    receiver.answers.append(held := threading.Event())
    roll(client, pig, 2)
    delivering()

    assert [receiver.next()["seq"] for _ in range(2)] == [1, 1]
    held.set()


def test_two_processes_send_each_event_once(client, pig, hook, receiver, delivering):
    delivering(), delivering()
    roll(client, pig, 2, 3, 4, 5)

    assert [receiver.next()["seq"] for _ in range(4)] == [1, 2, 3, 4]
    wait_until(lambda: state(client, pig)["seq"] == 4)
    assert receiver.got.empty()


def test_what_a_process_had_that_died_is_sent_by_another(
    client, pig, hook, receiver, services, delivering
):
    roll(client, pig, 2)
    died = services.store.webhooks.claim((pig["id"], 1), datetime.now(UTC))
    services.store.webhooks._change(died, claimed=as_stored(datetime.now(UTC) - LONG_AGO))

    delivering()

    assert receiver.next()["seq"] == 1
    wait_until(lambda: state(client, pig)["seq"] == 1)
    assert services.store.webhooks.delivered(died, 1, datetime.now(UTC)) is None  # not its any more


def test_after_a_day_it_is_given_up_and_the_page_says_so_until_a_test_arrives(
    client, pig, hook, receiver, services, delivering
):
    table, long_ago = services.store.webhooks, (datetime.now(UTC) - LONG_AGO).isoformat()
    table._change(table.all(pig["id"])[0], failing_since=long_ago)
    receiver.answers.append(500)
    roll(client, pig, 2)
    delivering()
    wait_until(lambda: state(client, pig)["given_up"])

    assert state(client, pig)["fault"] == "127.0.0.1 answered 500."
    assert 'id="lost"' in client.get(f"/m/{pig['id']}").text
    assert "It was given up" in client.get(f"/m/{pig['id']}/followers").text
    receiver.answers.append(500)
    path = f"/api/matches/{pig['id']}/webhooks/1/test"
    assert client.post(path).json == {"delivered": False, "fault": "127.0.0.1 answered 500."}
    assert client.post(path).json == {"delivered": True, "fault": None}

    assert [receiver.next()["kind"] for _ in range(4)] == ["move", "test", "test", "move"]
    wait_until(lambda: state(client, pig)["seq"] == 1)
    assert 'id="lost"' not in client.get(f"/m/{pig['id']}").text


def test_private_networks_are_the_owner_s_to_allow_and_who_is_gone_is_given_up_at_once(
    client, pig, hook, receiver, delivering
):
    roll(client, pig, 2)
    begun = delivering(private=False)
    wait_until(lambda: state(client, pig)["fault"])
    begun.close()
    assert "in a private network" in state(client, pig)["fault"]
    assert receiver.got.empty()

    receiver.answers.append(410)
    delivering()

    wait_until(lambda: state(client, pig)["given_up"])


@pytest.mark.release
def test_what_happened_while_no_server_ran_is_sent_by_the_next(client, pig, hook, receiver, app):
    roll(client, pig, 2)
    folder = Path(app.extensions["pipsight"].store.photos).parent
    options = "--webhooks-private", "--cors-origin", "https://one.example"

    with serving(folder, *options, PIPSIGHT_CORS_ORIGINS="https://two.example") as running:
        assert receiver.next()["seq"] == 1
        sent = {"after": 1, "moves": [{"move": "Roll", "pips": 3}]}
        running.call(f"/api/matches/{pig['id']}/moves", sent)
        assert receiver.next()["seq"] == 2
        for origin in ("https://one.example", "https://two.example"):
            with closing(running.connect()) as page:
                page.request("GET", "/api/games", headers={"Origin": origin})
                assert page.getresponse().headers["Access-Control-Allow-Origin"] == origin
        assert running.end(signal.SIGINT) == (0, "")


def test_a_webhook_hears_what_happens_from_then_on(client, pig, receiver, services, delivering):
    roll(client, pig, 2)
    services.store.webhooks.add(pig["id"], receiver.url, now())
    roll(client, pig, 3)
    delivering()

    assert receiver.next()["seq"] == 2


def test_slow_receivers_take_few_threads_of_the_server(client, pig, hook, monkeypatch):
    monkeypatch.setattr(deliveries, "TESTS", threading.BoundedSemaphore(1))
    path = f"/api/matches/{pig['id']}/webhooks/1/test"
    with deliveries.TESTS:
        busy = client.post(path)

    assert (busy.status_code, busy.json["error"]["kind"]) == (503, "Busy")
    assert client.post(path).json["delivered"]


def test_a_removed_webhook_is_sent_nothing_more(client, pig, hook, receiver, delivering):
    receiver.answers.append(held := threading.Event())
    roll(client, pig, 2, 3)
    begun = delivering()
    assert receiver.next()["seq"] == 1

    client.delete(f"/api/matches/{pig['id']}/webhooks/1")
    held.set()
    begun.close()

    assert receiver.got.empty()
