"""What the lessons in PyTorch and Triton share: the device, the course's kernels as libraries, clocks and tables.

With a GPU, tensors are on it and nvcc builds. Without one, tensors are the CPU's, cucc builds as if it were nvcc
(CUDA_HOME=cpudevice/toolkit), and Triton runs in its interpreter: results are right, and times are this processor's.
COURSE_DEVICE=cpu asks for the second way where there is a GPU too.
"""

from __future__ import annotations

import argparse
import ctypes
import logging
import os
import shutil
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from extension import building  # noqa: F401 (for the lessons)

# Not resolved: a checkout that cannot be written is used through a mirror of links (tools/setup/mirror.sh).
ROOT = Path(os.path.abspath(__file__)).parents[2]

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # PyTorch's idle threads sleep; the CPU device wants the cores


def gpu_answers() -> bool:
    """Is there a driver, and a GPU behind it?"""
    try:
        driver, count = ctypes.CDLL("libcuda.so.1"), ctypes.c_int()
    except OSError:
        return False
    return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0


ON_GPU = os.environ.get("COURSE_DEVICE") != "cpu" and gpu_answers()
DEVICE = "cuda" if ON_GPU else "cpu"
BUILD = ROOT / "build" / DEVICE / "python"

if not ON_GPU:
    # PyTorch and Triton, which PyTorch imports, read these when they are imported.
    os.environ["CUDA_HOME"] = str(ROOT / "cpudevice" / "toolkit")
    os.environ["TRITON_INTERPRET"] = "1"
    os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "9.0")  # there is no GPU to ask
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # its profiler reports as an error that it finds no GPU

try:
    import torch
except ImportError:
    sys.exit("PyTorch is not installed; 'make python' installs it")
if ON_GPU and not torch.cuda.is_available():
    sys.exit("PyTorch does not see the GPU (built without CUDA?); COURSE_DEVICE=cpu runs the lessons without it")
if not ON_GPU:  # that there is no CUDA runtime is what the lesson's first line says
    logging.getLogger("torch.utils.cpp_extension").setLevel(logging.ERROR)
# Of PyTorch's profiler, to whoever uses a schedule: each lesson reads the events of the cycle that it is in.
warnings.filterwarnings("ignore", message=".*Profiler clears events at the end of each cycle")
os.environ.setdefault("TORCH_EXTENSIONS_DIR", str(BUILD / "extensions"))
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # ninja is beside python


def need_gpu():
    """torch; where there is no GPU the program ends with status 0 and says so."""
    if not ON_GPU:
        print("skipped: this compares times, and PyTorch finds no GPU")
        sys.exit(0)
    return torch


def device_name() -> str:
    """The GPU's name, or the name of what replaces it."""
    return torch.cuda.get_device_name() if ON_GPU else f"CPU device ({os.cpu_count()} cores)"


def versions() -> str:
    """PyTorch's version, and what builds its CUDA; on a GPU cuDNN's, too."""
    cuda = f"CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}" if ON_GPU else "cucc"
    return f"PyTorch {torch.__version__}, {cuda}"


def say_device() -> None:
    """The first line of a lesson: where it runs and whether its times mean anything."""
    print(f"{device_name()}, {versions()}" + ("" if ON_GPU else "; results are right, times are this processor's"))


def synchronize() -> None:
    """Waits until the device has done what was asked of it."""
    if ON_GPU:
        torch.cuda.synchronize()


def stream() -> int | None:
    """PyTorch's current stream, as a launcher in C takes it."""
    return torch.cuda.current_stream().cuda_stream if ON_GPU else None


def leave(status: int) -> None:
    """Ends a lesson that has profiled, with main's status.

    On a GPU without what runs at a process's end: there CUPTI hands PyTorch 2.11's profiler its last buffer, whose
    owner is gone, and in one of three runs the process aborted ("double free or corruption") after all was said.
    """
    if ON_GPU:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


# ---- the course's kernels


def nvcc() -> list[str]:
    """The compiler and the flags with which the course's .cu files become a shared library."""
    if not ON_GPU:
        # PyTorch may have loaded NVIDIA's libcudart: -Bsymbolic keeps the library's own calls to its own runtime.
        return [str(ROOT / "cpudevice" / "cucc"), "-DLAB_CPU", "-Xlinker", "-Bsymbolic"]
    found = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    major, minor = torch.cuda.get_device_capability()
    arch = f"{major}{minor}" + ("a" if major in (9, 10) else "")
    # PyTorch has a shared libcudart: a second, static one in the same process would keep state of its own.
    shared = ["-cudart=shared", "-Xlinker", f"-rpath={Path(found).resolve().parents[1] / 'lib64'}"]
    return [found, "-DLAB_CUDA", f"-gencode=arch=compute_{arch},code=sm_{arch}", *shared]


