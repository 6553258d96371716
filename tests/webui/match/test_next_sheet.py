"""The last accepted photo of a sheet: the next one of it is read beside it."""

from io import BytesIO

import numpy as np
import pytest

from scorer import Table, dump_move
from scorer.games.dice_wide_shut.photo.marks import printed
from tests.scorer import positions
from tests.scorer.games.wide_shut import dw
from tests.webui import sights
from tests.webui.follow.test_follow_answers import NEXT, OPENING, SPENT


@pytest.fixture
def table(client, eyes, new_match):
    """Return functions that photograph a sheet and confirm moves, and the address of the match."""
    made = new_match(game="dice_wide_shut", opening=[dump_move(one) for one in OPENING])
    address = f"/api/matches/{made['id']}"

    def photograph(*moves, seat=0, spot=0):
        """Photograph a sheet after *moves* in new light; return its sighting."""
        state = positions.after(dw, *OPENING, *moves)
        marks = printed(state.sheets[seat])
        sure = {"confidence": 1.0, "sure": True, "alternatives": []}
        read = [sure | {"cell": [*one.cell], "mark": one.mark} for one in marks]
        board = sights.sheet(frozenset()).reading["board"]
        eyes.shown = sights.sight(sights.SHEET, Table(marks=marks), marks=read, board=board)
        light = np.full((80, 80, 3), len(eyes.asked) + 100, np.uint8)
        jpeg = sights.jpeg(light)
        eyes.shown = type(eyes.shown)(eyes.shown.reading, eyes.shown.table, (), jpeg)
        given = {"photo": (BytesIO(jpeg), "photo.jpg")}
        return client.post(f"{address}/photos?spot={spot}", data=given).json["sighting"], jpeg

    def confirm(*moves, sighting=None):
        sent = {"after": client.get(address).json["seq"]}
        sent |= {"moves": [dump_move(one) for one in moves], "sighting": sighting}
        assert client.post(f"{address}/moves", json=sent).status_code == 201

    return photograph, confirm, address


def test_a_sheet_is_read_beside_its_last_accepted_photo_and_no_other_player_s(table, eyes):
    photograph, confirm, _ = table
    sighting, jpeg = photograph(*SPENT)
    assert eyes.before is None
    confirm(*SPENT, sighting=sighting)

    confirm(*NEXT)
    photograph(*SPENT, *NEXT)

    assert eyes.before["photo"] == jpeg
    sheet = positions.after(dw, *OPENING, *SPENT).sheets[0]
    assert set(eyes.before["cells"]) == {one.cell for one in printed(sheet)}
    assert len(eyes.before["corners"]) == 4
    photograph(*SPENT, *NEXT, seat=1, spot=1)
    assert eyes.before is None


def test_a_step_that_was_taken_back_shows_no_sheet(table, eyes, client):
    photograph, confirm, address = table
    sighting, _ = photograph(*SPENT)
    confirm(*SPENT, sighting=sighting)
    seq = client.get(address).json["seq"]
    assert client.post(f"{address}/undo", json={"after": seq}).status_code == 201
    confirm(*SPENT)
    confirm(*NEXT)

    photograph(*SPENT, *NEXT)

    assert eyes.before is None


def test_without_the_photo_it_is_read_alone(table, eyes, services):
    photograph, confirm, address = table
    sighting, _ = photograph(*SPENT)
    confirm(*SPENT, sighting=sighting)
    confirm(*NEXT)
    store = services.store
    store.photo_files.delete(store.sighting(address.split("/")[-1], sighting).photo)

    answer, _ = photograph(*SPENT, *NEXT)

    assert answer
    assert eyes.before is None
