"""Numba on libcuda.so.1: arrays, copies and the device; its kernels are a GPU's code, which is refused."""

# BUILD: find_numba
# SKIPS: not here
# TEST: Numba finds the device, and copies arrays
# RUN: with_driver "${NUMBA_PYTHON:-python3}" $case arrays
# MATCHES: Found 1 CUDA devices
# MATCHES: CPU device (.*SUPPORTED
# MATCHES: ^right$
# TEST: a kernel is refused with an exception and the reason
# RUN: with_driver "${NUMBA_PYTHON:-python3}" $case kernel
# MATCHES: ^right$
from __future__ import annotations

import sys

import numpy as np
from numba import cuda

x = np.random.default_rng(1).random((30, 40))


def arrays() -> None:
    try:
        assert cuda.is_available()
    except RuntimeError as error:  # it also asks for NVVM, which only kernels need, and which may not be here
        assert "nvvm" in str(error), error
    assert cuda.detect()
    device = cuda.get_current_device()
    assert device.name.startswith("CPU device") and device.compute_capability == (9, 0)
    d = cuda.to_device(x)
    assert (d.copy_to_host() == x).all()
    assert (d[3:7].copy_to_host() == x[3:7]).all()
    free, total = cuda.current_context().get_memory_info()
    assert 0 < free <= total - x.nbytes
    pinned = cuda.pinned_array(x.shape)
    stream = cuda.stream()
    d.copy_to_host(pinned, stream=stream)
    stream.synchronize()
    assert (pinned == x).all()


@cuda.jit
def add_one(p) -> None:  # noqa: ANN001
    i = cuda.grid(1)
    if i < p.size:
        p[i] += 1


def kernel() -> None:
    """Without NVIDIA's NVVM Numba itself has no compiler; with it, what that makes is refused."""
    d = cuda.to_device(x.ravel())
    try:
        add_one[10, 128](d)
    except Exception as error:
        assert any(word in str(error) for word in ("NO_BINARY_FOR_GPU", "NVVM", "nvvm")), error  # noqa: PT017
    else:
        raise AssertionError
    assert (d.copy_to_host() == x.ravel()).all()


globals()[sys.argv[1]]()
print("right")
