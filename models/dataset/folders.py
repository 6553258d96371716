"""Folders of annotated pictures: photo sets, drawn pictures, and which of them networks learn from.

A photo set is a folder with `labels.json` and `images/`; a drawn one holds pictures, each with a
truth file of the same name beside it.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np

from models.dataset.annotation import (
    SEEN,
    AnnotatedFace,
    AnnotatedImage,
    AnnotatedTile,
    Dataset,
    PointPx,
)
from models.harness import NothingToMeasure
from vision import Look
from vision.geometry import Floats

# Photos whose labels leave out dice that are plainly there.
INCOMPLETE = frozenset({
    "57iAfEeq46YERKcU29LF_jpg.rf.6b9179132ff0845ee0ec9082fbf757b8.jpg",  # a heap at its upper edge
})  # fmt: skip


def parse_photo(path: Path, entry: dict[str, Any]) -> AnnotatedImage:
    """Return what an entry of `labels.json` says of one photo."""
    tiles = tuple(map(_tile, entry.get("tiles", [])))
    return AnnotatedImage(
        path,
        tuple(map(_face, entry.get("dice", []))),  # on sheets and puzzles none lie, and that counts
        tiles if tiles or "dice" in entry else None,
        complete=entry.get("complete", True) and path.name not in INCOMPLETE,
        is_photo=True,
        dataset=path.parent.parent.name,
    )


def parse_drawn(path: Path, truth: dict[str, Any]) -> AnnotatedImage:
    """Return what the truth file of a drawn picture says."""
    tiles = truth.get("tiles") or []
    face_down = [tile["quad"] for tile in tiles if not _shows(tile)]
    return AnnotatedImage(
        path,
        tuple(map(_face, truth["dice"])),
        tuple(_tile(tile) for tile in tiles if _shows(tile)),
        ignored=(*_quads(truth.get("ignore", [])), *_quads(face_down)),
        board=truth["board"]["name"] if truth.get("board") else None,
        sides=_quads(truth["sides"]) if "sides" in truth else None,
        decoys=(*_quads(truth.get("decoys", [])), *_cells(truth), *_mistakes(path)),
        objects=_quads(truth.get("objects", [])),
        dataset=path.parent.name,
    )


def mistakes_of(path: Path) -> Path:
    """Return the file beside a drawn picture with quads that the detector takes for faces."""
    return path.with_suffix(".mistakes")


def _face(entry: dict[str, Any], partner: PointPx | None = None) -> AnnotatedFace:
    value, cell = entry.get("value"), entry.get("cell")
    return AnnotatedFace(
        _quad(entry),
        None if value is None else int(value),
        entry.get("color"),
        float(entry.get("visible", 1.0)),
        is_legible=not entry.get("ignore") and value is not None,
        cell=(cell[0], cell[1]) if cell else None,
        partner=partner,
    )


def _shows(tile: dict[str, Any]) -> bool:
    """Return True if a tile lies with its pips up."""
    return len(tile.get("faces", tile.get("half_centers", []))) == 2


def _tile(entry: dict[str, Any]) -> AnnotatedTile:
    if "half_centers" in entry:
        p, q = entry["half_centers"]
        a, b = entry["halves"]
        return AnnotatedTile((a, b), (_spot(p), _spot(q)))
    first, second = entry["faces"]
    p, q = _spot(first["center"]), _spot(second["center"])
    has_quads = "quad" in first and "quad" in second
    return AnnotatedTile(
        (first["value"], second["value"]),
        (p, q),
        is_seen=all(
            face.get("visible", 1.0) >= SEEN and not face.get("ignore") for face in (first, second)
        ),
        faces=(_face(first, q), _face(second, p)) if has_quads else (),
    )


def _spot(point: list[float]) -> PointPx:
    return point[0], point[1]


def _quad(entry: dict[str, Any]) -> Floats:
    """Return the labelled corners, or those of a box."""
    if "quad" in entry:
        return np.array(entry["quad"], np.float64)
    x0, y0, x1, y1 = entry["box"]
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64)


def _quads(entries: list[Any]) -> tuple[Floats, ...]:
    """Return quads labelled as four corners, or as an object with them."""
    return tuple(
        np.array(one["quad"] if isinstance(one, dict) else one, np.float64) for one in entries
    )


def _mistakes(path: Path) -> tuple[Floats, ...]:
    """Return what the detector takes for faces on a picture, where that was written down."""
    file = mistakes_of(path)
    return _quads(json.loads(file.read_text())) if file.exists() else ()


def _cells(truth: dict[str, Any]) -> list[Floats]:
    """Return the printed cells of a board on the picture; its pieces are labelled elsewhere."""
    board = truth.get("board")
    if not board or not board["corners"]:
        return []
    rows, columns = map(int, board["name"].partition(":")[2].split("x"))
    unit = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    to_px = cv2.getPerspectiveTransform(unit, np.array(board["corners"], np.float32))
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    places = [(x + u, y + v) for y in range(rows) for x in range(columns) for u, v in square]
    cells = cv2.perspectiveTransform(np.array(places)[:, None], to_px).reshape(-1, 4, 2)
    inside = ((cells > 0) & (cells < (truth["width"], truth["height"]))).all(axis=(1, 2))
    return list(cells[inside].astype(np.float64))


TRAINING = "train"  # the folder whose sets networks learn from, but for the photos held back
CROP_SETS = ("dice-chase",)  # of PHOTOS/../crops: a folder a value, each crop shows one die
# Whole photographers judge what is learned: their photos teach nothing but how much to doubt.
STRANGERS = (
    *("dice-kamil", "dice-matteo", "dice-fisheye", "dice-pair"),
    *("domino-jjmlovesgit", "domino-tak1edd1ne_roboflow", "no-polyhedra"),
)
STRANGE = 3  # of a set gathered from many repositories one in 3 judges too, by its name
HELD_BACK = 5  # one photo in 5 is kept for calibration and never trained on


def is_held_back(name: str) -> bool:
    """Return True if a photo is kept out of training; by its name, so for ever."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % HELD_BACK == 0


