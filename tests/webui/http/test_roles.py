"""Who may do what at a match: every route says it, and the server holds each phone to it."""

import re

import pytest

from tests.matches import ended
from webui import cli
from webui.http.roles import declared_least
from webui.store.log import now
from webui.store.tables.phones import EVERYBODY, MOST, Role


@pytest.fixture
def phone(app):
    """Return a function that makes a phone: a client with cookies of its own."""
    return app.test_client


def joined(phone, match_id):
    """Return a phone that has opened the page of a match."""
    guest = phone()
    assert guest.get(f"/m/{match_id}").status_code == 200
    return guest


def do(host, match_id, what, **form):
    """Press a button of the list of phones."""
    return host.post(f"/m/{match_id}/phones", data={"do": what, **form}).status_code


def rolls(client, match_id, pips=3):
    """Let a phone roll in the game of Pig."""
    seq = client.get(f"/api/matches/{match_id}").json["seq"]
    sent = {"after": seq, "moves": [{"move": "Roll", "pips": pips}]}
    return client.post(f"/api/matches/{match_id}/moves", json=sent).status_code


def test_every_route_declares_the_least_role_it_needs(app):
    for rule in app.url_map.iter_rules():
        assert hasattr(app.view_functions[rule.endpoint], "least"), rule


def test_what_changes_a_match_is_for_players_and_what_is_for_anybody_names_none(app):
    looks = "/advice", "/advice/list", "/coach", "/coach/card"  # store nothing, a hand least of all
    for rule in app.url_map.iter_rules():
        least = declared_least(app.view_functions[rule.endpoint])
        of_match = bool({"match_id", "screen"} & rule.arguments)
        assert (least.reads > Role.ANYBODY) == of_match, rule
        if "POST" in rule.methods and of_match and not rule.rule.endswith(looks):
            assert least.writes >= Role.PLAYER or rule.endpoint == "phones.take_over", rule


def test_every_route_of_a_match_is_refused_to_whom_it_is_not_for(app, phone, hosted):
    match_id, host = hosted
    watcher = joined(phone, match_id)
    assert do(host, match_id, "watch", phone=2) == 303
    parts = {"seq": 1, "stem": "board", "watch_id": "0", "sighting": "0"}
    for rule in app.url_map.iter_rules():
        if "match_id" not in rule.arguments or "POST" not in rule.methods:
            continue
        given = {name: parts.get(name, "0") for name in rule.arguments} | (rule.defaults or {})
        given |= {"match_id": match_id}
        path = app.url_map.bind("localhost").build(rule.endpoint, given, method="POST")
        least = declared_least(app.view_functions[rule.endpoint])
        answer = watcher.post(path, **({"json": {}} if path.startswith("/api/") else {"data": {}}))
        refused = answer.status_code == 403 and "only watches this match" in answer.text
        assert refused == (least.writes > Role.WATCHER), (rule, answer.text[:200])


def test_a_match_of_the_interface_is_everybodys(client, phone, match, services):
    answer = client.post(f"/api/matches/{match['id']}/undo", json={"after": 1})
    assert answer.status_code == 201
    joined(phone, match["id"])
    assert services.store.phones.access(match["id"], "") is EVERYBODY


def test_a_guest_plays_until_the_host_says_otherwise(phone, hosted, services):
    match_id, host = hosted
    assert rolls(phone(), match_id) == 201  # without a cookie, as programs do
    guest = joined(phone, match_id)
    assert rolls(guest, match_id) == 201

    assert do(guest, match_id, "close") == 403
    assert do(host, match_id, "watch", phone=2) == 303

    assert rolls(guest, match_id) == 403
    assert guest.get(f"/api/matches/{match_id}").status_code == 200
    assert 'id="watches"' in guest.get(f"/m/{match_id}").text
    assert rolls(phone(), match_id) == 403  # nor as another phone: newcomers only watch
    assert rolls(host, match_id) == 201
    do(host, match_id, "play", phone=2)
    assert rolls(guest, match_id) == 201
    do(host, match_id, "open")
    assert rolls(joined(phone, match_id), match_id) == 201
    do(host, match_id, "remove", phone=2)
    assert rolls(guest, match_id) == 403
    guest.get(f"/m/{match_id}")  # it comes back only to watch
    states = {one.number: one.state for one in services.store.phones.all(match_id)}
    assert (states[1], states[2]) == ("plays", "watches")
    assert rolls(guest, match_id) == 403
    do(host, match_id, "play", phone=2)
    assert rolls(guest, match_id) == 201


