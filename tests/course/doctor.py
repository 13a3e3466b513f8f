"""make doctor, with what a machine has and with a stripped PATH; driver, toolkit, PyTorch and Triton that do not fit
together are made up."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import tap
from course_copy import write
from tap import check, skip, status

TOOLS = "sh dirname readlink awk sed head id mktemp rm cat ls tr env cmp grep"
NVCC = """#!/bin/sh
case $* in *--version*) echo "Cuda compilation tools, release 13.0, V13.0.88" ;; *) exit ${NVCC_FAILS-0} ;; esac
"""
NVIDIA_SMI = """#!/bin/sh
case $* in
*compute_cap*) echo 9.0 ;;
*driver_version*) echo 550.54 ;;
*name*) echo "NVIDIA H200" ;;
*) echo "| CUDA Version: ${RUNS-12.4}  |" ;;
esac
"""
TORCH = """import os
class version: cuda = os.environ.get("TORCH_CUDA")
class cuda: is_available = staticmethod(lambda: bool(version.cuda))
class ones:
    def __init__(self, n, device="cpu"): self.n = n
    def square(self): return self
    def sum(self): return self
    def __float__(self): return float(self.n)
__version__ = "2.11.0"
"""
APT = r"missing: (sudo )?apt-get install"


def program(name: str, text: str) -> None:
    write(bin / name, text)
    (bin / name).chmod(0o755)


def package(name: str, version: str, requires: str = "") -> None:
    """As pip leaves it: a folder of metadata."""
    text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    write(
        packages / f"{name}-{version}.dist-info/METADATA", text + (f"Requires-Dist: {requires}\n" if requires else "")
    )


def expect(what: str, text: str, status: int = 0, **env: str) -> str:
    """The doctor, with the stripped PATH."""
    env = {"PATH": str(bin), "CUDA_HOME": str(work / "nowhere"), **env}
    return tap.expect(what, ["tools/setup/doctor.sh"], text, status, env)


def the_system() -> None:
    for name in TOOLS.split():
        (bin / name).symlink_to(shutil.which(name))
    expect("without gcc", f"^  gcc +{APT} gcc$", 1)
    for name in ("git", "make", "gcc", "g++"):
        if not (bin / name).exists():
            (bin / name).symlink_to(shutil.which(name) or shutil.which("true"))
    expect("without a toolkit", "^  nvcc +missing: install the CUDA Toolkit")
    expect("without a GPU", "^  GPU +missing: none answers")
    in_zh = expect("in Chinese", "^  GPU +没有：检测不到 GPU", COURSE_LANG="zh")
    what = "in English though the system speaks Chinese"
    in_en = expect(what, "^needed$", LANG="zh_CN.UTF-8", COURSE_LANG="en")
    lines = [sum(line != "" for line in words.split("\n")) for words in (in_zh, in_en)]
    check("as many lines in both languages", lines[0] == lines[1], lines)
    if not made_its_own:
        expect("without Python", f"^  Python +{APT} python3 python3-venv python3-dev, then make python$")


def driver_and_toolkit() -> None:
    program("nvcc", NVCC)
    program("nvidia-smi", NVIDIA_SMI)
    expect("a toolkit that compiles", r"^  nvcc +13\.0 in .*, compiles$")
    expect("a toolkit that does not", r"^  nvcc +13\.0 in .*, but it does not compile", NVCC_FAILS="1")
    older = r"^  driver +550\.54, runs CUDA 12\.4 and before, but the toolkit is 13\.0: update the driver"
    expect("a driver older than the toolkit", older)
    expect("a driver that fits", r"^  driver +550\.54, runs CUDA 13\.1 and before$", RUNS="13.1")


def its_python() -> None:
    """A PyTorch that has what the doctor asks of it. -S hides the packages that this machine has."""
    program("python3", f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    package("torch", "2.11.0", 'triton==3.6.0; platform_system == "Linux"')
    package("triton", "3.5.0")
    write(packages / "torch.py", TORCH)
    torch, path = r"^  PyTorch +2\.11\.0, ", str(packages)
    want = r"^  Triton +3\.5\.0, but this PyTorch wants 3\.6\.0: pip install triton==3\.6\.0$"
    expect("a Triton that does not fit", want, PYTHONPATH=path)
    want = torch + "without CUDA, computes; it does not see the GPU: install a wheel with CUDA"
    expect("a PyTorch without CUDA beside a GPU", want, PYTHONPATH=path)
    want = torch + r"CUDA 13\.0, computes; the driver runs CUDA 12\.4 at most"
    expect("a PyTorch newer than the driver", want, PYTHONPATH=path, TORCH_CUDA="13.0")
    want = torch + r"CUDA 12\.8, computes, and on the GPU$"
    expect("a PyTorch that fits", want, PYTHONPATH=path, TORCH_CUDA="12.8")
    shutil.rmtree(packages / "triton-3.5.0.dist-info")
    package("triton", "3.6.0")
    expect("a Triton that fits", r"^  Triton +3\.6\.0, as this PyTorch wants it$", PYTHONPATH=path)
    expect("without NumPy", "^  NumPy +missing: make python, or: pip install", PYTHONPATH=path)


made_its_own = os.path.exists("build/python/made")
os.environ["LC_ALL"] = "C"
os.environ.pop("PYTHONPATH", None)
with tempfile.TemporaryDirectory() as folder:
    work = Path(folder)
    bin, packages = work / "bin", work / "packages"
    bin.mkdir()
    the_system()
    driver_and_toolkit()
    if made_its_own:
        skip("the doctor's Python: make python has made its own")
    else:
        its_python()
sys.exit(status())
