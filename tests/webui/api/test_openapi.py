"""The description of the JSON interface is true, and a client made from it plays a match."""

import importlib
import json
import re
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from scorer.games import GAMES
from tests.conftest import board_moves, picture
from tests.webui.serving import served
from vision.quad import Quad
from vision.reading import BoardReading, Face, MarkReading, Reading, TileReading
from webui.api.openapi import ERRORS, document

SCHEMAS = document()["components"]["schemas"]
PATHS = {
    path: {method: one for method, one in operations.items() if method != "parameters"}
    for path, operations in document()["paths"].items()
}

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}


def faults(value, schema, at="answer"):
    """Yield where *value* is not as *schema* says; the part of JSON Schema that we write."""
    if "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in schema:
        found = [list(faults(value, one, at)) for one in schema["anyOf"]]
        yield from min(found, key=len)
        return
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or (kind != "boolean" and value is True)):
        yield f"{at} is {value!r}, not of type {kind}"
        return
    if kind == "object":
        properties = schema.get("properties", {})
        yield from (f"{at} lacks {name}" for name in set(schema.get("required", ())) - set(value))
        more = schema.get("additionalProperties", True)
        for name, item in value.items():
            if name not in properties and more is False:
                yield f"{at} has {name}, which is not told"
            rest = more if isinstance(more, dict) else {}
            yield from faults(item, properties.get(name, rest), f"{at}.{name}")
    if kind == "array":
        for place, item in enumerate(value):
            yield from faults(item, schema.get("items", {}), f"{at}[{place}]")


def answered(client, method, path, **sent):
    """Call, check the answer against what is told of it, and return its JSON."""
    answer = client.open(path, method=method.upper(), **sent)
    (response,) = [
        operations[method]["responses"][str(answer.status_code)]
        for template, operations in PATHS.items()
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path) and method in operations
    ]
    schema = response["content"]["application/json"]["schema"]
    assert list(faults(answer.json, schema)) == []
    return answer.json


