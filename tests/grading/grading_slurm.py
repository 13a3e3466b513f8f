"""PYTHONPATH=tests/harness python3 tests/grading/grading_slurm.py: tools/grade --slurm against a real cluster on this
machine: its own munged, slurmctld and two slurmd, one of which is killed, with what it runs, in the middle. Every
submission must be graded exactly once, and none lost. It needs Debian's slurm-wlm and munge (tools/setup/need.sh slurm)
and root; it takes about two minutes: make check does not run this."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from course_copy import exercise_of, handed_in, write
from tap import check, said, skip, status

ANSWERS = [Path(f"solutions/lecture03_cuda_basics/{name}.cu") for name in ("ex01_index", "ex04_two_d")]
RIGHT, WRONG = "blockIdx.x * blockDim.x + threadIdx.x;", "threadIdx.x;"
NODE_2 = (b"GRADE_NODE=n2", b"SLURMD_NODENAME=n2")  # in the environment of what runs there


class Cluster:
    """The daemons in a folder of their own."""

    def __init__(self, work: Path):
        self.work, self.daemons = work, []
        for name in ("munge", "state", "n1", "n2"):
            (work / name).mkdir()
        work.chmod(0o755)
        (work / "munge").chmod(0o711)
        key = work / "munge/key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        configuration = Path("tests/grading/grading_slurm.conf").read_text()
        host = socket.gethostname().split(".")[0]
        (work / "slurm.conf").write_text(configuration.replace("@work@", str(work)).replace("@host@", host))
        os.environ["SLURM_CONF"] = str(work / "slurm.conf")
        files = [
            f"--{what}={work}/munge/{name}"
            for what, name in (
                ("key-file", "key"),
                ("socket", "socket"),
                ("pid-file", "pid"),
                ("log-file", "log"),
                ("seed-file", "seed"),
            )
        ]
        self.start("munged", "munged", "--foreground", "--force", *files)
        time.sleep(1)
        self.start("ctld", "slurmctld", "-D")
        self.start("n1", "slurmd", "-D", "-N", "n1")
        self.second = self.start("n2", "env", "GRADE_NODE=n2", "slurmd", "-D", "-N", "n2")

    def start(self, name: str, *command: str) -> subprocess.Popen:
        with open(self.work / f"{name}.log", "w") as log:
            self.daemons.append(subprocess.Popen(command, stdout=log, stderr=log))
        return self.daemons[-1]

    def is_idle(self) -> bool:
        return said(["sinfo", "-h", "-N", "-o", "%T"])[1].count("idle") == 2

    def stop(self) -> None:
        for daemon in self.daemons:
            daemon.terminate()
        time.sleep(1)
        for daemon in self.daemons:
            daemon.kill()
            daemon.wait()


def processes(*variables: bytes) -> list[int]:
    """Those that have one of these variables in their environment."""
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            if not set(variables).isdisjoint(environment.read_bytes().split(b"\0")):
                found.append(int(environment.parent.name))
        except OSError:  # it has ended
            continue
    return found


def kill_node(cluster: Cluster) -> None:
    """The second node dies: its daemon, its steps and what these run."""
    victims = [cluster.second.pid, *processes(*NODE_2)]
    for pid in victims:  # which grows
        below = said(["pgrep", "-P", str(pid)])[1].split()
        victims += [int(child) for child in below if int(child) not in victims]
    for pid in victims:
        try:
            os.kill(pid, 9)
        except ProcessLookupError:
            pass


def make_class(work: Path) -> list[str]:
    """Twelve students, of whom every third is wrong at one exercise."""
    for i in range(1, 13):
        for k, solution in enumerate(ANSWERS):
            text = handed_in(solution)
            spoiled = text.replace(RIGHT, WRONG) if k == 0 and i % 10 in (3, 6, 9) else text
            write(work / f"class/s{i:02}" / exercise_of(solution), spoiled)
    return sorted(str(path) for path in (work / "class").iterdir())


def main(work: Path) -> int:
    cluster = Cluster(work)
    try:
        for _ in range(60):
            if cluster.is_idle():
                break
            time.sleep(1)
        check("a cluster of two nodes", cluster.is_idle(), *(log.read_text()[-500:] for log in work.glob("*.log")))
        return status() or grade_class(cluster, work)
    finally:
        cluster.stop()


def grade_class(cluster: Cluster, work: Path) -> int:
    students = make_class(work)
    grade = ["tools/grade", "-e", "3.1,3.4", "-o"]
    said([*grade, str(work / "alone"), students[0]])  # builds the judges
    with open(work / "out", "w") as out:
        grader = subprocess.Popen([*grade, str(work / "grades"), "--slurm", *students], stdout=out, stderr=out)
    log = work / "grades/slurm/graded.log"

    def graded() -> list[list[str]]:
        return [line.split("\t") for line in log.read_text().splitlines()] if log.exists() else []

    while len(graded()) < 24 and grader.poll() is None:  # until the second node, too, is at a grade
        if len(graded()) >= 5 and processes(NODE_2[1]):
            break
        time.sleep(0.2)
    kill_node(cluster)
    before = len(graded())
    check("a node died in the middle", 5 <= before < 24, before)
    result, says, lines = grader.wait(), (work / "out").read_text(), graded()
    check("the grader ends, and all is graded", result == 0, says)
    check("every grade was made exactly once", len({tuple(line[2:]) for line in lines}) == 24 == len(lines), *lines)
    anew = sum(int(line[1]) > 0 for line in lines)
    check("what died with the node was begun anew", anew > 0 or "once more" in says, says)
    reports = [path.read_text() for path in (work / "grades/students").glob("*.txt")]
    passed = [sum(len(re.findall(f"^3\\.{e} .*: passed", text, re.M)) for text in reports) for e in (1, 4)]
    check("every verdict is as expected", passed == [9, 12], passed)
    print("".join(f"# {line}\n" for line in says.splitlines()), end="")
    print("# by node:", dict(Counter(line[0] for line in lines)), f"started anew: {anew}")
    plan = said(["tools/grade", "--plan", "200,4,16", "-e", "3.1,3.4", "-o", str(work / "grades")])[1]
    print("".join(f"# {line}\n" for line in plan.splitlines()), end="")
    return status()


os.chdir(Path(__file__).parents[2])
os.environ["PATH"] += ":/usr/sbin"
for name in ("MAKEFLAGS", "MAKELEVEL"):
    os.environ.pop(name, None)
if (
    os.getuid() != 0
    or any(said(["tools/setup/need.sh", package])[0] for package in ("slurm", "bubblewrap"))
    or said(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"])[0]
):
    skip("a cluster: it needs root, slurm-wlm, munge and bubblewrap")
    sys.exit(0)
folder = tempfile.mkdtemp(prefix="slurm.")
try:
    sys.exit(main(Path(folder)))
finally:
    shutil.rmtree(folder, ignore_errors=True)
