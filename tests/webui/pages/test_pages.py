"""The pages without a browser: forms, refusals, what is shown without scripts, one bundle each."""

import json
import re
from html import unescape

import pytest

from scorer.games import GAMES
from tests import ROOT
from tests.conftest import AGREE, board_moves
from tests.grids import EVERY, every_value
from tests.matches import BEGUN, TWELVE, ended


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"name": ["Ana", "Ben"]}, "Ana and Ben roll one die each for the start."),
        ({"name": ["", "  "]}, "Player 1 and Player 2 roll one die each"),
        ({"name": ["A", "B"], "set.variant": '"color_match"'}, "to 25"),
    ],
    ids=["names", "no names", "house rules"],
)
def test_names_and_one_tap_make_a_match(client, sent, says):
    answer = client.post("/start", data={"game": "purple_house", **sent})

    assert answer.status_code == 303
    page = client.get(answer.location).text
    assert says in page
    assert re.search(rf'class="qr" href="http://localhost{answer.location}"[^>]*><svg', page)


@pytest.mark.parametrize(
    ("game", "opening", "shown", "hidden"),
    [
        ("pig", TWELVE[1:], "<span>Ada</span> <b>6</b>", None),  # beside a name that may be cut
        ("gords", [{"move": "Agree", "starter": 1}], "Ben (blue) bids first", None),
        ("even_at_odds", BEGUN["even_at_odds"], 'id="newest-title">Groups</h2>', "All rounds"),
        ("even_at_odds", BEGUN["even_at_odds"], "Groups", "moves are possible"),
    ],
)
def test_a_page_shows_how_its_match_stands(client, new_match, game, opening, shown, hidden):
    page = client.get(f"/m/{new_match(game=game, opening=opening)['id']}").text

    assert shown in page
    assert hidden is None or hidden not in page


@pytest.mark.parametrize(
    ("sent", "status", "says"),
    [
        ({"game": "chess"}, 404, "There is no such game here."),
        ({"game": "purple_house", "name": ["Ana", "ana"]}, 400, "Two players are called ana"),
        ({"game": "purple_house", "name": ["A" * 99]}, 400, "more than"),
        ({"game": "purple_house", "name": "A", "set.variant": '"poker"'}, 400, "variant is one of"),
        ({"game": "purple_house", "name": "A", "set.variant": "{"}, 400, "left empty"),
    ],
)
def test_a_form_that_cannot_start_a_match_comes_back_with_a_sentence(client, sent, status, says):
    answer = client.post("/start", data=sent)

    assert answer.status_code == status
    assert says in answer.text
    assert all(name in answer.text for name in sent.get("name", [])[:2])


def test_a_fault_stands_beside_its_field(client):
    form = {"game": "pig", "name": ["Ana", "ana"], "set.target": "9"}
    of_names, of_target = (
        client.post("/start", data=form | changed).text
        for changed in ({"set.target": "30"}, {"name": ["Ana", "Ben"]})
    )

    who = of_names.split('id="who"')[1].partition("</section>")[0]
    assert re.search('role="alert">Two players are called ana', who)
    said = 'aria-describedby="fault".*?role="alert">[^<]*from 10 to 1000, not 9'
    assert re.search(
        said, of_target.split('name="set.target"')[1].partition("</div>")[0], re.DOTALL
    )


@pytest.mark.parametrize(
    ("query", "rows"),
    [("", 2), ("players=3", 3), ("players=0", 1), ("players=999", 64), ("players=x", 2)],
)
def test_there_are_as_many_rows_for_names_as_the_game_has_seats_for(client, query, rows):
    page = client.get(f"/?game=purple_house&{query}").text

    assert page.count('name="name"') == rows


def test_a_name_that_was_typed_stays_when_a_row_is_added(client):
    page = client.get("/?players=3&name=Ana&name=%3Cb%3E").text

    assert 'value="Ana"' in page
    assert 'value="&lt;b&gt;"' in page