def test_every_address_is_told_and_no_other(app):
    """Clients made from the document know the match by the name `match`."""
    served = {
        (re.sub(r"<(?:\w+:)?(\w+?)(?:_id)?>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(("/api/", "/healthz"))
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }

    assert served == {(path, method) for path, told in PATHS.items() for method in told}


def test_a_number_in_an_address_that_no_database_takes_is_not_found(app, client, match):
    for rule in [rule for rule in app.url_map.iter_rules() if "<int:" in rule.rule]:
        path = re.sub("<match_id>", match["id"], re.sub(r"<int:\w+>", "9" * 30, rule.rule))
        for method in rule.methods - {"HEAD", "OPTIONS"}:
            assert client.open(path, method=method).status_code == 404, (method, path)


def test_what_is_told_is_what_is_answered(client, match, eyes):
    eyes.show()
    path = f"/api/matches/{match['id']}"
    answered(client, "get", "/healthz")
    answered(client, "get", "/api/openapi.json")
    answered(client, "get", "/api/games")
    answered(client, "get", f"/api/codes/{match['code']}")
    answered(client, "get", path)
    answered(client, "get", f"{path}/moves")
    answered(client, "get", f"{path}/sentence")
    tapped = {"after": 1, "dice": [{"value": 9, "colour": "red", "cell": [0, 0]}]}
    assert answered(client, "post", f"{path}/proposals", json=tapped)["differences"]
    photo = {"data": picture(), "content_type": "image/jpeg"}
    reading = answered(client, "post", f"{path}/photos", **photo)
    assert reading["proposal"]["preview"]["because"]
    answered(client, "get", f"{path}/sightings/{reading['sighting']}")
    step = {"after": 1, "moves": board_moves(), "sighting": reading["sighting"], "by": 0}
    view = answered(client, "post", f"{path}/moves", json=step)
    assert view["because"]
    assert view["history"][1]["photo"]
    answered(client, "post", f"{path}/undo", json={"after": 2})


def test_a_match_that_is_over_is_as_told(client, new_match):
    match = new_match(settings={"match": "single"})
    path = f"/api/matches/{match['id']}/moves"

    view = answered(client, "post", path, json={"after": 1, "moves": board_moves()})

    assert view["result"]["winners"] == [0]


@pytest.mark.parametrize(
    ("what", "sent"),
    [
        ("moves", {"json": {}}),
        ("moves", {"data": b"x"}),
        ("moves", {"json": {"after": 0, "moves": board_moves()}}),
        ("moves", {"json": {"after": 1, "moves": board_moves()[1:]}}),
        ("moves", {"json": {"after": 1, "moves": board_moves(), "sighting": "x"}}),
        ("undo", {"json": {"after": 1, "to": 1}}),
        ("photos", {"data": b"x", "content_type": "image/jpeg"}),
        ("photos", {"json": {}}),
        ("proposals", {"json": []}),
    ],
)
def test_errors_are_as_told(client, match, what, sent):
    error = answered(client, "post", f"/api/matches/{match['id']}/{what}", **sent)

    assert error["error"]["sentence"]


def test_every_kind_of_error_is_named_where_its_status_is_told(client, match):
    error = answered(client, "get", "/api/matches/none")["error"]

    assert f"`{error['kind']}`" in ERRORS[404]


def test_what_is_sent_is_told_from_the_types_that_read_it():
    play = SCHEMAS["Play"]

    assert play["required"] == ["after", "moves"]
    assert play["additionalProperties"] is False
    assert play["properties"]["after"] == {"type": "integer"}
    assert play["properties"]["moves"]["minItems"] == 1
    request = {"type": "string", "maxLength": 200}
    assert play["properties"]["request"] == {"anyOf": [request, {"type": "null"}]}
    tapped = SCHEMAS["Tapped"]["properties"]["dice"]["items"]
    assert tapped["required"] == ["value", "colour"]
    assert tapped["properties"]["cell"]["anyOf"][0]["maxItems"] == 2


def test_the_document_names_only_schemas_that_it_holds():
    text = str(document())

    assert document()["openapi"] == "3.1.0"
    assert set(re.findall(r"#/components/schemas/(\w+)", text)) == set(SCHEMAS)


def test_the_checker_of_these_tests_finds_faults():
    schema = SCHEMAS["Found"]

    assert list(faults({"id": "a", "url": "b"}, schema)) == []
    assert list(faults({"id": 1, "url": "b"}, schema)) == ["answer.id is 1, not of type string"]
    assert list(faults({"id": "a"}, schema)) == ["answer lacks url"]
    (fault,) = faults({"id": "a", "url": "b", "c": 1}, schema)
    assert fault == "answer has c, which is not told"


def test_each_move_of_each_game_is_told():
    for game in GAMES.values():
        refs = [one["$ref"].rsplit("/", 1)[1] for one in SCHEMAS[f"Move_{game.name}"]["oneOf"]]
        assert [SCHEMAS[name]["properties"]["move"]["const"] for name in refs] == [
            kind.__name__ for kind in (*game.moves, *game.steps)
        ]
    place = SCHEMAS["Move_purple_house_Place"]
    assert place["properties"]["colour"] == {"enum": ["black", "white"]}
    assert place["required"] == ["move", "row", "column", "colour", "pips"]


def test_a_new_match_is_told_game_by_game():
    pig = SCHEMAS["NewMatch_pig"]["properties"]

    assert (pig["names"]["minItems"], pig["names"]["maxItems"]) == (2, 10)
    settings = pig["settings"]["anyOf"][0]["properties"]
    assert (settings["target"]["minimum"], settings["target"]["maximum"]) == (10, 1000)


@pytest.mark.parametrize("spot", ["x", "-1", "1.0", "01", "9" * 5000, ""])
def test_a_surface_is_a_number_or_the_photo_is_refused(client, match, eyes, spot):
    eyes.show()
    photo = {"data": picture(), "content_type": "image/jpeg"}

    path = f"/api/matches/{match['id']}/photos"
    error = answered(client, "post", path, query_string={"spot": spot}, **photo)

    assert error["error"]["sentence"].startswith("spot is a whole number")


@pytest.mark.parametrize("path", ["/api/matches", "/api/players"])
@pytest.mark.parametrize("day", ["", "20261127", "2026-W48-5", "2026-02-30", "0001-01-01"])
def test_a_day_is_a_date_of_rfc_3339_or_refused(client, path, day):
    for name in ("since", "until"):
        answer = client.get(path, query_string={name: day})

        assert answer.status_code == (200 if day == "0001-01-01" else 400)
        answered(client, "get", path, query_string={name: day})


def test_whose_matches_are_sought_is_described_as_it_is_taken(client):
    parameters = PATHS["/api/matches"]["get"]["parameters"]
    schemas = {one["name"]: one["schema"] for one in parameters}
    longest = schemas["player"]["maxLength"]
    sought = [{"game": name} for name in ("", *schemas["game"]["examples"])]
    sought += [{"player": "x" * longest}]
    refused = [{"game": "chess"}, {"player": "x" * (longest + 1)}]

    for query in (*sought, *refused):
        answer = client.get("/api/matches", query_string=query)
        assert answer.status_code == (200 if query in sought else 400), query


def test_what_may_be_told_to_wait_is_told_for_how_long():
    for path, operations in PATHS.items():
        for operation in operations.values():
            for status in {"429", "503"} & set(operation["responses"]):
                assert "Retry-After" in operation["responses"][status]["headers"], path


def test_every_part_of_a_reading_is_as_told():
    quad = Quad(((0, 0), (9, 0), (9, 9), (0, 9)))
    colours = ("red", 0.7), ("pink", 0.3)
    half = Face(quad, (0, 0.1, 0.8, 0.1, 0, 0, 0), colours, 0.8, False, (0, 1))
    reading = Reading(
        width=20,
        height=10,
        missed_candidates=(quad,),
        hint="look there",
        dice=(half, replace(half, cell=None)),
        tiles=(TileReading(quad, (half, half), 0.9, True, 1),),
        marks=(MarkReading(("red", 0, 3), "checked", 0.7, False, (("blank", 0.3),)),),
        board=BoardReading("grid:3x3", quad, 0.5),
        warnings=("look there",),
    ).to_json("a.jpg")
    schema = SCHEMAS["Sighting"]["properties"]["reading"]

    assert list(faults(reading, schema)) == []
    assert list(faults({**reading, "dice": [{**reading["dice"][0], "value": "two"}]}, schema))
    assert list(faults({**reading, "board": {"name": "grid:3x3"}}, schema))


# What the generator has no types for: pictures, in what is sent and in what is answered.
PICTURES = ("/photo", ".jpg", "/frames")
DEFAULT = "pipsight_client.api.default"
USED = ("post_api_matches", "get_api_matches_match", "post_api_matches_match_moves")
USED += ("post_api_matches_match_undo", "post_api_matches_match_redo")
USED += ("post_api_matches_match_viewers", "get_api_view", "delete_api_matches_match")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Make the client; return its functions, its models, and what could not be made."""
    from openapi_python_client import generate  # no other process needs it to load the tests
    from openapi_python_client.config import Config, ConfigFile, MetaType

    folder = tmp_path_factory.mktemp("made")
    (folder / "openapi.json").write_text(json.dumps(document()), encoding="utf-8")
    faults = generate(
        config=Config.from_sources(
            ConfigFile(post_hooks=[], package_name_override="pipsight_client"),
            MetaType.NONE,
            folder / "openapi.json",
            "utf-8",
            overwrite=False,
            output_path=folder / "pipsight_client",
        )
    )
    sys.path.insert(0, str(folder))
    try:
        yield SimpleNamespace(
            faults=[(fault.header, fault.detail) for fault in faults],
            models=importlib.import_module("pipsight_client.models"),
            Client=importlib.import_module("pipsight_client").Client,
            **{name: importlib.import_module(f"{DEFAULT}.{name}") for name in USED},
        )
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.startswith("pipsight_client")]:
            del sys.modules[name]


@pytest.mark.release
def test_the_generator_understands_all_but_pictures(made):
    assert [one for one in made.faults if not any(part in str(one[0]) for part in PICTURES)] == []


@pytest.mark.release
def test_the_client_plays_a_match(made, app):
    models = made.models
    with served(app) as port, made.Client(base_url=f"http://127.0.0.1:{port}") as client:
        settings = models.NewMatchPigSettingsType0(target=10)
        wanted = models.NewMatchPig(game="pig", names=["Ada", "Ben"], settings=settings)
        match = made.post_api_matches.sync(client=client, body=wanted)
        assert (match.game.name, match.names, match.over) == ("pig", ["Ada", "Ben"], False)
        of_match = {"client": client, "match": match.id}

        def play(*moves):
            seq = made.get_api_matches_match.sync(**of_match).seq
            sent = models.Play(after=seq, moves=list(moves), by=0)
            return made.post_api_matches_match_moves.sync(**of_match, body=sent)

        def roll(pips):
            return models.MovePigRoll(move="Roll", pips=pips)

        play(roll(5), roll(6))
        undone = made.post_api_matches_match_undo.sync(**of_match, body=models.Undo(after=1))
        assert (undone.can_undo, undone.ahead) == (False, [1])
        back = models.Redo(after=2, step=1)
        assert made.post_api_matches_match_redo.sync(**of_match, body=back).turn_total == 11
        renamed = play(models.Rename(move="Rename", seat=0, name="Ida"))
        assert renamed.names == ["Ida", "Ben"]
        refused = play(models.MovePigRoll(move="Roll", pips=7))
        assert isinstance(refused, models.Error)
        assert "7" in refused.error.sentence

        over = play(models.MovePigHold(move="Hold"))

        assert (over.over, over.result.winners, over.score) == (True, [0], [11, 0])
        viewer = models.NewViewer(name="")
        token = made.post_api_matches_match_viewers.sync(**of_match, body=viewer).token
        assert made.get_api_view.sync(client=client, token=token).result.winners == [0]
        assert made.delete_api_matches_match.sync(**of_match).photos == 0
