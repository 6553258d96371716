"""An address, declared once beside its view: route, least role, share, body, answer and errors.

The request body is what the view takes as `sent`, the answer what it returns, by their types. The
OpenAPI document is made from these declarations (`webui.api.openapi`).
"""

import inspect
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal, cast

from flask import Flask, jsonify
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from webui.http.bodies import body as read_body
from webui.http.roles import Spends, ViewFunction, least
from webui.store.tables.phones import Role

Method = Literal["GET", "POST", "DELETE"]
Content = Mapping[str, Any]  # of OpenAPI: by content type


@dataclass(frozen=True, slots=True)
class Address:
    """What is declared of an address and a method."""

    method: Method
    rule: str  # as Flask has it: "/api/matches/<match_id>"
    view: Callable[..., ResponseReturnValue]
    says: str  # the docstring of the view
    sent: Any  # the type of the JSON body, None where there is none
    body: Content | None  # content other than JSON
    answer: Any  # a type or content, None where the answer is empty
    status: int
    queued: bool  # it may be answered later, with 202
    errors: Sequence[int]  # beside those of each body and of each variable part
    query: Sequence[Content]  # parameters after the "?", as OpenAPI has them

    @property
    def endpoint(self) -> str:
        """Return the name of the view for `url_for`: "api.matches.play"."""
        return f"{self.view.__module__.removeprefix('webui.')}.{self.view.__name__}"


ADDRESSES: list[Address] = []  # in the order of their declaration


def address(
    method: Method,
    rule: str,
    role: Role,
    *,
    spends: Spends = "forms",
    status: int = 200,
    body: Content | None = None,
    answer: Any = None,
    queued: bool = False,
    errors: Sequence[int] = (),
    query: Sequence[Content] = (),
) -> Callable[[ViewFunction], ViewFunction]:
    """Declare the address of a view; *answer* where the type that it returns does not tell it."""

    def declare(view: ViewFunction) -> ViewFunction:
        hints = typing.get_type_hints(view)
        sent = hints.get("sent")

        @least(role, spends=spends)
        @wraps(view)
        def answered(**given: Any) -> ResponseReturnValue:
            if sent is not None:
                given["sent"] = read_body(sent)
            return _response(view(**given), status)

        ADDRESSES.append(
            Address(
                method=method,
                rule=rule,
                view=answered,
                says=inspect.getdoc(view) or "",
                sent=sent,
                body=body,
                answer=answer or hints["return"],
                status=status,
                queued=queued,
                errors=errors,
                query=query,
            )
        )
        return cast("ViewFunction", answered)

    return declare


def _response(answer: Any, status: int) -> ResponseReturnValue:
    """Return an answer as Flask takes it; a response of the view's own stays as it is."""
    if isinstance(answer, (Response, tuple)):
        return answer
    return ("" if answer is None else jsonify(answer)), status


def register(app: Flask, addresses: Iterable[Address]) -> None:
    """Let *app* answer at some addresses."""
    for made in addresses:
        app.add_url_rule(made.rule, made.endpoint, made.view, methods=[made.method])
