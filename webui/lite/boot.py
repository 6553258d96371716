"""The app in a browser (python_worker.js): `begin` makes it, `answer` answers a request."""

import io
import json
import sys
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from flask import Flask
from werkzeug.test import run_wsgi_app

from webui.app import create_app
from webui.http.hosts import INGRESS, plain_host
from webui.lite import copies
from webui.lite.at_once import AtOnce
from webui.lite.page_photo import PageEyes
from webui.pages.eyes_files import EyesFile
from webui.settings import ServerSettings

EYES = PageEyes()
Headers = list[tuple[str, str]]


def begin(folder: str, host: str, prefix: str, files: str) -> Flask:
    """Return the app over the matches in *folder*, which pages reach at *host* below *prefix*.

    *files* are those of the page's own eyes, as JSON (eyes.json, written by `webui.lite.site`).
    """
    facts = {name: EyesFile(*each) for name, each in json.loads(files).items()}
    url = f"sqlite:///{folder}/pipsight.db"
    settings = ServerSettings(
        hosts=(plain_host(host),), prefix=prefix, compress=False, others=False
    )
    app = create_app(url, f"{folder}/photos", EYES.eyes, settings, AtOnce, lambda: facts)
    app.register_blueprint(copies.views(url))
    return app


def answer(
    app: Flask, method: str, url: Mapping[str, str], headers: Mapping[str, str], body: bytes
) -> tuple[int, Headers, bytes]:
    """Answer a request to *url*, its parts by the names of JavaScript's URL."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote(url["pathname"]).encode().decode("latin-1"),
        "QUERY_STRING": url["search"].removeprefix("?"),
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": url["host"],
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": url["protocol"].removesuffix(":"),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        INGRESS: True,  # the shell shows the pages in a frame
    }
    for name, value in headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
    parts, status, given = run_wsgi_app(app.wsgi_app, environ, buffered=True)
    return int(status.split()[0]), list(given), b"".join(parts)
