"""What the trainings share: the loop, learning rate, averaged weights, checkpoints, a log."""

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import get_ema_multi_avg_fn
from torch.utils.data import DataLoader, IterableDataset

from models.train.nets import load_onnx_weights
from models.train.origin import sha256_of

WARM_UP = 150  # steps
SLOWEST = 0.998  # of the average: weights of the last 500 steps count
# Share of a course after which batch normalisation keeps its means: otherwise a channel that hardly
# any picture excites gets a large gain.
SETTLED = 0.95
LOUDEST = 12.0  # times the median gain of its layer that a channel may have in a network that runs


def device() -> torch.device:
    """Return the accelerator if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def rate(step: int, steps: int, most: float) -> float:
    """Return the learning rate: up in a line, down in half a cosine."""
    up = min(1.0, (step + 1) / WARM_UP)
    return most * up * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps))))


Parts = dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class Training:
    """What one network is trained on, and how.

    `net` makes it. `batches` gives tensors without end, from the steps done so far on; the first
    is (N, h, w, 3) RGB bytes; the next `given` ones go to the network with it. `parts` takes the
    network's logits, the rest of a batch and the share of the course that is done, and returns the
    parts of the loss and what else the log should say.
    """

    net: Callable[[], nn.Module]
    batches: Callable[[int], Iterable[list[Tensor]]]
    parts: Callable[[Tensor, list[Tensor], float], tuple[Parts, Parts]]
    most: float  # learning rate
    decay: float  # of the weights
    given: int = 0  # tensors that the network takes besides the pictures
    rough: bool = False  # half the precision will do where the processor is faster at it
    again: float = 0.6  # of the learning rate, for a network that has learned before


class Trainer:
    """The state of one training in a folder: a checkpoint, a log and the averaged weights."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.checkpoint, self.log = folder / "checkpoint.pt", folder / "log.jsonl"
        self.mean: dict[str, Tensor] = {}

    def train(
        self, training: Training, *, seed: int, steps: int, shipped_models: Path | None = None
    ) -> None:
        """Train to *steps*: from the last checkpoint, a shipped file or nothing."""
        torch.manual_seed(seed)
        where = device()
        net = training.net().to(where).to(memory_format=torch.channels_last)
        optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=training.decay)
        done = self.resume(net, optimizer)
        most = training.most * (training.again if shipped_models else 1.0)
        # Whether this processor multiplies bfloat16 faster than float (1.7 times by AVX-512).
        is_fast = torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported()
        rough = training.rough and where.type == "cpu" and is_fast
        log = Log(self.log)
        for step, candidates in enumerate(training.batches(done), done):
            if step >= steps:
                break
            if step >= SETTLED * steps:
                _freeze_norms(net)
            for group in optimizer.param_groups:
                group["lr"] = rate(step, steps, most)
            first, *rest = (t.to(where) for t in candidates)
            pictures, given, truth = (
                as_pictures(first),
                rest[: training.given],
                rest[training.given :],
            )
            if step == 0 and shipped_models:
                load_onnx_weights(net, shipped_models, pictures, *given)
                net.train()
            if step == 0:
                log.begin(seed, shipped_models)
            with torch.autocast("cpu", torch.bfloat16, enabled=rough):
                logits = net(pictures, *given).float()
            parts, measures = training.parts(logits, truth, step / steps)
            total = torch.stack(list(parts.values())).sum()
            optimizer.zero_grad()
            total.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 10.0)
            optimizer.step()
            self.average(net, step)
            log.add(step, parts | measures)
            if step % 100 == 99:
                self.save(net, optimizer, step + 1)
        log.write_rest(steps)
        self.save(net, optimizer, max(done, steps))

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
        state = net.state_dict()
        if not self.mean:
            self.mean = {name: now.clone() for name, now in state.items()}
        floats = [name for name, now in state.items() if now.is_floating_point()]
        means, nows = ([tensors[name] for name in floats] for tensors in (self.mean, state))
        get_ema_multi_avg_fn(keep)(means, nows, step)

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
        clamp_bn_gain(net)
        return net.eval(), int(kept["step"])


