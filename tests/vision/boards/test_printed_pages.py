"""What is printed of a board that a game declares, and where the pages offer it."""

import json
import re

import numpy as np
import pypdfium2
import pytest

from scorer import Equipment, NotAMove, settle
from scorer.board import LARGEST_MM, MARKERS
from scorer.games import GAMES
from scorer.games.gords.bids import places
from tests.grids import few
from tests.vision.boards.printed_views import PX_PER_MM, every_board, farthest_off, page, shot
from vision.boards.pose import find_board
from vision.boards.printed_board import locate_board
from vision.layout import Layout
from vision.photo import Photo
from vision.quad import Quad
from vision.reading import Look
from webui import cli
from webui.eyes.look import layout_of, look_for, with_layout
from webui.eyes.printed_boards import PAPERS, board_named, boards_of, family, names
from webui.pages.drawings.board_pdf import board_pdf


def test_no_two_boards_share_a_fiducial():
    boards = {board.first_marker: board for name in names() for board in family(name)}
    own = board_named("track:gords", {"track": "1, 1*, 2"})
    ids = [marker.id for board in (*boards.values(), own) for marker in layout_of(board).fiducials]

    assert len(boards) == 6
    assert len(ids) == len(set(ids))
    assert all(len(layout_of(board).fiducials) <= MARKERS for board in boards.values())


@every_board
@pytest.mark.parametrize("paper", PAPERS)
def test_everything_lies_on_the_paper_with_room_for_a_printers_margins(name, paper):
    board = board_named(name)
    layout = layout_of(board, paper)
    points = np.array(
        [one.corners for one in layout.fiducials] + [one.polygon for one in layout.cells]
    ).reshape(-1, 2)

    assert points.min() >= 6
    assert (np.array(layout.paper_mm) - points.max(axis=0)).min() >= 6
    assert board.size_mm[0] <= LARGEST_MM[0]
    assert board.size_mm[1] <= LARGEST_MM[1]


@every_board
def test_the_geometry_reads_back_from_its_file(name, tmp_path, capsys):
    pdf, geometry = tmp_path / "a.pdf", tmp_path / "a.json"

    assert cli.main(["print", name, "--out", str(pdf), "--geometry", str(geometry)]) == 0

    assert pdf.read_bytes().startswith(b"%PDF")
    assert "100 %" in capsys.readouterr().out
    assert Layout.from_json(json.loads(geometry.read_text())) == layout_of(board_named(name))


@every_board
@pytest.mark.parametrize("grey", few([False, True]))
def test_the_page_is_true_to_scale_and_its_fiducials_are_where_the_geometry_says(name, grey):
    layout = layout_of(board_named(name))
    with pypdfium2.PdfDocument(board_pdf(board_named(name), grey=grey)) as pdf:
        picture = pdf[0].render(scale=PX_PER_MM * 25.4 / 72).to_numpy()[..., :3]
        assert np.allclose(np.array(pdf[0].get_size()) * 25.4 / 72, layout.paper_mm, atol=0.01)

    pose = find_board(np.ascontiguousarray(picture[..., 0]), layout)

    truth = np.array([[PX_PER_MM, 0, -0.5], [0, PX_PER_MM, -0.5], [0, 0, 1]])
    assert pose.fiducials_seen == len(layout.fiducials)
    assert farthest_off(pose, layout, truth) < 1 / PX_PER_MM
    if grey:
        assert np.ptp(picture.astype(int), axis=2).max() == 0


def test_cells_are_large_enough_for_real_dice():
    def side(name):
        return min(Quad(cell.polygon).side for cell in layout_of(board_named(name)).cells)

    assert side("grid:3x3") >= 25
    assert side("track:gords") >= 20
    assert side("sheet:dice-wide-shut") >= 20


@pytest.mark.parametrize("order", ["half_before", "half_after", ("1", "2", "1*", "9")])
def test_a_track_shows_its_places_in_their_order(order):
    board = board_named("track:gords", {"track": order})

    assert [cell.name for cell in board.cells] == [("place", n) for n in range(len(board.cells))]
    assert tuple(cell.label for cell in board.cells) == places(order)


def test_the_sheet_has_the_numbers_of_the_rules():
    labels = {cell.name: cell.label for cell in board_named("sheet:dice-wide-shut").cells}

    assert len(labels) == 60
    assert [labels["red", 4, column] for column in range(6)] == ["1", "2", "3", "4", "5", "6"]
    assert [labels["blue", 2, column] for column in range(6)] == ["3"] * 5 + ["6"]


