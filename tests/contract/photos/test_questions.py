"""What is asked can be answered in one tap, and nothing is asked that changes nothing."""

import json
import random
from dataclasses import replace

import cv2
import pytest

from models.dataset.positions import turn_of
from models.series.shown import shots
from scorer import Die, Table, Tile, dump_move
from scorer.answers import answers, otherwise
from scorer.dominoes import Lay, laid_after, surface
from scorer.games import GAMES
from scorer.games.even_at_odds import board
from scorer.games.even_at_odds.moves import Agree, Flip
from scorer.photo.follow import played, understood
from scorer.photo.meaning import ReadTable
from tests import FIXTURES
from tests.bench.observe import damaged
from tests.conftest import read_once, send_photo
from tests.contract.photos.test_score import scored_as
from tests.grids import few, tries
from tests.matches import BEGUN
from tests.scorer.photo.damage import believed
from tests.scorer.photo.truths import TRUTHS
from tests.webui.follow_photos import follower, lying_at
from vision.arrangement import same_picture
from webui import cli
from webui.follow.ask import Terminal
from webui.follow.follower import Follower, nobody
from webui.match import match as matches
from webui.match.proposals import propose
from webui.match.tap_answers import answers_beside

eo = GAMES["even_at_odds"]
YES_OR_NO = ("again", "taken", "stands", "missed", "assumed")
NO_OTHER = (  # what was seen is said, and there is nothing else that it may be
    "the photo was taken from another side of the table: the dice are turned to fit",
    "the photo fits the table in more than one way; check the place",
)


def questions(game):
    """Yield tables of a game, damaged and not, and what is proposed for them with a question."""
    chance = random.Random(7)
    for _case in range(tries(80)):
        truth = TRUTHS[game](chance)
        for faults in (0, 1, 1, 2, 2):
            made = damaged(chance, truth, faults) if faults else ((), believed(chance, truth.table))
            if made is None:
                continue
            proposal = truth.game.observe(truth.state, made[1])
            if proposal.moves and not proposal.differences and proposal.doubts:
                yield truth, made[1], proposal


@pytest.mark.parametrize("game", few(TRUTHS, 4))
def test_each_question_offers_what_its_likely_answers_are(game):
    """The proposal is one tap, and so is each thing that a piece or the whole may be instead.

    None is asked about whose answers all come to the same.
    """
    asked = 0
    for truth, table, proposal in questions(game):
        for doubt in proposal.doubts:
            for moves in doubt.others:
                assert truth.after(moves) != truth.after(proposal.moves)
            if doubt.about == "progress":
                continue
            asked += 1
            if doubt.piece is not None:
                kind, at = doubt.piece
                offered = list(otherwise(table, [doubt]))
                assert len(offered) == len(list(getattr(table, kind)[at].otherwise()))
            elif doubt.about not in YES_OR_NO and not doubt.sentence.endswith("?"):
                assert doubt.others or doubt.sentence in NO_OTHER, doubt.sentence

    assert asked


def flipped():
    """Return a state before the flip, and the table once two tiles were flipped beside it."""
    state = eo.start(2, {})
    tiles = (*eo.equipment(state).spots[0].table.tiles, Tile((1, 5), ((6, 0), (6, 1))))
    return state, Table(tiles=(*tiles, Tile((1, 3), ((8, 0), (8, 1)))))


def test_whose_tile_is_whose_is_answered_the_other_way_round_too():
    state, table = flipped()

    proposal = eo.observe(state, table)

    assert proposal.moves == (Flip((1, 5), (1, 3)),)
    assert [doubt.others for doubt in proposal.doubts] == [((Flip((1, 3), (1, 5)),),)]


def test_the_page_offers_the_other_way_round_as_one_button(store):
    row = matches.create(store, "even_at_odds", ["Ada", "Ben"], {}, [])

    (other,) = answers_beside(row, propose(row, flipped()[1])[0])

    assert other.moves == [dump_move(Flip((1, 3), (1, 5)))]
    assert "Ada" in other.text
    played = matches.play(store, row.row.id, row.seq, other.moves)
    assert played.state != row.state


