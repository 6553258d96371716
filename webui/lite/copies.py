"""A copy of the matches of a browser as a file, and back: what `pipsight backup` writes."""

import tempfile
from contextlib import closing
from pathlib import Path

from flask import Blueprint, Response, redirect, request, send_file, url_for
from werkzeug.wrappers import Response as Redirection

from scorer import Malformed
from scorer.messages import _
from webui.errors import RequestError
from webui.http.bodies import take
from webui.http.roles import device, least, own_token
from webui.services import services
from webui.store.backups.backup import back_up
from webui.store.backups.restore import CannotRestore, restore
from webui.store.log import Store, now
from webui.store.tables.phones import Role

MOST = 2_000_000_000  # bytes


def views(url: str) -> Blueprint:
    """Return the views for the matches at *url*, which only this app has open."""
    bp = Blueprint("copies", __name__)
    bp.app_context_processor(lambda: {"copies": True})  # pages offer them

    @bp.get("/copy.zip")
    @least(Role.ANYBODY)
    def file() -> Response:
        """Send all matches and photos."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "pipsight.zip")
            back_up(url, services().store.photo_files, out)
            return send_file(out.open("rb"), as_attachment=True, download_name=out.name)

    @bp.post("/copy")
    @least(Role.ANYBODY)
    def put() -> Redirection:
        """Put the matches of a copy in the place of those here; then the shell restarts."""
        take(MOST)
        sent = request.files.get("copy")
        if sent is None or not sent.filename:
            raise Malformed(_("choose a file first"))
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, "pipsight.zip")
            sent.save(copy)
            store = services().store
            try:
                restore(url, store.photo_files, copy, replace=True, close=store.close)
            except CannotRestore as fault:
                raise RequestError(fault.args[0]) from None
        with closing(Store(url, store.photos)) as restored:
            restored.phones.take_home(own_token(), device(), now())
        return redirect(url_for("start.start"), 303)

    return bp
