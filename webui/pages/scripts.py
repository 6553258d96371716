"""The bundles of scripts and style sheets that pages load, made by `make scripts`."""

from functools import cache
from pathlib import Path

from flask import Flask, Response, abort, g, request, url_for

from webui.http.hosts import CSP, policy
from webui.http.roles import least
from webui.store.tables.phones import Role

WORKER = "service_worker.js"
EYES = "eyes_worker.js"
TYPES = {".css": "text/css", ".js": "text/javascript"}
QUALITY = 10  # of Brotli's 11: 1.9 kB of 59 less than 9, in 0.2 s once; 11 takes twice that
FOREVER = "public, max-age=31536000, immutable"  # its address has a hash of the contents


def serve_joined(app: Flask, folder: Path, *, compress: bool) -> None:
    """Serve the bundles in *folder*, and give templates their addresses; *compress* once."""
    bundles = {path.name: path for path in folder.iterdir()}
    content = cache(Path.read_text)

    @least(Role.ANYBODY)
    def joined(name: str) -> Response:
        if name not in bundles:
            abort(404)
        headers = {"Cache-Control": FOREVER}
        if name == EYES:  # a worker has a policy of its own
            headers[CSP] = policy(eyes=True)
        path = bundles[name]
        if compress and request.accept_encodings["br"]:
            headers |= {"Content-Encoding": "br", "Vary": "Accept-Encoding"}
            return Response(_brotli(path), mimetype=TYPES[path.suffix], headers=headers)
        return Response(content(path, "utf-8"), mimetype=TYPES[path.suffix], headers=headers)

    @least(Role.ANYBODY)
    def worker() -> Response:
        where = f'const STATIC = "{url_for("static", filename="")}";\n'
        text = where + content(bundles[WORKER], "utf-8")
        return Response(text, mimetype="text/javascript")  # browsers ask for it anew

    app.add_url_rule(f"{app.static_url_path}/joined/<name>", "joined", joined)
    app.add_url_rule(f"/{WORKER}", "worker", worker)  # its scope is the folder of its address
    app.jinja_env.globals["joined"] = lambda name: url_for("joined", name=name)
    app.jinja_env.globals["announced"] = _announced
    app.after_request(_announce)


@cache
def _brotli(path: Path) -> bytes:
    import brotli  # noqa: PLC0415  # comes with Flask-Compress, which a browser lacks

    return bytes(brotli.compress(path.read_bytes(), quality=QUALITY))


def _announced(name: str) -> str:
    """Return the address of a page's sheet, which its answer announces ahead of the scripts."""
    g.sheet = url_for("joined", name=name)
    return str(g.sheet)


def _announce(answer: Response) -> Response:
    if "sheet" in g:
        answer.headers.add("Link", f"<{g.sheet}>; rel=preload; as=style")
    return answer
