"""A client made from the description by an existing generator plays a match on a running server."""

import importlib
import json
import sys
from types import SimpleNamespace

import pytest

from tests.webui.serving import served
from webui.api.openapi import document

# What the generator has no types for: pictures, in what is sent and in what is answered.
PICTURES = ("/photo", ".jpg", "/frames")
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
            **{
                name: importlib.import_module(f"pipsight_client.api.default.{name}")
                for name in USED
            },
        )
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.startswith("pipsight_client")]:
            del sys.modules[name]


@pytest.mark.release
def test_the_generator_understands_all_but_pictures(made):
    assert [one for one in made.faults if not any(part in str(one[0]) for part in PICTURES)] == []


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