def form(match, **sent):
    return {"after": match["seq"], "request": "r", "move": json.dumps(AGREE), **sent}


@pytest.fixture
def fresh(new_match):
    return new_match(opening=[])


@pytest.mark.parametrize(
    ("changes", "status", "says"),
    [
        ({"move": "[1]"}, 400, "Choose one of the moves"),
        ({"move": "{}"}, 400, "has the moves"),
        ({"move": json.dumps({"move": "StartRoll"})}, 400, "pips is missing"),
        ({"after": "x"}, 400, "Go back to the match"),
        ({"after": "7"}, 409, "Reload the page"),
        ({"move": json.dumps({**AGREE, "starter": 5})}, 422, ">Player 6 is not at this table. <"),
    ],
)
def test_a_move_that_cannot_be_made_shows_the_match_and_why(client, fresh, changes, status, says):
    answer = client.post(f"/m/{fresh['id']}/move", data=form(fresh, **changes))

    assert answer.status_code == status
    assert says in answer.text
    assert 'id="entry"' in answer.text


@pytest.mark.parametrize(
    ("opening", "cards"),
    [
        ([], ["to move", None]),
        ([{"move": "Roll", "pips": 5}], ["5 in this turn", None]),
        ([{"move": "Roll", "pips": 5}, {"move": "Roll", "pips": 1}], [None, "to move"]),
    ],
)
def test_a_score_card_tells_whose_turn_it_is_and_what_it_has_brought(
    client, new_match, opening, cards
):
    made = new_match(game="pig", opening=opening)

    page = client.get(f"/m/{made['id']}").text

    shown = re.findall(r'<details class="score.*?</summary>', page, re.DOTALL)
    found = [re.search(r'class="turn">▸ ([^<]*)<', card) for card in shown]
    assert [card and card[1] for card in found] == cards
    (heard,) = re.findall(r'data-announce="(.*?)"', page)
    assert ("Ada 0 (+5 this turn), Ben 0" in heard) == ("5 in this turn" in cards)


def test_what_may_settle_who_starts_is_asked_on_the_page_until_it_is_settled(client, new_match):
    openings = [], [{"move": "Starter", "seat": 1}]
    opened = [new_match(game="dice_wide_shut", opening=moves)["id"] for moves in openings]

    pages = [client.get(f"/m/{made}").text for made in opened]

    assert ["joined the Marine Corps Boot Camp last?" in page for page in pages] == [True, False]


def test_two_phones_that_ask_for_a_rematch_get_the_same_one_by_the_same_rules(client, new_match):
    match = new_match(settings={"variant": "harder"})

    early, address = client.post(f"/m/{match['id']}/again"), ended(client, match["id"])
    first, second = (client.post(address).location for _ in range(2))

    assert (early.status_code, "This match goes on" in early.text) == (409, True)
    assert first == second
    client.post(f"/api/matches/{match['id']}/undo", json={"after": 2})
    assert f'href="{first}"' not in client.get(f"/m/{match['id']}").text  # it is not over
    assert f'href="/m/{match["id"]}"' in client.get(first).text
    made = client.get(first.replace("/m/", "/api/matches/")).json
    assert made["id"] != match["id"]
    assert (made["names"], made["settings"]) == (match["names"], match["settings"])


def test_the_tally_is_a_fragment_with_what_the_scripts_need(client, match, post):
    post("moves", {"after": 1, "moves": board_moves()})

    fragment = client.get(f"/m/{match['id']}/tally").text

    assert "<html" not in fragment
    attribute = re.search(r'data-table="([^"]*)"', fragment)
    table = json.loads(unescape(attribute[1]))
    assert (table["seq"], table["score"], len(table["newest"])) == (2, [5, 3], 8)
    assert table["photographable"]


