"""The course in places and under conditions that a student's machine may have; tests/course/systems.py tries whole
systems."""

import fcntl
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import check, expect, said, skip, status

CUCC = "cpudevice/cucc"
ADD = "build/cpu/lecture03_cuda_basics/add"
VERIFY = ["./run", "--device", "cpu", "add", "--verify", "--small"]
WITHOUT_PROC = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$0"']


def locked(*command: str | Path) -> tuple[int, str]:
    """Not while another test builds a library in build/cpu."""
    return said(["flock", "build/cpu/.lock", *map(str, command)])


def compiled() -> tuple[Path, Path]:
    source, hello, checked = "tests/course/anywhere/hello.cu", work / "hello", work / "checked"
    got, words = said([CUCC, "-o", str(hello), source])
    check("the compiler says nothing of a right program", got == 0 and words == "", words)
    if got or said([CUCC, "--check", "-g", "-o", str(checked), source])[0]:
        sys.exit(1)
    return hello, checked


def little_address_space(hello: Path, checked: Path) -> None:
    for kilobytes in (20000000, 2000000):
        limit = f"ulimit -v {kilobytes}"
        expect(limit, f"{limit}; exec {hello}", "it runs: 1")
        expect(f"{limit}, checked", f"{limit}; exec {checked}", "it runs: 1")
    expect("ulimit -v says what it takes", f"ulimit -v 2000000; exec {hello}", "the device has [0-9]* MB of memory")
    expect("ulimit -v that is too small is told", f"ulimit -v 300000; exec {hello}", "no address space", 1)


def no_proc(hello: Path, checked: Path) -> None:
    if said(["unshare", "--mount", "true"])[0]:
        skip("without /proc: that takes root")
        return
    expect("without /proc", [*WITHOUT_PROC, str(hello)], "it runs: 1")
    expect("without /proc nothing is checked", [*WITHOUT_PROC, str(checked)], "/proc is not mounted", 2)


def a_broken_off_build() -> None:
    """It leaves nothing."""
    place = work / "broken"
    env = {**os.environ, "CUCC_BUILD": str(place)}
    said(["timeout", "-s", "KILL", "1", CUCC, "--build"], env=env)
    (place / "objects").mkdir(parents=True, exist_ok=True)  # what it had not come to is compiled already
    parts = (f"build/cpu/objects/{name}" for name in ("cucc-compile", "libcudacpu.a"))
    locked("cp", "-rpu", *parts, place / "objects")
    got, words = said([CUCC, "--build"], env=env)
    left = sorted(path.name for path in place.iterdir())
    broken = [name for name in left if re.fullmatch(r"lib\.\w{6}", name)]
    good = got == 0 and "libcudacpu.a" in left and not broken
    check("after a build that was broken off", good, words, *left)


def any_folder(odd: Path) -> None:
    """A folder with any name; a copy of what is built is for another place."""
    if said(["tools/setup/mirror.sh", str(odd)])[0]:
        sys.exit(1)
    (odd / "build").mkdir(exist_ok=True)
    locked("cp", "-rp", "build/cpu", odd / "build")
    for path in (odd / "build/cpu").rglob("*"):
        if path.suffix == ".d" or f"/{ADD}" in str(path):
            path.unlink(missing_ok=True)
    copy, make = work / "copy", ["make", "-C", str(odd), "DEVICE=cpu"]
    said(["cp", "-rp", str(odd), str(copy)])
    builds = ["make", "-C", str(copy), "-n", "DEVICE=cpu", "lecture03"]
    expect("a copied tree builds anew", builds, "cucc --build")
    shutil.rmtree(copy)
    built_for = subprocess.check_output(["cpudevice/built_for.sh"], cwd=odd)
    (odd / "build/cpu/built_for").write_bytes(built_for)
    expect("a folder with blanks, quotes, $, #, ; and Chinese characters", [*make, "-s", ADD])
    expect("there a second make has nothing to do", [*make, ADD], "is up to date")
    there = f"cd {shlex.quote(str(odd))} && umask 077 && {' '.join(VERIFY)}"
    expect("there it runs", there, "ok: max error")
    (odd / "nothing.cu").write_text("int main() { return 0; }\n")
    (odd / "build/cpu/libcudacpu_libraries.a").unlink(missing_ok=True)
    nothing = [str(odd / CUCC), "-v", "-c", "-o", str(work / "nothing.o"), str(odd / "nothing.cu")]
    expect("there NVIDIA's libraries build, of which NVRTC knows where cucc is", nothing, "TOP=")


def languages() -> None:
    """One with a decimal comma, and Turkish, whose i is not I's small letter."""
    names = ("de_DE", "tr_TR")
    if not shutil.which("localedef") or any(
        said(["localedef", "-i", name, "-f", "UTF-8", str(work / f"{name}.UTF-8")])[0] for name in names
    ):
        skip("languages: needs the package locales")
        return
    for language in (f"{name}.UTF-8" for name in names):
        env = {"LOCPATH": str(work), "LC_ALL": language}
        expect(f"notes in {language}", ["tools/notes/notes.sh", "--check"], env=env)
        expect(f"a lab in {language}", VERIFY, "ok: max error", env=env)


def check_twice_at_once(odd: Path) -> None:
    """The second one waits: it runs while the lock is held, until it says so."""
    if not shutil.which("flock"):
        skip("make check twice at once: needs flock")
        return
    with open(odd / "build/check.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = ["make", "-C", str(odd), "--no-print-directory", "DEVICE=cpu", "check"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as second:
            words = []
            for line in second.stdout:
                words.append(line)
                if "another make check" in line:
                    break
            second.terminate()
    waits = any("another make check runs here" in line for line in words)
    check("make check twice at once", waits, *words)


os.environ["LC_ALL"] = "C"
if sys.argv[1:2] not in ([], ["cpu"]):
    skip("places: for the CPU device")
    sys.exit(0)
with tempfile.TemporaryDirectory() as folder:
    work = Path(folder)
    programs = compiled()
    little_address_space(*programs)
    no_proc(*programs)
    a_broken_off_build()
    odd = work / "a b'\"$#;课程"
    any_folder(odd)
    languages()
    check_twice_at_once(odd)
sys.exit(status())