def test_the_terminal_takes_the_other_way_round_by_its_number(fakes):
    said: list[str] = []
    match = follower("even_at_odds", fakes, Terminal(said.append, lambda: "1"))

    step = match.take(fakes.photo("flip.jpg", flipped()[1]))

    assert step.moves == (Flip((1, 3), (1, 5)),)
    assert any(line.startswith("  1: player 1 flips 1-3") for line in said), said


def test_level_flips_are_nobodys_and_not_asked_about():
    state, table = flipped()
    level = Table(tiles=(*table.tiles[:-1], Tile((2, 4), ((8, 0), (8, 1)))))

    assert eo.observe(state, level).doubts == ()


def test_few_ways_in_which_a_photo_may_have_come_about_are_each_one_tap(store):
    """Two ways to set one die aside: the roll of the five others fits both."""
    fk = GAMES["farkle"]
    roll, _keep = fk.moves
    begun = matches.create(store, "farkle", ["Ada", "Ben"], {}, [])
    match = matches.play(store, begun.row.id, begun.seq, [dump_move(roll((1, 2, 3, 4, 5, 6)))])
    shown = Table(tuple(Die(value, "white") for value in (2, 2, 3, 4, 6)))

    proposal, preview = propose(match, shown)

    assert preview is None
    ace, five = (answer.text for answer in answers_beside(match, proposal))
    assert ace.startswith("Ada keeps 1 and rolls on, then Ada rolls 2 2 3 4 6")
    assert five.startswith("Ada keeps 5 and rolls on, then Ada rolls 2 2 3 4 6")


def test_answers_begin_with_what_is_proposed():
    game = GAMES["pig"]
    die = Die(4, "red", None, 0.7, ((5, 0.3),))
    step = understood(game, game.start(2, {}), lambda *_: ReadTable(Table((die,))), guided=True)

    assert next(answers(step)) == step.moves
    assert [table.dice[0].value for table in otherwise(Table((die,)), step.open)] == [5]
    other = replace(die, value=5, confidence=1.0, values=())
    assert other in next(otherwise(Table((die,)), step.open)).dice


@pytest.mark.parametrize("variant", ["one", "two"])
def test_whether_a_player_of_pig_held_is_asked_since_it_changes_whose_points_they_are(variant):
    """Unless the table tells it: then a die alone is asked about where it shows the same again."""
    asked = {"said": 0, "shown": 0}
    for holds in asked:
        game, house = GAMES["pig"], {"holds": holds, "variant": variant}
        state = game.start(2, house)
        for shot in shots(game, 2, 4, 40, house):
            step = understood(game, state, lambda *_, table=shot.table: ReadTable(table))
            ends = [(way.state.scores, way.state.seat) for way in step.ways]
            assert len(set(ends)) == len(ends)
            asked[holds] += bool(step.open)
            state = played(game, state, shot.moves)

    assert asked["shown"] <= 10 < asked["said"]


GAME = GAMES["even_at_odds"]
STACKS = sorted((FIXTURES / "stacks").glob("*.json"))[8:10]


def seen(laid):
    """Return the tiles that nothing covers, as a camera has them."""
    top = surface(laid)
    return tuple(
        Tile(lay.tile, lay.cells, top[lay.cells[0]].level)
        for place, lay in enumerate(laid)
        if all(top[cell].place == place for cell in lay.cells)
    )


def test_open_halves_beside_a_stacked_tile_count_and_are_asked_about():
    state = GAME.apply(GAME.start(2, {}), Agree(0, 0))
    lays = (move for move in GAME.legal_moves(state) if isinstance(move, Lay))
    stacked = next(lay for lay in lays if lay.cells[0] in surface(state.laid))
    laid = laid_after(state.laid, stacked)

    scored = GAME.one_photo.tell(GAME.start(2, {}), Table(tiles=seen(laid)), {})

    assert scored.score == board.largest(surface(laid))
    assert len(scored.doubts) == 2
    assert all("lies open beside the tile on it" in doubt.sentence for doubt in scored.doubts)