def is_strange(dataset: str, entry: Mapping[str, Any]) -> bool:
    """Return True if a photo, by its set and its entry there, is of a stranger who only judges."""
    if dataset in STRANGERS or "repo" not in entry:
        return dataset in STRANGERS
    return int(hashlib.sha256(entry["repo"].encode()).hexdigest(), 16) % STRANGE == 0


def strangers_under(photos: Path) -> Iterator[Dataset]:
    """Yield the strangers' photos of every set in a folder of sets for training, by set."""
    for folder in photo_sets(photos):
        entries = [one for one in _entries(folder) if is_strange(folder.name, one)]
        if entries:
            images = tuple(_photo(folder, one) for one in entries)
            look = Look("dominoes" if any(image.tiles for image in images) else "dice")
            yield Dataset(folder.name, look, images)


def photo_images(folder: Path, *, held_back: bool, tiles: bool = False) -> list[AnnotatedImage]:
    """Return a set's completely labelled photos that are held back, or those that are not.

    Those of dominoes, whose halves have no quads, only where *tiles* are asked for.
    """
    entries = (one for one in _entries(folder) if not is_strange(folder.name, one))
    photos = (_photo(folder, entry) for entry in entries if tiles or not entry.get("tiles"))
    return [p for p in photos if is_held_back(p.path.name) == held_back and p.complete]


def photo_sets(photos: Path) -> list[Path]:
    """Return the sets in a folder; an own table's export is one by itself, or one of them."""
    files = (photos.resolve().glob(within) for within in ("labels.json", "*/labels.json"))
    return sorted(labels.parent for found in files for labels in found)


def crop_images(folder: Path, *, held_back: bool) -> list[AnnotatedImage]:
    """Return a set's crops of one die each, which lie in folders by value, as photos with a box."""
    paths = sorted(path for path in folder.glob("[1-6]/*") if is_held_back(path.name) == held_back)
    return [
        AnnotatedImage(path, (_cropped(path),), is_photo=True, dataset=folder.name)
        for path in paths
    ]


def _cropped(path: Path) -> AnnotatedFace:
    bgr = cv2.imread(str(path))
    assert bgr is not None, path
    height, width = bgr.shape[:2]
    box = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    return AnnotatedFace(box, int(path.parent.name))


def training_photos(photos: Path, *, held_back: bool) -> Iterator[AnnotatedImage]:
    """Yield the photos of every set for training, and the crops beside them."""
    for folder in photo_sets(photos):
        yield from photo_images(folder, held_back=held_back)
    for name in CROP_SETS:
        yield from crop_images(photos.parent / "crops" / name, held_back=held_back)


def photos_by_set(photos: Path) -> dict[str, list[AnnotatedImage]]:
    """Return the photos that networks learn from, by set."""
    by_set: dict[str, list[AnnotatedImage]] = {}
    for shot in training_photos(photos, held_back=False):
        by_set.setdefault(shot.dataset, []).append(shot)
    return by_set