def test_the_history_says_what_many_moves_were_and_what_they_changed(client, match, post):
    post("moves", {"after": 1, "moves": board_moves()})

    page = client.get(f"/m/{match['id']}").text

    assert "9 dice placed" in page
    assert "Ada +5, Ben +3" in page
    assert "Black 1 on row 1, column 1" not in page  # each move is on the page of its step
    assert "Black 1 on row 1, column 1" in client.get(f"/m/{match['id']}/step/2").text
    assert "moves at once" not in page


def test_a_match_under_older_rules_shows_its_history_and_offers_no_moves(
    client, match, post, monkeypatch
):
    post("moves", {"after": 1, "moves": board_moves()})
    monkeypatch.delitem(GAMES, "purple_house")
    monkeypatch.setattr("webui.pages.start.start.FIRST_GAME", next(iter(GAMES)))

    page = client.get(f"/m/{match['id']}").text

    assert "is not installed here" in page
    assert "9 moves" in page
    assert "Photograph the board" not in page
    assert "Take back" not in page


OF_A_MATCH = ("", "/step/1", "/undo", "/rules")


@pytest.mark.parametrize(
    "path",
    [*(f"/m/nobody{part}" for part in OF_A_MATCH), "/nowhere", "/rules/chess", "/rules/pig/PH-4"],
)
def test_what_is_not_here_is_told_on_a_page(client, path):
    answer = client.get(path)

    assert answer.status_code == 404
    assert "<h1>Not here</h1>" in answer.text


def test_a_match_leads_to_how_its_points_are_counted(client, new_match):
    page = client.get(f"/m/{new_match(game='farkle', opening=[])['id']}").text
    rules = page.split(">How it is played and counted</a>")[0].rsplit('href="')[-1][:-1]

    assert "three alike: 100 times their number" in client.get(rules).text


def test_the_colours_of_the_dice_are_chosen_for_each_player(client):
    page = client.get("/?game=gords&players=3&seat.colours.1=black").text

    assert 'name="seat.colours.1" value="black" checked' in page
    assert 'name="seat.colours.2" value="green" checked' in page
    assert "typed.colours" not in page

    form = {"game": "gords", "name": ["Ann", "Ben"], "seat.colours.0": "blue"}
    answer = client.post("/start", data=form | {"seat.colours.1": "black"}, follow_redirects=True)

    scores = answer.text.split('class="tally across-2"')[1].split("</section>")[0]
    assert re.findall(r"(\w+) dice</span>", scores) == ["blue", "black"]
    assert "blue, black" in answer.text  # what they agreed on


def test_two_players_with_dice_of_one_colour_are_told(client):
    form = {"game": "gords", "name": ["Ann", "Ben"], "seat.colours.0": "red"}

    answer = client.post("/start", data=form | {"seat.colours.1": "red"})

    assert answer.status_code == 400
    assert "cannot all have red dice" in answer.text
    assert answer.text.count('value="red" checked') == 2  # what was chosen stays


# 40,000 is as long as a form may be.
@every_value(depth=[300, 40_000], field=["set.variant", "typed.variant", "move"])
def test_a_field_nested_beyond_measure_is_refused_in_a_sentence(client, match, field, depth):
    deep = "[" * depth + "]" * depth
    path = f"/m/{match['id']}/move" if field == "move" else "/start"

    answer = client.post(path, data={"after": 1, "game": "purple_house", "name": "A", field: deep})

    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("TRACE", "/", "GET, HEAD, OPTIONS"),
        ("TRACE", "/healthz", "GET, HEAD, OPTIONS"),
        ("GET", "/start", "OPTIONS, POST"),
        ("DELETE", "/api/matches", "GET, HEAD, OPTIONS, POST"),
    ],
)
def test_a_method_that_is_not_taken_is_told_which_are(client, method, path, allowed):
    answer = client.open(path, method=method)

    assert answer.status_code == 405
    assert sorted(answer.headers["Allow"].split(", ")) == allowed.split(", ")