def clamp_bn_gain(net: nn.Module) -> None:
    """Keep channels that hardly ever speak from shouting when they do.

    Where a channel is the same on nearly every batch, batch normalisation divides by next to
    nothing. In training the rare batch on which it does speak is divided by its own spread; when
    the network runs, one odd picture made such a channel thousands of times louder than all others
    (a checked cloth, seen as a die larger than the photo). What it says elsewhere stays the same.
    """
    for norm in net.modules():
        if isinstance(norm, nn.BatchNorm2d):
            assert norm.running_var is not None
            gain = norm.weight.detach().abs()
            most = LOUDEST * float((gain / torch.sqrt(norm.running_var + norm.eps)).median())
            norm.running_var.clamp_(min=(gain / max(most, norm.eps)) ** 2 - norm.eps)


Arrays = tuple[np.ndarray, ...]


class Endless(IterableDataset[Arrays]):
    """What *draw* yields without end; each worker draws others.

    They go by *seed* and the step *start* at which the training resumes.
    """

    def __init__(
        self, draw: Callable[[np.random.Generator], Iterator[Arrays]], seed: int, start: int
    ) -> None:
        super().__init__()
        self.draw, self.seed, self.start = draw, seed, start

    def __iter__(self) -> Iterator[Arrays]:
        """Yield what is drawn."""
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        yield from self.draw(np.random.default_rng([self.seed, self.start, info.id if info else 0]))


def loaded(samples: Endless, batch: int | None, workers: int) -> Iterable[list[Tensor]]:
    """Return an endless loader of *samples*, drawn by *workers* processes.

    They are started afresh: copies of a process whose threads have read photos would wait for ever
    for locks that those threads held.
    """
    own = {
        "num_workers": workers, "multiprocessing_context": "spawn",
        "persistent_workers": True, "prefetch_factor": 4,
    }  # fmt: skip
    batches: Iterable[list[Tensor]] = DataLoader(
        samples, batch_size=batch, **(own if workers else {})
    )
    return batches


def _freeze_norms(net: nn.Module) -> None:
    for layer in net.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.eval()


def as_pictures(pixels: Tensor) -> Tensor:
    """Return (N, h, w, 3) bytes as networks take them: (N, 3, h, w) in [0, 1]."""
    scaled = pixels.permute(0, 3, 1, 2).float() / 255
    return scaled.contiguous(memory_format=torch.channels_last)


class Log:
    """Means of the loss over fifty steps and the seconds they took, one JSON object a line."""

    EVERY = 50

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sums: dict[str, Tensor] = {}
        self.count = 0
        self.since = time.monotonic()

    def begin(self, seed: int, shipped_models: Path | None) -> None:
        """Write down the seed, and which network is taken up if one is."""
        taken = {"from": sha256_of(shipped_models)} if shipped_models else {}
        self._write({"step": 0, "seconds": 0.0, "seed": seed, **taken})

    def interpolated(self, share: float) -> None:
        """Write down how much of what was trained is in the mean with what it began with."""
        self._write({"mixed": share})

    def _write(self, line: Mapping[str, float | str]) -> None:
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def add(self, step: int, parts: dict[str, Tensor]) -> None:
        """Count one step; write a line now and then."""
        self.count += 1
        for name, part in parts.items():
            self.sums[name] = self.sums.get(name, torch.zeros(())) + part.detach()
        if (step + 1) % self.EVERY == 0:
            self.write_rest(step + 1)

    def write_rest(self, step: int) -> None:
        """Write down the means since the last line, if there is anything."""
        if self.count:
            clock = time.monotonic()
            means = {name: round(float(total) / self.count, 4) for name, total in self.sums.items()}
            self._write({"step": step, "seconds": round(clock - self.since, 1)} | means)
            self.sums, self.count, self.since = {}, 0, clock
