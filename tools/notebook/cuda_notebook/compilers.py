"""What compiles a cell: nvcc where a GPU answers, else cucc, the CPU device's compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path


def told(english: str, chinese: str) -> str:
    """In the language that COURSE_LANG, else LANG, asks for."""
    language = os.environ.get("COURSE_LANG") or os.environ.get("LANG", "")
    return chinese if language.startswith("zh") else english


class NoCompiler(Exception):
    """Nothing here compiles CUDA; the text says what to do."""


@dataclass(frozen=True)
class Compiler:
    command: str
    is_cucc: bool

    @property
    def device(self) -> str:
        return "the CPU device" if self.is_cucc else "the GPU"


def course() -> Path | None:
    """The course's folder: $CUDA_COURSE, or the first one from the working folder upwards that holds it."""
    named = os.environ.get("CUDA_COURSE")
    here = Path.cwd()
    for folder in [Path(named)] if named else [here, *here.parents]:
        if (folder / "cpudevice" / "cucc").is_file() and (folder / "run").is_file():
            return folder
    return None


def gpu_answers() -> bool:
    """Is there a GPU that the driver can use?"""
    asked = shutil.which("nvidia-smi")
    if not asked:
        return False
    try:
        return subprocess.run([asked, "-L"], capture_output=True, timeout=20, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def cucc() -> str | None:
    """$CUCC, the course's around the working folder, the one on the PATH, or the one installed with this package."""
    named = os.environ.get("CUCC")
    if named:
        return named
    root = course()
    if root:
        return str(root / "cpudevice" / "cucc")
    inside = Path(__file__).parent / "device" / "cpudevice" / "cucc"
    return shutil.which("cucc") or (str(inside) if inside.is_file() else None)


def compiler(needs_cucc: bool) -> Compiler:
    """The one for a cell. Findings, counters and the viewer are the CPU device's, also beside a GPU."""
    nvcc = shutil.which("nvcc")
    if not needs_cucc and nvcc and gpu_answers():
        return Compiler(nvcc, is_cucc=False)
    found = cucc()
    if found:
        return Compiler(found, is_cucc=True)
    raise NoCompiler(
        told(
            "no compiler for CUDA is here: there is no GPU with nvcc, and no cucc. Set CUDA_COURSE to the folder of "
            "the course, or install this package from there (pip install ./tools/notebook)",
            "这里没有 CUDA 编译器：没有带 nvcc 的 GPU，也没有 cucc。请把 CUDA_COURSE 设为课程目录，"
            "或者从课程目录安装这个包（pip install ./tools/notebook）",
        )
    )
