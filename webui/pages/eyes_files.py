"""The files for reading in the browser: networks, their constants, and the runtime.

Each address has a hash of the file, so that a phone caches it until it changes.
"""

import gzip
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self

from flask import Blueprint, Response, request, url_for

from webui.errors import NotFound
from webui.eyes import preview
from webui.http.roles import least
from webui.pages.scripts import FOREVER
from webui.store.tables.phones import Role

bp = Blueprint("eyes_files", __name__)
RUNTIME = Path(__file__).parents[1] / "static" / "vendor" / "onnxruntime"
BINARY = "application/octet-stream"
WASM = "ort-wasm-simd-threaded.wasm"


@dataclass(frozen=True, slots=True)
class EyesFile:
    """A file in its compressed form."""

    zipped: bytes
    kind: str
    digest: str  # short hash of the compressed file

    @property
    def whole_bytes(self) -> int:
        """Return the unpacked size (RFC 1952, ISIZE)."""
        return int.from_bytes(self.zipped[-4:], "little")

    @classmethod
    def of(cls, zipped: bytes, kind: str) -> Self:
        """Return the file with the compressed content *zipped*."""
        return cls(zipped, kind, hashlib.sha256(zipped).hexdigest()[:12])


@cache
def _files() -> dict[str, EyesFile]:
    made = {
        f"{name}.onnx": EyesFile.of(gzip.compress(path.read_bytes(), mtime=0), BINARY)
        for name, path in preview.networks().items()
    }
    numbers = json.dumps(preview.constants()).encode()
    made["constants.json"] = EyesFile.of(gzip.compress(numbers, mtime=0), "application/json")
    made[WASM] = EyesFile.of((RUNTIME / f"{WASM}.gz").read_bytes(), "application/wasm")
    return made


@bp.get("/eyes/<digest>/<name>")
@least(Role.ANYBODY)
def file(digest: str, name: str) -> Response:
    """Send a file; raises NotFound if it is of another version."""
    kept = _files().get(name)
    if kept is None or kept.digest != digest:
        raise NotFound("There is no such file.")
    heads = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
    if request.accept_encodings.quality("gzip"):
        heads["Content-Encoding"] = "gzip"
        return Response(kept.zipped, mimetype=kept.kind, headers=heads)
    return Response(gzip.decompress(kept.zipped), mimetype=kept.kind, headers=heads)


def size() -> dict[str, int]:
    """Return the compressed and the unpacked size of all files."""
    files = _files().values()
    runtime = (RUNTIME / "ort.wasm.bundle.min.mjs").stat().st_size
    return {
        "sent": sum(len(one.zipped) for one in files),
        "whole": sum(one.whole_bytes for one in files) + runtime,
    }


def addresses() -> dict[str, str]:
    """Return the addresses of the files by their names in eyes.js."""

    def of(name: str) -> str:
        return url_for("eyes_files.file", digest=_files()[name].digest, name=name)

    return {
        "worker": url_for("joined", name="eyes_worker.js"),
        "runtime": url_for("static", filename="vendor/onnxruntime/ort.wasm.bundle.min.mjs"),
        "binary": of(WASM),
        "detector": of("detector.onnx"),
        "classifier": of("face_classifier.onnx"),
        "constants": of("constants.json"),
    }
