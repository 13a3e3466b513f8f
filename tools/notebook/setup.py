"""Puts the CPU device's sources into the package, so that cells compile without the course's folder around them."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

DEVICE = Path(__file__).resolve().parents[2] / "cpudevice"
# Text, and links, which a wheel cannot hold.
UNUSED = ["docs", *(f"toolkit/{name}" for name in ("include", "lib64", "targets", "bin/nvcc"))]


class WithDevice(build_py):
    def run(self) -> None:
        super().run()
        into = Path(self.build_lib, "cuda_notebook", "device")
        shutil.rmtree(into, ignore_errors=True)
        with tempfile.TemporaryDirectory() as prefix:
            install = ["make", "-s", "-C", str(DEVICE), "install", f"PREFIX={prefix}", "PREBUILT=no"]
            subprocess.run(install, check=True)
            for name in UNUSED:
                path = Path(prefix, "lib/cucc/cpudevice", name)
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
            shutil.copytree(f"{prefix}/lib/cucc/cpudevice", into / "cpudevice")


setup(cmdclass={"build_py": WithDevice})
