import threading
from collections import Counter

import pytest
import sqlalchemy as sa

from tests.conftest import AGREE, picture
from webui.errors import NotFound, RequestError, Stale
from webui.store.log import Draft
from webui.store.rows import CODE_LENGTH, CODE_LETTERS

STEP = Draft(moves=(AGREE,), text=("Ada starts, Ada has black",), score=(0, 0))
BACK = Draft(moves=None, text=("step 1 taken back",), score=(0, 0))


@pytest.fixture
def match(store):
    return store.create("purple_house", 1, {"variant": "base"}, ["Ada", "Ben"]).id


@pytest.mark.parametrize("after", [0, 1, 3, -1, 10**30])
def test_only_what_follows_the_newest_event_is_stored_and_all_of_it_or_nothing(store, match, after):
    store.append(match, 0, [STEP, STEP])

    with pytest.raises(Stale):
        store.append(match, after, [BACK, BACK])

    assert [event.moves for event in store.events(match)] == [(AGREE,), (AGREE,)]


def test_of_phones_that_confirm_at_once_exactly_one_wins(store, match):
    phones, rounds = 8, 5
    for after in range(rounds):
        answers = _at_once(phones, lambda after=after: store.append(match, after, [STEP]))

        counts = Counter(map(str, answers))
        assert counts == {str(after + 1): 1, "Another phone just moved. Look again.": phones - 1}
    assert store.seq(match) == rounds


def test_one_request_sent_at_once_from_two_sockets_is_stored_once_in_its_match(store, match):
    draft = Draft(STEP.moves, STEP.text, STEP.score, request="abc")

    answers = _at_once(4, lambda: store.append(match, 0, [draft]))

    assert answers == [1, 1, 1, 1]
    assert store.seq(match) == 1
    with pytest.raises(RequestError, match="already stored with other moves"):
        store.append(match, 1, [Draft(None, (), (), request="abc")])
    other = store.create("purple_house", 1, {}, ["Ada", "Ben"]).id
    assert store.append(other, 0, [draft]) == store.seq(other) == 1


def _at_once(number, act):
    """Return what each of *number* threads that begin together gets, or the refusal it meets."""
    start, answers = threading.Barrier(number), []

    def one():
        start.wait()
        try:
            answers.append(act())
        except RequestError as refusal:
            answers.append(refusal)

    threads = [threading.Thread(target=one) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_a_commit_is_on_the_disk_before_it_is_acknowledged(store):
    with store.database.engine.connect() as connection:
        pragmas = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]

    assert pragmas == ["wal", 2, 1]  # 2 is FULL


def test_no_row_is_ever_changed_or_deleted(store):
    verbs = set()
    sa.event.listen(
        store.database.engine, "before_cursor_execute", lambda *args: verbs.add(args[2].split()[0])
    )

    match = store.create("purple_house", 1, {}, ["Ada", "Ben"], [STEP]).id
    store.append(match, 1, [BACK])
    store.keep(match, {"dice": []}, picture())
    with pytest.raises(Stale):
        store.append(match, 1, [BACK])

    # Of what writes; other connections can only read. PRAGMA counts the commits in the file.
    assert verbs == {"BEGIN", "INSERT", "PRAGMA"}


def test_a_sighting_belongs_to_one_match(store, match):
    other = store.create("purple_house", 1, {}, ["Ada", "Ben"]).id
    sighting = store.keep(match, {"dice": []}, picture())

    assert store.sighting(match, sighting.id) == sighting
    with pytest.raises(NotFound):
        store.sighting(other, sighting.id)


def test_a_code_of_letters_that_do_not_look_alike_is_found_however_it_is_typed(store, match):
    code = store.match(match).code

    assert len(code) == CODE_LENGTH
    assert set(code) <= set(CODE_LETTERS)
    for pair in ("0O", "1I", "1L", "2Z", "5S", "8B", "UV"):
        assert not set(pair) <= set(CODE_LETTERS)
    assert store.find(f" {code[:3].lower()}-{code[3:]} ") == match


@pytest.mark.parametrize("code", ["", "AAAAAA", "'; drop table match", "%", "ä" * 500])
def test_a_wrong_code_finds_nothing(store, match, code):
    with pytest.raises(NotFound):
        store.find(code)


def test_ids_cannot_be_guessed(store):
    ids = {store.create("purple_house", 1, {}, ["Ada", "Ben"]).id for _ in range(50)}

    assert len(ids) == 50
    assert all(len(bytes.fromhex(one)) == 12 for one in ids)