def test_the_grid_is_the_one_that_the_game_looks_for():
    game = GAMES["purple_house"]
    (board,) = boards_of(game, {})

    assert board.name == game.equipment(game.start(2, {})).board
    assert {cell.name for cell in board.cells} == {(r, c) for r in range(3) for c in range(3)}


@every_board
def test_the_eyes_are_given_the_layout_of_a_board_by_its_name(name):
    look = name if name.startswith(("grid", "sheet")) else f"board:{name.replace(':', '-')}"

    assert with_layout(Look.parse(look)).layout == layout_of(board_named(name))
    assert with_layout(Look.parse("dice")).layout is None


def test_the_track_that_is_looked_for_is_the_one_that_is_played():
    game = GAMES["gords"]
    for order in ("half_after", ("1", "1*", "2")):
        wanted = game.equipment(game.start(2, {"track": order}))
        layout = with_layout(Look.parse(wanted.board), wanted.places).layout

        assert layout == layout_of(board_named("track:gords", {"track": order}))


def test_a_board_beside_loose_dice_is_found_if_it_is_there_and_nothing_is_said_if_not():
    look = look_for(Equipment(beside="board:gords", places=places("half_before")))
    there, bare = (
        np.ascontiguousarray(np.repeat(grey[..., None], 3, axis=2))
        for grey in (shot(page("track:gords"))[0], np.full((480, 640), 150, np.uint8))
    )

    found, none = (locate_board(Photo(bgr, *bgr.shape[1::-1]), look) for bgr in (there, bare))

    assert look.kind == "dice"
    assert found.pose is not None
    assert found.pose.sure
    assert none.pose is None
    assert none.said == ()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["print", "nothing"], "There is no board 'nothing'. There are"),
        (["print", "grid:3x3", "--set", "colour=red"], "there is no setting colour"),
    ],
)
def test_what_cannot_be_printed_is_told(words, sentence, capsys):
    with pytest.raises(SystemExit) as left:
        cli.main(words)

    assert left.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_track_that_no_page_has_room_for_is_refused():
    game = GAMES["gords"]
    settle(game.settings, {"track": tuple(map(str, range(1, 99)))})

    with pytest.raises(NotAMove, match="do not fit on a page"):
        board_named("track:gords", {"track": tuple(map(str, range(1, 99)))})


def test_a_file_that_cannot_be_written_is_told(tmp_path, capsys):
    assert cli.main(["print", "grid:3x3", "--out", str(tmp_path)]) == 1
    assert "cannot be written" in capsys.readouterr().err


def links(text):
    return re.findall(r'href="([^"]*/print/[^"]+[.]pdf)"', text)


@pytest.mark.parametrize("game", few(GAMES, 3))
def test_the_start_page_and_the_match_link_to_the_games_boards(client, game):
    players = ["A", "B"][: GAMES[game].seats[-1]]
    started = client.post("/start", data={"game": game, "name": players}).location

    for text in (client.get(f"/?game={game}").text, client.get(started).text):
        assert len(links(text)) == len(boards_of(GAMES[game], {}))
        for link in links(text):
            answer = client.get(link)
            assert answer.status_code == 200
            assert answer.mimetype == "application/pdf"
            assert answer.data.startswith(b"%PDF")


def test_a_match_prints_the_track_of_its_own_house_rules(client):
    sent = {"game": "gords", "name": ["A", "B"], "set.track": '"half_after"'}
    started = client.post("/start", data=sent).location
    (link,) = links(client.get(started).text)

    own, usual = client.get(link).data, client.get("/print/track-gords.pdf").data

    assert own == board_pdf(board_named("track:gords", {"track": "half_after"}))
    assert own != usual
    layout = layout_of(board_named("track:gords", {"track": "half_after"}))
    assert client.get(f"{started}/board.json").json == layout.to_json()


@pytest.mark.parametrize(
    ("game", "house"),
    [
        ("sum", {"photo": "dominoes"}),
        ("gords", {"track": " ".join(map(str, range(1, 90)))}),  # it fits on no page
    ],
)
def test_a_match_links_to_no_board_that_its_house_rules_leave_out(new_match, client, game, house):
    match = new_match(game=game, settings=house, opening=[])

    assert links(client.get(f"/m/{match['id']}").text) == []
    (usual,) = boards_of(GAMES[game], {})
    with pytest.raises(NotAMove):
        board_named(usual.name, house)


def test_a_board_that_there_is_not_is_told_on_a_page(client):
    answer = client.get("/print/chess.pdf")

    assert answer.status_code == 404
    assert "There is no such board here." in answer.text
