"""What a look at a match costs: counted rows and counted moves, not seconds."""

import io
import json
from dataclasses import replace

import pytest
import sqlalchemy as sa

from scorer.games import GAMES
from scorer.messages import unpacked
from scorer.sentence import MOST
from tests.grids import every_value
from webui.match import match as matches
from webui.match.undo import undo
from webui.pages.match.context import MOST_LINES, MOST_PARTS
from webui.store import rows
from webui.store.log import Store
from webui.store.replay import MATCHES, NEWEST, STATES, Replays, UndoTree
from webui.store.rows import Draft

PIG = GAMES["pig"]
ROLLS = 480  # long enough that a replay shows, short enough for every test run
ROLL, LOSE = {"move": "Roll", "pips": 2}, {"move": "Roll", "pips": 1}


@pytest.fixture
def count(store, monkeypatch):
    """What was done since it was cleared: moves applied, and rows of events fetched."""
    done = {"applied": 0, "rows": 0}

    def apply(state, move):
        done["applied"] += 1
        return PIG.apply(state, move)

    fetch = store.events

    def events(*args, **kwargs):
        found = fetch(*args, **kwargs)
        done["rows"] += len(found)
        return found

    monkeypatch.setitem(matches.GAMES, "pig", replace(PIG, apply=apply))
    monkeypatch.setattr(store, "events", events)
    return done


@pytest.fixture
def long_match(store, count):
    """A match of Pig of ROLLS steps that never ends."""
    match = matches.create(store, "pig", ["Ada", "Ben"], {"target": 1000}).row.id
    steps = [Draft((LOSE if seq % 2 else ROLL,), (), (0, 0)) for seq in range(ROLLS)]
    store.append(match, 0, steps)  # at once: each confirm waits for the disk
    made = matches.load(store, match)
    count.update(applied=0, rows=0)
    return made


def test_a_look_replays_nothing_and_reads_one_row(store, count, long_match):
    again = matches.load(store, long_match.row.id)

    assert again == long_match
    assert count == {"applied": 0, "rows": 1}


def test_a_confirm_works_on_its_own_step_alone(store, count, long_match):
    match = matches.play(store, long_match.row.id, ROLLS, [ROLL])

    assert match.seq == ROLLS + 1
    assert count["applied"] == 2  # when it is tried, and when the log is followed
    assert count["rows"] <= 4


def test_the_last_step_is_taken_back_without_a_replay(store, count, long_match):
    match = undo(store, long_match.row.id, ROLLS)

    assert match.state == PIG.apply(undo(store, match.row.id, ROLLS + 1).state, PIG.moves[0](2))
    assert count["applied"] == 0
    assert count["rows"] <= 12


