"""`/trust`: how a phone trusts the HTTPS server, and the certificate to install."""

from flask import Blueprint, Response, render_template, request

from scorer.messages import _
from webui.errors import NotFound
from webui.http.roles import least
from webui.services import Secure, services
from webui.store.tables.phones import Role

bp = Blueprint("trust", __name__)

NO_DOOR = _("This server has no secure address. Start it with one: pipsight serve --https")


def _door() -> Secure:
    if (secure := services().secure) is None:
        raise NotFound(NO_DOOR)
    return secure


@bp.get("/trust")
@least(Role.ANYBODY)
def page() -> str:
    """Explain the browser's warning, and how to trust this server permanently."""
    door = _door()
    host = request.host.rpartition(":")[0] if ":" in request.host else request.host
    return render_template(
        "trust.html", fingerprint=door.fingerprint, address=f"https://{host}:{door.port}/"
    )


@bp.get("/trust/pipsight.crt")
@least(Role.ANYBODY)
def certificate() -> Response:
    """Send the certificate of this server's authority in the form that phones install."""
    answer = Response(_door().authority, mimetype="application/x-x509-ca-cert")
    answer.headers["Content-Disposition"] = 'attachment; filename="pipsight.crt"'
    return answer
