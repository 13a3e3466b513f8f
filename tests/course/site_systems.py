"""python3 tests/course/site_systems.py [SYSTEM...]: the site, slides, book and notebooks on fresh systems.

Each system (a debootstrap with git, make, gcc and g++) gets the commit HEAD as a folder that is no clone. What is
missing must be said, by make doctor and by the command, until the package that was named is installed. Then make site,
make slides and make book run, and a cell runs with the package that pip makes of tools/notebook, outside the course.
The outcomes become rows of results/cpu/site_systems.csv. make check does not run this: a system takes about 10 minutes.

As root, on Debian, with debootstrap (and Ubuntu's keyring for noble). SYSTEMS=DIR is where the systems are made and
stay; each is copied, and the copy is used. Ubuntu's chromium is a snap, which a folder cannot run: there make book has
to say so.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from systems import SYSTEMS, Row, die, make_system

NAMES = "bookworm", "trixie", "noble"
TABLE = Path("results/cpu/site_systems.csv")
HEAD = "system,python,site_s,slides_s,book_s,notebook,wrong,commit,date"
AUTHORITIES = "/root/authorities.crt"
ASKS_PIP = ("PIP_CERT", "PIP_INDEX_URL", "PIP_PROXY", "https_proxy", "http_proxy", "no_proxy")
CELL = """
from IPython.core.interactiveshell import InteractiveShell
code = '''__global__ void k(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}
int main()
{
    int *x;
    cudaMalloc(&x, 32 * sizeof *x);
    k<<<1, 40>>>(x);
    cudaDeviceSynchronize();
}
'''
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "cuda_notebook")
shell.run_cell_magic("cuda", "--check", code)
"""


class SiteRow(Row):
    """A system in which the site is tried. `wrong` collects what did not happen."""

    def __init__(self, system: str):
        make_system(system)
        shutil.rmtree(SYSTEMS / f"{system}-site", ignore_errors=True)
        subprocess.run(["cp", "-a", SYSTEMS / system, SYSTEMS / f"{system}-site"], check=True)
        super().__init__(f"{system}-site", "site")
        self.system = system
        self.wrong: list[str] = []
        for name in ASKS_PIP:
            if name in os.environ:
                self.environment.append(f"{name}={os.environ[name]}")
        if "PIP_CERT" in os.environ:  # the machine's own authorities, where it reaches the network through a proxy
            shutil.copy(os.environ["PIP_CERT"], f"{self.root}{AUTHORITIES}")
            self.environment += [f"PIP_CERT={AUTHORITIES}", f"SSL_CERT_FILE={AUTHORITIES}"]

    def expect(self, what: str, status: int, text: str, *command: str) -> int:
        """Runs a command, which must end with that status and say `text`, a regular expression. The seconds it took."""
        begin = time.time()
        got, says = self.inside(*command)
        seconds = round(time.time() - begin)
        good = got == status and re.search(text, says, re.M) is not None
        self.tell(f"== {what}: {'as expected' if good else 'WRONG'}, status {got}, {seconds} s")
        self.tell("\n".join(says.splitlines()[-40:]))
        if not good:
            self.wrong.append(what)
        print(f"{self.system}: {what}: {'ok' if good else 'WRONG'} ({seconds} s)", flush=True)
        return seconds

    def get(self, *packages: str) -> None:
        self.expect("apt-get " + packages[0], 0, "", "apt-get", "install", "-y", "--no-install-recommends", *packages)

    def what_is_missing(self) -> None:
        """Python, then its venv: the words that name them."""
        named = r"^  Python +missing: .*apt-get install python3 python3-venv"
        self.expect("doctor without Python", 0, named, "make", "doctor")
        for target in ("site", "slides", "book", "notebooks"):
            says = f"^{target}: Python 3 is missing: .*install python3 python3-venv"
            self.expect(f"{target} without Python", 2, says, "make", target)
        self.expect("apt-get update", 0, "", "apt-get", "-o", "Acquire::Check-Valid-Until=false", "update")
        self.get("python3")
        self.expect("doctor without venv", 0, named, "make", "doctor")
        self.expect("site without venv", 2, "Python's venv is missing: .*python3-venv", "make", "site")
        self.get("python3-venv", "ca-certificates")
        self.expect("doctor with venv", 0, r"^  Python +Python 3[0-9.]+, with venv", "make", "doctor")
        get = ("snap" if self.system == "noble" else "apt-get") + " install chromium"
        self.expect("doctor without Chromium", 0, f"^  chromium +missing: .*{get}", "make", "doctor")
        self.expect("book without Chromium", 2, f"Chromium is missing: .*{get}", "make", "book")

    def book(self) -> str:
        if self.system == "noble":
            return ""
        self.get("chromium")
        return str(self.expect("book", 0, r"^build/book/book\.pdf: \d+ pages", "make", "book"))

    def notebook(self) -> str:
        """A cell with a mistake, in a folder that is not the course's."""
        before = len(self.wrong)
        python = "/root/notebook/bin/python"
        (self.root / "root/elsewhere").mkdir(exist_ok=True)
        (self.root / "root/elsewhere/cell.py").write_text(CELL)
        self.expect("venv", 0, "", "python3", "-m", "venv", "/root/notebook")
        self.expect("pip install", 0, "", python, "-m", "pip", "install", "-q", "./tools/notebook")
        outside = "env", "-C", "/root/elsewhere"
        self.expect("cell", 0, r"out of bounds(.|\n)*at cell\.cu:3", *outside, python, "cell.py")
        return "passed" if len(self.wrong) == before else "failed"


def row(system: str) -> bool:
    one = SiteRow(system)
    one.what_is_missing()
    site = one.expect("site", 0, r"^build/site/index\.html: \d+ MB, \d+ pages", "make", "site")
    slides = one.expect("slides", 0, r"^build/slides/index\.html: \d+ decks", "make", "slides")
    book, notebook = one.book(), one.notebook()
    python = one.inside("python3", "--version")[1].split()[-1]
    one.log.close()
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], text=True).strip()
    today = time.strftime("%Y-%m-%d")
    line = f"{system},{python},{site},{slides},{book},{notebook},{len(one.wrong)},{commit},{today}"
    lines = TABLE.read_text().splitlines() if TABLE.exists() else []
    others = [old for old in lines if not old.startswith(("#", "system,", f"{system},"))]
    model = re.search(r"^model name[^:]*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    head = [f"# device: folders on {model[1] if model else ''}, {os.cpu_count()} cores", f"# date: {today}"]
    head += ["# command: tests/course/site_systems.py", HEAD]
    TABLE.write_text("\n".join(head + sorted([*others, line])) + "\n")
    print(line, *one.wrong, sep="\n", flush=True)
    return not one.wrong


def main(wanted: list[str]) -> int:
    os.environ["LC_ALL"] = "C"
    os.chdir(Path(__file__).parents[2])
    if os.getuid() != 0 or not shutil.which("debootstrap"):
        die("it makes systems: it needs to be root, and debootstrap")
    if set(wanted) - set(NAMES):
        die(f"the systems are {', '.join(NAMES)}")
    return 0 if all([row(system) for system in wanted or NAMES]) else 1


if __name__ == "__main__":
    print(f"systems in {SYSTEMS}", flush=True)
    sys.exit(main(sys.argv[1:]))