def test_a_locked_seat_is_played_by_its_phone_and_the_host_alone(phone, hosted):
    match_id, host = hosted
    ada, other = joined(phone, match_id), joined(phone, match_id)
    assert do(host, match_id, "lock", seat=0, phone=2) == 303

    assert rolls(other, match_id) == 403
    assert rolls(phone(), match_id) == 403
    assert rolls(ada, match_id) == 201
    assert rolls(host, match_id) == 201
    assert rolls(ada, match_id, pips=1) == 201  # her turn ends
    assert rolls(other, match_id) == 201  # Ben's seat is nobody's own

    path = f"/api/matches/{match_id}"
    undo, redo = {"after": 4, "to": 1}, {"after": 7, "step": 3}
    assert [one.post(f"{path}/undo", json=undo).status_code for one in (other, ada)] == [403, 201]
    assert [one.post(f"{path}/redo", json=redo).status_code for one in (other, ada)] == [403, 201]
    instead = {"step": 2, "moves": [{"move": "Roll", "pips": 5}]}
    right = {"after": 8, "instead": instead, "moves": []}
    put = [one.post(f"{path}/moves", json=right).status_code for one in (other, host)]
    assert put == [403, 201]
    assert other.post(f"{path}/watch", json={}).status_code == 403
    assert do(host, match_id, "unlock", seat=0) == 303
    assert rolls(other, match_id) == 201


def test_at_two_tables_at_once_a_lock_is_of_its_own_table(phone):
    host = phone()
    sent = {"game": "purple_house", "name": ["Ada", "Ben", "Cem", "Dora"]}
    match_id = host.post("/start", data=sent).location.rpartition("/")[2]
    guest = joined(phone, match_id)
    do(host, match_id, "lock", seat=0, phone=1)

    def agree(table):
        seq = guest.get(f"/api/matches/{match_id}").json["seq"]
        first = 2 * table  # Ada and Ben, Cem and Dora
        move = {"move": "Agree", "starter": first, "black": first, "table": table}
        path = f"/api/matches/{match_id}/moves"
        return guest.post(path, json={"after": seq, "moves": [move]}).status_code

    assert [agree(0), agree(1)] == [201, 201]  # Ben's phone may say so as well
    do(host, match_id, "lock", seat=1, phone=1)
    shown = guest.get(f"/m/{match_id}/tally").text
    assert (shown.count("data-play"), shown.count("plays on another phone")) == (1, 1)
    do(host, match_id, "unlock", seat=1)
    movers = host.get(f"/api/matches/{match_id}").json["to_move"]
    for seat, table in ((0, 0), (2, 1)):
        assert seat in movers
        place = {"row": 0, "column": 0, "colour": "black", "pips": 3, "table": table}
        seq = guest.get(f"/api/matches/{match_id}").json["seq"]
        sent = {"after": seq, "moves": [{"move": "Place", **place}]}
        answer = guest.post(f"/api/matches/{match_id}/moves", json=sent)
        assert answer.status_code == (403 if seat == 0 else 201)


def test_a_host_hands_the_match_on(phone, hosted):
    match_id, host = hosted
    guest = joined(phone, match_id)

    assert do(host, match_id, "host", phone=2) == 303

    assert do(host, match_id, "close") == 403
    assert do(guest, match_id, "close") == 303
    assert rolls(host, match_id) == 201


def test_a_lost_host_is_replaced_by_the_key_once(phone, hosted):
    match_id, host = hosted
    page = host.post(f"/m/{match_id}/phones", data={"do": "key"}).text
    (key,) = {*re.findall(r"\?key=(\w+)", page)}
    fresh = phone()
    assert f'value="{key}"' in fresh.get(f"/m/{match_id}/phones?key={key}").text

    wrong = fresh.post(f"/m/{match_id}/phones/host", data={"key": key[::-1]})
    right = fresh.post(f"/m/{match_id}/phones/host", data={"key": key})
    again = phone().post(f"/m/{match_id}/phones/host", data={"key": key})

    assert [one.status_code for one in (wrong, right, again)] == [403, 303, 403]
    assert do(fresh, match_id, "close") == 303
    assert do(host, match_id, "open") == 403


def test_a_match_without_a_host_may_get_one(phone, match, services):
    first, second = joined(phone, match["id"]), joined(phone, match["id"])

    assert do(first, match["id"], "begin") == 303

    assert do(second, match["id"], "begin") == 403
    assert do(first, match["id"], "close") == 303


def test_a_rematch_has_the_same_phones(phone, hosted, services):
    match_id, host = hosted
    joined(phone, match_id)
    do(host, match_id, "lock", seat=1, phone=2)
    do(host, match_id, "close")

    following = host.post(ended(host, match_id)).location.rpartition("/")[2]

    phones = services.store.phones
    assert phones.all(following) == phones.all(match_id)
    token = host.get_cookie("phone").value
    assert phones.access(following, token) == phones.access(match_id, token)
    assert phones.access(following, token).locks == {1: 2}


