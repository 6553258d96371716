"""The files for reading in the browser, at addresses with a hash: cached until they change."""

import gzip
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self

from flask import Blueprint, Response, abort, current_app, request, url_for

from webui.http.roles import least
from webui.pages.scripts import FOREVER
from webui.store.tables.phones import Role

bp = Blueprint("eyes_files", __name__)
VENDOR = Path(__file__).parents[1] / "static" / "vendor" / "onnxruntime"
RUNTIME = "ort.wasm.bundle.min.mjs"
BINARY = "application/octet-stream"
# Only loaded where no server reads photos.
PAIRS, KINDS, EDGES = "pair_classifier.onnx", "kinds.bin", "edge_classifier.onnx"
WASM = "ort-wasm-simd-threaded.wasm"


@dataclass(frozen=True, slots=True)
class EyesFile:
    """A file by a short hash of its compressed form, which is empty if another server has it."""

    digest: str
    sent: int  # bytes, compressed
    whole: int  # bytes
    kind: str = BINARY
    zipped: bytes = b""

    @classmethod
    def of(cls, zipped: bytes, kind: str = BINARY) -> Self:
        """Return the file with the compressed content *zipped*."""
        whole = int.from_bytes(zipped[-4:], "little")  # RFC 1952, ISIZE
        digest = hashlib.sha256(zipped).hexdigest()[:12]
        return cls(digest, len(zipped), whole, kind, zipped)


EyesFiles = Callable[[], Mapping[str, EyesFile]]


@cache
def made() -> Mapping[str, EyesFile]:
    """Return the files as this server sends them."""
    from webui.eyes import preview  # noqa: PLC0415  # imports the eyes

    files = {
        f"{name}.onnx": EyesFile.of(gzip.compress(path.read_bytes(), mtime=0))
        for name, path in preview.networks().items()
    }
    files[KINDS] = EyesFile.of(gzip.compress(preview.kind_head(), mtime=0))
    numbers = json.dumps(preview.constants()).encode()
    files["constants.json"] = EyesFile.of(gzip.compress(numbers, mtime=0), "application/json")
    files[WASM] = EyesFile.of((VENDOR / f"{WASM}.gz").read_bytes(), "application/wasm")
    files[RUNTIME] = EyesFile("", 0, (VENDOR / RUNTIME).stat().st_size)  # a static file
    return files


def _files() -> Mapping[str, EyesFile]:
    files: EyesFiles = current_app.extensions["eyes_files"]
    return files()


@bp.get("/eyes/<digest>/<name>")
@least(Role.ANYBODY)
def file(digest: str, name: str) -> Response:
    """Send a file; 404 if it is of another version."""
    kept = _files().get(name)
    if kept is None or kept.digest != digest or not kept.zipped:
        abort(404)
    heads = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
    if request.accept_encodings.quality("gzip"):
        heads["Content-Encoding"] = "gzip"
        return Response(kept.zipped, mimetype=kept.kind, headers=heads)
    return Response(gzip.decompress(kept.zipped), mimetype=kept.kind, headers=heads)


def size() -> dict[str, int]:
    """Return the compressed and the unpacked size of what shows pieces while one aims."""
    files = [file for name, file in _files().items() if name not in {PAIRS, KINDS, EDGES}]
    return {
        "sent": sum(each.sent for each in files),
        "whole": sum(each.whole for each in files),
    }


def addresses() -> dict[str, str]:
    """Return the addresses of the files by their names in eyes.js."""

    def of(name: str) -> str:
        return url_for("eyes_files.file", digest=_files()[name].digest, name=name)

    return {
        "worker": url_for("joined", name="eyes_worker.js"),
        "runtime": url_for("static", filename=f"vendor/onnxruntime/{RUNTIME}"),
        "binary": of(WASM),
        "detector": of("detector.onnx"),
        "classifier": of("face_classifier.onnx"),
        "pairs": of(PAIRS),
        "kinds": of(KINDS),
        "edges": of(EDGES),
        "constants": of("constants.json"),
    }
