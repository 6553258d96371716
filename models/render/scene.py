"""What the path tracer sees, whatever lies there: bodies, lamps and the camera."""

from __future__ import annotations

from dataclasses import dataclass

from models.render.camera import Camera
from models.render.light import Lamp
from models.render.solid import Solid


@dataclass(frozen=True, slots=True, eq=False)
class RenderedScene:
    """One table under one light, seen by one camera."""

    seed: int
    solids: tuple[Solid, ...]
    lamps: tuple[Lamp, ...]
    ambient: float  # the room's light against a lamp's
    camera: Camera
    dim: bool
