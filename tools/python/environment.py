"""A folder with the Python packages of a requirements file, each of its version and hash."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

VERSIONS = (3, 11), (3, 14)  # of Python, for which the requirements are


class NoEnvironment(Exception):
    """Why the packages are not there, for whoever asked for them."""


def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def make(env: str, wanted: str) -> str:
    """Makes the folder `env` with the packages of the file `wanted`, again when that file has changed; its Python."""
    python = os.path.join(env, "bin", "python")
    if read(wanted) == read(f"{env}/made"):
        return python
    if not VERSIONS[0] <= sys.version_info[:2] <= VERSIONS[1]:
        version = ".".join(map(str, sys.version_info[:2]))
        raise NoEnvironment(f"this needs Python 3.11 to 3.14, not {version} (PYTHON=python3.12 names another)")
    shutil.rmtree(env, ignore_errors=True)
    for command in ([sys.executable, "-c", "import ensurepip, venv"], [sys.executable, "-m", "venv", env]):
        if subprocess.run(command, check=False).returncode:
            raise NoEnvironment("Python's venv is missing: sudo apt-get install python3-venv")
    print(f"installing the packages of {wanted} into {env} ...", flush=True)
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--require-hashes"]
    if subprocess.run([*pip, "--only-binary=:all:", "-r", wanted], check=False).returncode:
        shutil.rmtree(env)
        raise NoEnvironment("the packages could not be installed: is there a network?")
    shutil.copy(wanted, f"{env}/made")
    return python
