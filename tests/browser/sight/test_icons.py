"""`make icons` draws every icon of the installed page from the one drawing."""

import shutil
import subprocess
import sys

import pytest
from PIL import Image

from tests import ROOT
from tests.tools import icons

pytestmark = pytest.mark.browser

# A process of its own: that of the tests may have a browser already.
DRAW = (
    "from pathlib import Path; from tests.tools import icons; "
    "icons.FOLDER = Path({folder!r}); icons.main()"
)


@pytest.mark.release
def test_each_icon_is_drawn_in_its_size(tmp_path):
    shutil.copy(icons.FOLDER / "favicon.svg", tmp_path)

    command = [sys.executable, "-c", DRAW.format(folder=str(tmp_path))]
    subprocess.run(command, cwd=ROOT, check=True)

    sides = {name: size_of(tmp_path / name) for name in icons.ICONS}
    assert sides == {name: (side, side) for name, (side, _share) in icons.ICONS.items()}


def size_of(path):
    with Image.open(path) as icon:
        return icon.size