@pytest.mark.parametrize("to", [0, 7, ROLLS - STATES - 5, ROLLS - 3])
def test_far_steps_are_taken_back_to_the_state_of_then(store, count, long_match, to):
    match = undo(store, long_match.row.id, ROLLS, to=to)
    cold = matches.load(other(store), long_match.row.id)

    assert (match.state, match.steps, match.seq) == (cold.state, cold.steps, 2 * ROLLS - to)
    assert sum(match.state.past, ()) == sum(long_match.state.past, ())[: to // 2]


def other(store):
    """Return another server's store over the same log, which has followed nothing yet."""
    return Store(str(store.database.engine.url), store.photos)


def test_a_step_of_another_server_is_followed(store, count, long_match):
    matches.play(other(store), long_match.row.id, ROLLS, [ROLL])
    count.update(applied=0, rows=0)

    assert matches.load(store, long_match.row.id).seq == ROLLS + 1
    assert count == {"applied": 1, "rows": 2}


@pytest.mark.parametrize("left", [0, 1, ROLLS - 1], ids=["no step", "one step", "one step less"])
def test_a_restored_backup_is_replayed_though_it_is_shorter(store, count, long_match, left):
    with store.database.writing() as connection:
        connection.execute(sa.text(f"DELETE FROM event WHERE seq > {left}"))

    match = matches.load(store, long_match.row.id)

    assert match.seq == left
    assert match.state == matches.load(other(store), long_match.row.id).state


def test_a_log_that_went_on_otherwise_is_replayed(store, count, long_match):
    with store.database.writing() as connection:
        connection.execute(sa.text(f"DELETE FROM event WHERE seq > {ROLLS - 2}"))
    for seq in (ROLLS - 2, ROLLS - 1, ROLLS):
        matches.play(other(store), long_match.row.id, seq, [ROLL])

    match = matches.load(store, long_match.row.id)

    assert match.seq == ROLLS + 1
    assert match.state.rolls == ((2,),) * 3


def test_a_log_with_a_hole_is_closed_and_not_replayed_wrongly(store, count, long_match):
    with store.database.writing() as connection:
        connection.execute(sa.text("DELETE FROM event WHERE seq = 5"))

    match = matches.load(other(store), long_match.row.id)

    assert match.closed is not None
    assert "damaged at step 6" in match.closed


def test_rules_that_change_are_asked_anew(store, count, long_match, monkeypatch):
    monkeypatch.setitem(matches.GAMES, "pig", replace(PIG, version=PIG.version + 1))

    assert "version" in (matches.load(store, long_match.row.id).closed or "")


def test_which_steps_stand_is_told_of_any_event():
    tree = UndoTree()
    step, back = Draft((), (), ()), Draft(None, (), ())
    for event in (step, step, back, step, back, back):
        assert tree.add(event)

    standing = [[*tree.standing(seq)] for seq in range(7)]
    assert standing == [[], [1], [2, 1], [1], [4, 1], [1], []]
    assert [tree.head_before(seq) for seq in (3, 5, 6)] == [2, 4, 1]
    assert tree.ahead() == [1, 4]
    assert tree.moved(4, 2) == ([4], [2])


@pytest.mark.parametrize(
    "event",
    [
        Draft(None, (), ()),  # nothing stands that could be taken back
        Draft(None, (), (), step=1),  # there is no step 1
        Draft(None, (), (), step=1, note="late"),
    ],
)
def test_an_event_that_cannot_be_the_next_is_not_followed(event):
    tree = UndoTree()

    assert not tree.add(event)
    assert tree.seq == 0


def test_only_so_many_matches_are_kept(monkeypatch):
    replays = Replays()
    first = replays.of("0")

    for number in range(MATCHES):
        replays.of(str(number))
    assert replays.of("0") is first
    replays.of("one more")
    replays.of("and one more")

    assert replays.of("1") is not first
    assert replays.of("0") is first  # looked at since

    monkeypatch.setattr("webui.store.replay.WEIGHT", 10)  # those with many moves push others out
    replays = Replays()
    small, large = replays.of("small"), replays.of("large")
    large.moves = 11

    assert replays.of("large") is large
    assert replays.of("small") is not small


@pytest.fixture
def opened(client):
    """The address of a long match that was opened as a recording."""
    head = {"game": "pig", "version": 1, "seats": 2, "settings": {"target": 1000}}
    moves = [{"move": LOSE if place % 2 else ROLL} for place in range(ROLLS)]
    lines = "\n".join(map(json.dumps, [head, *moves]))
    sent = {"recording": (io.BytesIO(lines.encode()), "long.jsonl")}
    return client.post("/open", data=sent).location


def test_a_page_shows_the_newest_steps_and_rounds_and_the_rest_by_going_back(client, opened):
    page = client.get(opened).text

    assert page.count('id="step-') == MOST_LINES
    assert f'id="step-{ROLLS}"' in page
    assert f'href="{opened}/history?before={ROLLS - MOST_LINES + 1}"' in page
    assert f'href="{opened}/rounds"' in page
    assert page.count('scope="row"') == MOST_PARTS
    assert len(page) < 120_000
    found, path = [], opened
    while path:
        page = client.get(path).text
        found += [int(part.split('"')[0]) for part in page.split('id="step-')[1:]]
        before = min(found)
        path = f"{opened}/history?before={before}" if "/history?before=" in page else None

    assert found == list(range(ROLLS, 0, -1))
    first = client.get(f"{opened}/rounds").text
    rows = first.count('scope="row"')
    older = first.split("/rounds?before=")[1].split('"')[0]
    rows += client.get(f"{opened}/rounds?before={older}").text.count('scope="row"')
    assert rows == ROLLS // 2 // 2  # a turn of both is a round


@every_value(what=["history", "rounds"], before=["0", "-5", "1", "9" * 23, "-" + "9" * 23, "x"])
def test_any_place_to_go_back_from_is_answered(client, opened, what, before):
    assert client.get(f"{opened}/{what}?before={before}").status_code == 200


def test_the_interface_answers_the_newest_and_where_the_rest_is(client, opened):
    path = opened.replace("/m/", "/api/matches/")
    view = client.get(path).json
    history, because = view["history"], view["because"]

    assert (len(history), len(because)) == (NEWEST, NEWEST)
    part = view
    while part["older"]:
        part = client.get(part["older"]).json
        history = part["history"] + history
    part = view
    while part["older_because"]:
        part = client.get(part["older_because"]).json
        because += part["because"]
    assert [step["seq"] for step in history] == list(range(1, ROLLS + 1))
    turns = [line["seat"] for one in because for line in one["lines"]]
    assert (len(because), len(turns)) == (ROLLS // 4, ROLLS // 2)


def test_a_step_that_is_no_longer_on_the_page_is_shown_and_taken_back(client, opened):
    assert "Step 3" in client.get(f"{opened}/step/3").text
    asked = client.get(f"{opened}/undo?step=3").text
    assert f"Take these {ROLLS - 2} steps back?" in asked
    assert "before them" in asked

    client.post(f"{opened}/undo?step=3", data={"after": ROLLS, "request": "r"})

    view = client.get(opened.replace("/m/", "/api/matches/")).json
    assert view["seq"] == 2 * ROLLS - 2
    assert 'class="undone" id="step-3"' in client.get(f"{opened}/history?before=9").text


def test_what_can_be_rolled_is_described_once_for_all_phones(client, monkeypatch):
    game, described = GAMES["dice_wide_shut"], []

    def describe(state, move):
        described.append(move)
        return game.describe(state, move)

    monkeypatch.setitem(GAMES, game.name, replace(game, describe=describe))
    new = {"game": game.name, "names": list("ABCDE"), "opening": [{"move": "Starter", "seat": 0}]}
    match = client.post("/api/matches", json=new).json["id"]
    described.clear()

    first = client.get(f"/api/matches/{match}/moves")
    again = client.get(f"/api/matches/{match}/moves?kind=Roll")
    client.get(f"/m/{match}")

    assert first.json == again.json
    assert (len(first.json["moves"]), first.json["all"]) == (MOST, False)
    assert len(described) == MOST


@pytest.mark.parametrize("seats", [65, 20_000])
def test_too_many_names_are_counted_before_they_are_read(client, monkeypatch, seats):
    monkeypatch.setattr(matches, "check_names", lambda names: pytest.fail("they were read"))

    new = {"game": "purple_house", "names": [f"n{seat}" for seat in range(seats)]}
    answer = client.post("/api/matches", json=new)

    assert answer.status_code == 400
    assert answer.json["error"]["sentence"].endswith(f"players, not {seats}")


def test_a_recording_with_too_many_moves_is_refused_before_it_is_played(client, monkeypatch):
    monkeypatch.setattr("scorer.recording.MOST", 3)
    lines = ['{"game": "pig", "version": 1, "seats": 2}', *['{"move": "is not looked at"}'] * 4]

    sent = {"recording": (io.BytesIO("\n".join(lines).encode()), "long.jsonl")}
    answer = client.post("/open", data=sent)

    assert answer.status_code == 400
    assert "the recording has 4 moves; at most 3 are taken" in answer.text.lower()


def test_an_opened_recording_is_not_read_back_and_its_names_are_checked_once(
    client, count, monkeypatch, request
):
    checked, check = [], matches.check_names
    monkeypatch.setattr(matches, "check_names", lambda names: checked.append(names) or check(names))

    opened = request.getfixturevalue("opened")

    assert client.get(opened).status_code == 200
    assert count["rows"] < ROLLS
    assert len(checked) == 1


def test_only_the_sentences_that_are_read_are_made(store, monkeypatch):
    """A server that has just started makes no sentence of the steps that no page shows."""
    played = matches.create(store, "pig", ["Ada", "Ben"], {})
    for seq in range(3):
        played = matches.play(store, played.row.id, seq, [ROLL])
    made = []
    monkeypatch.setattr(rows, "unpacked", lambda data: made.append(data) or unpacked(data))
    monkeypatch.setattr(rows, "read_json", lambda text: made.append(text) or json.loads(text))

    match = matches.load(other(store), played.row.id)

    assert not made
    assert list(match.steps[-1].event.text) == ["Ada rolls 2"]
    assert made
