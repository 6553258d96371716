"""`/lite`: the files of `pipsight site`, so that a phone has Pipsight where this server is not."""

from flask import Blueprint, Response, send_from_directory

from scorer.messages import _
from webui.errors import NotFound
from webui.http.hosts import CSP, EYES, PAGE
from webui.http.roles import least
from webui.services import services
from webui.store.tables.phones import Role

bp = Blueprint("site", __name__)

NO_SITE = _("This server has no Pipsight to take along. Start it with: pipsight serve --lite DIR")
# Its shell has a style of its own, shows the app's pages in a frame, and runs WebAssembly.
POLICY = f"{PAGE}'self'{EYES}; style-src 'self' 'unsafe-inline'"


@bp.get("/lite/")
@bp.get("/lite/<path:name>")
@least(Role.ANYBODY)
def file(name: str = "index.html") -> Response:
    """Send a file of the site; a browser asks each time whether it has changed."""
    folder = services().settings.lite
    if folder is None:
        raise NotFound(NO_SITE)
    answer = send_from_directory(folder.absolute(), name, max_age=0)
    answer.headers[CSP] = POLICY
    return answer
