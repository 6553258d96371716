"""The models. All take (N, 3, h, w) RGB in [0, 1] and give logits.

`DetectorNet`: (N, CHANNELS, h/4, w/4), see `vision.faces.detector` for what a channel means. A face
has its middle and two complex numbers that no order or turn of its corners can change; four corners
in an order would jump wherever the order does, and be blurred there. `FaceClassifierNet`: (N, 9 +
12): pips 0 to 6, "no face", "a face that looks aside", then the body colours. `PairClassifierNet`:
(N, 1): two faces side by side are one domino. `MarkClassifierNet`: (N, 4): the mark in a cell.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from vision.boards.sheet.marks import APART, HIGH, STATES, WIDE
from vision.faces.classifier import CLASSES, EMBEDDING
from vision.faces.cut_pieces import CELL, DEEP
from vision.faces.detector import CHANNELS
from vision.reading import COLOURS

MEAN, SPREAD = 0.45, 0.25
NEVER = 1e4  # less than any other logit


def _conv(inside: int, out: int, side: int = 3, stride: int = 1, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, out, side, stride, side // 2, groups=groups, bias=False),
        nn.BatchNorm2d(out),
    )


def _step(inside: int, out: int, stride: int = 2) -> nn.Sequential:
    return nn.Sequential(_conv(inside, out, 3, stride), nn.ReLU(True))


class Inverted(nn.Module):
    """Widen, filter each channel, narrow; add what came in where the shape allows."""

    def __init__(self, inside: int, out: int, stride: int = 1, widen: int = 3) -> None:
        super().__init__()
        wide = inside * widen
        self.keeps = stride == 1 and inside == out
        self.body = nn.Sequential(
            _conv(inside, wide, 1), nn.ReLU(True),
            _conv(wide, wide, 3, stride, wide), nn.ReLU(True),
            _conv(wide, out, 1),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        """Return the block's output."""
        y: Tensor = self.body(x)
        return x + y if self.keeps else y


class Blend(nn.Module):
    """Join a coarse map with a finer one."""

    def __init__(self, coarse: int, fine: int, out: int) -> None:
        super().__init__()
        self.coarse, self.fine = _conv(coarse, out, 1), _conv(fine, out, 1)
        self.filter = nn.Sequential(nn.ReLU(True), _conv(out, out, 3, 1, out), nn.ReLU(True))

    def forward(self, coarse: Tensor, fine: Tensor) -> Tensor:
        """Return the joined map at the finer size."""
        up = nn.functional.interpolate(self.coarse(coarse), scale_factor=2.0, mode="nearest")
        y: Tensor = self.filter(up + self.fine(fine))
        return y


class DetectorNet(nn.Module):
    """Inverted residuals down to 1/32, and back up to 1/4."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 16, 3, 2), nn.ReLU(True))
        self.at4 = nn.Sequential(Inverted(16, 28, 2), Inverted(28, 28))
        self.at8 = nn.Sequential(Inverted(28, 44, 2), Inverted(44, 44), Inverted(44, 44))
        self.at16 = nn.Sequential(Inverted(44, 72, 2), Inverted(72, 72), Inverted(72, 72))
        self.at32 = nn.Sequential(Inverted(72, 112, 2), Inverted(112, 112))
        self.to16 = Blend(112, 72, 72)
        self.to8 = Blend(72, 44, 56)
        self.to4 = Blend(56, 28, 48)
        self.head = nn.Sequential(
            Inverted(48, 48, 1, 2),
            _conv(48, 64, 1), nn.ReLU(True),
            nn.Conv2d(64, CHANNELS, 1),
        )  # fmt: skip
        last = self.head[-1]
        assert isinstance(last, nn.Conv2d)
        assert last.bias is not None
        nn.init.normal_(last.weight, std=0.01)
        nn.init.zeros_(last.bias)
        last.bias.data[0] = -4.6  # a cell is a middle once in a hundred

    def forward(self, picture: Tensor) -> Tensor:
        """Return (N, CHANNELS, h/4, w/4)."""
        a = self.at4(self.stem((picture - MEAN) / SPREAD))
        b = self.at8(a)
        c = self.at16(b)
        d = self.to16(self.at32(c), c)
        y: Tensor = self.head(self.to4(self.to8(d, b), a))
        return y


class PairClassifierNet(nn.Module):
    """Plain convolutions on a 32 x 56 crop of two faces; one score: are they one domino?"""

    def __init__(self) -> None:
        super().__init__()

        self.body = nn.Sequential(_step(3, 20), _step(20, 36), _step(36, 56), _step(56, 64, 1))
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(128, 1)

    def forward(self, crops: Tensor) -> Tensor:
        """Return (N, 1)."""
        y = self.body((crops - MEAN) / SPREAD)
        pooled = torch.cat([y.mean(dim=(2, 3)), y.amax(dim=(2, 3))], dim=1)
        score: Tensor = self.head(self.drop(pooled))
        return score


class Residual(nn.Module):
    """Two plain convolutions, added to what came in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(_conv(width, width), nn.ReLU(True), _conv(width, width))

    def forward(self, x: Tensor) -> Tensor:
        """Return the block's output."""
        y: Tensor = nn.functional.relu(x + self.body(x))
        return y


