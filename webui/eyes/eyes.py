"""What looks for a server: the functions that read photos, learn from them and watch tables."""

from collections.abc import Callable
from dataclasses import dataclass

from scorer import Equipment
from webui.eyes import lessons, photo
from webui.eyes.lessons import Learn, LearnBoard
from webui.eyes.photo import FitWhole, See
from webui.eyes.watch import FrameReader


def watched_table() -> FrameReader:
    """Open a table that this process watches."""
    from webui.eyes.watched_table import WatchedTable

    return WatchedTable()


def everything(_wanted: Equipment) -> bool:
    """Return True: a photo of it is read."""
    return True


@dataclass(frozen=True, slots=True)
class Eyes:
    """The functions that look; the defaults look in the process that calls them."""

    see: See = photo.see
    fit: FitWhole = photo.fit  # joins a photo to a part of it
    learn: Learn = lessons.learn
    learn_board: LearnBoard = lessons.learn_board
    watch: Callable[[], FrameReader] = watched_table  # opens a table for a camera
    learns: bool = True  # `learn`, `learn_board` and `watch` do so: pages offer them
    reads: Callable[[Equipment], bool] = everything  # pages offer a photo of what it reads


OWN = Eyes()
