"""Print the modules that the app needs where no native package can be imported, as JSON.

Run in a process of its own by `webui.lite.site`: it starts the app and asks for its pages. Printed
beside the modules: the start page of somebody new, and the shell's sentences, by language.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder
from importlib.util import spec_from_file_location
from pathlib import Path

NATIVE = frozenset(
    (
        *("PIL", "alembic", "brotli", "cryptography", "cv2", "flask_compress", "greenlet"),
        *("numpy", "onnxruntime", "pi_heif", "prompt_toolkit", "psutil", "reportlab", "waitress"),
    )
)
HERE = Path(__file__).parent


class Refused:
    """Finds no native package, and of a module that is compiled the one in Python."""

    def __init__(self, native: frozenset[str] = NATIVE) -> None:
        self._native = native

    def find_spec(
        self, name: str, path: Sequence[str] | None, _target: object = None
    ) -> ModuleSpec | None:
        """Return the spec of a module to be taken instead; raises ModuleNotFoundError."""
        top = name.partition(".")[0]
        spec = None if top in sys.stdlib_module_names else PathFinder.find_spec(name, path)
        compiled = spec is not None and isinstance(spec.loader, ExtensionFileLoader)
        if spec is not None and compiled and top not in self._native:
            source = Path(spec.origin or "").with_name(f"{name.rpartition('.')[2]}.py")
            if source.exists():
                return spec_from_file_location(name, source)
        if compiled or top in self._native:
            raise ModuleNotFoundError(f"{name} is not in a browser", name=name)
        return None


def main() -> None:
    """Start the app, ask for pages of each game, and print what was imported."""
    sys.meta_path.insert(0, Refused())
    from scorer.games import GAMES  # noqa: PLC0415
    from webui.languages import choices, for_scripts  # noqa: PLC0415
    from webui.lite.boot import answer, begin  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        app = begin(folder, "localhost", "", sys.stdin.read())
        url = {"search": "", "host": "localhost", "protocol": "http:"}

        def ask(method: str, path: str, body: bytes = b"", language: str = "en") -> bytes:
            headers = {"content-type": "application/json", "accept-language": language}
            status, _, content = answer(app, method, {**url, "pathname": path}, headers, body)
            if status not in (200, 201):
                raise SystemExit(f"{path}: {status} {content.decode()[-500:]}")
            return content

        pages = {language: ask("GET", "/", language=language).decode() for language in choices()}
        for path in ("/matches", "/players"):
            ask("GET", path)
        for game in GAMES:
            ask("GET", f"/rules/{game}")
            begun = json.dumps({"game": game, "names": ["Ada", "Ben"]}).encode()
            match = json.loads(ask("POST", "/api/matches", begun))["id"]
            for page in ("", "/tally", "/history", "/share", "/players", "/rounds"):
                ask("GET", f"/m/{match}{page}")
    modules = sorted(sys.modules)
    sys.meta_path[0] = Refused(NATIVE - {"alembic"})
    from webui.store import migrate  # noqa: PLC0415

    migrate.is_known("none")  # reads each migration
    upgrade = sorted({*sys.modules} - {*modules})
    sentences = {language: for_scripts(HERE / "page", language) for language in choices()}
    print(
        json.dumps({"modules": modules, "upgrade": upgrade, "pages": pages, "sentences": sentences})
    )


if __name__ == "__main__":
    main()
