"""python3 tests/course/systems.py [--walk] [SYSTEM [WAY]]: the course on systems that a student may bring.

Each of ROWS is a fresh system (a debootstrap with git, make, gcc and g++), in which the README's first commands and
make check run, with --walk only the first. Their outcome becomes that row of results/cpu/systems.csv. Without SYSTEM
all rows, one after the other. make check does not run this. As root, on Debian, with debootstrap and ubuntu-keyring;
SYSTEMS=DIR is where the systems lie (1 GB each) and stay. What is tried is the commit HEAD.

  gcc, clang   in the system, as root. clang compiles everything, C too, and needs libomp-dev.
  student      as a user who is not root, with umask 077, in a folder with blanks, quotes, $, # and Chinese characters
  readonly     the same user, in a checkout that nobody may write
  one-core     as gcc, with one core and 2 GB of memory (a control group's)
  arm64        programs of arm64, made by Debian's cross compiler on this machine and run by qemu-user: the
               walk-through, the labs' tests, the device's own, all planted mistakes, splitting and nesting; the
               rest of make check is the same on every machine, or would take a day
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from glob import glob
from pathlib import Path
from typing import NoReturn

ROWS = """bullseye gcc, bullseye clang, bookworm gcc, bookworm clang, bookworm student, bookworm readonly,
bookworm one-core, trixie gcc, trixie clang, trixie arm64, noble gcc, noble student, sid gcc, sid clang"""
SYSTEMS = Path(os.environ.get("SYSTEMS", "/var/tmp/cuda-systems"))
TABLE = Path("results/cpu/systems.csv")
HEAD = "system,way,compiler,libc,walk_through,passed,failed,skipped,build_s,check_s,commit,date"
PACKAGES = {  # what a way needs besides git, make, gcc and g++
    "clang": "clang libomp-dev",
    "student": "check",  # make check cannot install it for them
    "readonly": "check",
    "arm64": "g++-aarch64-linux-gnu libc6:arm64 libstdc++6:arm64 libgomp1:arm64 check:arm64 qemu-user",
}
COMPILERS = {
    "clang": {"CUCC_CC": "clang", "CUCC_CXX": "clang++", "CC": "clang"},
    "arm64": dict.fromkeys(("CUCC_CC", "CC"), "aarch64-linux-gnu-gcc") | {"CUCC_CXX": "aarch64-linux-gnu-g++"},
}
ARM64_SCRIPTS = ("checker/check_mistakes", "compiler/split", "checker/check_launches")
SEARCH = "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
MEMORY = {"one-core": 2 << 30, "arm64": 6 << 30}  # bytes, a control group's
INSIDE = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && exec chroot "$@"'
QEMU = (  # the first bytes of a program of arm64, and which of their bits count
    rb":course-arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    rb":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:"
)


def die(why: str) -> NoReturn:
    print(f"systems.py: {why}", file=sys.stderr)
    sys.exit(2)


def make_system(system: str) -> None:
    """Makes it unless it is there."""
    root = SYSTEMS / system
    if (root / "made").exists():
        return
    SYSTEMS.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(root, ignore_errors=True)
    source = ["main", "http://deb.debian.org/debian", "sid"]
    if system == "noble":
        source = ["main,universe", "http://archive.ubuntu.com/ubuntu", "gutsy"]  # the script of every Ubuntu
    command = ["debootstrap", "--variant=minbase", "--include=git,make,gcc,g++", f"--components={source[0]}", system]
    with open(f"{root}.log", "w") as log:
        if subprocess.run([*command, str(root), *source[1:]], stdout=log, stderr=log, check=False).returncode:
            die(f"debootstrap {system}: see {root}.log")
    (root / "made").touch()


def register_qemu(root: Path) -> None:
    """Has the kernel run programs of arm64 by the system's qemu."""
    formats = Path("/proc/sys/fs/binfmt_misc")
    if not (formats / "register").exists() and subprocess.call(["mount", "-t", "binfmt_misc", "none", str(formats)]):
        die("no binfmt_misc here")
    if (formats / "course-arm64").exists():
        (formats / "course-arm64").write_text("-1")
    try:
        (formats / "register").write_bytes(QEMU + f"{root}/usr/bin/qemu-aarch64:F".encode())
    except OSError:
        die("qemu cannot be registered")


def memory_group(size: int) -> Path:
    """A control group of processes with that much memory, of either version."""
    group, limit = Path("/sys/fs/cgroup/memory/course"), "memory.limit_in_bytes"
    if Path("/sys/fs/cgroup/cgroup.controllers").exists():
        group, limit = Path("/sys/fs/cgroup/course"), "memory.max"
    try:
        group.mkdir(exist_ok=True)
        (group / limit).write_text(str(size))
    except OSError:
        die("no control group can be made here")
    return group


