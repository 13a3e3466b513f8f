"""PYTHONPATH=tests/harness python3 tests/grading/grading_groups.py: what tests/grading/grading_sandbox.c tries, on a
kernel of its own that has control groups of version 2 alone: Debian's, in qemu, by software. Once as root, and once as
a user to whom a group is delegated, as systemd-run --user --scope -p Delegate=yes does it. It takes about nine
minutes: make check does not run this. KERNEL=FILE names a kernel; without it Debian's package for clouds is unpacked
in build/."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import check, said, skip, status

SANDBOX = "build/cpu/tests/grading/grading_sandbox"
UNPACKED = Path("build/groups")
PROGRAMS = "sh mount mkdir cp chown cat ls sleep true bwrap setpriv switch_root".split()
BOOT = "console=ttyS0 quiet panic=-1 mitigations=off nokaslr"
WHERE = ("/bin", "/usr/bin", "/usr/sbin")

# The first root cannot be left by pivot_root, which bubblewrap needs: it is copied to a second one.
FIRST = """#!/bin/sh
mkdir -p /proc /sys /dev /new
mount -t devtmpfs dev /dev
mount -t tmpfs -o mode=755 new /new
cp -a /bin /usr /lib /lib64 /course /second /etc /new/ 2>/dev/null
mkdir -p /new/proc /new/sys /new/dev /new/tmp /new/run /new/sbin
exec switch_root /new /second
"""
SECOND = f"""#!/bin/sh
export PATH=/bin:/usr/bin:/usr/sbin TMPDIR=/run
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mkdir /dev/shm
for to in /run /tmp /dev/shm; do mount -t tmpfs -o mode=1777 tmp $to; done
groups=/sys/fs/cgroup
mount -t cgroup2 groups $groups
cd /course
echo "controllers: $(cat $groups/cgroup.controllers)"
{SANDBOX}; echo "as root: status $?"
echo "left: $(ls -d $groups/grade.* 2>/dev/null)"
echo +memory +pids >$groups/cgroup.subtree_control
mkdir $groups/own
chown 1000 $groups/own $groups/own/*
(echo 0 >$groups/own/cgroup.procs; exec setpriv --reuid 1000 --regid 1000 --clear-groups {SANDBOX})
echo "as a user: status $?"
echo o >/proc/sysrq-trigger; sleep 60
"""


def kernel() -> str | None:
    if "KERNEL" in os.environ:
        return os.environ["KERNEL"]
    if not (found := sorted(UNPACKED.glob("boot/vmlinuz-*"))):
        UNPACKED.mkdir(parents=True, exist_ok=True)
        depends = said(["apt-cache", "depends", "linux-image-cloud-amd64"])[1]
        if name := re.search(r"Depends: (linux-image-\d\S*)", depends):
            subprocess.run(["apt-get", "download", name[1]], cwd=UNPACKED, capture_output=True, check=False)
        for package in UNPACKED.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, UNPACKED], check=False)
        found = sorted(UNPACKED.glob("boot/vmlinuz-*"))
    return str(found[-1]) if found else None


def files() -> dict[str, bytes]:
    """What that machine has: the programs above, the test's, and their libraries."""
    inside: dict[str, bytes] = {
        "/init": FIRST.encode(),
        "/second": SECOND.encode(),
        "/etc/passwd": b"root:x:0:0::/:/bin/sh\nuser:x:1000:1000::/run:/bin/sh\n",
    }
    paths = [next(f"{d}/{name}" for d in WHERE if Path(d, name).exists()) for name in PROGRAMS]
    for path, to in [(p, p) for p in paths] + [(SANDBOX, f"/course/{SANDBOX}")]:
        inside[to] = Path(path).read_bytes()
        for library in re.findall(r"/\S+", said(["ldd", path])[1]):
            if "so" in library:
                inside[library] = Path(library).read_bytes()
    return inside


def archive(inside: dict[str, bytes]) -> bytes:
    """The same as an archive of cpio's newc format."""
    folders = {str(p) for name in inside for p in Path(name).parents if str(p) != "/"}
    entries = [(f, 0o40755, b"") for f in sorted(folders)]
    entries += [(f, 0o100755, data) for f, data in inside.items()] + [("/TRAILER!!!", 0, b"")]
    out = bytearray()
    for number, (name, mode, data) in enumerate(entries, 1):
        path = name[1:].encode() + b"\0"
        fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(path), 0)
        out += b"070701" + b"".join(b"%08X" % v for v in fields)
        out += path + b"\0" * (-(len(out) + len(path)) % 4)
        out += data + b"\0" * (-(len(out) + len(data)) % 4)
    return bytes(out)


def main() -> int:
    if any(said(["tools/setup/need.sh", package])[0] for package in ("bubblewrap", "qemu")) or not (image := kernel()):
        skip("control groups: it needs qemu, bubblewrap and a kernel (KERNEL=FILE)")
        return 0
    subprocess.run(["make", "-s", SANDBOX], check=True)
    with tempfile.TemporaryDirectory(prefix="groups.") as folder:
        disk = Path(folder, "disk")
        disk.write_bytes(archive(files()))
        machine = "qemu-system-x86_64 -accel tcg -cpu max -m 3000 -nographic -no-reboot -net none".split()
        options = ["-kernel", image, "-initrd", str(disk), "-append", BOOT]
        says = said(["timeout", "1500", *machine, *options], stdin=subprocess.DEVNULL)[1].replace("\r", "")
    told = [line for line in says.splitlines() if re.match(r"controllers|as |left|\d+%|.*:[FE]:", line)]
    print("".join(f"# {line}\n" for line in told), end="")
    check("as root the kernel holds the limits", bool(re.search("^as root: status 0", says, re.M)))
    check("and no group is left", bool(re.search("^left: *$", says, re.M)))
    check("as a user with a delegated group it does too", bool(re.search("^as a user: status 0", says, re.M)))
    check("in groups, all four times", "controllers:" in says and "no control groups" not in says)
    return status()


os.chdir(Path(__file__).resolve().parents[2])
sys.exit(main())