def drawn_images(folder: Path) -> list[AnnotatedImage]:
    """Return the labelled pictures of a folder.

    Raises:
        FileNotFoundError: not one of them is there; the folder was moved, or its photos were.
    """
    images, missing = [], 0
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        if not isinstance(truth, dict) or "dice" not in truth:
            continue
        if (folder / truth["file"]).exists():
            images.append(parse_drawn(folder / truth["file"], truth))
        else:
            missing += 1
    if missing and not images:
        raise FileNotFoundError(f"{folder} tells of {missing} pictures, and none of them is there")
    return images


def drawn_group(folder: Path) -> list[AnnotatedImage]:
    """Return the pictures of a folder and of those in it, such as a table's kinds, as one group."""
    inner = sorted(entry for entry in folder.glob("*") if entry.is_dir())
    return [image for path in (folder, *inner) for image in drawn_images(path)]


def choose_image(
    rng: np.random.Generator, groups: Sequence[Sequence[AnnotatedImage]]
) -> AnnotatedImage:
    """Choose a picture; of a large group more often than of a small one, by its root."""
    probs = np.sqrt([len(images) for images in groups])
    images = groups[int(rng.choice(len(groups), p=probs / probs.sum()))]
    return images[int(rng.integers(len(images)))]


def datasets_under(folder: Path, *, all_photos: bool = False) -> Iterator[Dataset]:
    """Yield the set that a folder is, or the sets in it by name.

    Args:
        folder: a set, or a folder of sets.
        all_photos: also the training photos that networks have learned from.

    Raises:
        ValueError: there is no set, or the pictures of one are gone.
    """
    folder = folder.resolve()
    inner = sorted(entry for entry in folder.glob("*") if entry.is_dir())
    try:
        datasets = (_dataset(path, all_photos) for path in (folder, *inner))
        found = [dataset for dataset in datasets if dataset is not None]
    except FileNotFoundError as error:
        raise ValueError(str(error)) from error
    if not found:
        raise ValueError(f"{folder} holds neither labels.json nor pictures with their truth")
    yield from found


def _dataset(folder: Path, all_photos: bool) -> Dataset | None:
    if (folder / "labels.json").exists():
        return _photo_set(folder, all_photos)
    images = tuple(drawn_images(folder))
    return Dataset(folder.name, _look(images), images, synthetic=True) if images else None


def _photo_set(folder: Path, all_photos: bool) -> Dataset:
    photos = [_photo(folder, entry) for entry in _entries(folder)]
    look = Look("dominoes" if any(photo.tiles for photo in photos) else "dice")
    if folder.parent.name == TRAINING and not all_photos:
        photos = [photo for photo in photos if is_held_back(photo.path.name)]
    return Dataset(folder.name, look, tuple(photos))


def _entries(folder: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads((folder / "labels.json").read_text())["images"]
    return entries


def _photo(folder: Path, entry: dict[str, Any]) -> AnnotatedImage:
    return parse_photo(folder / "images" / entry["file"], entry)


def _look(images: Sequence[AnnotatedImage]) -> Look:
    """Return what to look for on drawn pictures; on a board as many dice as it has cells."""
    boards = {image.board for image in images}
    if len(boards) == 1 and (board := boards.pop()):
        look = Look.parse(board)
        rows, columns = look.grid or (0, 0)
        return replace(look, count=rows * columns)  # full or not
    has_dice, has_tiles = any(i.dice for i in images), any(i.tiles for i in images)
    if has_dice and has_tiles:
        return Look("auto")
    return Look("dominoes" if has_tiles else "dice")


Photos = Annotated[list[Path], "a labelled set, or a folder of them"]
SetNames = Annotated[Sequence[str], 'of sets, such as "dice-*"']
Strangers = Annotated[bool, "only photographers who only judge"]


def chosen(
    photos: Sequence[Path],
    names: Sequence[str],
    *,
    all_photos: bool = False,
    strangers: bool = False,
) -> list[Dataset]:
    """Return the sets in these folders that go by one of the names; a "*" is any text.

    Of folders of sets for training those photos that networks have not learned from, all photos,
    or only those of *strangers*.

    Raises:
        NothingToMeasure: a folder holds no set, or none is to be measured.
    """
    of = strangers_under if strangers else partial(datasets_under, all_photos=all_photos)
    try:
        sets = [one for path in photos for one in of(path)]
    except ValueError as fault:
        raise NothingToMeasure(str(fault)) from fault
    found = [one for one in sets if any(fnmatch(one.name, name) for name in names)]
    if not found:
        where = ", ".join(map(str, photos))
        raise NothingToMeasure(f"No set to measure in {where} is called {' or '.join(names)}.")
    return found