class Row:
    """A system and a way to use it; what runs there is written to the row's log."""

    def __init__(self, system: str, way: str):
        make_system(system)
        self.system, self.way, self.root = system, way, SYSTEMS / system
        self.student = way in ("student", "readonly")
        self.place = "/home/student/a b'\"$#;课程/course" if self.student else "/root/course"
        self.group = None
        self.environment = [SEARCH, "TERM=dumb", "DEBIAN_FRONTEND=noninteractive"]
        self.install()
        self.copy()
        self.environment += [f"{name}={value}" for name, value in COMPILERS.get(way, {}).items()]
        self.compiler = dict(COMPILERS.get(way, {})).get("CUCC_CXX", "g++")
        self.group = memory_group(MEMORY[way]) if way in MEMORY else None
        self.log = open(f"{self.root}.{way}.log", "w")

    def as_told(self) -> None:
        """What the process that runs in the system, and its children, are limited to."""
        if self.group:
            (self.group / "cgroup.procs").write_text(str(os.getpid()))
        if self.way == "one-core":
            os.sched_setaffinity(0, {0})

    def inside(self, *command: str, root: bool = False) -> tuple[int, str]:
        """The status of a command in the system, with /proc and /dev, and what it says. Its mounts go with it."""
        user = ["env", "-i", "HOME=/root", *self.environment]
        if self.student and not root:
            user = ["env", "-i", "HOME=/home/student", *self.environment, "sh", "-c", 'umask 077; exec "$@"', "sh"]
            user = ["setpriv", "--reuid=student", "--regid=student", "--clear-groups", *user]
        user += [] if root else ["env", "-C", self.place]
        done = subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "sh", "-c", INSIDE, "sh", str(self.root), *user, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=self.as_told,
            check=False,
        )
        return done.returncode, done.stdout.decode(errors="replace")

    def tell(self, *what: object) -> None:
        print(*what, file=self.log, flush=True)

    def install(self) -> None:
        if self.way in PACKAGES:
            old = ["-o", "Acquire::Check-Valid-Until=false"]  # a mirror's sid may be a week old
            install = ["apt-get", "install", "-y", "--no-install-recommends", *PACKAGES[self.way].split()]
            steps = [["apt-get", *old, "update"], install]
            if self.way == "arm64":
                steps.insert(0, ["dpkg", "--add-architecture", "arm64"])
            for step in steps:
                status, says = self.inside(*step, root=True)
                Path(f"{self.root}.apt.log").write_text(says)
                if status:
                    die(f"{self.system} {self.way}: {step[0]}: see {self.root}.apt.log")
        if self.way == "arm64":
            register_qemu(self.root)

    def copy(self) -> None:
        """The commit, for the user who is to have it."""
        for old in ("root/course", "home/student"):
            shutil.rmtree(self.root / old, ignore_errors=True)
        place = Path(f"{self.root}{self.place}")
        place.mkdir(parents=True)
        tree = subprocess.run(["git", "archive", "HEAD"], stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "xf", "-", "-C", str(place)], input=tree, check=True)
        if self.student:
            if self.inside("id", "student", root=True)[0]:
                self.inside("useradd", "student", root=True)
            self.inside("chown", "-R", "student", "/home/student", root=True)
            (self.root / "home/student").chmod(0o755)
        if self.way == "readonly":
            self.inside("chown", "-R", "root", self.place, root=True)
            self.inside("chmod", "-R", "go-w", self.place, root=True)

    def compiler_and_libc(self) -> str:
        compiler = self.inside(self.compiler, "--version")[1].splitlines()[0]
        libc = self.inside("ldd", "--version")[1].splitlines()[0].rsplit(" ", 1)[-1]
        return f"{compiler.removeprefix('Debian ').replace(',', ' ')},{libc}"

    def walk(self) -> tuple[str, object]:
        """The README's first commands: their outcome, and the seconds that the build took."""
        begin = time.time()
        status, says = self.inside("make", "lecture01")
        if status:
            self.tell("\n".join(says.splitlines()[-20:]))
            return "does not build", ""
        build = int(time.time() - begin)
        status, says = self.inside("./run")
        if status == 0 and len(re.findall(r"^[1-9]/[1-9] ", says, re.M)) >= 5:
            return "passed", build
        self.tell("\n".join(says.splitlines()[-20:]))
        return "failed", build

    def check(self) -> str:
        """make check: passed, failed, skipped."""
        says = self.inside("env", "COURSE_REMEMBERS=no", "make", "check")[1]
        self.tell(says)
        self.tell("skipped, with the reason:")
        mirror = re.search(r"^building in (.*)$", says, re.M)  # of a checkout that cannot be written
        results = f"{self.root}{mirror[1] if mirror else self.place}/build/check-results"
        reasons: Counter[str] = Counter()
        for file in Path(results).glob("*"):
            lines = file.read_text(errors="replace").splitlines()
            if file.suffix != ".skips":
                lines = ["tests: " + line.split("# SKIP ", 1)[1] for line in lines if re.match("ok.*# SKIP ", line)]
            reasons.update(re.sub(r".*: (needs|no) ", r"\1 ", line) for line in lines)
        for reason, count in reasons.most_common():
            self.tell(f"{count:7} {reason}")
        counted = re.findall(r"^tests: (\d*) passed, (\d*) failed, (\d*) skipped$", says, re.M)
        return ",".join(counted[-1]) if counted else ",,"

    def one(self, *command: str) -> tuple[int, int]:
        """How many tests of a test program or script passed, and how many failed."""
        status, says = self.inside(*command)
        passed = failed = 0
        for line in says.splitlines():
            counts = re.match(r"\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)", line)
            wrong = int(counts[2]) + int(counts[3]) if counts else int(line.startswith("not ok"))
            right = int(counts[1]) - wrong if counts else int(line.startswith("ok") and "# SKIP" not in line)
            passed, failed = passed + right, failed + wrong
        if status and not failed:
            failed = 1
        if failed:
            self.tell(f"FAILED {' '.join(command)} (status {status})")
            self.tell("\n".join(says.splitlines()[-12:]))
        return passed, failed

    def check_arm64(self) -> str:
        """The labs' tests, the device's own, and the checker's: passed, failed, skipped."""
        labs = [f"build/cpu/tests/labs/{path[:-3]}" for path in sorted(glob("lecture*/*.cu"))]
        programs = labs + [f"build/cpu/{path[:-3]}" for path in sorted(glob("cpudevice/tests/runtime/*.cu"))]
        status, says = self.inside("make", "-k", "-j", str(os.cpu_count()), *programs)
        if status:
            self.tell("\n".join(says.splitlines()[-20:]))
        scripts = [["env", "CHECK_ALL=1", "sh", f"cpudevice/tests/{name}.sh", "cpu"] for name in ARM64_SCRIPTS]
        counts = [self.one(program) for program in programs] + [self.one(*script) for script in scripts]
        return f"{sum(count[0] for count in counts)},{sum(count[1] for count in counts)},0"