@pytest.mark.parametrize("truth", STACKS, ids=lambda path: path.stem)
def test_no_photo_of_a_stack_is_scored_wrongly_without_a_question(truth, capsys):
    labels = json.loads(truth.read_text())
    laid = turn_of(labels["seed"], labels.get("high", 0)).after.laid

    if cli.main(["score", "even_at_odds", "--json", str(truth.with_suffix(".jpg"))]):
        return  # refused in a sentence

    answer = json.loads(capsys.readouterr().out)
    asks = answer["warnings"] or not answer["sure"]
    assert asks or tuple(answer["score"]) == board.largest(surface(laid))


FULL_SET = FIXTURES / "full-set" / "full-set.jpg"


def test_a_whole_set_of_dominoes_is_summed_as_tiles(capsys):
    assert cli.main(["score", "sum", "--json", str(FULL_SET)]) == 0

    answer = json.loads(capsys.readouterr().out)
    assert (answer["sum"], len(answer["pieces"])) == (168, 28)


def test_each_die_whose_second_colour_is_the_one_that_counts_is_asked_about():
    """Red dice under a lamp look orange."""
    lamp = tuple(Die(6, "orange", None, 0.97, (), (("red", 0.025),)) for _ in range(3))
    table = Table((Die(5, "red"), *lamp, Die(4, "blue", None, 0.97, (), (("green", 0.025),))))

    scored = scored_as("sum", table, colour="red")

    assert scored.score == (5,)
    assert [doubt.piece for doubt in scored.doubts] == [("dice", 1), ("dice", 2), ("dice", 3)]


def photos(game):
    return [FIXTURES / "series" / f"{game}-29" / f"photo-00{n}.jpg" for n in (1, 2, 3)]


def smaller(path):
    """Return a photo as a messenger passes it on."""
    picture = cv2.imread(str(path))
    small = cv2.resize(picture, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 70])[1])


@pytest.mark.parametrize("game", ["pig", "beat_the_odds"])
def test_the_page_asks_about_any_photo_of_the_evening(game, client, new_match):
    match = new_match(game=game, opening=BEGUN.get(game, []))
    url = f"/api/matches/{match['id']}"

    def sent(content):
        answer = send_photo(client, match["id"], content)
        return answer.json["sighting"], answer.json["proposal"]

    for path in photos(game):
        sighting, proposal = sent(path.read_bytes())
        assert not any("earlier photo" in doubt["sentence"] for doubt in proposal["doubts"])
        seq = client.get(url).json["seq"]
        moves = {"after": seq, "moves": proposal["moves"], "sighting": sighting}
        assert client.post(f"{url}/moves", json=moves).status_code == 201

    _sighting, proposal = sent(smaller(photos(game)[0]))

    asked = [doubt["sentence"] for doubt in proposal["doubts"]]
    assert "the dice lie as on an earlier photo, which is counted: is this a new roll?" in asked


def test_a_followed_match_counts_no_photo_twice(tmp_path):
    game = "beat_the_odds"
    match = Follower(GAMES[game], 2, {}, nobody, read_once)
    for path in photos(game):
        match.take(path)
    assert (counted := len(match.moves)) >= 3
    (again := tmp_path / "again.jpg").write_bytes(smaller(photos(game)[0]))

    followed = match.take(again)

    assert (len(match.moves), followed.left, followed.sure) == (counted, True, False)
    assert any("photo-001.jpg" in doubt for doubt in followed.doubts)


def test_dice_thrown_alike_or_left_behind_are_another_picture():
    fell = ((2, 0, 0, 0.3), (5, 4, 2, 1.0))
    shown = lying_at(0, *fell)

    assert same_picture(shown, lying_at(0, *fell))
    assert not same_picture(shown, lying_at(0.5, *fell))  # of another place of the camera
    assert not same_picture(shown, lying_at(0, fell[0], (5, 4, 2.5, 1.0)))
    assert not same_picture(shown, lying_at(0, fell[0]))
