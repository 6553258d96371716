"""An address is declared in one place: its route, role, body and description come from there."""

from dataclasses import dataclass
from typing import Annotated, TypedDict

import pytest
from flask import Flask

from webui.api import openapi
from webui.http import address as declaring
from webui.http.address import ADDRESSES, address, register
from webui.http.roles import declared_least
from webui.store.tables.phones import Role


@dataclass(frozen=True)
class PlaceBet:
    """What somebody bets on."""

    seat: Annotated[int, ("minimum", 0)]


class BetView(TypedDict):
    """A bet that was taken."""

    seat: int


@pytest.fixture
def bets(monkeypatch):
    """Return the only address of an app, with its view."""
    monkeypatch.setattr(declaring, "ADDRESSES", made := [])

    @address("POST", "/api/bets/<match_id>", Role.PLAYER, status=201, errors=[409])
    def bet(match_id: str, sent: PlaceBet) -> BetView:  # types declare body and answer
        """Take a bet.

        Nothing is paid.
        """
        return BetView(seat=sent.seat)

    return made


def test_a_view_with_its_declaration_is_an_address(bets):
    app = Flask(__name__)
    register(app, bets)
    client = app.test_client()

    answer = client.post("/api/bets/m", json={"seat": 1})

    assert (answer.status_code, answer.json) == (201, {"seat": 1})
    assert declared_least(app.view_functions[bets[0].endpoint]).writes is Role.PLAYER


def test_a_declaration_is_its_description(bets, monkeypatch):
    monkeypatch.setattr(openapi, "ADDRESSES", [*ADDRESSES, *bets])
    for made_once in (openapi.document, openapi._names):
        made_once.cache_clear()
    try:
        described = openapi.document()
    finally:
        openapi.document.cache_clear()
        openapi._names.cache_clear()

    operation = described["paths"]["/api/bets/{match}"]["post"]
    assert (operation["summary"], operation["description"]) == ("Take a bet.", "Nothing is paid.")
    assert list(operation["responses"]) == [
        *("201", "400", "404", "409", "413", "415", "421", "403", "429")
    ]
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": "#/components/schemas/PlaceBet"}
    assert described["components"]["schemas"]["PlaceBet"]["required"] == ["seat"]