def test_phones_of_a_match_are_bounded_and_the_settled_ones_stay(hosted, services):
    match_id, _ = hosted
    phones = services.store.phones
    phones.come(match_id, "settled", "", "")
    phones.lock(match_id, 0, 2, now())

    for number in range(MOST + 5):
        phones.come(match_id, f"visit {number}", "", "")

    numbers = [one.number for one in phones.all(match_id)]
    assert numbers[:2] == [1, 2]
    assert len(numbers) == MOST + 2


def test_a_button_that_is_none_is_refused(phone, hosted):
    match_id, host = hosted
    assert do(host, match_id, "dance") == 400
    assert do(host, match_id, "lock", seat=7, phone=1) == 400
    assert do(host, match_id, "remove", phone=9) == 404


@pytest.mark.parametrize("button", ["play", "lock", "host"])
def test_a_number_that_no_phone_can_have_is_refused(hosted, button):
    match_id, host = hosted
    assert do(host, match_id, button, seat=0, phone="9" * 30) == 404


def test_the_command_replaces_a_host_whose_phone_was_lost(phone, hosted, tmp_path, capsys):
    match_id, host = hosted
    code = host.get(f"/api/matches/{match_id}").json["code"]
    where = ["--database", str(tmp_path / "pipsight.sqlite"), "--address", "https://dice.example/"]

    assert cli.main(["host", code, *where]) == 0

    (address,) = re.findall(r"https://dice.example(/m/\S+)", capsys.readouterr().out)
    assert address.startswith(f"/m/{match_id}/phones?key=")
    fresh, key = phone(), address.rpartition("=")[2]
    assert fresh.post(f"/m/{match_id}/phones/host", data={"key": key}).status_code == 303
    assert do(fresh, match_id, "close") == 303
    assert cli.main(["host", "XXXXXX", *where]) == 1


def test_what_acts_for_all_seats_is_the_hosts_where_one_is_locked(phone, hosted):
    match_id, host = hosted
    other = joined(phone, match_id)
    do(host, match_id, "lock", seat=0, phone=1)
    path = f"/api/matches/{match_id}"
    watch = host.post(f"{path}/watch", json={"camera": "page"}).json["watch"]
    corners = [[0, 0], [1, 0], [1, 1], [0, 1]]
    board = {"sighting": "0", "corners": corners, "cells": [[0, 0, 1, 1]]}

    def tried(who):
        return [
            who.post(f"{path}/pieces", json={"sighting": "0", "dice": []}),
            who.post(f"{path}/board", json=board),
            who.post(f"/m/{match_id}/pieces", data={"pieces": ""}),
            who.post(f"/m/{match_id}/pieces/forget", data={"forget": "0"}),
            who.post(f"/m/{match_id}/board/forget", data={"forget": "0"}),
            who.post(f"{path}/watch/{watch}/end", json={}),
        ]

    for answer in tried(other):
        assert answer.status_code == 403
        assert "so only the host" in answer.text
    assert host.get(f"{path}/watch").json["watch"] == watch
    assert 403 not in {answer.status_code for answer in tried(host)[2:]}
    assert host.get(f"{path}/watch").json["watch"] is None
    assert "so only the host" in other.get(f"/m/{match_id}/pieces").text
    assert "so only the host" not in host.get(f"/m/{match_id}/pieces").text
    assert 'data-shut="0"' in other.get(f"/m/{match_id}").text


def test_a_phone_sees_no_key_that_it_may_not_press(phone, hosted):
    match_id, host = hosted
    ada, other, watcher = (joined(phone, match_id) for _ in range(3))
    rolls(host, match_id)
    do(host, match_id, "lock", seat=0, phone=2)
    do(host, match_id, "watch", phone=4)
    why, watches = "Ada plays on another phone", "only watches this match"

    def page(who, what):
        return who.get(f"/m/{match_id}{what}").text

    for what, key in (
        ("", 'name="move"'),
        ("/tally", 'name="move"'),
        ("/undo", "<button class="),
        ("/step/1/correct", "correct?"),
        ("/players", 'value="concede"'),
    ):
        assert key in page(ada, what)
        assert why not in page(ada, what)
        assert why in page(other, what)
        assert page(other, what).count(key) < page(ada, what).count(key)
        if what not in ("", "/tally"):  # which hide by style what a watcher may not press
            assert watches in page(watcher, what)
            assert key not in page(watcher, what)
    for what in ("/history", "/step/1", "/tally"):
        for key in ("/undo?step=1", "/step/1/correct"):
            assert key in page(ada, what)
            assert key not in page(other, what)
            assert key not in page(watcher, what) or what == "/tally"
    assert '"photographable": false' in page(other, "/tally").replace("&#34;", '"')
    for who, learns in ((ada, True), (other, False), (watcher, False)):  # "These are our dice"
        assert f'"learns": {str(learns).lower()}' in page(who, "/tally").replace("&#34;", '"')
    do(host, match_id, "unlock", seat=0)
    assert why not in page(other, "/tally")
    assert "/step/1/correct" in page(other, "/history")
