"""Steps corrected, taken back and put back, in every game; and notes on them."""

import json
import random

import pytest

from scorer import Illegal, Malformed, dump_move, load_move, recording
from scorer.games import GAMES
from tests.conftest import AGREE
from tests.grids import few
from webui.errors import NothingToRedo, NothingToUndo, RequestError, Stale
from webui.match import amend
from webui.match import match as matches
from webui.match.player_names import NOTE_LENGTH
from webui.match.undo import redo, undo, write_note
from webui.store.log import Store

STEPS = 7  # played by chance before one is corrected


def played(store, name, chance):
    """Return a match of some steps, each of a legal move that chance chose."""
    game = GAMES[name]
    match = matches.create(store, name, ["Ada", "Ben"], {})
    for _ in range(STEPS):
        legal = [move for _, move in zip(range(300), game.legal_moves(match.state), strict=False)]
        if not legal:
            break
        sent = dump_move(chance.choice(legal))
        match = matches.play(store, match.row.id, match.seq, [sent])
    return match


def fresh(store, match):
    """Return the state that the standing moves lead to, replayed from nothing."""
    game, row = GAMES[match.row.game], match.row
    stands = set(match.tree.standing(match.seq))
    state = game.start(len(row.names), row.settings)
    for event in store.events(row.id):
        for move in event.moves if event.seq in stands else ():
            state = game.apply(state, load_move(game, move))
    return state


def is_as_replayed(store, match):
    """Say that state and score are those of a fresh replay, here and for a server started anew."""
    game = GAMES[match.row.game]
    again = Store(store.database.engine.url.render_as_string(), store.photos)
    try:
        other = matches.load(again, match.row.id)
    finally:
        again.close()
    state = fresh(store, match)
    assert match.state == other.state == state
    assert match.notes == other.notes
    assert (match.last.score if match.last else game.score(state)) == game.score(state)
    return True


def corrections(store, match, step, chance):
    """Return corrections of a step by other moves that were legal then, those that fit first."""
    game, then = match.game, amend.before(store, match, step)
    legal = [move for _, move in zip(range(60), game.legal_moves(then.state), strict=False)]
    chance.shuffle(legal)
    tried = [(move, amend.trial(store, match, step, [dump_move(move)])) for move in legal[:12]]
    return sorted(tried, key=lambda pair: pair[1].misfit is not None)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", few(range(4)))
def test_a_corrected_step_taken_back_and_put_back_is_as_a_fresh_replay(store, name, seed):
    chance = random.Random(seed)
    match = played(store, name, chance)
    id_, before = match.row.id, match
    step = chance.randrange(1, match.seq + 1)
    move, tried = corrections(store, match, step, chance)[0]
    right = amend.Right(step, (dump_move(move),), drop=tried.misfit is not None)

    match = amend.amend(store, id_, match.seq, right)
    assert is_as_replayed(store, match)
    assert match.state == tried.state
    corrected = match
    back = chance.randrange(1, len(tried.drafts) + 1)
    for _ in range(back):
        match = undo(store, id_, match.seq)
        assert is_as_replayed(store, match)
    assert len(match.tree.ahead()) == back
    match = redo(store, id_, match.seq, match.tree.ahead()[-1])  # all at once
    assert is_as_replayed(store, match)
    assert match.state == corrected.state
    match = redo(store, id_, match.seq, before.last.seq)  # as if nothing had been corrected

    assert is_as_replayed(store, match)
    assert match.state == before.state


@pytest.mark.parametrize("name", few(GAMES, 4))
def test_what_no_longer_fits_is_told_before_anything_is_stored(store, name):
    """A step is left out, or was another one."""
    chance = random.Random(1)
    match = played(store, name, chance)
    step, moves, tried = next(
        (step, moves, tried)
        for step in range(1, match.seq)
        for moves, tried in [
            ((), amend.trial(store, match, step, ())),
            *(((dump_move(a),), tried) for a, tried in corrections(store, match, step, chance)),
        ]
        if tried.misfit
    )
    assert matches.load(store, match.row.id).seq == match.seq
    with pytest.raises(Illegal, match=f"step {tried.misfit.event.seq} is not possible after that"):
        amend.amend(store, match.row.id, match.seq, amend.Right(step, moves))

    match = amend.amend(store, match.row.id, match.seq, amend.Right(step, moves, drop=True))

    assert is_as_replayed(store, match)
    assert match.state == tried.state


@pytest.mark.parametrize("name", few(GAMES, 2))
def test_steps_taken_back_one_by_one_are_put_back_one_by_one(store, name):
    match = played(store, name, random.Random(3))
    states = [match.state]
    while match.last:
        match = undo(store, match.row.id, match.seq)
        states.append(match.state)
    with pytest.raises(NothingToUndo):
        undo(store, match.row.id, match.seq)

    for state in states[-2::-1]:
        match = redo(store, match.row.id, match.seq, match.tree.ahead()[0])
        assert match.state == state

    assert match.tree.ahead() == []
    assert is_as_replayed(store, match)


