"""PYTHONPATH=tests/harness python3 tests/grading/grading_groups.py: what tests/grading/grading_sandbox.c tries, on a
kernel of its own that has control groups of version 2 alone: Debian's User Mode Linux, on this machine's files. Once as
root, and once as a user to whom a group is delegated, as systemd-run --user --scope -p Delegate=yes does it. It takes
about two minutes: make check does not run this."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import check, said, skip, status

SANDBOX = "build/cpu/tests/grading/grading_sandbox"
GROUPS = Path("/sys/fs/cgroup")
MOUNTS = ("-t proc proc /proc", "-t sysfs sys /sys", f"-t cgroup2 groups {GROUPS}", "-t tmpfs -o mode=1777 tmp /run")
KERNEL = "mem=2G root=/dev/root rootfstype=hostfs rootflags=/ rw con=null con0=null,null con1=null"


def as_user() -> None:
    """The process is in the group that is delegated to user 1000, and that user's."""
    (GROUPS / "own/cgroup.procs").write_text(str(os.getpid()))
    os.setgroups([])
    os.setgid(1000)
    os.setuid(1000)


def inside(log: str) -> None:
    """What runs in that kernel: the sandbox's test as root, and as a user."""
    os.environ.update(PATH="/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", TMPDIR="/run")
    for mount in MOUNTS:
        subprocess.run(["mount", *mount.split()], check=False)
    with open(log, "w", buffering=1) as out:
        print(f"kernel {os.uname().release}, {(GROUPS / 'cgroup.controllers').read_text().strip()}", file=out)
        root = subprocess.run([SANDBOX], stdout=out, stderr=out, check=False).returncode
        print(f"as root: status {root}", file=out)
        print("left:", *GROUPS.glob("grade.*"), file=out)
        (GROUPS / "own").mkdir()
        (GROUPS / "cgroup.subtree_control").write_text("+memory +pids")
        for path in (GROUPS / "own", *(GROUPS / "own").iterdir()):
            os.chown(path, 1000, -1)
        user = subprocess.run([SANDBOX], stdout=out, stderr=out, preexec_fn=as_user, check=False).returncode
        print(f"as a user: status {user}", file=out)
    os.sync()


def main() -> int:
    if any(said(["tools/setup/need.sh", package])[0] for package in ("bubblewrap", "user-mode-linux")):
        skip("control groups: it needs user-mode-linux and bubblewrap")
        return 0
    subprocess.run(["make", "-s", SANDBOX], check=True)
    with tempfile.TemporaryDirectory(prefix="groups.") as folder:
        work, log = Path(folder), Path(folder) / "said"
        work.chmod(0o755)
        init = work / "init"
        # the shell stays the first process, for it waits for the processes whose parents have ended
        python = f'PYTHONPATH=tests/harness "{sys.executable}" -B tests/grading/{Path(__file__).name}'
        init.write_text(f'#!/bin/sh\ncd "{Path.cwd()}" && {python} --inside "{log}"\n')
        init.chmod(0o755)
        kernel = ["timeout", "600", "linux.uml", *KERNEL.split(), f"init={init}", f"uml_dir={work}"]
        ends = said(kernel, stdin=subprocess.DEVNULL)[1]
        says = log.read_text() if log.exists() else ""
        if not says:
            print("\n".join(ends.splitlines()[-5:]), file=sys.stderr)
        print("".join(f"# {line}\n" for line in says.splitlines()), end="")
        check("as root the kernel holds the limits", bool(re.search("^as root: status 0", says, re.M)))
        check("and no group is left", bool(re.search("^left: *$", says, re.M)))
        check("as a user with a delegated group it does too", bool(re.search("^as a user: status 0", says, re.M)))
        check("in groups, all four times", bool(says) and "no control groups" not in says)
    return status()


os.chdir(Path(__file__).resolve().parents[2])
if sys.argv[1:2] == ["--inside"]:
    try:
        inside(sys.argv[2])
    finally:
        Path("/proc/sysrq-trigger").write_text("o")
        subprocess.run(["sleep", "60"], check=False)
sys.exit(main())