def shared_library(name: str, *sources: str) -> ctypes.CDLL:
    """Builds the course's .cu files, without their main, as libNAME.so where that is out of date, and loads it."""
    BUILD.mkdir(parents=True, exist_ok=True)
    library, files = (
        BUILD / f"lib{name}.so",
        [ROOT / s for s in (*sources, "common/device/error.c", "common/lab/skip.c")],
    )
    used = [*files, *ROOT.glob("lecture*/**/*.cu*"), *(ROOT / "common").glob("*.*h"), Path(__file__)]
    newest = max(f.stat().st_mtime for f in used)
    if not library.exists() or library.stat().st_mtime < newest:
        flags = ["-O3", "-std=c++17", "-shared", "-Xcompiler", "-fPIC", "-DLAB_LIBRARY", "-I", str(ROOT / "common")]
        made = library.with_suffix(f".{os.getpid()}.so")
        subprocess.run([*nvcc(), *flags, *map(str, files), "-o", str(made)], check=True)
        made.replace(library)
    return ctypes.CDLL(str(library))


def launcher(library: ctypes.CDLL, name: str, arguments: str) -> Callable[..., None]:
    """The C function of that name. One letter an argument: p a tensor, n a size_t, i an int, f a float.

    The stream is added as the last argument.
    """
    types = {"p": ctypes.c_void_p, "n": ctypes.c_size_t, "i": ctypes.c_int, "f": ctypes.c_float}
    function = getattr(library, name)
    function.argtypes, function.restype = [*(types[a] for a in arguments), ctypes.c_void_p], None

    def launch(*values) -> None:
        tensors = [v for v in values if isinstance(v, torch.Tensor)]
        for t in tensors:
            assert t.device.type == DEVICE and t.is_contiguous(), "a contiguous tensor on the device is wanted"
        function(*(v.data_ptr() if isinstance(v, torch.Tensor) else v for v in values), stream())
        if not ON_GPU:  # PyTorch's own operations on CPU tensors do not wait for the CPU device's streams
            library.cudaDeviceSynchronize()

    return launch


# ---- measuring


def interleaved_ms(ways: dict[str, Callable[[], object]], rounds: int = 20, warm_up: int = 5) -> dict[str, list[float]]:
    """Milliseconds of each way, one sample a round. The ways take turns, so that what changes meets all of them."""
    samples: dict[str, list[float]] = {name: [] for name in ways}
    for round_ in range(warm_up + rounds):
        for name, f in ways.items():
            if ON_GPU:
                start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                torch.cuda._sleep(1_000_000)  # the device is busy while all is queued: no launch gap in the interval
                start.record()
                out = f()
                stop.record()
                stop.synchronize()
                ms = start.elapsed_time(stop)
            else:
                t0 = time.perf_counter()
                out = f()
                ms = (time.perf_counter() - t0) * 1e3
            del out
            if round_ >= warm_up:
                samples[name].append(ms)
    return samples


def ratio(samples: dict[str, list[float]], of: str, to: str) -> float:
    """How many times as fast `of` is as `to`: the median over the rounds."""
    return statistics.median(b / a for a, b in zip(samples[of], samples[to]))


class Checks:
    """Counts what is wrong; `status` is the lesson's exit status."""

    def __init__(self) -> None:
        self.wrong = 0

    def close(self, what: str, got: torch.Tensor, want: torch.Tensor, rtol: float = 0, atol: float = 0) -> bool:
        """Says whether the tensors agree; NaN does not agree with anything."""
        got, want = got.double().cpu(), want.double().cpu()
        right = got.shape == want.shape and bool(((got - want).abs() <= atol + rtol * want.abs()).all())
        return self.true(what, right, "right" if rtol or atol else "equal")

    def true(self, what: str, right: bool, word: str = "yes") -> bool:
        """Says whether that holds."""
        self.wrong += not right
        print(f"  {what:44s} {word if right else 'WRONG'}")
        return right

    @property
    def status(self) -> int:
        """0, or 1 if anything was wrong."""
        return 1 if self.wrong else 0


# ---- tables


def arguments(text: str | None) -> argparse.ArgumentParser:
    """The options that every lesson has."""
    parser = argparse.ArgumentParser(description=(text or "").splitlines()[0])
    parser.add_argument("--csv", metavar="FILE", help="write the figures to FILE")
    parser.add_argument("--small", action="store_true", default=not ON_GPU, help="small shapes (without a GPU: always)")
    return parser


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Prints columns: the first to the left, figures to the right."""
    text = [[f"{x:.4g}" if isinstance(x, float) else str(x) for x in row] for row in (header, *rows)]
    widths = [max(len(row[k]) for row in text) for k in range(len(header))]
    for row in text:
        first = row[0].ljust(widths[0])
        print("  " + "  ".join([first, *(x.rjust(w) for x, w in zip(row[1:], widths[1:]))]))


def write_csv(path: str | None, command: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Writes the figures in the form of results/: where, with what, when and by which command they were measured."""
    if not path:
        return
    lines = [
        f"# device: {device_name()}",
        f"# versions: {versions()}",
        f"# date: {time.strftime('%Y-%m-%d', time.gmtime())}",
        f"# command: {command} --csv FILE",
        ",".join(header),
    ]
    for row in rows:
        cells = [f"{x:.6g}" if isinstance(x, float) else str(x) for x in row]
        lines.append(",".join(f'"{c}"' if "," in c else c for c in cells))
    Path(path).write_text("\n".join(lines) + "\n")
