"""What others wrote and pages bring along is what they released, and says under which licence."""

import gzip
import hashlib

import pytest

from tests import ROOT

VENDOR = ROOT / "webui" / "static" / "vendor"
RELEASED = {  # SHA-256 of the file in the package; ours has a line before it and one after it
    "idiomorph": "4cbd535caf7663a51eda9bce6595371c384fc430d54b8d414e29a61167f19f96"
}

# onnxruntime-web 1.30.0, dist/, and the notices of the same release of onnxruntime, which it lacks
RUNTIME = {
    "ort.wasm.bundle.min.mjs": "11e64bd8ffe11bd1a2a2f0d6275fdfbbba7262f0b76b99b53d228a8a22ef3d90",
    "ort-wasm-simd-threaded.wasm": (
        "3398c10d07d229bd91b364548e130e0e51a8e5704b88c7c083ebbeb78842dee2"
    ),
    "ThirdPartyNotices.txt": "143764b952fdb1a7c69ce653bfba74a7744d6a8a573bfb73e235fba356c83de3",
}


@pytest.mark.parametrize("name", RELEASED)
def test_a_vendored_script_is_the_one_that_was_released(name):
    said, released, exported, end = (VENDOR / f"{name}.js").read_bytes().split(b"\n")

    assert hashlib.sha256(released).hexdigest() == RELEASED[name]
    assert f"({name}.LICENSE.txt)".encode() in said
    assert exported.startswith(b"export { ")
    assert not end
    assert (VENDOR / f"{name}.LICENSE.txt").read_text(encoding="utf-8")


def test_the_runtime_of_the_browsers_eyes_is_the_one_that_was_released():
    folder = VENDOR / "onnxruntime"
    for name, released in RUNTIME.items():
        zipped = folder / f"{name}.gz"
        plain = zipped.exists() and gzip.decompress(zipped.read_bytes())
        content = plain or (folder / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == released, name
    assert "MIT License" in (folder / "LICENSE.txt").read_text(encoding="utf-8")
