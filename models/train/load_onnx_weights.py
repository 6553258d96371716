"""Take up a shipped network again where no checkpoint is left: weights out of its ONNX file.

The exporter folds each batch normalisation into the convolution before it: y = W x + b. Here every
convolution gets W back, and its normalisation is set so that in training, where it divides by what
it measures, the same y comes out: scale = sqrt(var), shift = mean + b, with mean and var of W x
measured on the pictures the training begins with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


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