def test_what_was_typed_beside_a_pressed_button_counts_first(client, new_match):
    match = new_match(game="sum", opening=[])
    made = [json.dumps({"move": {"move": "Enter", "seat": s}, "field": "points"}) for s in (0, 1)]
    form = {"after": 0, "request": "1", "number": ["5", "7"], "made": made}

    answer = client.post(f"/m/{match['id']}/move", data=form | {"move": '{"move": "Finish"}'})

    assert answer.status_code == 303
    assert client.get(f"/api/matches/{match['id']}").json["score"] == [5, 7]
    assert client.get(f"/api/matches/{match['id']}").json["over"]


STATIC, TEMPLATES = ROOT / "webui" / "static", ROOT / "webui" / "templates"
# An address from the top of the host, in a script that does not say `at(…)`, a sheet or a template.
FROM_THE_TOP = re.compile(
    r"""(?<!at\()(["'`])/(?!\1|\W)|url\(["']?/|\b(?:href|src|action|formaction|data-[\w-]+)="/"""
)


def test_what_a_page_names_stays_with_a_browser(client):
    page = client.get("/").text
    joined = re.findall(r'"(/static/[^"]+/joined/[^"]+)"', page)

    assert len(joined) == 2
    for address in joined:
        answer = client.get(address)
        assert answer.headers["Cache-Control"].endswith("immutable")
        assert not re.search(r"^import[ {*]|@import", answer.text, re.MULTILINE)


@pytest.mark.parametrize("name", ["app.py", "..", "favicon.svg", "nowhere.js", "tokens.css"])
def test_nothing_else_is_joined(client, name):
    page = client.get("/").text
    folder = re.findall(r'"(/static/[^"]+/joined/)[^"]+\.js"', page)[0]

    assert client.get(folder + name).status_code == 404


OTHERS = {STATIC / "net" / "root.js", *STATIC.glob("joined/*"), *STATIC.glob("vendor/*")}


@pytest.mark.parametrize("path", ["return `/m/${id}`", "url(/a.svg)", '<a href="/">'])
def test_an_address_from_the_top_is_found(path):
    assert FROM_THE_TOP.search(path)


def test_pages_and_scripts_name_no_address_from_the_top_of_the_host():
    """They may be below a path; `at` of root.js and `url_for` know it."""
    files = {*STATIC.rglob("*.js"), *STATIC.rglob("*.css"), *TEMPLATES.iterdir()} - OTHERS
    found = [
        f"{path.name}:{number} {line.strip()}"
        for path in sorted(files)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if FROM_THE_TOP.search(line) and not line.lstrip().startswith(("//", "*", "/*"))
    ]

    assert found == []


PAGE = 80_000  # bytes of a first visit; a match page may have 100 kB with all it loads later
STEP = 5_500  # bytes that each phone fetches for a step
LATE = 120 if EVERY else 60  # steps
COMPRESSED = {"Accept-Encoding": "br"}


def size(client, path):
    """Return the bytes that are sent for an address."""
    return len(client.get(path, headers=COMPRESSED).data)


def test_a_first_visit_is_light(client, match):
    path = f"/m/{match['id']}"
    head = client.get(path).text.partition("</head>")[0]
    needed = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', head)

    assert len(needed) == 2
    assert size(client, path) + sum(size(client, file) for file in needed) <= PAGE


def test_a_step_sends_as_little_late_in_a_match_as_early(client, new_match):
    sizes = []
    for game in ("pig", "purple_house"):
        made = new_match(game=game, opening=[])
        for step in range(1, LATE + 1):
            legal = client.get(f"/api/matches/{made['id']}/moves").json
            chosen = legal["moves"][step * 7 % len(legal["moves"])]["move"]
            sent = {"after": legal["seq"], "moves": [chosen]}
            client.post(f"/api/matches/{made['id']}/moves", json=sent)
            if step in (2 * LATE // 3, LATE):
                sizes.append(size(client, f"/m/{made['id']}/tally"))

    assert max(sizes) <= STEP
    for early, late in zip(sizes[::2], sizes[1::2], strict=True):
        assert late < 1.15 * early
