"""What tools/setup/doctor.sh says of Python: PyTorch, Triton and NumPy, whether they fit together and with the driver.

One check of each is run.

    doctor.py [CUDA]     CUDA: the newest version that the driver runs, as 13.0; none where no GPU answers
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import sys

GET = "make python, or: pip install -r tools/python/requirements.txt (also in a conda environment)"


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
        say("PyTorch", f"{version('torch')}, but it does not start: {str(error).splitlines()[0]}; {GET}")
        return
    built = torch.version.cuda
    right = float(torch.ones(8).square().sum()) == 8
    text = f"{torch.__version__}, " + (f"CUDA {built}" if built else "without CUDA")
    text += ", computes" if right else ", WRONG"
    if driver and not built:
        text += "; it does not see the GPU: install a wheel with CUDA (pytorch.org, 'Get Started')"
    elif driver and int(built.split(".")[0]) > int(driver.split(".")[0]):
        text += f"; the driver runs CUDA {driver} at most: update the driver, or install PyTorch for CUDA "
        text += driver.split(".")[0]
    elif driver and not torch.cuda.is_available():
        text += "; it does not see the GPU"
    elif driver:
        text += ", and on the GPU" if float(torch.ones(8, device="cuda").square().sum()) == 8 else ", WRONG on the GPU"
    say("PyTorch", text)


def main() -> None:
    """Prints a line for each package."""
    driver = sys.argv[1] if len(sys.argv) > 1 and sys.argv[1] else None
    say("Python", f"{sys.version.split()[0]} in {sys.executable}")
    if version("torch") is None:
        say("PyTorch", f"missing: {GET}")
    else:
        check_torch(driver)
    triton, wanted = version("triton"), wanted_triton() if version("torch") else None
    if triton is None:
        say("Triton", f"missing: {GET}")
    elif wanted and triton != wanted:
        say("Triton", f"{triton}, but this PyTorch wants {wanted}: pip install triton=={wanted}")
    else:
        say("Triton", triton + (", as this PyTorch wants it" if wanted else ""))
    numpy = version("numpy")
    say("NumPy", numpy if numpy else f"missing: {GET}")


if __name__ == "__main__":
    main()
