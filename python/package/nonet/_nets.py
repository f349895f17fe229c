"""Nets as safetensors files, which PyTorch and others read; no package is needed for them."""

from __future__ import annotations

import json
import os
import struct
import tempfile
from pathlib import Path
from typing import Any, Union

import numpy as np

from ._nonet import Net

_WORDS = ("hidden", "output")

#: What a file of another kind raises; ``ValueError`` includes text that is not UTF-8.
_WRONG = (
    struct.error,
    AttributeError,
    KeyError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
)


def save_safetensors(net: Net, path: Union[str, "os.PathLike[str]"]) -> None:
    """Writes the weights of all nets as tensors named ``default.w1``, ``default.b1`` and so on.

    The preset and the activations are metadata. The file is replaced as a whole or not at all.
    Where a net came from is not in it: ``Net.save`` keeps that.

    Raises ``ValueError``, and writes nothing, if no preset describes the nets: the file could not
    be read again.
    """
    _check_preset(net)
    header: dict[str, Any] = {}
    metadata = {"format": "nonet", "preset": net.preset}
    parts: list[bytes] = []
    at = 0
    for name, arrays in net.arrays().items():
        for key, value in arrays.items():
            if isinstance(value, str):
                metadata[f"{name}.{key}"] = value
                continue
            data = np.asarray(value, dtype="<f4").tobytes()
            header[f"{name}.{key}"] = {
                "dtype": "F32",
                "shape": list(value.shape),
                "data_offsets": [at, at + len(data)],
            }
            at += len(data)
            parts.append(data)
    text = json.dumps({"__metadata__": metadata, **header}).encode()
    text += b" " * (-len(text) % 8)
    target = Path(path)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))
            file.flush()
            os.fsync(file.fileno())
        # Temporary files are readable for their owner alone. Net files are for everybody.
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _check_preset(net: Net) -> None:
    """Encodings and classes are not in the file: they must follow from the preset."""
    try:
        team = Net.random(net.preset)
    except ValueError as error:
        raise ValueError(f"the net cannot be written as safetensors: {error}") from error
    if (team.encodings, team.net_of_class) != (net.encodings, net.net_of_class):
        why = f"'{net.preset}' has other nets or encodings"
        raise ValueError(f"the net cannot be written as safetensors: {why}")


def load_safetensors(path: Union[str, "os.PathLike[str]"]) -> Net:
    """The net of a file that ``save_safetensors`` wrote.

    Raises ``ValueError`` if it is not such a file, or a tensor is missing or has another shape.
    """
    data = Path(path).read_bytes()
    try:
        (length,) = struct.unpack_from("<Q", data)
        header: dict[str, Any] = json.loads(data[8 : 8 + length])
        metadata = header.pop("__metadata__")
        if metadata["format"] != "nonet":
            raise KeyError("format")
        body = memoryview(data)[8 + length :]
        nets: dict[str, dict[str, Any]] = {}
        for name, entry in header.items():
            net, _, key = name.rpartition(".")
            begin, end = entry["data_offsets"]
            if entry["dtype"] != "F32" or not 0 <= begin <= end <= len(body):
                raise ValueError(f"the tensor '{name}' is cut off or not of type F32")
            tensor = np.frombuffer(body[begin:end], dtype="<f4").reshape(entry["shape"])
            nets.setdefault(net, {})[key] = tensor.astype(np.float32)
        for net in nets:
            nets[net].update({key: metadata[f"{net}.{key}"] for key in _WORDS})
        team = Net.random(metadata["preset"])
        missing = [name for name in team.names if name not in nets]
        if missing:
            raise ValueError(f"there are no tensors for the net '{missing[0]}'")
        return team.with_arrays(nets)
    except _WRONG as error:
        raise ValueError(f"{path} is not a safetensors file of a nonet team: {error}") from error
