"""What the trainings share: device, learning rate, averaged weights, checkpoints, a log."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path

import torch
from torch import Tensor, nn

WARM_UP = 150  # steps
SLOWEST = 0.998  # of the average: weights of the last 500 steps count


def device() -> torch.device:
    """Return the accelerator if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def rate(step: int, steps: int, most: float) -> float:
    """Return the learning rate: up in a line, down in half a cosine."""
    up = min(1.0, (step + 1) / WARM_UP)
    return most * up * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps))))


class Course:
    """The state of one training in a folder: a checkpoint, a log and the averaged weights."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.checkpoint, self.log = folder / "checkpoint.pt", folder / "log.jsonl"
        self.mean: dict[str, Tensor] = {}

    def resume(self, net: nn.Module, optimizer: torch.optim.Optimizer) -> int:
        """Load the checkpoint if there is one; return the steps done."""
        if not self.checkpoint.exists():
            return 0
        kept = torch.load(self.checkpoint, map_location="cpu", weights_only=True)
        net.load_state_dict(kept["net"])
        optimizer.load_state_dict(kept["optimizer"])
        self.mean = {name: t.to(next(net.parameters()).device) for name, t in kept["mean"].items()}
        return int(kept["step"])

    def average(self, net: nn.Module, step: int) -> None:
        """Move the averaged weights towards the net's."""
        keep = min(SLOWEST, (step + 1) / (step + 10))
        for name, now in net.state_dict().items():
            if name not in self.mean or not now.is_floating_point():
                self.mean[name] = now.detach().clone()
            else:
                self.mean[name].lerp_(now.detach(), 1 - keep)

    def save(self, net: nn.Module, optimizer: torch.optim.Optimizer, step: int) -> None:
        """Write the checkpoint; a stop in between leaves the last one whole."""
        partial = self.checkpoint.with_suffix(".partial")
        state = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "mean": self.mean}
        torch.save(state | {"step": step}, partial)
        partial.replace(self.checkpoint)

    def averaged(self, net: nn.Module) -> tuple[nn.Module, int]:
        """Return *net* with the averaged weights of the checkpoint, ready to run, and its steps."""
        kept = torch.load(self.checkpoint, map_location="cpu", weights_only=True)
        net.load_state_dict(kept["mean"])
        return net.eval(), int(kept["step"])


class Log:
    """Means of the loss over fifty steps and the seconds they took, one JSON object a line."""

    EVERY = 50

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sums: dict[str, float] = {}
        self.count = 0
        self.since = time.monotonic()

    def add(self, step: int, parts: dict[str, Tensor]) -> None:
        """Count one step; write a line now and then."""
        self.count += 1
        for name, part in parts.items():
            self.sums[name] = self.sums.get(name, 0.0) + float(part.detach())
        if (step + 1) % self.EVERY == 0:
            now = time.monotonic()
            means = {name: round(total / self.count, 4) for name, total in self.sums.items()}
            line = {"step": step + 1, "seconds": round(now - self.since, 1)} | means
            with self.path.open("a") as file:
                file.write(json.dumps(line) + "\n")
            self.sums, self.count, self.since = {}, 0, now