class EdgeClassifierNet(nn.Module):
    """Plain convolutions on a strip along a photo's edge; a score for each place on the edge."""

    def __init__(self) -> None:
        super().__init__()

        self.body = nn.Sequential(_step(4, 16), _step(16, 32), Residual(32), Residual(32))
        self.down = nn.Sequential(
            nn.Conv2d(32, 64, (3, DEEP // CELL), padding=(1, 0)), nn.ReLU(True)
        )
        self.along = nn.Sequential(
            nn.Conv2d(64, 64, (3, 1), padding=(2, 0), dilation=(2, 1)), nn.ReLU(True),
            nn.Dropout(0.1), nn.Conv2d(64, 1, (3, 1), padding=(1, 0)),
        )  # fmt: skip

    def forward(self, strips: Tensor) -> Tensor:
        """Return (N, 1, h/4, 1)."""
        y: Tensor = self.along(self.down(self.body((strips - MEAN) / SPREAD)))
        return y


class FaceClassifierNet(nn.Module):
    """Plain convolutions on a 64 x 64 crop; the mean over places counts, the maximum looks."""

    def __init__(self) -> None:
        super().__init__()

        self.body = nn.Sequential(
            _step(3, 24), _step(24, 36, 1), _step(36, 56), Residual(56), _step(56, 96),
            Residual(96), _step(96, EMBEDDING // 2),
        )  # fmt: skip
        self.drop = nn.Dropout(0.15)
        self.head = nn.Linear(EMBEDDING, CLASSES + len(COLOURS))

    def embeddings(self, crops: Tensor) -> Tensor:
        """Return (N, FEATURES), what the logits are a linear map of."""
        y = self.body((crops - MEAN) / SPREAD)
        return torch.cat([y.mean(dim=(2, 3)), y.amax(dim=(2, 3))], dim=1)

    def forward(self, crops: Tensor) -> Tensor:
        """Return (N, KINDS + colours)."""
        logits: Tensor = self.head(self.drop(self.embeddings(crops)))
        return logits


class MarkClassifierNet(nn.Module):
    """Plain convolutions on a 96 x 56 crop of a cell, then all cells of a sheet look at each other.

    Where on a crop something is seen counts. What a cell alone tells is corrected by what its whole
    sheet tells: how blank cells look there, how this hand checks, where a line goes on.
    """

    def __init__(self) -> None:
        super().__init__()

        self.body = nn.Sequential(
            _conv(3, 16, 5, 2), nn.ReLU(True), _step(16, 36), Residual(36), _step(36, 56),
            _step(56, 56, 1), _conv(56, 24, 1), nn.ReLU(True),
        )  # fmt: skip
        self.places = nn.Linear(24 * (HIGH // 8) * (WIDE // 8), 64)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(64, len(STATES))
        self.sheet = SheetContext(64)

    def forward(self, crops: Tensor, apart: Tensor, possible: Tensor) -> Tensor:
        """Return (N, 4) of the N cells of sheets that have n each.

        Args:
            crops: (N, 3, HIGH, WIDE).
            apart: (N, n), see `vision.boards.sheet.marks.apart`; below 0 where there is no cell.
            possible: (N, 4), 1 for the states that a cell can have.
        """
        y = self.body((crops - MEAN) / SPREAD).flatten(1)
        features = nn.functional.relu(self.places(y))
        alone = self.head(self.drop(features))
        logits: Tensor = alone + self.sheet(features, alone, apart, possible)
        return logits


class SheetContext(nn.Module):
    """Two rounds of attention between the cells of a sheet (Vaswani et al., NIPS 2017).

    Which cell listens to which depends on what they look like and on how they lie to each other.
    All maps are of two dimensions: so exported, `load_onnx_weights` finds them again.
    """

    HEADS, WIDTH, ROUNDS = 4, 64, 2

    def __init__(self, inside: int) -> None:
        super().__init__()
        width = self.WIDTH
        self.enter = nn.Linear(inside + 2 * len(STATES), width)
        self.near = nn.ModuleList(nn.Linear(APART, self.HEADS) for _ in range(self.ROUNDS))
        self.asks = nn.ModuleList(nn.Linear(width, 3 * width) for _ in range(self.ROUNDS))
        self.told = nn.ModuleList(nn.Linear(width, width) for _ in range(self.ROUNDS))
        self.wider = nn.ModuleList(nn.Linear(width, 2 * width) for _ in range(self.ROUNDS))
        self.narrower = nn.ModuleList(nn.Linear(2 * width, width) for _ in range(self.ROUNDS))
        self.leave = nn.Linear(width, len(STATES))
        for last in (*self.told, *self.narrower, self.leave):
            assert isinstance(last, nn.Linear)
            nn.init.normal_(last.weight, std=0.01)
            nn.init.zeros_(last.bias)
        for near in self.near:
            assert isinstance(near, nn.Linear)
            nn.init.normal_(near.weight, std=0.3)

    def forward(self, features: Tensor, alone: Tensor, apart: Tensor, possible: Tensor) -> Tensor:
        """Return (N, 4), what is added to the logits of each cell alone."""
        cells = apart.shape[1]
        there = (apart >= 0).float()
        beside = nn.functional.one_hot(apart.clamp(min=0), APART).float().reshape(-1, APART)
        probs = nn.functional.softmax(alone, dim=1)
        x = self.enter(torch.cat([features, probs, possible], dim=1))
        for k in range(self.ROUNDS):
            lean = self.near[k](beside).reshape(-1, cells, cells, self.HEADS).permute(0, 3, 1, 2)
            lean = lean - NEVER * (1 - there.reshape(-1, 1, cells, cells))
            asks = self.asks[k](_level(x)).reshape(
                -1, cells, 3, self.HEADS, self.WIDTH // self.HEADS
            )
            q, key, value = asks.permute(2, 0, 3, 1, 4).unbind(0)  # each (sheets, heads, n, 16)
            heed = torch.softmax(q @ key.transpose(2, 3) / 4 + lean, dim=3)
            heard = (heed @ value).permute(0, 2, 1, 3).reshape(-1, self.WIDTH)
            x = x + self.told[k](heard)
            x = x + self.narrower[k](
                nn.functional.gelu(self.wider[k](_level(x)), approximate="tanh")
            )
        y: Tensor = self.leave(_level(x))
        return y


def _level(x: Tensor) -> Tensor:
    """Return each row with mean 0 and spread 1."""
    x = x - x.mean(dim=1, keepdim=True)
    return x / torch.sqrt((x * x).mean(dim=1, keepdim=True) + 1e-5)


class FaceClassifierToShip(nn.Module):
    """The classifier with both its outputs."""

    def __init__(self, face_classifier: FaceClassifierNet) -> None:
        super().__init__()
        self.face_classifier = face_classifier

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """Return (N, KINDS + colours) and (N, FEATURES)."""
        embeddings = self.face_classifier.embeddings(crops)
        return self.face_classifier.head(embeddings), embeddings


def load_onnx_weights(net: nn.Module, path: Path, pictures: Tensor, *given: Tensor) -> None:
    """Give *net* the weights of an exported file; layers that came after those stay as they are.

    Args:
        net: a network of the class that was exported.
        path: the ONNX file.
        pictures: (N, 3, h, w) samples, the more the better measured; 64 are plenty.
        given: what the network takes besides.

    Raises:
        ValueError: the file is of another network.
    """
    layers = list(_in_order(net, pictures, *given))
    stored = list(_weights(path))
    shapes = [tuple(layer.weight.shape) for layer, _ in layers]
    if not stored or shapes[: len(stored)] != [weight.shape for weight, _ in stored]:
        raise ValueError(f"{path.name} does not hold the weights of {type(net).__name__}")
    hooks = []
    for (layer, norm), (weight, bias) in zip(layers, stored, strict=False):
        layer.weight.data.copy_(torch.from_numpy(weight.copy()))
        if norm is None:
            assert layer.bias is not None
            layer.bias.data.copy_(torch.from_numpy(bias.copy()))
        else:
            hooks.append(
                norm.register_forward_pre_hook(
                    _measured(torch.from_numpy(bias.copy()).to(pictures.device))
                )
            )
    with torch.no_grad():
        net.train()(pictures, *given)
    for hook in hooks:
        hook.remove()


def _measured(bias: Tensor) -> Callable[[nn.BatchNorm2d, tuple[Tensor]], None]:
    def set_norm(norm: nn.BatchNorm2d, given: tuple[Tensor]) -> None:
        assert norm.running_mean is not None
        assert norm.running_var is not None
        var, mean = torch.var_mean(given[0], dim=(0, 2, 3), correction=0)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(var)
        norm.weight.data.copy_(torch.sqrt(var + norm.eps))
        norm.bias.data.copy_(mean + bias)

    return set_norm


Layer: TypeAlias = nn.Conv2d | nn.Linear


def _in_order(
    net: nn.Module, picture: Tensor, *given: Tensor
) -> Iterator[tuple[Layer, nn.BatchNorm2d | None]]:
    """Yield the layers with weights as they run, each with the normalisation that follows it."""
    ran: list[nn.Module] = []
    hooks = [
        module.register_forward_hook(lambda module, _given, _out: ran.append(module))
        for module in net.modules()
        if isinstance(module, nn.Conv2d | nn.Linear | nn.BatchNorm2d)
    ]
    with torch.no_grad():
        net.eval()(picture, *given)
    for hook in hooks:
        hook.remove()
    for module, after in zip(ran, [*ran[1:], None], strict=True):
        if isinstance(module, nn.Conv2d | nn.Linear):
            yield module, after if isinstance(after, nn.BatchNorm2d) else None


def _weights(path: Path) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield weight and bias of each convolution and linear map, as they run.

    Where `quantize` has made whole numbers of them, what these stand for.
    """
    graph = onnx.load(str(path)).graph
    kept = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in kept:
            kept[node.output[0]] = _in_floats(*(kept[name] for name in node.input))
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            yield kept[node.input[1]], kept[node.input[2]]


def _in_floats(whole: np.ndarray, scale: np.ndarray, zero: np.ndarray) -> np.ndarray:
    """Return what whole numbers with one scale, or one for each output channel, stand for."""
    per_channel = (-1, *(1,) * (whole.ndim - 1)) if scale.ndim else ()
    scale, zero = scale.reshape(per_channel), zero.reshape(per_channel)
    floats = (whole.astype(np.float32) - zero.astype(np.float32)) * scale
    return np.asarray(floats, np.float32)
