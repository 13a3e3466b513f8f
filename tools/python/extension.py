"""Extensions are built by one lesson at a time, and no lesson waits for a build that was broken off.

torch.utils.cpp_extension marks a build by a file `lock` in the extension's folder, and waits until it is gone. A build
that was interrupted leaves it there, and the next one would wait for ever. What waits here is a lock that the system
takes back when its process ends: who has it knows that nobody builds.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def building(name: str) -> Iterator[None]:
    """Around load() and load_inline() of the extension of that name; its folder is below TORCH_EXTENSIONS_DIR."""
    folder = Path(os.environ["TORCH_EXTENSIONS_DIR"]) / name
    folder.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{name}.building").open("w") as ours:
        fcntl.flock(ours, fcntl.LOCK_EX)
        lock = folder / "lock"
        if lock.exists():
            print(f"an interrupted build of {name} left its lock behind: removed", flush=True)
            lock.unlink()
        yield
