"""What tools/setup/doctor.sh says of Python: PyTorch, Triton and NumPy, whether they fit together and with the driver.

One check of each is run.

    doctor.py [CUDA]     CUDA: the newest version that the driver runs, as 13.0; none where no GPU answers
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import sys

CHINESE = (os.environ.get("COURSE_LANG") or os.environ.get("LANG", "")).startswith("zh")


def told(english: str, chinese: str) -> str:
    """In the language that COURSE_LANG, else LANG, asks for."""
    return chinese if CHINESE else english


GET = told(
    "make python, or: pip install -r tools/python/requirements.txt (also in a conda environment)",
    "make python，或者：pip install -r tools/python/requirements.txt（在 conda 环境里也可以）",
)
MISSING = told("missing: ", "没有：") + GET


def say(name: str, text: str) -> None:
    """One line, as doctor.sh writes them."""
    print(f"  {name:18s} {text}")


def version(package: str) -> str | None:
    """The installed version, or None."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def wanted_triton() -> str | None:
    """The version of Triton that the installed PyTorch asks for, if it asks for one."""
    for line in importlib.metadata.requires("torch") or []:
        found = re.match(r"(?:pytorch-)?triton\s*\(?==\s*([0-9.]+)", line)
        if found:
            return found[1]
    return None


def check_torch(driver: str | None) -> None:
    """PyTorch computes, on the GPU where there is one and PyTorch was built for CUDA."""
    try:
        import torch
    except (ImportError, OSError) as error:
        why = str(error).splitlines()[0]
        say("PyTorch", version("torch") + told(f", but it does not start: {why}; {GET}", f"，但不能启动：{why}；{GET}"))
        return
    built = torch.version.cuda
    right = float(torch.ones(8).square().sum()) == 8
    text = f"{torch.__version__}, " + (f"CUDA {built}" if built else told("without CUDA", "不带 CUDA"))
    text += told(", computes", "，能计算") if right else told(", WRONG", "，结果错误")
    if driver and not built:
        text += told(
            "; it does not see the GPU: install a wheel with CUDA (pytorch.org, 'Get Started')",
            "；它看不到 GPU：请安装带 CUDA 的 wheel（pytorch.org，“Get Started”）",
        )
    elif driver and int(built.split(".")[0]) > int(driver.split(".")[0]):
        major = driver.split(".")[0]
        text += told(
            f"; the driver runs CUDA {driver} at most: update the driver, or install PyTorch for CUDA {major}",
            f"；驱动最高只能运行 CUDA {driver}：请更新驱动，或安装用于 CUDA {major} 的 PyTorch",
        )
    elif driver and not torch.cuda.is_available():
        text += told("; it does not see the GPU", "；它看不到 GPU")
    elif driver:
        right = float(torch.ones(8, device="cuda").square().sum()) == 8
        if right:
            text += told(", and on the GPU", "，在 GPU 上也能")
        else:
            text += told(", WRONG on the GPU", "，在 GPU 上结果错误")
    say("PyTorch", text)


def main() -> None:
    """Prints a line for each package."""
    driver = sys.argv[1] if len(sys.argv) > 1 and sys.argv[1] else None
    say("Python", sys.version.split()[0] + told(" in ", "，在 ") + sys.executable)
    if version("torch") is None:
        say("PyTorch", MISSING)
    else:
        check_torch(driver)
    triton, wanted = version("triton"), wanted_triton() if version("torch") else None
    if triton is None:
        say("Triton", MISSING)
    elif wanted and triton != wanted:
        text = told(", but this PyTorch wants ", "，但这个 PyTorch 需要 ")
        say("Triton", f"{triton}{text}{wanted}: pip install triton=={wanted}")
    else:
        say("Triton", triton + (told(", as this PyTorch wants it", "，正是这个 PyTorch 需要的") if wanted else ""))
    numpy = version("numpy")
    say("NumPy", numpy if numpy else MISSING)


if __name__ == "__main__":
    main()