def row(system: str, way: str, walk_only: bool) -> None:
    one = Row(system, way)
    about = one.compiler_and_libc()
    outcome, build = one.walk()
    counted, seconds = ",,", ""
    if not walk_only:
        begin = time.time()
        counted = one.check_arm64() if way == "arm64" else one.check()
        seconds = str(int(time.time() - begin))
    one.log.close()
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], text=True).strip()
    today = time.strftime("%Y-%m-%d")
    line = f"{system},{way},{about},{outcome},{counted},{build},{seconds},{commit},{today}"
    lines = TABLE.read_text().splitlines() if TABLE.exists() else []
    others = [old for old in lines if not old.startswith(("#", "system,", f"{system},{way},"))]
    mine = [old for old in lines if re.match(rf"{system},{way},[^,]*,[^,]*,passed,[0-9]", old)]
    if walk_only and outcome == "passed" and mine:  # an older outcome of make check stays, with its commit and date
        print(f"{line} (make check not run)")
        return
    model = re.search(r"^model name[^:]*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    head = [f"# device: folders on {model[1] if model else ''}, {os.cpu_count()} cores", f"# date: {today}"]
    head += ["# command: tests/course/systems.py", HEAD]
    new = TABLE.with_suffix(".csv.new")
    new.write_text("\n".join(head + sorted([*others, line])) + "\n")
    new.replace(TABLE)
    print(line, flush=True)


def main(arguments: list[str]) -> None:
    walk_only = arguments[:1] == ["--walk"]
    wanted = arguments[1:] if walk_only else arguments
    os.environ["LC_ALL"] = "C"
    os.chdir(Path(__file__).parents[2])
    if os.getuid() != 0:
        die("it makes systems, and needs to be root")
    if not shutil.which("debootstrap"):
        die(
            "debootstrap is missing (apt-get install debootstrap qemu-user-static; for noble ubuntu-keyring too, which "
            "bookworm lacks: trixie's package will do)"
        )
    rows = [tuple(one.split()) for one in ROWS.replace("\n", " ").split(",")]
    found = [one for one in rows if list(one[: len(wanted)]) == wanted]
    if not found:
        die(f"there is no row {' '.join(wanted)}; the rows are: {', '.join(' '.join(one) for one in rows)}")
    for system, way in found:
        row(system, way, walk_only)


if __name__ == "__main__":
    main(sys.argv[1:])