@pytest.fixture
def rolled(store):
    """A match of pig in which Ada rolled 2, 3, 4 and 5."""
    match = matches.create(store, "pig", ["Ada", "Ben"], {})
    for pips in (2, 3, 4, 5):
        match = matches.play(store, match.row.id, match.seq, [{"move": "Roll", "pips": pips}])
    return match


def test_a_new_step_is_the_last_that_a_redo_leads_to(store, rolled):
    back = undo(store, rolled.row.id, 4, to=1)
    assert back.tree.ahead() == [2, 3, 4]

    match = matches.play(store, rolled.row.id, back.seq, [{"move": "Roll", "pips": 6}])

    assert match.tree.ahead() == []
    again = redo(store, rolled.row.id, match.seq, 3)  # the others are still there
    assert [*again.tree.standing(again.seq)] == [3, 2, 1]
    assert again.steps[-1].redo_of == (2, 3)


@pytest.mark.parametrize("step", [0, -1, 4, 2, 99])
def test_what_was_not_taken_back_is_not_put_back(store, rolled, step):
    with pytest.raises(NothingToRedo, match="was not taken back"):
        redo(store, rolled.row.id, 4, step)


def test_a_redo_is_stored_once_and_never_over_another_step(store, rolled):
    undo(store, rolled.row.id, 4)

    first = redo(store, rolled.row.id, 5, 4, request="once")
    second = redo(store, rolled.row.id, 5, 4, request="once")

    assert first.seq == second.seq == 6
    with pytest.raises(Stale):
        redo(store, rolled.row.id, 5, 4)
    with pytest.raises(RequestError, match="already stored with other moves"):
        undo(store, rolled.row.id, 6, request="once")


def test_a_note_stays_with_its_step_whatever_happens_to_it(store, rolled):
    match = write_note(store, rolled.row.id, 4, 2, "  it fell\toff the table ")
    assert match.notes == {2: "it fell off the table"}
    assert match.state == rolled.state
    assert is_as_replayed(store, match)

    back = undo(store, rolled.row.id, 5, to=1)
    assert back.notes[2] == "it fell off the table"
    match = redo(store, rolled.row.id, back.seq, 4)
    right = amend.Right(1, ({"move": "Roll", "pips": 6},))
    match = amend.amend(store, rolled.row.id, match.seq, right)

    (noted,) = [step for step in match.steps if step.standing and step.note]
    assert (noted.event.text, noted.note) == (("Ada rolls 3",), "it fell off the table")


def test_a_note_is_changed_and_removed(store, rolled):
    write_note(store, rolled.row.id, 4, 2, "once")
    write_note(store, rolled.row.id, 5, 2, "twice")
    assert write_note(store, rolled.row.id, 6, 2, "twice").seq == 6  # nothing to store

    match = write_note(store, rolled.row.id, 6, 2, "")

    assert [step.note for step in match.steps if step.event.seq == 2] == [""]
    assert [step.note_on for step in match.steps if step.note_on] == [2, 2, 2]
    assert match.steps[-1].event.text == ("note on step 2 removed",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x" * (NOTE_LENGTH + 1), f"at most {NOTE_LENGTH} letters, and this one has 201"),
        ("bell \x07", "cannot be shown"),
    ],
)
def test_a_note_that_cannot_stand_in_a_line_is_refused(store, rolled, text, says):
    with pytest.raises(Malformed, match=says):
        write_note(store, rolled.row.id, 4, 2, text)


def test_a_note_is_on_a_step_that_there_is(store, rolled):
    undo(store, rolled.row.id, 4)

    for step in (0, 5, 6):
        with pytest.raises(NothingToUndo, match=f"no step {step}"):
            write_note(store, rolled.row.id, 5, step, "hm")
    assert write_note(store, rolled.row.id, 5, 4, "I miscounted").notes == {4: "I miscounted"}


def test_a_recording_keeps_the_notes(store, rolled):
    match = write_note(store, rolled.row.id, 4, 3, "a cocked die")
    lines = list(recording.write(matches.recorded(store, match)))
    assert json.loads(lines[3])["note"] == "a cocked die"

    again = matches.restore(store, recording.read(lines, GAMES))

    assert [step.note for step in again.steps] == ["", "", "a cocked die", ""]


def test_the_interface_takes_back_puts_back_and_notes(client, new_match):
    match = new_match(opening=[AGREE])
    path = f"/api/matches/{match['id']}"
    assert client.post(f"{path}/undo", json={"after": 1}).json["ahead"] == [1]

    answer = client.post(f"{path}/redo", json={"after": 2, "step": 1})
    assert (answer.status_code, answer.json["history"][-1]["redo_of"]) == (201, [1])
    answer = client.post(f"{path}/notes", json={"after": 3, "step": 1, "text": "by lot"})

    assert answer.status_code == 201
    assert [step["note"] for step in answer.json["history"]] == ["by lot", "", "", ""]
    refused = client.post(f"{path}/notes", json={"after": 4, "step": 1, "text": "x" * 201})
    assert (refused.status_code, refused.json["error"]["kind"]) == (400, "NotAMove")
    refused = client.post(f"{path}/redo", json={"after": 4, "step": 1})
    assert (refused.status_code, refused.json["error"]["kind"]) == (422, "Illegal")
