"""A browser's Python has no compiled packages: the app starts and plays without them."""

import subprocess
import sys

PLAY = """
import sys

from webui.lite.used_modules import Refused

sys.meta_path.insert(0, Refused())

from scorer.games import GAMES
from webui.app import create_app
from webui.pages.eyes_files import EyesFile
from webui.settings import ServerSettings
from webui.store.upgrade import prepare

folder = sys.argv[1]
url = f"sqlite:///{folder}/pipsight.db"
prepare(url)
names = (
    "constants.json", "detector.onnx", "face_classifier.onnx", "kinds.bin", "pair_classifier.onnx",
    "ort-wasm-simd-threaded.wasm",
)
app = create_app(
    url,
    folder + "/photos",
    settings=ServerSettings(compress=False, others=False),
    files=lambda: {name: EyesFile("0", 1, 1) for name in names},
)
phone = app.test_client()

def page(path, words):
    answer = phone.get(path)
    assert answer.status_code == 200, (path, answer.status, answer.text[-900:])
    assert words in answer.text, (path, answer.text[-900:])

page("/", "Start")
for game in GAMES:
    page(f"/?game={game}", "Start")
    page(f"/rules/{game}", "<h1")
given = {"game": "pig", "names": ["Ada", "Ben"], "settings": {"target": 10}}
started = phone.post("/api/matches", json=given)
assert started.status_code == 201, started.text
match, seq = started.json["id"], started.json["seq"]
page(f"/m/{match}", "Ada")
for move in ({"move": "Roll", "pips": 5}, {"move": "Roll", "pips": 6}, {"move": "Hold"}):
    sent = {"after": seq, "moves": [move]}
    answer = phone.post(f"/api/matches/{match}/moves", json=sent)
    assert answer.status_code == 201, answer.text
    page(f"/m/{match}/tally", "Ada")
    seq = answer.json["seq"]
page(f"/m/{match}", "on this phone alone")
page(f"/m/{match}", "Ada wins")
page(f"/m/{match}/history", "Ada")
page(f"/m/{match}/why/0", "11")
page("/matches", "Pig")
page("/players", "Ada")
"""


def test_the_app_starts_and_plays_where_no_native_package_can_be_imported(tmp_path):
    ended = subprocess.run(  # noqa: PLW1510
        [sys.executable, "-c", PLAY, str(tmp_path)], capture_output=True, text=True
    )

    assert ended.returncode == 0, ended.stderr
