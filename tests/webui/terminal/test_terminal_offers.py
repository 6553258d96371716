"""Whatever the terminal offers, by help, `moves` or Tab, is taken when it is typed."""

from __future__ import annotations

import random
import re

import pytest

from scorer.games import GAMES
from scorer.match import MOST as MOST_PLAYERS
from scorer.messages import ENGLISH
from tests.grids import EVERY
from webui.match import match as matches
from webui.terminal import matches as played
from webui.terminal.commands_typed import COMMANDS, offered
from webui.terminal.session import Session

# As people may be called: as a command, as a player, as a number, as a colour.
NAMES = ("Table", "Best", "Player 1", "4", "Moves", "Red")
STEPS, OFFERED = (8, 4) if EVERY else (4, 2)  # of a match; sentences typed in each


def forms():
    """Yield a game, its number of players and its house rules, for every way to play it.

    Every length is tried by the fewest players, and the longest by three too; `make test-all`
    tries each with each.
    """
    for game in GAMES.values():
        own = {one.name: one for one in game.settings}
        lengths = list(own["match"].values) if "match" in own else []
        sizes = sorted({game.seats[0], 2, 3, 5} & set(game.seats))
        for seats in sizes if EVERY else sorted({sizes[0], min(3, sizes[-1])}):
            fewest = seats == sizes[0]
            for length in (lengths if EVERY or fewest else lengths[-1:]) or [None]:
                house = {} if length is None else {"match": length}
                if game.seats[-1] == MOST_PLAYERS and seats > 2:
                    house["tournament_rounds"] = 2
                yield pytest.param(game, seats, house, id=f"{game.name}-{seats}-{length}")


def offers(session, said):
    """Yield the sentences that are offered, each as it is to be typed."""
    for asked in ("help", "moves"):
        said.clear()
        session.take(asked)
        lines = "\n".join(said).split("\n")
        first = lines.index("Now, for example:") if "Now, for example:" in lines else len(lines)
        shown = lines if asked == "moves" else lines[first:]
        for line in shown:
            if line.startswith("  ") and "…" not in line:
                yield re.split(r"\s{2,}", line.strip())[0]
        yield from (line.partition(" like: ")[2] for line in lines if " like: " in line)
    for name in ("", *session.names, "table"):
        found = session.complete(name)
        yield from (one for one in found if one not in offered(set(), ENGLISH))


def steps(session):
    """Return the number of the last step, 0 before the first."""
    return session.match.seq if session.match else 0


@pytest.mark.parametrize(("game", "seats", "house"), list(forms()))
def test_every_sentence_that_is_offered_is_taken(store, game, seats, house):
    chance, said = random.Random(3), []
    begun = played.new(game.name, NAMES[:seats], house)
    session = Session(store, begun, said.append)
    for _ in range(STEPS):
        if game.is_over(session.state):
            break
        offered = sorted(set(filter(None, offers(session, said))))
        assert offered
        for typed in chance.sample(offered, min(OFFERED, len(offered))):
            before = steps(session)
            session.take(typed)
            assert steps(session) == before + 1, (typed, said[-3:])
            session.take("undo")
        session.take(chance.choice(offered))


def test_a_command_with_other_words_behind_it_is_none(store):
    said = []
    session = Session(store, played.new("pig", ("Undo", "Quit"), {}), said.append)

    assert session.take("Undo rolls 4")
    assert session.take("undo holds 4")
    assert session.take("quit rolls 5")

    assert [step.event.text for step in session.match.steps] == [
        ("Undo rolls 4",),
        ("Undo holds 4",),
        ("Quit rolls 5",),
    ]
    asking = {"moves", "redo", "best", "rule", "save", "replace"}
    of_the_table = {"leave", "concede", "join", "rename", "swap", "names", "chairs"}
    of_the_table |= {"end", "start", "play"}
    assert asking | of_the_table == {one.name for one in COMMANDS if one.words}
    assert matches.load(store, session.match.row.id).seq == 3


def test_a_list_that_is_cut_short_has_moves_of_each_kind(answered):
    listed = answered("gords", "Ada first", "4 sixes", "moves").splitlines()

    assert listed[-2:] == ["  Bo calls 4 sixes", "  … and 77 more: add more words"]


def test_a_word_alone_is_never_taken_for_how_dice_fell(answered):
    opening = ["3-4", "2-2"]

    assert answered("beat_the_odds", *opening, "h").startswith("  Ada rolls 5-5, which halves")
    assert "No move has been made" not in answered("beat_the_odds", *opening, "h", "history")
    assert "5-5" not in answered("beat_the_odds", *opening, "h", "history")


def test_who_wants_advice_is_told_how_it_is_agreed(answered):
    assert "pipsight play pig --set advice=on" in answered("pig", "best")
