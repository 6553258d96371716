"""From checkpoints to ONNX files; these in whole numbers, and between those of two folders."""

import tempfile
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from models.train.nets import (
    DetectorNet,
    EdgeClassifierNet,
    FaceClassifierNet,
    FaceClassifierToShip,
    MarkClassifierNet,
    PairClassifierNet,
)
from models.train.trainer import Trainer
from vision.boards.sheet.marks import HIGH, STATES, WIDE
from vision.dominoes.pair_classifier import HEIGHT, WIDTH
from vision.faces.classifier import SIDE, as_input
from vision.faces.cut_pieces import DEEP
from vision.models import quantization
from vision.photo import Pixels

OPSET = 17


@dataclass(frozen=True, slots=True)
class NetworkFile:
    """How one network is exported: by what it is given."""

    net: type[nn.Module]
    picture: tuple[int, ...]  # shape of a sample of pictures
    free: dict[int, str]  # which of these sides may be of any size


NETWORKS = {
    "detector": NetworkFile(DetectorNet, (1, 3, 64, 96), {0: "n", 2: "h", 3: "w"}),
    "face_classifier": NetworkFile(FaceClassifierNet, (2, 3, SIDE, SIDE), {0: "n"}),
    "pair_classifier": NetworkFile(PairClassifierNet, (2, 3, HEIGHT, WIDTH), {0: "n"}),
    "mark_classifier": NetworkFile(MarkClassifierNet, (60, 3, HIGH, WIDE), {0: "n"}),
    "edge_classifier": NetworkFile(EdgeClassifierNet, (1, 4, 64, DEEP), {0: "n", 2: "h"}),
}


def export(name: str, trainer: Trainer, path: Path) -> int:
    """Write one of NETWORKS; return the steps it was trained for."""
    file = NETWORKS[name]
    net, steps = trainer.averaged(file.net())
    outputs, given, free = ["logits"], dict[str, Tensor](), dict[str, dict[int, str]]()
    if isinstance(net, FaceClassifierNet):
        net, outputs = FaceClassifierToShip(net).eval(), ["logits", "embeddings"]
    if isinstance(net, MarkClassifierNet):
        given = {"apart": torch.zeros(60, 60, dtype=torch.int64)}
        given["possible"] = torch.zeros(60, len(STATES))
        free = {"apart": {0: "n", 1: "n"}, "possible": {0: "n"}}
    _write(net, torch.zeros(file.picture), path, outputs, file.free, given, free)
    return steps


def _write(
    net: nn.Module,
    picture: Tensor,
    path: Path,
    outputs: list[str],
    free: dict[int, str],
    given: Mapping[str, Tensor],
    given_free: Mapping[str, dict[int, str]],
) -> None:
    with warnings.catch_warnings():
        # This exporter is deprecated; it needs nothing but torch and repeats itself to the byte.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (picture, *given.values()), str(path), opset_version=OPSET, dynamo=False,
            input_names=["picture", *given], output_names=outputs,
            dynamic_axes={**dict.fromkeys(["picture", *outputs], free), **given_free},
        )  # fmt: skip


AT_ONCE = 64  # crops


class _Crops:
    """Crops that tell the ranges of a network's maps, as the library's `CalibrationDataReader`."""

    def __init__(self, crops: Pixels) -> None:
        self.parts: Iterator[Pixels] = iter(np.split(crops, range(AT_ONCE, len(crops), AT_ONCE)))

    def get_next(self) -> dict[str, np.ndarray] | None:
        """Return the next input of the network, or None after the last."""
        part = next(self.parts, None)
        return None if part is None else {"picture": as_input(part)}


def quantize(path: Path, crops: Pixels) -> None:
    """Give the convolutions of an ONNX file whole numbers, but for the first two and the last one.

    The first ones lose most: without them the face classifier's logits are off by 0.04 in the root
    mean square, with them by 0.08, and doubt would have to be fitted anew. Features come from the
    last map: in whole numbers they would be too coarse to learn from. (The detector is no faster
    so, and the mark classifier is mistaken in 4 % more cells.)

    Args:
        path: of the network; written anew, the same bytes for the same crops.
        crops: (n, h, w, 3) BGR, such as it will see.
    """
    library = quantization()
    convolutions = [node.name for node in onnx.load(path).graph.node if node.op_type == "Conv"]
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / path.name
        library.quantize_static(
            *(path, whole, _Crops(crops)),
            per_channel=True, reduce_range=True,
            activation_type=library.QuantType.QUInt8,  # with these weights the quickest
            weight_type=library.QuantType.QInt8,
            op_types_to_quantize=["Conv", "Add", "Relu"],
            nodes_to_exclude=[*convolutions[:2], *convolutions[-1:]],
        )  # fmt: skip
        path.write_bytes(whole.read_bytes())


def interpolate_weights(before: Path, after: Path, out: Path, share: float) -> None:
    """Write a network whose weights lie between those of two files.

    Args:
        before: the ONNX file that a training took up.
        after: the one that came of it.
        out: where to write.
        share: of *after*, from 0 to 1.

    Raises:
        ValueError: they are not of one make.
    """
    first, second = (onnx.load(str(path)) for path in (before, after))
    pairs = list(zip(first.graph.initializer, second.graph.initializer, strict=True))
    for weights, other in pairs:
        a, b = numpy_helper.to_array(weights), numpy_helper.to_array(other)
        if weights.name != other.name or a.shape != b.shape:
            raise ValueError(f"{before.name} and {after.name} are not networks of one make")
        if a.dtype == np.float32:
            mean = ((1 - share) * a + share * b).astype(np.float32)
            weights.CopyFrom(numpy_helper.from_array(mean, weights.name))
    onnx.save(first, str(out))
