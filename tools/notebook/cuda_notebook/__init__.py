"""Cells in CUDA C++: `%load_ext cuda_notebook`, then `%%cuda` in the first line of a cell (`%%cuda --help`)."""

from __future__ import annotations

from .cell import CudaMagics


def load_ipython_extension(shell) -> None:
    shell.register_magics(CudaMagics)
