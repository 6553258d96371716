"""`make icons` draws every icon of the installed page from the one drawing."""

import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from tests.tools import icons

pytestmark = pytest.mark.browser


def test_each_icon_is_drawn_in_its_size(tmp_path, monkeypatch):
    shutil.copy(icons.FOLDER / "favicon.svg", tmp_path)
    monkeypatch.setattr(icons, "FOLDER", tmp_path)

    with ThreadPoolExecutor(1) as apart:  # this thread may have a browser already
        apart.submit(icons.main).result()

    sides = {name: Image.open(tmp_path / name).size for name in icons.ICONS}
    assert sides == {name: (side, side) for name, (side, _share) in icons.ICONS.items()}
